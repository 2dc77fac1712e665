// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/pointcloud/cloud_enums.h"

#include "common/clouds/cloud_header.h"

namespace rdp::gst {

// Registered once, whichever thread comes first.

GType cloud_file_format_get_type() {
  using enum clouds::FileFormat;
  return enum_type<clouds::FileFormat>(
      "GstPointCloudFileFormat",
      {{kAuto, "By the first bytes, else raw floats where the name is *.bin", "auto"},
       {kPcd, "PCD: ascii, binary or binary_compressed", "pcd"},
       {kPly, "PLY: the vertices, ascii or binary", "ply"},
       {kKitti, "Raw floats, as the scans of KITTI: point-floats a point", "kitti"}});
}

GType cloud_axes_get_type() {
  using enum CloudAxes;
  return enum_type<CloudAxes>(
      "GstPointCloudAxes", {{kAuto, "As a comment in the file says, else forward-left-up", "auto"},
                            {kCamera, "x right, y down, z forward", "camera"},
                            {kForwardLeftUp, "x forward, y left, z up", "forward-left-up"}});
}

GType cloud_written_format_get_type() {
  using enum WrittenFormat;
  return enum_type<WrittenFormat>(
      "GstPointCloudWrittenFormat",
      {{kAuto, "PCD where the location ends with .pcd, else PLY", "auto"},
       {kPly, "PLY, binary", "ply"},
       {kPcd, "PCD, binary", "pcd"}});
}

GType cloud_unknown_get_type() {
  using enum UnknownPoints;
  return enum_type<UnknownPoints>(
      "GstPointCloudUnknown",
      {{kAuto, "PCD has them, PLY does not: viewers cannot show them", "auto"},
       {kKeep, "They are written like the others", "keep"},
       {kLeaveOut, "They are not written; rows are lost with them", "leave-out"}});
}

}  // namespace rdp::gst
