// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_MARKER_MESSAGES_H_
#define RDP_COMMON_MCAP_MARKER_MESSAGES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/mcap/messages.h"

// Markers as ROS 2 Humble and newer have them.
namespace rdp::ros {

struct Pose {
  static constexpr const char* kName = "geometry_msgs/Pose";
  Point position;
  Quaternion orientation;
  RDP_ROS_FIELDS(position, orientation)
};

struct UVCoordinate {
  static constexpr const char* kName = "visualization_msgs/UVCoordinate";
  using Element = float;
  float u = 0.0F, v = 0.0F;
  RDP_ROS_FIELDS(u, v)
};

struct MeshFile {
  static constexpr const char* kName = "visualization_msgs/MeshFile";
  std::string_view filename;
  Blob data;
  RDP_ROS_FIELDS(filename, data)
};

struct Marker {
  static constexpr const char* kName = "visualization_msgs/Marker";
  static constexpr std::size_t kLeastBytes = 200;
  enum : std::int32_t { kCube = 1, kLineStrip = 4, kLineList = 5 };  // types
  enum : std::int32_t { kAdd = 0, kDeleteAll = 3 };                  // actions
  Header header;
  std::string_view ns;
  std::int32_t id = 0, type = 0, action = kAdd;
  Pose pose;
  Vector3 scale;
  ColorRGBA color;
  Duration lifetime;
  bool frame_locked = false;
  Packed<Point> points;
  Packed<ColorRGBA> colors;
  std::string_view texture_resource;
  CompressedImage texture;
  Packed<UVCoordinate> uv_coordinates;
  std::string_view text, mesh_resource;
  MeshFile mesh_file;
  bool mesh_use_embedded_materials = false;
  RDP_ROS_FIELDS(header, ns, id, type, action, pose, scale, color, lifetime, frame_locked, points,
                 colors, texture_resource, texture, uv_coordinates, text, mesh_resource, mesh_file,
                 mesh_use_embedded_materials)
};

struct MarkerArray {
  static constexpr const char* kName = "visualization_msgs/MarkerArray";
  std::vector<Marker> markers;
  RDP_ROS_FIELDS(markers)
};

}  // namespace rdp::ros

#endif  // RDP_COMMON_MCAP_MARKER_MESSAGES_H_
