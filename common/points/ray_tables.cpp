// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/points/ray_tables.h"

#include <algorithm>
#include <limits>

#include "common/image/row_bands.h"
#include "common/image/same_camera.h"

namespace rdp::points {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void RayTables::update(const CameraLens& lens, int width, int height, double offset,
                       ThreadPool* pool) {
  if (width == width_ && height == height_ && offset == offset_ && same_lens(lens, lens_)) return;
  width_ = 0;  // marks the tables empty in case an allocation throws
  const RayLayout of_lens(width, height, !lens.distortion.none);
  const auto prepare = [](GrowBuffer<double>* buffer, std::size_t count) {
    double* const values = buffer->ensure(count + kPadding);
    std::fill_n(values + count, kPadding, kNone);
    return values;
  };
  double* const x = prepare(&x_, of_lens.x_count());
  double* const y = prepare(&y_, of_lens.y_count());
  double ignored;
  if (of_lens.each_pixel) {
    for_bands(pool, height, 1, [&](int row, int) {
      for (int column = 0; column < width; ++column) {
        find_ray(column + offset, row + offset, lens, kNone, x + of_lens.x_of_row(row) + column,
                 y + of_lens.y_of_row(row) + column);
      }
    });
  } else {
    for (int column = 0; column < width; ++column) {
      find_ray(column + offset, 0, lens, kNone, x + column, &ignored);
    }
    for (int row = 0; row < height; ++row) {
      find_ray(0, row + offset, lens, kNone, &ignored, y + row);
    }
  }
  lens_ = lens;
  width_ = width;
  height_ = height;
  offset_ = offset;
}

}  // namespace rdp::points
