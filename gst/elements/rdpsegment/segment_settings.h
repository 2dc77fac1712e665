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

// Where the ground comes from that classes are told by.
enum class GroundFrom {
  kAuto,    // the frame's vote
  kPlanes,  // the planes on its buffer; without them, its vote
};

// What the user of rdpsegment has set. A frame works on a copy taken when it arrives.
struct SegmentSettings : AnalyzerSettings {
  Parameters parameters;
  SegmentOutput output = SegmentOutput::kPassthrough;
  AnalyticsContent analytics = AnalyticsContent::kNone;
  GroundFrom ground = GroundFrom::kAuto;
};

// What the pictures of the pad `overlay` show.
struct SegmentOverlaySettings : OverlayOptions {
  guint surface = 0;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPSEGMENT_SEGMENT_SETTINGS_H_
