// SPDX-License-Identifier: LGPL-2.1-or-later
// From points to sums of cells: bounds (rdp_cloud_bounds, three times), which cells there are
// (rdp_cloud_mark), and the sums of their points (rdp_cloud_sums).
#include <cstdint>
#include <cstring>

#include "common/planes/clouds/rules.h"
#include "kernels/planes/cloud_cells.cuh"
#include "kernels/planes/cloud_planes_arguments.h"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

using planes::Moments;

// Numbers that are ordered like the floats, NaN excepted.
__device__ __forceinline__ std::uint32_t ordered(float v) {
  std::uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits >> 31 != 0 ? ~bits : bits | 0x80000000U;
}
__device__ __forceinline__ float unordered(std::uint32_t v) {
  const std::uint32_t bits = v >> 31 != 0 ? v & 0x7FFFFFFFU : ~v;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// The counts of a pass: in the first one the selections of an axis share them.
__device__ __forceinline__ int counts_of_pass(int pass) {
  return pass == 0 ? kSelections / 2 : kSelections;
}
__device__ __forceinline__ std::uint32_t* digit_counts(const CloudPlanesArguments& a, int pass) {
  const int before = pass == 0 ? 0 : pass == 1 ? kSelections / 2 : kSelections / 2 + kSelections;
  return a.digits + before * kDigitValues;
}
__device__ __forceinline__ int shift_of_pass(int pass) {
  return pass == 0 ? kDigitBits + kLowDigitBits : pass == 1 ? kLowDigitBits : 0;
}
__device__ __forceinline__ int digit_bits(int pass) {
  return pass == 2 ? kLowDigitBits : kDigitBits;
}

// Chooses the next digit of a selection from the counts of digits, by a warp. `counts`: its scratch
// memory.
__device__ void choose_digit(const CloudPlanesArguments& a, int selection, std::uint32_t* counts) {
  constexpr int kOfThread = kDigitValues / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const volatile std::uint32_t* const all =
      digit_counts(a, a.pass) + (a.pass == 0 ? selection / 2 : selection) * kDigitValues;
#pragma unroll 8
  for (int i = lane; i < kDigitValues; i += 32) counts[i] = all[i];
  __syncwarp();
  CloudState& state = *a.state;
  std::uint32_t rank = state.rank[selection];
  if (a.pass == 0) {
    const auto finite =
        static_cast<std::int64_t>(*static_cast<const volatile std::uint32_t*>(&state.finite));
    const auto from_end = static_cast<std::uint32_t>(planes::bound_rank(finite));
    rank = selection % 2 == 0 ? from_end : static_cast<std::uint32_t>(finite) - 1 - from_end;
  }
  std::uint32_t mine = 0;
  for (int i = 0; i < kOfThread; ++i) mine += counts[lane * kOfThread + i];
  const std::uint32_t until = warp_inclusive_sum(mine);
  std::uint32_t before = until - mine;
  if (rank < before || rank >= until) return;
  int digit = lane * kOfThread;
  while (rank >= before + counts[digit]) before += counts[digit++];
  state.chosen[selection] =
      state.chosen[selection] << digit_bits(a.pass) | static_cast<std::uint32_t>(digit);
  state.rank[selection] = rank - before;
}

// Makes the rules of a cloud, by one thread, once all digits are known.
__device__ void make_rules(const CloudPlanesArguments& a) {
  CloudState& state = *a.state;
  float least[3], greatest[3], low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    least[k] = unordered(~state.lowest[k]);
    greatest[k] = unordered(state.highest[k]);
    low[k] = unordered(state.chosen[2 * k]);
    high[k] = unordered(state.chosen[2 * k + 1]);
  }
  state.rules = planes::cloud_rules(
      a.settings, planes::choose_bounds(state.finite, least, greatest, low, high));
}

// Counts the next digits of all values with the chosen digits. The last block to finish chooses the
// next ones.
__device__ void find_bounds(const CloudPlanesArguments& a) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ std::uint32_t lowest[3], highest[3], finite;
  __shared__ bool is_last;
  auto* const counts = reinterpret_cast<std::uint32_t*>(memory);
  const int count = counts_of_pass(a.pass) * kDigitValues;
  const int shift = shift_of_pass(a.pass);
  const int thread = static_cast<int>(threadIdx.x);
  CloudState& state = *a.state;
  if (a.pass > 0 && state.finite == 0) return;
  for (int i = thread; i < count; i += kCloudThreads) counts[i] = 0;
  if (thread < 3) {
    lowest[thread] = 0;
    highest[thread] = 0;
  }
  if (thread == 0) finite = 0;
  __syncthreads();
  const int next = digit_bits(a.pass);
  const std::uint32_t mask = (1U << next) - 1;
  std::uint32_t least[3] = {}, most[3] = {}, mine = 0;
  for_each_point(a, [&](int i, bool is_there) {
    if (!is_there) return;
    float v[3];
    load_point(a, i, v);
    if (!planes::has_place(v[0], v[1], v[2], a.settings.zero_is_unknown)) return;
    ++mine;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t value = ordered(v[k]);
      const std::uint32_t digit = value >> shift & mask;
      if (a.pass == 0) {
        least[k] = max(least[k], ~value);
        most[k] = max(most[k], value);
        atomicAdd(&counts[k * kDigitValues + static_cast<int>(digit)], 1U);
        continue;
      }
#pragma unroll
      for (int side = 0; side < 2; ++side) {
        const int selection = 2 * k + side;
        if (value >> (shift + next) != state.chosen[selection]) continue;
        atomicAdd(&counts[selection * kDigitValues + static_cast<int>(digit)], 1U);
      }
    }
  });
  if (a.pass == 0) {
    mine = warp_sum(mine);
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      least[k] = warp_max_unsigned(least[k]);
      most[k] = warp_max_unsigned(most[k]);
    }
    if (thread % 32 == 0) {
      atomicAdd(&finite, mine);
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        atomicMax(&lowest[k], least[k]);
        atomicMax(&highest[k], most[k]);
      }
    }
  }
  __syncthreads();
  if (a.pass == 0 && thread < 3) {
    atomicMax(&state.lowest[thread], lowest[thread]);
    atomicMax(&state.highest[thread], highest[thread]);
    if (thread == 0) atomicAdd(&state.finite, finite);
  }
  std::uint32_t* const all = digit_counts(a, a.pass);
  for (int i = thread; i < count; i += kCloudThreads) {
    if (counts[i] > 0) atomicAdd(&all[i], counts[i]);
  }
  __threadfence();
  __syncthreads();
  if (thread == 0) is_last = atomicAdd(&state.blocks[a.pass], 1U) + 1 == gridDim.x;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  if (*static_cast<const volatile std::uint32_t*>(&state.finite) == 0) return;
  if (thread / 32 < kSelections) {
    choose_digit(a, thread / 32, counts + thread / 32 * kDigitValues);
  }
  __threadfence_block();
  __syncthreads();
  if (a.pass == 2 && thread == 0) make_rules(a);
}

// Finds the keys of points, and marks those in use.
__device__ void mark_cells(const CloudPlanesArguments& a) {
  __shared__ std::uint32_t known;
  if (threadIdx.x == 0) known = 0;
  __syncthreads();
  const bool any = a.state->finite > 0;
  unsigned mine = 0;
  for_each_point(a, [&](int i, bool is_there) {
    if (!is_there) return;
    planes::CloudPoint point;
    std::uint32_t key = kNoCell;
    if (any && load_place(a, i, &point)) {
      ++mine;
      key = planes::cell_key(a.state->rules, point);
      std::uint32_t* const word = &a.occupied[key / 32];
      const std::uint32_t bit = 1U << key % 32;
      if ((*static_cast<const volatile std::uint32_t*>(word) & bit) == 0) atomicOr(word, bit);
    }
    a.point_cells[i] = key;
  });
  mine = warp_sum(mine);
  if (threadIdx.x % 32 == 0) atomicAdd(&known, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&a.state->known, known);
}

// The numbers that a warp adds to cells.
struct WarpNumbers {
  unsigned long long of_point[32][kMoments + 1];
  std::uint32_t cells[32];
  unsigned threads[32];  // that have a point in the cell

  // Each cell gets one number of each kind, however many points of the warp are in it: a cell near
  // the sensor may have a tenth of all points, and memory adds to one place after the other.
  // Neighbouring threads add to the numbers of a cell, which lie together. `alike`: the threads
  // with the same cell; kNoCell: no point.
  __device__ __forceinline__ void add(const CloudPlanesArguments& a, std::uint32_t cell,
                                      unsigned alike, const planes::CloudPoint& p) {
    const unsigned lane = threadIdx.x % 32;
    const unsigned before = (1U << lane) - 1;
    Moments m;
    m.add_point(p.at[0], p.at[1], p.at[2]);
    unsigned long long* const own = of_point[lane];
    own[0] = m.n;
#pragma unroll
    for (int i = 0; i < 3; ++i) own[1 + i] = m.sum[i];
#pragma unroll
    for (int i = 0; i < 6; ++i) own[4 + i] = m.products[i];
    const bool is_first = cell != kNoCell && (alike & before) == 0;
    const unsigned firsts = __ballot_sync(kAll, is_first);
    if (is_first) {
      const int place = __popc(firsts & before);
      cells[place] = cell;
      threads[place] = alike;
    }
    __syncwarp();
    const unsigned count = static_cast<unsigned>(__popc(firsts)) * kMoments;
    for (unsigned i = lane; i < count; i += 32) {
      const unsigned number = i % kMoments;
      unsigned long long sum = 0;
      for (unsigned rest = threads[i / kMoments]; rest != 0; rest &= rest - 1) {
        sum += of_point[__ffs(static_cast<int>(rest)) - 1][number];
      }
      atomicAdd(&numbers_of(&a.cells[cells[i / kMoments]])[number], sum);
    }
    __syncwarp();
  }
};

// Adds points to their cells; those of many threads of a warp in the same cell at once, because
// clouds are often in an order.
__device__ void sum_points(const CloudPlanesArguments& a) {
  constexpr int kMany = 6;
  __shared__ WarpNumbers of_warps[kCloudThreads / 32];
  for_each_point(a, [&](int i, bool is_there) {
    std::uint32_t cell = kNoCell;
    planes::CloudPoint point = {};
    if (is_there) {
      const std::uint32_t key = a.point_cells[i];
      if (key != kNoCell) {
        cell = static_cast<std::uint32_t>(cell_of_key(a, key));
        load_place(a, i, &point);
        a.point_cells[i] = cell;
      }
    }
    const unsigned alike = __match_any_sync(kAll, cell);
    const bool many = cell != kNoCell && __popc(alike) >= kMany;
    for (unsigned open = __ballot_sync(kAll, many); open != 0;) {
      const std::uint32_t its = __shfl_sync(kAll, cell, __ffs(static_cast<int>(open)) - 1);
      const Moments total = warp_total_of_points(cell == its, point);
      if (threadIdx.x % 32 == 0) add_atomically(&a.cells[its], total);
      open &= ~__ballot_sync(kAll, cell == its);
    }
    const bool few = cell != kNoCell && !many;
    if (__any_sync(kAll, few) != 0) {
      of_warps[threadIdx.x / 32].add(a, few ? cell : kNoCell, alike, point);
    }
  });
}

}  // namespace
}  // namespace rdp::cuda

#define RDP_CLOUD_POINTS(name, function)                                 \
  extern "C" __global__ void __launch_bounds__(rdp::cuda::kCloudThreads) \
      rdp_cloud_##name(const rdp::cuda::CloudPlanesArguments a) {        \
    rdp::cuda::pdl_wait_and_trigger();                                   \
    rdp::cuda::function(a);                                              \
  }
RDP_CLOUD_POINTS(bounds, find_bounds)
RDP_CLOUD_POINTS(mark, mark_cells)
RDP_CLOUD_POINTS(sums, sum_points)
