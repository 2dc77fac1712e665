// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpsegment/segment_settings.h"

#include "gst/elements/base/enum_type.h"

namespace rdp::gst {

GType segment_domain_get_type() {
  return enum_type<Domain>(
      "GstRdpSegmentDomain",
      {{Domain::kLinear, "Samples as they are (disparity)", "linear"},
       {Domain::kInverse, "inverse-scale / sample (metric depth)", "inverse"}});
}

GType segment_fit_get_type() {
  return enum_type<Fit>("GstRdpSegmentFit",
                        {{Fit::kSquares, "Least squared distances", "squares"},
                         {Fit::kAbsolute, "Near the least distances, cuts moved", "absolute"}});
}

GType segment_output_get_type() {
  return enum_type<SegmentOutput>(
      "GstRdpSegmentOutput",
      {{SegmentOutput::kPassthrough, "Pixels pass unchanged", "passthrough"},
       {SegmentOutput::kReconstruct, "The segments' lines, written in place", "reconstruct"}});
}

GType segment_overlay_style_get_type() {
  return enum_type<OverlayStyle>(
      "GstRdpSegmentOverlayStyle",
      {{OverlayStyle::kSegments, "Each segment in its colour, ends marked", "segments"},
       {OverlayStyle::kDepth, "The palette on the samples", "depth"},
       {OverlayStyle::kEdges, "The segments' ends on dim samples", "edges"},
       {OverlayStyle::kClasses, "Each segment in the colour of its class", "classes"},
       {OverlayStyle::kBirdsEye, "The frame from above, in metres", "birdseye"}});
}

GType segment_ground_get_type() {
  return enum_type<GroundFrom>(
      "GstRdpSegmentGround",
      {{GroundFrom::kAuto, "The frame's own columns vote", "auto"},
       {GroundFrom::kPlanes, "The planes of depthplanes on the frame; without them, the vote",
        "planes"}});
}

GType segment_analytics_get_type() {
  return enum_type<AnalyticsContent>(
      "GstRdpSegmentAnalytics",
      {{AnalyticsContent::kNone, "Nothing", "none"},
       {AnalyticsContent::kClasses, "A mask of the classes", "classes"},
       {AnalyticsContent::kObstacles, "The nearest obstacles as object detections", "obstacles"},
       {AnalyticsContent::kAll, "Both", "all"}});
}

}  // namespace rdp::gst
