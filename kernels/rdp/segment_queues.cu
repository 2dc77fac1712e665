// SPDX-License-Identifier: LGPL-2.1-or-later
// The Ramer-Douglas-Peucker split of all columns of a frame, exact, in one launch: Algorithm 1 of
// P. Cebrian and J. C. Moure, "GPU-accelerated RDP Algorithm for Data Segmentation", ICCS 2020,
// with the integers of common/rdp/reference.h. A block takes a few neighbouring columns from the
// frame to their segments. How it differs from the paper's kernel, Algorithm 3, says
// kernels/README.md.
#include "kernels/rdp/queue_block.cuh"
#include "kernels/rdp/queue_load.cuh"
#include "kernels/rdp/queue_split_octets.cuh"
#include "kernels/rdp/queue_split_threads.cuh"
#include "kernels/rdp/queue_split_warps.cuh"
#include "kernels/rdp/queue_write.cuh"

namespace rdp::cuda {
namespace {

// kShort: the frame has no more than kShortHeight rows.
template <typename Sample, int kColumns, bool kShort>
__device__ void segment(const SegmentArguments& a) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ Shared shared;
  const Columns block{QueueLayout(a.height, kColumns), memory};
  load_columns<Sample, kColumns>(a, block, &shared);
  __syncthreads();
  split_by_warps<kColumns, kShort>(a, block, &shared);
  __syncthreads();
  split_by_octets(a, block, &shared);
  __syncthreads();
  split_by_threads<kColumns>(a, block);
  if (a.vertices != nullptr) {
    write_vertices<kColumns>(a, block);
  } else {
    write_segments<kColumns>(a, block, &shared);
  }
}

}  // namespace

#define RDP_SEGMENT_QUEUES(columns, is_short, name, Sample)                               \
  extern "C" __global__ void __launch_bounds__(kQueueThreads, 4)                          \
      rdp_segment_queues_##columns##_##name(const __grid_constant__ SegmentArguments a) { \
    segment<Sample, columns, is_short>(a);                                                \
  }
RDP_SEGMENT_QUEUES(4, true, u8, std::uint8_t)
RDP_SEGMENT_QUEUES(4, true, u16, std::uint16_t)
RDP_SEGMENT_QUEUES(1, false, u8, std::uint8_t)
RDP_SEGMENT_QUEUES(1, false, u16, std::uint16_t)

}  // namespace rdp::cuda
