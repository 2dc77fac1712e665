// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_ATTACH_ANALYTICS_H_
#define RDP_GST_METADATA_ATTACH_ANALYTICS_H_

#include <gst/rdpsegment/rdpsegment.h>

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

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_ATTACH_ANALYTICS_H_
