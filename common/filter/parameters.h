// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_FILTER_PARAMETERS_H_
#define RDP_COMMON_FILTER_PARAMETERS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "common/filter/rules.h"
#include "common/image/inverse_depth.h"
#include "common/image/known_range.h"

namespace rdp::filter {

// The same tolerance for every sample, in units of sample * sample_scale.
inline Tolerance linear_tolerance(double tolerance, double sample_scale) {
  const double steps = round_half_up(std::min(tolerance / sample_scale, 4294967295.0));
  return {static_cast<std::uint32_t>(std::max(steps, 1.0)), 0};
}

// The same tolerance for every inverse_scale / sample.
inline Tolerance inverse_tolerance(double tolerance, double inverse_scale) {
  const double factor = std::floor(tolerance / inverse_scale * 4294967296.0 + 0.5);
  return {1, static_cast<std::uint32_t>(std::min(factor, 4294967295.0))};
}

constexpr int kMaxDecimation = 8;
constexpr int kMaxRadius = 8;
constexpr int kMaxFrames = 8;
constexpr int kMaxHole = 255;

// The steps of the filter, in their order. The reference says what each one does.
struct Parameters {
  KnownRange known{1, 65535};
  int median = 0;  // 0, 3 or 5: the side of its window
  bool flying = true;
  int speckle_size = 0;     // pixels, to 65535; 0: off
  int decimation = 1;       // 1 to kMaxDecimation; 1: off
  int spatial_radius = 4;   // 0 to kMaxRadius; 0: off
  int temporal_frames = 1;  // 1 to kMaxFrames; 1: off
  Persistence persistence = Persistence::kTwoOf4;
  bool motion_check = true;
  HoleFilling hole_filling = HoleFilling::kNone;
  int hole_size = 16;      // 1 to kMaxHole
  bool disparity = false;  // large samples are near
  Tolerance tolerance;

  HoleRule hole_rule() const { return {hole_filling, hole_size, disparity, tolerance}; }
  bool operator==(const Parameters&) const = default;
};

// Pixels of a frame that the steps have made unknown (removed), known (filled) or given another
// value. `median_changed` counts all three.
struct Counts {
  std::int64_t range_removed = 0;
  std::int64_t median_changed = 0;
  std::int64_t flying_removed = 0;
  std::int64_t speckle_removed = 0;
  std::int64_t spatial_changed = 0;
  std::int64_t temporal_changed = 0;
  std::int64_t temporal_filled = 0;
  std::int64_t hole_filled = 0;

  bool operator==(const Counts&) const = default;
};

}  // namespace rdp::filter

#endif  // RDP_COMMON_FILTER_PARAMETERS_H_
