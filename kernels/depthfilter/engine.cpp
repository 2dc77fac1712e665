// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/depthfilter/engine.h"

#include <cstddef>
#include <cstdint>

#include "kernels/depthfilter/depth_filter_arguments.h"
#include "kernels/filters/median.h"
#include "kernels/primitives/tile_borders.h"
#include "kernels/runtime/arena.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/kernel_module.h"
#include "kernels/runtime/kernel_table.h"

extern "C" const unsigned char rdp_depth_flying_fatbin[];
extern "C" const unsigned char rdp_depth_smooth_fatbin[];
extern "C" const unsigned char rdp_depth_speckles_fatbin[];
extern "C" const unsigned char rdp_depth_steps_fatbin[];
extern "C" const unsigned char rdp_depth_temporal_fatbin[];

namespace rdp::cuda {
namespace {

static_assert(kMostDepthRadius == filter::kMostRadius);

struct Modules {
  static constexpr ModuleRow kRows[] = {
      {rdp_depth_flying_fatbin, {"rdp_depth_flying"}},
      {rdp_depth_smooth_fatbin, {"rdp_depth_smooth_4", "rdp_depth_smooth_any"}},
      {rdp_depth_speckles_fatbin,
       {"rdp_depth_label", "rdp_depth_unite", "rdp_depth_gather", "rdp_depth_speckles"}},
      {rdp_depth_steps_fatbin, {"rdp_depth_copy", "rdp_depth_decimate", "rdp_depth_fill"}},
      {rdp_depth_temporal_fatbin, {"rdp_depth_temporal"}},
  };
};
using Kernels = KernelTable<Modules>;

// The steps in their order; the median has a copy before it, and one follows where the result is
// not in its place.
enum class Step { kCopy, kMedian, kFlying, kSpeckles, kDecimate, kSmooth, kTemporal, kFill };

struct Steps {
  Step list[9];
  int count = 0;

  void add(Step step) { list[count++] = step; }
};

bool reads_neighbours(Step step) {
  return step == Step::kFlying || step == Step::kSmooth || step == Step::kTemporal ||
         step == Step::kFill;
}

Steps steps_of(const filter::Parameters& p, bool in_place) {
  Steps steps;
  if (p.median != 0) {
    steps.add(Step::kCopy);
    steps.add(Step::kMedian);
  }
  if (p.flying) steps.add(Step::kFlying);
  if (p.speckle_size > 1) steps.add(Step::kSpeckles);
  if (p.decimation > 1) steps.add(Step::kDecimate);
  if (p.spatial_radius > 0) steps.add(Step::kSmooth);
  if (p.temporal_frames > 1) steps.add(Step::kTemporal);
  if (p.hole_filling != filter::HoleFilling::kNone) steps.add(Step::kFill);
  const bool ends_elsewhere = in_place && steps.count == 1 && reads_neighbours(steps.list[0]);
  if (steps.count == 0 || ends_elsewhere) steps.add(Step::kCopy);
  return steps;
}

// Two planes between the steps, and the components; without a base only how they lie. The bytes of
// it.
std::size_t lay_out(int width, int height, const filter::Parameters& p, unsigned char* base,
                    DepthRows planes[2], DepthFilterArguments* a) {
  Arena arena(base);
  const auto pitch = static_cast<std::int64_t>(Arena::aligned(2 * static_cast<std::size_t>(width)));
  for (int i = 0; i < 2; ++i) {
    planes[i] = {nullptr, pitch, 2};
    arena.take(&planes[i].data, height * pitch);
  }
  if (p.speckle_size > 1) {
    arena.take(&a->parents, std::int64_t{1} * width * height);
    arena.take(&a->sizes, std::int64_t{1} * width * height);
  }
  return arena.bytes();
}

DepthRows rows_of(const DeviceDepthView& view) {
  return {view.bytes(), view.pitch, static_cast<std::int32_t>(bytes_per_sample(view.type))};
}

void set_range(std::uint32_t first, std::uint32_t last, DepthFilterArguments* a) {
  const bool any = first <= last;
  a->known_first = any ? first : 0x10000;  // which no sample reaches
  a->known_span = any ? last - first : 0;
  a->has_range = first > 1 || last < 0xFFFF;
}

}  // namespace

struct DepthFilter::Impl {
  Kernels kernels;
  OverlappedStart start_kernel;
  MedianFilter median;

  DeviceBuffer memory;
  DeviceBuffer states;  // two, by turns
  DeviceBuffer counters;
  PinnedBuffer counts;

  int state = 0;      // which of them is of the previous frame
  bool fresh = true;  // none is
  std::uint64_t taken[kDepthCounts] = {};
  filter::Parameters previous;
  int previous_width = 0;
  int previous_height = 0;

  void prepare(int width, int height, const filter::Parameters& p);
  DepthFilterArguments arguments(const DeviceDepthView& in, const filter::Parameters& p,
                                 DepthRows planes[2]);
  void start(Step step, DepthFilterArguments* a, CUstream stream);
  void start_median(const DepthRows& plane, DepthFilterArguments* a, bool last, CUstream stream);
  void start_speckles(const DepthFilterArguments& a, CUstream stream) const;
};

void DepthFilter::Impl::prepare(int width, int height, const filter::Parameters& p) {
  if (counts.get() == nullptr) {
    counts.ensure(sizeof(std::uint64_t) * kDepthCounts);
    auto* const numbers = reinterpret_cast<std::uint64_t*>(counts.get());
    for (int i = 0; i < kDepthCounts; ++i) numbers[i] = 0;
  }
  counters.ensure_zeros(sizeof(std::uint64_t) * (kDepthCounts + 1));
  DepthFilterArguments nowhere{};
  DepthRows planes[2];
  memory.ensure_anew(lay_out(width, height, p, nullptr, planes, &nowhere));
  if (p.temporal_frames == 1) return;
  const auto pixels = static_cast<std::size_t>(width / p.decimation) *
                      static_cast<std::size_t>(height / p.decimation);
  if (states.size() >= 2 * sizeof(std::uint32_t) * pixels) return;
  fresh = true;
  states.ensure_anew(2 * sizeof(std::uint32_t) * pixels);
}

DepthFilterArguments DepthFilter::Impl::arguments(const DeviceDepthView& in,
                                                  const filter::Parameters& p,
                                                  DepthRows planes[2]) {
  DepthFilterArguments a{};
  a.in = rows_of(in);
  a.width = in.width;
  a.height = in.height;
  set_range(p.known.first, p.known.last, &a);
  a.tolerance = p.tolerance;
  a.speckle_size = p.speckle_size;
  a.decimation = p.decimation;
  a.radius = p.spatial_radius;
  a.temporal_frames = p.temporal_frames;
  a.history = filter::history_rule(p.persistence);
  a.keeps_state = p.persistence == filter::Persistence::kAlways;
  a.motion_check = p.motion_check;
  a.holes = p.hole_rule();
  lay_out(in.width, in.height, p, memory.as<unsigned char>(), planes, &a);
  const std::size_t pixels = static_cast<std::size_t>(in.width / p.decimation) *
                             static_cast<std::size_t>(in.height / p.decimation);
  if (p.temporal_frames > 1) {
    auto* const all = states.as<std::uint32_t>();
    if (!fresh) a.old_state = all + static_cast<std::size_t>(state) * pixels;
    a.new_state = all + static_cast<std::size_t>(1 - state) * pixels;
  }
  a.counters = counters.as<unsigned long long>();
  return a;
}

void DepthFilter::Impl::start_speckles(const DepthFilterArguments& a, CUstream stream) const {
  start_kernel(kernels["rdp_depth_label"],
               tiled(a.width, a.height, 32, kDepthLabelRows, kDepthThreads), stream, a);
  const std::int64_t pairs = tile_border_pairs(a.width, a.height, 32, kDepthLabelRows);
  if (pairs > 0) {
    LaunchShape shape;
    shape.blocks_x = blocks_of(pairs, kDepthThreads);
    shape.threads = kDepthThreads;
    start_kernel(kernels["rdp_depth_unite"], shape, stream, a);
  }
  const LaunchShape strips =
      tiled(a.width, a.height, kDepthThreads, kDepthStripRows, kDepthThreads);
  start_kernel(kernels["rdp_depth_gather"], strips, stream, a);
  start_kernel(kernels["rdp_depth_speckles"], strips, stream, a);
}

// Writes the medians of the plane a->in to the other one. A copy counts them, and hands them on.
void DepthFilter::Impl::start_median(const DepthRows& plane, DepthFilterArguments* a, bool last,
                                     CUstream stream) {
  const auto view = [&](const DepthRows& rows) {
    return DeviceDepthView{reinterpret_cast<DevicePointer>(rows.data), rows.pitch, a->width,
                           a->height, SampleType::kU16};
  };
  median.run(view(a->in), previous.median, view(plane), stream);
  a->before = a->in;
  a->in = plane;
  if (!last) a->out.data = nullptr;
  start(Step::kCopy, a, stream);
  a->before.data = nullptr;
}

// Starts a step from a->in to a->out.
void DepthFilter::Impl::start(Step step, DepthFilterArguments* a, CUstream stream) {
  const auto tiles = [&](const Kernel& kernel, int rows) {
    start_kernel(kernel, tiled(a->width, a->height, kDepthColumns, rows, kDepthThreads), stream,
                 *a);
  };
  switch (step) {
    case Step::kCopy:
      return tiles(kernels["rdp_depth_copy"], kCopyRows);
    case Step::kFlying:
      return tiles(kernels["rdp_depth_flying"], kFlyingRows);
    case Step::kSpeckles:
      return start_speckles(*a, stream);
    case Step::kSmooth:
      return tiles(a->radius == 4 ? kernels["rdp_depth_smooth_4"] : kernels["rdp_depth_smooth_any"],
                   kSmoothRows);
    case Step::kTemporal:
      tiles(kernels["rdp_depth_temporal"], kTemporalRows);
      state = 1 - state;
      fresh = false;
      return;
    case Step::kFill:
      return tiles(kernels["rdp_depth_fill"], kPixelRows);
    case Step::kDecimate: {
      const int width = a->width / a->decimation, height = a->height / a->decimation;
      start_kernel(kernels["rdp_depth_decimate"],
                   tiled(width, height, kDepthColumns, kPixelRows, kDepthThreads), stream, *a);
      a->width = width;
      a->height = height;
      return;
    }
    case Step::kMedian:
      break;
  }
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
  DepthRows planes[2];
  DepthFilterArguments a = impl.arguments(in, p, planes);
  const Steps steps = steps_of(p, in.data == out.data);
  for (int i = 0; i < steps.count; ++i) {
    const bool last = i + 1 == steps.count;
    const DepthRows& plane = a.in.data == planes[0].data ? planes[1] : planes[0];
    a.out = last ? rows_of(out) : plane;
    if (last) {
      a.counts = reinterpret_cast<unsigned long long*>(impl.counts.device_pointer());
    }
    if (steps.list[i] == Step::kMedian) {
      impl.start_median(plane, &a, last, stream);
    } else {
      impl.start(steps.list[i], &a, stream);
    }
    a.in = plane;
    set_range(0, 0xFFFFFFFF, &a);
  }
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
