// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_RECTIFICATION_MAP_H_
#define RDP_COMMON_IMAGE_RECTIFICATION_MAP_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/image/matrix3.h"

// Rectification: resamples pictures as a turned camera at the same place would take them, without
// distortion and with another focal length. Maps are computed in double, with + - * / and sqrt
// alone, in the order written here, without contraction; pictures are sampled in integers. So
// results are bit-identical everywhere.
namespace rdp {

// The cameras of a view before and after rectification.
struct ViewRectification {
  CameraLens camera;                            // with its distortion
  Matrix3 rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};  // rectified axes from the camera's
  CameraLens rectified;                         // without distortion
};

// The source of a pixel, in 1/32 px of the camera's picture.
struct MapPoint {
  std::int32_t x;
  std::int32_t y;
};
inline constexpr int kMapOne = 32;
// The value of x if one of the four neighbours lies outside the picture. At whole positions the
// next pixel has weight 0 and may lie outside, so that an identity map shows the whole picture.
inline constexpr std::int32_t kNotSeen = INT32_MIN;

// The map of a whole view, row by row, with its mask (255, or 0 where it was not seen) in the same
// order.
struct RectificationMap {
  int width = 0;
  int height = 0;
  std::vector<MapPoint> points;
  std::vector<std::uint8_t> mask;
  // The number of pixels of `mask` 0 that the camera's picture probably shows, at a place that the
  // lens model cannot tell.
  std::size_t cut = 0;

  DepthView mask_view() const {
    return {reinterpret_cast<const std::byte*>(mask.data()), width, width, height, SampleType::kU8};
  }
};
RectificationMap rectification_map(const ViewRectification& view, int width, int height);

// Writes rows [first_row, end_row) of the rectified picture: bilinear between four pixels of 8
// bits, halves rounded up; 0 for unseen pixels. `out` has the map's size. The same bits as
// reference::rectify().
void rectify_rows(const DepthView& picture, const RectificationMap& map, int first_row, int end_row,
                  const MutableDepthView& out);

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_RECTIFICATION_MAP_H_
