// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_QUEUE_SPLIT_THREADS_CUH_
#define RDP_KERNELS_RDP_QUEUE_SPLIT_THREADS_CUH_

#include <cstdint>

#include "kernels/rdp/queue_block.cuh"
#include "kernels/rdp/queue_search.cuh"
#include "kernels/rdp/segment_arguments.h"

namespace rdp::cuda {

// Splits the short rest: each thread those segments that start in its 32 rows. The vertices found
// so far serve as the stack: whatever is left between two of them is looked at next.
template <int kColumns>
__device__ void split_by_threads(const SegmentArguments& a, const Columns& block) {
  const int words = block.layout.words;
  for (int i = static_cast<int>(threadIdx.x); i < words * kColumns; i += kQueueThreads) {
    const int column = i % kColumns;
    const int w = i / kColumns;
    const unsigned low = block.vertices(column)[w];
    if (low == 0) continue;
    const bool has_next = w + 1 < words;
    const unsigned high = has_next ? block.vertices(column)[w + 1] : 0;
    const std::uint16_t* const y = block.samples(column) + w * kWordRows;
    const unsigned long long known =
        block.known(column)[w] |
        static_cast<unsigned long long>(has_next ? block.known(column)[w + 1] : 0) << 32;
    unsigned long long vertices = low | static_cast<unsigned long long>(high) << 32;
    unsigned long long found = 0;
    int first = __ffs(static_cast<int>(low)) - 1;
    const int end = high != 0 ? 31 + __ffs(static_cast<int>(high)) : 64;
    while (first < end) {
      const unsigned long long later = vertices & (~0ULL << first << 1);
      if (later == 0) break;
      const int last = __ffsll(static_cast<long long>(later)) - 1;
      int vertex = -1;
      if (last - first <= kThreadLength && last - first > 1) {
        const Line line(first, last, y[first], y[last]);
        int largest = line.threshold(a.eps256);
        int value = line.origin;
        for (int row = first + 1; row < last; ++row) {
          value += line.rise;
          const int distance = abs(value - y[row] * line.length);
          if ((known >> row & 1) != 0 && distance > largest) {
            largest = distance;
            vertex = row;
          }
        }
      }
      if (vertex >= 0) {
        vertices |= 1ULL << vertex;
        found |= 1ULL << vertex;
      } else {
        first = last;
      }
    }
    if (static_cast<unsigned>(found) != 0) {
      atomicOr(&block.thread_vertices(column)[w], static_cast<unsigned>(found));
    }
    if (found >> 32 != 0) {
      atomicOr(&block.thread_vertices(column)[w + 1], static_cast<unsigned>(found >> 32));
    }
  }
  __syncthreads();
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_QUEUE_SPLIT_THREADS_CUH_
