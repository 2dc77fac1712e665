// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/standin/filter_kernels.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "common/filter/overlay.h"
#include "common/filter/reference.h"
#include "kernels/depthfilter/overlay_arguments.h"

namespace {

using namespace rdp;
using namespace rdp::cuda;
using filter::Parameters;
using filter::Persistence;
using rdp::reference::Frame;
namespace steps = filter::reference;

DepthView view_of(const DepthRows& rows, int width, int height) {
  return {reinterpret_cast<const std::byte*>(rows.data), rows.pitch, width, height,
          rows.sample_bytes == 1 ? SampleType::kU8 : SampleType::kU16};
}

// The median on its way to the output is counted by rdp_depth_copy alone.
std::int64_t differences(const DepthView& before, const Frame& after) {
  std::int64_t count = 0;
  for (int y = 0; y < after.height; ++y) {
    for (int x = 0; x < after.width; ++x) count += before.at(y, x) != after.at(y, x);
  }
  return count;
}

// Number of samples that are non-zero in `from` and 0 in `other`.
std::int64_t without(const DepthView& from, const Frame& other) {
  std::int64_t count = 0;
  for (int y = 0; y < other.height; ++y) {
    for (int x = 0; x < other.width; ++x) count += from.at(y, x) != 0 && other.at(y, x) == 0;
  }
  return count;
}

Frame input_of(const DepthFilterArguments& a) {
  const KnownRange known{a.known_first, a.known_first + a.known_span};
  return steps::range(view_of(a.in, a.width, a.height), a.has_range ? known : KnownRange{0, 65535});
}

// Persistence mode from the kernel's arguments.
Persistence persistence_of(const DepthFilterArguments& a) {
  if (a.keeps_state) return Persistence::kAlways;
  for (int i = 0; i < static_cast<int>(Persistence::kAlways); ++i) {
    const filter::HistoryRule rule = filter::history_rule(static_cast<Persistence>(i));
    if (rule.mask == a.history.mask && rule.least == a.history.least) {
      return static_cast<Persistence>(i);
    }
  }
  return Persistence::kNone;
}

Frame temporal(const Frame& in, const DepthFilterArguments& a) {
  Parameters parameters;
  parameters.temporal_frames = a.temporal_frames;
  parameters.persistence = persistence_of(a);
  parameters.motion_check = a.motion_check;
  parameters.tolerance = a.tolerance;
  steps::State state;
  const std::size_t pixels = in.samples.size();
  if (a.old_state != nullptr) state.pixels.assign(a.old_state, a.old_state + pixels);
  Frame out = steps::temporal(in, parameters, &state);
  std::memcpy(a.new_state, state.pixels.data(), pixels * sizeof(std::uint32_t));
  return out;
}

Frame fill(const Frame& in, const DepthFilterArguments& a) {
  Parameters parameters;
  parameters.hole_filling = a.holes.filling;
  parameters.hole_size = a.holes.size;
  parameters.disparity = a.holes.disparity;
  parameters.tolerance = a.holes.tolerance;
  return steps::fill(in, parameters);
}

Frame run(DepthCount step, const Frame& in, const DepthFilterArguments& a) {
  switch (step) {
    case kFlyingRemoved:
      return steps::flying(in, a.tolerance);
    case kSpeckleRemoved:
      return steps::speckles(in, a.speckle_size, a.tolerance);
    case kSpatialChanged:
      return steps::smooth(in, a.radius, a.tolerance);
    case kTemporalChanged:
      return temporal(in, a);
    case kHoleFilled:
      return fill(in, a);
    case kDepthCounts:
      return steps::decimate(in, a.decimation);
    default:
      return in;
  }
}

// Runs a filter step by the reference; kDepthCounts stands for decimation.
template <DepthCount kStep>
void run_step(const void* arguments) {
  const auto& a = *static_cast<const DepthFilterArguments*>(arguments);
  const Frame in = input_of(a);
  const Frame out = run(kStep, in, a);
  const auto count = [&](DepthCount which, std::int64_t pixels) {
    a.counters[which] += static_cast<unsigned long long>(pixels);
  };
  count(kRangeRemoved, without(view_of(a.in, a.width, a.height), in));
  if (kStep == kMedianChanged && a.before.data != nullptr) {
    count(kStep, differences(view_of(a.before, a.width, a.height), out));
  }
  if (kStep == kFlyingRemoved || kStep == kSpeckleRemoved) count(kStep, without(in.view(), out));
  if (kStep == kHoleFilled) count(kStep, without(out.view(), in));
  if (kStep == kSpatialChanged) count(kStep, differences(in.view(), out));
  if (kStep == kTemporalChanged) {
    count(kTemporalFilled, without(out.view(), in));
    count(kStep, differences(in.view(), out) - without(out.view(), in));
  }
  for (int y = 0; y < out.height; ++y) {
    unsigned char* const to = a.out.data + y * a.out.pitch;
    for (int x = 0; x < out.width; ++x) {
      const std::uint16_t v = out.at(y, x);
      std::memcpy(to + std::ptrdiff_t{a.out.sample_bytes} * x, &v,
                  static_cast<std::size_t>(a.out.sample_bytes));
    }
  }
  if (a.counts != nullptr) std::memcpy(a.counts, a.counters, kDepthCounts * sizeof *a.counts);
}

void run_nothing(const void*) {}

void run_changes(const void* arguments) {
  static constexpr Colours kGreys = make_greys();
  const auto& a = *static_cast<const DepthChangesArguments*>(arguments);
  const DepthView before = view_of(a.before, a.width, a.height);
  const DepthView after = view_of(a.after, a.columns / a.decimation, a.rows / a.decimation);
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) {
      const bool in_block = x < a.columns && y < a.rows;
      const std::uint32_t was = before.at(y, x);
      const std::uint32_t is = in_block ? after.at(y / a.decimation, x / a.decimation) : was;
      const Pixel pixel = filter::changed_pixel(was, is, *a.range, kGreys);
      std::memcpy(a.picture + y * a.picture_pitch + std::ptrdiff_t{4} * x, &pixel, sizeof pixel);
    }
  }
}

}  // namespace

HostKernel find_filter_kernel(std::string_view name) {
  constexpr std::pair<std::string_view, HostKernel> kKernels[] = {
      {"rdp_depth_copy", run_step<kMedianChanged>},
      {"rdp_depth_flying", run_step<kFlyingRemoved>},
      {"rdp_depth_label", run_nothing},
      {"rdp_depth_unite", run_nothing},
      {"rdp_depth_gather", run_nothing},
      {"rdp_depth_speckles", run_step<kSpeckleRemoved>},
      {"rdp_depth_decimate", run_step<kDepthCounts>},
      {"rdp_depth_smooth_4", run_step<kSpatialChanged>},
      {"rdp_depth_smooth_any", run_step<kSpatialChanged>},
      {"rdp_depth_temporal", run_step<kTemporalChanged>},
      {"rdp_depth_fill", run_step<kHoleFilled>},
      {"rdp_depth_changes", run_changes},
  };
  for (const auto& [of_name, kernel] : kKernels) {
    if (of_name == name) return kernel;
  }
  return nullptr;
}
