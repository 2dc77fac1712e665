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
      .blurb = "Smallest valid sample; smaller ones are unknown",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::min_value>(0, 65535)},
    {{.name = "max-value",
      .nick = "Maximum value",
      .blurb = "Largest valid sample; larger ones are unknown",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::max_value>(0, 65535)},
    {{.name = "noise",
      .nick = "Noise",
      .blurb = "Depth noise of frames at 1 m, in 1/m; grows with distance squared (0 = estimate "
               "per frame)",
      .unit = "1/m",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::noise>(0.0, 1.0)},
    {{.name = "noise-floor",
      .nick = "Noise floor",
      .blurb = "Depth noise of frames at any distance, in metres",
      .unit = "metres",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::noise_floor>(0.0, 10.0)},
    {{.name = "bend",
      .nick = "Bend",
      .blurb = "Allowed bend of planes in frames, in metres per metre",
      .unit = "metres per metre",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::bend>(0.0, 1.0)},
    {{.name = "tolerance",
      .nick = "Tolerance",
      .blurb = "Plane tolerance in metres: distance of points from their plane in clouds, offset "
               "between planes that merge in frames (0 = 0.005 for frames, 0.02 for clouds)",
      .unit = "metres",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::tolerance>(0.0, 100.0)},
    {{.name = "tolerance-z2",
      .nick = "Tolerance at distance",
      .blurb = "Growth of tolerance with distance squared in frames, in 1/m (0 for laser)",
      .unit = "1/m",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::tolerance_z2>(0.0, 1.0)},
    {{.name = "max-thickness",
      .nick = "Maximum thickness",
      .blurb = "Drop planes whose deviation exceeds this fraction of their smaller extent (0 = "
               "off, -1 = off for frames, 0.2 for point clouds)",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::max_thickness>(-1.0, 10.0)},
    {{.name = "fill",
      .nick = "Fill",
      .blurb = "Minimum share of known pixels in a square that votes",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::fill>(0.0, 1.0)},
    {{.name = "directions",
      .nick = "Directions",
      .blurb = "Angular resolution of the Hough accumulator: rows from pole to pole, at least 2 (0 "
               "= 45)",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::directions>(0, planes::kMaxDirections)},
    {{.name = "distance-step",
      .nick = "Distance step",
      .blurb = "Distance resolution of the Hough accumulator in metres (0 = 0.04 for frames, by "
               "their size for clouds)",
      .unit = "metres",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::distance_step>(0.0, 100.0)},
    {{.name = "rounds",
      .nick = "Rounds",
      .blurb = "Number of voting rounds; later rounds find planes hidden by stronger ones (0 = 4 "
               "for frames, 2 for clouds)",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::rounds>(0, 16)},
    {{.name = "min-inliers",
      .nick = "Minimum inliers",
      .blurb = "Minimum number of pixels or points of a plane (0 = 1/300 of a frame's pixels, 0.2 "
               "% of a cloud's points)",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::min_inliers>(0, G_MAXINT)},
    {{.name = "max-planes",
      .nick = "Maximum planes",
      .blurb = "Maximum number of planes; the largest are kept",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::max_planes>(1, planes::kMaxPlanes)},
    {{.name = "connected",
      .nick = "Connected",
      .blurb = "Split planes of a frame into connected parts",
      .flags = kWhilePlaying},
     OfPlanes::as_boolean<&planes::Parameters::connected>()},
    {{.name = "hull",
      .nick = "Hull",
      .blurb = "Compute the convex hull and the area of each plane",
      .flags = kWhilePlaying},
     OfPlanes::as_boolean<&planes::Parameters::hull>()},
    {{.name = "ground-tilt",
      .nick = "Ground tilt",
      .blurb = "Maximum angle between the ground's normal and up, in degrees",
      .unit = "degrees",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::ground_tilt>(0.0, 90.0)},
    {{.name = "min-level",
      .nick = "Minimum level",
      .blurb = "Level of a cloud's octree at which nodes begin to vote (0 = root)",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::min_level>(0, 8)},
    {{.name = "max-depth",
      .nick = "Maximum depth",
      .blurb = "Number of levels of a cloud's octree below its root (0 = 7, or 8 above a million "
               "points)",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::max_depth>(0, 8)},
    {{.name = "min-points",
      .nick = "Minimum points",
      .blurb = "Minimum number of points in a node of a cloud's octree",
      .flags = kWhilePlaying},
     OfPlanes::as_uint<&planes::Parameters::min_points>(3, G_MAXINT)},
    {{.name = "resolution",
      .nick = "Resolution",
      .blurb =
          "Rounding step of a cloud's coordinates in metres (0 = a millionth of its longest edge)",
      .unit = "metres",
      .flags = kControllable},
     OfPlanes::as_double<&planes::Parameters::resolution>(0.0, 100.0)},
    {{.name = "zero-is-unknown",
      .nick = "Zero is unknown",
      .blurb = "Treat points of a cloud at (0, 0, 0) as unknown",
      .flags = kWhilePlaying},
     OfPlanes::as_boolean<&planes::Parameters::zero_is_unknown>()},
});

using OfPlanesElement = PropertyOf<PlanesSettings>;

inline constexpr auto kPlanesOwnProperties = std::to_array<PropertyRow<PlanesSettings>>({
    {{.name = "up",
      .nick = "Up",
      .blurb =
          "Up direction for the ground: three numbers in the axes of the camera or the cloud (not "
          "set = from the pose, else -y of a camera, z of clouds with axes=forward-left-up)",
      .flags = kWhilePlaying},
     OfPlanesElement::as_numbers<&PlanesSettings::up>()},
    {{.name = "output",
      .nick = "Output",
      .blurb = "Content of src: the samples unchanged, or labels of planes, as GRAY8 or in each "
               "point",
      .flags = kInReady},
     OfPlanesElement::as_enum<&PlanesSettings::output>(planes_output_get_type)},
});

inline constexpr auto kPlanesProperties =
    join(properties_of_member<PlanesSettings, &PlanesSettings::parameters, kFindProperties>(),
         kPlanesOwnProperties,
         properties_of_member<PlanesSettings, &PlanesSettings::camera, kCameraProperties>(),
         base_properties<PlanesSettings>(
             "Statistics since the element went to PAUSED: frames, planes; in the last frame or "
             "cloud: known, outside, nodes, planar-nodes, voters, peaks, found, planes dropped as "
             "small, thick, surplus or merged, noise, resolution, coarser, ground, and no-ground "
             "(reason if there is none); last-time and mean-time of the search in ns, backend and "
             "simd in use, pictures-dropped of the overlay"));

// Options of the pad `overlay`.
using OfPlanesOverlay = PropertyOf<PlanesOverlaySettings>;

inline constexpr auto kPlanesStyleProperties = std::to_array<PropertyRow<PlanesOverlaySettings>>({
    {{.name = "style", .nick = "Style", .blurb = "Overlay style", .flags = kWhilePlaying},
     OfPlanesOverlay::as_enum<&planes::OverlayOptions::style>(planes_overlay_style_get_type)},
});
inline constexpr auto kPlanesViewProperties = std::to_array<PropertyRow<PlanesOverlaySettings>>({
    {{.name = "residual-range",
      .nick = "Residual range",
      .blurb = "Distance from the plane at which the palette of style=residual ends, in metres (0 "
               "= three times the root mean square)",
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
