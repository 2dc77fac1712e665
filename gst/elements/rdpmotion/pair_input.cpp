// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpmotion/pair_input.h"

#include <algorithm>
#include <cmath>

#include "gst/elements/base/segment_arrays.h"
#include "gst/memory/frame_layout.h"

namespace rdp::gst {

FrameSize size_of(GstBuffer* frame, const GstVideoInfo& info) {
  const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(frame);
  if (crop != nullptr) return {crop->width, crop->height};
  return {static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info)),
          static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info))};
}

bool is_unmoved(GstBuffer* depth, const GstRdpSegmentMeta* meta) {
  double scale_x, scale_y, offset_x, offset_y;
  gst_rdp_segment_meta_get_placement(depth, meta, &scale_x, &scale_y, &offset_x, &offset_y);
  return scale_x == 1.0 && scale_y == 1.0 && offset_x == 0.0 && offset_y == 0.0;
}

bool find_placement(GstBuffer* video, const GstRdpTracksMeta* meta, const FrameSize& of_video,
                    const FrameSize& of_depth, motion::Placement* placement) {
  // Rounding to whole pixels may differ by one.
  const double wider = static_cast<double>(of_depth.width) / of_video.width;
  const double higher = static_cast<double>(of_depth.height) / of_video.height;
  if (std::abs(wider * of_video.height - of_depth.height) > 1.0 &&
      std::abs(higher * of_video.width - of_depth.width) > 1.0) {
    return false;
  }
  gst_rdp_tracks_meta_get_placement(video, meta, &placement->scale_x, &placement->scale_y,
                                    &placement->offset_x, &placement->offset_y);
  placement->scale_x *= wider;
  placement->offset_x *= wider;
  placement->scale_y *= higher;
  placement->offset_y *= higher;
  return true;
}

std::string explain_difference(const GstRdpCameraInfo& depth, const GstRdpCameraInfo& video,
                               const FrameSize& of_depth, const FrameSize& of_video) {
  const double wider = static_cast<double>(of_depth.width) / of_video.width;
  const double higher = static_cast<double>(of_depth.height) / of_video.height;
  const double x = wider * video.focal_length;
  const double y = higher * video.focal_length_y;
  if (!motion::same_length(x, depth.focal_length) ||
      !motion::same_length(y, depth.focal_length_y)) {
    return format_text("the focal lengths %g, %g px of depth are %g, %g px of video",
                       depth.focal_length, depth.focal_length_y, x, y);
  }
  const double column = (video.principal_x + 0.5) * wider - 0.5;
  const double row = (video.principal_y + 0.5) * higher - 0.5;
  if (!motion::same_place(depth.principal_x, column) ||
      !motion::same_place(depth.principal_y, row)) {
    return format_text("the principal point at %g, %g px of depth is at %g, %g px of video",
                       depth.principal_x, depth.principal_y, column, row);
  }
  if (!std::equal(std::begin(depth.distortion), std::end(depth.distortion), video.distortion)) {
    return "the distortion of their lenses is not the same";
  }
  if (depth.has_pose != FALSE && video.has_pose != FALSE &&
      !std::equal(std::begin(depth.pose), std::end(depth.pose), video.pose)) {
    return "their poses are not the same";
  }
  return {};
}

void read_segments(GstRdpSegmentation* segmentation, motion::Input* input) {
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(segmentation);
  input->width = static_cast<int>(info.width);
  input->height = static_cast<int>(info.height);
  input->column_width = static_cast<int>(info.column_width);
  input->segments = segment_arrays_of(segmentation);
  gsize classes = 0;
  const guint8* first = gst_rdp_segmentation_peek_classes(segmentation, &classes);
  input->classes = {first, classes};
  input->values = {.unit = info.sample_scale > 0.0 ? info.sample_scale : 1.0};
  if (info.domain == GST_RDP_DOMAIN_INVERSE) input->values.inverse_scale = info.inverse_scale;
}

void read_camera(const GstRdpCameraInfo& camera, motion::Input* input) {
  input->has_camera = true;
  input->camera = {camera.focal_length, camera.focal_length_y, camera.principal_x,
                   camera.principal_y, camera.baseline};
  const bool disparity = camera.measures == GST_RDP_MEASURE_DISPARITY;
  input->values.measures = disparity ? motion::Measure::kDisparity : motion::Measure::kDepth;
  input->values.unit = disparity ? camera.disparity_unit : camera.depth_unit;
  input->values.offset = disparity ? camera.disparity_offset : 0.0;
}

}  // namespace rdp::gst
