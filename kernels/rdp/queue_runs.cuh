// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_QUEUE_RUNS_CUH_
#define RDP_KERNELS_RDP_QUEUE_RUNS_CUH_

#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/queue_block.cuh"
#include "kernels/rdp/queue_tasks.cuh"

namespace rdp::cuda {

// Below every row.
constexpr int kNoRow = 0xFFFF;

// The first and last known row of a column, in all threads of a warp; the first is after the last
// where there is none.
__device__ __forceinline__ void find_ends(const unsigned* known, int words, int lane, int* first,
                                          int* last) {
  int low = kNoRow;
  int high = -1;
  for (int w = lane; w < words; w += 32) {
    const unsigned word = known[w];
    if (word == 0) continue;
    low = min(low, w * kWordRows + __ffs(static_cast<int>(word)) - 1);
    high = w * kWordRows + 31 - __clz(static_cast<int>(word));
  }
  *first = warp_min(low);
  *last = warp_max(high);
}

// Queues a column's runs, between which more than max_gap rows are unknown, with a warp, and marks
// the vertices at which they begin and end. The beginnings are noted where single threads note
// vertices later: nobody else works on that mask meanwhile.
__device__ __forceinline__ void put_runs(const Columns& block, int column, int max_gap, int lane,
                                         Shared* shared) {
  const int words = block.layout.words;
  const unsigned* const known = block.known(column);
  unsigned* const vertices = block.vertices(column);
  unsigned* const begins = block.thread_vertices(column);
  int before = -1;  // the last known row above the words at hand
  for (int w = 0; w < words; w += 32) {
    const unsigned word = w + lane < words ? known[w + lane] : 0;
    const int row = (w + lane) * kWordRows;
    const int last = row + 31 - __clz(static_cast<int>(word));
    const unsigned some = __ballot_sync(kAll, word != 0);
    if (some == 0) continue;
    int previous = warp_from_before(some, last, before);
    before = __shfl_sync(kAll, last, 31 - __clz(static_cast<int>(some)));
    unsigned found = 0;
    for (unsigned rest = word; rest != 0;) {
      const int first = __ffs(static_cast<int>(rest)) - 1;
      if (previous < 0 || row + first - previous - 1 > max_gap) found |= 1U << first;
      // On to the end of these known rows.
      const unsigned unknown = ~rest & bits_from(first);
      const int end = unknown != 0 ? __ffs(static_cast<int>(unknown)) - 1 : 32;
      previous = row + end - 1;
      rest &= bits_from(end);
    }
    if (w + lane < words) begins[w + lane] = found;
  }
  __syncwarp();
  for (int w = lane; w < words; w += 32) {
    for (unsigned rest = begins[w]; rest != 0; rest &= rest - 1) {
      const int bit = __ffs(static_cast<int>(rest)) - 1;
      // The last known row above the next run.
      int end = w;
      unsigned next = rest & (rest - 1);
      while (next == 0 && ++end < words) next = begins[end];
      unsigned above = 0;
      if (next != 0) above = known[end] & ((next & (0U - next)) - 1);
      while (above == 0) above = known[--end];
      const int first = w * kWordRows + bit;
      const int last = end * kWordRows + 31 - __clz(static_cast<int>(above));
      atomicOr(&vertices[w], 1U << bit);
      atomicOr(&vertices[end], 1U << (last & 31));
      if (is_for_thread(first, last)) continue;
      const bool for_warp = is_for_warp(first, last);
      put(for_warp ? &shared->warp_queue : &shared->octet_queue,
          for_warp ? block.warp_tasks() : block.octet_tasks(), {column, first, last});
    }
  }
  // All runs are counted before one of the threads ends the column's task: else all would seem to
  // be done, and the warps that return leave tasks to nobody.
  __syncwarp();
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_QUEUE_RUNS_CUH_
