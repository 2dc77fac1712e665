// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FIT_MERGE_CUH_
#define RDP_KERNELS_FIT_MERGE_CUH_

#include "kernels/rdp/fit_block.cuh"

// The merge of a run's pieces: reference::fit_pieces(), step 2.
namespace rdp::cuda {

constexpr int kReach = static_cast<int>(kMergeReach);
static_assert(kReach <= 32);

// The truncated errors of all segments that join up to kReach neighbours. A thread takes a segment.
__device__ __forceinline__ void find_errors(const Pieces& pieces, const int* segments, int count,
                                            float truncation2, int lane) {
  for (int i = lane; i < count * kReach; i += 32) {
    const int end = i / kReach + 1;
    const int first = end - 1 - i % kReach;
    if (first < 0) continue;
    const int first_piece = segments[first];
    const int end_piece = segments[end];
    const FittedLine line = fit_line(pieces.sums(first_piece, end_piece));
    float error = 0.0F;
    for (int p = first_piece; p < end_piece; ++p) {
      error += truncated_error(pieces.piece(p, truncation2), line);
    }
    pieces.errors()[i] = error;
  }
}

// One pass of the dynamic program over `count` segments, of which a thread has each of the last
// kReach totals. Leaves in pieces.before() where the last segment up to each cut begins.
__device__ __forceinline__ void find_cheapest(const Pieces& pieces, int count, float price,
                                              int lane) {
  // Where the segment would begin: `lane` cuts above the one before the end. No total is negative,
  // so that their bits are in the same order.
  float total = lane == 0 ? 0.0F : __int_as_float(0x7F800000);
  float error = lane == 0 ? pieces.errors()[0] : 0.0F;
  for (int end = 1; end <= count; ++end) {
    const bool possible = lane < kReach && lane < end;
    const float sum = total + price + error;
    // Asked for before it is needed.
    if (end < count && lane < kReach && lane <= end) error = pieces.errors()[end * kReach + lane];
    const unsigned bits = possible ? __float_as_uint(sum) : 0xFFFFFFFFU;
    const unsigned smallest = warp_min_unsigned(bits);
    // Of equally cheap segments the longest.
    const int longest =
        31 - __clz(static_cast<int>(__ballot_sync(kAll, possible && bits == smallest)));
    if (lane == 0) pieces.before()[end] = end - 1 - longest;
    total = __shfl_up_sync(kAll, total, 1);
    if (lane == 0) total = __uint_as_float(smallest);
  }
}

// Follows the cheapest segments back from the last cut, by one thread, and writes where those that
// are left begin. Returns how many there are.
__device__ __forceinline__ int trace_back(const Pieces& pieces, int* segments, int count) {
  // Each is written where the beginning of a later one, which has been read, stood.
  int kept = 0;
  for (int end = count; end > 0; ++kept) {
    const int first = pieces.before()[end];
    pieces.before()[count - kept] = end;
    end = first;
  }
  for (int s = 1; s <= kept; ++s) segments[s] = segments[pieces.before()[count - kept + s]];
  return kept;
}

// Merges the pieces from first to end - 1. Afterwards pieces.segments() has where the segments
// begin; returns their number.
__device__ __forceinline__ int merge_run(const FitArguments& a, const Pieces& pieces, int first,
                                         int end, int lane) {
  int* const segments = pieces.segments();
  int count = end - first;
  for (int s = lane; s <= count; s += 32) segments[s] = first + s;
  __syncwarp();
  for (int pass = 0; pass < kMaxMergePasses; ++pass) {
    find_errors(pieces, segments, count, a.truncation2, lane);
    __syncwarp();
    find_cheapest(pieces, count, a.price, lane);
    __syncwarp();
    const int before = count;
    if (lane == 0) count = trace_back(pieces, segments, count);
    count = __shfl_sync(kAll, count, 0);
    __syncwarp();
    if (before <= kReach || count == before) break;
  }
  return count;
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FIT_MERGE_CUH_
