// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_LINE_H_
#define RDP_COMMON_RDP_LINE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "common/image/inverse_depth.h"
#include "common/rdp/parameters.h"
#include "common/rdp/segment_list.h"

// The value of a segment's line in one row, shared by the reference and the engine. Every
// conforming IEEE 754 implementation (SIMD, CUDA without fast-math) can give bit-identical results.
namespace rdp {

// True if both values of a segment are whole sample steps within `range`, so that all its values
// are within it. Values of fitted lines need not be: they are multiples of 1/256, and may be
// beyond.
inline bool is_whole_within(const Segment& segment, const KnownRange& range) {
  const auto is = [&](float value) {
    return value >= static_cast<float>(range.first) && value <= static_cast<float>(range.last) &&
           value == static_cast<float>(static_cast<std::int32_t>(value));
  };
  return is(segment.first_value) && is(segment.last_value);
}

// 256 * length times the value of a segment's line in `row`: an exact integer, below 2^39.
inline std::int64_t scaled_line_value(const Segment& segment, int row) {
  const auto first = static_cast<std::int64_t>(segment.first_value * 256.0F);
  const auto last = static_cast<std::int64_t>(segment.last_value * 256.0F);
  return first * (segment.last_row - segment.first_row) +
         (last - first) * (row - segment.first_row);
}

// The value of the line in `row`, rounded half up and kept within `range`.
inline std::uint16_t line_value(const Segment& segment, int row,
                                const KnownRange& range = {0, 65535}) {
  const std::int64_t length = segment.last_row - segment.first_row;
  const std::int64_t doubled = length == 0
                                   ? static_cast<std::int64_t>(segment.first_value * 512.0F) + 256
                                   : 2 * scaled_line_value(segment, row) + 256 * length;
  // Truncation rounds negative values the wrong way, but they are below the range in any case.
  const std::int64_t value = doubled / (512 * std::max<std::int64_t>(1, length));
  return static_cast<std::uint16_t>(
      std::clamp<std::int64_t>(value, range.first, std::min(range.last, 65535U)));
}

// Larger than all depths: stands for infinity.
inline constexpr double kBeyondDepths = 65536.0;

// The depth in `row` of a segment of inverse depths: inverse_scale over the line's exact value, or
// infinity if that is not above 0, rounded half up. Clamped to the known range of the input, so
// that known samples stay known, and to `largest`, the maximum of the frame's samples.
inline std::uint16_t depth_on_line(const Segment& segment, int row, const Parameters& parameters,
                                   std::uint32_t largest) {
  const int length = segment.last_row - segment.first_row;
  // Whole values are exact at whatever power of two they are counted.
  const double scaled = length == 0 ? static_cast<double>(segment.first_value)
                                    : static_cast<double>(scaled_line_value(segment, row)) / 256.0;
  // Masked, so that nothing is divided by 0; cut off, so that no infinity is rounded.
  const bool is_near = scaled > 0.0;
  const double z =
      std::min((is_near ? parameters.inverse_scale * std::max(1, length) : kBeyondDepths) /
                   (is_near ? scaled : 1.0),
               kBeyondDepths);
  const KnownRange known = input_known_range(parameters);
  return static_cast<std::uint16_t>(std::clamp(round_half_up(z), static_cast<double>(known.first),
                                               static_cast<double>(std::min(known.last, largest))));
}

}  // namespace rdp

#endif  // RDP_COMMON_RDP_LINE_H_
