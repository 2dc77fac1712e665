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

// The ROS 2 messages of recordings, with their fields in order. Texts and data are views of the
// caller's memory, or of the message that was read.
namespace rdp::ros {

// kName: the type in schema texts. kLeastBytes, for elements of sequences: the minimum bytes of
// one.
struct Time {
  static constexpr const char* kName = "builtin_interfaces/Time";
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;

  // Times are clamped to the range of Time, which ends in January 2038.
  static constexpr std::int64_t kLast = (std::int64_t{1} << 31) * 1'000'000'000 - 1;
  static Time of_nanoseconds(std::int64_t ns) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    ns = std::clamp(ns, -(kLast + 1), kLast);
    const std::int64_t below = (ns % kSecond + kSecond) % kSecond;
    return {static_cast<std::int32_t>((ns - below) / kSecond), static_cast<std::uint32_t>(below)};
  }
  std::int64_t nanoseconds() const { return std::int64_t{sec} * 1'000'000'000 + nanosec; }
  RDP_ROS_FIELDS(sec, nanosec)
};

struct Duration {
  static constexpr const char* kName = "builtin_interfaces/Duration";
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;
  RDP_ROS_FIELDS(sec, nanosec)
};

struct Header {
  static constexpr const char* kName = "std_msgs/Header";
  Time stamp;
  std::string_view frame_id;
  RDP_ROS_FIELDS(stamp, frame_id)
};

struct Image {
  static constexpr const char* kName = "sensor_msgs/Image";
  Header header;
  std::uint32_t height = 0, width = 0;
  std::string_view encoding;
  std::uint8_t is_bigendian = 0;
  std::uint32_t step = 0;
  Blob data;
  RDP_ROS_FIELDS(header, height, width, encoding, is_bigendian, step, data)
};

struct CompressedImage {
  static constexpr const char* kName = "sensor_msgs/CompressedImage";
  Header header;
  std::string_view format;
  Blob data;
  RDP_ROS_FIELDS(header, format, data)
};

struct RegionOfInterest {
  static constexpr const char* kName = "sensor_msgs/RegionOfInterest";
  std::uint32_t x_offset = 0, y_offset = 0, height = 0, width = 0;
  bool do_rectify = false;
  RDP_ROS_FIELDS(x_offset, y_offset, height, width, do_rectify)
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
  RDP_ROS_FIELDS(header, height, width, distortion_model, d, k, r, p, binning_x, binning_y, roi)
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
  RDP_ROS_FIELDS(name, offset, datatype, count)
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
  RDP_ROS_NAMED_FIELDS(
      "header, height, width, fields, is_bigendian, point_step, row_step, data, is_dense", header,
      height, width, point_fields, is_bigendian, point_step, row_step, data, is_dense)
};

struct LaserScan {
  static constexpr const char* kName = "sensor_msgs/LaserScan";
  Header header;
  float angle_min = 0.0F, angle_max = 0.0F, angle_increment = 0.0F;
  float time_increment = 0.0F, scan_time = 0.0F;
  float range_min = 0.0F, range_max = 0.0F;
  Packed<float> ranges, intensities;
  RDP_ROS_FIELDS(header, angle_min, angle_max, angle_increment, time_increment, scan_time,
                 range_min, range_max, ranges, intensities)
};

struct String {
  static constexpr const char* kName = "std_msgs/String";
  std::string_view data;
  RDP_ROS_FIELDS(data)
};

struct MultiArrayDimension {
  static constexpr const char* kName = "std_msgs/MultiArrayDimension";
  static constexpr std::size_t kLeastBytes = 12;
  std::string_view label;
  std::uint32_t size = 0, stride = 0;
  RDP_ROS_FIELDS(label, size, stride)
};

struct MultiArrayLayout {
  static constexpr const char* kName = "std_msgs/MultiArrayLayout";
  std::vector<MultiArrayDimension> dim;
  std::uint32_t data_offset = 0;
  RDP_ROS_FIELDS(dim, data_offset)
};

struct UInt8MultiArray {
  static constexpr const char* kName = "std_msgs/UInt8MultiArray";
  MultiArrayLayout layout;
  Blob data;
  RDP_ROS_FIELDS(layout, data)
};

struct ColorRGBA {
  static constexpr const char* kName = "std_msgs/ColorRGBA";
  using Element = float;
  float r = 0.0F, g = 0.0F, b = 0.0F, a = 0.0F;
  RDP_ROS_FIELDS(r, g, b, a)
};

struct Vector3 {
  static constexpr const char* kName = "geometry_msgs/Vector3";
  double x = 0.0, y = 0.0, z = 0.0;
  RDP_ROS_FIELDS(x, y, z)
};

struct Point {
  static constexpr const char* kName = "geometry_msgs/Point";
  using Element = double;
  double x = 0.0, y = 0.0, z = 0.0;
  RDP_ROS_FIELDS(x, y, z)
};

struct Quaternion {
  static constexpr const char* kName = "geometry_msgs/Quaternion";
  double x = 0.0, y = 0.0, z = 0.0, w = 1.0;
  RDP_ROS_FIELDS(x, y, z, w)
};

struct Transform {
  static constexpr const char* kName = "geometry_msgs/Transform";
  Vector3 translation;
  Quaternion rotation;
  RDP_ROS_FIELDS(translation, rotation)
};

struct TransformStamped {
  static constexpr const char* kName = "geometry_msgs/TransformStamped";
  static constexpr std::size_t kLeastBytes = 76;
  Header header;
  std::string_view child_frame_id;
  Transform transform;
  RDP_ROS_FIELDS(header, child_frame_id, transform)
};

struct TFMessage {
  static constexpr const char* kName = "tf2_msgs/TFMessage";
  std::vector<TransformStamped> transforms;
  RDP_ROS_FIELDS(transforms)
};

}  // namespace rdp::ros

#endif  // RDP_COMMON_MCAP_MESSAGES_H_
