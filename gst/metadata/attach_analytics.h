// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_ATTACH_ANALYTICS_H_
#define RDP_GST_METADATA_ATTACH_ANALYTICS_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <cstdint>
#include <vector>

#include "gst/metadata/analytics_content.h"
#include "gst/metadata/frame_analytics.h"

namespace rdp::gst {

// True if this build has GStreamer's analytics metadata with masks: from 1.26 on.
bool have_analytics() noexcept;

// Puts the GstAnalyticsRelationMeta of the frame in `buffer`, which is writable and holds one
// frame, on it. `segmentation` has classes; `camera` may be null. What there is no memory for is
// left out. Throws std::bad_alloc. Does nothing without analytics.
void attach_analytics(GstBuffer* buffer, GstRdpSegmentation* segmentation, GstRdpCamera* camera,
                      AnalyticsContent content, FrameAnalytics* frame);

// The times of the frames that objects were first seen in. Keeps its memory between frames.
class ObjectTimes {
 public:
  // Takes a frame at `now`. Throws std::bad_alloc.
  void update(GstRdpObstacles* obstacles, GstClockTime now);
  // The first time of an object of that frame; NONE: the frame had none.
  GstClockTime first_seen(std::uint32_t id) const;

 private:
  struct Time {
    std::uint32_t id;
    GstClockTime first;
  };
  std::vector<Time> times_;
};

// Puts an object detection and a tracking of each object, which are related, on the frame's
// metadata. The rest as above.
void attach_objects(GstBuffer* buffer, GstRdpObstacles* obstacles, ObjectTimes* times);

// The warning of an element whose property asks for what this build does not have.
void warn_without_analytics(GstElement* element);

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_ATTACH_ANALYTICS_H_
