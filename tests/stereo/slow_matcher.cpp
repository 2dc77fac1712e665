// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/stereo/slow_matcher.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

namespace rdp::test {
namespace {

// One comparison for every second pixel of the window, in any order.
using Census = std::vector<bool>;

class Slow {
 public:
  Slow(const stereo::Pair& pair, const stereo::Parameters& parameters)
      : pair_(pair),
        p_(parameters),
        width_(pair.left.width),
        height_(pair.left.height),
        range_(parameters.disparities),
        shift_(parameters.min_disparity) {}

  SlowMatch run() {
    SlowMatch out;
    find_costs();
    find_sums();
    out.costs = costs_;
    out.sums = sums_;
    std::vector<int> frame(static_cast<std::size_t>(width_) * height_);
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) frame[place(x, y)] = checked(x, y);
    }
    frame = median(frame);
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        if (!seen(pair_.left_mask, x, y)) frame[place(x, y)] = 0;
      }
    }
    frame = without_speckles(frame);
    out.disparity = frame;
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        const int value = frame[place(x, y)];
        out.confidence.push_back(value == 0 ? 0 : confidence(x, y));
        if (value != 0) ++out.counts.known;
        if (value == (std::max(shift_, 0) + range_ - 1) * 256) ++out.counts.saturated;
      }
    }
    return out;
  }

 private:
  std::size_t place(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  std::size_t cell(int x, int y, int d) const {
    return place(x, y) * static_cast<std::size_t>(range_) + static_cast<std::size_t>(d);
  }
  int sum(int x, int y, int d) const { return sums_[cell(x, y, d)]; }
  bool inside(int x, int y) const { return x >= 0 && x < width_ && y >= 0 && y < height_; }

  static bool seen(const DepthView& mask, int x, int y) {
    return mask.data == nullptr || mask.at(y, x) == 255;
  }

  static int pixel(const DepthView& view, int x, int y) {
    return view.at(std::min(std::max(y, 0), view.height - 1),
                   std::min(std::max(x, 0), view.width - 1));
  }

  static Census census(const DepthView& view, int x, int y) {
    const auto at = [&](int dx, int dy) { return pixel(view, x + dx, y + dy); };
    // 16 times the smoothed centre.
    const int centre = 4 * at(0, 0) + 2 * (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1)) +
                       at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1);
    Census bits;
    for (const int dy : {-3, -1, 1, 3}) {
      for (const int dx : {-3, -1, 1, 3}) bits.push_back(16 * at(dx, dy) >= centre);
    }
    for (const int dy : {-2, 0, 2}) {
      for (const int dx : {-4, -2, 0, 2, 4}) {
        if (dx != 0 || dy != 0) bits.push_back(16 * at(dx, dy) >= centre);
      }
    }
    return bits;
  }

  void find_costs() {
    std::vector<Census> left;
    std::vector<Census> right;
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        left.push_back(census(pair_.left, x, y));
        right.push_back(census(pair_.right, x, y));
      }
    }
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        for (int d = 0; d < range_; ++d) {
          const int other = std::max(0, std::min(width_ - 1, x - shift_ - d));
          int cost = 12;
          if (seen(pair_.right_mask, other, y)) {
            cost = 0;
            const Census& a = left[place(x, y)];
            const Census& b = right[place(other, y)];
            for (std::size_t i = 0; i < a.size(); ++i) cost += a[i] != b[i] ? 1 : 0;
            cost = std::min(cost, 12);
          }
          costs_.push_back(cost);
        }
      }
    }
  }

  // One direction: (dx, dy) leads from a pixel's predecessor to it.
  void add_paths(int dx, int dy) {
    std::vector<int> path(costs_.size(), -1);
    // Any order in which the predecessor comes first.
    for (int i = 0; i < height_; ++i) {
      const int y = dy < 0 ? height_ - 1 - i : i;
      for (int j = 0; j < width_; ++j) {
        const int x = dx < 0 ? width_ - 1 - j : j;
        const int qx = x - dx;
        const int qy = y - dy;
        const auto before = [&](int k) { return path[cell(qx, qy, k)]; };
        int least = 1 << 20;
        for (int k = 0; inside(qx, qy) && k < range_; ++k) least = std::min(least, before(k));
        for (int d = 0; d < range_; ++d) {
          int& value = path[cell(x, y, d)];
          value = costs_[cell(x, y, d)];
          if (!inside(qx, qy)) continue;
          int best = std::min(before(d), least + p_.p2);
          if (d > 0) best = std::min(best, before(d - 1) + p_.p1);
          if (d + 1 < range_) best = std::min(best, before(d + 1) + p_.p1);
          value += best - least;
        }
      }
    }
    for (std::size_t i = 0; i < path.size(); ++i) sums_[i] += path[i];
  }

  void find_sums() {
    sums_.assign(costs_.size(), 0);
    for (const auto& [dx, dy] : {std::pair(1, 0), {-1, 0}, {0, 1}, {0, -1}}) add_paths(dx, dy);
    if (p_.paths != 8) return;
    for (const auto& [dx, dy] : {std::pair(1, 1), {-1, 1}, {1, -1}, {-1, -1}}) add_paths(dx, dy);
  }

  int winner(int x, int y) const {
    int best = 0;
    for (int d = 1; d < range_; ++d) best = sum(x, y, d) < sum(x, y, best) ? d : best;
    return best;
  }

  int right_disparity(int x, int y) const {
    int best = -1;
    for (int d = 0; d < range_; ++d) {
      if (!inside(x + shift_ + d, y)) continue;
      if (best < 0 || sum(x + shift_ + d, y, d) < sum(x + shift_ + best, y, best)) best = d;
    }
    return best;
  }

  int second(int x, int y) const {
    const int d = winner(x, y);
    int least = 1 << 20;
    for (int k = 0; k < range_; ++k) {
      if (std::abs(k - d) > 1) least = std::min(least, sum(x, y, k));
    }
    return least;
  }

  int confidence(int x, int y) const {
    const int s1 = sum(x, y, winner(x, y));
    const int s2 = second(x, y);
    return 255 * (s2 - s1) / std::max(1, s2);
  }

  // Without min_disparity, in 1/256 px.
  int sub_pixel(int x, int y) const {
    const int d = winner(x, y);
    if (d == 0 || d == range_ - 1) return 256 * d;
    const int a = sum(x, y, d - 1) - sum(x, y, d);
    const int b = sum(x, y, d + 1) - sum(x, y, d);
    if (a + b == 0) return 256 * d;
    return 256 * d - 128 + (256 * a + (a + b) / 2) / (a + b);
  }

  // Stored value of a pixel before the median.
  int checked(int x, int y) const {
    if (!seen(pair_.left_mask, x, y)) return 0;
    const int d = winner(x, y);
    const int value = sub_pixel(x, y);
    const int r = (value + 128) / 256;
    if (!inside(x - shift_ - r, y)) return 0;
    if (!seen(pair_.right_mask, x - shift_ - r, y)) return 0;
    for (int k = 0; k < range_; ++k) {
      if (std::abs(k - d) <= 1) continue;
      if (sum(x, y, k) * (100 - p_.uniqueness) < sum(x, y, d) * 100) return 0;
      if (p_.uniqueness != 0 && sum(x, y, k) == sum(x, y, d)) return 0;
    }
    if (p_.max_left_right >= 0 &&
        std::abs(right_disparity(x - shift_ - r, y) - r) > p_.max_left_right) {
      return 0;
    }
    if (p_.min_confidence > 0 && confidence(x, y) < p_.min_confidence) return 0;
    return std::max(1, 256 * std::max(shift_, 0) + value);
  }

  std::vector<int> median(const std::vector<int>& frame) const {
    if (p_.median == 0) return frame;
    const int reach = p_.median / 2;
    std::vector<int> out;
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        std::vector<int> window;
        for (int dy = -reach; dy <= reach; ++dy) {
          for (int dx = -reach; dx <= reach; ++dx) {
            window.push_back(frame[place(std::clamp(x + dx, 0, width_ - 1),
                                         std::clamp(y + dy, 0, height_ - 1))]);
          }
        }
        std::sort(window.begin(), window.end());
        out.push_back(window[window.size() / 2]);
      }
    }
    return out;
  }

  std::vector<int> without_speckles(const std::vector<int>& frame) const {
    std::vector<int> out = frame;
    std::vector<bool> visited(frame.size(), false);
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        if (frame[place(x, y)] == 0 || visited[place(x, y)]) continue;
        std::vector<std::pair<int, int>> component = {{x, y}};
        visited[place(x, y)] = true;
        for (std::size_t i = 0; i < component.size(); ++i) {
          const auto [cx, cy] = component[i];
          for (const auto& [dx, dy] : {std::pair(1, 0), {-1, 0}, {0, 1}, {0, -1}}) {
            const int nx = cx + dx;
            const int ny = cy + dy;
            if (!inside(nx, ny) || visited[place(nx, ny)] || frame[place(nx, ny)] == 0) continue;
            if (std::abs(frame[place(nx, ny)] - frame[place(cx, cy)]) > p_.speckle_range) continue;
            visited[place(nx, ny)] = true;
            component.emplace_back(nx, ny);
          }
        }
        if (static_cast<int>(component.size()) >= p_.speckle_size) continue;
        for (const auto& [cx, cy] : component) out[place(cx, cy)] = 0;
      }
    }
    return out;
  }

  const stereo::Pair& pair_;
  const stereo::Parameters& p_;
  int width_;
  int height_;
  int range_;
  int shift_;
  std::vector<int> costs_;
  std::vector<int> sums_;
};

}  // namespace

SlowMatch slow_match(const stereo::Pair& pair, const stereo::Parameters& parameters) {
  return Slow(pair, parameters).run();
}

}  // namespace rdp::test
