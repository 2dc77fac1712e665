// SPDX-License-Identifier: LGPL-2.1-or-later
// Result of a frame: features that stay, corners that are born, their ids, and the lists of all, in
// the order of klt::reference::advance().
#include <cstdint>

#include "kernels/klt/klt_arguments.h"
#include "kernels/klt/window.cuh"
#include "kernels/primitives/compaction.cuh"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/rank.cuh"

namespace rdp::cuda {
namespace {

using klt::Place;
using klt::Reason;

// The limit that a score has to exceed.
__device__ __forceinline__ float score_limit(const KltArguments& a, const KltWork& work) {
  return a.quality * __uint_as_float(work.counters->highest);
}

// The birth test of a cell's corner, by a group. Where no group of a warp has one, there is nothing
// to do.
template <typename Group>
__device__ void test_births(const KltArguments& a) {
  constexpr unsigned kCells = kBirthThreads / Group::kLanes;
  const KltFrame& frame = a.frames[blockIdx.y];
  const KltWork work = a.work.of_frame(blockIdx.y);
  const Group group(a.rules);
  const unsigned cell = blockIdx.x * kCells + threadIdx.x / Group::kLanes;
  const bool exists = cell < a.cells();
  const unsigned long long key = exists ? work.corners[cell] : 0;
  const bool wanted =
      exists && key != kTaken && __uint_as_float(score_bits_of(key)) > score_limit(a, work);
  KltBirth birth{0.0F, 0};
  if (__any_sync(kAll, wanted) != 0) {
    const Level level = level_of(frame.after, a.layout.levels[0]);
    const std::uint32_t pixel = wanted ? pixel_of_key(key) : 0;
    const auto width = static_cast<std::uint32_t>(level.width);
    const Place place{static_cast<int>(pixel % width) * klt::kPixel,
                      static_cast<int>(pixel / width) * klt::kPixel};
    Column<Group> column;
    const klt::Equations equations = klt::equations_of(
        load_template(group, level, place, a.rules.light, &column), group.pixels(), a.rules.light);
    birth.born = wanted && klt::has_texture(equations, a.rules.min_eigenvalue, true) ? 1 : 0;
    birth.quality = static_cast<float>(equations.eigenvalue);
  }
  if (exists && group.lane == 0) work.births[cell] = birth;
}

__device__ __forceinline__ Reason reason_of(const KltWork& work, unsigned feature,
                                            const KltFound& found) {
  const bool crowded =
      found.reason == Reason::kTracked && work.squares[found.square] != 0xFFFFFFFFU - feature;
  return crowded ? Reason::kCrowded : found.reason;
}

__device__ __forceinline__ bool is_born(const KltArguments& a, const KltWork& work, unsigned cell) {
  if (work.births[cell].born == 0) return false;
  return a.max_features == 0 || work.corners[cell] >= work.counters->least;
}

// Number of threads with `is`: before this one in the block, and in all of it.
struct Ranks {
  unsigned before;
  unsigned all;
};
__device__ __forceinline__ Ranks rank_in_block(bool is, unsigned* of_warps) {
  constexpr unsigned kWarps = kListThreads / 32;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned votes = __ballot_sync(kAll, is);
  if (lane == 0) of_warps[warp] = static_cast<unsigned>(__popc(votes));
  __syncthreads();
  Ranks ranks{static_cast<unsigned>(__popc(votes & ((1U << lane) - 1))), 0};
#pragma unroll
  for (unsigned i = 0; i < kWarps; ++i) {
    if (i < warp) ranks.before += of_warps[i];
    ranks.all += of_warps[i];
  }
  return ranks;
}

struct ListShared {
  unsigned of_warps[kListThreads / 32];
  LookBack look_back;
};

// Words of tiles are zeroed before each frame, so all launches may have one number.
constexpr unsigned kLaunch = 1;

__device__ void write_track(const TrackListView& list, const KltFrame& frame, std::uint32_t place,
                            const klt::Track& track, const KltRecord& record) {
  list.tracks[place] = track;
  frame.next_records[place] = record;
}

__device__ void write_shape(const TrackListView& list, const KltFrame& frame, std::uint32_t place,
                            const KltShape& shape) {
  frame.next_shapes.shapes()[place] = shape.shape;
  list.warps[place] =
      klt::track_warp(klt::whole_warp(shape.shape), static_cast<double>(shape.residual), shape.age);
}

// Slots of the previous frame, in the order of its list.
__device__ __forceinline__ std::uint32_t slot_before(const KltFrame& frame, std::uint32_t place) {
  return frame.keeps_patches ? frame.shapes.slot_of(place) : place;
}

// Kept slots follow their tracks; those of lost tracks come after them. `place`: that of the
// feature, or of the next one that stays.
__device__ __forceinline__ void move_slot(const KltFrame& frame, unsigned feature, unsigned place,
                                          bool stays) {
  const unsigned listed = min(frame.live, frame.next_shapes.count);
  if (feature >= listed) return;
  frame.next_shapes.slots()[stays ? place : listed - 1 - (feature - place)] =
      slot_before(frame, feature);
}
// Keeps the slots that no track of the previous frame had.
__device__ __forceinline__ void keep_slots(const KltFrame& frame) {
  const unsigned first = min(frame.live, frame.next_shapes.count);
  for (unsigned i = first + blockIdx.x * kListThreads + threadIdx.x; i < frame.next_shapes.count;
       i += gridDim.x * kListThreads) {
    frame.next_shapes.slots()[i] = slot_before(frame, i);
  }
}

__device__ void report(const KltArguments& a, const KltFrame& frame, const KltWork& work,
                       const TrackListView& list, std::uint32_t survivors, std::uint32_t births) {
  const TrackReport counts{survivors + births, a.features(frame) - survivors,
                           work.counters->iterations, work.counters->patches};
  *list.counts = counts;
  *list.report = counts;
  frame.state_report[0] = counts.tracks;
  frame.state_report[1] = id_after(frame.next_id, frame.point_count + births);
}

// A tile of features: those that stay go to the list of tracks, the others to the lost ones.
__device__ void list_features(const KltArguments& a, const KltFrame& frame, const KltWork& work,
                              const TrackListView& list, ListShared* shared) {
  const unsigned tile = blockIdx.x;
  const unsigned feature = tile * kListThreads + threadIdx.x;
  const bool exists = feature < a.features(frame);
  KltFound found{};
  Reason reason = Reason::kOutside;
  if (exists) {
    found = work.found[feature];
    reason = reason_of(work, feature, found);
  }
  const bool stays = exists && reason == Reason::kTracked;
  const bool affine = a.rules.warp == klt::Warp::kAffine;
  const Ranks ranks = rank_in_block(stays, shared->of_warps);
  if (threadIdx.x == 0) publish_total(work.feature_tiles, tile, kLaunch, {ranks.all, 0});
  const unsigned before =
      total_before<kListThreads>(work.feature_tiles, tile, kLaunch, false, &shared->look_back)
          .segments;
  const unsigned place = before + ranks.before;  // of this one, or of the next one that stays
  if (exists) {
    const bool is_point = feature >= frame.live;
    KltRecord record{};
    klt::Point point{};
    if (is_point) {
      point = frame.points[feature - frame.live];
      record.id = id_after(frame.next_id, feature - frame.live);
    } else {
      record = frame.records[feature];
    }
    if (stays) {
      const klt::Track track{record.id,
                             is_point ? 0 : record.age + 1,
                             klt::to_pixels(found.place.x),
                             klt::to_pixels(found.place.y),
                             klt::to_pixels(found.displacement.x),
                             klt::to_pixels(found.displacement.y),
                             found.residual,
                             found.quality};
      const Place start =
          is_point ? Place{klt::start_of(point.dx), klt::start_of(point.dy)} : found.displacement;
      write_track(list, frame, place, track, {record.id, track.age, found.place, start});
      if (affine) write_shape(list, frame, place, work.shapes[feature]);
    } else {
      klt::Lost lost{record.id, reason, klt::to_pixels(record.place.x),
                     klt::to_pixels(record.place.y)};
      if (is_point) {
        const bool usable = reason != Reason::kOutside;
        lost.x = usable ? point.x : klt::finite_or_zero(point.x);
        lost.y = usable ? point.y : klt::finite_or_zero(point.y);
      }
      list.lost[feature - place] = lost;
    }
    if (affine) move_slot(frame, feature, place, stays);
  }
  if (a.cell_tiles == 0 && tile + 1 == a.feature_tiles && threadIdx.x == 0) {
    report(a, frame, work, list, before + ranks.all, 0);
  }
}

// A tile of cells: corners born in them follow the features.
__device__ void list_births(const KltArguments& a, const KltFrame& frame, const KltWork& work,
                            const TrackListView& list, ListShared* shared) {
  const unsigned tile = blockIdx.x - a.feature_tiles;
  const unsigned cell = tile * kListThreads + threadIdx.x;
  const bool born = cell < a.cells() && is_born(a, work, cell);
  const Ranks ranks = rank_in_block(born, shared->of_warps);
  if (threadIdx.x == 0) publish_total(work.cell_tiles, tile, kLaunch, {ranks.all, 0});
  const unsigned survivors = total_before<kListThreads>(work.feature_tiles, a.feature_tiles,
                                                        kLaunch, false, &shared->look_back)
                                 .segments;
  __syncthreads();
  const unsigned before =
      total_before<kListThreads>(work.cell_tiles, tile, kLaunch, false, &shared->look_back)
          .segments;
  if (born) {
    const unsigned number = before + ranks.before;
    const std::uint32_t pixel = pixel_of_key(work.corners[cell]);
    const auto width = static_cast<std::uint32_t>(a.layout.levels[0].width);
    const Place place{static_cast<int>(pixel % width) * klt::kPixel,
                      static_cast<int>(pixel / width) * klt::kPixel};
    const std::uint32_t id = id_after(frame.next_id, frame.point_count + number);
    write_track(list, frame, survivors + number,
                {id, 0, klt::to_pixels(place.x), klt::to_pixels(place.y), 0.0F, 0.0F, 0.0F,
                 work.births[cell].quality},
                {id, 0, place, {}});
    if (a.rules.warp == klt::Warp::kAffine) write_shape(list, frame, survivors + number, {});
  }
  if (tile + 1 == a.cell_tiles && threadIdx.x == 0) {
    report(a, frame, work, list, survivors, before + ranks.all);
  }
}

}  // namespace

// With windows of up to 16 pixels, and with any.
extern "C" __global__ void __launch_bounds__(kBirthThreads)
    rdp_klt_births_16(const __grid_constant__ KltArguments a) {
  pdl_wait_and_trigger();
  test_births<GroupOf<16, 16, true>>(a);
}
extern "C" __global__ void __launch_bounds__(kBirthThreads)
    rdp_klt_births_any(const __grid_constant__ KltArguments a) {
  pdl_wait_and_trigger();
  test_births<GroupOf<klt::kMaxWindow, 32, true>>(a);
}

// With max_features: finds the smallest key of a born corner, so that no more are born than there
// is room for. A block for each frame selects it digit by digit. It counts the corners of each
// value, and takes that of the last corner to be born.
extern "C" __global__ void __launch_bounds__(kSelectThreads)
    rdp_klt_select(const __grid_constant__ KltArguments a) {
  __shared__ int counts[256];
  __shared__ int survivors, births;
  __shared__ Ranked found;
  pdl_wait_and_trigger();
  const KltFrame& frame = a.frames[blockIdx.y];
  const KltWork work = a.work.of_frame(blockIdx.y);
  if (threadIdx.x == 0) survivors = births = 0;
  __syncthreads();
  int of_thread = 0;
  for (unsigned i = threadIdx.x; i < a.features(frame); i += kSelectThreads) {
    if (reason_of(work, i, work.found[i]) == Reason::kTracked) ++of_thread;
  }
  atomicAdd(&survivors, of_thread);
  of_thread = 0;
  for (unsigned i = threadIdx.x; i < a.cells(); i += kSelectThreads) {
    if (work.births[i].born != 0) ++of_thread;
  }
  atomicAdd(&births, of_thread);
  __syncthreads();
  const int room = max(a.max_features - survivors, 0);
  unsigned long long least = 0;
  if (room == 0) {
    least = kTaken;
  } else if (births > room) {
    int rank = room - 1;  // of the corners with the digits that are known, the best one first
    for (int shift = 56; shift >= 0; shift -= 8) {
      counts[threadIdx.x] = 0;
      __syncthreads();
      for (unsigned i = threadIdx.x; i < a.cells(); i += kSelectThreads) {
        const unsigned long long key = work.corners[i];
        const bool same = shift == 56 || (key ^ least) >> (shift + 8) == 0;
        if (work.births[i].born != 0 && same) {
          atomicAdd(&counts[255 - static_cast<int>(key >> shift & 255)], 1);
        }
      }
      __syncthreads();
      if (threadIdx.x < 32) {
        const Ranked ranked = find_rank(counts, rank);
        if (threadIdx.x == 0) found = ranked;
      }
      __syncthreads();
      rank -= found.before;
      least |= static_cast<unsigned long long>(255 - found.number) << shift;
    }
  }
  if (threadIdx.x == 0) work.counters->least = least;
}

extern "C" __global__ void __launch_bounds__(kListThreads)
    rdp_klt_list(const __grid_constant__ KltArguments a) {
  __shared__ ListShared shared;
  pdl_wait_and_trigger();
  const KltFrame& frame = a.frames[blockIdx.y];
  const KltWork work = a.work.of_frame(blockIdx.y);
  const TrackListView list = a.list.of_frame(blockIdx.y);
  if (a.rules.warp == klt::Warp::kAffine) keep_slots(frame);
  if (blockIdx.x < a.feature_tiles) {
    list_features(a, frame, work, list, &shared);
  } else {
    list_births(a, frame, work, list, &shared);
  }
}

}  // namespace rdp::cuda
