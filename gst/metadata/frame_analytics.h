// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_FRAME_ANALYTICS_H_
#define RDP_GST_METADATA_FRAME_ANALYTICS_H_

#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <span>

#include "common/rdp/obstacles.h"

namespace rdp::gst {

// Finds the content of GStreamer's analytics metadata for a frame with classes. Knows nothing of
// that metadata itself, which only newer GStreamer has: attach_analytics.h. Keeps its memory, and a
// pool of masks, between frames.
class FrameAnalytics {
 public:
  FrameAnalytics() = default;
  ~FrameAnalytics();
  FrameAnalytics(const FrameAnalytics&) = delete;
  FrameAnalytics& operator=(const FrameAnalytics&) = delete;

  // The mask of the classes: GRAY8 of the frame's size with a GstVideoMeta, values as
  // write_class_mask() says. (transfer full); null: there are no classes, or no memory.
  GstBuffer* mask(GstRdpSegmentation* segmentation);

  // The nearest obstacles. `camera` may be null: then larger values are nearer, as of disparity.
  // None where there are no classes. Throws std::bad_alloc.
  std::span<const Obstacle> obstacles(GstRdpSegmentation* segmentation, GstRdpCamera* camera);

 private:
  bool prepare_pool(int width, int height);

  GstBufferPool* pool_ = nullptr;
  GstVideoInfo info_{};
  ObstacleFinder finder_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_FRAME_ANALYTICS_H_
