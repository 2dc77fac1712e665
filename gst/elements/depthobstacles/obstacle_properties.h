// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_PROPERTIES_H_
#define RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_PROPERTIES_H_

#include <array>

#include "common/rdp/birdseye.h"
#include "gst/elements/base/base_properties.h"
#include "gst/elements/base/camera_properties.h"
#include "gst/elements/base/overlay_pad.h"
#include "gst/elements/base/property_table.h"
#include "gst/elements/base/view_properties.h"
#include "gst/elements/depthobstacles/obstacle_settings.h"

// The properties of depthobstacles, and of its pad `overlay`. Lengths are metres.
namespace rdp::gst {

using OfGround = PropertyOf<GroundSettings>;

inline constexpr auto kGroundProperties = std::to_array<PropertyRow<GroundSettings>>({
    {{.name = "ground",
      .nick = "Ground",
      .blurb = "Source of the ground that obstacles stand on",
      .flags = kWhilePlaying},
     OfGround::as_enum<&GroundSettings::source>(obstacle_ground_get_type)},
    {{.name = "camera-height",
      .nick = "Camera height",
      .blurb = "Height of the camera above the ground in metres (0 = not known)",
      .unit = "metres",
      .flags = kControllable},
     OfGround::as_double<&GroundSettings::height>(0.0, 100.0)},
    {{.name = "camera-pitch",
      .nick = "Camera pitch",
      .blurb = "Angle of the camera's view below the horizon, in degrees",
      .unit = "degrees",
      .needs = "camera-height",
      .flags = kControllable},
     OfGround::as_double<&GroundSettings::pitch>(-90.0, 90.0)},
    {{.name = "camera-roll",
      .nick = "Camera roll",
      .blurb = "Angle by which the image's right side is lower, in degrees",
      .unit = "degrees",
      .needs = "camera-height",
      .flags = kControllable},
     OfGround::as_double<&GroundSettings::roll>(-180.0, 180.0)},
});

inline constexpr auto kKnownProperties = std::to_array<PropertyRow<KnownRange>>({
    {{.name = "min-value",
      .nick = "Minimum value",
      .blurb = "Smallest valid sample; smaller ones are unknown",
      .flags = kWhilePlaying},
     PropertyOf<KnownRange>::as_uint<&KnownRange::first>(0, 65535)},
    {{.name = "max-value",
      .nick = "Maximum value",
      .blurb = "Largest valid sample; larger ones are unknown",
      .flags = kWhilePlaying},
     PropertyOf<KnownRange>::as_uint<&KnownRange::last>(0, 65535)},
});

// Options of the search: common/obstacles/parameters.h.
using OfObstacles = PropertyOf<obstacles::Parameters>;
inline constexpr double kMaxHeight = 65.535;
inline constexpr double kMaxReach = 131.0;

inline constexpr auto kSearchProperties = std::to_array<PropertyRow<obstacles::Parameters>>({
    {{.name = "refine",
      .nick = "Refine",
      .blurb = "Fit the ground to the samples near it in each frame",
      .flags = kWhilePlaying},
     OfObstacles::as_boolean<&obstacles::Parameters::refine>()},
    {{.name = "min-height",
      .nick = "Minimum height",
      .blurb = "Minimum height of obstacles above the ground in metres (street 0.3, parcels 0.015)",
      .unit = "metres",
      .flags = kControllable},
     OfObstacles::as_double<&obstacles::Parameters::min_height>(0.001, kMaxHeight)},
    {{.name = "max-height",
      .nick = "Maximum height",
      .blurb = "Height above the ground in metres up to which samples are obstacles (street 2.5)",
      .unit = "metres",
      .flags = kControllable},
     OfObstacles::as_double<&obstacles::Parameters::max_height>(0.001, kMaxHeight)},
    {{.name = "ground-tolerance",
      .nick = "Ground tolerance",
      .blurb = "Addition to min-height for each metre of distance, in metres per metre (parcels 0)",
      .unit = "metres per metre",
      .flags = kControllable},
     OfObstacles::as_double<&obstacles::Parameters::ground_tolerance>(0.0, 1.0)},
    {{.name = "drop-depth",
      .nick = "Drop depth",
      .blurb = "Minimum depth of steps down and holes in metres; useful from 0.2 (0 = off)",
      .unit = "metres",
      .flags = kControllable},
     OfObstacles::as_double<&obstacles::Parameters::drop_depth>(0.0, kMaxHeight)},
    {{.name = "range",
      .nick = "Range",
      .blurb = "Maximum distance on the ground in metres (street 50, parcels 3)",
      .unit = "metres",
      .flags = kControllable},
     OfObstacles::as_double<&obstacles::Parameters::range>(0.1, kMaxReach)},
    {{.name = "cell-size",
      .nick = "Cell size",
      .blurb = "Side of the cells of the grid on the ground, in metres (street 0.2, parcels 0.01)",
      .unit = "metres",
      .flags = kControllable},
     OfObstacles::as_double<&obstacles::Parameters::cell_size>(0.001, kMaxReach)},
    {{.name = "cell-samples",
      .nick = "Cell samples",
      .blurb = "Minimum number of samples of an occupied cell (frames 320 wide 2, 160 wide 1)",
      .flags = kWhilePlaying},
     OfObstacles::as_uint<&obstacles::Parameters::cell_samples>(1, G_MAXINT)},
    {{.name = "scan-bins",
      .nick = "Scan bins",
      .blurb = "Number of bearings of the scan (MAVLink 72)",
      .flags = kWhilePlaying},
     OfObstacles::as_uint<&obstacles::Parameters::scan_bins>(1, obstacles::kMaxBins)},
    {{.name = "scan-fov",
      .nick = "Scan field of view",
      .blurb = "Angle of all bearings of the scan, in degrees",
      .unit = "degrees",
      .flags = kWhilePlaying},
     OfObstacles::as_uint<&obstacles::Parameters::scan_fov>(1, 180)},
    {{.name = "free-gap",
      .nick = "Free gap",
      .blurb = "Maximum length of unseen ground that free distances bridge, in metres",
      .unit = "metres",
      .flags = kControllable},
     OfObstacles::as_double<&obstacles::Parameters::free_gap>(0.0, kMaxReach)},
    {{.name = "link",
      .nick = "Link",
      .blurb = "Maximum distance of cells of one object, in cells",
      .unit = "cells",
      .flags = kWhilePlaying},
     OfObstacles::as_uint<&obstacles::Parameters::link>(1, obstacles::kMaxLink)},
    {{.name = "split-height",
      .nick = "Split height",
      .blurb = "Maximum step of height within an object in metres (parcels 0.02, 0 = off)",
      .unit = "metres",
      .flags = kControllable},
     OfObstacles::as_double<&obstacles::Parameters::split_height>(0.0, kMaxHeight)},
    {{.name = "object-samples",
      .nick = "Object samples",
      .blurb = "Minimum number of samples of an object (parcels 50)",
      .flags = kWhilePlaying},
     OfObstacles::as_uint<&obstacles::Parameters::object_samples>(1, G_MAXINT)},
    {{.name = "max-objects",
      .nick = "Maximum objects",
      .blurb = "Maximum number of objects; the nearest are kept",
      .flags = kWhilePlaying},
     OfObstacles::as_uint<&obstacles::Parameters::max_objects>(1, obstacles::kMaxObjects)},
});

inline constexpr auto kParameterProperties = join(
    properties_of_member<obstacles::Parameters, &obstacles::Parameters::known, kKnownProperties>(),
    kSearchProperties);
inline constexpr auto kValueProperties =
    join(properties_of_member<ObstacleValues, &ObstacleValues::ground, kGroundProperties>(),
         properties_of_member<ObstacleValues, &ObstacleValues::parameters, kParameterProperties>());

using OfTracks = PropertyOf<obstacles::TrackParameters>;

inline constexpr auto kObstacleTrackProperties =
    std::to_array<PropertyRow<obstacles::TrackParameters>>({
        {{.name = "track-memory",
          .nick = "Track memory",
          .blurb = "Number of frames over which speeds are fitted",
          .flags = kWhilePlaying},
         OfTracks::as_uint<&obstacles::TrackParameters::memory>(2, 64)},
        {{.name = "track-keep",
          .nick = "Track keep",
          .blurb = "Number of frames that an object may be hidden before its id is lost",
          .flags = kWhilePlaying},
         OfTracks::as_uint<&obstacles::TrackParameters::keep>(0, 255)},
    });

using OfDepthObstacles = PropertyOf<ObstacleSettings>;

inline constexpr auto kObstacleOwnProperties = std::to_array<PropertyRow<ObstacleSettings>>({
    {{.name = "area",
      .nick = "Area",
      .blurb = "Polygon on the ground that obstacles are looked for in: corners as x,y in metres, "
               "forward and left, such as 0,-1 5,-1 5,1 0,1 (not set = everywhere)",
      .unit = "metres",
      .flags = kWhilePlaying},
     OfDepthObstacles::as_string<&ObstacleSettings::area>()},
    {{.name = "gate",
      .nick = "Gate",
      .blurb = "Maximum distance in metres of an object from where its track expects it (cars 1)",
      .unit = "metres",
      .flags = kControllable},
     OfDepthObstacles::as_double<&ObstacleSettings::gate>(0.0, 100.0)},
    {{.name = "ego-motion",
      .nick = "Ego-motion",
      .blurb = "Source of the camera's own motion",
      .flags = kInReady},
     OfDepthObstacles::as_enum<&ObstacleSettings::ego_motion>(obstacle_ego_motion_get_type)},
    {{.name = "analytics",
      .nick = "Analytics",
      .blurb = "Content of GStreamer's analytics metadata on frames, in builds with GStreamer 1.26 "
               "or newer: objects and their tracks",
      .flags = kWhilePlaying},
     OfDepthObstacles::as_enum<&ObstacleSettings::analytics>(obstacle_analytics_get_type)},
});

inline constexpr auto kObstacleProperties = join(
    properties_of_member<ObstacleSettings, &ObstacleSettings::values, kValueProperties>(),
    properties_of_member<ObstacleSettings, &ObstacleSettings::tracks, kObstacleTrackProperties>(),
    kObstacleOwnProperties,
    properties_of_member<ObstacleSettings, &ObstacleSettings::camera, kCameraProperties>(),
    base_properties<ObstacleSettings>(
        "Statistics since the element went to PAUSED: frames, objects in all of them, frames "
        "without a ground (groundless); of the last frame: ground (its source), refined, "
        "inliers, camera-height, found (objects), tracks, and the share of unknown bearings "
        "(unknown); last-time and mean-time of the search in ns, backend and simd in use, "
        "pictures-dropped of the overlay"));

// Options of the pad `overlay`.
using OfObstacleOverlay = PropertyOf<ObstacleOverlaySettings>;

inline constexpr auto kObstacleStyleProperties =
    std::to_array<PropertyRow<ObstacleOverlaySettings>>({
        {{.name = "style", .nick = "Style", .blurb = "Overlay style", .flags = kWhilePlaying},
         OfObstacleOverlay::as_enum<&obstacles::OverlayOptions::style>(
             obstacle_overlay_style_get_type)},
        {{.name = "birdseye-range",
          .nick = "Bird's-eye range",
          .blurb = "Range of the views from above in metres (0 = as far as the frame shows)",
          .unit = "metres",
          .needs = "style=birdseye or style=scan",
          .flags = kWhilePlaying},
         OfObstacleOverlay::as_double<&obstacles::OverlayOptions::birdseye_range>(0.0,
                                                                                  rdp::kMaxRange)},
    });
inline constexpr auto kObstacleOverlayProperties =
    join(kObstacleStyleProperties, legend_property<ObstacleOverlaySettings>(),
         surface_property<ObstacleOverlaySettings>());

inline constexpr char kObstacleOverlayPad[] = "GstDepthObstaclesOverlayPad";
using ObstacleOverlayPad =
    OverlayPad<kObstacleOverlayPad, ObstacleOverlaySettings, kObstacleOverlayProperties>;

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_PROPERTIES_H_
