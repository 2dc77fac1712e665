// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_SEGMENT_CLASS_H_
#define RDP_COMMON_RDP_SEGMENT_CLASS_H_

#include <cstdint>
#include <limits>

#include "common/host_device.h"
#include "common/rdp/ground_plane.h"

// The class of a segment, from its slope and its level. The ground before a camera is, in disparity
// and in inverse depth, the line slope * (row - horizon) in every column. A surface that stands
// upright has the same value in all its rows, and far things have values near 0.
//
// The arithmetic is shared by the CPU and the kernels, which give the same bits: IEEE 754
// operations in the order that is written here, compiled without contraction to fused ones.
namespace rdp {

enum class SegmentClass : std::uint8_t {
  kOther = 0,    // none of the others: steep, overhanging, or a single row
  kGround = 1,   // on the ground, or as level as it
  kUpright = 2,  // a wall, a vehicle's rear, a person
  kFar = 3,      // too far away to be told from the sky
};
inline constexpr int kSegmentClasses = 4;

// Rules that decide the classes of a frame's segments, in sample steps (u in Domain::kInverse).
struct ClassRules {
  double tolerance = 1.0;     // largest error of the segments' values; 1 at least
  double far_value = 0.0;     // no end of a far segment exceeds it
  double ground_slope = 0.0;  // a row; 0: from the frame
  // Above 0: values are depths, and over_depth / value is compared, in which a ground is a straight
  // line. The members above are then in units of this quotient.
  double over_depth = 0.0;
};

// The number that is compared for a value: see over_depth.
RDP_HOST_DEVICE inline float class_value(float value, const ClassRules& rules) {
  if (!(rules.over_depth > 0.0)) return value;
  return value > 0.0F ? static_cast<float>(rules.over_depth / static_cast<double>(value)) : 0.0F;
}

// The ground of a frame.
struct Ground {
  double slope = 0.0;  // steps a row; 0: no ground is seen
  // The row in which its line reaches 0, inside or outside of the frame; infinite: not known.
  double horizon = std::numeric_limits<double>::infinity();
};

// The slope of segments from first_row to last_row > first_row.
RDP_HOST_DEVICE inline double segment_slope(int first_row, int last_row, float first_value,
                                            float last_value) {
  return (static_cast<double>(last_value) - static_cast<double>(first_value)) /
         (last_row - first_row);
}

// The slope of a Segment or a DeviceSegment.
template <typename AnySegment>
RDP_HOST_DEVICE double slope_of(const AnySegment& segment, const ClassRules& rules) {
  return segment_slope(segment.first_row, segment.last_row, class_value(segment.first_value, rules),
                       class_value(segment.last_value, rules));
}

// True for half to twice the ground's slope. A level surface is the steeper the higher it is above
// the ground: twice as steep at half the camera's height.
RDP_HOST_DEVICE inline bool is_level(double slope, double ground_slope) {
  return slope >= 0.5 * ground_slope && slope <= 2.0 * ground_slope;
}

// True if a value in a row differs from the ground's by at most the tolerance and an eighth. A
// point at a ninth of the camera's height differs by an eighth.
RDP_HOST_DEVICE inline bool is_on_ground(int row, double value, const Ground& ground,
                                         const ClassRules& rules) {
  const double expected = ground.slope * (row - ground.horizon);
  const double distance = value < expected ? expected - value : value - expected;
  return distance <= rules.tolerance + (expected > 0.0 ? expected * 0.125 : 0.0);
}

RDP_HOST_DEVICE inline SegmentClass class_of(int first_row, int last_row, float first_value,
                                             float last_value, const Ground& ground,
                                             const ClassRules& rules) {
  if (first_value <= rules.far_value && last_value <= rules.far_value) return SegmentClass::kFar;
  if (!(ground.slope > 0.0)) {
    // No ground to compare with: upright if the ends differ by at most twice the tolerance.
    const double rise = static_cast<double>(last_value) - static_cast<double>(first_value);
    const bool flat = rise <= 2.0 * rules.tolerance && rise >= -2.0 * rules.tolerance;
    return flat && last_row > first_row ? SegmentClass::kUpright : SegmentClass::kOther;
  }
  if (is_on_ground(first_row, first_value, ground, rules) &&
      is_on_ground(last_row, last_value, ground, rules)) {
    return SegmentClass::kGround;
  }
  if (last_row == first_row) return SegmentClass::kOther;
  const double slope = segment_slope(first_row, last_row, first_value, last_value);
  if (is_level(slope, ground.slope)) return SegmentClass::kGround;
  const double limit = 0.5 * ground.slope;
  return slope < limit && slope > -limit ? SegmentClass::kUpright : SegmentClass::kOther;
}

// is_on_ground() for a ground known as a plane, in integers; `twice_column` is twice_middle() of
// the segment's column.
RDP_HOST_DEVICE inline bool is_on_plane(int twice_column, int row, std::int64_t value,
                                        std::int64_t tolerance, const GroundPlane& plane) {
  const std::int64_t expected = ground_value(plane, twice_column, row);
  const std::int64_t distance = value < expected ? expected - value : value - expected;
  return distance <= tolerance + (expected > 0 ? expected / 8 : 0);
}

RDP_HOST_DEVICE inline SegmentClass class_on_plane(int first_row, int last_row, float first_value,
                                                   float last_value, int twice_column,
                                                   const GroundPlane& plane,
                                                   const ClassRules& rules) {
  if (first_value <= rules.far_value && last_value <= rules.far_value) return SegmentClass::kFar;
  const std::int64_t first = ground_fixed(static_cast<double>(first_value));
  const std::int64_t last = ground_fixed(static_cast<double>(last_value));
  const std::int64_t tolerance = ground_fixed(rules.tolerance);
  if (is_on_plane(twice_column, first_row, first, tolerance, plane) &&
      is_on_plane(twice_column, last_row, last, tolerance, plane)) {
    return SegmentClass::kGround;
  }
  if (last_row == first_row) return SegmentClass::kOther;
  const std::int64_t rise = last - first;
  const std::int64_t of_ground = 2 * plane.per_row * (last_row - first_row);
  if (2 * rise >= of_ground && rise <= 2 * of_ground) return SegmentClass::kGround;
  return 2 * rise < of_ground && -2 * rise < of_ground ? SegmentClass::kUpright
                                                       : SegmentClass::kOther;
}

// --- what a frame says of its ground: see find_ground() in common/rdp/ground.h
// ---------------------

// The number of segments searched for a column's vote, from the lowest up. The first of at least a
// sixteenth of the frame's height may vote.
inline constexpr int kGroundSearch = 64;
RDP_HOST_DEVICE inline bool is_long_enough(int first_row, int last_row, int height) {
  return last_row > first_row && (last_row - first_row) * 16 >= height;
}
// A vote counts only if its segment rises by at least twice the tolerance: an upright one rises
// less.
RDP_HOST_DEVICE inline bool rises(float first_value, float last_value, const ClassRules& rules) {
  return static_cast<double>(class_value(last_value, rules)) -
             static_cast<double>(class_value(first_value, rules)) >=
         2.0 * rules.tolerance;
}
// The row in which a line of this slope through the lower end of a segment reaches 0.
template <typename AnySegment>
RDP_HOST_DEVICE double horizon_of(const AnySegment& segment, double slope,
                                  const ClassRules& rules) {
  return segment.last_row - class_value(segment.last_value, rules) / slope;
}
// True if the frame shows a ground: at least a sixteenth of its columns vote.
RDP_HOST_DEVICE inline bool is_quorum(int votes, int columns) { return votes * 16 >= columns; }

// Votes are sorted by 16-bit codes. Codes of slopes resolve 1/1024 of the slope. Their range
// includes the smallest slope, 1/256 in 16383 rows, and the largest, twice 65535.
RDP_HOST_DEVICE inline int code_of_slope(double slope) {
  // 2^-23 gets code 0. The steps are those of a floating-point number: 1024 to each power of two.
  int power = -23;
  double whole = 1.0 / 8388608.0;
  while (power < 40 && slope >= 2.0 * whole) {
    whole = 2.0 * whole;
    ++power;
  }
  const double part = (slope / whole - 1.0) * 1024.0;
  return (power + 23) * 1024 + (part <= 0.0 ? 0 : part >= 1023.0 ? 1023 : static_cast<int>(part));
}
// The middle of the slopes that have this code.
RDP_HOST_DEVICE inline double slope_of_code(int code) {
  double whole = 1.0 / 8388608.0;
  for (int power = code / 1024; power > 0; --power) whole = 2.0 * whole;
  return whole * (1.0 + (code % 1024 + 0.5) / 1024.0);
}
// The code of a horizon: the row, from 16384 above the frame to 49151 below its top.
RDP_HOST_DEVICE inline int code_of_horizon(double horizon) {
  const double from_top = horizon + 16384.0;
  return from_top <= 0.0 ? 0 : from_top >= 65535.0 ? 65535 : static_cast<int>(from_top);
}
RDP_HOST_DEVICE inline double horizon_of_code(int code) { return code - 16384 + 0.5; }

}  // namespace rdp

#endif  // RDP_COMMON_RDP_SEGMENT_CLASS_H_
