// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthtestsrc/test_camera.h"

#include <algorithm>

#include "common/scene/pattern_geometry.h"

namespace rdp::gst {

static void set_pose(const RoomPose& pose, GstRdpCameraInfo* info) {
  info->has_pose = TRUE;
  const double rows[12] = {pose.right.x, pose.down.x, pose.ahead.x, pose.eye.x,
                           pose.right.y, pose.down.y, pose.ahead.y, pose.eye.y,
                           pose.right.z, pose.down.z, pose.ahead.z, pose.eye.z};
  std::copy_n(rows, 12, info->pose);
}

GstRdpCameraInfo test_camera_info(TestView view, TestPattern pattern, TestDomain domain,
                                  const TestRig& rig, const GstVideoInfo& frames) {
  const int width = GST_VIDEO_INFO_WIDTH(&frames);
  const int height = GST_VIDEO_INFO_HEIGHT(&frames);
  const bool bytes = GST_VIDEO_INFO_FORMAT(&frames) == GST_VIDEO_FORMAT_GRAY8;
  const bool color = is_of_color_camera(view);
  const TestCamera camera =
      color ? color_camera_of_room(width, height) : camera_of_pattern(pattern, width, height);
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = static_cast<guint>(width);
  info.height = static_cast<guint>(height);
  info.focal_length = info.focal_length_y = camera.focal;
  info.principal_x = camera.centre_column;
  info.principal_y = camera.centre_row;
  info.rectified = TRUE;
  if (!color) info.baseline = camera.baseline;
  constexpr RoomPose kOrigin = {{}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  if (color) {
    set_pose(color_pose(kOrigin, rig.color), &info);
  } else if (rig.rig_pose && pattern == TestPattern::kRoom) {
    set_pose(kOrigin, &info);
  }
  // Neither greys nor labels measure anything.
  if (view != TestView::kDepth && view != TestView::kColorDepth) return info;
  if (domain == TestDomain::kDisparity && !color) {
    info.measures = GST_RDP_MEASURE_DISPARITY;
    info.disparity_unit = bytes ? 1.0 : 1.0 / 256.0;
  } else {
    info.measures = GST_RDP_MEASURE_DEPTH;
    info.depth_unit = bytes ? 0.1 : 0.001;
  }
  return info;
}

TestCameraKeeper::~TestCameraKeeper() {
  if (camera_ != nullptr) gst_rdp_camera_unref(camera_);
}

GstRdpCamera* TestCameraKeeper::get(TestView view, const TestPatternOptions& options,
                                    const CrowdSettings& crowd, const TestRig& rig,
                                    const GstVideoInfo& frames) {
  const bool is_crowd = options.pattern == TestPattern::kCrowd;
  // A view with twice the size of a picture has no camera of its own.
  const bool twice = view == TestView::kSideBySide || view == TestView::kFlow;
  if (!is_crowd && (!has_distances(options.pattern) || twice)) return nullptr;
  Use use = {.view = view,
             .pattern = options.pattern,
             .domain = options.domain,
             .format = GST_VIDEO_INFO_FORMAT(&frames),
             .width = GST_VIDEO_INFO_WIDTH(&frames),
             .height = GST_VIDEO_INFO_HEIGHT(&frames),
             .rig = rig};
  if (is_crowd) {
    use.index = crowd.view_index;
    use.angle = crowd.camera_angle;
    use.error = crowd.calibration_error;
  }
  if (camera_ != nullptr && use == use_) return camera_;
  if (camera_ != nullptr) gst_rdp_camera_unref(camera_);
  const GstRdpCameraInfo info =
      is_crowd ? crowd_camera_info(view, crowd, rig.color, frames)
               : test_camera_info(view, options.pattern, options.domain, rig, frames);
  camera_ = gst_rdp_camera_new(&info, nullptr);
  use_ = use;
  return camera_;
}

}  // namespace rdp::gst
