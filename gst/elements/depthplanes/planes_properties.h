// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_PROPERTIES_H_
#define RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_PROPERTIES_H_

#include <array>

#include "common/planes/limits.h"
#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/camera_properties.h"
#include "gst/elements/base/overlay_pad.h"
#include "gst/elements/base/palette_properties.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/depthplanes/planes_settings.h"

// The properties of depthplanes, and of its pad `overlay`. Lengths are metres.
namespace rdp::gst {

// Options of the search for planes: common/planes/parameters.h.
using OfPlanes = PropertyOf<planes::Parameters>;

inline constexpr auto kFindProperties = std::to_array<PropertyRow<planes::Parameters>>({
    {{.name = "min-value",
      .nick = "Minimum value",
      .blurb = "Smallest known sample; smaller ones are unknown",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::min_value>(0, 65535)},
    {{.name = "max-value",
      .nick = "Maximum value",
      .blurb = "Largest known sample; larger ones are unknown",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::max_value>(0, 65535)},
    {{.name = "noise",
      .nick = "Noise",
      .blurb = "What samples of frames deviate at 1 m, in 1/m: it grows with the square of the "
               "distance (0: measured in each frame)",
      .unit = "1/m",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::noise>(0.0, 1.0)},
    {{.name = "noise-floor",
      .nick = "Noise floor",
      .blurb = "What samples of frames deviate at any distance, in metres",
      .unit = "metres",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::noise_floor>(0.0, 10.0)},
    {{.name = "bend",
      .nick = "Bend",
      .blurb = "How much the planes of a frame bend, in metres a metre",
      .unit = "metres a metre",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::bend>(0.0, 1.0)},
    {{.name = "tolerance",
      .nick = "Tolerance",
      .blurb = "How far the points of a plane are from it at most, in metres; of frames the most "
               "that planes which are merged may bend (0: 0.005 of frames, 0.02 of clouds)",
      .unit = "metres",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::tolerance>(0.0, 100.0)},
    {{.name = "tolerance-z2",
      .nick = "Tolerance at distance",
      .blurb = "By how much the tolerance of frames grows with the square of the distance, in 1/m "
               "(0 for laser)",
      .unit = "1/m",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::tolerance_z2>(0.0, 1.0)},
    {{.name = "max-thickness",
      .nick = "Maximum thickness",
      .blurb = "Planes are dropped whose points' deviation is more than this share of their "
               "smaller extent (0: none is; -1: none of frames, of clouds above 0.2)",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::max_thickness>(-1.0, 10.0)},
    {{.name = "fill",
      .nick = "Fill",
      .blurb = "Which share of a square's pixels must be known for it to vote",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::fill>(0.0, 1.0)},
    {{.name = "directions",
      .nick = "Directions",
      .blurb = "How many directions votes have from pole to pole, at least 2 (0: 45)",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::directions>(0, planes::kMostDirections)},
    {{.name = "distance-step",
      .nick = "Distance step",
      .blurb = "The step of the distances that votes have, in metres (0: 0.04 of frames, of clouds "
               "by their size)",
      .unit = "metres",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::distance_step>(0.0, 100.0)},
    {{.name = "rounds",
      .nick = "Rounds",
      .blurb = "How many times votes are counted: later rounds find what stronger planes hide (0: "
               "4 for frames, 2 for clouds)",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::rounds>(0, 16)},
    {{.name = "min-inliers",
      .nick = "Minimum inliers",
      .blurb = "How many pixels or points a plane has at least (0: a 300th of a frame's pixels, "
               "0.2 % of a cloud's points)",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::min_inliers>(0, G_MAXINT)},
    {{.name = "max-planes",
      .nick = "Maximum planes",
      .blurb = "How many planes are kept at most, the largest ones",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::max_planes>(1, planes::kMostPlanes)},
    {{.name = "connected",
      .nick = "Connected",
      .blurb = "Whether parts of a plane of a frame that do not touch are planes of their own",
      .flags = kWhilePlaying},
     OfPlanes::as_boolean<&planes::Parameters::connected>()},
    {{.name = "hull",
      .nick = "Hull",
      .blurb = "Whether planes have the corners of their convex hull, and an area",
      .flags = kWhilePlaying},
     OfPlanes::as_boolean<&planes::Parameters::hull>()},
    {{.name = "ground-tilt",
      .nick = "Ground tilt",
      .blurb = "How far the ground's normal may be from up, in degrees",
      .unit = "degrees",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::ground_tilt>(0.0, 90.0)},
    {{.name = "min-level",
      .nick = "Minimum level",
      .blurb = "At which level of a cloud's octree nodes begin to vote, 0: its root",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::min_level>(0, 8)},
    {{.name = "max-depth",
      .nick = "Maximum depth",
      .blurb = "How many levels a cloud's octree has below its root (0: 7, above a million points "
               "8)",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::max_depth>(0, 8)},
    {{.name = "min-points",
      .nick = "Minimum points",
      .blurb = "How many points a node of a cloud's octree has at least",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::min_points>(3, G_MAXINT)},
    {{.name = "resolution",
      .nick = "Resolution",
      .blurb = "What the coordinates of clouds are rounded to, in metres (0: a millionth of the "
               "cloud's longest edge)",
      .unit = "metres",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::resolution>(0.0, 100.0)},
    {{.name = "zero-is-unknown",
      .nick = "Zero is unknown",
      .blurb = "Whether points of a cloud at (0, 0, 0) are unknown",
      .flags = kWhilePlaying},
     OfPlanes::as_boolean<&planes::Parameters::zero_is_unknown>()},
});

using OfPlanesElement = PropertyOf<PlanesSettings>;

inline constexpr auto kPlanesOwnProperties = std::to_array<PropertyRow<PlanesSettings>>({
    {{.name = "up",
      .nick = "Up",
      .blurb = "Which way is up, three numbers in the axes of the camera or of the cloud, for the "
               "ground (none: as the pose says, else -y of a camera, z of clouds with "
               "axes=forward-left-up)",
      .flags = kWhilePlaying},
     OfPlanesElement::as_numbers<&PlanesSettings::up>()},
    {{.name = "output",
      .nick = "Output",
      .blurb = "What the pixels on src carry: the samples, or the labels in frames of GRAY8",
      .flags = kInReady},
     OfPlanesElement::as_enum<&PlanesSettings::output>(planes_output_get_type)},
});

inline constexpr auto kPlanesProperties =
    join(properties_of_member<PlanesSettings, &PlanesSettings::parameters, kFindProperties>(),
         kPlanesOwnProperties,
         properties_of_member<PlanesSettings, &PlanesSettings::camera, kCameraProperties>(),
         base_properties<PlanesSettings>(
             "Since the element went to PAUSED: frames, planes; of the last frame or cloud: known, "
             "outside, nodes, planar-nodes, voters, peaks, found, and why others were not: small, "
             "thick, surplus, merged; noise, resolution, coarser; ground, and no-ground says why "
             "there is none; last-time and mean-time of the search in nanoseconds, backend and "
             "simd in use, pictures-dropped of the overlay"));

// Options of the pad `overlay`.
using OfPlanesOverlay = PropertyOf<PlanesOverlaySettings>;

inline constexpr auto kPlanesStyleProperties = std::to_array<PropertyRow<PlanesOverlaySettings>>({
    {{.name = "style", .nick = "Style", .blurb = "What is painted", .flags = kWhilePlaying},
     OfPlanesOverlay::as_enum<&planes::OverlayOptions::style>(planes_overlay_style_get_type)},
});
inline constexpr auto kPlanesViewProperties = std::to_array<PropertyRow<PlanesOverlaySettings>>({
    {{.name = "residual-range",
      .nick = "Residual range",
      .blurb =
          "The distance from its plane at which style=residual ends, in metres (0: three times "
          "the root mean square)",
      .unit = "metres",
      .flags = kWhilePlaying},
     OfPlanesOverlay::as_double<&planes::OverlayOptions::residual_range>(0.0, 100.0)},
});
inline constexpr auto kPlanesOverlayProperties =
    join(kPlanesStyleProperties, palette_properties<PlanesOverlaySettings>(), kPlanesViewProperties,
         surface_property<PlanesOverlaySettings>());

inline constexpr char kPlanesOverlayPad[] = "GstDepthPlanesOverlayPad";
using PlanesOverlayPad =
    OverlayPad<kPlanesOverlayPad, PlanesOverlaySettings, kPlanesOverlayProperties>;

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_PROPERTIES_H_
