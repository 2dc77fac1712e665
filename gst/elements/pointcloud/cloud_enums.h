// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_POINTCLOUD_CLOUD_ENUMS_H_
#define RDP_GST_ELEMENTS_POINTCLOUD_CLOUD_ENUMS_H_

#include "gst/elements/base/enum_type.h"

namespace rdp::gst {

// The values of clouds::FileFormat.
GType cloud_file_format_get_type();

enum class CloudAxes { kAuto, kCamera, kForwardLeftUp };
GType cloud_axes_get_type();

enum class WrittenFormat { kAuto, kPly, kPcd };
GType cloud_written_format_get_type();

// The source of written colours.
enum class WrittenColours { kFile, kLabels };
GType cloud_colours_get_type();

// The treatment of points with a coordinate that is not finite.
enum class UnknownPoints { kAuto, kKeep, kLeaveOut };
GType cloud_unknown_get_type();

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_POINTCLOUD_CLOUD_ENUMS_H_
