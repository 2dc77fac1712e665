// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPMOTION_MOTION_PROPERTIES_H_
#define RDP_GST_ELEMENTS_RDPMOTION_MOTION_PROPERTIES_H_

#include <array>

#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/camera_properties.h"
#include "gst/elements/base/overlay_pad.h"
#include "gst/elements/base/pairing_properties.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/view_properties.h"
#include "gst/elements/rdpmotion/motion_settings.h"

// The properties of rdpmotion.
namespace rdp::gst {

// Options of the velocity estimate: common/motion/parameters.h.
using OfMotion = PropertyOf<motion::Parameters>;

inline constexpr auto kMotionParameterProperties = std::to_array<PropertyRow<motion::Parameters>>({
    {{.name = "ego-motion",
      .nick = "Ego-motion",
      .blurb = "How the camera's own motion is known",
      .flags = kWhilePlaying},
     OfMotion::as_enum<&motion::Parameters::ego_motion>(motion_ego_motion_get_type)},
    {{.name = "reach",
      .nick = "Reach",
      .blurb = "How many columns to either side the tracks of a segment are looked for, in "
               "pixels of the depth frame",
      .unit = "pixels",
      .flags = kWhilePlaying},
     OfMotion::as_uint<&motion::Parameters::reach>(0, motion::kMostReach)},
    {{.name = "min-tracks",
      .nick = "Minimum tracks",
      .blurb = "With fewer tracks than this nothing is known of a segment",
      .flags = kWhilePlaying},
     OfMotion::as_uint<&motion::Parameters::min_tracks>(1, motion::kMostTracks)},
    {{.name = "min-age",
      .nick = "Minimum age",
      .blurb = "How old a track has to be to count, in frames of the tracker",
      .unit = "frames",
      .flags = kWhilePlaying},
     OfMotion::as_uint<&motion::Parameters::min_age>(0, G_MAXINT)},
    {{.name = "tolerance",
      .nick = "Tolerance",
      .blurb = "How far a track's disparity may be from that of a segment which it belongs to, "
               "in pixels; depth cameras have three depth-noise instead",
      .unit = "pixels",
      .flags = kWhilePlaying},
     OfMotion::as_double<&motion::Parameters::tolerance>(0.0, motion::kMostTolerance)},
    {{.name = "tolerance-relative",
      .nick = "Relative tolerance",
      .blurb = "The same, as a part of the disparity, or of the depth, that is added to it",
      .flags = kWhilePlaying},
     OfMotion::as_double<&motion::Parameters::tolerance_relative>(0.0, 1.0)},
    {{.name = "filter",
      .nick = "Filter",
      .blurb = "How velocities come of places",
      .flags = kWhilePlaying},
     OfMotion::as_enum<&motion::Parameters::filter>(motion_filter_get_type)},
    {{.name = "disparity-noise",
      .nick = "Noise of disparity",
      .blurb = "The standard deviation of a segment's disparity, in pixels",
      .unit = "pixels",
      .flags = kWhilePlaying},
     OfMotion::as_double<&motion::Parameters::disparity_noise>(motion::kLeastNoise,
                                                               motion::kMostNoise)},
    {{.name = "depth-noise",
      .nick = "Noise of depth",
      .blurb = "Of depth cameras: the standard deviation at one metre, which grows with the "
               "square of the depth, in metres",
      .unit = "metres",
      .flags = kWhilePlaying},
     OfMotion::as_double<&motion::Parameters::depth_noise>(motion::kLeastNoise,
                                                           motion::kMostNoise)},
});

inline constexpr auto kPosesProperties = std::to_array<PropertyRow<MotionSettings>>({
    {{.name = "poses",
      .nick = "Poses",
      .blurb = "File with the pose of the camera for each frame, as KITTI or TUM have it",
      .needs = "ego-motion=given",
      .flags = kInReady},
     PropertyOf<MotionSettings>::as_string<&MotionSettings::poses>()},
    {{.name = "time-origin",
      .nick = "Time origin",
      .blurb = "Time in poses, in s, that is time 0 of the frames: of TUM's poses, that of "
               "pngfoldersrc's time-origin",
      .unit = "s",
      .needs = "poses",
      .flags = kInReady},
     PropertyOf<MotionSettings>::as_double<&MotionSettings::time_origin>(0.0, 9e9)},
});

inline constexpr auto kMotionProperties = join(
    properties_of_member<MotionSettings, &MotionSettings::parameters, kMotionParameterProperties>(),
    kPosesProperties,
    properties_of_member<MotionSettings, &MotionSettings::camera, kCameraProperties>(),
    properties_of_member<MotionSettings, &MotionSettings::pairing, kPairingProperties>(),
    stats_property<MotionSettings>(
        "Since the element went to PAUSED: frames that got motion (frames), frames of depth that "
        "met tracks (paired) and that met none (unpaired), frames of tracks that met none "
        "(dropped), frames left out to catch up (late); of the last "
        "frame: segments, those of known velocity and those that move, tracks and those with a "
        "filter, and the part of the tracks that agree with the camera's motion (ego-inliers); "
        "last-time and mean-time of a frame in nanoseconds, pictures-dropped of the overlay"));

// Options of the pad `overlay`.
using OfMotionOverlay = PropertyOf<motion::OverlayOptions>;

inline constexpr auto kMotionOverlayProperties = join(
    std::to_array<PropertyRow<motion::OverlayOptions>>({
        {{.name = "style", .nick = "Style", .blurb = "What is painted", .flags = kWhilePlaying},
         OfMotionOverlay::as_enum<&motion::OverlayOptions::style>(motion_overlay_style_get_type)},
        {{.name = "birdseye-range",
          .nick = "Bird's-eye range",
          .blurb = "How far ahead the bird's-eye view goes, in metres (0: as far as the frame "
                   "shows)",
          .unit = "metres",
          .needs = "style=birdseye",
          .flags = kWhilePlaying},
         OfMotionOverlay::as_double<&motion::OverlayOptions::birdseye_range>(0.0, rdp::kMostRange)},
    }),
    legend_property<motion::OverlayOptions>());

inline constexpr char kMotionOverlayPad[] = "GstRdpMotionOverlayPad";
using MotionOverlayPad =
    OverlayPad<kMotionOverlayPad, motion::OverlayOptions, kMotionOverlayProperties>;

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPMOTION_MOTION_PROPERTIES_H_
