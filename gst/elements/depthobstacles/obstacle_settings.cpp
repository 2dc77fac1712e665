// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthobstacles/obstacle_settings.h"

#include <cmath>

#include "common/obstacles/geometry.h"
#include "gst/elements/base/enum_type.h"
#include "gst/memory/frame_layout.h"

namespace rdp::gst {

GType obstacle_ground_get_type() {
  using Ground = ObstacleGround;
  return enum_type<Ground>(
      "GstDepthObstaclesGround",
      {{Ground::kAuto,
        "Segments, else planes, else the previous frames' ground, else camera-height; with "
        "camera-height only grounds of about that height",
        "auto"},
       {Ground::kSegments, "Ground of rdpsegment's classes on the frame", "segments"},
       {Ground::kPlanes, "Ground of depthplanes on the frame", "planes"},
       {Ground::kPose, "Ground z = 0 of the world of the camera's pose", "pose"},
       {Ground::kGiven, "camera-height, camera-pitch and camera-roll", "given"}});
}

GType obstacle_ego_motion_get_type() {
  return enum_type<ObstacleEgoMotion>(
      "GstDepthObstaclesEgoMotion",
      {{ObstacleEgoMotion::kNone, "Unknown: speeds are relative to the camera", "none"},
       {ObstacleEgoMotion::kGiven, "By the camera's poses: speeds are over ground", "given"}});
}

GType obstacle_analytics_get_type() {
  return enum_type<ObstacleAnalytics>(
      "GstDepthObstaclesAnalytics",
      {{ObstacleAnalytics::kNone, "Nothing", "none"},
       {ObstacleAnalytics::kObjects, "Objects as object detections with tracking", "objects"}});
}

GType obstacle_overlay_style_get_type() {
  using Style = obstacles::OverlayStyle;
  return enum_type<Style>(
      "GstDepthObstaclesOverlayStyle",
      {{Style::kBoxes,
        "Ground green, obstacles orange, drops violet; boxes with id, distance and size", "boxes"},
       {Style::kBirdsEye, "Bird's-eye view of the grid, with objects and their speeds", "birdseye"},
       {Style::kScan, "Free space and nearest obstacle of each bearing, from above", "scan"}});
}

// A decimal point in every locale, and nothing but numbers between the separators.
bool read_area(const char* text, std::vector<obstacles::AreaCorner>* corners) {
  constexpr double kFarthest = 1e6;  // whole millimetres fit
  corners->clear();
  const auto skip = [&] {
    while (g_ascii_isspace(*text) != FALSE) ++text;
  };
  const auto read = [&](double* number) {
    gchar* end = nullptr;
    *number = g_ascii_strtod(text, &end);
    const bool any = end != text && std::abs(*number) <= kFarthest;
    text = end;
    return any;
  };
  for (skip(); *text != '\0'; skip()) {
    obstacles::AreaCorner corner;
    if (!read(&corner.x) || *text != ',') return false;
    ++text;
    if (!read(&corner.y) || (*text != '\0' && g_ascii_isspace(*text) == FALSE)) return false;
    corners->push_back(corner);
  }
  return corners->size() >= 3;
}

std::string explain_values(const ObstacleValues& values) {
  const obstacles::Parameters& of = values.parameters;
  if (!(of.min_height < of.max_height)) {
    return format_text("min-height=%g is not below max-height=%g: set min-height lower",
                       of.min_height, of.max_height);
  }
  const int cell = obstacles::millimetres(of.cell_size);
  const int cells = (obstacles::millimetres(of.range) + cell - 1) / cell;
  if (cells > obstacles::kMaxGridSide) {
    return format_text(
        "range=%g and cell-size=%g make %d cells from the camera to the range, expected at most "
        "%d: set cell-size to %g or more",
        of.range, of.cell_size, cells, obstacles::kMaxGridSide,
        std::ceil(1000.0 * of.range / obstacles::kMaxGridSide) / 1000.0);
  }
  if (values.ground.source == ObstacleGround::kGiven && !(values.ground.height > 0.0)) {
    return "ground=given needs camera-height, which is 0: set it to the camera's height above the "
           "ground in metres, or set ground=auto";
  }
  return {};
}

}  // namespace rdp::gst
