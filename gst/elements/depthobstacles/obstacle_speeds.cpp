// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthobstacles/obstacle_speeds.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "common/rdp/ground_plane.h"
#include "gst/elements/depthobstacles/obstacle_grounds.h"

namespace rdp::gst {
namespace {

// The median; of an even count, the lower middle value.
float median(std::vector<float>* values) {
  const auto middle = values->begin() + static_cast<std::ptrdiff_t>((values->size() - 1) / 2);
  std::nth_element(values->begin(), middle, values->end());
  return *middle;
}

}  // namespace

// Segments that move, at the pixels of their middles.
void MotionSpeeds::collect(GstBuffer* buffer, guint input, const Task& task,
                           const obstacles::Axes& axes) {
  moving_.clear();
  const GstRdpMotionMeta* motion = gst_buffer_get_rdp_motion_meta_of_batch(buffer, input);
  const GstRdpSegmentMeta* segments = gst_buffer_get_rdp_segment_meta_of_batch(buffer, input);
  if (motion == nullptr || segments == nullptr) return;
  gsize n_motions = 0;
  gsize n_offsets = 0;
  gsize n_segments = 0;
  const auto* motions = gst_rdp_motion_peek_segments(motion->motion, &n_motions);
  const guint32* offsets = gst_rdp_segmentation_peek_offsets(segments->segmentation, &n_offsets);
  const GstRdpSegment* lines =
      gst_rdp_segmentation_peek_segments(segments->segmentation, &n_segments);
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(segments->segmentation);
  DepthOfValue rule;
  if (n_motions != n_segments || !depth_of_segments(info, task, &rule)) return;
  double scale_x, scale_y, offset_x, offset_y;
  gst_rdp_segment_meta_get_placement(buffer, segments, &scale_x, &scale_y, &offset_x, &offset_y);
  const CameraLens& lens = *task.camera;
  for (gsize column = 0; column + 1 < n_offsets; ++column) {
    const double middle =
        0.5 * twice_middle(static_cast<int>(column), static_cast<int>(info.column_width),
                           static_cast<int>(info.width));
    const double x = (middle + 0.5) * scale_x + offset_x - 0.5;
    for (guint32 i = offsets[column]; i < offsets[column + 1]; ++i) {
      const GstRdpSegmentMotion& of = motions[i];
      const double value = 0.5 * (double{lines[i].first_value} + double{lines[i].last_value});
      const double z = depth_of_value(value, rule);
      if ((of.flags & GST_RDP_MOTION_MOVING) == 0 || !(z > 0.0)) continue;
      const double y =
          (0.5 * (lines[i].first_row + lines[i].last_row) + 0.5) * scale_y + offset_y - 0.5;
      const double point[3] = {(x - lens.principal_x) / lens.focal_x * z,
                               (y - lens.principal_y) / lens.focal_y * z, z};
      const double speed[3] = {of.vx, of.vy, of.vz};
      moving_.push_back({x, y,
                         std::hypot(obstacles::product_of(axes.r[0], point),
                                    obstacles::product_of(axes.r[1], point)),
                         static_cast<float>(obstacles::product_of(axes.r[0], speed)),
                         static_cast<float>(obstacles::product_of(axes.r[1], speed)),
                         (of.flags & GST_RDP_MOTION_ABSOLUTE) != 0});
    }
  }
}

void MotionSpeeds::apply(GstBuffer* buffer, guint input, const Task& task,
                         const obstacles::Axes& axes, double gate,
                         std::span<GstRdpObstacle> objects) {
  constexpr std::size_t kLeast = 3;
  collect(buffer, input, task, axes);
  if (moving_.size() < kLeast) return;
  for (GstRdpObstacle& object : objects) {
    vx_.clear();
    vy_.clear();
    bool over_ground = true;
    for (const Moving& of : moving_) {
      const double right = of.column + 0.5 - object.column;
      const double down = of.row + 0.5 - object.row;
      if (!(right >= 0.0 && right < object.columns && down >= 0.0 && down < object.rows) ||
          !(std::abs(of.distance - double{object.distance}) <= gate)) {
        continue;
      }
      vx_.push_back(of.vx);
      vy_.push_back(of.vy);
      over_ground = over_ground && of.over_ground;
    }
    if (vx_.size() < kLeast) continue;
    object.vx = median(&vx_);
    object.vy = median(&vy_);
    object.flags &= ~static_cast<guint32>(GST_RDP_OBSTACLE_OVER_GROUND);
    object.flags |= GST_RDP_OBSTACLE_SPEED | GST_RDP_OBSTACLE_MOTION;
    if (over_ground) object.flags |= GST_RDP_OBSTACLE_OVER_GROUND;
  }
}

}  // namespace rdp::gst
