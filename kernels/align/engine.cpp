// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/align/engine.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/image/same_camera.h"
#include "common/points/rays.h"
#include "kernels/align/align_arguments.h"
#include "kernels/points/point_arguments.h"
#include "kernels/runtime/arena.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "kernels/runtime/kernel_module.h"
#include "kernels/runtime/kernel_table.h"

extern "C" const unsigned char rdp_depth_align_fatbin[];
extern "C" const unsigned char rdp_points_fatbin[];

namespace rdp::cuda {
namespace {

struct Modules {
  static constexpr ModuleRow kRows[] = {
      {rdp_depth_align_fatbin, {"rdp_align_cover", "rdp_align_finish", "rdp_align_colour"}},
      {rdp_points_fatbin, {"rdp_point_tables"}},
  };
};

LaunchShape over(int width, int height) {
  return tiled(width, height, kAlignColumns, kAlignRows, kAlignThreads);
}

// Rays of positions one pixel apart.
struct Rays {
  DeviceBuffer x;
  DeviceBuffer y;

  AlignRays view() const { return {x.as<double>(), y.as<double>()}; }
};

}  // namespace

struct DepthAligner::Impl {
  KernelTable<Modules> kernels;
  OverlappedStart start_kernel;

  // Inputs of the tables.
  MetricCamera source;
  int values = 0;  // 0: there are no tables
  int width = 0;
  int height = 0;
  Rays centres;
  Rays corners;
  DeviceBuffer depths;

  DeviceBuffer nearest;
  DeviceBuffer counters;
  PinnedBuffer counts;
  std::uint64_t taken[kAlignCounts] = {};

  void make_rays(const MetricCamera& camera, int columns, int rows, double offset, int depth_values,
                 Rays* rays, CUstream stream);
  void update_tables(const DeviceDepthView& depth, const MetricCamera& camera, CUstream stream);
  AlignArguments arguments(const DeviceDepthView& depth, const align::Parameters& p,
                           const DeviceDepthView& aligned) const;
};

// Makes rays, and the depths of so many sample values.
void DepthAligner::Impl::make_rays(const MetricCamera& camera, int columns, int rows, double offset,
                                   int depth_values, Rays* rays, CUstream stream) {
  const points::RayLayout layout(columns, rows, !camera.distortion.none);
  rays->x.ensure(layout.x_count() * sizeof(double));
  rays->y.ensure(layout.y_count() * sizeof(double));
  const auto places = static_cast<std::int64_t>(layout.x_count()) +
                      (layout.each_pixel ? 0 : static_cast<std::int64_t>(layout.y_count()));
  const LaunchShape line{blocks_of(depth_values + places, kPointTableThreads), 1,
                         kPointTableThreads};
  kernels["rdp_point_tables"].start(
      line, stream,
      PointTableArguments{camera, 1, 0xFFFF, depth_values, columns, rows, true, depths.as<double>(),
                          rays->x.as<double>(), rays->y.as<double>(), offset});
}

void DepthAligner::Impl::update_tables(const DeviceDepthView& depth, const MetricCamera& camera,
                                       CUstream stream) {
  const int depth_values = static_cast<int>(max_sample(depth.type)) + 1;
  if (values == depth_values && width == depth.width && height == depth.height &&
      same_camera(camera, source)) {
    return;
  }
  values = 0;  // the tables are invalid if this fails
  depths.ensure(static_cast<std::size_t>(depth_values) * sizeof(double));
  make_rays(camera, depth.width, depth.height, 0.0, depth_values, &centres, stream);
  make_rays(camera, depth.width + 1, depth.height + 1, -0.5, 0, &corners, stream);
  source = camera;
  values = depth_values;
  width = depth.width;
  height = depth.height;
}

AlignArguments DepthAligner::Impl::arguments(const DeviceDepthView& depth,
                                             const align::Parameters& p,
                                             const DeviceDepthView& aligned) const {
  AlignArguments a{};
  a.depth = depth.bytes();
  a.pitch = depth.pitch;
  a.sample_bytes = bytes_per_sample(depth.type);
  a.width = depth.width;
  a.height = depth.height;
  a.each_pixel = !p.source.distortion.none;
  a.centres = centres.view();
  a.corners = corners.view();
  a.depths = depths.as<double>();
  a.target = p.target;
  a.movement = p.movement;
  a.unit = p.unit;
  a.tolerance = p.steps();
  a.fill_cracks = p.fill_cracks;
  a.target_width = aligned.width;
  a.target_height = aligned.height;
  a.nearest = nearest.as<std::uint32_t>();
  a.aligned = aligned.bytes();
  a.aligned_pitch = aligned.pitch;
  a.counters = counters.as<unsigned long long>();
  a.counts = reinterpret_cast<unsigned long long*>(counts.device_pointer());
  return a;
}

DepthAligner::DepthAligner() : impl_(std::make_unique<Impl>()) {}
DepthAligner::~DepthAligner() = default;

void DepthAligner::align(const DeviceDepthView& depth, const align::Parameters& parameters,
                         const DeviceDepthView& aligned, CUstream stream) {
  Impl& impl = *impl_;
  constexpr std::size_t kBytes = sizeof(std::uint64_t) * kAlignCounts;
  if (impl.counts.get() == nullptr) std::memset(impl.counts.ensure(kBytes), 0, kBytes);
  impl.counters.ensure_zeros(kBytes);
  const std::size_t bytes = sizeof(std::uint32_t) * static_cast<std::size_t>(aligned.width) *
                            static_cast<std::size_t>(aligned.height);
  impl.nearest.ensure_anew(bytes);
  impl.update_tables(depth, parameters.source, stream);
  check(driver().cuMemsetD8Async(impl.nearest.get(), 0xFF, bytes, stream), "clearing GPU memory");
  const AlignArguments a = impl.arguments(depth, parameters, aligned);
  impl.start_kernel(impl.kernels["rdp_align_cover"], over(depth.width, depth.height), stream, a);
  impl.start_kernel(impl.kernels["rdp_align_finish"], over(aligned.width, aligned.height), stream,
                    a);
}

void DepthAligner::colour(const DeviceDepthView& depth, const align::Parameters& parameters,
                          const DeviceDepthView& aligned, const align::Picture& picture,
                          const DeviceRgbaView& out, CUstream stream) {
  Impl& impl = *impl_;
  impl.update_tables(depth, parameters.source, stream);
  AlignArguments a = impl.arguments(depth, parameters, aligned);
  a.picture = picture;
  a.colours = out.bytes();
  a.colours_pitch = out.pitch;
  impl.start_kernel(impl.kernels["rdp_align_colour"], over(depth.width, depth.height), stream, a);
}

// Written by the device.
align::Counts DepthAligner::take_counts() {
  if (impl_->counts.get() == nullptr) return {};
  const auto* const all = reinterpret_cast<const volatile std::uint64_t*>(impl_->counts.get());
  std::int64_t since[kAlignCounts];
  for (int i = 0; i < kAlignCounts; ++i) {
    const std::uint64_t now = all[i];
    since[i] = static_cast<std::int64_t>(now - impl_->taken[i]);
    impl_->taken[i] = now;
  }
  return {since[kAlignKnown], since[kAlignLanded]};
}

}  // namespace rdp::cuda
