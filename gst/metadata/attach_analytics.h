// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_ATTACH_ANALYTICS_H_
#define RDP_GST_METADATA_ATTACH_ANALYTICS_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <cstdint>
#include <vector>

#include "gst/metadata/analytics_content.h"
#include "gst/metadata/frame_analytics.h"

namespace rdp::gst {

// True if this build has GStreamer's analytics metadata with masks (since 1.26).
bool have_analytics() noexcept;

// Attaches the frame's GstAnalyticsRelationMeta to `buffer`, which is writable and holds one frame.
// `segmentation` has classes; `camera` may be null. Omits parts for which memory is lacking. Throws
// std::bad_alloc. Does nothing without analytics.
void attach_analytics(GstBuffer* buffer, GstRdpSegmentation* segmentation, GstRdpCamera* camera,
                      AnalyticsContent content, FrameAnalytics* frame);

// The time of the frame in which each object was first seen. Keeps its memory between frames.
class ObjectTimes {
 public:
  // Records the objects of a frame at `now`. Throws std::bad_alloc.
  void update(GstRdpObstacles* obstacles, GstClockTime now);
  // Returns when an object of the last frame was first seen; NONE: in a frame without a time.
  GstClockTime first_seen(std::uint32_t id) const;

 private:
  struct Time {
    std::uint32_t id;
    GstClockTime first;
  };
  std::vector<Time> times_;
};

// Attaches a detection and a related tracking of each object. Otherwise as attach_analytics().
void attach_objects(GstBuffer* buffer, GstRdpObstacles* obstacles, ObjectTimes* times);

// Warns that this build lacks what a property of the element asks for.
void warn_without_analytics(GstElement* element);

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_ATTACH_ANALYTICS_H_
