// SPDX-License-Identifier: LGPL-2.1-or-later
// Clouds as messages. Points are written unchanged, except for what ROS cannot express: units other
// than metres, and colours in the order R, G, B, A.
#include <cstring>
#include <vector>

#include "gst/elements/base/points_caps.h"
#include "gst/elements/mcap/mcap_stream.h"

namespace rdp::gst {
namespace {

using clouds::FieldType;

std::uint8_t datatype_of(FieldType type) {
  switch (type) {
    case FieldType::kU8:
      return ros::PointField::kUInt8;
    case FieldType::kU16:
      return ros::PointField::kUInt16;
    case FieldType::kU32:
      return ros::PointField::kUInt32;
    default:
      return ros::PointField::kFloat32;
  }
}

PointsFormat format_of(const GstCaps* caps) {
  PointsFormat format;
  std::string problem;
  if (!read_points_caps(caps, &format, &problem)) {
    throw StreamError("These points cannot be recorded: " + problem + ".");
  }
  return format;
}

class PointsStream : public McapStream {
 public:
  PointsStream(const StreamSetup& setup, const GstCaps* caps)
      : PointsStream(setup, caps, format_of(caps)) {}

  mcap::Recording::Result write(GstBuffer* buffer, std::uint64_t stamp) override {
    const ReadBuffer read(buffer);
    gsize points = 0;
    std::string problem;
    if (!count_points(format_, read.bytes().size(), &points, &problem)) {
      throw StreamError("These points cannot be recorded: " + problem + ".");
    }
    const bool swaps = format_.fields.colour.type == FieldType::kRgba;
    const bool scales = format_.unit != 1.0;
    std::span<const std::byte> records = read.bytes();
    if (swaps || scales) records = converted(records, points, swaps, scales);
    messages_.begin(buffer, stamp);
    // Scaled floats cannot be undone, so the original samples are kept; swapped bytes can.
    messages_.add_before(scales ? read.bytes() : std::span<const std::byte>());
    add_cloud(records, points);
    return messages_.finish();
  }

 private:
  PointsStream(const StreamSetup& setup, const GstCaps* caps, const PointsFormat& format)
      : McapStream(setup, setup.pad_name + (format.forward_left_up ? "" : "_optical_frame")),
        format_(format),
        messages_(&topics_, setup.options, frame_id_),
        // Points of another unit are restored from their items alone.
        channel_(topics_.channel<ros::PointCloud2>(
            "/points",
            setup.options.metadata || format.unit == 1.0 ? caps_metadata(caps) : mcap::TextMap())) {
    const auto add = [&](const char* name, int offset, std::uint8_t type) {
      message_.point_fields.push_back({name, static_cast<std::uint32_t>(offset), type, 1});
    };
    int at = format_.offset;
    for (const char* name : {"x", "y", "z"}) {
      add(name, at, ros::PointField::kFloat32);
      at += 4;
    }
    const clouds::PointFields& fields = format_.fields;
    // A colour of three bytes has no room for ROS' four-byte rgb field.
    if (fields.colour.is_there() && fields.colour.type != FieldType::kRgb) {
      add("rgb", fields.colour.offset, ros::PointField::kFloat32);
    }
    if (fields.intensity.is_there()) {
      add("intensity", fields.intensity.offset, datatype_of(fields.intensity.type));
    }
    if (fields.label.is_there()) add("label", fields.label.offset, datatype_of(fields.label.type));
  }

  std::span<const std::byte> converted(std::span<const std::byte> records, gsize points, bool swaps,
                                       bool scales) {
    records_.assign(records.begin(), records.end());
    const auto step = static_cast<std::size_t>(format_.point_step);
    for (gsize i = 0; i < points; ++i) {
      std::byte* point = records_.data() + i * step;
      if (swaps)
        std::swap(point[format_.fields.colour.offset], point[format_.fields.colour.offset + 2]);
      if (!scales) continue;
      float xyz[3];
      std::memcpy(xyz, point + format_.offset, sizeof xyz);
      for (float& value : xyz) value = static_cast<float>(value * format_.unit);
      std::memcpy(point + format_.offset, xyz, sizeof xyz);
    }
    return records_;
  }

  void add_cloud(std::span<const std::byte> records, gsize points) {
    const bool organised = format_.width > 0;
    message_.header = topics_.header();
    message_.height = organised ? static_cast<std::uint32_t>(format_.height) : 1;
    message_.width =
        static_cast<std::uint32_t>(organised ? static_cast<gsize>(format_.width) : points);
    message_.point_step = static_cast<std::uint32_t>(format_.point_step);
    message_.row_step = message_.width * message_.point_step;
    message_.data = ros::Blob::of(records);
    topics_.add(channel_, message_);
  }

  const PointsFormat format_;
  FrameMessages messages_;
  std::uint16_t channel_;
  ros::PointCloud2 message_;
  std::vector<std::byte> records_;  // converted points
};

}  // namespace

std::unique_ptr<McapStream> new_points_stream(const StreamSetup& setup, const GstCaps* caps) {
  return std::make_unique<PointsStream>(setup, caps);
}

}  // namespace rdp::gst
