// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpmotion/motion_settings.h"

#include "gst/elements/base/enum_type.h"

namespace rdp::gst {

GType motion_ego_motion_get_type() {
  using motion::EgoMotion;
  return enum_type<EgoMotion>(
      "GstRdpMotionEgoMotion",
      {{EgoMotion::kNone, "Not known: velocities are relative to the camera", "none"},
       {EgoMotion::kGiven, "By the file of poses, or the pose of the frames' camera", "given"},
       {EgoMotion::kEstimate, "From the tracks, most of which have to stand still", "estimate"}});
}

GType motion_filter_get_type() {
  using motion::Filter;
  return enum_type<Filter>("GstRdpMotionFilter",
                           {{Filter::kNone, "None: velocities are of two frames alone", "none"},
                            {Filter::kKalman, "A Kalman filter for each track", "kalman"}});
}

GType motion_overlay_style_get_type() {
  using Style = motion::OverlayStyle;
  return enum_type<Style>(
      "GstRdpMotionOverlayStyle",
      {{Style::kMotion, "The segments, with colours and arrows at what moves", "motion"},
       {Style::kBirdsEye, "The frame from above, in metres, with the same arrows", "birdseye"}});
}

}  // namespace rdp::gst
