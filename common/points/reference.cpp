// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/points/reference.h"

#include <limits>

#include "common/points/point.h"

namespace rdp::points::reference {

void make_points(const DepthView& frame, const MetricCamera* camera, const Parameters& parameters,
                 float* to) {
  constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
  for (int row = 0; row < frame.height; ++row) {
    for (int column = 0; column < frame.width; ++column, to += kCoordinates) {
      const std::uint16_t sample = frame.at(row, column);
      Point point{kUnknown, kUnknown, kUnknown};
      if (camera != nullptr && parameters.known.contains(sample)) {
        point_of_value(column, row, sample, *camera, &point);
      }
      write_point(point.x, point.y, point.z, parameters.forward_left_up, kUnknown, to);
    }
  }
}

}  // namespace rdp::points::reference
