// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_POINTS_POINT_ARGUMENTS_H_
#define RDP_KERNELS_POINTS_POINT_ARGUMENTS_H_

#include <cstdint>

#include "common/image/camera.h"

namespace rdp::cuda {

// Arguments of the kernel rdp_point_tables: the distance of each sample value (NaN: none), and the
// rays of a camera as RayLayout has them, of places at offset, offset + 1, …
struct PointTableArguments {
  MetricCamera camera;
  std::uint32_t first_known;
  std::uint32_t last_known;
  std::int32_t values;  // that a sample can have
  std::int32_t width;
  std::int32_t height;
  bool with_rays;  // else the distances alone
  double* depths;
  double* x;
  double* y;
  double offset;  // px
};

// Arguments of the kernels rdp_points_<sample>.
struct PointArguments {
  const unsigned char* samples;
  std::int64_t pitch;
  std::int32_t width;
  std::int32_t height;
  bool each_pixel;  // RayLayout has a ray per pixel
  bool forward_left_up;
  const double* depths;
  const double* x;
  const double* y;
  float* points;
};

// Arguments of the kernel rdp_no_points, which sets all floats to NaN.
struct NoPointArguments {
  float* points;
  std::int64_t count;
};

constexpr int kPointTableThreads = 128;
constexpr int kPointThreads = 128;
// The part of a row that a block works on.
constexpr int kPointColumns = 4 * kPointThreads;
constexpr int kNoPointThreads = 256;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_POINTS_POINT_ARGUMENTS_H_
