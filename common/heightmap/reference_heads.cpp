// SPDX-License-Identifier: LGPL-2.1-or-later
// The part of the definition that counts heads on the ground.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>

#include "common/heightmap/area.h"
#include "common/heightmap/reference.h"
#include "common/heightmap/rules.h"

namespace rdp::heightmap::reference {
namespace {

struct Vote {
  int column, row;  // of the pixel
  int x, y, height;
};

using Cell = std::pair<int, int>;  // along Y and X, so that cells come in the order of heads

// Calls visit for the cells whose squared distance is at most `most`.
template <typename Visit>
void visit_around(Cell cell, int most, const Visit& visit) {
  for (int dv = -5; dv <= 5; ++dv) {
    for (int du = -5; du <= 5; ++du) {
      if (du * du + dv * dv <= most) visit(Cell{cell.first + dv, cell.second + du});
    }
  }
}

Head head_of(const Geometry& geometry, std::vector<Vote> votes) {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::vector<int> heights;
  for (const Vote& vote : votes) {
    x += vote.x;
    y += vote.y;
    heights.push_back(vote.height);
  }
  std::sort(heights.begin(), heights.end(), std::greater<>());
  const auto count = static_cast<std::int64_t>(votes.size());
  const std::int64_t rank = std::max<std::int64_t>(1, count / kHeadHeightPart);
  const int height = heights[static_cast<std::size_t>(rank - 1)];
  std::sort(votes.begin(), votes.end(), [](const Vote& a, const Vote& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  const auto first = std::find_if(votes.begin(), votes.end(),
                                  [&](const Vote& vote) { return vote.height == height; });
  Head head{first->column,
            first->row,
            static_cast<int>(floor_div(2 * x + count, 2 * count)),
            static_cast<int>(floor_div(2 * y + count, 2 * count)),
            height,
            static_cast<int>(count)};
  move_behind_front(geometry.eye, height, &head.x, &head.y);
  return head;
}

}  // namespace

std::vector<Head> heads(const Geometry& geometry, const Parameters& parameters, int least,
                        const Area& area, const std::vector<std::uint8_t>& labels) {
  std::vector<Plane> planes;
  for (int l = 0; l < parameters.heights(); ++l) {
    planes.push_back(geometry.plane(metres(parameters.height_of(l))));
  }
  std::map<Cell, std::vector<Vote>> cells;
  for (int row = 0; row < geometry.height; ++row) {
    for (int column = 0; column < geometry.width; ++column) {
      const int label =
          labels[static_cast<std::size_t>(row) * static_cast<std::size_t>(geometry.width) +
                 static_cast<std::size_t>(column)];
      if (label == parameters.heights()) continue;
      Vote vote{column, row, 0, 0, parameters.height_of(label)};
      if (!ground_of(planes[static_cast<std::size_t>(label)], column, row, &vote.x, &vote.y)) {
        continue;
      }
      cells[{static_cast<int>(floor_div(vote.y, kHeadCell)),
             static_cast<int>(floor_div(vote.x, kHeadCell))}]
          .push_back(vote);
    }
  }

  std::map<Cell, int> scores;
  for (const auto& [cell, votes] : cells) {
    const auto count = static_cast<int>(votes.size());
    visit_around(cell, kHeadReach, [&](Cell near) { scores[near] += count; });
  }
  std::vector<Head> result;
  for (const auto& entry : scores) {
    const Cell cell = entry.first;
    const int score = entry.second;
    if (score < least) continue;
    bool greatest = true;
    visit_around(cell, kHeadApart, [&](Cell near) {
      const auto other = scores.find(near);
      if (other == scores.end()) return;
      if (other->second > score || (other->second == score && near < cell)) greatest = false;
    });
    if (!greatest) continue;
    std::vector<Vote> votes;
    visit_around(cell, kHeadReach, [&](Cell near) {
      const auto found = cells.find(near);
      if (found == cells.end()) return;
      votes.insert(votes.end(), found->second.begin(), found->second.end());
    });
    const Head head = head_of(geometry, std::move(votes));
    if (contains(area, head.x, head.y)) result.push_back(head);
  }
  return result;
}

}  // namespace rdp::heightmap::reference
