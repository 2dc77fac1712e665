// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpmotion/motion_settings.h"

#include "gst/elements/base/enum_type.h"

namespace rdp::gst {

GType motion_ego_motion_get_type() {
  using motion::EgoMotion;
  return enum_type<EgoMotion>(
      "GstRdpMotionEgoMotion",
      {{EgoMotion::kNone, "None: velocities are relative to the camera", "none"},
       {EgoMotion::kGiven, "From the file poses, or the pose of the camera on the frames", "given"},
       {EgoMotion::kEstimate, "Estimated from the tracks, most of which must stand still",
        "estimate"}});
}

GType motion_filter_get_type() {
  using motion::Filter;
  return enum_type<Filter>("GstRdpMotionFilter",
                           {{Filter::kNone, "None: difference of two frames", "none"},
                            {Filter::kKalman, "Kalman filter per track", "kalman"}});
}

GType motion_overlay_style_get_type() {
  using Style = motion::OverlayStyle;
  return enum_type<Style>(
      "GstRdpMotionOverlayStyle",
      {{Style::kMotion, "Segments, moving ones with colours and arrows", "motion"},
       {Style::kBirdsEye, "Bird's-eye view of the frame, in metres, with the same arrows",
        "birdseye"}});
}

}  // namespace rdp::gst
