// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_HEIGHTMAP_WINDOWS_CUH_
#define RDP_KERNELS_HEIGHTMAP_WINDOWS_CUH_

#include <cstdint>

#include "common/heightmap/rules.h"
#include "kernels/heightmap/height_arguments.h"
#include "kernels/primitives/pairs.cuh"
#include "kernels/primitives/warp.cuh"

// Sums of windows, of four planes at a time.
namespace rdp::cuda {

// Sums of four planes, in halves of words: planes 0 and 2 in `even`, 1 and 3 in `odd`.
struct PlaneSums {
  std::uint32_t even, odd;

  __device__ __forceinline__ int operator[](int i) const {
    return static_cast<int>((i % 2 == 0 ? even : odd) >> (i / 2 * 16) & 0xFFFFU);
  }
};
// Four planes of a byte each as PlaneSums.
__device__ __forceinline__ PlaneSums planes_of(std::uint32_t bytes) {
  return {bytes & 0x00FF00FFU, bytes >> 8 & 0x00FF00FFU};
}

// Neighbouring pixels of a row for one thread.
constexpr int kWindowPixels = 4;
static_assert(kHeightCostColumns / kWindowPixels * kHeightCostRows == kHeightCostThreads);

// Sums of all views.
struct WindowSums {
  PlaneSums all[kWindowPixels];
  PlaneSums least[kWindowPixels];
};

// A block's part of the image. First each thread runs down a strip of a column with running sums.
// Then it adds the column sums in the windows of its pixels.
template <int kWindow>
class Windows {
  static constexpr int kReach = kWindow / 2;
  static constexpr int kColumns = kHeightCostColumns + 2 * kReach;
  static constexpr int kRows = kHeightCostRows + 2 * kReach;
  static constexpr int kStripRows = 8;
  static constexpr int kStrips = kHeightCostRows / kStripRows;
  static_assert(kStrips * kColumns <= kHeightCostThreads);
  // Reads of a thread in a row of sums, four words each, and words in a row.
  static constexpr int kReads = (kWindowPixels + 2 * kReach + 3) / 4;
  static constexpr int kStride = kHeightCostColumns + 4 * (kReads - 1);

 public:
  struct Memory {
    // Sums of columns, double-buffered: a late thread may still read the previous ones.
    alignas(16) std::uint32_t even[2][kHeightCostRows][kStride];
    alignas(16) std::uint32_t odd[2][kHeightCostRows][kStride];
    int potential[kRows][kColumns];  // with a margin around the part
    int rows[kRows];                 // offset of their first column's words
    int least, most;                 // potential of its pixels
  };

  __device__ Windows(const HeightCostArguments& a, Memory* memory)
      : a_(a),
        memory_(*memory),
        left_(static_cast<int>(blockIdx.x) * kHeightCostColumns),
        top_(a.first_row + static_cast<int>(blockIdx.y) * kHeightCostRows),
        thread_(static_cast<int>(threadIdx.x)) {}

  // The potential, and its range.
  __device__ void load() {
    if (thread_ == 0) {
      memory_.least = INT32_MAX;
      memory_.most = INT32_MIN;
    }
    for (int i = thread_; i < kRows; i += kHeightCostThreads) {
      memory_.rows[i] = (row_at(i) - a_.bits.first_row) * a_.layout.width;
    }
    for (int i = thread_; i < kRows * kColumns; i += kHeightCostThreads) {
      const int row = i / kColumns, column = i % kColumns;
      memory_.potential[row][column] =
          __ldg(a_.potential + static_cast<std::int64_t>(row_at(row)) * a_.layout.width +
                column_at(column));
    }
    __syncthreads();
    int least = INT32_MAX, most = INT32_MIN;
    for (int pixel = 0; pixel < kWindowPixels; ++pixel) {
      if (!has(pixel)) continue;
      least = min(least, potential(pixel));
      most = max(most, potential(pixel));
    }
    least = warp_min(least);
    most = warp_max(most);
    if (thread_ % 32 == 0) {
      atomicMin(&memory_.least, least);
      atomicMax(&memory_.most, most);
    }
    __syncthreads();
  }

  __device__ int y() const { return top_ + row(); }
  __device__ int x(int pixel) const { return left_ + column() + pixel; }
  __device__ bool has(int pixel) const { return x(pixel) < a_.layout.width && y() < a_.end_row; }
  __device__ int potential(int pixel) const {
    return memory_.potential[row() + kReach][column() + pixel + kReach];
  }
  // The coordinates j that some pixel needs.
  __device__ int first() const { return -memory_.most; }
  __device__ int end() const { return a_.layout.heights - memory_.least; }

  // Sums of four planes. word_of(words, offset, row, column): the bits of a pixel, whose first word
  // is words[offset], and which is at this row and column of the potential in the memory. All
  // threads of the block take part.
  template <typename WordOf>
  __device__ __forceinline__ WindowSums sum(const WordOf& word_of) {
    WindowSums result;
    for (int view = 0; view < a_.views; ++view) {
      sum_columns(a_.bits.words + view * a_.bits.view_stride, word_of);
      __syncthreads();
      std::uint32_t even[kWindowPixels], odd[kWindowPixels];
      sum_row(memory_.even[turn_][row()] + column(), even);
      sum_row(memory_.odd[turn_][row()] + column(), odd);
      turn_ ^= 1;
#pragma unroll
      for (int i = 0; i < kWindowPixels; ++i) {
        PlaneSums& all = result.all[i];
        PlaneSums& least = result.least[i];
        if (view == 0) {
          all = least = {even[i], odd[i]};
        } else {
          all = {all.even + even[i], all.odd + odd[i]};
          least = {smaller_pair(least.even, even[i]), smaller_pair(least.odd, odd[i])};
        }
      }
    }
    return result;
  }

  // heightmap::window_cost(), without its limits, which no sum reaches.
  __device__ __forceinline__ int cost(const WindowSums& sums, int pixel, int plane) const {
    return static_cast<int>(a_.bits_of_windows(static_cast<std::uint32_t>(
        93 * sums.all[pixel][plane] + 31 * a_.views * sums.least[pixel][plane] + a_.half_bits)));
  }

 private:
  __device__ int row() const { return thread_ / (kHeightCostColumns / kWindowPixels); }
  __device__ int column() const {
    return thread_ % (kHeightCostColumns / kWindowPixels) * kWindowPixels;
  }
  // Image row, or column, of a row or column of `potential`.
  __device__ int row_at(int row) const {
    return heightmap::clamp_to(top_ + row - kReach, a_.bits.first_row, a_.bits.end_row - 1);
  }
  __device__ int column_at(int column) const {
    return heightmap::clamp_to(left_ + column - kReach, 0, a_.layout.width - 1);
  }

  template <typename WordOf>
  __device__ __forceinline__ void sum_columns(const std::uint32_t* words, const WordOf& word_of) {
    if (thread_ >= kStrips * kColumns) return;
    const int column = thread_ % kColumns;
    const int first = thread_ / kColumns * kStripRows;
    std::uint32_t bytes[kStripRows + 2 * kReach];
#pragma unroll
    for (int i = 0; i < kStripRows + 2 * kReach; ++i) {
      const int offset = memory_.rows[first + i] + column_at(column);
      bytes[i] = word_of(words, offset, first + i, column);
    }
    PlaneSums sums{0, 0};
#pragma unroll
    for (int i = 0; i < kStripRows + 2 * kReach; ++i) {
      const PlaneSums below = planes_of(bytes[i]);
      sums = {sums.even + below.even, sums.odd + below.odd};
      const int k = i - 2 * kReach;
      if (k < 0) continue;
      memory_.even[turn_][first + k][column] = sums.even;
      memory_.odd[turn_][first + k][column] = sums.odd;
      const PlaneSums above = planes_of(bytes[k]);
      sums = {sums.even - above.even, sums.odd - above.odd};
    }
  }

  // Sums of neighbouring pixels, from the sums of the columns of the first one's window on.
  __device__ __forceinline__ static void sum_row(const std::uint32_t* columns,
                                                 std::uint32_t (&sums)[kWindowPixels]) {
    std::uint32_t read[4 * kReads];
#pragma unroll
    for (int i = 0; i < kReads; ++i) {
      const uint4 four = reinterpret_cast<const uint4*>(columns)[i];
      read[4 * i] = four.x;
      read[4 * i + 1] = four.y;
      read[4 * i + 2] = four.z;
      read[4 * i + 3] = four.w;
    }
    std::uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < kWindow; ++i) sum += read[i];
    sums[0] = sum;
#pragma unroll
    for (int i = 1; i < kWindowPixels; ++i) {
      sum += read[i + kWindow - 1] - read[i - 1];
      sums[i] = sum;
    }
  }

  const HeightCostArguments& a_;
  Memory& memory_;
  const int left_, top_;
  const int thread_;
  int turn_ = 0;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_HEIGHTMAP_WINDOWS_CUH_
