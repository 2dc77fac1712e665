// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/points/engine.h"

#include <cstdint>

#include "common/image/same_camera.h"
#include "common/points/point.h"
#include "common/points/rays.h"
#include "kernels/points/point_arguments.h"
#include "kernels/runtime/arena.h"

extern "C" const unsigned char rdp_points_fatbin[];

namespace rdp::cuda {
namespace {

// Blocks with a thread for each of `count` items.
LaunchShape line(std::int64_t count, int threads) {
  return {blocks_of(count, threads), 1, static_cast<unsigned>(threads)};
}

}  // namespace

PointsEngine::PointsEngine()
    : module_(rdp_points_fatbin),
      tables_(module_, "rdp_point_tables"),
      points_(module_, "rdp_points_u8", "rdp_points_u16"),
      none_(module_, "rdp_no_points") {}

void PointsEngine::update_tables(const DeviceDepthView& frame, const MetricCamera& camera,
                                 const KnownRange& known, CUstream stream) {
  const int values = static_cast<int>(max_sample(frame.type)) + 1;
  const bool same_depths =
      values == values_ && known == known_ && same_rule(camera.depth, camera_.depth);
  const bool same_rays =
      frame.width == width_ && frame.height == height_ && same_lens(camera, camera_);
  if (same_depths && same_rays) return;
  values_ = width_ = 0;  // the tables are invalid if this fails
  const points::RayLayout layout(frame.width, frame.height, !camera.distortion.none);
  depths_.ensure(static_cast<std::size_t>(values) * sizeof(double));
  x_.ensure(layout.x_count() * sizeof(double));
  y_.ensure(layout.y_count() * sizeof(double));
  const std::int64_t rays = same_rays           ? 0
                            : layout.each_pixel ? static_cast<std::int64_t>(layout.x_count())
                                                : static_cast<std::int64_t>(layout.x_count()) +
                                                      static_cast<std::int64_t>(layout.y_count());
  tables_.start(
      line(values + rays, kPointTableThreads), stream,
      PointTableArguments{camera, known.first, known.last, values, frame.width, frame.height,
                          !same_rays, depths_.as<double>(), x_.as<double>(), y_.as<double>(), 0.0});
  camera_ = camera;
  known_ = known;
  values_ = values;
  width_ = frame.width;
  height_ = frame.height;
}

void PointsEngine::make_points(const DeviceDepthView& frame, const MetricCamera* camera,
                               const points::Parameters& parameters, CUdeviceptr to,
                               CUstream stream) {
  auto* const floats = reinterpret_cast<float*>(to);
  if (camera == nullptr) {
    const std::int64_t count = std::int64_t{points::kCoordinates} * frame.width * frame.height;
    none_.start(line(count, kNoPointThreads), stream, NoPointArguments{floats, count});
    return;
  }
  update_tables(frame, *camera, parameters.known, stream);
  points_.of(frame.type)
      .start(tiled(frame.width, frame.height, kPointColumns, 1, kPointThreads), stream,
             PointArguments{frame.bytes(), frame.pitch, frame.width, frame.height,
                            !camera->distortion.none, parameters.forward_left_up,
                            depths_.as<double>(), x_.as<double>(), y_.as<double>(), floats});
}

}  // namespace rdp::cuda
