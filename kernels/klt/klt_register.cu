// SPDX-License-Identifier: LGPL-2.1-or-later
// Registers the found tracks to their patches, with klt::Warp::kAffine; bit-identical to
// klt::reference::register_track(). Two kernels, because factoring a patch's equations takes many
// more registers than registering to it. Groups are those of rdp_klt_track_*.
#include <cstdint>

#include "kernels/klt/klt_arguments.h"
#include "kernels/klt/note_place.cuh"
#include "kernels/klt/window.cuh"
#include "kernels/primitives/grid_order.cuh"

namespace rdp::cuda {
namespace {

using klt::Fit;
using klt::Place;
using klt::Reason;

// A group's feature.
template <typename Group>
struct Feature {
  __device__ Feature(const KltArguments& a, const KltFrame& frame, const KltWork& work)
      : number(blockIdx.x * (kPatchThreads / Group::kLanes) + threadIdx.x / Group::kLanes),
        exists(number < a.features(frame)),
        is_track(exists && number < frame.live),
        tracked(exists && work.found[number].reason == Reason::kTracked),
        has_slot(number < frame.next_shapes.count) {}

  // The patch of its place in the list; if that has no slot, an arbitrary one.
  __device__ KltPatch patch(const KltFrame& frame, int window) const {
    const std::uint32_t slot = !has_slot             ? 0
                               : frame.keeps_patches ? frame.shapes.slot_of(number)
                                                     : number;
    return KltPatch::at(frame.patches, slot, window);
  }

  const unsigned number;
  const bool exists;
  const bool is_track;
  const bool tracked;
  const bool has_slot;
};

// Sums over a patch. Each thread of the group adds the column that it has written, if `written`.
template <typename Group>
__device__ __forceinline__ klt::PatchSums sums_of_patch(const Group& group, const KltPatch& patch,
                                                        bool written) {
  const int side = group.window;
  klt::PatchSums sums{};
#pragma unroll 1
  for (int row = 0; written && row < side; ++row) {
    const int at = row * side + group.column;
    const std::uint32_t gradients = patch.gradients[at];
    klt::add_sample(2 * group.column - (side - 1), 2 * row - (side - 1), patch.intensities[at],
                    low_half(gradients), high_half(gradients), &sums);
  }
  const auto add_up = [](auto& numbers) {
#pragma unroll
    for (std::int64_t& number : numbers) number = wide_group_sum<Group>(number);
  };
  add_up(sums.jj);
  add_up(sums.j);
  add_up(sums.ji);
  sums.i = wide_group_sum<Group>(sums.i);
  sums.ii = wide_group_sum<Group>(sums.ii);
  return sums;
}

// Gives each track its shape at the begin of the frame, and a patch if it has none and may take
// one.
template <typename Group>
__device__ void take_patches(const KltArguments& a) {
  const KltFrame& frame = a.frames[blockIdx.y];
  const KltWork work = a.work.of_frame(blockIdx.y);
  const Group group(a.rules);
  const Feature<Group> feature(a, frame, work);
  klt::TrackShape shape;
  if (feature.is_track && frame.shapes.memory != nullptr) {
    shape = frame.shapes.shapes()[feature.number];
    if (!frame.keeps_patches) shape = klt::without_patch(shape);
  }
  const Level level = level_of(frame.before, a.layout.levels[0]);
  const Place place = feature.is_track ? frame.records[feature.number].place : Place{};
  bool takes = feature.is_track && feature.tracked && !shape.has_patch && feature.has_slot &&
               feature.number < a.most_patches &&
               klt::holds_window(place, {}, group.window, level.width, level.height);
  if (__any_sync(kAll, takes) != 0) {
    Column<Group> column;
    load_template(group, level, takes ? place : Place{}, klt::Light::kNone, &column);
    const KltPatch patch = feature.patch(frame, group.window);
    const bool writes = takes && group.adds;
    if (writes) {
#pragma unroll
      for (int row = 0; row < Group::kRows; ++row) {
        if (!group.has_row(row)) break;
        const int at = row * group.window + group.column;
        patch.gradients[at] = static_cast<std::uint32_t>(column.gy[row]) << 16 |
                              (static_cast<std::uint32_t>(column.gx[row]) & 0xFFFFU);
        patch.intensities[at] = static_cast<std::uint16_t>(column.i[row]);
      }
    }
    const klt::PatchSums sums = sums_of_patch(group, patch, writes);
    const klt::Light light = a.rules.light;
    takes = takes && (light == klt::Light::kNone || klt::varies(sums, group.pixels()));
    if (takes && group.lane == 0) {
      *patch.equations = klt::equations_of(sums, group.window, light);
      atomicAdd(&work.counters->patches, 1U);
    }
  }
  shape.has_patch = shape.has_patch || takes;
  if (takes) shape.age = 0;
  if (feature.exists && group.lane == 0) work.shapes[feature.number] = {shape, 0.0F, 0};
}

// A step's sums over the window, and the thread's differences. Of a thread that does not read the
// patch they are 0.
template <typename Group>
__device__ __forceinline__ klt::PatchResiduals sums_of_window(const Group& group,
                                                              const Level& level,
                                                              const klt::Registration& window,
                                                              const KltPatch& patch, bool reads,
                                                              int (&differences)[Group::kRows]) {
  // A column's sums of products with v do not fit where there are more than 16 rows.
  using Sum = std::conditional_t<(Group::kRows > 16), long long, int>;
  const int side = group.window;
  const int u = 2 * group.column - (side - 1);
  int rx = 0, ry = 0, r_sum = 0, ri = 0;
  Sum rx_row = 0, ry_row = 0;  // with the row's distance from the middle one
#pragma unroll
  for (int row = 0; row < Group::kRows; ++row) {
    if (!group.has_row(row)) break;
    const Place at = klt::warped_sample(window.centre, window.warp, u, 2 * row - (side - 1));
    const WindowOrigin origin = origin_at(at.x, at.y);
    const std::uint16_t* const pixels =
        level.pixels + static_cast<std::ptrdiff_t>(origin.y) * level.pitch + origin.x;
    const unsigned weights = weights_of(origin.fx);
    const int value = intensity_of(origin, between_pixels(weights, *pixels),
                                   between_pixels(weights, pixels[level.pitch]));
    const int sample = row * side + group.column;
    const std::uint32_t gradients = reads ? patch.gradients[sample] : 0;
    const int i = reads ? patch.intensities[sample] : 0;
    const int r = reads ? value - i : 0;
    const int x = r * low_half(gradients);
    const int y = r * high_half(gradients);
    differences[row] = r;
    rx += x;
    ry += y;
    rx_row += static_cast<Sum>(x) * (row - side / 2);
    ry_row += static_cast<Sum>(y) * (row - side / 2);
    r_sum += r;
    ri += r * i;
  }
  const auto sum = [](long long v) { return static_cast<double>(wide_group_sum<Group>(v)); };
  // v is 2 (row - side / 2), and 1 more where the side is even.
  const int odd = 2 * (side / 2) - (side - 1);
  klt::PatchResiduals sums{};
  sums.rj[0] = sum(rx);
  sums.rj[1] = sum(ry);
  sums.rj[2] = sum(static_cast<long long>(rx) * u);
  sums.rj[3] = sum(2 * static_cast<long long>(rx_row) + odd * static_cast<long long>(rx));
  sums.rj[4] = sum(static_cast<long long>(ry) * u);
  sums.rj[5] = sum(2 * static_cast<long long>(ry_row) + odd * static_cast<long long>(ry));
  sums.r = small_group_sum<Group>(r_sum);
  sums.ri = sum(ri);
  return sums;
}

// The residual of a registration, from its last differences. Of a group without one: any.
template <typename Group>
__device__ __forceinline__ double residual_of(const KltArguments& a, const Group& group,
                                              const KltPatch& patch, bool reads,
                                              const klt::PatchResiduals& sums,
                                              const int (&differences)[Group::kRows]) {
  int sum = 0;
  if (reads && group.adds) {
    const klt::LightChange change =
        klt::light_change(*patch.equations, sums, group.pixels(), a.rules.light);
#pragma unroll
    for (int row = 0; row < Group::kRows; ++row) {
      if (!group.has_row(row)) break;
      const int i = patch.intensities[row * group.window + group.column];
      sum += klt::difference_of(differences[row], i, change);
    }
  }
  return klt::residual_of(wide_group_sum<Group>(sum), group.pixels());
}

template <typename Group>
__device__ void register_tracks(const KltArguments& a) {
  const KltFrame& frame = a.frames[blockIdx.y];
  const KltWork work = a.work.of_frame(blockIdx.y);
  const klt::StepRules& rules = a.rules;
  const Group group(rules);
  const Feature<Group> feature(a, frame, work);
  const Level level = level_of(frame.after, a.layout.levels[0]);
  const Place found = feature.tracked ? work.found[feature.number].place : Place{};
  klt::TrackShape shape;
  if (feature.exists) shape = work.shapes[feature.number].shape;
  const bool registers = feature.is_track && feature.tracked && shape.has_patch;
  const KltPatch patch = feature.patch(frame, group.window);
  if (registers) ++shape.age;
  Fit fit = Fit::kSkipped;
  if (registers && klt::holds_window(found, shape.warp, group.window, level.width, level.height)) {
    fit = patch.equations->solvable ? Fit::kFits : Fit::kMisfit;
  }
  klt::Registration window{shape.warp, found};
  klt::PatchResiduals sums{};
  double residual = 0.0;
  if (__any_sync(kAll, fit == Fit::kFits) != 0) {
    int differences[Group::kRows];
    for (int i = 0; i < klt::kRegistrationSteps; ++i) {
      // Finished groups look anywhere.
      klt::Registration at{{}, {}};
      if (fit == Fit::kFits) at = window;
      sums = sums_of_window(group, level, at, patch, fit == Fit::kFits && group.adds, differences);
      if (fit != Fit::kFits) continue;
      const klt::PatchStep step = klt::step_of(*patch.equations, sums, rules.light);
      fit = klt::move_window(step, found, rules, level.width, level.height, &window);
    }
    residual = residual_of(a, group, patch, fit == Fit::kFits, sums, differences);
    if (fit == Fit::kFits && rules.max_residual > 0.0 && residual > rules.max_residual) {
      fit = Fit::kMisfit;
    }
  }
  if (!feature.exists || group.lane != 0) return;
  KltFound* const result = work.found + feature.number;
  Place place = found;
  if (fit == Fit::kMisfit) {
    result->reason = Reason::kTemplate;
    return;
  }
  const bool fits = fit == Fit::kFits;
  KltShape* const outcome = work.shapes + feature.number;
  outcome->residual = fits ? static_cast<float>(residual) : 0.0F;
  outcome->age = fits ? shape.age : 0;
  if (fits) {
    place = window.centre;
    shape.warp = window.warp;
    if (klt::is_worn(shape.warp, residual, rules.template_residual)) {
      shape = klt::without_patch(shape);
    }
    result->displacement.x += place.x - found.x;
    result->displacement.y += place.y - found.y;
    result->place = place;
  }
  outcome->shape = shape;
  if (feature.tracked) note_place(a, work, feature.number, place, result);
}

}  // namespace

#define RDP_KLT_PATCHES(side, blocks, ...)                              \
  extern "C" __global__ void __launch_bounds__(kPatchThreads)           \
      rdp_klt_patches_##side(const __grid_constant__ KltArguments a) {  \
    pdl_wait_and_trigger();                                             \
    take_patches<GroupOf<__VA_ARGS__>>(a);                              \
  }                                                                     \
  extern "C" __global__ void __launch_bounds__(kPatchThreads, blocks)   \
      rdp_klt_register_##side(const __grid_constant__ KltArguments a) { \
    pdl_wait_and_trigger();                                             \
    register_tracks<GroupOf<__VA_ARGS__>>(a);                           \
  }

RDP_KLT_PATCHES(8, 8, 8, 8)
RDP_KLT_PATCHES(12, 8, 12, 16)
RDP_KLT_PATCHES(16, 8, 16, 16)
RDP_KLT_PATCHES(any, 4, klt::kMaxWindow, 32, true)

#undef RDP_KLT_PATCHES

}  // namespace rdp::cuda
