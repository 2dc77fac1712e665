// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_POINTS_CAPS_H_
#define RDP_GST_ELEMENTS_BASE_POINTS_CAPS_H_

#include <gst/gst.h>

#include <string>

#include "common/clouds/cloud_fields.h"
#include "common/clouds/pose.h"

// The caps of point clouds: application/x-points. Three little-endian floats per point are x, y and
// z; a non-finite coordinate makes the point invalid. color-offset, intensity-offset and
// label-offset, each with a format, describe further fields of a point.
#define RDP_POINTS_CAPS                                                               \
  "application/x-points, format=(string)XYZ32F, point-step=(int)[ 12, 2147483647 ], " \
  "offset=(int)[ 0, 2147483635 ], unit=(double)[ 1e-9, 1e9 ], "                       \
  "axes=(string){ camera, forward-left-up }"

namespace rdp::gst {

struct PointsFormat {
  gint point_step = 12;  // bytes
  gint offset = 0;       // bytes to x; offset + 12 <= point_step
  double unit = 1.0;     // metres
  bool forward_left_up = false;
  gint width = 0;  // 0, 0: unorganised, as many points as fit the buffer
  gint height = 0;
  gint fps_n = 0;  // 0/1: none
  gint fps_d = 1;
  clouds::PointFields fields;           // each within point_step
  clouds::Pose pose = clouds::kNoPose;  // the sensor's; points are in its axes

  bool operator==(const PointsFormat&) const = default;
};

// Reads fixed caps. False: *problem says what was expected and what was found.
bool read_points_caps(const GstCaps* caps, PointsFormat* format, std::string* problem);

// Returns the name of a format in caps; null: there is none.
const char* field_format(clouds::FieldType type);

// Returns fixed caps (transfer full).
GstCaps* new_points_caps(const PointsFormat& format);

// Counts the points in a buffer of `size` bytes. False, with *problem: the size does not fit.
// Organised point clouds need width * height points, and no point may be incomplete.
bool count_points(const PointsFormat& format, gsize size, gsize* points, std::string* problem);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_POINTS_CAPS_H_
