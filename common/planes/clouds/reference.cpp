// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/clouds/reference.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "common/planes/clouds/hull.h"
#include "common/planes/clouds/planes.h"
#include "common/planes/labelled_plane.h"

// From points to nodes, and from planes of nodes to planes of points.
namespace rdp::planes::reference {
namespace {

CloudBounds find_bounds(const CloudView& cloud, const CloudSettings& settings) {
  std::vector<float> values[3];
  for (std::size_t i = 0; i < cloud.points; ++i) {
    float v[3];
    read_point(cloud, i, v);
    if (!has_place(v[0], v[1], v[2], settings.zero_is_unknown)) continue;
    for (int k = 0; k < 3; ++k) values[k].push_back(v[k]);
  }
  const auto finite = static_cast<std::int64_t>(values[0].size());
  if (finite == 0) return {};
  const std::int64_t rank = bound_rank(finite);
  float least[3], greatest[3], low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    std::sort(values[k].begin(), values[k].end());
    least[k] = values[k].front();
    greatest[k] = values[k].back();
    low[k] = values[k][rank];
    high[k] = values[k][finite - 1 - rank];
  }
  return choose_bounds(finite, least, greatest, low, high);
}

// From the root down to the first planar nodes.
void look_at_nodes(Octree* octree, Counts* counts) {
  const CloudRules& rules = octree->rules;
  std::vector<bool> closed(octree->cells.size());  // a node around it was planar or dropped
  for (int level = rules.min_level; level <= rules.depth; ++level) {
    const int shift = 3 * (rules.depth - level);
    std::size_t end = 0;
    for (std::size_t first = 0; first < octree->cells.size(); first = end) {
      CloudNode node;
      node.level = level;
      node.first = first;
      for (end = first; end < octree->cells.size(); ++end) {
        if (octree->cells[end].key >> shift != octree->cells[first].key >> shift) break;
        node.moments.add(octree->cells[end].moments);
      }
      node.end = end;
      if (closed[first]) continue;
      ++counts->nodes;
      bool done = node.moments.n < static_cast<std::uint64_t>(rules.min_points);
      if (!done) {
        node.statistics = statistics_of(node.moments);
        if (is_planar_node(node.statistics, rules, &node.fit)) {
          octree->planar.push_back(node);
          done = true;
        }
      }
      if (done) std::fill(closed.begin() + first, closed.begin() + end, true);
    }
  }
  counts->planar_nodes = static_cast<std::int64_t>(octree->planar.size());
}

// The planes that own one of the 27 cells around, lowest number first.
std::vector<int> planes_near(const Octree& octree, std::uint32_t key) {
  const int x = static_cast<int>(gather_bits(key));
  const int y = static_cast<int>(gather_bits(key >> 1));
  const int z = static_cast<int>(gather_bits(key >> 2));
  std::vector<int> near;
  for (int dz = -1; dz <= 1; ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const int cell = cell_at(octree, x + dx, y + dy, z + dz);
        if (cell >= 0 && octree.cells[cell].owner >= 0) near.push_back(octree.cells[cell].owner);
      }
    }
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  return near;
}

// Finds, for each direction, the point of a plane that lies farthest.
void find_corners(const Octree& octree, const std::uint8_t* labels, int label, const Fit& fit,
                  CloudPoint corners[kHullDirections]) {
  const HullAxes axes = hull_axes(fit.normal, kHullCosines);
  std::uint64_t farthest[kHullDirections] = {};
  for (std::size_t i = 0; i < octree.points.size(); ++i) {
    if (labels[i] != label) continue;
    for (int k = 0; k < kHullAxes; ++k) {
      const std::int64_t along = along_axis(axes.axis[k], octree.points[i]);
      const auto point = static_cast<std::uint32_t>(i);
      farthest[k] = std::max(farthest[k], hull_entry(along, point));
      farthest[k + kHullAxes] = std::max(farthest[k + kHullAxes], hull_entry(-along, point));
    }
  }
  for (int k = 0; k < kHullDirections; ++k) corners[k] = octree.points[hull_point(farthest[k])];
}

}  // namespace

int cell_at(const Octree& octree, int x, int y, int z) {
  const int side = 1 << octree.rules.depth;
  if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side) return -1;
  const std::uint32_t key = morton_key(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                                       static_cast<std::uint32_t>(z));
  const auto cell = std::lower_bound(octree.cells.begin(), octree.cells.end(), key,
                                     [](const CloudCell& c, std::uint32_t k) { return c.key < k; });
  if (cell == octree.cells.end() || cell->key != key) return -1;
  return static_cast<int>(cell - octree.cells.begin());
}

Octree make_octree(const CloudView& cloud, const CloudSettings& settings, Counts* counts) {
  Octree octree;
  octree.points.resize(cloud.points);
  octree.cell_of.assign(cloud.points, -1);
  const CloudBounds bounds = find_bounds(cloud, settings);
  if (bounds.finite == 0) return octree;
  const CloudRules rules = cloud_rules(settings, bounds);
  octree.rules = rules;
  std::map<std::uint32_t, Moments> cells;
  for (std::size_t i = 0; i < cloud.points; ++i) {
    float v[3];
    read_point(cloud, i, v);
    CloudPoint& p = octree.points[i];
    if (!place_point(rules, v, &p)) continue;
    cells[cell_key(rules, p)].add_point(p.at[0], p.at[1], p.at[2]);
    octree.cell_of[i] = 0;
    ++counts->known;
  }
  counts->outside = bounds.finite - counts->known;
  counts->resolution = rules.unit;
  counts->coarser = rules.coarser;
  for (const auto& [key, moments] : cells) {
    octree.cells.push_back({key, moments, statistics_of(moments), -1});
  }
  for (std::size_t i = 0; i < cloud.points; ++i) {
    if (octree.cell_of[i] < 0) continue;
    const CloudPoint& p = octree.points[i];
    octree.cell_of[i] = cell_at(octree, static_cast<int>(cell_row(rules, p.at[0])),
                                static_cast<int>(cell_row(rules, p.at[1])),
                                static_cast<int>(cell_row(rules, p.at[2])));
  }
  look_at_nodes(&octree, counts);
  return octree;
}

std::vector<std::uint16_t> label_points(const Octree& octree,
                                        const std::vector<CloudPlane>& planes) {
  const CloudRules& rules = octree.rules;
  std::vector<std::vector<int>> near;
  for (const CloudCell& cell : octree.cells) near.push_back(planes_near(octree, cell.key));
  std::vector<std::uint16_t> labels(octree.points.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const int cell = octree.cell_of[i];
    if (cell < 0) continue;
    std::int32_t corner[3], from_corner[3];
    for (int k = 0; k < 3; ++k) {
      corner[k] = row_start(rules, gather_bits(octree.cells[cell].key >> k));
      from_corner[k] = octree.points[i].at[k] - corner[k];
    }
    std::int32_t best = -1;
    for (const int plane : near[cell]) {
      const CellPlaneView view = view_plane(rules, planes[plane].fit, corner);
      const std::int32_t d = view_distance(view, from_corner[0], from_corner[1], from_corner[2]);
      if (d > view.limit || (best >= 0 && d >= best)) continue;
      best = d;
      labels[i] = static_cast<std::uint16_t>(plane + 1);
    }
  }
  return labels;
}

PlaneSet find_in_cloud(const CloudView& cloud, const Parameters& parameters, std::uint8_t* labels) {
  PlaneSet set;
  std::fill_n(labels, cloud.points, std::uint8_t{0});
  Octree octree = make_octree(cloud, cloud_settings(cloud, parameters), &set.counts);
  if (octree.cells.empty()) return set;
  const CloudRules& rules = octree.rules;
  const std::vector<CloudPlane> planes = find_node_planes(&octree, &set.counts);
  const std::vector<std::uint16_t> numbers = label_points(octree, planes);

  std::vector<LabelledPlane> labelled(planes.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == 0) continue;
    LabelledPlane& plane = labelled[numbers[i] - 1];
    if (plane.moments.n == 0) plane.first = i;
    const CloudPoint& p = octree.points[i];
    plane.moments.add_point(p.at[0], p.at[1], p.at[2]);
  }
  std::vector<LabelledPlane> kept;
  for (std::size_t p = 0; p < planes.size(); ++p) {
    if (planes[p].moments.n == 0) continue;  // part of another one
    kept.push_back(labelled[p]);
    kept.back().votes = planes[p].votes;
  }
  keep_planes(rules, &kept, &set.counts);
  std::vector<std::uint8_t> label_of(planes.size() + 1);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    label_of[numbers[kept[k].first]] = static_cast<std::uint8_t>(k + 1);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) labels[i] = label_of[numbers[i]];

  for (std::size_t k = 0; k < kept.size(); ++k) {
    set.planes.push_back(cloud_plane_in_metres(rules, cloud, kept[k].moments, kept[k].fit));
    set.planes.back().votes = static_cast<std::int64_t>(kept[k].votes / 16);
    if (!rules.hull) continue;
    CloudPoint corners[kHullDirections];
    find_corners(octree, labels, static_cast<int>(k + 1), kept[k].fit, corners);
    add_cloud_hull(rules, cloud, corners, &set);
  }
  std::vector<CellMean> means;
  for (const CloudCell& cell : octree.cells) {
    means.push_back(cloud_cell_mean(rules, cloud, cell.moments));
  }
  set.ground = find_ground(set.planes, means, ground_rules_of(cloud, parameters), ground_of(cloud));
  return set;
}

}  // namespace rdp::planes::reference
