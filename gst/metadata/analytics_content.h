// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_ANALYTICS_CONTENT_H_
#define RDP_GST_METADATA_ANALYTICS_CONTENT_H_

namespace rdp::gst {

// The content of GStreamer's analytics metadata on frames.
enum class AnalyticsContent {
  kNone,
  kClasses,    // a mask of the classes
  kObstacles,  // the nearest obstacles as object detections
  kAll,
};

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_ANALYTICS_CONTENT_H_
