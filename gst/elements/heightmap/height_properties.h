// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_PROPERTIES_H_
#define RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_PROPERTIES_H_

#include <array>

#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/camera_properties.h"
#include "gst/elements/base/overlay_pad.h"
#include "gst/elements/base/pairing_properties.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/view_properties.h"
#include "gst/elements/heightmap/height_settings.h"

// The properties of heightmap.
namespace rdp::gst {

inline constexpr double kMostHeight = heightmap::kMostMillimetres / 1000.0;

// Options of the search for heights: common/heightmap/reference.h defines each.
using OfSearch = PropertyOf<HeightSearch>;

inline constexpr auto kHeightLengths = std::to_array<PropertyRow<HeightSearch>>({
    {{.name = "min-height",
      .nick = "Minimum height",
      .blurb = "The lowest height above the ground that is looked for, in metres",
      .unit = "metres",
      .flags = kControllable},
     OfSearch::as_double<&HeightSearch::min_height>(0.0, kMostHeight)},
    {{.name = "max-height",
      .nick = "Maximum height",
      .blurb = "The highest one, in metres; above it nothing is known. With min-height and "
               "height-step at most 63 heights",
      .unit = "metres",
      .flags = kControllable},
     OfSearch::as_double<&HeightSearch::max_height>(0.0, kMostHeight)},
    {{.name = "height-step",
      .nick = "Step of heights",
      .blurb = "From one height to the next, in metres",
      .unit = "metres",
      .flags = kControllable},
     OfSearch::as_double<&HeightSearch::height_step>(0.001, kMostHeight)},
    {{.name = "low-step",
      .nick = "Step of low heights",
      .blurb = "From one height to the next of those below min-height, which explain what is "
               "unknown, in metres (0: unknown-cost alone)",
      .unit = "metres",
      .flags = kControllable},
     OfSearch::as_double<&HeightSearch::low_step>(0.0, kMostHeight)},
});

using OfHeights = PropertyOf<heightmap::Parameters>;

inline constexpr auto kHeightParameters = std::to_array<PropertyRow<heightmap::Parameters>>({
    {{.name = "unknown-cost",
      .nick = "Cost of unknown",
      .blurb = "What a pixel costs that nothing explains: the more, the more pixels get a height",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::unknown_cost>(0, 127)},
    {{.name = "low-bias",
      .nick = "Bias of low heights",
      .blurb = "By how much a height may cost more than the best low one",
      .flags = kControllable},
     OfHeights::as_int<&heightmap::Parameters::low_bias>(-64, 63)},
    {{.name = "smoothness",
      .nick = "Smoothness",
      .blurb = "What a step of one height from a pixel to the next one costs",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::smoothness>(1, 15)},
    {{.name = "max-jump",
      .nick = "Cost of a jump",
      .blurb = "What any larger step costs at most",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::max_jump>(1, 31)},
    {{.name = "unknown-jump",
      .nick = "Cost of an edge",
      .blurb = "What a step between a height and unknown costs",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::unknown_jump>(1, 31)},
    {{.name = "edge-contrast",
      .nick = "Contrast of an edge",
      .blurb = "By how much neighbours in the reference picture differ where heads may end, in "
               "grey steps (0: anywhere alike)",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::edge_contrast>(0, 255)},
    {{.name = "edge-jump",
      .nick = "Cost at an edge",
      .blurb = "What a step between a height and unknown costs there",
      .needs = "edge-contrast",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::edge_jump>(1, 31)},
    {{.name = "slope",
      .nick = "Slope",
      .blurb = "Whether heights are expected to rise along the vertical, as what stands upright "
               "does in the picture",
      .flags = kControllable},
     OfHeights::as_boolean<&heightmap::Parameters::slope>()},
    {{.name = "max-slope",
      .nick = "Maximum slope",
      .blurb = "By how many heights they are expected to rise from a pixel to the next one at most",
      .needs = "slope=true",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::max_slope>(1, 2)},
    {{.name = "window",
      .nick = "Window",
      .blurb = "The side of the window in which views are compared, in pixels, odd",
      .unit = "pixels",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::window>(1, heightmap::kMostWindow)},
    {{.name = "speckle",
      .nick = "Speckle",
      .blurb = "Connected pixels of like height are unknown where they are no more than this, and "
               "a head has so many votes, in pixels (-1: a third of a disc of 0.2 m across, 0: "
               "off)",
      .unit = "pixels",
      .flags = kControllable},
     OfHeights::as_int<&heightmap::Parameters::speckle>(-1, G_MAXINT)},
    {{.name = "iterations",
      .nick = "Iterations",
      .blurb = "How often half of the pixels tell their neighbours what they know; with tolerance, "
               "at most",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::iterations>(0, 10000)},
    {{.name = "tolerance",
      .nick = "Tolerance",
      .blurb = "The iterations end where ten of them lower the energy by no more than this, in "
               "millionths (0: off)",
      .unit = "millionths",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::tolerance>(0, 1000000)},
});

using OfHeightmap = PropertyOf<HeightSettings>;

inline constexpr auto kHeightOwnProperties = std::to_array<PropertyRow<HeightSettings>>({
    {{.name = "reference",
      .nick = "Reference",
      .blurb = "The number of the pad whose view is labelled; time, segment and rate are its own, "
               "too",
      .flags = kInReady},
     OfHeightmap::as_uint<&HeightSettings::reference>(0, heightmap::kMostViews - 1)},
    {{.name = "output",
      .nick = "Output",
      .blurb = "What the samples on src are: 0 is unknown in both",
      .flags = kWhilePlaying},
     OfHeightmap::as_enum<&HeightSettings::output>(height_output_get_type)},
    {{.name = "undistort",
      .nick = "Undistort",
      .blurb = "What becomes of views whose lens distorts",
      .flags = kInReady},
     OfHeightmap::as_enum<&HeightSettings::undistort>(undistort_get_type)},
    {{.name = "area",
      .nick = "Area",
      .blurb = "The corners of a polygon on the ground, \"x,y x,y x,y\" in metres: heads beyond it "
               "are not listed, and the pad ground shows its bounding box (none: everywhere)",
      .unit = "metres",
      .flags = kInReady},
     OfHeightmap::as_string<&HeightSettings::area>()},
    {{.name = "cell-size",
      .nick = "Cell size",
      .blurb = "The side of a cell of the pad ground, and of the ground as the overlay shows it "
               "from above, in metres",
      .unit = "metres",
      .flags = kInReady},
     OfHeightmap::as_double<&HeightSettings::cell_size>(0.001, 1000.0)},
    {{.name = "table-memory",
      .nick = "Memory of the table",
      .blurb = "Where the pixels' places in the other views need more than this, they are worked "
               "out for each set, which takes longer, in MB",
      .unit = "MB",
      .flags = kInReady},
     OfHeightmap::as_uint<&HeightSettings::table_memory>(0, 1000000)},
});

inline constexpr auto kHeightSync = std::to_array<PropertyRow<PairingSettings>>({
    {{.name = "sync-tolerance",
      .nick = "Synchronisation tolerance",
      .blurb = "How far apart the views of a set may be, from the earliest to the latest, in ns "
               "(0: 5 ms); wider sets are dropped",
      .unit = "ns",
      .flags = kWhilePlaying},
     OfPairing::as_uint64<&PairingSettings::sync_tolerance>()},
});
inline constexpr auto kHeightLatency = choose(kPairingProperties, {"latency"});

inline constexpr auto kHeightCalibration = std::to_array<PropertyRow<CameraSettings>>({
    {{.name = "calibration",
      .nick = "Calibration",
      .blurb = "File with the cameras of all views in one world whose ground is Z = 0, or one for "
               "each with commas between them: JSON with projections, or others (none: the cameras "
               "on the buffers)",
      .flags = kInReady},
     OfCamera::as_string<&CameraSettings::calibration>()},
});
inline constexpr auto kHeightCalibrationUnit = choose(kCameraProperties, {"calibration-unit"});

inline constexpr auto kSearchParameters =
    properties_of_member<HeightSearch, &HeightSearch::parameters, kHeightParameters>();

inline constexpr auto kHeightProperties = join(
    properties_of_member<HeightSettings, &HeightSettings::search, kHeightLengths>(),
    properties_of_member<HeightSettings, &HeightSettings::search, kSearchParameters>(),
    kHeightOwnProperties,
    properties_of_member<HeightSettings, &HeightSettings::camera, kHeightCalibration>(),
    properties_of_member<HeightSettings, &HeightSettings::camera, kHeightCalibrationUnit>(),
    properties_of_member<HeightSettings, &HeightSettings::pairing, kHeightSync>(),
    properties_of_member<HeightSettings, &HeightSettings::pairing, kHeightLatency>(),
    base_properties<HeightSettings>(
        "Since the element went to PAUSED: sets; frames of the reference that are in none "
        "(unpaired), of the other views (dropped), sets dropped as they spread too far (wide), "
        "sets left out to catch up (late); of the last set the time from its earliest to its "
        "latest frame in nanoseconds (spread), and the largest of all (largest-spread), the share "
        "of the pixels that is known (known), heads, iterations and energy; last-time and "
        "mean-time of a set in nanoseconds, backend and simd in use, pictures-dropped of the "
        "overlay; inputs has of each pad the frames in a set (used) and in none (dropped)"));

// Options of the pad `overlay`.
using OfHeightsOverlay = PropertyOf<heightmap::OverlayOptions>;

inline constexpr auto kHeightsOverlayProperties = join(
    std::to_array<PropertyRow<heightmap::OverlayOptions>>({
        {{.name = "style", .nick = "Style", .blurb = "What is painted", .flags = kWhilePlaying},
         OfHeightsOverlay::as_enum<&heightmap::OverlayOptions::style>(
             heights_overlay_style_get_type)},
    }),
    legend_property<heightmap::OverlayOptions>());

inline constexpr char kHeightsOverlayPad[] = "GstHeightmapOverlayPad";
using HeightsOverlayPad =
    OverlayPad<kHeightsOverlayPad, heightmap::OverlayOptions, kHeightsOverlayProperties>;

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_PROPERTIES_H_
