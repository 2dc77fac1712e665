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
      .blurb = "Number of pyramid levels, including the frame; more levels follow faster motion",
      .flags = kWhilePlaying},
     OfKlt::as_uint<&klt::Parameters::levels>(1, 6)},
    {{.name = "pyramid-step",
      .nick = "Pyramid step",
      .blurb = "Scale factor from one pyramid level to the next",
      .flags = kWhilePlaying},
     OfKlt::as_enum<&klt::Parameters::pyramid_step>(klt_pyramid_step_get_type)},
    {{.name = "window",
      .nick = "Window",
      .blurb = "Side of the tracking window in pixels (8, 12 and 16 are fast)",
      .unit = "pixels",
      .flags = kWhilePlaying},
     OfKlt::as_uint<&klt::Parameters::window>(klt::kMinWindow, klt::kMaxWindow)},
    {{.name = "max-iterations",
      .nick = "Maximum iterations",
      .blurb = "Maximum number of search steps per pyramid level",
      .flags = kWhilePlaying},
     OfKlt::as_uint<&klt::Parameters::max_iterations>(5, 30)},
    {{.name = "epsilon",
      .nick = "Epsilon",
      .blurb = "Convergence threshold in pixels: a step this small ends the search on a level",
      .unit = "pixels",
      .flags = kControllable},
     OfKlt::as_double<&klt::Parameters::epsilon>(0.0, 1.0)},
    {{.name = "light",
      .nick = "Light",
      .blurb = "Illumination model: none, bias, or gain and bias",
      .flags = kWhilePlaying},
     OfKlt::as_enum<&klt::Parameters::light>(klt_light_get_type)},
    {{.name = "min-eigenvalue",
      .nick = "Minimum eigenvalue",
      .blurb =
          "Minimum texture of a window: smaller eigenvalue per pixel, in (grey levels per pixel)^2",
      .flags = kControllable},
     OfKlt::as_double<&klt::Parameters::min_eigenvalue>(0.0, 1e6)},
    {{.name = "max-residual",
      .nick = "Maximum residual",
      .blurb = "Maximum mean difference between the windows of a track, in grey levels (0 = off)",
      .flags = kControllable},
     OfKlt::as_double<&klt::Parameters::max_residual>(0.0, 255.0)},
    {{.name = "check",
      .nick = "Check",
      .blurb = "Forward-backward check: maximum error in pixels (0 = off)",
      .unit = "pixels",
      .flags = kControllable},
     OfKlt::as_double<&klt::Parameters::check>(0.0, 100.0)},
    {{.name = "predict",
      .nick = "Predict",
      .blurb = "Start the search at the previous displacement",
      .flags = kWhilePlaying},
     OfKlt::as_boolean<&klt::Parameters::predict>()},
    {{.name = "warp",
      .nick = "Warp",
      .blurb = "Motion of windows: translation, or affine, which corrects tracks by the patch that "
               "each keeps",
      .flags = kWhilePlaying},
     OfKlt::as_enum<&klt::Parameters::warp>(klt_warp_get_type)},
    {{.name = "max-correction",
      .nick = "Maximum correction",
      .blurb = "Maximum correction of a track by its patch in pixels, in x or y; tracks beyond it "
               "are lost (0 = unlimited)",
      .unit = "pixels",
      .needs = "warp=affine",
      .flags = kControllable},
     OfKlt::as_double<&klt::Parameters::max_correction>(0.0, 100.0)},
    {{.name = "template-residual",
      .nick = "Template residual",
      .blurb = "Mean difference between a window and its patch above which the track takes a new "
               "patch, in grey levels (0 = off)",
      .needs = "warp=affine",
      .flags = kControllable},
     OfKlt::as_double<&klt::Parameters::template_residual>(0.0, 255.0)},
    {{.name = "detector",
      .nick = "Detector",
      .blurb = "Detector of new features",
      .flags = kWhilePlaying},
     OfKlt::as_enum<&klt::Parameters::detector>(klt_detector_get_type)},
    {{.name = "cell",
      .nick = "Cell",
      .blurb = "Side of the squares that get one new feature if they have none, in pixels, a "
               "multiple of 4",
      .unit = "pixels",
      .needs = "detector=shi-tomasi",
      .flags = kWhilePlaying},
     OfKlt::as_uint<&klt::Parameters::cell>(klt::kSquare, 1024)},
    {{.name = "quality",
      .nick = "Quality",
      .blurb = "Minimum score of a new feature, as a share of the frame's best score",
      .needs = "detector=shi-tomasi",
      .flags = kControllable},
     OfKlt::as_double<&klt::Parameters::quality>(0.0, 1.0)},
    {{.name = "max-features",
      .nick = "Maximum features",
      .blurb = "Maximum number of features, old and new; the best new ones are added first (0 = "
               "unlimited)",
      .needs = "detector=shi-tomasi",
      .flags = kWhilePlaying},
     OfKlt::as_uint<&klt::Parameters::max_features>(0, G_MAXINT)},
});

inline constexpr auto kTrackOwnProperties = std::to_array<PropertyRow<TrackSettings>>({
    {{.name = "mask",
      .nick = "Mask",
      .blurb = "Mask file, PGM with 8 bits, of the frames' size: no features are found where it is "
               "0 (not set = features anywhere)",
      .needs = "detector=shi-tomasi",
      .flags = kInReady},
     PropertyOf<TrackSettings>::as_string<&TrackSettings::mask>()},
});

inline constexpr auto kTrackProperties = join(
    properties_of_member<TrackSettings, &TrackSettings::parameters, kKltProperties>(),
    kTrackOwnProperties,
    base_properties<TrackSettings>(
        "Statistics since the element went to PAUSED: frames, tracks in all of them, tracks in the "
        "last one (live), new ones (new), patches taken (templates), lost ones by reason "
        "(lost-texture, lost-outside, lost-residual, lost-check, lost-crowded, lost-template); "
        "last-time and mean-time of a frame in ns, backend and simd in use, pictures-dropped of "
        "the overlay"));

// Properties of the pad `overlay`.
inline constexpr auto kTrackStyleProperties = std::to_array<PropertyRow<TrackOverlaySettings>>({
    {{.name = "style", .nick = "Style", .blurb = "Overlay style", .flags = kWhilePlaying},
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
