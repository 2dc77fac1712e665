// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_PLAIN_BELIEFS_H_
#define RDP_TESTS_BENCH_PLAIN_BELIEFS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/heightmap/parameters.h"
#include "common/heightmap/rules.h"

namespace rdp::bench {

// Belief propagation in plain C++, with pixels in row order and all labels of a pixel together.
class PlainBeliefs {
 public:
  PlainBeliefs(int width, int height, const heightmap::Parameters& parameters,
               const std::vector<std::int32_t>& potential, const std::vector<std::uint8_t>& costs)
      : width_(width),
        height_(height),
        labels_(parameters.heights() + 1),
        parameters_(parameters),
        potential_(potential),
        costs_(costs) {
    for (auto& each : messages_) each.assign(costs.size(), 0);
    for (auto& each : float_messages_) each.assign(costs.size(), 0.0F);
  }

  // Linear time in integers, as in the definition.
  void half_iteration(int k) {
    visit(k, [&](std::ptrdiff_t p, std::ptrdiff_t q, int to, int rise) { send(p, q, to, rise); });
  }
  // All pairs of labels, in float.
  void half_iteration_over_pairs(int k) {
    visit(k, [&](std::ptrdiff_t p, std::ptrdiff_t q, int to, int rise) {
      send_over_pairs(p, q, to, static_cast<float>(rise));
    });
  }

  std::vector<std::uint8_t> decide() const {
    std::vector<std::uint8_t> result;
    for (std::size_t at = 0; at < costs_.size(); at += static_cast<std::size_t>(labels_)) {
      int best = 0;
      int least = INT32_MAX;
      for (int l = 0; l < labels_; ++l) {
        int belief = costs_[at + static_cast<std::size_t>(l)];
        for (const auto& each : messages_) belief += each[at + static_cast<std::size_t>(l)];
        if (belief < least) best = l;
        least = std::min(least, belief);
      }
      result.push_back(static_cast<std::uint8_t>(best));
    }
    return result;
  }

 private:
  // Messages are stored at the receiver, by their origin: left, right, above, below.
  template <typename Send>
  void visit(int k, const Send& send) {
    for (int y = 0; y < height_; ++y) {
      for (int x = (y + k) % 2; x < width_; x += 2) {
        const std::ptrdiff_t p = std::ptrdiff_t{y} * width_ + x;
        const auto rise = [&](std::ptrdiff_t q) {
          return heightmap::rise(potential_[static_cast<std::size_t>(p)],
                                 potential_[static_cast<std::size_t>(q)], parameters_.max_slope);
        };
        if (x > 0) send(p, p - 1, 0, rise(p - 1));
        if (x + 1 < width_) send(p, p + 1, 1, rise(p + 1));
        if (y > 0) send(p, p - width_, 2, rise(p - width_));
        if (y + 1 < height_) send(p, p + width_, 3, rise(p + width_));
      }
    }
  }

  void send(std::ptrdiff_t p, std::ptrdiff_t q, int to, int rise) {
    const int heights = labels_ - 1;
    const std::ptrdiff_t from = p * labels_;
    const std::uint8_t* in[3];
    for (int i = 0, n = 0; i < 4; ++i) {
      if (i != to) in[n++] = messages_[i].data() + from;
    }
    const std::uint8_t* const costs = costs_.data() + from;
    // Includes a margin of labels around the heights.
    int room[heightmap::kMaxHeights + 4];
    int* const e = room + 2;
    int least = INT32_MAX;
    for (int l = 0; l < heights; ++l) {
      e[l] = costs[l] + in[0][l] + in[1][l] + in[2][l];
      least = std::min(least, e[l]);
    }
    const int unknown = costs[heights] + in[0][heights] + in[1][heights] + in[2][heights];
    const int step = parameters_.smoothness;
    for (int l = 1; l < heights; ++l) e[l] = std::min(e[l], e[l - 1] + step);
    for (int l = heights - 2; l >= 0; --l) e[l] = std::min(e[l], e[l + 1] + step);
    for (int i = 1; i <= 2; ++i) {
      e[-i] = e[0] + i * step;
      e[heights - 1 + i] = e[heights - 1] + i * step;
    }
    const int most = std::min(least + parameters_.max_jump, unknown + parameters_.unknown_jump);
    const int of_unknown = std::min(unknown, least + parameters_.unknown_jump);
    int m[heightmap::kMaxHeights];
    int lowest = of_unknown;
    for (int l = 0; l < heights; ++l) {
      m[l] = std::min(e[l - rise], most);
      lowest = std::min(lowest, m[l]);
    }
    std::uint8_t* const out = messages_[to ^ 1].data() + q * labels_;
    for (int l = 0; l < heights; ++l) out[l] = static_cast<std::uint8_t>(m[l] - lowest);
    out[heights] = static_cast<std::uint8_t>(of_unknown - lowest);
  }

  void send_over_pairs(std::ptrdiff_t p, std::ptrdiff_t q, int to, float rise) {
    const int heights = labels_ - 1;
    const std::ptrdiff_t from = p * labels_;
    float h[heightmap::kMaxHeights + 1];
    for (int l = 0; l < labels_; ++l) {
      h[l] = static_cast<float>(costs_[static_cast<std::size_t>(from + l)]);
      for (int i = 0; i < 4; ++i) {
        if (i != to) h[l] += float_messages_[i][static_cast<std::size_t>(from + l)];
      }
    }
    const auto step = static_cast<float>(parameters_.smoothness);
    const auto most = static_cast<float>(parameters_.max_jump);
    const auto jump = static_cast<float>(parameters_.unknown_jump);
    float* const out = float_messages_[to ^ 1].data() + q * labels_;
    float lowest = INFINITY;
    for (int b = 0; b < labels_; ++b) {
      float least = h[heights] + (b == heights ? 0.0F : jump);
      for (int a = 0; a < heights; ++a) {
        const float difference = static_cast<float>(b - a) - rise;
        const float cost = b == heights ? jump : std::min(most, step * std::abs(difference));
        least = std::min(least, h[a] + cost);
      }
      out[b] = least;
      lowest = std::min(lowest, least);
    }
    for (int b = 0; b < labels_; ++b) out[b] -= lowest;
  }

  int width_;
  int height_;
  int labels_;
  heightmap::Parameters parameters_;
  const std::vector<std::int32_t>& potential_;
  const std::vector<std::uint8_t>& costs_;
  std::vector<std::uint8_t> messages_[4];
  std::vector<float> float_messages_[4];
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_PLAIN_BELIEFS_H_
