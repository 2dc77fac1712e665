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

// Draws where the point that each pixel of a frame shows is in the next frame: the truth for what
// follows points in the left camera's pictures of the same pattern, seed and size.
//
// The result has twice the frame's height: the displacements to the right of all pixels above those
// downwards. A sample is kFlowScale * (displacement + kFlowReach) px, rounded to the nearest,
// halves up; it is worked out from the point that the pixel's centre shows, not from a rounded
// distance. It is 0 in both halves where a displacement is not known:
//
// - a sample would be outside of 1 to 65535,
// - the nearest pixel in the next frame is outside of it, or shows another surface: the point is
//   hidden,
// - no surface lasts: the crowns of trees, random samples, what is unknown or too near.
//
// The sky is known: it stays.
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
  GrowBuffer<std::int16_t> next_;  // which surface or plane each pixel of the next frame shows
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_TEST_FLOW_H_
