// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/points/engine.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "common/image/row_bands.h"
#include "common/image/same_camera.h"
#include "common/points/point.h"
#include "common/points/point_row.h"
#include "common/points/rays.h"

namespace rdp::points {
namespace {

// Rows that a thread takes at once: some ten microseconds of a frame's work.
constexpr int kBandPixels = 16384;

}  // namespace

void Engine::set_threads(unsigned threads) {
  pool_.resize(std::min(threads == 0 ? usable_processors() : threads, ThreadPool::kMaxThreads));
}

void Engine::update_rays(const CameraLens& lens, int width, int height) {
  if (width == width_ && height == height_ && same_lens(lens, lens_)) return;
  width_ = 0;  // nothing is known of the rays should the allocation fail
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const RayLayout layout(width, height, !lens.distortion.none);
  double* const x = x_.ensure(layout.x_count());
  double* const y = y_.ensure(layout.y_count());
  double ignored;
  if (layout.each_pixel) {
    for_bands(&pool_, height, 1, [&](int row, int) {
      for (int column = 0; column < width; ++column) {
        find_ray(column, row, lens, kNone, x + layout.x_of_row(row) + column,
                 y + layout.y_of_row(row) + column);
      }
    });
  } else {
    for (int column = 0; column < width; ++column) {
      find_ray(column, 0, lens, kNone, x + column, &ignored);
    }
    for (int row = 0; row < height; ++row) find_ray(0, row, lens, kNone, &ignored, y + row);
  }
  lens_ = lens;
  width_ = width;
  height_ = height;
}

void Engine::make_points(const DepthView& frame, const MetricCamera* camera,
                         const Parameters& parameters, float* to) {
  const std::size_t row_floats = static_cast<std::size_t>(frame.width) * kCoordinates;
  if (camera == nullptr) {
    std::fill_n(to, row_floats * static_cast<std::size_t>(frame.height),
                std::numeric_limits<float>::quiet_NaN());
    return;
  }
  update_rays(*camera, frame.width, frame.height);
  const RayLayout layout(frame.width, frame.height, !lens_.distortion.none);
  for_bands(&pool_, frame.height, std::max(kBandPixels / frame.width, 1), [&](int row, int end) {
    for (; row < end; ++row) {
      const PointRow one{frame.row(row),
                         frame.type,
                         frame.width,
                         x_.data() + layout.x_of_row(row),
                         y_.data() + layout.y_of_row(row),
                         layout.each_pixel};
      write_point_row(one, camera->depth, parameters,
                      to + row_floats * static_cast<std::size_t>(row));
    }
  });
}

}  // namespace rdp::points
