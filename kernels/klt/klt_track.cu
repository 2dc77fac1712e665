// SPDX-License-Identifier: LGPL-2.1-or-later
// Finds the features of a frame in the next one, bit-identical to klt::reference::find_and_check(),
// and the corners of the next frame, bit-identical to klt::reference::scores().
//
// A group of 8, 16 or 32 threads has a feature, a thread a column of its window. All groups of a
// warp do the same steps until the last one is done. A finished group changes its result no more,
// but its threads go on in every shuffle. No group waits for another warp, and no thread leaves
// before the last shuffle. Threads that find corners are in blocks of their own, and fill the time
// in which the few threads with features wait for their sums.
#include <cstdint>

#include "kernels/klt/corners.cuh"
#include "kernels/klt/klt_arguments.h"
#include "kernels/klt/note_place.cuh"
#include "kernels/klt/window.cuh"
#include "kernels/primitives/grid_order.cuh"

namespace rdp::cuda {
namespace {

using klt::Place;
using klt::Reason;

__device__ __forceinline__ Place plus(Place a, Place b) { return {a.x + b.x, a.y + b.y}; }

__device__ __forceinline__ bool is_near(const Level& level, Place place) {
  return klt::is_near(place.x, level.width) && klt::is_near(place.y, level.height);
}

// A group's search, from one picture to another one.
struct Search {
  const unsigned char* from;
  const unsigned char* to;
  Place place;
  Place start;
  bool active;      // else its threads only take part in shuffles
  bool only_birth;  // of a point: whether it can be tracked, on the finest level
};

struct Outcome {
  Reason reason;
  Place displacement;
};

// The change of light at the window that was found. Sums of the template are made once more:
// keeping them all the time would cost registers.
template <typename Group>
__device__ __forceinline__ klt::LightChange light_change(const KltArguments& a, const Group& group,
                                                         const Level& to, const WindowOrigin& at,
                                                         const Column<Group>& column) {
  const klt::Light light = a.rules.light;
  const int pixels = group.pixels();
  klt::TemplateSums sums{};
  if (light == klt::Light::kGainBias) add_intensity_sums(group, column, &sums);
  const klt::ResidualSums residuals = sum_differences(group, to, at, column, light);
  return klt::light_change(klt::equations_of(sums, pixels, light), sums, residuals, pixels, light);
}

// klt::reference::find(), by all groups of a warp at once. The forward search also tests the
// residual, and writes it and the template's eigenvalue to `result`, if the search is active.
template <typename Group>
__device__ __forceinline__ Outcome find(const KltArguments& a, const Group& group,
                                        const Search& search, bool way_there, KltFound* result,
                                        unsigned* iterations) {
  const klt::StepRules& rules = a.rules;
  const int pixels = group.pixels();
  Place displacement{klt::on_level(search.start.x, a.coarsest),
                     klt::on_level(search.start.y, a.coarsest)};
  for (int k = a.coarsest;; k -= a.level_stride) {
    const bool finest = k == 0;
    const Level from = level_of(search.from, a.layout.levels[k]);
    const Level to = level_of(search.to, a.layout.levels[k]);
    const Place centre{klt::on_level(search.place.x, k), klt::on_level(search.place.y, k)};
    Column<Group> column;
    const klt::Equations equations = klt::equations_of(
        load_template(group, from, centre, rules.light, &column), pixels, rules.light);
    if (finest && way_there && search.active && group.lane == 0) {
      result->quality = static_cast<float>(equations.eigenvalue);
    }
    const bool textured = klt::has_texture(equations, rules.min_eigenvalue, finest);
    bool going =
        search.active && !search.only_birth && textured && is_near(to, plus(centre, displacement));
    bool stayed = going;
    Place before{};
    for (int i = 0; i < rules.max_iterations; ++i) {
      if (__any_sync(kAll, going) == 0) break;
      const WindowOrigin at = other_window(group, centre, going ? displacement : Place{});
      const klt::ResidualSums residuals = sum_differences(group, to, at, column, rules.light);
      const Place step = klt::step_of(equations, residuals, rules.light);
      const klt::Move move = klt::move_of(step, before, i == 0, rules.epsilon);
      if (going) {
        ++*iterations;
        displacement = plus(displacement, {move.x, move.y});
        stayed = is_near(to, plus(centre, displacement));
        going = stayed && !move.last;
        before = step;
      }
    }
    if (!finest) {
      displacement.x *= 1 << a.level_stride;
      displacement.y *= 1 << a.level_stride;
      continue;
    }
    const Place end = plus(search.place, displacement);
    Reason reason = Reason::kTracked;
    if (!textured) {
      reason = Reason::kTexture;
    } else if (!search.only_birth &&
               (!stayed || !klt::is_inside(end.x, to.width) || !klt::is_inside(end.y, to.height))) {
      reason = Reason::kOutside;
    }
    if (way_there) {
      const bool tracked = search.active && reason == Reason::kTracked;
      const WindowOrigin at = other_window(group, centre, tracked ? displacement : Place{});
      const klt::LightChange change = light_change(a, group, to, at, column);
      const double residual =
          klt::residual_of(sum_unexplained(group, to, at, column, change), pixels);
      if (tracked && !search.only_birth) {
        if (rules.max_residual > 0.0 && residual > rules.max_residual) reason = Reason::kResidual;
        if (group.lane == 0) result->residual = static_cast<float>(residual);
      }
    }
    return {reason, displacement};
  }
}

// A feature before its search.
struct Feature {
  bool exists = false;
  bool is_point = false;
  Reason reason = Reason::kTracked;
  Place place{};
  Place start{};
};

__device__ Feature load_feature(const KltArguments& a, const KltFrame& frame, unsigned number) {
  Feature feature;
  feature.exists = number < a.features(frame);
  feature.is_point = feature.exists && number >= frame.live;
  if (!feature.exists) return feature;
  const LevelLayout& size = a.layout.levels[0];
  if (feature.is_point) {
    const klt::Point point = frame.points[number - frame.live];
    if (klt::is_usable(point.x, point.y, point.dx, point.dy, size.width, size.height)) {
      feature.place = {klt::to_fixed(point.x), klt::to_fixed(point.y)};
    } else {
      feature.reason = Reason::kOutside;
    }
  } else {
    const KltRecord& record = frame.records[number];
    feature.place = record.place;
    if (frame.predicts && (a.predict || record.age == 0)) feature.start = record.start;
  }
  if (!a.windows && feature.reason == Reason::kTracked) feature.reason = Reason::kTexture;
  return feature;
}

template <typename Group>
__device__ __forceinline__ void track(const KltArguments& a, const KltFrame& frame,
                                      const KltWork& work) {
  constexpr unsigned kFeatures = kTrackThreads / Group::kLanes;
  const Group group(a.rules);
  const unsigned number = blockIdx.x * kFeatures + threadIdx.x / Group::kLanes;
  const Feature feature = load_feature(a, frame, number);
  const bool tracks = feature.exists && !feature.is_point;
  KltFound* const result = work.found + number;  // where it exists
  Outcome found{feature.reason, {}};
  unsigned iterations = 0;
  if (feature.exists && group.lane == 0) *result = {};
  if (a.windows) {
    Search search;
    search.from = tracks ? frame.before : frame.after;
    search.to = frame.after;
    search.place = feature.place;
    search.start = feature.start;
    search.active = feature.exists && feature.reason == Reason::kTracked;
    search.only_birth = !tracks;
    for (int way = 0; way < 2; ++way) {
      if (__any_sync(kAll, search.active) == 0) break;
      const Outcome now = find(a, group, search, way == 0, result, &iterations);
      if (search.active && way == 0) {
        found.reason = now.reason;
        if (tracks) found.displacement = now.displacement;
      } else if (search.active) {
        const Place both = plus(found.displacement, now.displacement);
        if (now.reason != Reason::kTracked || both.x > a.rules.check || both.x < -a.rules.check ||
            both.y > a.rules.check || both.y < -a.rules.check) {
          found.reason = Reason::kCheck;
        }
      }
      search.active = search.active && tracks && way == 0 && a.rules.check > 0 &&
                      found.reason == Reason::kTracked;
      if (search.active) {
        search.from = frame.after;
        search.to = frame.before;
        search.place = plus(feature.place, found.displacement);
        search.start = {-found.displacement.x, -found.displacement.y};
      }
    }
  }
  if (feature.exists && group.lane == 0) {
    result->reason = found.reason;
    result->displacement = found.displacement;
    result->place = plus(feature.place, found.displacement);
    if (found.reason == Reason::kTracked && a.rules.warp == klt::Warp::kTranslation) {
      note_place(a, work, number, result->place, result);
    }
  }
  const unsigned all = warp_sum(group.lane == 0 ? iterations : 0U);
  if (threadIdx.x % 32 == 0 && all > 0) atomicAdd(&work.counters->iterations, all);
}

template <typename Group>
__device__ void track_or_find_corners(const KltArguments& a) {
  const KltFrame& frame = a.frames[blockIdx.y];
  const KltWork work = a.work.of_frame(blockIdx.y);
  if (blockIdx.x < a.track_blocks) {
    track<Group>(a, frame, work);
    return;
  }
  const unsigned warp = (blockIdx.x - a.track_blocks) * (kTrackThreads / 32) + threadIdx.x / 32;
  const Level level = level_of(frame.after, a.layout.levels[0]);
  const int left = static_cast<int>(warp % a.corner_strips) * kStripColumns;
  const int top = static_cast<int>(warp / a.corner_strips) * kStripRows;
  if (top < level.height) find_corners(a, work, level, left, top);
}

}  // namespace

// As many blocks at a time as leave 128 registers to each thread, except where a column needs more.
#define RDP_KLT_TRACK(name, blocks, ...)                              \
  extern "C" __global__ void __launch_bounds__(kTrackThreads, blocks) \
      name(const __grid_constant__ KltArguments a) {                  \
    pdl_wait_and_trigger();                                           \
    track_or_find_corners<GroupOf<__VA_ARGS__>>(a);                   \
  }

RDP_KLT_TRACK(rdp_klt_track_8, 8, 8, 8)
RDP_KLT_TRACK(rdp_klt_track_12, 8, 12, 16)
RDP_KLT_TRACK(rdp_klt_track_16, 8, 16, 16)
RDP_KLT_TRACK(rdp_klt_track_any, 4, klt::kMaxWindow, 32, true)

#undef RDP_KLT_TRACK

}  // namespace rdp::cuda
