// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/pointcloud/cloud_enums.h"

#include "common/clouds/cloud_header.h"

namespace rdp::gst {

// Registered once, whichever thread comes first.

GType cloud_file_format_get_type() {
  using enum clouds::FileFormat;
  return enum_type<clouds::FileFormat>(
      "GstPointCloudFileFormat",
      {{kAuto, "From the first bytes; raw floats if the name is *.bin", "auto"},
       {kPcd, "PCD: ascii, binary or binary_compressed", "pcd"},
       {kPly, "PLY: the vertices, ascii or binary", "ply"},
       {kKitti, "Raw floats, as in scans of KITTI: point-floats per point", "kitti"}});
}

GType cloud_axes_get_type() {
  using enum CloudAxes;
  return enum_type<CloudAxes>("GstPointCloudAxes",
                              {{kAuto, "From a comment in the file, else forward-left-up", "auto"},
                               {kCamera, "x right, y down, z forward", "camera"},
                               {kForwardLeftUp, "x forward, y left, z up", "forward-left-up"}});
}

GType cloud_written_format_get_type() {
  using enum WrittenFormat;
  return enum_type<WrittenFormat>("GstPointCloudWrittenFormat",
                                  {{kAuto, "PCD if the location ends with .pcd, else PLY", "auto"},
                                   {kPly, "PLY, binary", "ply"},
                                   {kPcd, "PCD, binary", "pcd"}});
}

GType cloud_colours_get_type() {
  using enum WrittenColours;
  return enum_type<WrittenColours>(
      "GstPointCloudColours",
      {{kFile, "Those of the cloud; with labels=true, those of labels if it has none", "file"},
       {kLabels, "Those of labels", "labels"}});
}

GType cloud_unknown_get_type() {
  using enum UnknownPoints;
  return enum_type<UnknownPoints>(
      "GstPointCloudUnknown",
      {{kAuto, "Keep them in PCD, leave them out of PLY, as viewers cannot show them", "auto"},
       {kKeep, "Write them like the others", "keep"},
       {kLeaveOut, "Leave them out; rows are lost", "leave-out"}});
}

}  // namespace rdp::gst
