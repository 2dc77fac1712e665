// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_QUEUE_LOAD_CUH_
#define RDP_KERNELS_RDP_QUEUE_LOAD_CUH_

#include "kernels/rdp/known_rows.cuh"
#include "kernels/rdp/queue_block.cuh"
#include "kernels/rdp/segment_arguments.h"

namespace rdp::cuda {

// Brings the block's columns into shared memory, each contiguous, with a mask of the known
// rows. A thread takes two columns of eight rows.
template <typename Sample, int kColumns>
__device__ __forceinline__ void load_columns(const SegmentArguments& a, const Columns& block,
                                             Shared* shared) {
  constexpr int kGroup = kColumns < 2 ? kColumns : 2;
  constexpr int kGroups = kColumns / kGroup;
  const int first_column = static_cast<int>(blockIdx.x) * kColumns;
  const unsigned char* const frame = a.frames.data[blockIdx.y];
  const std::int64_t pitch = a.frames.pitch[blockIdx.y];
  const KnownRows known_rows(a, sizeof(Sample));
  const bool can_be_aligned =
      kGroup == 2 &&
      ((reinterpret_cast<std::uintptr_t>(frame) | static_cast<std::uintptr_t>(pitch)) &
       (2 * sizeof(Sample) - 1)) == 0;
  const int units = block.layout.words * kChunksPerWord * kGroups;
  for (int unit = static_cast<int>(threadIdx.x); unit < units; unit += kQueueThreads) {
    const int chunk = unit / kGroups;
    const int column = unit % kGroups * kGroup;
    const int valid = min(kGroup, a.width - first_column - column);
    const bool aligned = can_be_aligned && valid == 2;
    const int rows = a.height - chunk * kChunkRows;
    const unsigned char* from = frame + static_cast<std::int64_t>(chunk) * kChunkRows * pitch +
                                (first_column + column) * static_cast<int>(sizeof(Sample));
    unsigned row[kChunkRows];
    if (aligned && rows >= kChunkRows) {
#pragma unroll
      for (int r = 0; r < kChunkRows; ++r) row[r] = load_two<Sample>(from + r * pitch);
    } else {
#pragma unroll
      for (int r = 0; r < kChunkRows; ++r) {
        row[r] = r < rows ? load_some<Sample>(from + r * pitch, valid) : 0;
      }
    }
#pragma unroll
    for (int c = 0; c < kGroup; ++c) {
      unsigned v[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        v[i] = __byte_perm(row[2 * i], row[2 * i + 1], c % 2 == 0 ? 0x5410 : 0x7632);
      }
      const unsigned mask = c < valid ? known_rows.of(v, rows) : 0;
      reinterpret_cast<uint4*>(block.samples(column + c))[chunk] =
          make_uint4(v[0], v[1], v[2], v[3]);
      reinterpret_cast<unsigned char*>(block.known(column + c))[chunk] =
          static_cast<unsigned char>(mask);
    }
  }
  // From here on there are no vertices and no tasks yet.
  auto* const rest = reinterpret_cast<unsigned*>(block.memory + block.layout.vertices);
  const int rest_words = (block.layout.bytes - block.layout.vertices) / 4;
  for (int i = static_cast<int>(threadIdx.x); i < rest_words; i += kQueueThreads) rest[i] = 0;
  if (threadIdx.x == 0) {
    // The first tasks are the columns themselves, one for each of the first warps.
    shared->warp_queue = {kColumns, kQueueWarps, 0};
    shared->octet_queue = {0, kQueueThreads / kOctet, 0};
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_QUEUE_LOAD_CUH_
