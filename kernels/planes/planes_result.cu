// SPDX-License-Identifier: LGPL-2.1-or-later
// The choice of the parts that are planes, with their order (rdp_planes_select), and their results
// (rdp_planes_write): labels, the rows' extents, and how many points lie under them; and which ends
// of rows may be corners of hulls (rdp_planes_corners).
#include <cstdint>

#include "common/planes/eigen.h"
#include "common/planes/ground_rules.h"
#include "kernels/planes/frame_nodes.cuh"
#include "kernels/planes/frame_planes_arguments.h"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

__device__ void write_counts(const FramePlanesArguments& a, std::int64_t thick,
                             std::int64_t surplus, int count) {
  FrameResult& r = *a.result.frame;
  const FrameCounters& counted = *a.counters;
  std::int64_t voters = 0, peaks = 0;
  for (int round = 0; round < a.rounds; ++round) {
    voters += a.round_counters[round].voters;
    peaks += a.round_counters[round].peaks;
  }
  r.known = static_cast<std::int64_t>(counted.known);
  r.nodes = counted.nodes;
  r.planar_nodes = counted.planar_nodes;
  r.voters = voters;
  r.peaks = peaks;
  r.small = static_cast<std::int64_t>(counted.parts) - counted.slots;
  r.thick = thick;
  r.surplus = surplus;
  r.merged = counted.merged;
  r.noise = counted.noise;
  r.count = count;
  a.counters->kept = static_cast<std::uint32_t>(count);
}

// One block. Planes are sorted by their pixels, then by their first one: a part's place is how many
// come before it.
__device__ void select(const FramePlanesArguments& a) {
  __shared__ unsigned long long keys[kSelectThreads];
  const int slots = static_cast<int>(a.counters->slots);
  const int thread = static_cast<int>(threadIdx.x);
  int thick = 0;
  for (int base = 0; base < slots; base += kSelectThreads) {
    const int slot = base + thread;
    bool is_thick = false;
    if (slot < slots && a.rules.max_thickness > 0.0) {
      const planes::Fit fit = planes::fit_of(planes::statistics_of(a.slot_moments[slot]));
      is_thick = fit.variance[0] > a.rules.max_thickness * fit.variance[1];
    }
    if (slot < slots) a.slot_label[slot] = is_thick ? kNoSlot : 0U;
    thick += __syncthreads_count(is_thick ? 1 : 0);
  }
  const auto key_of = [&](int slot) -> unsigned long long {
    if (slot >= slots || a.slot_label[slot] == kNoSlot) return 0;
    return static_cast<unsigned long long>(a.slot_moments[slot].n) << 32 |
           (0xFFFFFFFFU - a.slot_first[slot]);
  };
  const int kept = slots - thick;
  const int count = min(kept, a.rules.max_planes);
  for (int base = 0; base < slots; base += kSelectThreads) {
    const int slot = base + thread;
    // Other threads' keys are read before this one's label is written: it is not thick then either.
    const unsigned long long own = key_of(slot);
    int place = 0;
    for (int other = 0; other < slots; other += kSelectThreads) {
      __syncthreads();
      keys[thread] = key_of(other + thread);
      __syncthreads();
      for (int i = 0; i < min(kSelectThreads, slots - other) && place < count; ++i) {
        if (keys[i] > own) ++place;
      }
    }
    if (own == 0 || place >= count) continue;
    a.slot_label[slot] = static_cast<std::uint32_t>(place) + 1;
    const planes::Fit fit = planes::fit_of(planes::statistics_of(a.slot_moments[slot]));
    FoundPlane& found = a.result.frame->planes[place];
    found.moments = a.slot_moments[slot];
    found.fit = fit;
    found.votes = a.slot_votes[slot];
    planes::GroundCandidate& candidate = a.candidates[place];
    for (int i = 0; i < 3; ++i) {
      candidate.normal[i] = fit.normal[i];
      candidate.centroid[i] = fit.mean[i] * a.rules.unit;
    }
    candidate.distance = fit.distance * a.rules.unit;
  }
  if (thread == 0) {
    write_counts(a, thick, kept > a.rules.max_planes ? kept - a.rules.max_planes : 0, count);
  }
}

// All blocks together: a plane and a cell for each thread.
__device__ void count_under(const FramePlanesArguments& a, int count) {
  planes::GroundRules rules = a.ground;
  rules.factor = 1.7 * a.counters->noise;
  const std::int64_t cells = (a.cell_count + 31) / 32 * 32;
  const std::int64_t all = cells * count;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kPlaneThreads + threadIdx.x;
       i < all; i += static_cast<std::int64_t>(gridDim.x) * kPlaneThreads) {
    const int plane = static_cast<int>(i / cells);
    const int cell = static_cast<int>(i % cells);
    unsigned under = 0;
    if (cell < a.cell_count) {
      const auto n = static_cast<unsigned>(cell_moments(a, a.main_cells, cell).n);
      if (n > 0) {
        const planes::Statistics& s = cell_statistics(a, a.main_cells, cell);
        double mean[3];
        for (int k = 0; k < 3; ++k) mean[k] = s.mean[k] * a.rules.unit;
        if (planes::lies_under(mean, a.candidates[plane], rules)) under = n;
      }
    }
    under = warp_sum(under);
    if (threadIdx.x % 32 == 0 && under > 0) atomicAdd(&a.counters->under[plane], under);
  }
}

// A block for each row.
__device__ void write(const FramePlanesArguments& a) {
  __shared__ std::uint32_t first[planes::kMaxPlanes + 1], last[planes::kMaxPlanes + 1];
  __shared__ bool is_last;
  const int count = static_cast<int>(a.counters->kept);
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  const auto y = static_cast<int>(blockIdx.x);
  static_assert(kPlaneThreads == planes::kMaxPlanes + 1);
  first[thread] = 0xFFFFU;
  last[thread] = 0;
  __syncthreads();
  unsigned char* const row = a.result_labels + y * a.result_pitch;
  for (int x = thread; x - lane < a.rules.width; x += kPlaneThreads) {
    std::uint32_t label = 0;
    if (x < a.rules.width) {
      const std::uint32_t parent = a.parents[number_of(a, x, y)];
      const std::uint32_t slot = parent == kNoSlot ? kNoSlot : a.pixel_slots[a.parents[parent]];
      // Labels of thick parts are no numbers of planes.
      label = slot == kNoSlot ? 0U : a.slot_label[slot];
      if (label == kNoSlot) label = 0;
      row[x] = static_cast<unsigned char>(label);
    }
    const std::uint32_t before = __shfl_up_sync(kAll, label, 1);
    const std::uint32_t after = __shfl_down_sync(kAll, label, 1);
    if (label == 0) continue;
    if (lane == 0 || before != label) atomicMin(&first[label], static_cast<unsigned>(x));
    if (lane == 31 || after != label) atomicMax(&last[label], static_cast<unsigned>(x));
  }
  __syncthreads();
  if (thread < count) {
    a.row_extents[static_cast<std::int64_t>(y) * count + thread] =
        first[thread + 1] | last[thread + 1] << 16;
  }
  count_under(a, count);
  __threadfence();
  __syncthreads();
  if (thread == 0) is_last = atomicAdd(&a.counters->rows, 1U) + 1 == gridDim.x;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  if (thread < count) {
    a.result.frame->planes[thread].under =
        static_cast<const volatile unsigned long long*>(a.counters->under)[thread];
  }
}

// A block for each plane, a thread for each of its rows. An end that is not beyond the line between
// two other rows' ends is no corner. This leaves few for the host, which makes the hulls.
__device__ void find_corners(const FramePlanesArguments& a) {
  const int count = static_cast<int>(a.counters->kept);
  const int plane = static_cast<int>(blockIdx.x);
  const int height = a.rules.height, lane = static_cast<int>(threadIdx.x) % 32;
  if (plane >= count) return;
  struct Ends {
    int first, last;
  };
  const auto ends_of = [&](int row) -> Ends {
    const bool is_inside = row >= 0 && row < height;
    const std::uint32_t extent =
        is_inside ? a.row_extents[static_cast<std::int64_t>(row) * count + plane] : 0xFFFFU;
    return {static_cast<int>(extent & 0xFFFFU), static_cast<int>(extent >> 16)};
  };
  for (int row = static_cast<int>(threadIdx.x); row - lane < height; row += kPlaneThreads) {
    const Ends own = ends_of(row);
    bool first_counts = own.first <= own.last, last_counts = first_counts;
#pragma unroll 4
    for (int away = 1; away < height; away *= 2) {
      const Ends above = ends_of(row - away), below = ends_of(row + away);
      if (above.first > above.last || below.first > below.last) continue;
      if (2 * own.first >= above.first + below.first) first_counts = false;
      if (2 * own.last <= above.last + below.last) last_counts = false;
    }
    const unsigned firsts = __ballot_sync(kAll, first_counts);
    const unsigned lasts = __ballot_sync(kAll, last_counts);
    if (first_counts || last_counts) {
      a.result.extents[static_cast<std::int64_t>(plane) * height + row] =
          static_cast<unsigned>(own.first) | static_cast<unsigned>(own.last) << 16;
    }
    if (lane == 0) {
      a.result.corner_rows[static_cast<std::int64_t>(plane) * corner_words(height) + row / 32] = {
          firsts, lasts};
    }
  }
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kSelectThreads, 1)
    rdp_planes_select(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::pdl_wait_and_trigger();
  rdp::cuda::select(a);
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kPlaneThreads)
    rdp_planes_write(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::pdl_wait_and_trigger();
  rdp::cuda::write(a);
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kPlaneThreads)
    rdp_planes_corners(const rdp::cuda::FramePlanesArguments a) {
  rdp::cuda::pdl_wait_and_trigger();
  rdp::cuda::find_corners(a);
}
