// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/reference.h"

#include <algorithm>

namespace rdp::reference {

Frame inverse_depth(const DepthView& frame, const InverseDepth& inverse) {
  Frame result{frame.width, frame.height, {}};
  result.samples.reserve(static_cast<std::size_t>(frame.width) * frame.height);
  for (int row = 0; row < frame.height; ++row) {
    for (int column = 0; column < frame.width; ++column) {
      result.samples.push_back(inverse_of_depth(frame.at(row, column), inverse));
    }
  }
  return result;
}

Frame median(const DepthView& frame, int side) {
  Frame result{frame.width, frame.height, {}};
  result.samples.reserve(static_cast<std::size_t>(frame.width) * frame.height);
  const int reach = side / 2;
  std::vector<std::uint16_t> window;
  for (int row = 0; row < frame.height; ++row) {
    for (int column = 0; column < frame.width; ++column) {
      window.clear();
      for (int dr = -reach; dr <= reach; ++dr) {
        for (int dc = -reach; dc <= reach; ++dc) {
          window.push_back(frame.at(std::clamp(row + dr, 0, frame.height - 1),
                                    std::clamp(column + dc, 0, frame.width - 1)));
        }
      }
      const auto middle = window.begin() + static_cast<std::ptrdiff_t>(window.size() / 2);
      std::nth_element(window.begin(), middle, window.end());
      result.samples.push_back(*middle);
    }
  }
  return result;
}

Frame join_columns(const DepthView& frame, const KnownRange& known, int column_width) {
  Frame result{(frame.width + column_width - 1) / column_width, frame.height, {}};
  result.samples.reserve(static_cast<std::size_t>(result.width) * frame.height);
  std::vector<std::uint16_t> group;
  for (int row = 0; row < frame.height; ++row) {
    for (int first = 0; first < frame.width; first += column_width) {
      const int width = std::min(column_width, frame.width - first);
      group.clear();
      for (int column = first; column < first + width; ++column) {
        const std::uint16_t value = frame.at(row, column);
        if (known.contains(value)) group.push_back(value);
      }
      std::sort(group.begin(), group.end());
      const bool enough = !group.empty() && 2 * group.size() >= static_cast<std::size_t>(width);
      result.samples.push_back(enough ? group[(group.size() - 1) / 2] : unknown_sample(known));
    }
  }
  return result;
}

void rectify(const DepthView& picture, const RectificationMap& map, const MutableDepthView& out) {
  for (int row = 0; row < map.height; ++row) {
    for (int column = 0; column < map.width; ++column) {
      const MapPoint& from = map.points[static_cast<std::size_t>(row) * map.width + column];
      if (from.x == kNotSeen) {
        out.set(row, column, 0);
        continue;
      }
      const int x = from.x / kMapOne;
      const int y = from.y / kMapOne;
      const int to_right = from.x % kMapOne;
      const int down = from.y % kMapOne;
      // A neighbour of weight 0 may be outside.
      const int next_x = std::min(x + 1, picture.width - 1);
      const int next_y = std::min(y + 1, picture.height - 1);
      const int sum = picture.at(y, x) * (kMapOne - to_right) * (kMapOne - down) +
                      picture.at(y, next_x) * to_right * (kMapOne - down) +
                      picture.at(next_y, x) * (kMapOne - to_right) * down +
                      picture.at(next_y, next_x) * to_right * down;
      out.set(row, column,
              static_cast<std::uint16_t>((sum + kMapOne * kMapOne / 2) / (kMapOne * kMapOne)));
    }
  }
}

}  // namespace rdp::reference
