// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpsegment/enums.h"

#include "common/rdp/overlay.h"
#include "common/rdp/parameters.h"
#include "gst/elements/base/enum_type.h"
#include "gst/elements/rdpsegment/plane_grounds.h"
#include "gst/metadata/analytics_content.h"

GType gst_rdp_domain_get_type(void) {
  return rdp::gst::enum_type<rdp::Domain>(
      "GstRdpSegmentDomain",
      {{rdp::Domain::kLinear, "Samples as they are (disparity)", "linear"},
       {rdp::Domain::kInverse, "inverse-scale / sample (metric depth)", "inverse"}});
}

GType gst_rdp_fit_get_type(void) {
  return rdp::gst::enum_type<rdp::Fit>(
      "GstRdpSegmentFit",
      {{rdp::Fit::kSquares, "Least squared distances", "squares"},
       {rdp::Fit::kAbsolute, "Near the least distances, cuts moved", "absolute"}});
}

GType gst_rdp_output_get_type(void) {
  return rdp::gst::enum_type<GstRdpOutput>(
      "GstRdpSegmentOutput",
      {{GST_RDP_OUTPUT_PASSTHROUGH, "Pixels pass unchanged", "passthrough"},
       {GST_RDP_OUTPUT_RECONSTRUCT, "The segments' lines, written in place", "reconstruct"}});
}

GType gst_rdp_overlay_style_get_type(void) {
  return rdp::gst::enum_type<rdp::OverlayStyle>(
      "GstRdpSegmentOverlayStyle",
      {{rdp::OverlayStyle::kSegments, "Each segment in its colour, ends marked", "segments"},
       {rdp::OverlayStyle::kDepth, "The palette on the samples", "depth"},
       {rdp::OverlayStyle::kEdges, "The segments' ends on dim samples", "edges"},
       {rdp::OverlayStyle::kClasses, "Each segment in the colour of its class", "classes"},
       {rdp::OverlayStyle::kBirdsEye, "The frame from above, in metres", "birdseye"}});
}

GType gst_rdp_ground_get_type(void) {
  return rdp::gst::enum_type<rdp::gst::GroundFrom>(
      "GstRdpSegmentGround",
      {{rdp::gst::GroundFrom::kAuto, "The frame's own columns vote", "auto"},
       {rdp::gst::GroundFrom::kPlanes,
        "The planes of depthplanes on the frame; without them, the vote", "planes"}});
}

GType gst_rdp_analytics_get_type(void) {
  return rdp::gst::enum_type<rdp::gst::AnalyticsContent>(
      "GstRdpSegmentAnalytics",
      {{rdp::gst::AnalyticsContent::kNone, "Nothing", "none"},
       {rdp::gst::AnalyticsContent::kClasses, "A mask of the classes", "classes"},
       {rdp::gst::AnalyticsContent::kObstacles, "The nearest obstacles as object detections",
        "obstacles"},
       {rdp::gst::AnalyticsContent::kAll, "Both", "all"}});
}
