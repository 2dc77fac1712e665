// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_STREET_SCENE_H_
#define RDP_COMMON_SCENE_STREET_SCENE_H_

#include <cstdint>

#include "common/scene/span_canvas.h"
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

// Where a picture is taken from.
struct Viewpoint {
  TestCamera camera;
  // How far to the right of the middle of the road's lane, where the left camera is: 0, or the
  // baseline for the right camera.
  double x = 0.0;
  // Where to write how things look; null: only the disparities are wanted.
  SurfaceList* surfaces = nullptr;
};

// Draws the street as it is seen at frame number `frame` of the drive with this seed: a flat road
// between kerbs, pavements with trees, poles and people, rows of houses with gaps between them,
// parked cars, oncoming cars, two vehicles ahead, and the houses at the far end. The camera moves
// on by 0.4 m a frame (43 km/h at 30 frames/s), without end. The sky is unknown (0).
//
// Both cameras see the same surfaces. Of the crowns of trees, which are no planes, the canvas has
// the outline for the right camera, and TreeCrown the disparities.
void draw_street(std::uint32_t seed, std::uint64_t frame, const Viewpoint& from,
                 SpanCanvas* canvas);

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_STREET_SCENE_H_
