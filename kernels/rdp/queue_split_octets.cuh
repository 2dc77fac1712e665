// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_QUEUE_SPLIT_OCTETS_CUH_
#define RDP_KERNELS_RDP_QUEUE_SPLIT_OCTETS_CUH_

#include <cstdint>

#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/queue_block.cuh"
#include "kernels/rdp/queue_search.cuh"
#include "kernels/rdp/queue_tasks.cuh"
#include "kernels/rdp/segment_arguments.h"

namespace rdp::cuda {

// Splits the queued segments down to kThreadLength, as split_by_warps() does it, but with an octet
// of threads each.
__device__ __forceinline__ void split_by_octets(const SegmentArguments& a, const Columns& block,
                                                Shared* shared) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int member = lane % kOctet;
  Queue* const queue = &shared->octet_queue;
  unsigned* const tasks = block.octet_tasks();
  bool working = false;
  int place = static_cast<int>(threadIdx.x) / kOctet;
  Task task{0, 0, 0};
  for (;;) {
    if (!__all_sync(kAll, working)) {
      unsigned packed = 0;
      bool done = false;
      if (!working && member == 0) {
        if (place < block.layout.octet_capacity) packed = peek(tasks + place);
        if (packed == 0) done = all_done(queue);
      }
      packed = __shfl_sync(kAll, packed, lane - member);
      if (packed != 0) {
        working = true;
        task = Task::unpack(packed);
      }
      if (!__any_sync(kAll, working)) {
        if (__any_sync(kAll, done)) return;
        pause();
        continue;
      }
    }
    const std::uint16_t* const samples = block.samples(task.column);
    const auto* const known = reinterpret_cast<const unsigned char*>(block.known(task.column));
    const Line line(task.first, task.last, samples[task.first], samples[task.last]);
    // In an octet without work the segment has the length 0, and nothing counts.
    unsigned key =
        ChunkDistances(line, samples, known, (task.first >> 3) + member, task.last >> 3).key();
    // Distances of so few rows leave six bits free: the places of all threads fit in.
    key = (key & ~7U) * 8 + (kOctet - 1 - member) * 8 + (key & 7);
#pragma unroll
    for (int i = kOctet / 2; i > 0; i /= 2) key = max(key, __shfl_xor_sync(kAll, key, i));
    const bool split = static_cast<int>(key >> 6) > line.threshold(a.eps256);
    const int row = (task.first & ~7) + 63 - static_cast<int>(key & 63);
    const bool above = split && !is_for_thread(task.first, row);
    const bool below = split && !is_for_thread(row, task.last);
    if (member == 1 && split) {
      atomicOr(&block.vertices(task.column)[row >> 5], 1U << (row & 31));
    }
    if (member == 0 && above && below) put(queue, tasks, {task.column, row, task.last});
    if (member == 0 && working && !above && !below) place = finish(queue);
    working = working && (above || below);
    if (!working) {
      task.last = task.first;
    } else if (above) {
      task.last = row;
    } else {
      task.first = row;
    }
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_QUEUE_SPLIT_OCTETS_CUH_
