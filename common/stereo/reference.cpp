// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/stereo/reference.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "common/image/reference.h"
#include "common/image/speckles.h"

namespace rdp::stereo::reference {
namespace {

// The place of a number in the volume of sums.
std::size_t cell(const DepthView& picture, const Parameters& parameters, int row, int column) {
  return (static_cast<std::size_t>(row) * picture.width + column) * parameters.disparities;
}

// Without a mask, all pixels were seen.
bool was_seen(const DepthView& mask, int row, int column) {
  return mask.data == nullptr || mask.at(row, column) != 0;
}

// The disparity of the right view's pixel, without min_disparity and without a fraction.
int right_disparity(const std::vector<std::uint16_t>& sums, const Pair& pair,
                    const Parameters& parameters, int row, int column) {
  int best = 0;
  int least = 1 << 16;
  for (int d = 0; d < parameters.disparities; ++d) {
    const int in_left = column + parameters.min_disparity + d;
    if (in_left < 0) continue;
    if (in_left >= pair.left.width) break;
    const int sum = sums[cell(pair.left, parameters, row, in_left) + d];
    if (sum < least) {
      least = sum;
      best = d;
    }
  }
  return best;
}

// The minimum of the parabola through the sums beside the smallest one, in 1/256 px.
int with_fraction(const std::uint16_t* sums, int disparities, int best) {
  if (best == 0 || best == disparities - 1) return kDisparityOne * best;
  const int a = sums[best - 1] - sums[best];
  const int b = sums[best + 1] - sums[best];
  if (a + b == 0) return kDisparityOne * best;
  return kDisparityOne * best - 128 + (256 * a + (a + b) / 2) / (a + b);
}

struct Match {
  int disparity;   // as it is stored
  int confidence;  // whether it is known or not
};

Match match_pixel(const std::vector<std::uint16_t>& volume, const Pair& pair,
                  const Parameters& parameters, int row, int column) {
  const int disparities = parameters.disparities;
  const std::uint16_t* sums = &volume[cell(pair.left, parameters, row, column)];
  const int best = static_cast<int>(std::min_element(sums, sums + disparities) - sums);
  int second = 1 << 16;  // the smallest sum that is no neighbour's
  for (int d = 0; d < disparities; ++d) {
    if (std::abs(d - best) > 1) second = std::min<int>(second, sums[d]);
  }
  const int value = with_fraction(sums, disparities, best);
  const int confidence = 255 * (second - sums[best]) / std::max(1, second);

  const int whole = (value + 128) / 256;
  const int in_right = column - parameters.min_disparity - whole;
  bool known = in_right >= 0 && in_right < pair.right.width &&
               was_seen(pair.right_mask, row, in_right) && was_seen(pair.left_mask, row, column);
  if (parameters.uniqueness > 0 &&
      (second * (100 - parameters.uniqueness) < sums[best] * 100 || second == sums[best])) {
    known = false;
  }
  if (confidence < parameters.min_confidence) known = false;
  if (known && parameters.max_left_right >= 0) {
    const int of_right = right_disparity(volume, pair, parameters, row, in_right);
    if (std::abs(of_right - whole) > parameters.max_left_right) known = false;
  }
  if (!known) return {0, confidence};
  return {std::max(1, kDisparityOne * first_sample(parameters.min_disparity) + value), confidence};
}

}  // namespace

std::uint32_t census(const DepthView& picture, int row, int column) {
  const auto at = [&](int r, int c) {
    return picture.at(std::clamp(r, 0, picture.height - 1), std::clamp(c, 0, picture.width - 1));
  };
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      sum += at(row + dy, column + dx) * (2 - std::abs(dx)) * (2 - std::abs(dy));
    }
  }
  const int centre = (sum + 15) >> 4;  // the mean, rounded up: what reaches it reaches the mean
  std::uint32_t bits = 0;
  for (int dy = -3; dy <= 3; ++dy) {
    for (int dx = -4; dx <= 4; ++dx) {
      if ((dx + dy) % 2 != 0 || (dx == 0 && dy == 0)) continue;
      bits = 2 * bits + (at(row + dy, column + dx) >= centre ? 1U : 0U);
    }
  }
  return bits;
}

std::vector<std::uint8_t> costs(const Pair& pair, const Parameters& parameters) {
  const int width = pair.left.width;
  std::vector<std::uint8_t> result;
  std::vector<std::uint32_t> right(static_cast<std::size_t>(width));
  for (int row = 0; row < pair.left.height; ++row) {
    for (int column = 0; column < width; ++column) {
      right[static_cast<std::size_t>(column)] = census(pair.right, row, column);
    }
    for (int column = 0; column < width; ++column) {
      const std::uint32_t left = census(pair.left, row, column);
      for (int d = 0; d < parameters.disparities; ++d) {
        const int seen_at = std::clamp(column - parameters.min_disparity - d, 0, width - 1);
        const bool seen = was_seen(pair.right_mask, row, seen_at);
        const int differ = std::popcount(left ^ right[static_cast<std::size_t>(seen_at)]);
        result.push_back(static_cast<std::uint8_t>(seen ? std::min(differ, kMaxCost) : kMaxCost));
      }
    }
  }
  return result;
}

std::vector<std::uint16_t> path_sums(const Pair& pair, const Parameters& parameters) {
  static constexpr struct {
    int dx, dy;
  } kSteps[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
  const int width = pair.left.width;
  const int height = pair.left.height;
  const int disparities = parameters.disparities;
  const auto at = [&](int row, int column) { return cell(pair.left, parameters, row, column); };

  const std::vector<std::uint8_t> cost = costs(pair, parameters);
  std::vector<std::uint16_t> sums(cost.size());
  std::vector<int> path(cost.size());
  for (int p = 0; p < parameters.paths; ++p) {
    const auto [dx, dy] = kSteps[p];
    for (int i = 0; i < height; ++i) {
      const int row = dy < 0 ? height - 1 - i : i;
      for (int j = 0; j < width; ++j) {
        const int column = dx < 0 ? width - 1 - j : j;
        const bool starts =
            row - dy < 0 || row - dy >= height || column - dx < 0 || column - dx >= width;
        const int* before = starts ? nullptr : &path[at(row - dy, column - dx)];
        const int least = starts ? 0 : *std::min_element(before, before + disparities);
        for (int d = 0; d < disparities; ++d) {
          int way = 0;
          if (!starts) {
            way = std::min(before[d], least + parameters.p2);
            if (d > 0) way = std::min(way, before[d - 1] + parameters.p1);
            if (d < disparities - 1) way = std::min(way, before[d + 1] + parameters.p1);
          }
          const std::size_t here = at(row, column) + d;
          path[here] = cost[here] + way - least;
          sums[here] = static_cast<std::uint16_t>(sums[here] + path[here]);
        }
      }
    }
  }
  return sums;
}

Counts match(const Pair& pair, const Parameters& parameters, const Result& result) {
  const int width = pair.left.width;
  const int height = pair.left.height;
  const std::vector<std::uint16_t> sums = path_sums(pair, parameters);
  rdp::reference::Frame checked{width, height, {}};
  std::vector<int> confidence;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const Match found = match_pixel(sums, pair, parameters, row, column);
      checked.samples.push_back(static_cast<std::uint16_t>(found.disparity));
      confidence.push_back(found.confidence);
    }
  }
  if (parameters.median != 0) {
    checked = rdp::reference::median(checked.view(), parameters.median);
  }
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const bool seen = was_seen(pair.left_mask, row, column);
      result.disparity.set(row, column, seen ? checked.at(row, column) : std::uint16_t{0});
    }
  }
  rdp::reference::remove_speckles(result.disparity, parameters.speckle_size,
                                  WithinRange{parameters.speckle_range});

  Counts counts;
  const int largest = parameters.largest_sample();
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const int disparity = result.disparity.at(row, column);
      if (disparity != 0) ++counts.known;
      if (disparity >= largest) ++counts.saturated;
      if (result.confidence.data == nullptr) continue;
      const int margin = confidence[static_cast<std::size_t>(row) * width + column];
      result.confidence.set(row, column, static_cast<std::uint16_t>(disparity == 0 ? 0 : margin));
    }
  }
  return counts;
}

}  // namespace rdp::stereo::reference
