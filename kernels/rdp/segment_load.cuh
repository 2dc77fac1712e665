// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_SEGMENT_LOAD_CUH_
#define RDP_KERNELS_SEGMENT_LOAD_CUH_

#include "kernels/rdp/segment_block.cuh"

namespace rdp::cuda {

// Two neighbouring samples of a row, which are aligned together, as 16-bit halves.
template <typename Sample>
__device__ __forceinline__ unsigned load_two(const unsigned char* from) {
  if (sizeof(Sample) == 2) return __ldg(reinterpret_cast<const unsigned*>(from));
  return __byte_perm(__ldg(reinterpret_cast<const std::uint16_t*>(from)), 0, 0x4140);
}
// As many of the two as there are, one after the other.
template <typename Sample>
__device__ __forceinline__ unsigned load_some(const unsigned char* from, int valid) {
  const auto* s = reinterpret_cast<const Sample*>(from);
  return (valid > 0 ? s[0] : 0U) | (valid > 1 ? static_cast<unsigned>(s[1]) << 16 : 0U);
}

// A bit for each row of a chunk whose sample is known. `missing` has all bits set in the halves
// that are not rows of the frame.
__device__ __forceinline__ unsigned known_rows(const unsigned (&v)[4], const unsigned (&missing)[4],
                                               unsigned first2, unsigned last2) {
  unsigned flags = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    // A sample is known when limiting it to the known range does not change it.
    const unsigned difference = (__vminu2(__vmaxu2(v[i], first2), last2) ^ v[i]) | missing[i];
    const unsigned unknown =
        (((difference & 0x7FFF7FFFU) + 0x7FFF7FFFU) | difference) & 0x80008000U;
    flags |= unknown >> (15 - 2 * i);
  }
  return ~(flags | flags >> 15) & 0xFFU;
}

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
  const unsigned known_last = min(a.known_last, sizeof(Sample) == 1 ? 255U : 65535U);
  // Of an empty range limiting a sample to it would say nothing.
  const bool none = a.known_first > known_last;
  const unsigned first2 = a.known_first * 0x10001U;
  const unsigned last2 = known_last * 0x10001U;
  const bool can_be_aligned =
      kGroup == 2 &&
      ((reinterpret_cast<std::uintptr_t>(frame) | static_cast<std::uintptr_t>(pitch)) &
       (2 * sizeof(Sample) - 1)) == 0;
  const int units = block.layout.words * kChunksPerWord * kGroups;
  for (int unit = static_cast<int>(threadIdx.x); unit < units; unit += kSegmentThreads) {
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
    unsigned missing[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      missing[i] =
          (2 * i < rows && !none ? 0 : 0xFFFFU) | (2 * i + 1 < rows && !none ? 0 : 0xFFFF0000U);
    }
#pragma unroll
    for (int c = 0; c < kGroup; ++c) {
      unsigned v[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        v[i] = __byte_perm(row[2 * i], row[2 * i + 1], c % 2 == 0 ? 0x5410 : 0x7632);
      }
      const unsigned mask = c < valid ? known_rows(v, missing, first2, last2) : 0;
      reinterpret_cast<uint4*>(block.samples(column + c))[chunk] =
          make_uint4(v[0], v[1], v[2], v[3]);
      reinterpret_cast<unsigned char*>(block.known(column + c))[chunk] =
          static_cast<unsigned char>(mask);
    }
  }
  // From here on there are no vertices and no tasks yet.
  auto* const rest = reinterpret_cast<unsigned*>(block.memory + block.layout.cuts);
  const int rest_words = (block.layout.bytes - block.layout.cuts) / 4;
  for (int i = static_cast<int>(threadIdx.x); i < rest_words; i += kSegmentThreads) rest[i] = 0;
  if (threadIdx.x == 0) {
    // The first tasks are the columns themselves, one for each of the first warps.
    shared->wide = {kColumns, kSegmentWarps, 0};
    shared->middle = {0, kSegmentThreads / kMiddleLanes, 0};
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_SEGMENT_LOAD_CUH_
