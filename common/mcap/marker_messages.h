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

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "position orientation", self.position, self.orientation);
  }
};

struct UVCoordinate {
  static constexpr const char* kName = "visualization_msgs/UVCoordinate";
  using Element = float;
  float u = 0.0F, v = 0.0F;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "u v", self.u, self.v);
  }
};

struct MeshFile {
  static constexpr const char* kName = "visualization_msgs/MeshFile";
  std::string_view filename;
  Blob data;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "filename data", self.filename, self.data);
  }
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

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code,
                "header ns id type action pose scale color lifetime frame_locked points colors "
                "texture_resource texture uv_coordinates text mesh_resource mesh_file "
                "mesh_use_embedded_materials",
                self.header, self.ns, self.id, self.type, self.action, self.pose, self.scale,
                self.color, self.lifetime, self.frame_locked, self.points, self.colors,
                self.texture_resource, self.texture, self.uv_coordinates, self.text,
                self.mesh_resource, self.mesh_file, self.mesh_use_embedded_materials);
  }
};

struct MarkerArray {
  static constexpr const char* kName = "visualization_msgs/MarkerArray";
  std::vector<Marker> markers;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "markers", self.markers);
  }
};

}  // namespace rdp::ros

#endif  // RDP_COMMON_MCAP_MARKER_MESSAGES_H_
