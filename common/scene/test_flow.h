// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_TEST_FLOW_H_
#define RDP_COMMON_SCENE_TEST_FLOW_H_

#include <cstdint>

#include "common/image/depth_view.h"
#include "common/image/grow_buffer.h"
#include "common/scene/pattern_geometry.h"
#include "common/scene/room_depth.h"
#include "common/scene/room_view.h"
#include "common/scene/span_canvas.h"
#include "common/scene/surface.h"
#include "common/scene/test_pattern.h"

namespace rdp {

// Draws the motion of each pixel's point to the next frame. This is the ground truth for point
// trackers on the left camera's images of the same pattern, seed and size.
//
// The result has twice the frame's height: first the displacements to the right, then those
// downwards. A sample is kFlowScale * (displacement + kFlowReach) px, rounded to the nearest,
// halves up. It is computed from the exact point at the pixel's centre, not from a rounded
// distance. Both samples are 0 for unknown displacements:
//
// - a sample would be outside of 1 to 65535,
// - the nearest pixel in the next frame is outside of it, or shows another surface: the point is
//   hidden,
// - no surface lasts: the crowns of trees, random samples, what is unknown or too near.
//
// The sky is known: it is infinitely far, so that only a turn of the camera moves it.
class TestFlowRenderer {
 public:
  static constexpr double kFlowScale = 64.0;
  static constexpr double kFlowReach = 512.0;

  // Draws the flow from frame number `number` to the one after it: 16 bits a sample, an even number
  // of rows. Allocates (and may throw std::bad_alloc) only when it is larger than any before.
  void draw(std::uint64_t number, const TestPatternOptions& options, const MutableDepthView& flow);

 private:
  void draw_canvas(std::uint64_t number, const TestPatternOptions& options);
  void draw_room(std::uint64_t number, std::uint32_t seed);
  template <typename Shows>
  void write(int row, int column, double right, double down, Shows shows);

  MutableDepthView flow_;
  int width_ = 0;
  int height_ = 0;  // of a frame
  TestCamera camera_{};
  SpanCanvas canvas_;
  SurfaceList surfaces_;
  SurfaceList next_surfaces_;
  RoomKeeper keeper_;
  RoomView room_;
  GrowBuffer<std::int16_t> next_;  // surface or plane of each pixel in the next frame
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_TEST_FLOW_H_
