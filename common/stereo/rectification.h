// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_RECTIFICATION_H_
#define RDP_COMMON_STEREO_RECTIFICATION_H_

#include <array>
#include <cstdint>
#include <vector>

#include "common/image/camera.h"
#include "common/image/depth_view.h"

// Makes pictures of two cameras as if both looked the same way, with rows that belong together:
// what stereo matching takes. Maps are made in double, with + - * / and sqrt alone, in the order
// written here, without contraction; pictures are sampled in integers. So the bits are the same
// everywhere.
namespace rdp::stereo {

using Matrix3 = std::array<double, 9>;  // row by row

// A view as its camera sees it and as it is to be.
struct ViewRectification {
  CameraLens camera;                            // with its distortion
  Matrix3 rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};  // rectified axes from the camera's
  CameraLens rectified;                         // without distortion
};

// Both of them. The right camera's centre is `baseline` metres along the rectified x axis.
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

// Where a pixel comes from, in 1/32 px of the camera's picture.
struct MapPoint {
  std::int32_t x;
  std::int32_t y;
};
inline constexpr int kMapOne = 32;
// x where one of the four neighbours is outside. Of a whole number of pixels, the next one has
// weight 0 and need not be there: a map that moves nothing shows the whole picture.
inline constexpr std::int32_t kNotSeen = INT32_MIN;

// Of a whole view, row by row, with its mask (255, or 0 where it was not seen) in the same order.
struct RectificationMap {
  int width = 0;
  int height = 0;
  std::vector<MapPoint> points;
  std::vector<std::uint8_t> mask;

  DepthView mask_view() const {
    return {reinterpret_cast<const std::byte*>(mask.data()), width, width, height, SampleType::kU8};
  }
};
RectificationMap rectification_map(const ViewRectification& view, int width, int height);

// The rectified picture, in rows [first_row, end_row): bilinear between four pixels of 8 bits,
// halves rounded up; 0 where nothing was seen. `out` has the map's size.
namespace reference {
void rectify(const DepthView& picture, const RectificationMap& map, const MutableDepthView& out);
}
void rectify_rows(const DepthView& picture, const RectificationMap& map, int first_row, int end_row,
                  const MutableDepthView& out);

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_RECTIFICATION_H_
