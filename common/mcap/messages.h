// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MCAP_MESSAGES_H_
#define RDP_COMMON_MCAP_MESSAGES_H_

#include <algorithm>
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

  // The nearest that there is: the last one is in January 2038.
  static constexpr std::int64_t kLast = (std::int64_t{1} << 31) * 1'000'000'000 - 1;
  static Time of_nanoseconds(std::int64_t ns) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    ns = std::clamp(ns, -(kLast + 1), kLast);
    const std::int64_t below = (ns % kSecond + kSecond) % kSecond;
    return {static_cast<std::int32_t>((ns - below) / kSecond), static_cast<std::uint32_t>(below)};
  }
  std::int64_t nanoseconds() const { return std::int64_t{sec} * 1'000'000'000 + nanosec; }

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "sec nanosec", self.sec, self.nanosec);
  }
};

struct Duration {
  static constexpr const char* kName = "builtin_interfaces/Duration";
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "sec nanosec", self.sec, self.nanosec);
  }
};

struct Header {
  static constexpr const char* kName = "std_msgs/Header";
  Time stamp;
  std::string_view frame_id;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "stamp frame_id", self.stamp, self.frame_id);
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
    code_fields(code, "header height width encoding is_bigendian step data", self.header,
                self.height, self.width, self.encoding, self.is_bigendian, self.step, self.data);
  }
};

struct CompressedImage {
  static constexpr const char* kName = "sensor_msgs/CompressedImage";
  Header header;
  std::string_view format;
  Blob data;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "header format data", self.header, self.format, self.data);
  }
};

struct RegionOfInterest {
  static constexpr const char* kName = "sensor_msgs/RegionOfInterest";
  std::uint32_t x_offset = 0, y_offset = 0, height = 0, width = 0;
  bool do_rectify = false;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "x_offset y_offset height width do_rectify", self.x_offset, self.y_offset,
                self.height, self.width, self.do_rectify);
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
    code_fields(code, "header height width distortion_model d k r p binning_x binning_y roi",
                self.header, self.height, self.width, self.distortion_model, self.d, self.k, self.r,
                self.p, self.binning_x, self.binning_y, self.roi);
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
    code_fields(code, "name offset datatype count", self.name, self.offset, self.datatype,
                self.count);
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
    code_fields(code, "header height width fields is_bigendian point_step row_step data is_dense",
                self.header, self.height, self.width, self.point_fields, self.is_bigendian,
                self.point_step, self.row_step, self.data, self.is_dense);
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
    code_fields(code,
                "header angle_min angle_max angle_increment time_increment scan_time range_min "
                "range_max ranges intensities",
                self.header, self.angle_min, self.angle_max, self.angle_increment,
                self.time_increment, self.scan_time, self.range_min, self.range_max, self.ranges,
                self.intensities);
  }
};

struct String {
  static constexpr const char* kName = "std_msgs/String";
  std::string_view data;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "data", self.data);
  }
};

struct MultiArrayDimension {
  static constexpr const char* kName = "std_msgs/MultiArrayDimension";
  static constexpr std::size_t kLeastBytes = 12;
  std::string_view label;
  std::uint32_t size = 0, stride = 0;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "label size stride", self.label, self.size, self.stride);
  }
};

struct MultiArrayLayout {
  static constexpr const char* kName = "std_msgs/MultiArrayLayout";
  std::vector<MultiArrayDimension> dim;
  std::uint32_t data_offset = 0;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "dim data_offset", self.dim, self.data_offset);
  }
};

struct UInt8MultiArray {
  static constexpr const char* kName = "std_msgs/UInt8MultiArray";
  MultiArrayLayout layout;
  Blob data;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "layout data", self.layout, self.data);
  }
};

struct ColorRGBA {
  static constexpr const char* kName = "std_msgs/ColorRGBA";
  using Element = float;
  float r = 0.0F, g = 0.0F, b = 0.0F, a = 0.0F;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "r g b a", self.r, self.g, self.b, self.a);
  }
};

struct Vector3 {
  static constexpr const char* kName = "geometry_msgs/Vector3";
  double x = 0.0, y = 0.0, z = 0.0;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "x y z", self.x, self.y, self.z);
  }
};

struct Point {
  static constexpr const char* kName = "geometry_msgs/Point";
  using Element = double;
  double x = 0.0, y = 0.0, z = 0.0;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "x y z", self.x, self.y, self.z);
  }
};

struct Quaternion {
  static constexpr const char* kName = "geometry_msgs/Quaternion";
  double x = 0.0, y = 0.0, z = 0.0, w = 1.0;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "x y z w", self.x, self.y, self.z, self.w);
  }
};

struct Transform {
  static constexpr const char* kName = "geometry_msgs/Transform";
  Vector3 translation;
  Quaternion rotation;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "translation rotation", self.translation, self.rotation);
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
    code_fields(code, "header child_frame_id transform", self.header, self.child_frame_id,
                self.transform);
  }
};

struct TFMessage {
  static constexpr const char* kName = "tf2_msgs/TFMessage";
  std::vector<TransformStamped> transforms;

  template <typename Self, typename Coder>
  static void fields(Self& self, Coder& code) {
    code_fields(code, "transforms", self.transforms);
  }
};

}  // namespace rdp::ros

#endif  // RDP_COMMON_MCAP_MESSAGES_H_
