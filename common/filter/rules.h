// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_FILTER_RULES_H_
#define RDP_COMMON_FILTER_RULES_H_

#include <cstdint>

#include "common/host_device.h"

// Rules of single pixels that the reference, the engine and kernels share.
namespace rdp::filter {

// The tolerance of a sample v: the larger of `least` and floor(v * v * per_square / 2^32).
struct Tolerance {
  std::uint32_t least = 1;
  std::uint32_t per_square = 0;

  bool operator==(const Tolerance& other) const {
    return least == other.least && per_square == other.per_square;
  }
};

RDP_HOST_DEVICE inline std::int64_t tolerance_of(std::uint32_t v, const Tolerance& tolerance) {
  const auto scaled = static_cast<std::uint32_t>(std::uint64_t{v * v} * tolerance.per_square >> 32);
  return scaled > tolerance.least ? scaled : tolerance.least;
}

// True where two known samples differ by no more than the tolerance of the smaller one.
RDP_HOST_DEVICE inline bool are_alike(int a, int b, const Tolerance& tolerance) {
  const int low = a < b ? a : b;
  const int high = a < b ? b : a;
  return high - low <= tolerance_of(static_cast<std::uint32_t>(low), tolerance);
}

// Histories of the eight previous frames that let the temporal step fill an unknown pixel.
enum class Persistence : std::uint8_t {
  kNone,
  kAllOf8,
  kTwoOf3,
  kTwoOf4,
  kTwoOf8,
  kOneOf2,
  kOneOf5,
  kOneOf8,
  kAlways
};

// A history fills where at least `least` of the bits of `mask` are set.
struct HistoryRule {
  std::uint32_t mask;
  int least;
};

RDP_HOST_DEVICE inline HistoryRule history_rule(Persistence persistence) {
  switch (persistence) {
    case Persistence::kAllOf8:
      return {0xFF, 8};
    case Persistence::kTwoOf3:
      return {0x7, 2};
    case Persistence::kTwoOf4:
      return {0xF, 2};
    case Persistence::kTwoOf8:
      return {0xFF, 2};
    case Persistence::kOneOf2:
      return {0x3, 1};
    case Persistence::kOneOf5:
      return {0x1F, 1};
    case Persistence::kOneOf8:
      return {0xFF, 1};
    case Persistence::kAlways:
      return {0, 0};
    case Persistence::kNone:
      break;
  }
  return {0, 1};
}

enum class HoleFilling : std::uint8_t { kNone, kLeft, kFarthest, kNearest, kGap };

struct HoleRule {
  HoleFilling filling;
  int size;
  bool disparity;  // large samples are near
  Tolerance tolerance;
};

// The first known sample in one direction from an unknown pixel; value 0: none within reach.
struct Side {
  int value = 0;
  int distance = 0;
};

struct Hole {
  Side left, right, above, below;
};

// The smaller or the larger one of two values; 0 is none.
RDP_HOST_DEVICE inline int one_of(int a, int b, bool largest) {
  return a == 0 || (b != 0 && (b > a) == largest) ? b : a;
}

// The value that lies between two sides; 0: they do not enclose a hole of this size.
RDP_HOST_DEVICE inline int between(const Side& a, const Side& b, const HoleRule& rule) {
  const int sum = a.distance + b.distance;
  if (a.value == 0 || b.value == 0 || sum - 1 > rule.size) return 0;
  if (!are_alike(a.value, b.value, rule.tolerance)) {
    return one_of(a.value, b.value, !rule.disparity);
  }
  return (a.value * b.distance + b.value * a.distance + sum / 2) / sum;
}

// The sample that fills a hole; 0: it stays unknown.
RDP_HOST_DEVICE inline int filled(const Hole& hole, const HoleRule& rule) {
  if (rule.filling == HoleFilling::kLeft) return hole.left.value;
  if (rule.filling == HoleFilling::kGap) {
    const int across = between(hole.left, hole.right, rule);
    const int down = between(hole.above, hole.below, rule);
    if (across == 0 || down == 0) return across + down;
    return hole.left.distance + hole.right.distance <= hole.above.distance + hole.below.distance
               ? across
               : down;
  }
  const bool largest = (rule.filling == HoleFilling::kFarthest) != rule.disparity;
  return one_of(one_of(hole.left.value, hole.right.value, largest),
                one_of(hole.above.value, hole.below.value, largest), largest);
}

}  // namespace rdp::filter

#endif  // RDP_COMMON_FILTER_RULES_H_
