// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_FIT_WARP_MEMORY_CUH_
#define RDP_KERNELS_RDP_FIT_WARP_MEMORY_CUH_

#include "kernels/rdp/fit_warp_layout.h"
#include "kernels/rdp/fit_warp_sums.cuh"

// The arrays of a column that one warp fits.
namespace rdp::cuda {

// The bit of a row in starts() with which a run of samples begins.
constexpr unsigned kBeginsRun = 0x8000;

// The arrays of FitWarpScratch and FitWarpLines.
struct FitWarpMemory {
  unsigned char* scratch;
  unsigned char* lines;
  std::uint64_t runs;  // a bit for each piece that begins a run; none of them without max_gap

  template <typename T>
  __device__ __forceinline__ T* at_scratch(int offset) const {
    return reinterpret_cast<T*>(scratch + offset);
  }
  template <typename T>
  __device__ __forceinline__ T* at_lines(int offset) const {
    return reinterpret_cast<T*>(lines + offset);
  }
  __device__ __forceinline__ std::uint16_t* starts() const {
    return at_scratch<std::uint16_t>(FitWarpScratch::kStarts);
  }
  __device__ __forceinline__ std::uint16_t* lasts() const {
    return at_scratch<std::uint16_t>(FitWarpScratch::kLasts);
  }
  __device__ __forceinline__ std::uint8_t* segments() const {
    return at_scratch<std::uint8_t>(FitWarpScratch::kSegments);
  }
  __device__ __forceinline__ std::uint8_t* joined() const {
    return at_scratch<std::uint8_t>(FitWarpScratch::kJoined);
  }
  __device__ __forceinline__ std::uint8_t* kept() const {
    return at_scratch<std::uint8_t>(FitWarpScratch::kKept);
  }
  __device__ __forceinline__ float* errors() const {
    return at_scratch<float>(FitWarpScratch::kErrors);
  }
  // In the place of errors, before there are any and when they are no longer needed.
  __device__ __forceinline__ std::uint16_t* vertex_rows() const {
    return at_scratch<std::uint16_t>(FitWarpScratch::kErrors);
  }
  __device__ __forceinline__ uint4* chunk_sums() const {
    return at_scratch<uint4>(FitWarpScratch::kErrors);
  }
  __device__ __forceinline__ std::uint64_t* square_sums() const {
    return at_scratch<std::uint64_t>(FitWarpScratch::kErrors);
  }
  __device__ __forceinline__ unsigned* result() const {
    return at_scratch<unsigned>(FitWarpScratch::kErrors);
  }
  __device__ __forceinline__ uint4* sums() const { return at_lines<uint4>(FitWarpLines::kSums); }
  __device__ __forceinline__ float4* piece_lines() const {
    return at_lines<float4>(FitWarpLines::kLines);
  }
  __device__ __forceinline__ float2* piece_errors() const {
    return at_lines<float2>(FitWarpLines::kOwnErrors);
  }

  __device__ __forceinline__ int start(int piece) const { return starts()[piece] & ~kBeginsRun; }
  __device__ __forceinline__ void put_sums(int piece, const ColumnSums& s) const {
    sums()[piece] = make_uint4(s.count_rows, s.rows_rows, static_cast<unsigned>(s.values_products),
                               static_cast<unsigned>(s.values_products >> 32));
  }
  __device__ __forceinline__ ColumnSums sums_before(int piece) const {
    const uint4 v = sums()[piece];
    return {v.x, v.y, static_cast<std::uint64_t>(v.w) << 32 | v.z};
  }

  // Functions for the merge: see fit_merge.cuh.
  static constexpr int kUnrolled = 2;
  __device__ __forceinline__ Piece piece(int p, float truncation2) const {
    const float4 l = piece_lines()[p];
    const float2 e = piece_errors()[p];
    return {{l.x, l.y, l.z}, e.y, l.w, e.x, e.y * truncation2};
  }
  __device__ __forceinline__ EndRange ends_of(const FittedLine& line, int first, int end) const {
    return {line, start(first), static_cast<int>(lasts()[end - 1])};
  }
  __device__ __forceinline__ SampleSums sums_of(int first, int end) const {
    return (sums_before(end) - sums_before(first)).unpack();
  }
  __device__ __forceinline__ bool begins_run(int piece) const { return (runs >> piece & 1) != 0; }
  __device__ __forceinline__ bool crosses_runs(int first, int end) const {
    return (runs >> first >> 1 & ((std::uint64_t{1} << (end - first - 1)) - 1)) != 0;
  }
};
// While the sums are made: three of four chunks of each word.
static_assert(kFitWarpRows / 32 * 3 * 16 <= FitWarpScratch::kStarts);
static_assert((kFitWarpPieces + 1) * 8 <= FitWarpScratch::kStarts);
static_assert(kFitWarpPieces * 12 <= FitWarpScratch::kStarts);

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_FIT_WARP_MEMORY_CUH_
