// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/standin/point_kernels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/image/depth_view.h"
#include "common/points/point.h"
#include "common/points/rays.h"
#include "kernels/points/point_arguments.h"

namespace {

using namespace rdp;
using namespace rdp::cuda;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

void run_tables(const void* arguments) {
  const auto& a = *static_cast<const PointTableArguments*>(arguments);
  for (std::uint32_t value = 0; value < static_cast<std::uint32_t>(a.values); ++value) {
    const bool known = value >= a.first_known && value <= a.last_known;
    const double z = known ? depth_of_value(value, a.camera.depth) : 0.0;
    a.depths[value] = z > 0.0 ? z : kNone;
  }
  if (!a.with_rays) return;
  const points::RayLayout layout(a.width, a.height, !a.camera.distortion.none);
  for (int row = 0; row < a.height; ++row) {
    for (int column = 0; column < a.width; ++column) {
      points::find_ray(column + a.offset, row + a.offset, a.camera, kNone,
                       a.x + layout.x_of_row(row) + column,
                       a.y + layout.y_of_row(row) + (layout.each_pixel ? column : 0));
    }
  }
}

template <SampleType kType>
void run_points(const void* arguments) {
  const auto& a = *static_cast<const PointArguments*>(arguments);
  const DepthView frame{reinterpret_cast<const std::byte*>(a.samples), a.pitch, a.width, a.height,
                        kType};
  const points::RayLayout layout(a.width, a.height, a.each_pixel);
  float* to = a.points;
  for (int row = 0; row < a.height; ++row) {
    for (int column = 0; column < a.width; ++column, to += points::kCoordinates) {
      const double z = a.depths[frame.at(row, column)];
      points::write_point(a.x[layout.x_of_row(row) + column] * z,
                          a.y[layout.y_of_row(row) + (a.each_pixel ? column : 0)] * z, z,
                          a.forward_left_up, kUnknown, to);
    }
  }
}

void run_none(const void* arguments) {
  const auto& a = *static_cast<const NoPointArguments*>(arguments);
  std::fill_n(a.points, a.count, kUnknown);
}

}  // namespace

HostKernel find_point_kernel(std::string_view name) {
  if (name == "rdp_point_tables") return run_tables;
  if (name == "rdp_points_u8") return run_points<SampleType::kU8>;
  if (name == "rdp_points_u16") return run_points<SampleType::kU16>;
  if (name == "rdp_no_points") return run_none;
  return nullptr;
}
