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
      .blurb = "Source of the camera's own motion",
      .flags = kWhilePlaying},
     OfMotion::as_enum<&motion::Parameters::ego_motion>(motion_ego_motion_get_type)},
    {{.name = "reach",
      .nick = "Reach",
      .blurb = "Search radius for tracks that belong to a segment: columns to either side, in "
               "pixels of the depth frame",
      .unit = "pixels",
      .flags = kWhilePlaying},
     OfMotion::as_uint<&motion::Parameters::reach>(0, motion::kMaxReach)},
    {{.name = "min-tracks",
      .nick = "Minimum tracks",
      .blurb = "Minimum number of tracks for a velocity estimate",
      .flags = kWhilePlaying},
     OfMotion::as_uint<&motion::Parameters::min_tracks>(1, motion::kMaxTracks)},
    {{.name = "min-age",
      .nick = "Minimum age",
      .blurb = "Minimum age of a track that counts, in frames of the tracker",
      .unit = "frames",
      .flags = kWhilePlaying},
     OfMotion::as_uint<&motion::Parameters::min_age>(0, G_MAXINT)},
    {{.name = "tolerance",
      .nick = "Tolerance",
      .blurb = "Maximum disparity difference between a track and its segment, in pixels (depth "
               "cameras: three times depth-noise instead)",
      .unit = "pixels",
      .flags = kWhilePlaying},
     OfMotion::as_double<&motion::Parameters::tolerance>(0.0, motion::kMaxTolerance)},
    {{.name = "tolerance-relative",
      .nick = "Relative tolerance",
      .blurb = "Addition to tolerance, as a share of the disparity or depth",
      .flags = kWhilePlaying},
     OfMotion::as_double<&motion::Parameters::tolerance_relative>(0.0, 1.0)},
    {{.name = "filter",
      .nick = "Filter",
      .blurb = "Velocity estimator: two-frame difference or Kalman filter",
      .flags = kWhilePlaying},
     OfMotion::as_enum<&motion::Parameters::filter>(motion_filter_get_type)},
    {{.name = "disparity-noise",
      .nick = "Disparity noise",
      .blurb = "Standard deviation of a segment's disparity, in pixels",
      .unit = "pixels",
      .flags = kWhilePlaying},
     OfMotion::as_double<&motion::Parameters::disparity_noise>(motion::kLeastNoise,
                                                               motion::kMaxNoise)},
    {{.name = "depth-noise",
      .nick = "Depth noise",
      .blurb = "Standard deviation of depth at one metre, for depth cameras, in metres; grows with "
               "depth squared",
      .unit = "metres",
      .flags = kWhilePlaying},
     OfMotion::as_double<&motion::Parameters::depth_noise>(motion::kLeastNoise, motion::kMaxNoise)},
});

inline constexpr auto kPosesProperties = std::to_array<PropertyRow<MotionSettings>>({
    {{.name = "poses",
      .nick = "Poses",
      .blurb = "File with the poses of the camera, in the format of KITTI or TUM",
      .needs = "ego-motion=given",
      .flags = kInReady},
     PropertyOf<MotionSettings>::as_string<&MotionSettings::poses>()},
    {{.name = "time-origin",
      .nick = "Time origin",
      .blurb = "Time in poses that is time 0 of the frames, in s (for TUM's poses, the same as "
               "pngfoldersrc's time-origin)",
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
        "Statistics since the element went to PAUSED: frames with motion (frames), depth frames "
        "with tracks (paired) and without (unpaired), frames of tracks without depth (dropped), "
        "frames skipped to catch up (late); in the last frame: segments, those of known velocity "
        "and those that move, tracks and those with a filter, share of tracks that agree with the "
        "camera's motion (ego-inliers); last-time and mean-time of a frame in ns, pictures-dropped "
        "of the overlay"));

// Options of the pad `overlay`.
using OfMotionOverlay = PropertyOf<motion::OverlayOptions>;

inline constexpr auto kMotionOverlayProperties = join(
    std::to_array<PropertyRow<motion::OverlayOptions>>({
        {{.name = "style", .nick = "Style", .blurb = "Overlay style", .flags = kWhilePlaying},
         OfMotionOverlay::as_enum<&motion::OverlayOptions::style>(motion_overlay_style_get_type)},
        {{.name = "birdseye-range",
          .nick = "Bird's-eye range",
          .blurb = "Range of the bird's-eye view in metres (0 = as far as the frame shows)",
          .unit = "metres",
          .needs = "style=birdseye",
          .flags = kWhilePlaying},
         OfMotionOverlay::as_double<&motion::OverlayOptions::birdseye_range>(0.0, rdp::kMaxRange)},
    }),
    legend_property<motion::OverlayOptions>());

inline constexpr char kMotionOverlayPad[] = "GstRdpMotionOverlayPad";
using MotionOverlayPad =
    OverlayPad<kMotionOverlayPad, motion::OverlayOptions, kMotionOverlayProperties>;

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPMOTION_MOTION_PROPERTIES_H_
