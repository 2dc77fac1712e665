// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_TEST_LABELS_H_
#define RDP_COMMON_SCENE_TEST_LABELS_H_

#include <cstdint>
#include <span>

#include "common/image/depth_view.h"
#include "common/image/grow_buffer.h"
#include "common/scene/plane_parts.h"
#include "common/scene/room_depth.h"
#include "common/scene/room_view.h"
#include "common/scene/span_canvas.h"
#include "common/scene/test_pattern.h"

namespace rdp {

// True if this pattern has labels. The street and crowds have no labelled objects. Random and
// unknown samples have labels: all are known to show no plane.
inline bool has_labels(TestPattern pattern) {
  return pattern != TestPattern::kStreet && pattern != TestPattern::kCrowd;
}

// Draws the plane that each pixel of a frame shows (see plane_parts.h), or the number of its car or
// parcel, 0 elsewhere. This is the ground truth for frames of the same number, size, pattern and
// seed, with any noise.
class TestLabelRenderer {
 public:
  // 8 bits a pixel. The pattern has_labels(). Allocates, and may throw std::bad_alloc, only
  // for frames that are larger or have more parts than any before.
  void draw(std::uint64_t number, const TestPatternOptions& options,
            const MutableDepthView& labels);

  // The plane of each label of the last frame, from 1, in the camera's axes. Only for rooms.
  RoomView::SeenPlane seen_plane(int label) const;

 private:
  std::span<const std::int16_t> surfaces_of_row();
  void write_surfaces(const MutableDepthView& labels);
  void write_things(const RoomScene& room, const MutableDepthView& labels);

  RoomKeeper keeper_;
  RoomView room_;
  SpanCanvas canvas_;
  SurfaceList surfaces_;
  GrowBuffer<std::int16_t> row_;
  PlaneParts parts_;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_TEST_LABELS_H_
