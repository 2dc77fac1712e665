// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_WARP_LOAD_CUH_
#define RDP_KERNELS_RDP_WARP_LOAD_CUH_

#include <cstdint>

#include "kernels/rdp/known_rows.cuh"
#include "kernels/rdp/segment_arguments.h"
#include "kernels/rdp/warp_layout.h"

namespace rdp::cuda {

// Brings kColumns columns of at most kWarpRows rows into shared memory, each contiguous, with a bit
// for each known row, with kColumns * 32 threads. A thread takes two columns of eight rows, twice:
// neighbouring threads read neighbouring samples, and all of a thread's loads are on their way
// before it needs the first of them.
template <typename Sample, int kColumns>
__device__ __forceinline__ void load_warp_columns(const SegmentArguments& a,
                                                  const WarpLayout& layout, unsigned char* memory) {
  constexpr int kPairs = kColumns / 2;
  constexpr int kStep = kColumns * 32 / kPairs;  // chunks
  constexpr int kUnits = kWarpRows / 8 / kStep;
  static_assert(kUnits == 2 && kColumns % 2 == 0);
  const int column = static_cast<int>(threadIdx.x) % kPairs * 2;
  const int first_chunk = static_cast<int>(threadIdx.x) / kPairs;
  const int frame_column = static_cast<int>(blockIdx.x) * kColumns + column;
  const int valid = min(2, a.width - frame_column);
  const unsigned char* const frame = a.frames.data[blockIdx.y];
  // Below 2^32 for the whole frame: see Segmenter.
  const auto pitch = static_cast<std::uint32_t>(a.frames.pitch[blockIdx.y]);
  const bool aligned = valid == 2 && ((reinterpret_cast<std::uintptr_t>(frame) | pitch) &
                                      (2 * sizeof(Sample) - 1)) == 0;
  unsigned rows[kUnits][8];
#pragma unroll
  for (int u = 0; u < kUnits; ++u) {
    const int row = (first_chunk + u * kStep) * 8;
    const unsigned char* const from =
        frame + (static_cast<std::uint32_t>(row) * pitch +
                 static_cast<std::uint32_t>(frame_column) * sizeof(Sample));
    if (aligned && row + 8 <= a.height) {
#pragma unroll
      for (unsigned r = 0; r < 8; ++r) rows[u][r] = load_two<Sample>(from + r * pitch);
    } else {
#pragma unroll
      for (unsigned r = 0; r < 8; ++r) rows[u][r] = 0;
      // Below the frame there is nothing to ask row by row.
      if (row < a.height) {
#pragma unroll
        for (unsigned r = 0; r < 8; ++r) {
          if (row + static_cast<int>(r) < a.height) {
            rows[u][r] = load_some<Sample>(from + r * pitch, valid);
          }
        }
      }
    }
  }
  const KnownRows known_rows(a, sizeof(Sample));
  const auto store = [&](auto of_chunk) {
#pragma unroll
    for (int u = 0; u < kUnits; ++u) {
      const int chunk = first_chunk + u * kStep;
      if (chunk >= layout.words * 4) break;
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        unsigned v[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          v[i] = __byte_perm(rows[u][2 * i], rows[u][2 * i + 1], c == 0 ? 0x5410 : 0x7632);
        }
        auto* const samples = reinterpret_cast<std::uint16_t*>(memory + layout.samples) +
                              (column + c) * layout.sample_stride;
        reinterpret_cast<uint4*>(samples)[chunk] = make_uint4(v[0], v[1], v[2], v[3]);
        // Of columns that the frame does not have, no row is known.
        memory[layout.known + (column + c) * layout.words * 4 + chunk] =
            static_cast<unsigned char>(of_chunk(v, c < valid ? a.height - chunk * 8 : 0));
      }
    }
  };
  if (known_rows.not_zero()) {
    store([&](const unsigned(&v)[4], int inside) { return known_rows.of<true>(v, inside); });
  } else {
    store([&](const unsigned(&v)[4], int inside) { return known_rows.of(v, inside); });
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_WARP_LOAD_CUH_
