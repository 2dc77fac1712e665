// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_POINTS_H_
#define RDP_COMMON_RDP_POINTS_H_

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/image/camera.h"
#include "common/rdp/segment_list.h"

// The ends of segments in metres, in the camera's axes.
namespace rdp {

// The pixel column in the middle of a segmented column. The last may cover fewer pixels.
inline double centre_of_column(int column, int column_width, int frame_width) {
  const int first = column * column_width;
  const int last = std::min(first + column_width, frame_width) - 1;
  return (first + last) / 2.0;
}

// Writes three floats; NaN if there is no distance, or none that a float can represent.
inline void write_point(double column, double row, double value, const MetricCamera& camera,
                        float* out) {
  out[0] = out[1] = out[2] = std::numeric_limits<float>::quiet_NaN();
  Point point;
  if (!point_of_value(column, row, value, camera, &point)) return;
  constexpr double kMost = std::numeric_limits<float>::max();
  if (!(std::fabs(point.x) <= kMost && std::fabs(point.y) <= kMost && point.z <= kMost)) return;
  if (!(static_cast<float>(point.z) > 0.0F)) return;  // nearer than a float can say
  out[0] = static_cast<float>(point.x);
  out[1] = static_cast<float>(point.y);
  out[2] = static_cast<float>(point.z);
}

// Six floats a segment, in the order of the segments: x, y, z of the upper end and of the lower.
inline void write_points(const SegmentArrays& list, int column_width, int frame_width,
                         const MetricCamera& camera, float* out) {
  for (int c = 0; c < list.columns(); ++c) {
    const double column = centre_of_column(c, column_width, frame_width);
    for (const Segment& segment : list.column(c)) {
      write_point(column, segment.first_row, segment.first_value, camera, out);
      write_point(column, segment.last_row, segment.last_value, camera, out + 3);
      out += 6;
    }
  }
}

}  // namespace rdp

#endif  // RDP_COMMON_RDP_POINTS_H_
