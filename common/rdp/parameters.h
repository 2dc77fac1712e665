// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_PARAMETERS_H_
#define RDP_COMMON_RDP_PARAMETERS_H_

#include <cstdint>
#include <limits>

#include "common/image/depth_view.h"
#include "common/image/inverse_depth.h"
#include "common/image/join_columns.h"
#include "common/image/known_range.h"

namespace rdp {

enum class Domain : std::uint8_t {
  kLinear,   // samples are used as they are (disparity, or depth where that is what is wanted)
  kInverse,  // metric depth z becomes u = inverse_scale / z, in which planes are straight lines
};

// The criterion for the lines of refine and merge.
enum class Fit : std::uint8_t {
  kSquares,   // least sum of squared distances
  kAbsolute,  // near the least sum of distances; cuts, too: see reference::refit()
};

// The enumerators are the side of the window.
enum class Median : std::uint8_t { kNone = 0, k3x3 = 3, k5x5 = 5 };

// The user's settings: see the properties of the element rdpsegment, which have the same names.
struct Parameters {
  double epsilon = 4.0;       // tolerance, in sample steps * sample_scale; >= 0
  double sample_scale = 1.0;  // value of one sample step; > 0
  std::uint32_t min_value = 1;
  std::uint32_t max_value = 65535;
  Median median = Median::kNone;
  Domain domain = Domain::kLinear;
  double inverse_scale = 1e6;  // > 0; millimetres become 1/km
  int column_width = 1;        // 1..kMaxColumnWidth
  int max_gap = 0;             // most unknown rows that a segment bridges; 0: any number
  bool refine = false;         // least-squares lines; merge has them in any case
  bool merge = false;
  Fit fit = Fit::kSquares;  // of refine and merge
  double merge_cost =
      0.0;  // of a segment, in the unit of epsilon; 0: kMergeCostOfEpsilon * epsilon
  bool merge_bounded = false;  // no merged line ends far from the lines of its pieces
  bool classify = false;       // segments have classes: see common/rdp/segment_class.h
  double ground_slope = 0.0;   // of disparity or inverse depth, in the unit of epsilon a row; 0:
                               // from the frame
  double far_value = -1.0;     // segments that do not exceed it are far; below 0: epsilon

  bool operator==(const Parameters&) const = default;
};

// The tolerance in 1/256 sample steps, llround(256 * epsilon / sample_scale), limited to
// [0, kMaxEpsilon256]. No distance between 16-bit samples reaches the upper limit, so it changes no
// result; it keeps every product in 64 bits.
inline constexpr std::int64_t kMaxEpsilon256 = std::int64_t{65536} * 256;
std::int64_t epsilon256(const Parameters& parameters);

// The largest |c| (see reference.h) that a segment of `length` rows, last - first, may have without
// being split: |c| * 256 > epsilon256 * length is the same as |c| > split_threshold, in integers.
// Limited to INT32_MAX, which no |c| exceeds.
inline std::int32_t split_threshold(std::int64_t eps256, int length) {
  const std::int64_t threshold = eps256 * length / 256;
  return threshold > INT32_MAX ? INT32_MAX : static_cast<std::int32_t>(threshold);
}

// The rules for a column after the filters, in the numbers that the arithmetic works with.
struct SegmentRules {
  std::int64_t epsilon256 = 0;
  int max_gap = 0;
  bool refine = false;  // also where merge is on
  bool merge = false;
  float truncation2 = 0.0F;  // squared distance at which a sample's cost saturates
  float price = 0.0F;        // of a segment, as a squared distance
  // Distance by which the ends of a merged line may leave the range of its pieces' lines.
  float margin = std::numeric_limits<float>::infinity();
  Fit fit = Fit::kSquares;  // with refine
  float near = 0.0F;  // distances up to this one do not lower a sample's weight in Fit::kAbsolute

  // True if segments are the lines between the vertices of the split.
  bool plain() const { return !refine && max_gap == 0; }
};

// Distances are truncated at epsilon, at least one sample step: with epsilon 0, all costs would be
// zero. The price is the square of merge_cost, limited to an amount that no error of a whole column
// reaches.
inline constexpr int kMergeCostOfEpsilon = 4;
inline constexpr std::int64_t kMaxMergeCost256 = kMaxEpsilon256 * 128;

// Near is an eighth of epsilon, at least a quarter of a sample step.
inline constexpr std::int64_t kNearOfEpsilon = 8;
inline constexpr std::int64_t kLeastNear256 = 64;
SegmentRules segment_rules(const Parameters& parameters);

// The samples that are known in the frame as it arrives: [min_value, max_value].
KnownRange input_known_range(const Parameters& parameters);

// The rule from depths to inverse depths with Domain::kInverse.
InverseDepth inverse_depth_of(const Parameters& parameters);

// The samples that are known in the segmented frame, after the filters. With Domain::kInverse that
// is 1..65535 (0 is what unknown became); otherwise the input's range, cut to what the sample type
// can hold.
KnownRange segmented_known_range(const Parameters& parameters, SampleType type);

// The number of columns that a frame of `width` columns is segmented into: ceil(width /
// column_width).
inline int segmented_columns(int width, const Parameters& parameters) {
  return (width + parameters.column_width - 1) / parameters.column_width;
}

}  // namespace rdp

#endif  // RDP_COMMON_RDP_PARAMETERS_H_
