// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_PARAMETERS_H_
#define RDP_COMMON_HEIGHTMAP_PARAMETERS_H_

namespace rdp::heightmap {

inline constexpr int kLeastViews = 2;
inline constexpr int kMaxViews = 16;
inline constexpr int kMaxHeights = 63;  // labels; one more is `unknown`
inline constexpr int kLowGap = 100;     // mm, minimum distance of low heights below min_height
inline constexpr int kMaxWindow = 11;
inline constexpr int kMaxMillimetres = 65535;

// The parameters, defined in common/heightmap/reference.h. Lengths are whole millimetres. The
// ranges include both ends.
struct Parameters {
  int min_height = 1400;   // 0 to kMaxMillimetres; also above it, at most kMaxHeights of them
  int max_height = 1975;   // min_height to kMaxMillimetres
  int height_step = 25;    // 1 to kMaxMillimetres
  int unknown_cost = 50;   // 0 to 127
  int low_bias = 3;        // -64 to 63
  int low_step = 50;       // 0 to kMaxMillimetres; 0: no low heights
  int smoothness = 3;      // 1 to 15
  int max_jump = 31;       // 1 to 31
  int unknown_jump = 31;   // 1 to 31
  int edge_contrast = 26;  // 0 to 255 grey steps; 0: edges of the picture do not matter
  int edge_jump = 8;       // 1 to 31, unknown_jump at an edge
  bool slope = true;       // heights are expected to rise along the vertical
  int max_slope = 1;       // 1 or 2, labels from a pixel to the next one
  int window = 9;          // 1 to kMaxWindow, odd
  int speckle = -1;        // pixels; 0: off; -1: a third of a disc of 0.2 m across
  int iterations = 40;     // 0 to 10000 half-iterations
  int tolerance = 0;       // 0 to 1000000 millionths; 0: off

  bool operator==(const Parameters&) const = default;

  // The number of heights that are labels. `unknown` is the label of this number.
  int heights() const { return (max_height - min_height) / height_step + 1; }
  int height_of(int label) const { return min_height + label * height_step; }
  // The number of low heights: 0, low_step, ..., up to min_height - kLowGap.
  int low_heights() const {
    return low_step == 0 || min_height < kLowGap ? 0 : (min_height - kLowGap) / low_step + 1;
  }
};

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_PARAMETERS_H_
