// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_DEPTHFILTER_DEPTH_ROWS_CUH_
#define RDP_KERNELS_DEPTHFILTER_DEPTH_ROWS_CUH_

#include <cstdint>

#include "kernels/depthfilter/depth_filter_arguments.h"
#include "kernels/primitives/warp.cuh"
#include "kernels/primitives/wide_samples.cuh"

// Access to samples of either type, and counting, for all kernels of depthfilter.
namespace rdp::cuda {

// Cap of a sample's tolerance: above four times any difference of samples.
constexpr unsigned kMaxTolerance = 1U << 18;
__device__ __forceinline__ unsigned tolerance_at(unsigned v, const filter::Tolerance& tolerance) {
  return min(static_cast<unsigned>(filter::tolerance_of(v, tolerance)), kMaxTolerance);
}

template <typename Sample>
__device__ __forceinline__ Sample* samples_at(const DepthRows& rows, int x, int y) {
  return reinterpret_cast<Sample*>(rows.data + y * rows.pitch) + x;
}
__device__ __forceinline__ unsigned raw_sample(const DepthRows& rows, int x, int y) {
  return rows.sample_bytes == 1 ? *samples_at<std::uint8_t>(rows, x, y)
                                : *samples_at<std::uint16_t>(rows, x, y);
}
__device__ __forceinline__ void write_sample(const DepthRows& rows, int x, int y, unsigned v) {
  if (rows.sample_bytes == 1) {
    *samples_at<std::uint8_t>(rows, x, y) = static_cast<std::uint8_t>(v);
  } else {
    *samples_at<std::uint16_t>(rows, x, y) = static_cast<std::uint16_t>(v);
  }
}

// A sample of a plane.
__device__ __forceinline__ int sample_at(const DepthFilterArguments& a, int x, int y) {
  return *samples_at<std::uint16_t>(a.in, x, y);
}

// True where whole eights, or pairs, of samples are aligned.
__device__ __forceinline__ bool has_eights(const DepthRows& rows) {
  return rows.sample_bytes == 1 ? is_wide<std::uint8_t>(rows.data, rows.pitch)
                                : is_wide<std::uint16_t>(rows.data, rows.pitch);
}
__device__ __forceinline__ bool has_pairs(const DepthRows& rows) {
  const auto bits =
      reinterpret_cast<std::uintptr_t>(rows.data) | static_cast<std::uintptr_t>(rows.pitch);
  return rows.sample_bytes == 2 && bits % 4 == 0;
}

// Eight samples of a row, two in a word.
using Eight = Wide<std::uint16_t>;

// Eight raw samples from column x on, a multiple of 8. Outside of the frame, in x or y, they are 0.
__device__ __forceinline__ Eight read_eight(const DepthRows& rows, bool eights, int x, int y,
                                            int width, int height) {
  if (x < 0 || y < 0 || y >= height) return {};
  if (!eights || x + kWide > width) {
    Eight eight{};
#pragma unroll
    for (int i = 0; i < kWide; ++i) {
      if (x + i < width) eight.words[i / 2] |= raw_sample(rows, x + i, y) << (i % 2 * 16);
    }
    return eight;
  }
  if (rows.sample_bytes == 2) {
    const auto v = *reinterpret_cast<const uint4*>(samples_at<std::uint16_t>(rows, x, y));
    return {{v.x, v.y, v.z, v.w}};
  }
  const auto v = *reinterpret_cast<const uint2*>(samples_at<std::uint8_t>(rows, x, y));
  return {{__byte_perm(v.x, 0, 0x4140), __byte_perm(v.x, 0, 0x4342), __byte_perm(v.y, 0, 0x4140),
           __byte_perm(v.y, 0, 0x4342)}};
}

// Sets samples outside of the range to 0; returns how many.
__device__ __forceinline__ unsigned apply_range(const DepthFilterArguments& a, Eight* eight) {
  unsigned removed = 0;
  if (!a.has_range) return removed;
#pragma unroll
  for (unsigned& pair : eight->words) {
    const unsigned first = pair & 0xFFFF, second = pair >> 16;
    const bool drops_first = first - a.known_first > a.known_span;
    const bool drops_second = second - a.known_first > a.known_span;
    pair = (drops_first ? 0 : first) | (drops_second ? 0 : second << 16);
    removed += (drops_first && first != 0 ? 1U : 0U) + (drops_second && second != 0 ? 1U : 0U);
  }
  return removed;
}

// Two neighbouring samples in a word; x is even, and `pairs` says that pairs are aligned.
__device__ __forceinline__ void write_pair(const DepthRows& rows, bool pairs, int x, int y,
                                           int width, unsigned pair) {
  if (pairs && x + 1 < width) {
    *reinterpret_cast<unsigned*>(samples_at<std::uint16_t>(rows, x, y)) = pair;
    return;
  }
  write_sample(rows, x, y, pair & 0xFFFF);
  if (x + 1 < width) write_sample(rows, x + 1, y, pair >> 16);
}

// A tile of samples after the range, with kReach rows above and below and eight columns at either
// side; 0 outside of the frame.
constexpr int kTileBorder = kWide;
constexpr int kTileStride = kDepthColumns + 2 * kTileBorder;
template <int kRows, int kReach>
struct DepthTile {
  static constexpr int kHeight = kRows + 2 * kReach;
  std::uint16_t samples[kHeight * kTileStride];

  // Index of pixel (x, y) in `samples`; the block's first pixel is (0, 0).
  __device__ static int place(int x, int y) { return (y + kReach) * kTileStride + x + kTileBorder; }
  // Pixels x, which is even, and x + 1.
  __device__ unsigned pair(int at) const {
    return *reinterpret_cast<const unsigned*>(samples + at);
  }
};

// Loads the block's tile, whose first pixel is (x0, y0), by all threads. Returns how many samples
// of the block the range has removed, for this thread.
template <int kRows, int kReach>
__device__ __forceinline__ unsigned load_tile(const DepthFilterArguments& a, int x0, int y0,
                                              DepthTile<kRows, kReach>* tile) {
  constexpr int kHeight = DepthTile<kRows, kReach>::kHeight;
  constexpr int kOfRow = kTileStride / kWide;
  const bool eights = has_eights(a.in);
  unsigned removed = 0;
#pragma unroll
  for (int first = 0; first < kOfRow * kHeight; first += kDepthThreads) {
    const int i = first + static_cast<int>(threadIdx.x);
    const int row = i / kOfRow, of_row = i % kOfRow;
    if (row >= kHeight) break;
    Eight eight =
        read_eight(a.in, eights, x0 + kWide * (of_row - 1), y0 + row - kReach, a.width, a.height);
    const unsigned count = apply_range(a, &eight);
    const bool own = of_row > 0 && of_row < kOfRow - 1 && row >= kReach && row < kReach + kRows;
    if (own) removed += count;
    *reinterpret_cast<Eight*>(tile->samples + kWide * i) = eight;
  }
  __syncthreads();
  return removed;
}

// Adds the counts of a block's threads. The last block of the last kernel writes all counts to
// page-locked memory.
template <int kPlaces>
__device__ __forceinline__ void add_counts(const DepthFilterArguments& a,
                                           const DepthCount (&places)[kPlaces],
                                           const unsigned (&counts)[kPlaces]) {
  __shared__ unsigned of_block[kPlaces];
  if (threadIdx.x < kPlaces) of_block[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kPlaces; ++i) {
    const unsigned sum = warp_sum(counts[i]);
    if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(&of_block[i], sum);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
#pragma unroll
  for (int i = 0; i < kPlaces; ++i) {
    if (of_block[i] != 0) {
      atomicAdd(&a.counters[places[i]], static_cast<unsigned long long>(of_block[i]));
    }
  }
  if (a.counts == nullptr) return;
  __threadfence();
  const unsigned long long blocks = static_cast<unsigned long long>(gridDim.x) * gridDim.y;
  if (atomicAdd(&a.counters[kDepthCounts], 1ULL) + 1 != blocks) return;
  // All other blocks have added their counts.
  __threadfence();
#pragma unroll
  for (int i = 0; i < kDepthCounts; ++i) a.counts[i] = atomicAdd(&a.counters[i], 0ULL);
  atomicExch(&a.counters[kDepthCounts], 0ULL);
}

}  // namespace rdp::cuda

// Three blocks of a multiprocessor leave every kernel the registers that it needs.
#define RDP_DEPTH_KERNEL(name, function)                                    \
  extern "C" __global__ void __launch_bounds__(rdp::cuda::kDepthThreads, 3) \
      rdp_depth_##name(const rdp::cuda::DepthFilterArguments a) {           \
    rdp::cuda::function(a);                                                 \
  }

#endif  // RDP_KERNELS_DEPTHFILTER_DEPTH_ROWS_CUH_
