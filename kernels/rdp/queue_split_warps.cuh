// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_QUEUE_SPLIT_WARPS_CUH_
#define RDP_KERNELS_RDP_QUEUE_SPLIT_WARPS_CUH_

#include <cstdint>

#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/queue_block.cuh"
#include "kernels/rdp/queue_runs.cuh"
#include "kernels/rdp/queue_search.cuh"
#include "kernels/rdp/queue_tasks.cuh"
#include "kernels/rdp/segment_arguments.h"

namespace rdp::cuda {

// Finds the ends of the block's columns and splits what is longer than an octet's chunks, each
// task with a warp; queues the parts for split_by_octets(). A warp goes on with one part of what it
// split and queues the other. One without work waits at its place in the queue, until something is
// put there or all work is done.
template <int kColumns, bool kShort>
__device__ __forceinline__ void split_by_warps(const SegmentArguments& a, const Columns& block,
                                               Shared* shared) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  static_assert(kColumns <= kQueueWarps);
  Queue* const queue = &shared->warp_queue;
  unsigned* const tasks = block.warp_tasks();
  int place = warp;
  bool working = false;
  Task task{0, 0, 0};
  if (warp < kColumns) {
    task.column = warp;
    if (a.max_gap > 0) {
      // Without a segment of its own: its runs are tasks like others.
      put_runs(block, warp, a.max_gap, lane, shared);
      task.first = kNoRow;
      task.last = -1;
    } else {
      find_ends(block.known(warp), block.layout.words, lane, &task.first, &task.last);
    }
    working = is_for_warp(task.first, task.last);
    if (lane < 2 && task.first <= task.last) {
      const int vertex = lane == 0 ? task.first : task.last;
      atomicOr(&block.vertices(warp)[vertex >> 5], 1U << (vertex & 31));
    }
    if (lane == 0 && !working) {
      if (!is_for_thread(task.first, task.last)) {
        put(&shared->octet_queue, block.octet_tasks(), task);
      }
      place = finish(queue);
    }
  }
  for (;;) {
    while (!working) {
      unsigned packed = 0;
      bool done = false;
      if (lane == 0) {
        if (place < block.layout.warp_capacity) packed = peek(tasks + place);
        if (packed == 0) done = all_done(queue);
      }
      packed = __shfl_sync(kAll, packed, 0);
      working = packed != 0;
      task = Task::unpack(packed);
      if (working) break;
      if (__shfl_sync(kAll, done, 0)) return;
      pause();
    }
    const auto* const known = reinterpret_cast<const unsigned char*>(block.known(task.column));
    const std::uint16_t* const samples = block.samples(task.column);
    unsigned* const vertices = block.vertices(task.column);
    int first_value = samples[task.first];
    int last_value = samples[task.last];
    do {
      const Line line(task.first, task.last, first_value, last_value);
      const auto [max_distance, row] = find_farthest<kShort>(known, samples, line, lane);
      working = max_distance > line.threshold(a.eps256);
      if (!working) break;
      const bool above = is_for_warp(task.first, row);
      const bool below = is_for_warp(row, task.last);
      const int value = samples[row];
      // The first thread sees to the part above, the second to the one below, unless the warp goes
      // on with it; the third marks the vertex.
      const Task part{task.column, lane == 0 ? task.first : row, lane == 0 ? row : task.last};
      const bool for_warp = lane == 0 ? above : below;
      const bool kept = lane == 0 ? above : below && !above;
      if (lane == 2) atomicOr(&vertices[row >> 5], 1U << (row & 31));
      if (lane < 2 && !kept && !is_for_thread(part.first, part.last)) {
        put(for_warp ? queue : &shared->octet_queue, for_warp ? tasks : block.octet_tasks(), part);
      }
      working = above || below;
      task.first = above ? task.first : row;
      first_value = above ? first_value : value;
      task.last = above ? row : task.last;
      last_value = above ? value : last_value;
    } while (working);
    if (lane == 0) place = finish(queue);
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_QUEUE_SPLIT_WARPS_CUH_
