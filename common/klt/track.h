// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_TRACK_H_
#define RDP_COMMON_KLT_TRACK_H_

#include <cstdint>

#include "common/klt/rules.h"

// Feature results, in the memory layout of the metadata.
namespace rdp::klt {

// A feature that is in the frame. Positions are pixels, whole numbers at their centres, and
// multiples of 1/1024.
struct Track {
  std::uint32_t id;
  std::uint32_t age;  // frames since it was born
  float x;
  float y;
  float dx;  // from the previous frame; 0 at its birth
  float dy;
  float residual;  // mean absolute difference of the windows, grey levels; 0 at its birth
  float quality;   // the smaller eigenvalue of its window in the previous frame, or at its birth
};
static_assert(sizeof(Track) == 32);

// The affine warp of a track: a point at (x, y) from the feature at its birth was at
// (ax + by, cx + dy) from it at the last registration. The four numbers are multiples of 1/16384.
struct TrackWarp {
  float a;
  float b;
  float c;
  float d;
  float residual;     // as a track's, of the registration to its template in this frame; 0 without
  std::uint32_t age;  // frames since the template was taken; 0 without a registration in this frame
};
static_assert(sizeof(TrackWarp) == 24);

// The reason why a feature ends. The order is that of the tests, except that kTemplate is tested
// before kCrowded.
enum class Reason : std::uint32_t {
  kTracked,  // still tracked
  kTexture,
  kOutside,
  kResidual,
  kCheck,
  kCrowded,
  kTemplate,  // the window cannot be registered to the track's template
};

// A feature that ended in this frame, with its position in the previous frame. A caller's point
// that was never tracked has its given position, with 0 for non-finite coordinates.
struct Lost {
  std::uint32_t id;
  Reason reason;
  float x;
  float y;
};
static_assert(sizeof(Lost) == 16);

// A caller's feature: its position, and its expected displacement to the next frame.
struct Point {
  float x;
  float y;
  float dx;
  float dy;
};

// The outcome of tracking one feature.
struct Found {
  Reason reason = Reason::kTracked;
  Place displacement{};
  double eigenvalue = 0.0;  // of the finest level's template
  double residual = 0.0;
};

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_TRACK_H_
