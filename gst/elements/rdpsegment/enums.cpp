// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpsegment/enums.h"

#include "common/rdp/overlay.h"
#include "common/rdp/parameters.h"
#include "gst/elements/rdpsegment/plane_grounds.h"
#include "gst/metadata/analytics_content.h"

namespace {

const GEnumValue kDomain[] = {
    {static_cast<gint>(rdp::Domain::kLinear), "Samples as they are (disparity)", "linear"},
    {static_cast<gint>(rdp::Domain::kInverse), "inverse-scale / sample (metric depth)", "inverse"},
    {0, nullptr, nullptr},
};

const GEnumValue kFit[] = {
    {static_cast<gint>(rdp::Fit::kSquares), "Least squared distances", "squares"},
    {static_cast<gint>(rdp::Fit::kAbsolute), "Near the least distances, cuts moved", "absolute"},
    {0, nullptr, nullptr},
};

const GEnumValue kOutput[] = {
    {GST_RDP_OUTPUT_PASSTHROUGH, "Pixels pass unchanged", "passthrough"},
    {GST_RDP_OUTPUT_RECONSTRUCT, "The segments' lines, written in place", "reconstruct"},
    {0, nullptr, nullptr},
};

const GEnumValue kOverlayStyle[] = {
    {static_cast<gint>(rdp::OverlayStyle::kSegments), "Each segment in its colour, ends marked",
     "segments"},
    {static_cast<gint>(rdp::OverlayStyle::kDepth), "The palette on the samples", "depth"},
    {static_cast<gint>(rdp::OverlayStyle::kEdges), "The segments' ends on dim samples", "edges"},
    {static_cast<gint>(rdp::OverlayStyle::kClasses), "Each segment in the colour of its class",
     "classes"},
    {static_cast<gint>(rdp::OverlayStyle::kBirdsEye), "The frame from above, in metres",
     "birdseye"},
    {0, nullptr, nullptr},
};

const GEnumValue kGround[] = {
    {static_cast<gint>(rdp::gst::GroundFrom::kAuto), "The frame's own columns vote", "auto"},
    {static_cast<gint>(rdp::gst::GroundFrom::kPlanes),
     "The planes of depthplanes on the frame; without them, the vote", "planes"},
    {0, nullptr, nullptr},
};

const GEnumValue kAnalytics[] = {
    {static_cast<gint>(rdp::gst::AnalyticsContent::kNone), "Nothing", "none"},
    {static_cast<gint>(rdp::gst::AnalyticsContent::kClasses), "A mask of the classes", "classes"},
    {static_cast<gint>(rdp::gst::AnalyticsContent::kObstacles),
     "The nearest obstacles as object detections", "obstacles"},
    {static_cast<gint>(rdp::gst::AnalyticsContent::kAll), "Both", "all"},
    {0, nullptr, nullptr},
};

}  // namespace

// Registered once, whichever thread comes first.
#define DEFINE_ENUM(function, name, values)                         \
  GType function(void) {                                            \
    static const GType type = g_enum_register_static(name, values); \
    return type;                                                    \
  }

DEFINE_ENUM(gst_rdp_domain_get_type, "GstRdpSegmentDomain", kDomain)
DEFINE_ENUM(gst_rdp_fit_get_type, "GstRdpSegmentFit", kFit)
DEFINE_ENUM(gst_rdp_output_get_type, "GstRdpSegmentOutput", kOutput)
DEFINE_ENUM(gst_rdp_overlay_style_get_type, "GstRdpSegmentOverlayStyle", kOverlayStyle)
DEFINE_ENUM(gst_rdp_ground_get_type, "GstRdpSegmentGround", kGround)
DEFINE_ENUM(gst_rdp_analytics_get_type, "GstRdpSegmentAnalytics", kAnalytics)
