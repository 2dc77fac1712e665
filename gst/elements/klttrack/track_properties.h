// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_KLTTRACK_TRACK_PROPERTIES_H_
#define RDP_GST_ELEMENTS_KLTTRACK_TRACK_PROPERTIES_H_

#include <array>

#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/overlay_pad.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/view_properties.h"
#include "gst/elements/klttrack/track_settings.h"

// The properties of klttrack.
namespace rdp::gst {

// Options of finding and tracking features: common/klt/parameters.h.
using OfKlt = PropertyOf<klt::Parameters>;

inline constexpr auto kKltProperties = std::to_array<PropertyRow<klt::Parameters>>({
    {{.name = "levels",
      .nick = "Levels",
      .blurb = "How many levels the pyramid has, the frame included: the more, the faster features "
               "may move",
      .flags = kWhilePlaying},
     OfKlt::as_uint<&klt::Parameters::levels>(1, 6)},
    {{.name = "pyramid-step",
      .nick = "Pyramid step",
      .blurb = "How much smaller each level is than the one before",
      .flags = kWhilePlaying},
     OfKlt::as_enum<&klt::Parameters::pyramid_step>(klt_pyramid_step_get_type)},
    {{.name = "window",
      .nick = "Window",
      .blurb = "The side of the windows that are compared, in pixels; 8, 12 and 16 are fast",
      .unit = "pixels",
      .flags = kWhilePlaying},
     OfKlt::as_uint<&klt::Parameters::window>(klt::kMinWindow, klt::kMaxWindow)},
    {{.name = "max-iterations",
      .nick = "Maximum iterations",
      .blurb = "How many steps the search takes on a level at most",
      .flags = kWhilePlaying},
     OfKlt::as_uint<&klt::Parameters::max_iterations>(5, 30)},
    {{.name = "epsilon",
      .nick = "Epsilon",
      .blurb = "The search on a level ends with a step of no more than this, in pixels",
      .unit = "pixels",
      .flags = kControllable},
     OfKlt::as_double<&klt::Parameters::epsilon>(0.0, 1.0)},
    {{.name = "light",
      .nick = "Light",
      .blurb = "How the light may change from frame to frame",
      .flags = kWhilePlaying},
     OfKlt::as_enum<&klt::Parameters::light>(klt_light_get_type)},
    {{.name = "min-eigenvalue",
      .nick = "Minimum eigenvalue",
      .blurb = "How much texture a window has at least: its smaller eigenvalue, a pixel, in (grey "
               "levels a pixel)^2",
      .flags = kControllable},
     OfKlt::as_double<&klt::Parameters::min_eigenvalue>(0.0, 1e6)},
    {{.name = "max-residual",
      .nick = "Maximum residual",
      .blurb = "Tracks end whose windows differ by more than this in the mean, in grey levels (0: "
               "none does)",
      .flags = kControllable},
     OfKlt::as_double<&klt::Parameters::max_residual>(0.0, 255.0)},
    {{.name = "check",
      .nick = "Check",
      .blurb = "Tracks end that, tracked back, miss where they came from by more than this, in "
               "pixels (0: none is tracked back)",
      .unit = "pixels",
      .flags = kControllable},
     OfKlt::as_double<&klt::Parameters::check>(0.0, 100.0)},
    {{.name = "predict",
      .nick = "Predict",
      .blurb = "Whether the search begins at the last displacement",
      .flags = kWhilePlaying},
     OfKlt::as_boolean<&klt::Parameters::predict>()},
    {{.name = "detector",
      .nick = "Detector",
      .blurb = "What finds new features",
      .flags = kWhilePlaying},
     OfKlt::as_enum<&klt::Parameters::detector>(klt_detector_get_type)},
    {{.name = "cell",
      .nick = "Cell",
      .blurb =
          "The side of the squares that get one new feature where they have none, in pixels, a "
          "multiple of 4",
      .unit = "pixels",
      .needs = "detector=shi-tomasi",
      .flags = kWhilePlaying},
     OfKlt::as_uint<&klt::Parameters::cell>(klt::kSquare, 1024)},
    {{.name = "quality",
      .nick = "Quality",
      .blurb = "Features are above this share of the frame's best score",
      .needs = "detector=shi-tomasi",
      .flags = kControllable},
     OfKlt::as_double<&klt::Parameters::quality>(0.0, 1.0)},
    {{.name = "max-features",
      .nick = "Maximum features",
      .blurb = "How many features there are at most, old and new: no more are found, the best ones "
               "first (0: any number)",
      .needs = "detector=shi-tomasi",
      .flags = kWhilePlaying},
     OfKlt::as_uint<&klt::Parameters::max_features>(0, G_MAXINT)},
});

inline constexpr auto kTrackOwnProperties = std::to_array<PropertyRow<TrackSettings>>({
    {{.name = "mask",
      .nick = "Mask",
      .blurb =
          "A file of PGM, 8 bits, of the frames' size: no feature is found where it is 0 (none: "
          "they are found anywhere)",
      .needs = "detector=shi-tomasi",
      .flags = kInReady},
     PropertyOf<TrackSettings>::as_string<&TrackSettings::mask>()},
});

inline constexpr auto kTrackProperties =
    join(properties_of_member<TrackSettings, &TrackSettings::parameters, kKltProperties>(),
         kTrackOwnProperties,
         base_properties<TrackSettings>(
             "Since the element went to PAUSED: frames, tracks in all of them, and in the last one "
             "(live); how many were new, and lost, by reason: lost-texture, lost-outside, "
             "lost-residual, lost-check, lost-crowded; last-time and mean-time of a frame in "
             "nanoseconds, backend and simd in use, pictures-dropped of the overlay"));

// Properties of the pad `overlay`.
inline constexpr auto kTrackStyleProperties = std::to_array<PropertyRow<TrackOverlaySettings>>({
    {{.name = "style", .nick = "Style", .blurb = "What is painted", .flags = kWhilePlaying},
     PropertyOf<TrackOverlaySettings>::as_enum<&klt::OverlayOptions::style>(
         klt_overlay_style_get_type)},
});
inline constexpr auto kTrackOverlayProperties =
    join(kTrackStyleProperties, legend_property<TrackOverlaySettings>(),
         surface_property<TrackOverlaySettings>());

inline constexpr char kTrackOverlayPad[] = "GstKltTrackOverlayPad";
using TrackOverlayPad = OverlayPad<kTrackOverlayPad, TrackOverlaySettings, kTrackOverlayProperties>;

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_KLTTRACK_TRACK_PROPERTIES_H_
