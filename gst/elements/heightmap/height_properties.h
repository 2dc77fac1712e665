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

inline constexpr double kMaxHeight = heightmap::kMaxMillimetres / 1000.0;

// Options of the search for heights: common/heightmap/reference.h defines each.
using OfSearch = PropertyOf<HeightSearch>;

inline constexpr auto kHeightLengths = std::to_array<PropertyRow<HeightSearch>>({
    {{.name = "min-height",
      .nick = "Minimum height",
      .blurb = "Minimum height above the ground to search, in metres",
      .unit = "metres",
      .flags = kControllable},
     OfSearch::as_double<&HeightSearch::min_height>(0.0, kMaxHeight)},
    {{.name = "max-height",
      .nick = "Maximum height",
      .blurb = "Maximum height above the ground to search, in metres; higher surfaces stay unknown "
               "(at most 63 heights in steps of height-step)",
      .unit = "metres",
      .flags = kControllable},
     OfSearch::as_double<&HeightSearch::max_height>(0.0, kMaxHeight)},
    {{.name = "height-step",
      .nick = "Height step",
      .blurb = "Step between searched heights, in metres",
      .unit = "metres",
      .flags = kControllable},
     OfSearch::as_double<&HeightSearch::height_step>(0.001, kMaxHeight)},
    {{.name = "low-step",
      .nick = "Low height step",
      .blurb = "Step between the low heights that explain unknown pixels (from the ground to below "
               "min-height), in metres (0 = unknown-cost alone)",
      .unit = "metres",
      .flags = kControllable},
     OfSearch::as_double<&HeightSearch::low_step>(0.0, kMaxHeight)},
});

using OfHeights = PropertyOf<heightmap::Parameters>;

inline constexpr auto kHeightParameters = std::to_array<PropertyRow<heightmap::Parameters>>({
    {{.name = "unknown-cost",
      .nick = "Unknown cost",
      .blurb = "Maximum cost of an unknown pixel; higher values give denser, less reliable heights",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::unknown_cost>(0, 127)},
    {{.name = "low-bias",
      .nick = "Low height bias",
      .blurb = "Cost of an unknown pixel beyond that of its best low height; higher values give "
               "denser, less reliable heights",
      .flags = kControllable},
     OfHeights::as_int<&heightmap::Parameters::low_bias>(-64, 63)},
    {{.name = "smoothness",
      .nick = "Smoothness",
      .blurb = "Smoothness penalty for a one-label difference between neighbouring pixels",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::smoothness>(1, 15)},
    {{.name = "max-jump",
      .nick = "Maximum jump penalty",
      .blurb = "Maximum smoothness penalty, for any larger difference between neighbouring pixels",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::max_jump>(1, 31)},
    {{.name = "unknown-jump",
      .nick = "Unknown jump penalty",
      .blurb = "Penalty between a pixel with a height and an unknown neighbour",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::unknown_jump>(1, 31)},
    {{.name = "edge-contrast",
      .nick = "Edge contrast",
      .blurb = "Minimum difference of neighbours in the reference picture that counts as an edge, "
               "where heads may end, in grey levels (0 = no edges)",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::edge_contrast>(0, 255)},
    {{.name = "edge-jump",
      .nick = "Edge jump penalty",
      .blurb = "Penalty between a pixel with a height and an unknown neighbour, at an edge",
      .needs = "edge-contrast",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::edge_jump>(1, 31)},
    {{.name = "slope",
      .nick = "Slope",
      .blurb = "Expect heights to rise along the vertical in the picture, as upright surfaces do",
      .flags = kControllable},
     OfHeights::as_boolean<&heightmap::Parameters::slope>()},
    {{.name = "max-slope",
      .nick = "Maximum slope",
      .blurb = "Maximum expected rise from a pixel to the next, in height steps",
      .needs = "slope=true",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::max_slope>(1, 2)},
    {{.name = "window",
      .nick = "Window",
      .blurb = "Side of the matching window in pixels, odd",
      .unit = "pixels",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::window>(1, heightmap::kMaxWindow)},
    {{.name = "speckle",
      .nick = "Speckle",
      .blurb = "Maximum size of a connected region that becomes unknown, and minimum votes for a "
               "head, in pixels (-1 = a third of a disc 0.2 m across, 0 = off)",
      .unit = "pixels",
      .flags = kControllable},
     OfHeights::as_int<&heightmap::Parameters::speckle>(-1, G_MAXINT)},
    {{.name = "iterations",
      .nick = "Iterations",
      .blurb = "Number of belief-propagation half-iterations (maximum if tolerance is set)",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::iterations>(0, 10000)},
    {{.name = "tolerance",
      .nick = "Tolerance",
      .blurb = "Stop criterion: energy reduction by ten half-iterations, in millionths (0 = off)",
      .unit = "millionths",
      .flags = kControllable},
     OfHeights::as_uint<&heightmap::Parameters::tolerance>(0, 1000000)},
});

using OfHeightmap = PropertyOf<HeightSettings>;

inline constexpr auto kHeightOwnProperties = std::to_array<PropertyRow<HeightSettings>>({
    {{.name = "reference",
      .nick = "Reference",
      .blurb = "Index of the pad whose view gets the heights; src has its time, segment and rate",
      .flags = kInReady},
     OfHeightmap::as_uint<&HeightSettings::reference>(0, heightmap::kMaxViews - 1)},
    {{.name = "output",
      .nick = "Output",
      .blurb = "Quantity in the samples on src: height or depth (0 = unknown in both)",
      .flags = kWhilePlaying},
     OfHeightmap::as_enum<&HeightSettings::output>(height_output_get_type)},
    {{.name = "undistort",
      .nick = "Undistort",
      .blurb = "Handling of views with lens distortion",
      .flags = kInReady},
     OfHeightmap::as_enum<&HeightSettings::undistort>(undistort_get_type)},
    {{.name = "area",
      .nick = "Area",
      .blurb = "Polygon on the ground, corners \"x,y x,y x,y\" in metres: heads outside are not "
               "listed, the pad ground shows its bounding box (not set = everywhere)",
      .unit = "metres",
      .flags = kInReady},
     OfHeightmap::as_string<&HeightSettings::area>()},
    {{.name = "cell-size",
      .nick = "Cell size",
      .blurb = "Side of a cell on the pad ground and in the overlay's bird's-eye view, in metres",
      .unit = "metres",
      .flags = kInReady},
     OfHeightmap::as_double<&HeightSettings::cell_size>(0.001, 1000.0)},
    {{.name = "table-memory",
      .nick = "Table memory",
      .blurb = "Maximum size of the projection lookup table in MB; above it, projections are "
               "recomputed for each set (slower; CPU only, a GPU has no table)",
      .unit = "MB",
      .flags = kInReady},
     OfHeightmap::as_uint<&HeightSettings::table_memory>(0, 1000000)},
    {{.name = "track-heads",
      .nick = "Track heads",
      .blurb = "Give each head an id, which stays the same from set to set, and a velocity",
      .flags = kWhilePlaying},
     OfHeightmap::as_boolean<&HeightSettings::track_heads>()},
    {{.name = "gate",
      .nick = "Gate",
      .blurb = "Maximum distance in metres of a head from where its track expects it",
      .unit = "metres",
      .needs = "track-heads=true",
      .flags = kControllable},
     OfHeightmap::as_double<&HeightSettings::gate>(0.0, 100.0)},
});

using OfHeadTracks = PropertyOf<obstacles::TrackParameters>;

inline constexpr auto kHeadTrackProperties =
    std::to_array<PropertyRow<obstacles::TrackParameters>>({
        {{.name = "track-memory",
          .nick = "Track memory",
          .blurb = "Number of sets over which velocities are fitted",
          .needs = "track-heads=true",
          .flags = kWhilePlaying},
         OfHeadTracks::as_uint<&obstacles::TrackParameters::memory>(2, 64)},
        {{.name = "track-keep",
          .nick = "Track keep",
          .blurb = "Number of sets that a head may be hidden in before its id is lost",
          .needs = "track-heads=true",
          .flags = kWhilePlaying},
         OfHeadTracks::as_uint<&obstacles::TrackParameters::keep>(0, 255)},
    });

inline constexpr auto kHeightSync = std::to_array<PropertyRow<PairingSettings>>({
    {{.name = "sync-tolerance",
      .nick = "Synchronisation tolerance",
      .blurb = "Maximum time difference between the earliest and latest view of a set, in ns; "
               "wider sets are dropped (0 = 5 ms)",
      .unit = "ns",
      .flags = kWhilePlaying},
     OfPairing::as_uint64<&PairingSettings::sync_tolerance>()},
});
inline constexpr auto kHeightLatency = choose(kPairingProperties, {"latency"});

inline constexpr auto kHeightCalibration = std::to_array<PropertyRow<CameraSettings>>({
    {{.name = "calibration",
      .nick = "Calibration",
      .blurb = "Calibration file with all views in one world whose ground is Z = 0, or one file "
               "per view separated by commas: JSON with projections, or others (not set = the "
               "cameras on the buffers)",
      .flags = kInReady},
     OfCamera::as_string<&CameraSettings::calibration>()},
});
inline constexpr auto kHeightCalibrationUnit = choose(kCameraProperties, {"calibration-unit"});

inline constexpr auto kSearchParameters =
    properties_of_member<HeightSearch, &HeightSearch::parameters, kHeightParameters>();

inline constexpr auto kHeightProperties =
    join(properties_of_member<HeightSettings, &HeightSettings::search, kHeightLengths>(),
         properties_of_member<HeightSettings, &HeightSettings::search, kSearchParameters>(),
         kHeightOwnProperties,
         properties_of_member<HeightSettings, &HeightSettings::tracks, kHeadTrackProperties>(),
         properties_of_member<HeightSettings, &HeightSettings::camera, kHeightCalibration>(),
         properties_of_member<HeightSettings, &HeightSettings::camera, kHeightCalibrationUnit>(),
         properties_of_member<HeightSettings, &HeightSettings::pairing, kHeightSync>(),
         properties_of_member<HeightSettings, &HeightSettings::pairing, kHeightLatency>(),
         base_properties<HeightSettings>(
             "Statistics since the element went to PAUSED: sets, of those paired; reference frames "
             "in no set (unpaired), other frames in no set (dropped), sets dropped for a time "
             "spread above sync-tolerance (wide), sets skipped to catch up (late); in the last set "
             "the time from its earliest to its latest frame in ns (spread; of all sets: "
             "largest-spread), share of known pixels (known), heads, iterations and energy; "
             "last-time and mean-time of a set in ns, backend and simd in use, pictures-dropped of "
             "the overlay; inputs: for each pad the frames in a set (used) and in none (dropped)"));

// Options of the pad `overlay`.
using OfHeightsOverlay = PropertyOf<heightmap::OverlayOptions>;

inline constexpr auto kHeightsOverlayProperties =
    join(std::to_array<PropertyRow<heightmap::OverlayOptions>>({
             {{.name = "style", .nick = "Style", .blurb = "Overlay style", .flags = kWhilePlaying},
              OfHeightsOverlay::as_enum<&heightmap::OverlayOptions::style>(
                  heights_overlay_style_get_type)},
         }),
         legend_property<heightmap::OverlayOptions>());

inline constexpr char kHeightsOverlayPad[] = "GstHeightmapOverlayPad";
using HeightsOverlayPad =
    OverlayPad<kHeightsOverlayPad, heightmap::OverlayOptions, kHeightsOverlayProperties>;

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_HEIGHTMAP_HEIGHT_PROPERTIES_H_
