// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_FRAME_ANALYTICS_H_
#define RDP_GST_METADATA_FRAME_ANALYTICS_H_

#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include <span>

#include "common/rdp/obstacles.h"

namespace rdp::gst {

// Computes the content of GStreamer's analytics metadata for a frame with classes. Does not use
// that metadata itself, which only newer GStreamer has: see attach_analytics.h. Keeps its memory,
// and a pool of masks, between frames.
class FrameAnalytics {
 public:
  FrameAnalytics() = default;
  ~FrameAnalytics();
  FrameAnalytics(const FrameAnalytics&) = delete;
  FrameAnalytics& operator=(const FrameAnalytics&) = delete;

  // Makes the mask of classes: GRAY8 of the frame's size with a GstVideoMeta, values as in
  // write_class_mask(). (transfer full); null: there are no classes, or no memory.
  GstBuffer* mask(GstRdpSegmentation* segmentation);

  // Finds the nearest obstacles. Without `camera` (null) larger values are nearer, as for
  // disparity. Empty if there are no classes. Throws std::bad_alloc.
  std::span<const Obstacle> obstacles(GstRdpSegmentation* segmentation, GstRdpCamera* camera);

 private:
  bool prepare_pool(int width, int height);

  GstBufferPool* pool_ = nullptr;
  GstVideoInfo info_{};
  ObstacleFinder finder_;
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_FRAME_ANALYTICS_H_
