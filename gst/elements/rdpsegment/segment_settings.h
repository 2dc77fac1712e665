// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_SEGMENT_SETTINGS_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_SEGMENT_SETTINGS_H_

#include "common/rdp/overlay.h"
#include "common/rdp/parameters.h"
#include "gst/elements/base/analyzer_settings.h"
#include "gst/metadata/analytics_content.h"

namespace rdp::gst {

// The enumerations of the properties.
GType segment_domain_get_type();
GType segment_fit_get_type();
GType segment_output_get_type();
GType segment_analytics_get_type();
GType segment_ground_get_type();
GType segment_overlay_style_get_type();

enum class SegmentOutput { kPassthrough, kReconstruct };

// The source of the ground that decides the classes.
enum class GroundFrom {
  kAuto,    // the frame's vote
  kPlanes,  // the planes on its buffer; without them, its vote
};

// The user's settings of rdpsegment. A frame works on a copy taken when it arrives.
struct SegmentSettings : AnalyzerSettings {
  Parameters parameters;
  SegmentOutput output = SegmentOutput::kPassthrough;
  AnalyticsContent analytics = AnalyticsContent::kNone;
  GroundFrom ground = GroundFrom::kAuto;
};

// The content of the pictures of the pad `overlay`.
struct SegmentOverlaySettings : OverlayOptions {
  guint surface = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPSEGMENT_SEGMENT_SETTINGS_H_
