// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_SAME_CAMERA_H_
#define RDP_COMMON_IMAGE_SAME_CAMERA_H_

#include "common/image/camera.h"

// Comparisons of cameras, for callers that keep tables of one.
namespace rdp {

// True if both lenses map every point to the same pixel.
inline bool same_lens(const CameraLens& a, const CameraLens& b) {
  const Distortion& p = a.distortion;
  const Distortion& q = b.distortion;
  if (a.focal_x != b.focal_x || a.focal_y != b.focal_y || a.principal_x != b.principal_x ||
      a.principal_y != b.principal_y || p.none != q.none) {
    return false;
  }
  return p.none || (p.k1 == q.k1 && p.k2 == q.k2 && p.p1 == q.p1 && p.p2 == q.p2 && p.k3 == q.k3 &&
                    p.k4 == q.k4 && p.k5 == q.k5 && p.k6 == q.k6 && p.reach == q.reach);
}

// True if both give every value the same depth.
inline bool same_rule(const DepthOfValue& a, const DepthOfValue& b) {
  return a.reciprocal == b.reciprocal && a.numerator == b.numerator && a.factor == b.factor &&
         a.offset == b.offset;
}

inline bool same_camera(const MetricCamera& a, const MetricCamera& b) {
  return same_lens(a, b) && same_rule(a.depth, b.depth);
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_SAME_CAMERA_H_
