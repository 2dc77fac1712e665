// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/image/reference.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rdp::reference {
namespace {

std::uint32_t load(const RgbaView& picture, int row, int column) {
  std::uint32_t pixel;
  std::memcpy(&pixel, picture.data + row * picture.stride + 4 * std::ptrdiff_t{column},
              sizeof pixel);
  return pixel;
}

std::uint32_t byte_at(const std::byte* at) { return std::to_integer<std::uint32_t>(*at); }

}  // namespace

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

void remove_speckles(const MutableDepthView& frame, int size,
                     const std::function<bool(int, int)>& alike) {
  const int width = frame.width;
  const int height = frame.height;
  std::vector<bool> seen(static_cast<std::size_t>(width) * height);
  std::vector<std::pair<int, int>> component;
  const auto index = [&](int row, int column) {
    return static_cast<std::size_t>(row) * width + column;
  };
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      if (seen[index(row, column)] || frame.at(row, column) == 0) continue;
      component.assign(1, {row, column});
      seen[index(row, column)] = true;
      for (std::size_t next = 0; next < component.size(); ++next) {
        const auto [r, c] = component[next];
        const std::pair<int, int> around[] = {{r - 1, c}, {r + 1, c}, {r, c - 1}, {r, c + 1}};
        for (const auto& [nr, nc] : around) {
          if (nr < 0 || nr >= height || nc < 0 || nc >= width) continue;
          if (seen[index(nr, nc)] || frame.at(nr, nc) == 0) continue;
          if (!alike(frame.at(nr, nc), frame.at(r, c))) continue;
          seen[index(nr, nc)] = true;
          component.push_back({nr, nc});
        }
      }
      if (component.size() >= static_cast<std::size_t>(size)) continue;
      for (const auto& [r, c] : component) frame.set(r, c, 0);
    }
  }
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
      // A neighbour of weight 0 may lie outside the picture.
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

void blend_into_rgba(const RgbaView& drawing, const RgbaView& picture) {
  for (int row = 0; row < picture.height; ++row) {
    for (int column = 0; column < picture.width; ++column) {
      // Much of a drawing is transparent.
      const std::uint32_t over = load(drawing, row, column);
      if (over >> 24 == 0) continue;
      const std::uint32_t pixel = blended_pixel(load(picture, row, column), over);
      std::memcpy(picture.data + row * picture.stride + 4 * std::ptrdiff_t{column}, &pixel,
                  sizeof pixel);
    }
  }
}

void blend_into_nv12(const RgbaView& drawing, const YuvMatrix& matrix, const Nv12View& picture) {
  for (int top = 0; top < picture.height; top += 2) {
    for (int left = 0; left < picture.width; left += 2) {
      std::uint32_t u = 0;
      std::uint32_t v = 0;
      std::uint32_t alphas = 0;
      std::uint32_t pixels = 0;
      for (int row = top; row < std::min(top + 2, picture.height); ++row) {
        for (int column = left; column < std::min(left + 2, picture.width); ++column) {
          const std::uint32_t over = load(drawing, row, column);
          const std::uint32_t alpha = over >> 24;
          ++pixels;
          if (alpha == 0) continue;
          std::byte* luma = picture.luma + row * picture.luma_stride + column;
          *luma = static_cast<std::byte>(blended(byte_at(luma), yuv_byte(matrix.y, over), alpha));
          u += alpha * yuv_byte(matrix.u, over);
          v += alpha * yuv_byte(matrix.v, over);
          alphas += alpha;
        }
      }
      if (alphas == 0) continue;
      std::byte* chroma = picture.chroma + top / 2 * picture.chroma_stride + left;
      chroma[0] = static_cast<std::byte>(blended_chroma(byte_at(chroma), u, alphas, pixels));
      chroma[1] = static_cast<std::byte>(blended_chroma(byte_at(chroma + 1), v, alphas, pixels));
    }
  }
}

}  // namespace rdp::reference
