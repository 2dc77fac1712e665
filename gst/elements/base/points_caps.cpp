// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/points_caps.h"

#include <array>
#include <cstdint>
#include <string_view>

#include "common/clouds/cloud_header.h"
#include "common/clouds/pose.h"
#include "gst/memory/frame_layout.h"

namespace rdp::gst {

namespace {

constexpr gint kCoordinates = 12;  // bytes of x, y and z
constexpr const char* kExample =
    "application/x-points,format=XYZ32F,point-step=12,offset=0,unit=1.0,axes=camera";

// Reports a bad field: its value, and the expected one.
bool refuse(const GstStructure* structure, const char* field, const char* expected,
            std::string* problem) {
  gchar* value = nullptr;
  if (const GValue* found = gst_structure_get_value(structure, field); found != nullptr) {
    value = gst_value_serialize(found);
  }
  *problem = std::string("the caps have ") + (value != nullptr ? field : "no ") +
             (value != nullptr ? std::string("=") + value : std::string(field)) +
             ", expected: " + expected + " (such as " + kExample + ")";
  g_free(value);
  return false;
}

// Reads width and height, which need each other; without both the point cloud is unorganised.
bool read_rows(const GstStructure* structure, PointsFormat* format, std::string* problem) {
  const bool width = gst_structure_has_field(structure, "width");
  const bool height = gst_structure_has_field(structure, "height");
  if (!width && !height) return true;
  constexpr const char* kExpected =
      "width and height of 1 and more where the points lie in rows, else neither";
  if (!gst_structure_get_int(structure, "width", &format->width) || format->width < 1) {
    return refuse(structure, "width", kExpected, problem);
  }
  if (!gst_structure_get_int(structure, "height", &format->height) || format->height < 1) {
    return refuse(structure, "height", kExpected, problem);
  }
  if (std::int64_t{format->width} * format->height > G_MAXINT) {
    *problem = "the caps have " + std::to_string(format->width) + "x" +
               std::to_string(format->height) + " points, expected: at most " +
               std::to_string(G_MAXINT);
    return false;
  }
  return true;
}

// The names of a field and of its formats.
struct FieldNames {
  const char* offset;
  const char* format;
  clouds::PointField clouds::PointFields::*field;
  std::array<clouds::FieldType, 3> types;
  const char* expected;
};
constexpr FieldNames kFields[] = {
    {"color-offset",
     "color-format",
     &clouds::PointFields::colour,
     {clouds::FieldType::kRgb, clouds::FieldType::kRgba, clouds::FieldType::kBgra},
     "RGB, RGBA or BGRA"},
    {"intensity-offset",
     "intensity-format",
     &clouds::PointFields::intensity,
     {clouds::FieldType::kF32, clouds::FieldType::kU16, clouds::FieldType::kU8},
     "F32, U16 or U8"},
    {"label-offset",
     "label-format",
     &clouds::PointFields::label,
     {clouds::FieldType::kU32, clouds::FieldType::kU16, clouds::FieldType::kU8},
     "U8, U16 or U32"},
};

// Reads colour, intensity and label, each with both offset and format, or neither.
bool read_fields(const GstStructure* structure, PointsFormat* format, std::string* problem) {
  for (const FieldNames& names : kFields) {
    if (!gst_structure_has_field(structure, names.offset) &&
        !gst_structure_has_field(structure, names.format)) {
      continue;
    }
    clouds::PointField& field = format->fields.*names.field;
    const gchar* text = gst_structure_get_string(structure, names.format);
    for (const clouds::FieldType type : names.types) {
      if (g_strcmp0(text, field_format(type)) == 0) field.type = type;
    }
    if (!field.is_there()) return refuse(structure, names.format, names.expected, problem);
    const auto bytes = static_cast<gint>(size_of(field.type));
    if (!gst_structure_get_int(structure, names.offset, &field.offset) || field.offset < 0 ||
        field.offset > format->point_step - bytes) {
      return refuse(structure, names.offset, "the bytes before the field, which ends in the point",
                    problem);
    }
  }
  return true;
}

// "tx ty tz qw qx qy qz"
bool read_pose(const GstStructure* structure, clouds::Pose* pose, std::string* problem) {
  if (!gst_structure_has_field(structure, "pose")) return true;
  const gchar* text = gst_structure_get_string(structure, "pose");
  if (text != nullptr && clouds::parse_pose(text, pose) && clouds::normalize_rotation(pose)) {
    return true;
  }
  return refuse(structure, "pose", "seven numbers, \"tx ty tz qw qx qy qz\", with a rotation",
                problem);
}

}  // namespace

const char* field_format(clouds::FieldType type) {
  constexpr const char* kNames[] = {nullptr, "RGB", "RGBA", "BGRA", "F32", "U32", "U16", "U8"};
  return kNames[static_cast<std::size_t>(type)];
}

bool read_points_caps(const GstCaps* caps, PointsFormat* format, std::string* problem) {
  if (caps == nullptr || gst_caps_get_size(caps) != 1) {
    *problem = format_text("expected caps of one kind of points, such as %s", kExample);
    return false;
  }
  const GstStructure* structure = gst_caps_get_structure(caps, 0);
  if (!gst_structure_has_name(structure, "application/x-points")) {
    *problem = std::string("the caps are ") + gst_structure_get_name(structure) +
               ", expected: " + kExample;
    return false;
  }
  if (const GstCapsFeatures* memory = gst_caps_get_features(caps, 0);
      !gst_caps_features_is_equal(memory, GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY)) {
    g_autofree gchar* found = gst_caps_features_to_string(memory);
    *problem = std::string("the caps have the features ") + found +
               ", expected: points in system memory, without any (such as " + kExample + ")";
    return false;
  }
  PointsFormat read;
  const gchar* text = gst_structure_get_string(structure, "format");
  if (text == nullptr || std::string_view(text) != "XYZ32F") {
    return refuse(structure, "format", "XYZ32F", problem);
  }
  if (!gst_structure_get_int(structure, "point-step", &read.point_step) ||
      read.point_step < kCoordinates) {
    return refuse(structure, "point-step", "the bytes of a point, 12 and more", problem);
  }
  if (!gst_structure_get_int(structure, "offset", &read.offset) || read.offset < 0 ||
      read.offset > read.point_step - kCoordinates) {
    return refuse(structure, "offset",
                  "the bytes before x, from 0 to 12 less than those of a point", problem);
  }
  // Rejects NaN, too.
  if (!gst_structure_get_double(structure, "unit", &read.unit) ||
      !(read.unit >= clouds::kLeastUnit && read.unit <= clouds::kMaxUnit)) {
    return refuse(structure, "unit", "the metres of one unit, from 1e-9 to 1e9, with a point",
                  problem);
  }
  text = gst_structure_get_string(structure, "axes");
  const std::string_view axes = text != nullptr ? text : "";
  if (axes != "camera" && axes != "forward-left-up") {
    return refuse(structure, "axes", "camera or forward-left-up", problem);
  }
  read.forward_left_up = axes == "forward-left-up";
  if (!read_rows(structure, &read, problem)) return false;
  if (gst_structure_has_field(structure, "framerate") &&
      (!gst_structure_get_fraction(structure, "framerate", &read.fps_n, &read.fps_d) ||
       read.fps_n < 0 || read.fps_d < 1)) {
    return refuse(structure, "framerate", "a fraction of 0 and more", problem);
  }
  if (!read_fields(structure, &read, problem)) return false;
  if (!read_pose(structure, &read.pose, problem)) return false;
  *format = read;
  return true;
}

GstCaps* new_points_caps(const PointsFormat& format) {
  GstCaps* caps = gst_caps_new_simple(
      "application/x-points", "format", G_TYPE_STRING, "XYZ32F", "point-step", G_TYPE_INT,
      format.point_step, "offset", G_TYPE_INT, format.offset, "unit", G_TYPE_DOUBLE, format.unit,
      "axes", G_TYPE_STRING, format.forward_left_up ? "forward-left-up" : "camera", "framerate",
      GST_TYPE_FRACTION, format.fps_n, format.fps_d, nullptr);
  if (format.width > 0) {
    gst_caps_set_simple(caps, "width", G_TYPE_INT, format.width, "height", G_TYPE_INT,
                        format.height, nullptr);
  }
  for (const FieldNames& names : kFields) {
    const clouds::PointField& field = format.fields.*names.field;
    if (!field.is_there()) continue;
    gst_caps_set_simple(caps, names.offset, G_TYPE_INT, field.offset, names.format, G_TYPE_STRING,
                        field_format(field.type), nullptr);
  }
  if (!clouds::is_identity(format.pose)) {
    gst_caps_set_simple(caps, "pose", G_TYPE_STRING, clouds::pose_text(format.pose).c_str(),
                        nullptr);
  }
  return caps;
}

bool count_points(const PointsFormat& format, gsize size, gsize* points, std::string* problem) {
  const auto step = static_cast<gsize>(format.point_step);
  const gsize count = size / step;
  if (format.width > 0) {
    const gsize expected = static_cast<gsize>(format.width) * static_cast<gsize>(format.height);
    if (size != expected * step) {
      *problem = "the buffer has " + std::to_string(size) +
                 " bytes, expected: " + std::to_string(format.width) + "x" +
                 std::to_string(format.height) + " points of " + std::to_string(step) + " bytes, " +
                 std::to_string(expected * step);
      return false;
    }
  } else if (size % step != 0) {
    *problem = "the buffer has " + std::to_string(size) + " bytes, expected: a multiple of the " +
               std::to_string(step) + " of a point; the caps' point-step may be wrong";
    return false;
  }
  *points = count;
  return true;
}

}  // namespace rdp::gst
