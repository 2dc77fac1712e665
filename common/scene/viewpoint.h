// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_VIEWPOINT_H_
#define RDP_COMMON_SCENE_VIEWPOINT_H_

#include "common/scene/surface.h"

namespace rdp {

// The stereo camera of the test patterns: a level pinhole camera that looks along the road.
//
// Lengths in metres; x to the right, y up from the road, z ahead. A point is seen in column
// centre_column + focal * x / z and row centre_row + focal * (camera height - y) / z, with the
// disparity focal * baseline / z.
struct TestCamera {
  static constexpr double kHeight = 1.65;
  static constexpr double kNearest = 3.0;  // surfaces that face the camera are never nearer

  double focal;     // px; 720 for a width of 1242
  double baseline;  // 0.54, less where a disparity could reach 256 px otherwise
  double centre_column;
  double centre_row;

  // The camera of frames of this size.
  static TestCamera of_size(int width, int height);

  double disparity(double z) const { return focal * baseline / z; }
};

// The viewpoint of an image.
struct Viewpoint {
  TestCamera camera;
  // Distance of this camera to the right of the middle of the road's lane: 0 for the left camera,
  // the baseline for the right one.
  double x = 0.0;
  // Collects the surfaces' looks; null: only disparities are drawn.
  SurfaceList* surfaces = nullptr;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_VIEWPOINT_H_
