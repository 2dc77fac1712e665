// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_FIND_GROUND_CUH_
#define RDP_KERNELS_RDP_FIND_GROUND_CUH_

#include "common/rdp/segment_class.h"
#include "kernels/primitives/rank.cuh"
#include "kernels/rdp/overlay_arguments.h"
#include "kernels/rdp/segment_cursor.cuh"

namespace rdp::cuda {

// find_ground() of common/rdp/ground.h: one block, each thread counts the votes of some columns.
class GroundVotes {
 public:
  __device__ explicit GroundVotes(const FindGroundArguments& a)
      : a_(a), list_(a.list.of_frame(a.slice)) {}

  // Calls vote(segment) for the segment by which each of this thread's columns votes.
  template <typename Vote>
  __device__ void for_each(Vote vote) const {
    const int columns = static_cast<int>(list_.columns);
    for (int c = static_cast<int>(threadIdx.x); c < columns; c += kFindGroundThreads) {
      const std::uint32_t begin = __ldg(list_.offsets + c);
      const std::uint32_t end = __ldg(list_.offsets + c + 1);
      const std::uint32_t search = min(end - begin, static_cast<std::uint32_t>(kGroundSearch));
#pragma unroll 1
      for (std::uint32_t i = 1; i <= search; ++i) {
        const DeviceSegment& segment = list_.segments[end - i];
        if (!is_long_enough(segment.first_row, segment.last_row, a_.height)) continue;
        if (rises(segment.first_value, segment.last_value, a_.rules)) vote(segment);
        break;
      }
    }
  }

 private:
  const FindGroundArguments& a_;
  SegmentListView list_;  // of the frame alone
};

// The lower weighted median of 16-bit codes, by their upper and then their lower bytes, for all
// threads of the block; -1 where nothing is voted for. code_of(segment) says what a segment votes
// for, below 0: nothing. Weights are rows, so that their sum is below 2^28.
template <typename CodeOf>
__device__ int weighted_median(const GroundVotes& votes, CodeOf code_of) {
  __shared__ int counts[256];
  __shared__ int total;
  __shared__ Ranked found;
  const int thread = static_cast<int>(threadIdx.x);
  int upper = 0;
  int before = 0;
  for (int lower = 0; lower < 2; ++lower) {
    if (thread < 256) counts[thread] = 0;
    if (thread == 0 && lower == 0) total = 0;
    __syncthreads();
    votes.for_each([&](const DeviceSegment& segment) {
      const int code = code_of(segment);
      if (code < 0 || (lower == 1 && code >> 8 != upper)) return;
      const int weight = segment.last_row - segment.first_row;
      atomicAdd(&counts[lower == 0 ? code >> 8 : code & 255], weight);
      if (lower == 0) atomicAdd(&total, weight);
    });
    __syncthreads();
    if (total == 0) return -1;
    if (thread < 32) {
      const Ranked ranked = find_rank(counts, (total - 1) / 2 - before);
      if (thread == 0) found = ranked;
    }
    __syncthreads();
    if (lower == 1) break;
    upper = found.number;
    before = found.before;
  }
  const int result = upper << 8 | found.number;
  __syncthreads();  // the next median uses the same memory
  return result;
}

__device__ inline void find_ground(const FindGroundArguments& a) {
  const bool first_thread = threadIdx.x == 0;
  Ground ground;
  if (is_truncated(a.list)) {
    if (first_thread) *a.ground = ground;
    return;
  }
  const GroundVotes votes(a);
  double slope = a.rules.ground_slope;
  if (!(slope > 0.0)) {
    int mine = 0;
    votes.for_each([&](const DeviceSegment&) { ++mine; });
    __shared__ int all;
    if (first_thread) all = 0;
    __syncthreads();
    if (mine > 0) atomicAdd(&all, mine);
    const int code = weighted_median(votes, [&a](const DeviceSegment& segment) {
      return code_of_slope(slope_of(segment, a.rules));
    });
    // weighted_median() has barriers: after it, all threads have added their votes to `all`.
    if (code < 0 || !is_quorum(all, static_cast<int>(a.list.columns))) {
      if (first_thread) *a.ground = ground;
      return;
    }
    slope = slope_of_code(code);
  }
  ground.slope = slope;
  const int code = weighted_median(votes, [&a, slope](const DeviceSegment& segment) {
    if (!is_level(slope_of(segment, a.rules), slope)) return -1;
    return code_of_horizon(horizon_of(segment, slope, a.rules));
  });
  if (code >= 0) ground.horizon = horizon_of_code(code);
  if (first_thread) *a.ground = ground;
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_FIND_GROUND_CUH_
