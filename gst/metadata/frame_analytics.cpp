// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/metadata/frame_analytics.h"

#include <cstdint>

#include "common/rdp/segment_list.h"
#include "gst/memory/pool_negotiation.h"

namespace rdp::gst {
namespace {

struct Classified {
  SegmentArrays segments;
  std::span<const std::uint8_t> classes;  // null: there are none
  FrameColumns frame;
};

Classified classified(GstRdpSegmentation* segmentation) {
  gsize n_offsets = 0;
  gsize n_segments = 0;
  gsize n_classes = 0;
  const guint8* classes = gst_rdp_segmentation_peek_classes(segmentation, &n_classes);
  const guint32* offsets = gst_rdp_segmentation_peek_offsets(segmentation, &n_offsets);
  const GstRdpSegment* segments = gst_rdp_segmentation_peek_segments(segmentation, &n_segments);
  static_assert(sizeof(GstRdpSegment) == sizeof(Segment));
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(segmentation);
  return {{{offsets, n_offsets}, {reinterpret_cast<const Segment*>(segments), n_segments}},
          {classes, n_classes},
          {static_cast<int>(info.width), static_cast<int>(info.height),
           static_cast<int>(info.column_width)}};
}

}  // namespace

FrameAnalytics::~FrameAnalytics() {
  if (pool_ == nullptr) return;
  gst_buffer_pool_set_active(pool_, FALSE);
  gst_object_unref(pool_);
}

bool FrameAnalytics::prepare_pool(int width, int height) {
  if (pool_ != nullptr && GST_VIDEO_INFO_WIDTH(&info_) == width &&
      GST_VIDEO_INFO_HEIGHT(&info_) == height) {
    return true;
  }
  if (pool_ != nullptr) {
    gst_buffer_pool_set_active(pool_, FALSE);
    gst_clear_object(&pool_);
  }
  gst_video_info_set_format(&info_, GST_VIDEO_FORMAT_GRAY8, static_cast<guint>(width),
                            static_cast<guint>(height));
  pool_ = private_video_pool_new(info_);
  return pool_ != nullptr;
}

GstBuffer* FrameAnalytics::mask(GstRdpSegmentation* segmentation) {
  const Classified of = classified(segmentation);
  GstBuffer* buffer = nullptr;
  if (of.classes.data() == nullptr || !prepare_pool(of.frame.width, of.frame.height) ||
      gst_buffer_pool_acquire_buffer(pool_, &buffer, nullptr) != GST_FLOW_OK) {
    return nullptr;
  }
  GstVideoFrame frame;
  if (!gst_video_frame_map(&frame, &info_, buffer, GST_MAP_WRITE)) {
    gst_buffer_unref(buffer);
    return nullptr;
  }
  write_class_mask(of.segments, of.classes, of.frame,
                   static_cast<std::uint8_t*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)),
                   static_cast<std::size_t>(GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0)));
  gst_video_frame_unmap(&frame);
  return buffer;
}

std::span<const Obstacle> FrameAnalytics::obstacles(GstRdpSegmentation* segmentation,
                                                    GstRdpCamera* camera) {
  const Classified of = classified(segmentation);
  if (of.classes.data() == nullptr) return {};
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(segmentation);
  ObstacleRules rules;
  rules.tolerance = info.epsilon / info.sample_scale;
  // Inverse depths and disparities are larger for nearer points.
  const bool depth =
      camera != nullptr && gst_rdp_camera_get_info(camera)->measures == GST_RDP_MEASURE_DEPTH;
  rules.larger_is_nearer = !depth || info.domain == GST_RDP_DOMAIN_INVERSE;
  return finder_.find(of.segments, of.classes, of.frame, rules);
}

}  // namespace rdp::gst
