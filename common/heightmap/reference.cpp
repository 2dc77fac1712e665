// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/reference.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "common/heightmap/potential.h"
#include "common/heightmap/rules.h"

namespace rdp::heightmap::reference {
namespace {

// A neighbour: its offset, and the indices of the messages that it sends and receives.
struct Neighbour {
  int dx, dy;
  std::size_t sends, receives;
};
constexpr Neighbour kNeighbours[] = {{-1, 0, 0, 1}, {1, 0, 1, 0}, {0, -1, 2, 3}, {0, 1, 3, 2}};

std::size_t pixel_at(const Field& field, int column, int row) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(field.width) +
         static_cast<std::size_t>(column);
}

std::size_t labels_with_unknown(const Parameters& parameters) {
  return static_cast<std::size_t>(parameters.heights()) + 1;
}

}  // namespace

std::vector<std::uint8_t> edges(const DepthView& picture, const Parameters& parameters) {
  std::vector<std::uint8_t> result;
  for (int row = 0; row < picture.height; ++row) {
    for (int column = 0; column < picture.width; ++column) {
      const auto differs = [&](int dx, int dy) {
        return is_edge(picture.at(row, column), picture.at(row + dy, column + dx),
                       parameters.edge_contrast);
      };
      const bool right = column + 1 < picture.width && differs(1, 0);
      const bool below = row + 1 < picture.height && differs(0, 1);
      result.push_back(
          static_cast<std::uint8_t>((right ? kEdgeRight : 0) + (below ? kEdgeBelow : 0)));
    }
  }
  return result;
}

int jump_between(const Field& field, const Parameters& parameters, std::size_t p, std::size_t q) {
  if (field.edges.empty()) return parameters.unknown_jump;
  const std::size_t first = std::min(p, q);
  // In a picture of one column, all neighbours are above or below.
  const bool beside = field.width > 1 && std::max(p, q) - first == 1;
  const int edge = field.edges[first] & (beside ? kEdgeRight : kEdgeBelow);
  return edge != 0 ? parameters.edge_jump : parameters.unknown_jump;
}

int edge_cost(int a, int b, int rise, int jump, const Parameters& parameters) {
  const int unknown = parameters.heights();
  if (a == unknown && b == unknown) return 0;
  if (a == unknown || b == unknown) return jump;
  return std::min(parameters.max_jump, parameters.smoothness * std::abs(b - a - rise));
}

void start(const Field& field, const Parameters& parameters, Messages* messages) {
  const std::size_t pixels = pixel_at(field, 0, field.height);
  for (auto& each : *messages) each.assign(pixels * labels_with_unknown(parameters), 0);
}

void message(const std::vector<int>& known, int rise, int jump, const Parameters& parameters,
             std::uint8_t* told) {
  const int heights = parameters.heights();
  const int step = parameters.smoothness;
  const int unknown = known[static_cast<std::size_t>(heights)];
  const int least = *std::min_element(known.begin(), known.end() - 1);

  // At each height, the minimum over all heights of their cost plus the steps from there.
  int e[kMaxHeights];
  std::copy_n(known.begin(), heights, e);
  for (int l = 1; l < heights; ++l) e[l] = std::min(e[l], e[l - 1] + step);
  for (int l = heights - 1; l > 0; --l) e[l - 1] = std::min(e[l - 1], e[l] + step);

  int m[kMaxHeights + 1];
  for (int l = 0; l < heights; ++l) {
    const int from = l - rise;
    const int within = std::clamp(from, 0, heights - 1);
    const int moved = e[within] + std::abs(from - within) * step;
    m[l] = std::min({moved, least + parameters.max_jump, unknown + jump});
  }
  m[heights] = std::min(unknown, least + jump);

  const int lowest = *std::min_element(m, m + heights + 1);
  for (int l = 0; l <= heights; ++l) told[l] = static_cast<std::uint8_t>(m[l] - lowest);
}

void half_iteration(const Field& field, const Parameters& parameters, int k, Messages* messages) {
  const std::size_t labels = labels_with_unknown(parameters);
  std::vector<int> known(labels);
  for (int row = 0; row < field.height; ++row) {
    for (int column = (row + k) % 2; column < field.width; column += 2) {
      const std::size_t p = pixel_at(field, column, row);
      for (const Neighbour& to : kNeighbours) {
        const int x = column + to.dx;
        const int y = row + to.dy;
        if (x < 0 || x >= field.width || y < 0 || y >= field.height) continue;
        for (std::size_t l = 0; l < labels; ++l) {
          known[l] = field.costs[p * labels + l];
          for (const Neighbour& from : kNeighbours) {
            if (from.sends != to.sends) known[l] += (*messages)[from.sends][p * labels + l];
          }
        }
        const std::size_t q = pixel_at(field, x, y);
        const int up = rise(field.potential[p], field.potential[q], parameters.max_slope);
        message(known, up, jump_between(field, parameters, p, q), parameters,
                &(*messages)[to.receives][q * labels]);
      }
    }
  }
}

std::vector<std::uint8_t> labels_of(const Field& field, const Parameters& parameters,
                                    const Messages& messages) {
  const std::size_t labels = labels_with_unknown(parameters);
  std::vector<std::uint8_t> result;
  std::vector<int> belief(labels);
  for (std::size_t i = 0; i < field.costs.size(); i += labels) {
    for (std::size_t l = 0; l < labels; ++l) {
      belief[l] = field.costs[i + l];
      for (const auto& each : messages) belief[l] += each[i + l];
    }
    const auto best = std::min_element(belief.begin(), belief.end());
    result.push_back(static_cast<std::uint8_t>(best - belief.begin()));
  }
  return result;
}

std::int64_t energy(const Field& field, const Parameters& parameters,
                    const std::vector<std::uint8_t>& labels) {
  std::int64_t sum = 0;
  for (int row = 0; row < field.height; ++row) {
    for (int column = 0; column < field.width; ++column) {
      const std::size_t p = pixel_at(field, column, row);
      sum += field.costs[p * labels_with_unknown(parameters) + labels[p]];
      for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}}) {
        if (column + dx >= field.width || row + dy >= field.height) continue;
        const std::size_t q = pixel_at(field, column + dx, row + dy);
        const int up = rise(field.potential[p], field.potential[q], parameters.max_slope);
        sum +=
            edge_cost(labels[p], labels[q], up, jump_between(field, parameters, p, q), parameters);
      }
    }
  }
  return sum;
}

Labelling propagate(const Field& field, const Parameters& parameters) {
  Messages messages;
  start(field, parameters, &messages);
  std::int64_t before = -1;
  int done = 0;
  while (done < parameters.iterations) {
    half_iteration(field, parameters, done++, &messages);
    if (parameters.tolerance == 0 || done % 10 != 0) continue;
    const std::int64_t now = energy(field, parameters, labels_of(field, parameters, messages));
    if (before >= 0 && (before - now) * 1000000 <= parameters.tolerance * before) break;
    before = now;
  }
  Labelling result{labels_of(field, parameters, messages), 0, done};
  result.energy = energy(field, parameters, result.labels);
  return result;
}

void remove_speckles(int width, int height, int unknown, int size,
                     std::vector<std::uint8_t>* labels) {
  const auto index = [&](int column, int row) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(column);
  };
  std::vector<bool> seen(labels->size());
  std::vector<std::pair<int, int>> component;
  const std::vector<std::uint8_t> before = *labels;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      if (seen[index(column, row)] || before[index(column, row)] == unknown) continue;
      component.assign(1, {column, row});
      seen[index(column, row)] = true;
      for (std::size_t next = 0; next < component.size(); ++next) {
        const auto [x, y] = component[next];
        for (const Neighbour& to : kNeighbours) {
          const int nx = x + to.dx;
          const int ny = y + to.dy;
          if (nx < 0 || nx >= width || ny < 0 || ny >= height || seen[index(nx, ny)]) continue;
          const int label = before[index(nx, ny)];
          if (label == unknown || std::abs(label - before[index(x, y)]) > 1) continue;
          seen[index(nx, ny)] = true;
          component.push_back({nx, ny});
        }
      }
      if (component.size() > static_cast<std::size_t>(size)) continue;
      for (const auto& [x, y] : component) {
        (*labels)[index(x, y)] = static_cast<std::uint8_t>(unknown);
      }
    }
  }
}

HeightMap height_map(const Rig& rig, const Parameters& parameters, const Area& area,
                     std::span<const DepthView> pictures) {
  const Geometry geometry = geometry_of(rig);
  const int speckle = speckle_of(rig, parameters);
  Field field{geometry.width, geometry.height, potential_of(geometry, parameters), {}, {}};
  field.edges = edges(pictures[static_cast<std::size_t>(rig.reference)], parameters);
  field.costs = costs(geometry, rig, parameters, field.potential, pictures);
  Labelling found = propagate(field, parameters);

  HeightMap result;
  result.energy = found.energy;
  result.iterations = found.iterations;
  result.labels = std::move(found.labels);
  const int unknown = parameters.heights();
  remove_speckles(field.width, field.height, unknown, speckle, &result.labels);
  result.known = static_cast<std::int64_t>(result.labels.size()) -
                 std::count(result.labels.begin(), result.labels.end(), unknown);
  result.heads = heads(geometry, parameters, std::max(1, speckle), area, result.labels);
  return result;
}

}  // namespace rdp::heightmap::reference
