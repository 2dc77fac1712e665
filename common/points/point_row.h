// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_POINTS_POINT_ROW_H_
#define RDP_COMMON_POINTS_POINT_ROW_H_

#include <cstddef>

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/points/parameters.h"

namespace rdp::points {

// A row of samples and the rays of its pixels.
struct PointRow {
  const std::byte* samples = nullptr;
  SampleType type = SampleType::kU16;
  int width = 0;
  const double* x = nullptr;
  const double* y = nullptr;
  bool each_pixel = false;  // y has a value for each pixel, else one for the row
};

// Writes the points of a row with SIMD, as reference::make_points() defines them.
void write_point_row(const PointRow& row, const DepthOfValue& depth, const Parameters& parameters,
                     float* to);

}  // namespace rdp::points

#endif  // RDP_COMMON_POINTS_POINT_ROW_H_
