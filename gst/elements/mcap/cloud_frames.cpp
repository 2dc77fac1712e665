// SPDX-License-Identifier: LGPL-2.1-or-later
// PointCloud2 as application/x-points.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "gst/elements/base/points_caps.h"
#include "gst/elements/mcap/message_frames.h"

namespace rdp::gst {
namespace {

using clouds::FieldType;
using ros::PointField;

std::size_t size_of(std::uint8_t datatype) {
  constexpr std::uint8_t kSizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
  return datatype < std::size(kSizes) ? kSizes[datatype] : 0;
}

// Finds a field; null if the cloud has none that lies within its points.
const PointField* find(const ros::PointCloud2& cloud, std::string_view name) {
  const auto field = std::ranges::find(cloud.point_fields, name, &PointField::name);
  if (field == cloud.point_fields.end() || size_of(field->datatype) == 0) return nullptr;
  const std::uint64_t end = std::uint64_t{field->offset} + size_of(field->datatype);
  return end <= cloud.point_step ? &*field : nullptr;
}

void check_size(const ros::PointCloud2& cloud) {
  const std::uint64_t row = std::uint64_t{cloud.width} * cloud.point_step;
  if (cloud.point_step < 1 || (cloud.height > 1 && cloud.row_step < row)) {
    throw MessageError("fields point_step and row_step are " + std::to_string(cloud.point_step) +
                       " and " + std::to_string(cloud.row_step) + ", expected rows of " +
                       std::to_string(row) + " bytes");
  }
  const std::uint64_t needed =
      cloud.height == 0 ? 0 : std::uint64_t{cloud.row_step} * (cloud.height - 1) + row;
  if (cloud.data.size() < needed || std::uint64_t{cloud.width} * cloud.height > G_MAXINT) {
    throw MessageError("field data has " + std::to_string(cloud.data.size()) + " bytes, expected " +
                       std::to_string(needed) + " (row_step " + std::to_string(cloud.row_step) +
                       ", height " + std::to_string(cloud.height) + ")");
  }
}

float coordinate(const std::byte* at, std::uint8_t datatype, bool swap) {
  std::array<std::byte, 8> bytes;
  const std::size_t size = size_of(datatype);
  std::copy_n(at, size, bytes.begin());
  if (swap) std::reverse(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
  if (datatype == PointField::kFloat32) {
    float value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  double value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return static_cast<float>(value);
}

void add_fields(const ros::PointCloud2& cloud, PointsFormat* format) {
  const auto set = [&](const char* name, clouds::PointField* to, FieldType type) {
    const PointField* field = find(cloud, name);
    if (field != nullptr) *to = {type, static_cast<std::int32_t>(field->offset)};
  };
  const auto number = [&](const char* name) {
    const PointField* field = find(cloud, name);
    switch (field != nullptr ? field->datatype : 0) {
      case PointField::kFloat32:
        return FieldType::kF32;
      case PointField::kUInt32:
        return FieldType::kU32;
      case PointField::kUInt16:
        return FieldType::kU16;
      case PointField::kUInt8:
        return FieldType::kU8;
      default:
        return FieldType::kNone;
    }
  };
  for (const char* name : {"rgb", "rgba"}) {
    const PointField* field = find(cloud, name);
    if (field != nullptr && size_of(field->datatype) == 4) {
      set(name, &format->fields.colour, FieldType::kBgra);
    }
  }
  const FieldType intensity = number("intensity");
  if (intensity != FieldType::kU32) set("intensity", &format->fields.intensity, intensity);
  const FieldType label = number("label");
  if (label != FieldType::kF32) set("label", &format->fields.label, label);
}

// The points without padding between rows.
std::vector<std::byte> tight(const ros::PointCloud2& cloud) {
  const std::size_t row = std::size_t{cloud.width} * cloud.point_step;
  std::vector<std::byte> records(row * cloud.height);
  for (std::size_t y = 0; y < cloud.height && row > 0; ++y) {
    std::copy_n(cloud.data.data + y * cloud.row_step, row, records.data() + y * row);
  }
  return records;
}

}  // namespace

void make_cloud(std::span<const std::byte> message, const GstCaps* caps,
                std::span<const std::byte> samples, const FrameSettings& settings,
                MessageFrame* frame) {
  const auto cloud = ros::CdrReader::read<ros::PointCloud2>(message);
  frame->stamp = cloud.header.stamp.nanoseconds();
  check_size(cloud);
  if (caps != nullptr) {
    PointsFormat own;
    std::string problem;
    gsize points = 0;
    std::vector<std::byte> records = tight(cloud);
    if (!read_points_caps(caps, &own, &problem) ||
        !count_points(own, samples.empty() ? records.size() : samples.size(), &points, &problem)) {
      throw MessageError("rdp.caps of the channel do not fit: " + problem);
    }
    if (samples.empty() && own.unit != 1.0 && points > 0) {
      throw MessageError("the topic rdp beside it has no points, expected those of the cloud");
    }
    if (samples.empty() && own.fields.colour.type == FieldType::kRgba) {
      for (gsize i = 0; i < points; ++i) {
        std::byte* colour =
            records.data() + i * static_cast<gsize>(own.point_step) + own.fields.colour.offset;
        std::swap(colour[0], colour[2]);
      }
    }
    frame->caps.reset(gst_caps_copy(caps));
    frame->buffer = new_buffer(samples.empty() ? std::span<const std::byte>(records) : samples);
    return;
  }
  std::array<const PointField*, 3> axes{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string_view name = std::string_view("xyz").substr(i, 1);
    axes[i] = find(cloud, name);
    if (axes[i] == nullptr ||
        (axes[i]->datatype != PointField::kFloat32 && axes[i]->datatype != PointField::kFloat64)) {
      throw MessageError("fields has no FLOAT32 or FLOAT64 \"" + std::string(name) +
                         "\" within point_step, expected x, y and z");
    }
  }
  PointsFormat format;
  const bool camera = cloud.header.frame_id.ends_with("optical_frame");
  format.forward_left_up =
      settings.axes == McapAxes::kAuto ? !camera : settings.axes == McapAxes::kForwardLeftUp;
  if (cloud.height > 1 && cloud.width > 0) {
    format.width = static_cast<gint>(cloud.width);
    format.height = static_cast<gint>(cloud.height);
  }
  std::vector<std::byte> records = tight(cloud);
  const bool as_they_lie = !cloud.is_bigendian && axes[1]->offset == axes[0]->offset + 4 &&
                           axes[2]->offset == axes[0]->offset + 8 && cloud.point_step <= G_MAXINT &&
                           std::ranges::all_of(axes, [](const PointField* axis) {
                             return axis->datatype == PointField::kFloat32;
                           });
  if (as_they_lie) {
    format.point_step = static_cast<gint>(cloud.point_step);
    format.offset = static_cast<gint>(axes[0]->offset);
    add_fields(cloud, &format);
  } else {
    const std::size_t points = std::size_t{cloud.width} * cloud.height;
    std::vector<std::byte> converted(12 * points);
    for (std::size_t i = 0; i < points; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const float value = coordinate(records.data() + i * cloud.point_step + axes[axis]->offset,
                                       axes[axis]->datatype, cloud.is_bigendian);
        std::memcpy(converted.data() + 12 * i + 4 * axis, &value, sizeof value);
      }
    }
    records = std::move(converted);
  }
  frame->caps.reset(new_points_caps(format));
  frame->buffer = new_buffer(records);
}

}  // namespace rdp::gst
