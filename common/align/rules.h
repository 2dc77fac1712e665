// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_ALIGN_RULES_H_
#define RDP_COMMON_ALIGN_RULES_H_

#include <cmath>

#include "common/filter/rules.h"
#include "common/host_device.h"
#include "common/image/camera.h"

// Rules of single pixels that the reference, the engine and kernels share: doubles in the order
// that is written here, without contraction.
namespace rdp::align {

// A ray of the source, x and y at distance 1, in the target's axes. Unknown rays are NaN, which
// no later comparison lets pass.
RDP_HOST_DEVICE inline Point turned(const Pose& movement, double x, double y) {
  const double* const m = movement.m;
  return {(m[0] * x + m[1] * y) + m[2], (m[4] * x + m[5] * y) + m[6],
          (m[8] * x + m[9] * y) + m[10]};
}

// The point of a turned ray at depth z of the source, in the target's axes.
RDP_HOST_DEVICE inline Point moved(const Pose& movement, const Point& ray, double z) {
  return {ray.x * z + movement.m[3], ray.y * z + movement.m[7], ray.z * z + movement.m[11]};
}

// True if the target sees the source rolled: two corners do not determine a pixel's rectangle then.
RDP_HOST_DEVICE inline bool has_roll(const Pose& movement) {
  constexpr double kRoll = 1.0 / 16.0;
  return movement.m[4] > kRoll || movement.m[4] < -kRoll;
}

// The sample of a depth in the target's view; 0: there is none.
RDP_HOST_DEVICE inline int sample_of_depth(double depth, double unit) {
  if (!(depth > 0.0)) return 0;
  const double steps = std::floor(depth / unit + 0.5);
  if (!(steps < 65536.0)) return 0;
  return steps < 1.0 ? 1 : static_cast<int>(steps);
}

// A place in the target's picture, in 1/256 px.
struct Place {
  int u, v;
};
constexpr double kMaxPlace = 65536.0;  // px

// False if the target does not see the point, or sees it over kMaxPlace from its picture's corner.
RDP_HOST_DEVICE inline bool find_place(const Point& point, const CameraLens& target, Place* place) {
  double u, v;
  if (!pixel_of_point(point.x, point.y, point.z, target, &u, &v)) return false;
  if (!(u >= -kMaxPlace && u <= kMaxPlace && v >= -kMaxPlace && v <= kMaxPlace)) return false;
  place->u = static_cast<int>(std::floor(256.0 * u + 0.5));
  place->v = static_cast<int>(std::floor(256.0 * v + 0.5));
  return true;
}

// Columns or rows from `first` to before `end`.
struct Span {
  int first, end;
};
constexpr int kGrown = 16;    // 1/256 px, at either end
constexpr int kMaxSpan = 64;  // px

// The pixels whose centres lie from `least` to `most`, in 1/256 px, and kGrown beyond.
RDP_HOST_DEVICE inline Span span_of(int least, int most) {
  return {(least - kGrown + 255) >> 8, (most + kGrown + 255) >> 8};
}

// The pixel of a place.
RDP_HOST_DEVICE inline int nearest_pixel(int place) { return (place + 128) >> 8; }

// The sample between two neighbours on opposite sides that are alike; 0: they are not, or unknown.
RDP_HOST_DEVICE inline int sample_between(int a, int b, const filter::Tolerance& tolerance) {
  return a != 0 && b != 0 && filter::are_alike(a, b, tolerance) ? (a + b + 1) / 2 : 0;
}

// True where a is farther than b by more than the tolerance of b.
RDP_HOST_DEVICE inline bool is_behind(int a, int b, const filter::Tolerance& tolerance) {
  return a > b + filter::tolerance_of(static_cast<std::uint32_t>(b), tolerance);
}

// A sample of the target after the cracks are filled: an unknown one, or one that shows what lies
// behind its neighbours, becomes the nearer of the samples between them.
RDP_HOST_DEVICE inline int without_crack(int sample, int left, int right, int above, int below,
                                         const filter::Tolerance& tolerance) {
  const int pairs[] = {sample_between(left, right, tolerance),
                       sample_between(above, below, tolerance)};
  int nearest = 0;
  for (const int c : pairs) {
    const bool fills = c != 0 && (sample == 0 || is_behind(sample, c, tolerance));
    if (fills && (nearest == 0 || c < nearest)) nearest = c;
  }
  return nearest != 0 ? nearest : sample;
}

}  // namespace rdp::align

#endif  // RDP_COMMON_ALIGN_RULES_H_
