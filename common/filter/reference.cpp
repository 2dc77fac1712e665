// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/filter/reference.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

namespace rdp::filter::reference {
namespace {

using Wide = std::int64_t;

bool inside(const Frame& frame, int x, int y) {
  return x >= 0 && x < frame.width && y >= 0 && y < frame.height;
}

int sample(const Frame& frame, int x, int y) { return inside(frame, x, y) ? frame.at(y, x) : 0; }

Wide tau(int v, const Tolerance& tolerance) {
  return tolerance_of(static_cast<std::uint32_t>(v), tolerance);
}

// A frame whose samples are value(x, y).
template <typename Value>
Frame make(int width, int height, const Value& value) {
  Frame made{width, height, {}};
  made.samples.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) made.samples.push_back(static_cast<std::uint16_t>(value(x, y)));
  }
  return made;
}

bool is_flying(const Frame& in, int x, int y, const Tolerance& tolerance) {
  const int v = sample(in, x, y);
  const Wide t = tau(v, tolerance);
  int alike = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const int q = sample(in, x + dx, y + dy);
      if ((dx != 0 || dy != 0) && q != 0 && std::abs(q - v) <= t) ++alike;
    }
  }
  if (v == 0 || alike >= 3) return false;
  for (int r = 1; r <= 2; ++r) {
    for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
      const int a = sample(in, x - r * dx, y - r * dy);
      const int b = sample(in, x + r * dx, y + r * dy);
      const int before_a = sample(in, x - (r + 1) * dx, y - (r + 1) * dy);
      const int behind_b = sample(in, x + (r + 1) * dx, y + (r + 1) * dy);
      const int step = std::abs(a - b);
      if (a == 0 || b == 0) continue;
      if (std::min(a, b) + t >= v || v >= std::max(a, b) - t) continue;
      if (before_a != 0 && 4 * r * std::abs(before_a - a) > step) continue;
      if (behind_b != 0 && 4 * r * std::abs(behind_b - b) > step) continue;
      return true;
    }
  }
  return false;
}

// Means along one direction.
Frame smooth_along(const Frame& in, int dx, int dy, int radius, const Tolerance& tolerance) {
  return make(in.width, in.height, [&](int x, int y) {
    const int v = sample(in, x, y);
    const Wide t = tau(v, tolerance);
    int sum = v;
    int count = 1;
    for (int d = 1; d <= radius; ++d) {
      const int a = sample(in, x - d * dx, y - d * dy);
      const int b = sample(in, x + d * dx, y + d * dy);
      if (a == 0 || b == 0 || std::abs(a + b - 2 * v) > t) continue;
      if (std::abs(a - v) > 4 * t || std::abs(b - v) > 4 * t) continue;
      sum += a + b;
      count += 2;
    }
    return v == 0 ? 0 : (2 * sum + count) / (2 * count);
  });
}

// The first known sample in a direction.
Side look(const Frame& in, int x, int y, int dx, int dy, int reach) {
  for (int d = 1; d <= reach; ++d) {
    const int value = sample(in, x + d * dx, y + d * dy);
    if (value != 0) return {value, d};
  }
  return {};
}

// Samples that differ between two frames and were, or are now, known as said.
std::int64_t differences(const Frame& from, const Frame& to, bool was_known, bool is_known) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < from.samples.size(); ++i) {
    count += from.samples[i] != to.samples[i] && (from.samples[i] != 0) == was_known &&
             (to.samples[i] != 0) == is_known;
  }
  return count;
}

}  // namespace

Frame range(const DepthView& in, const KnownRange& known) {
  return make(in.width, in.height, [&](int x, int y) {
    const int v = in.at(y, x);
    return known.contains(static_cast<std::uint32_t>(v)) ? v : 0;
  });
}

Frame flying(const Frame& in, const Tolerance& tolerance) {
  return make(in.width, in.height,
              [&](int x, int y) { return is_flying(in, x, y, tolerance) ? 0 : sample(in, x, y); });
}

Frame speckles(const Frame& in, int size, const Tolerance& tolerance) {
  Frame out = in;
  const MutableDepthView view{reinterpret_cast<std::byte*>(out.samples.data()),
                              std::ptrdiff_t{2} * in.width, in.width, in.height, SampleType::kU16};
  rdp::reference::remove_speckles(view, size,
                                  [&](int a, int b) { return are_alike(a, b, tolerance); });
  return out;
}

Frame decimate(const Frame& in, int side) {
  return make(in.width / side, in.height / side, [&](int x, int y) {
    std::vector<int> known;
    for (int i = 0; i < side * side; ++i) {
      const int v = sample(in, x * side + i % side, y * side + i / side);
      if (v != 0) known.push_back(v);
    }
    std::sort(known.begin(), known.end());
    const int n = static_cast<int>(known.size());
    return n == 0 || 4 * n < side * side ? 0 : known[static_cast<std::size_t>((n - 1) / 2)];
  });
}

Frame smooth(const Frame& in, int radius, const Tolerance& tolerance) {
  return smooth_along(smooth_along(in, 1, 0, radius, tolerance), 0, 1, radius, tolerance);
}

Frame temporal(const Frame& in, const Parameters& p, State* state) {
  state->pixels.resize(in.samples.size());
  const std::vector<std::uint32_t> before = state->pixels;
  const HistoryRule rule = history_rule(p.persistence);
  const auto index = [&](int x, int y) { return static_cast<std::size_t>(y) * in.width + x; };
  const auto mean_at = [&](int x, int y) {
    return inside(in, x, y) ? static_cast<Wide>(before[index(x, y)] >> 8) : 0;
  };
  const auto both_known = [&](int x, int y) { return sample(in, x, y) != 0 && mean_at(x, y) != 0; };
  const auto difference = [&](int x, int y) { return 256 * sample(in, x, y) - mean_at(x, y); };
  const auto limit = [&](int x, int y) { return 256 * tau(sample(in, x, y), p.tolerance); };
  const auto agrees = [&](int x, int y) {
    return both_known(x, y) && std::abs(difference(x, y)) <= limit(x, y);
  };
  const auto moved = [&](int x, int y) { return both_known(x, y) && !agrees(x, y); };
  // Motion gives a neighbourhood differences of one sign, noise does not.
  const auto is_still = [&](int x, int y) {
    if (!agrees(x, y)) return false;
    Wide sum = 0;
    Wide count = 0;
    for (int j = y - 3; j <= y + 3; ++j) {
      for (int i = x - 3; i <= x + 3; ++i) {
        if (!both_known(i, j)) continue;
        sum += std::clamp(difference(i, j), -limit(i, j), limit(i, j));
        ++count;
      }
    }
    return !p.motion_check || 4 * std::abs(sum) <= count * limit(x, y);
  };
  const auto may_fill = [&](int x, int y, int old) {
    int alike = 0;
    for (int j = y - 1; j <= y + 1; ++j) {
      for (int i = x - 1; i <= x + 1; ++i) {
        if (moved(i, j) && p.motion_check) return false;
        const int c = sample(in, i, j);
        if (c != 0 && std::abs(c - old) <= tau(old, p.tolerance)) ++alike;
      }
    }
    return !p.motion_check || alike >= 2;
  };
  return make(in.width, in.height, [&](int x, int y) {
    const int c = sample(in, x, y);
    Wide mean = mean_at(x, y);
    std::uint32_t history = before[index(x, y)] & 0xFF;
    int out = c;
    if (is_still(x, y)) {
      const int w = std::min(std::popcount(history), p.temporal_frames - 1);
      mean = (mean * w + 256 * c + (w + 1) / 2) / (w + 1);
      history = (2 * history & 0xFF) | 1;
      out = static_cast<int>((mean + 128) / 256);
    } else if (c != 0) {
      mean = 256 * c;
      history = 1;
    } else {
      const int old = static_cast<int>((mean + 128) / 256);
      const bool allowed = std::popcount(history & rule.mask) >= rule.least;
      if (mean != 0 && allowed && may_fill(x, y, old)) out = old;
      history = 2 * history & 0xFF;
      if (history == 0 && p.persistence != Persistence::kAlways) mean = 0;
    }
    state->pixels[index(x, y)] = static_cast<std::uint32_t>(mean) << 8 | history;
    return out;
  });
}

Frame fill(const Frame& in, const Parameters& p) {
  return make(in.width, in.height, [&](int x, int y) {
    if (sample(in, x, y) != 0) return sample(in, x, y);
    const auto side = [&](int dx, int dy) { return look(in, x, y, dx, dy, p.hole_size); };
    return filled({side(-1, 0), side(1, 0), side(0, -1), side(0, 1)}, p.hole_rule());
  });
}

Frame filter(const DepthView& in, const Parameters& p, State* state, Counts* counts) {
  *counts = {};
  Frame now = range(in, p.known);
  counts->range_removed = differences(range(in, {0, 65535}), now, true, false);
  const auto step = [&](Frame next) { return std::exchange(now, std::move(next)); };
  if (p.median != 0) {
    const Frame before = step(rdp::reference::median(now.view(), p.median));
    counts->median_changed = differences(before, now, true, true) +
                             differences(before, now, true, false) +
                             differences(before, now, false, true);
  }
  if (p.flying) {
    counts->flying_removed = differences(step(flying(now, p.tolerance)), now, true, false);
  }
  if (p.speckle_size > 0) {
    const Frame before = step(speckles(now, p.speckle_size, p.tolerance));
    counts->speckle_removed = differences(before, now, true, false);
  }
  if (p.decimation > 1) step(decimate(now, p.decimation));
  if (p.spatial_radius > 0) {
    const Frame before = step(smooth(now, p.spatial_radius, p.tolerance));
    counts->spatial_changed = differences(before, now, true, true);
  }
  if (p.temporal_frames > 1) {
    const Frame before = step(temporal(now, p, state));
    counts->temporal_changed = differences(before, now, true, true);
    counts->temporal_filled = differences(before, now, false, true);
  }
  if (p.hole_filling != HoleFilling::kNone) {
    counts->hole_filled = differences(step(fill(now, p)), now, false, true);
  }
  return now;
}

}  // namespace rdp::filter::reference
