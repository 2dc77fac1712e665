// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/pointcloud/cloud_enums.h"

#include "common/clouds/cloud_header.h"

namespace rdp::gst {

// Registered once, whichever thread comes first.

GType cloud_file_format_get_type() {
  using enum clouds::FileFormat;
  static const GEnumValue values[] = {
      {static_cast<gint>(kAuto), "By the first bytes, KITTI's by the name *.bin", "auto"},
      {static_cast<gint>(kPcd), "PCD: ascii, binary or binary_compressed", "pcd"},
      {static_cast<gint>(kPly), "PLY: the vertices, ascii or binary", "ply"},
      {static_cast<gint>(kKitti), "Scans of KITTI: four floats a point", "kitti"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstPointCloudFileFormat", values);
  return type;
}

GType cloud_axes_get_type() {
  using enum CloudAxes;
  static const GEnumValue values[] = {
      {static_cast<gint>(kAuto), "As a comment in the file says, else forward-left-up", "auto"},
      {static_cast<gint>(kCamera), "x right, y down, z forward", "camera"},
      {static_cast<gint>(kForwardLeftUp), "x forward, y left, z up", "forward-left-up"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstPointCloudAxes", values);
  return type;
}

GType cloud_written_format_get_type() {
  using enum WrittenFormat;
  static const GEnumValue values[] = {
      {static_cast<gint>(kAuto), "PCD where the location ends with .pcd, else PLY", "auto"},
      {static_cast<gint>(kPly), "PLY, binary", "ply"},
      {static_cast<gint>(kPcd), "PCD, binary", "pcd"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstPointCloudWrittenFormat", values);
  return type;
}

GType cloud_unknown_get_type() {
  using enum UnknownPoints;
  static const GEnumValue values[] = {
      {static_cast<gint>(kAuto), "PCD has them, PLY does not: viewers cannot show them", "auto"},
      {static_cast<gint>(kKeep), "They are written like the others", "keep"},
      {static_cast<gint>(kLeaveOut), "They are not written; rows are lost with them", "leave-out"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstPointCloudUnknown", values);
  return type;
}

}  // namespace rdp::gst
