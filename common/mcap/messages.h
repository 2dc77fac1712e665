// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_MESSAGES_H_
#define RDP_COMMON_MCAP_MESSAGES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/mcap/cdr.h"

// The messages of ROS 2 that recordings have, with the fields in their order. Texts and data are
// views of what a program writes, or of the message that was read.
namespace rdp::ros {

// kName: the type in schema texts. kLeastBytes of what is in sequences: the fewest that one takes.
struct Time {
  static constexpr const char* kName = "builtin_interfaces/Time";
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;

  static Time of_nanoseconds(std::int64_t ns) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const std::int64_t below = (ns % kSecond + kSecond) % kSecond;
    return {static_cast<std::int32_t>((ns - below) / kSecond), static_cast<std::uint32_t>(below)};
  }
  std::int64_t nanoseconds() const { return std::int64_t{sec} * 1'000'000'000 + nanosec; }

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("sec", self.sec);
    code("nanosec", self.nanosec);
  }
};

struct Duration {
  static constexpr const char* kName = "builtin_interfaces/Duration";
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("sec", self.sec);
    code("nanosec", self.nanosec);
  }
};

struct Header {
  static constexpr const char* kName = "std_msgs/Header";
  Time stamp;
  std::string_view frame_id;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("stamp", self.stamp);
    code("frame_id", self.frame_id);
  }
};

struct Image {
  static constexpr const char* kName = "sensor_msgs/Image";
  Header header;
  std::uint32_t height = 0, width = 0;
  std::string_view encoding;
  std::uint8_t is_bigendian = 0;
  std::uint32_t step = 0;
  Blob data;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("header", self.header);
    code("height", self.height);
    code("width", self.width);
    code("encoding", self.encoding);
    code("is_bigendian", self.is_bigendian);
    code("step", self.step);
    code("data", self.data);
  }
};

struct CompressedImage {
  static constexpr const char* kName = "sensor_msgs/CompressedImage";
  Header header;
  std::string_view format;
  Blob data;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("header", self.header);
    code("format", self.format);
    code("data", self.data);
  }
};

struct RegionOfInterest {
  static constexpr const char* kName = "sensor_msgs/RegionOfInterest";
  std::uint32_t x_offset = 0, y_offset = 0, height = 0, width = 0;
  bool do_rectify = false;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("x_offset", self.x_offset);
    code("y_offset", self.y_offset);
    code("height", self.height);
    code("width", self.width);
    code("do_rectify", self.do_rectify);
  }
};

struct CameraInfo {
  static constexpr const char* kName = "sensor_msgs/CameraInfo";
  Header header;
  std::uint32_t height = 0, width = 0;
  std::string_view distortion_model;
  Packed<double> d;
  std::array<double, 9> k{};
  std::array<double, 9> r{};
  std::array<double, 12> p{};
  std::uint32_t binning_x = 0, binning_y = 0;
  RegionOfInterest roi;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("header", self.header);
    code("height", self.height);
    code("width", self.width);
    code("distortion_model", self.distortion_model);
    code("d", self.d);
    code("k", self.k);
    code("r", self.r);
    code("p", self.p);
    code("binning_x", self.binning_x);
    code("binning_y", self.binning_y);
    code("roi", self.roi);
  }
};

struct PointField {
  static constexpr const char* kName = "sensor_msgs/PointField";
  static constexpr std::size_t kLeastBytes = 16;
  // Types of numbers.
  enum : std::uint8_t { kUInt8 = 2, kUInt16 = 4, kUInt32 = 6, kFloat32 = 7, kFloat64 = 8 };
  std::string_view name;
  std::uint32_t offset = 0;
  std::uint8_t datatype = 0;
  std::uint32_t count = 0;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("name", self.name);
    code("offset", self.offset);
    code("datatype", self.datatype);
    code("count", self.count);
  }
};

struct PointCloud2 {
  static constexpr const char* kName = "sensor_msgs/PointCloud2";
  Header header;
  std::uint32_t height = 0, width = 0;
  std::vector<PointField> point_fields;
  bool is_bigendian = false;
  std::uint32_t point_step = 0, row_step = 0;
  Blob data;
  bool is_dense = false;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("header", self.header);
    code("height", self.height);
    code("width", self.width);
    code("fields", self.point_fields);
    code("is_bigendian", self.is_bigendian);
    code("point_step", self.point_step);
    code("row_step", self.row_step);
    code("data", self.data);
    code("is_dense", self.is_dense);
  }
};

struct LaserScan {
  static constexpr const char* kName = "sensor_msgs/LaserScan";
  Header header;
  float angle_min = 0.0F, angle_max = 0.0F, angle_increment = 0.0F;
  float time_increment = 0.0F, scan_time = 0.0F;
  float range_min = 0.0F, range_max = 0.0F;
  Packed<float> ranges, intensities;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("header", self.header);
    code("angle_min", self.angle_min);
    code("angle_max", self.angle_max);
    code("angle_increment", self.angle_increment);
    code("time_increment", self.time_increment);
    code("scan_time", self.scan_time);
    code("range_min", self.range_min);
    code("range_max", self.range_max);
    code("ranges", self.ranges);
    code("intensities", self.intensities);
  }
};

struct String {
  static constexpr const char* kName = "std_msgs/String";
  std::string_view data;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("data", self.data);
  }
};

struct MultiArrayDimension {
  static constexpr const char* kName = "std_msgs/MultiArrayDimension";
  static constexpr std::size_t kLeastBytes = 12;
  std::string_view label;
  std::uint32_t size = 0, stride = 0;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("label", self.label);
    code("size", self.size);
    code("stride", self.stride);
  }
};

struct MultiArrayLayout {
  static constexpr const char* kName = "std_msgs/MultiArrayLayout";
  std::vector<MultiArrayDimension> dim;
  std::uint32_t data_offset = 0;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("dim", self.dim);
    code("data_offset", self.data_offset);
  }
};

struct UInt8MultiArray {
  static constexpr const char* kName = "std_msgs/UInt8MultiArray";
  MultiArrayLayout layout;
  Blob data;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("layout", self.layout);
    code("data", self.data);
  }
};

struct ColorRGBA {
  static constexpr const char* kName = "std_msgs/ColorRGBA";
  using Element = float;
  float r = 0.0F, g = 0.0F, b = 0.0F, a = 0.0F;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("r", self.r);
    code("g", self.g);
    code("b", self.b);
    code("a", self.a);
  }
};

struct Vector3 {
  static constexpr const char* kName = "geometry_msgs/Vector3";
  double x = 0.0, y = 0.0, z = 0.0;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("x", self.x);
    code("y", self.y);
    code("z", self.z);
  }
};

struct Point {
  static constexpr const char* kName = "geometry_msgs/Point";
  using Element = double;
  double x = 0.0, y = 0.0, z = 0.0;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("x", self.x);
    code("y", self.y);
    code("z", self.z);
  }
};

struct Quaternion {
  static constexpr const char* kName = "geometry_msgs/Quaternion";
  double x = 0.0, y = 0.0, z = 0.0, w = 1.0;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("x", self.x);
    code("y", self.y);
    code("z", self.z);
    code("w", self.w);
  }
};

struct Transform {
  static constexpr const char* kName = "geometry_msgs/Transform";
  Vector3 translation;
  Quaternion rotation;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("translation", self.translation);
    code("rotation", self.rotation);
  }
};

struct TransformStamped {
  static constexpr const char* kName = "geometry_msgs/TransformStamped";
  static constexpr std::size_t kLeastBytes = 76;
  Header header;
  std::string_view child_frame_id;
  Transform transform;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("header", self.header);
    code("child_frame_id", self.child_frame_id);
    code("transform", self.transform);
  }
};

struct TFMessage {
  static constexpr const char* kName = "tf2_msgs/TFMessage";
  std::vector<TransformStamped> transforms;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code("transforms", self.transforms);
  }
};

}  // namespace rdp::ros

#endif  // RDP_COMMON_MCAP_MESSAGES_H_
