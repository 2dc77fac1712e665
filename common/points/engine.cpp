// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/points/engine.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "common/image/row_bands.h"
#include "common/points/point.h"
#include "common/points/point_row.h"

namespace rdp::points {
namespace {

// Pixels of a band of rows, a thread's unit of work: about ten microseconds.
constexpr int kBandPixels = 16384;

}  // namespace

void Engine::set_threads(unsigned threads) {
  pool_.resize(std::min(threads == 0 ? usable_processors() : threads, ThreadPool::kMaxThreads));
}

void Engine::make_points(const DepthView& frame, const MetricCamera* camera,
                         const Parameters& parameters, float* to) {
  const std::size_t row_floats = static_cast<std::size_t>(frame.width) * kCoordinates;
  if (camera == nullptr) {
    std::fill_n(to, row_floats * static_cast<std::size_t>(frame.height),
                std::numeric_limits<float>::quiet_NaN());
    return;
  }
  rays_.update(*camera, frame.width, frame.height, 0.0, &pool_);
  for_bands(&pool_, frame.height, std::max(kBandPixels / frame.width, 1), [&](int row, int end) {
    for (; row < end; ++row) {
      const PointRow one{frame.row(row),      frame.type,          frame.width,
                         rays_.x_of_row(row), rays_.y_of_row(row), rays_.each_pixel()};
      write_point_row(one, camera->depth, parameters,
                      to + row_floats * static_cast<std::size_t>(row));
    }
  });
}

}  // namespace rdp::points
