// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpsegment/segment_settings.h"

#include "gst/elements/base/enum_type.h"

namespace rdp::gst {

GType segment_domain_get_type() {
  return enum_type<Domain>(
      "GstRdpSegmentDomain",
      {{Domain::kLinear, "Samples as they are (for disparity)", "linear"},
       {Domain::kInverse, "inverse-scale / sample (for metric depth)", "inverse"}});
}

GType segment_fit_get_type() {
  return enum_type<Fit>(
      "GstRdpSegmentFit",
      {{Fit::kSquares, "Least squares", "squares"},
       {Fit::kAbsolute,
        "Robust: approximate least absolute deviations, segment boundaries re-optimised",
        "absolute"}});
}

GType segment_output_get_type() {
  return enum_type<SegmentOutput>(
      "GstRdpSegmentOutput", {{SegmentOutput::kPassthrough, "Samples unchanged", "passthrough"},
                              {SegmentOutput::kReconstruct,
                               "Lines of the segments, in place of the samples", "reconstruct"}});
}

GType segment_overlay_style_get_type() {
  return enum_type<OverlayStyle>(
      "GstRdpSegmentOverlayStyle",
      {{OverlayStyle::kSegments, "Each segment in its colour, ends marked", "segments"},
       {OverlayStyle::kDepth, "Samples in the colours of the palette", "depth"},
       {OverlayStyle::kEdges, "Ends of the segments on dimmed samples", "edges"},
       {OverlayStyle::kClasses, "Each segment in the colour of its class", "classes"},
       {OverlayStyle::kBirdsEye, "Bird's-eye view of the frame, in metres", "birdseye"}});
}

GType segment_ground_get_type() {
  return enum_type<GroundFrom>(
      "GstRdpSegmentGround",
      {{GroundFrom::kAuto, "Estimated from the frame's own columns", "auto"},
       {GroundFrom::kPlanes, "From the planes of depthplanes on the frame; without them as auto",
        "planes"}});
}

GType segment_analytics_get_type() {
  return enum_type<AnalyticsContent>(
      "GstRdpSegmentAnalytics",
      {{AnalyticsContent::kNone, "Nothing", "none"},
       {AnalyticsContent::kClasses, "Mask of the classes", "classes"},
       {AnalyticsContent::kObstacles, "Nearest obstacles as object detections", "obstacles"},
       {AnalyticsContent::kAll, "Both", "all"}});
}

}  // namespace rdp::gst
