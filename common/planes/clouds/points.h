// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CLOUDS_POINTS_H_
#define RDP_COMMON_PLANES_CLOUDS_POINTS_H_

#include <cstddef>
#include <cstdint>

#include "common/planes/clouds/cloud.h"
#include "common/planes/clouds/rules.h"

// SIMD access to the points as given, bit-identical to common/planes/clouds/rules.h.
namespace rdp::planes {

// The least and the greatest values of points with a known position.
struct PointRange {
  std::int64_t finite = 0;
  float least[3];
  float greatest[3];

  PointRange();
  void add(const PointRange& other);
};

// The range of the points from `first` to before `end`.
PointRange range_of_points(const CloudView& cloud, std::size_t first, std::size_t end,
                           bool zero_is_unknown);

// Histogram of the values on an axis. The bin of v is (v - least) * scale, rounded down, at most
// the last one. Single precision may be off by a bin near bin limits. Unknown points are counted in
// an extra bin after the last.
inline constexpr int kValueBins = 256;
void count_values(const CloudView& cloud, std::size_t first, std::size_t end, bool zero_is_unknown,
                  int axis, float least, float scale, std::uint32_t counts[kValueBins + 1]);

// Packs points into 64 bits: the key of their cell, then z, y and x relative to its corner.
struct PointPacking {
  int part = 0;  // bits of a coordinate
  int key = 0;   // bits of the key

  explicit PointPacking(const CloudRules& rules)
      : part(rules.cell_bits() + 1), key(3 * rules.depth) {}
  // A key that no cell has.
  std::uint64_t unused() const { return std::uint64_t{1} << (key + 3 * part); }
  std::uint32_t key_of(std::uint64_t packed) const {
    return static_cast<std::uint32_t>(packed >> (3 * part));
  }
  std::int32_t coordinate(std::uint64_t packed, int axis) const {
    return static_cast<std::int32_t>(packed >> (axis * part) & ((std::uint64_t{1} << part) - 1));
  }
};

// Packs the points from `first` to before `end`; those that are not used get unused().
void pack_points(const CloudView& cloud, std::size_t first, std::size_t end,
                 const CloudRules& rules, std::uint64_t* packed);

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_POINTS_H_
