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
  static constexpr double kNearest = 3.0;  // nothing that faces the camera is nearer

  double focal;     // px; 720 for a width of 1242
  double baseline;  // 0.54, less where a disparity could reach 256 px otherwise
  double centre_column;
  double centre_row;

  // The camera of frames of this size.
  static TestCamera of_size(int width, int height);

  double disparity(double z) const { return focal * baseline / z; }
};

// The place that a picture is taken from.
struct Viewpoint {
  TestCamera camera;
  // The distance to the right of the middle of the road's lane, where the left camera is: 0, or the
  // baseline for the right camera.
  double x = 0.0;
  // Takes the look of things; null: only the disparities are wanted.
  SurfaceList* surfaces = nullptr;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_VIEWPOINT_H_
