// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/frames/reference.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "common/planes/cell_rules.h"
#include "common/planes/ground.h"
#include "common/planes/hull.h"

// From planes of cells to labels of pixels and planes in metres.
namespace rdp::planes::reference {
namespace {

// Gives a known pixel the label that at least five of its eight neighbours have, if there is one.
// Pixels whose four neighbours all have their label keep it.
Labels smooth(const Labels& labels, const std::vector<bool>& known, int width, int height) {
  Labels result = labels;
  const auto at = [&](int x, int y) -> int {
    const bool inside = x >= 0 && y >= 0 && x < width && y < height;
    return inside ? labels[static_cast<std::size_t>(y) * width + x] : -1;
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const std::size_t pixel = static_cast<std::size_t>(y) * width + x;
      if (!known[pixel]) continue;
      int near[8];
      int count = 0;
      bool alike = true;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          if (dx == 0 && dy == 0) continue;
          const int label = at(x + dx, y + dy);
          near[count++] = label;
          if ((dx == 0 || dy == 0) && label >= 0 && label != at(x, y)) alike = false;
        }
      }
      if (alike) continue;
      for (const int label : near) {
        if (label > 0 && std::count(near, near + 8, label) >= 5) {
          result[pixel] = static_cast<std::uint16_t>(label);
        }
      }
    }
  }
  return result;
}

// The 4-connected part of each labelled pixel, as the index of the part's first pixel.
std::vector<std::int32_t> parts_of(const Labels& labels, int width, int height) {
  std::vector<std::int32_t> part(labels.size(), -1);
  std::vector<std::size_t> open;
  for (std::size_t first = 0; first < labels.size(); ++first) {
    if (labels[first] == 0 || part[first] >= 0) continue;
    part[first] = static_cast<std::int32_t>(first);
    open.push_back(first);
    const auto visit = [&](std::size_t pixel) {
      if (labels[pixel] != labels[first] || part[pixel] >= 0) return;
      part[pixel] = static_cast<std::int32_t>(first);
      open.push_back(pixel);
    };
    while (!open.empty()) {
      const std::size_t pixel = open.back();
      open.pop_back();
      if (pixel % width > 0) visit(pixel - 1);
      if (pixel % width + 1 < static_cast<std::size_t>(width)) visit(pixel + 1);
      if (pixel >= static_cast<std::size_t>(width)) visit(pixel - width);
      if (pixel + width < static_cast<std::size_t>(width) * height) visit(pixel + width);
    }
  }
  return part;
}

}  // namespace

Labels label_pixels(const DepthView& frame, const Geometry& geometry, const Pyramid& pyramid,
                    const CellMap& map, const CellMap& rest_map) {
  const FrameRules& rules = geometry.rules;
  const double slope = pyramid.noise * rules.noise_scale;
  Labels labels(static_cast<std::size_t>(rules.width) * rules.height);
  for (int row = 0; row < rules.rows; ++row) {
    for (int column = 0; column < rules.columns; ++column) {
      const Node& cell = pyramid.nodes[0][row * rules.columns + column];
      if (cell.moments.n == 0) continue;
      const Statistics statistics = statistics_of(cell.moments);
      // The planes that own a cell in the 5x5 around, lowest number first.
      std::vector<int> near;
      for (int r = std::max(0, row - 2); r <= std::min(rules.rows - 1, row + 2); ++r) {
        for (int c = std::max(0, column - 2); c <= std::min(rules.columns - 1, column + 2); ++c) {
          for (const CellMap* cells : {&map, &rest_map}) {
            const int owner = cells->owner[r * rules.columns + c];
            if (owner >= 0) near.push_back(owner);
          }
        }
      }
      std::sort(near.begin(), near.end());
      near.erase(std::unique(near.begin(), near.end()), near.end());
      for (int y = row * kCell; y < std::min(rules.height, (row + 1) * kCell); ++y) {
        for (int x = column * kCell; x < std::min(rules.width, (column + 1) * kCell); ++x) {
          const std::int32_t z = geometry.depth[frame.at(y, x)];
          if (z == 0) continue;
          std::int32_t best = -1;
          for (const int plane : near) {
            const Fit& fit = map.planes[plane].fit;
            const PixelPlane p = pixel_plane(fit, rules.focal_x, rules.focal_y, rules.principal_x,
                                             rules.principal_y);
            const std::int32_t d =
                pixel_distance(z, ray_along(p, x, y, column * kCell), p.distance);
            if (d > pixel_limit(rules, slope, statistics, fit)) continue;
            if (best >= 0 && d >= best) continue;
            best = d;
            labels[static_cast<std::size_t>(y) * rules.width + x] =
                static_cast<std::uint16_t>(plane + 1);
          }
        }
      }
    }
  }
  return labels;
}

LabelledFrame find_labelled(const DepthView& frame, const Geometry& geometry,
                            const MutableDepthView& labels) {
  const FrameRules& rules = geometry.rules;
  LabelledFrame set;
  const Pyramid pyramid = look_at_nodes(frame, geometry);
  for (const auto& level : pyramid.nodes) {
    for (const Node& node : level) {
      if (node.level == 0) set.counts.known += static_cast<std::int64_t>(node.moments.n);
      set.counts.nodes += node.looked_at ? 1 : 0;
      set.counts.planar_nodes += node.planar ? 1 : 0;
    }
  }
  set.counts.noise = pyramid.noise;
  set.counts.resolution = rules.unit;
  set.counts.coarser = rules.unit > 1.0 / 16000.0;
  // The last of several rounds works on the pixels left by the other rounds' planes.
  const int rest_rounds = rules.rounds > 1 ? 1 : 0;
  CellMap map = find_cell_planes(pyramid, rules, rules.rounds - rest_rounds, &set.counts);
  CellMap rest_map;
  rest_map.owner.assign(map.owner.size(), -1);
  Labels numbers = label_pixels(frame, geometry, pyramid, map, rest_map);
  const Pyramid rest = look_at_rest(frame, geometry, pyramid.noise, numbers);
  if (rest_rounds > 0) rest_map = find_cell_planes(rest, rules, rest_rounds, &set.counts);
  merge_planes(pyramid, rest, rules, &map, &rest_map, &set.counts);
  numbers = label_pixels(frame, geometry, pyramid, map, rest_map);
  std::vector<bool> known(numbers.size());
  for (int y = 0; y < rules.height; ++y) {
    for (int x = 0; x < rules.width; ++x) {
      known[static_cast<std::size_t>(y) * rules.width + x] = geometry.depth[frame.at(y, x)] > 0;
    }
  }
  numbers = smooth(numbers, known, rules.width, rules.height);

  // Parts, or planes of any number of parts, by their first pixel.
  std::vector<std::int32_t> part = parts_of(numbers, rules.width, rules.height);
  if (!rules.connected) {
    std::vector<std::int32_t> first(map.planes.size(), -1);
    for (std::size_t pixel = 0; pixel < part.size(); ++pixel) {
      if (numbers[pixel] == 0) continue;
      std::int32_t& f = first[numbers[pixel] - 1];
      if (f < 0) f = static_cast<std::int32_t>(pixel);
      part[pixel] = f;
    }
  }
  std::vector<LabelledPlane> planes(part.size());
  for (std::size_t pixel = 0; pixel < part.size(); ++pixel) {
    if (part[pixel] < 0) continue;
    const int x = static_cast<int>(pixel % rules.width);
    const int y = static_cast<int>(pixel / rules.width);
    const std::int32_t z = geometry.depth[frame.at(y, x)];
    LabelledPlane& plane = planes[part[pixel]];
    plane.first = part[pixel];
    plane.votes = map.planes[numbers[pixel] - 1].votes;
    plane.moments.add_point(back_project(z, geometry.ray_x[x]), back_project(z, geometry.ray_y[y]),
                            z);
  }
  std::erase_if(planes, [](const LabelledPlane& plane) { return plane.moments.n == 0; });
  keep_planes(rules, &planes, &set.counts);
  std::vector<std::uint8_t> label_of(part.size());
  for (std::size_t p = 0; p < planes.size(); ++p) {
    label_of[planes[p].first] = static_cast<std::uint8_t>(p + 1);
  }
  for (int y = 0; y < rules.height; ++y) {
    for (int x = 0; x < rules.width; ++x) {
      const std::int32_t p = part[static_cast<std::size_t>(y) * rules.width + x];
      labels.set(y, x, p < 0 ? 0 : label_of[p]);
    }
  }
  for (const Node& cell : pyramid.nodes[0]) {
    set.means.push_back(cell_mean(cell.moments, rules.unit));
  }
  set.planes = std::move(planes);
  return set;
}

PlaneSet find(const DepthView& frame, const MetricCamera& camera, const Parameters& parameters,
              const MutableDepthView& labels) {
  Geometry geometry;
  make_geometry(frame.width, frame.height, frame.type, camera, parameters, &geometry);
  const FrameRules& rules = geometry.rules;
  const LabelledFrame found = find_labelled(frame, geometry, labels);
  PlaneSet set;
  set.counts = found.counts;
  for (const LabelledPlane& plane : found.planes) {
    set.planes.push_back(plane_in_metres(plane.moments, plane.fit, rules.unit));
    set.planes.back().votes = static_cast<std::int64_t>(plane.votes / 16);
  }
  RowExtents extents(set.planes.size(), rules.height);
  for (int y = 0; y < rules.height; ++y) {
    for (int x = 0; x < rules.width; ++x) {
      if (labels.at(y, x) > 0) extents.add(labels.at(y, x) - 1, x, y);
    }
  }
  add_hulls(extents, camera, rules.hull, &set);
  set.ground =
      find_ground(set.planes, found.means, ground_rules_of_frame(parameters, set.counts.noise));
  return set;
}

}  // namespace rdp::planes::reference
