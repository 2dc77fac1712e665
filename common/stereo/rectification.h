// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_RECTIFICATION_H_
#define RDP_COMMON_STEREO_RECTIFICATION_H_

#include <array>

#include "common/image/camera.h"
#include "common/image/rectification_map.h"
#include "common/image/reference.h"

// Stereo rectification: resamples two cameras' pictures as if both had parallel axes and common
// rows, as stereo matching needs. Cameras are computed in double, with + - * / and sqrt alone, in
// the order written here, without contraction: bit-identical everywhere.
namespace rdp::stereo {

using rdp::Matrix3;

// common/image resamples views.
using rdp::kMapOne;
using rdp::kNotSeen;
using rdp::MapPoint;
using rdp::rectification_map;
using rdp::RectificationMap;
using rdp::rectify_rows;
using rdp::ViewRectification;
namespace reference {
using rdp::reference::rectify;
}

// The rectification of both views. The right camera's centre is `baseline` metres along the
// rectified x axis.
struct PairRectification {
  ViewRectification left;
  ViewRectification right;
  double baseline = 0.0;
};

// J.-Y. Bouguet's method, as the Camera Calibration Toolbox and OpenCV have it: half of the
// rotation to each view, the baseline turned onto the x axis, one focal length, principal points
// made equal, zoomed so that every pixel was seen by its camera. `rotation` and `translation` take
// a point from the left camera's axes to the right one's. Both pictures are `width` by `height`.
// False: the baseline is not mainly along x, so that the views are above each other or one behind
// the other.
bool rectify_cameras(const CameraLens& left, const CameraLens& right, const Matrix3& rotation,
                     const std::array<double, 3>& translation, int width, int height,
                     PairRectification* result);

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_RECTIFICATION_H_
