// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_QUEUE_BLOCK_CUH_
#define RDP_KERNELS_RDP_QUEUE_BLOCK_CUH_

#include <cstdint>

#include "kernels/primitives/compaction.cuh"
#include "kernels/rdp/queue_layout.h"
#include "kernels/rdp/queue_tasks.cuh"

// Shared by the parts of the kernels of segment_queues.cu.
namespace rdp::cuda {

// Shared memory of a block's threads, besides the arrays.
struct Shared {
  Queue warp_queue;
  Queue octet_queue;
  unsigned vertex_counts[4];  // of each column
  LookBack look_back;
};

// The arrays of a block's columns.
struct Columns {
  QueueLayout layout;
  unsigned char* memory;

  __device__ std::uint16_t* samples(int column) const {
    return reinterpret_cast<std::uint16_t*>(memory + layout.samples + column * layout.column_bytes);
  }
  // A bit for each row: whether its sample is known; whether it is a vertex.
  __device__ unsigned* known(int column) const {
    return reinterpret_cast<unsigned*>(memory + layout.known) + column * layout.words;
  }
  __device__ unsigned* vertices(int column) const {
    return reinterpret_cast<unsigned*>(memory + layout.vertices) + column * layout.words;
  }
  // The vertices that single threads find.
  __device__ unsigned* thread_vertices(int column) const {
    return reinterpret_cast<unsigned*>(memory + layout.thread_vertices) + column * layout.words;
  }
  __device__ unsigned* octet_tasks() const {
    return reinterpret_cast<unsigned*>(memory + layout.octet_tasks);
  }
  __device__ unsigned* warp_tasks() const {
    return reinterpret_cast<unsigned*>(memory + layout.warp_tasks);
  }
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_QUEUE_BLOCK_CUH_
