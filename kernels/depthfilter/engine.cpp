// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/depthfilter/engine.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/depthfilter/depth_filter_arguments.h"
#include "kernels/filters/filters.h"
#include "kernels/primitives/tile_borders.h"
#include "kernels/runtime/arena.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/kernel_module.h"
#include "kernels/runtime/kernel_table.h"

extern "C" const unsigned char rdp_depth_flying_fatbin[];
extern "C" const unsigned char rdp_depth_smooth_fatbin[];
extern "C" const unsigned char rdp_depth_steps_fatbin[];
extern "C" const unsigned char rdp_depth_temporal_fatbin[];

namespace rdp::cuda {
namespace {

static_assert(kMaxDepthRadius == filter::kMaxRadius);

struct Modules {
  static constexpr ModuleRow kRows[] = {
      {rdp_depth_flying_fatbin, {"rdp_depth_flying"}},
      {rdp_depth_smooth_fatbin, {"rdp_depth_smooth_4", "rdp_depth_smooth_any"}},
      {rdp_depth_steps_fatbin,
       {"rdp_depth_copy", "rdp_depth_decimate", "rdp_depth_fill", "rdp_depth_label",
        "rdp_depth_unite", "rdp_depth_gather", "rdp_depth_speckles"}},
      {rdp_depth_temporal_fatbin, {"rdp_depth_temporal"}},
  };
};

// A frame between its steps. Steps write to two planes alternately, the last step to the output.
struct Frame {
  DepthFilterArguments a;
  DepthRows out;
  DepthRows planes[2];
  unsigned long long* counts;
  int steps;  // still to be started

  const DepthRows& other_plane() const {
    return a.in.data == planes[0].data ? planes[1] : planes[0];
  }
  DeviceDepthView view(const DepthRows& plane) const {
    return {reinterpret_cast<DevicePointer>(plane.data), plane.pitch, a.width, a.height,
            SampleType::kU16};
  }
  void begin_step() {
    const bool last = --steps == 0;
    a.out = last ? out : other_plane();
    a.counts = last ? counts : nullptr;
  }
  void end_step() {
    a.in = a.out;
    a.has_range = false;
  }
};

DepthRows rows_of(const DeviceDepthView& view) {
  return {view.bytes(), view.pitch, static_cast<std::int32_t>(bytes_per_sample(view.type))};
}

std::int64_t pitch_of(int width) {
  return static_cast<std::int64_t>(Arena::aligned(2 * static_cast<std::size_t>(width)));
}
std::size_t pixels_of(int width, int height) {
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}
std::size_t pixels_out(int width, int height, const filter::Parameters& p) {
  return pixels_of(width / p.decimation, height / p.decimation);
}

}  // namespace

struct DepthFilter::Impl {
  KernelTable<Modules> kernels;
  OverlappedStart start_kernel;
  MedianFilter median;

  DeviceBuffer planes;
  DeviceBuffer components;  // parents, then sizes
  DeviceBuffer states;      // two, by turns
  DeviceBuffer counters;
  PinnedBuffer counts;
  std::uint64_t taken[kDepthCounts] = {};

  int state = 0;      // index of the previous frame's state
  bool fresh = true;  // there is no previous frame
  filter::Parameters previous;
  int previous_width = 0;
  int previous_height = 0;

  void prepare(int width, int height, const filter::Parameters& p);
  Frame frame(const DeviceDepthView& in, const filter::Parameters& p, const DeviceDepthView& out);
  void run(const Kernel& kernel, int rows, Frame* frame, CUstream stream) const;
  void run_median(int side, Frame* frame, CUstream stream) const;
  void run_speckles(Frame* frame, CUstream stream) const;
};

void DepthFilter::Impl::prepare(int width, int height, const filter::Parameters& p) {
  constexpr std::size_t kBytes = sizeof(std::uint64_t) * kDepthCounts;
  if (counts.get() == nullptr) std::memset(counts.ensure(kBytes), 0, kBytes);
  counters.ensure_zeros(kBytes + sizeof(std::uint64_t));
  // Pairs of samples are read beyond the last column.
  planes.ensure_zeros(2 * static_cast<std::size_t>(pitch_of(width) * height));
  constexpr std::size_t kTwoWords = 2 * sizeof(std::uint32_t);
  if (p.speckle_size > 1) components.ensure_anew(kTwoWords * pixels_of(width, height));
  const std::size_t bytes = kTwoWords * pixels_out(width, height, p);
  if (p.temporal_frames == 1 || bytes <= states.size()) return;
  fresh = true;
  states.ensure_anew(bytes);
}

Frame DepthFilter::Impl::frame(const DeviceDepthView& in, const filter::Parameters& p,
                               const DeviceDepthView& out) {
  Frame frame{};
  frame.out = rows_of(out);
  frame.counts = reinterpret_cast<unsigned long long*>(counts.device_pointer());
  const std::int64_t pitch = pitch_of(in.width);
  frame.planes[0] = {planes.as<unsigned char>(), pitch, 2};
  frame.planes[1] = {planes.as<unsigned char>() + in.height * pitch, pitch, 2};
  DepthFilterArguments& a = frame.a;
  const bool any = p.known.first <= p.known.last;
  a.known_first = any ? p.known.first : 0x10000;  // above every sample
  a.known_span = any ? p.known.last - p.known.first : 0;
  a.has_range = p.known.first > 1 || p.known.last < 0xFFFF;
  a.in = rows_of(in);
  a.width = in.width;
  a.height = in.height;
  a.tolerance = p.tolerance;
  a.speckle_size = p.speckle_size;
  a.decimation = p.decimation;
  a.radius = p.spatial_radius;
  a.temporal_frames = p.temporal_frames;
  a.history = filter::history_rule(p.persistence);
  a.keeps_state = p.persistence == filter::Persistence::kAlways;
  a.motion_check = p.motion_check;
  a.holes = p.hole_rule();
  a.parents = components.as<std::uint32_t>();
  a.sizes = a.parents + pixels_of(in.width, in.height);
  std::uint32_t* const of_states[] = {
      states.as<std::uint32_t>(), states.as<std::uint32_t>() + pixels_out(in.width, in.height, p)};
  a.old_state = fresh ? nullptr : of_states[state];
  a.new_state = of_states[1 - state];
  a.counters = counters.as<unsigned long long>();
  return frame;
}

// Runs a step in blocks of kDepthColumns columns and `rows` rows.
void DepthFilter::Impl::run(const Kernel& kernel, int rows, Frame* frame, CUstream stream) const {
  frame->begin_step();
  const DepthFilterArguments& a = frame->a;
  start_kernel(kernel, tiled(a.width, a.height, kDepthColumns, rows, kDepthThreads), stream, a);
  frame->end_step();
}

// Runs the median from plane to plane. A copy then counts the changed samples, and writes the
// output if the median is the last step.
void DepthFilter::Impl::run_median(int side, Frame* frame, CUstream stream) const {
  DepthFilterArguments& a = frame->a;
  const DepthRows medians = frame->other_plane();
  median.run(frame->view(a.in), side, frame->view(medians), stream);
  a.before = a.in;
  a.in = medians;
  run(kernels["rdp_depth_copy"], kCopyRows, frame, stream);
  a.before.data = nullptr;
}

void DepthFilter::Impl::run_speckles(Frame* frame, CUstream stream) const {
  frame->begin_step();
  const DepthFilterArguments& a = frame->a;
  start_kernel(kernels["rdp_depth_label"],
               tiled(a.width, a.height, 32, kDepthLabelRows, kDepthThreads), stream, a);
  const std::int64_t pairs = tile_border_pairs(a.width, a.height, 32, kDepthLabelRows);
  if (pairs > 0) {
    const LaunchShape line{blocks_of(pairs, kDepthThreads), 1, kDepthThreads};
    start_kernel(kernels["rdp_depth_unite"], line, stream, a);
  }
  const LaunchShape strips =
      tiled(a.width, a.height, kDepthThreads, kDepthStripRows, kDepthThreads);
  start_kernel(kernels["rdp_depth_gather"], strips, stream, a);
  start_kernel(kernels["rdp_depth_speckles"], strips, stream, a);
  frame->end_step();
}

DepthFilter::DepthFilter() : impl_(std::make_unique<Impl>()) {}
DepthFilter::~DepthFilter() = default;

void DepthFilter::prepare(int width, int height, const filter::Parameters& parameters) {
  impl_->prepare(width, height, parameters);
}

void DepthFilter::start(const DeviceDepthView& in, const filter::Parameters& parameters,
                        const DeviceDepthView& out, CUstream stream) {
  Impl& impl = *impl_;
  const filter::Parameters& p = parameters;
  const bool same =
      impl.previous == p && impl.previous_width == in.width && impl.previous_height == in.height;
  impl.fresh = impl.fresh || !same || p.temporal_frames == 1;
  impl.prepare(in.width, in.height, p);
  impl.previous = p;
  impl.previous_width = in.width;
  impl.previous_height = in.height;

  Frame frame = impl.frame(in, p, out);
  const auto run = [&](const Kernel& kernel, int rows) { impl.run(kernel, rows, &frame, stream); };
  const bool speckles = p.speckle_size > 1, decimates = p.decimation > 1;
  const bool smooths = p.spatial_radius > 0, temporal = p.temporal_frames > 1;
  const bool fills = p.hole_filling != filter::HoleFilling::kNone;
  frame.steps = int{p.median != 0} + int{p.flying} + int{speckles} + int{decimates} + int{smooths} +
                int{temporal} + int{fills};
  // Flying pixels are searched in the input itself, unless they are removed in place.
  const bool may_fly_first = p.median == 0 && (frame.steps > 1 || in.data != out.data);
  if (!p.flying || !may_fly_first) {
    ++frame.steps;
    run(impl.kernels["rdp_depth_copy"], kCopyRows);
  }
  if (p.median != 0) impl.run_median(p.median, &frame, stream);
  if (p.flying) run(impl.kernels["rdp_depth_flying"], kFlyingRows);
  if (speckles) impl.run_speckles(&frame, stream);
  if (decimates) {
    frame.begin_step();
    impl.start_kernel(impl.kernels["rdp_depth_decimate"],
                      tiled(out.width, out.height, kDepthColumns, kPixelRows, kDepthThreads),
                      stream, frame.a);
    frame.end_step();
    frame.a.width = out.width;
    frame.a.height = out.height;
  }
  if (smooths) {
    run(p.spatial_radius == 4 ? impl.kernels["rdp_depth_smooth_4"]
                              : impl.kernels["rdp_depth_smooth_any"],
        kSmoothRows);
  }
  if (temporal) {
    run(impl.kernels["rdp_depth_temporal"], kTemporalRows);
    impl.state = 1 - impl.state;
    impl.fresh = false;
  }
  if (fills) run(impl.kernels["rdp_depth_fill"], kPixelRows);
}

// Written by the device.
filter::Counts DepthFilter::take_counts() {
  if (impl_->counts.get() == nullptr) return {};
  const auto* const all = reinterpret_cast<const volatile std::uint64_t*>(impl_->counts.get());
  std::int64_t since[kDepthCounts];
  for (int i = 0; i < kDepthCounts; ++i) {
    const std::uint64_t now = all[i];
    since[i] = static_cast<std::int64_t>(now - impl_->taken[i]);
    impl_->taken[i] = now;
  }
  return {since[kRangeRemoved],   since[kMedianChanged],  since[kFlyingRemoved],
          since[kSpeckleRemoved], since[kSpatialChanged], since[kTemporalChanged],
          since[kTemporalFilled], since[kHoleFilled]};
}

void DepthFilter::clear() { impl_->fresh = true; }

}  // namespace rdp::cuda
