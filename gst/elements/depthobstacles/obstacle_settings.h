// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_SETTINGS_H_
#define RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_SETTINGS_H_

#include <gst/gst.h>

#include <string>

#include "common/obstacles/overlay.h"
#include "common/obstacles/parameters.h"
#include "common/obstacles/tracks.h"
#include "gst/elements/base/analyzer_settings.h"
#include "gst/elements/base/shared_text.h"

namespace rdp::gst {

// The enumerations of the properties.
GType obstacle_ground_get_type();
GType obstacle_ego_motion_get_type();
GType obstacle_analytics_get_type();
GType obstacle_overlay_style_get_type();

enum class ObstacleGround { kAuto, kSegments, kPlanes, kPose, kGiven };
enum class ObstacleEgoMotion { kNone, kGiven };
enum class ObstacleAnalytics { kNone, kObjects };

// Ground source and the user's camera mounting, in metres and degrees.
struct GroundSettings {
  ObstacleGround source = ObstacleGround::kAuto;
  double height = 0.0;  // 0: not said
  double pitch = 0.0;
  double roll = 0.0;

  bool operator==(const GroundSettings&) const = default;
};

// Settings that must be consistent with each other.
struct ObstacleValues {
  obstacles::Parameters parameters;
  GroundSettings ground;
};

// The user's settings of depthobstacles. A frame works on a copy taken when it arrives.
struct ObstacleSettings : AnalyzerSettings {
  ObstacleValues values;  // without the area
  SharedText area;
  double gate = 0.5;                  // m
  obstacles::TrackParameters tracks;  // without the gate
  ObstacleEgoMotion ego_motion = ObstacleEgoMotion::kNone;
  ObstacleAnalytics analytics = ObstacleAnalytics::kNone;
};

// The content of the pictures of the pad `overlay`.
struct ObstacleOverlaySettings : obstacles::OverlayOptions {
  guint surface = 0;
};

// Parses the corners of a polygon such as "0,-1 5,-1 5,1". False if the text is invalid. Throws
// std::bad_alloc.
bool read_area(const char* text, std::vector<obstacles::AreaCorner>* corners);

// Explains a contradiction between values that are each in range, with the remedy; empty if there
// is none. Throws std::bad_alloc.
std::string explain_values(const ObstacleValues& values);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_SETTINGS_H_
