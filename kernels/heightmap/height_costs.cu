// SPDX-License-Identifier: LGPL-2.1-or-later
// What labels cost, for a band of rows: first by how many bits the census differs at each plane,
// then the sums of windows. A window that stands upright takes, at its pixel q, the label
// l + F(q) - F(p), where F is the potential and p its middle. In coordinates j = l - F(p) that is
// j + F(q) for all windows: a plain box.
#include <cstdint>

#include "common/heightmap/rules.h"
#include "kernels/heightmap/height_arguments.h"
#include "kernels/heightmap/places.cuh"
#include "kernels/primitives/pairs.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

using heightmap::clamp_to;

// By how many bits the census of a pixel differs from what another view shows of planes.
struct Bits {
  const HeightCostArguments& a;
  const HeightSight& sight;
  Places places;
  std::uint32_t census;  // of the pixel

  __device__ std::uint32_t at(std::int32_t place) const {
    if (place == heightmap::kOutside) return heightmap::kOutsideBits;
    return static_cast<std::uint32_t>(__popc(census ^ __ldg(sight.census + place)));
  }
  // Of planes [first, end), the first one in the lowest byte; those behind are as the last one.
  __device__ std::uint32_t of_word(int first, int end) const {
    std::uint32_t word = 0, unsure = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (first + i >= end) break;
      const std::int32_t place = places.roughly(a.planes[first + i]);
      if (place == Places::kUnsure) {
        unsure |= 1U << i;
      } else {
        word |= at(place) << (8 * i);
      }
    }
    for (; unsure != 0; unsure &= unsure - 1) {
      const int i = __ffs(static_cast<int>(unsure)) - 1;
      word |= at(places.exactly(a.planes[first + i])) << (8 * i);
    }
    const int count = end - first;
    if (count >= 4) return word;
    const std::uint32_t last = word >> (8 * (count - 1));
    return word | (last * 0x01010101U) << (8 * (count - 1));
  }
};

__device__ void find_differences(const HeightCostArguments& a) {
  const int x = static_cast<int>(blockIdx.x * kHeightDifferencesThreads + threadIdx.x);
  const int y = a.bits.first_row + static_cast<int>(blockIdx.y);
  if (x >= a.layout.width) return;
  const HeightSight& sight = a.sights[blockIdx.z];
  const Bits bits{a, sight, Places(sight, a.horizon, a.highest, x, y),
                  __ldg(a.picture.census + static_cast<std::int64_t>(y) * a.layout.width + x)};
  std::uint32_t* out = a.bits.words + blockIdx.z * a.bits.view_stride +
                       static_cast<std::int64_t>(blockIdx.y) * a.layout.width + x;
  const auto store = [&](std::uint32_t word) {
    *out = word;
    out += a.bits.plane_stride;
  };
  if (a.with_labels != 0) {
    const int heights = a.layout.heights;
    std::uint32_t word = 0;
    for (int first = 0; first < heights; first += 4) {
      word = bits.of_word(first, heights);
      if (first == 0) store(__byte_perm(word, 0, 0));
      store(word);
    }
    store(__byte_perm(word, 0, 0x3333));
  }
  for (int first = a.first_low; first < a.end_low; first += 4) {
    store(bits.of_word(a.layout.heights + first, a.layout.heights + a.end_low));
  }
}

// Sums of four planes: of the first and the third in the halves of a word, and of the others.
struct Sums {
  std::uint32_t even, odd;

  __device__ void add(std::uint32_t bytes) {
    even += bytes & 0x00FF00FFU;
    odd += bytes >> 8 & 0x00FF00FFU;
  }
  __device__ int operator[](int i) const {
    return static_cast<int>((i % 2 == 0 ? even : odd) >> (i / 2 * 16) & 0xFFFFU);
  }
};

constexpr int kMostReach = kMostHeightWindow / 2;
constexpr int kSumColumns = kHeightCostColumns + 2 * kMostReach;
constexpr int kSumRows = kHeightCostRows + 2 * kMostReach;
// Threads that go down columns have some rows each, for all columns.
constexpr int kColumnThreads = 64;
constexpr int kStripRows = kHeightCostRows * kColumnThreads / kHeightCostThreads;
static_assert(kSumColumns <= kColumnThreads);
// Rows of pixels that a block's threads have at a time, and how often they have some.
constexpr int kRowsAtOnce = kHeightCostThreads / kHeightCostColumns;
constexpr int kTurns = kHeightCostRows / kRowsAtOnce;

struct CostBlock {
  int potential[kSumRows][kSumColumns];  // with what is around the block
  Sums columns[2][kHeightCostRows][kSumColumns];
  int least, most;  // potential of the pixels
};

// The sums of windows, and their least of all views.
struct WindowSums {
  Sums all[kTurns];
  Sums least[kTurns];
};

// A part of the picture: what its windows sum up.
class Windows {
 public:
  __device__ Windows(const HeightCostArguments& a, CostBlock* block)
      : a_(a),
        block_(*block),
        reach_(a.window / 2),
        left_(static_cast<int>(blockIdx.x) * kHeightCostColumns),
        top_(a.first_row + static_cast<int>(blockIdx.y) * kHeightCostRows),
        thread_(static_cast<int>(threadIdx.x)) {}

  // The potential, with what is around the block, and its range.
  __device__ void load() {
    if (thread_ == 0) {
      block_.least = INT32_MAX;
      block_.most = INT32_MIN;
    }
    for (int i = thread_; i < kSumRows * kSumColumns; i += kHeightCostThreads) {
      const int row = i / kSumColumns, column = i % kSumColumns;
      block_.potential[row][column] =
          __ldg(a_.potential + static_cast<std::int64_t>(row_at(row)) * a_.layout.width +
                column_at(column));
    }
    __syncthreads();
    int least = INT32_MAX, most = INT32_MIN;
    for (int turn = 0; turn < kTurns; ++turn) {
      if (!has(turn)) continue;
      least = min(least, potential(turn));
      most = max(most, potential(turn));
    }
    least = warp_min(least);
    most = warp_max(most);
    if (thread_ % 32 == 0) {
      atomicMin(&block_.least, least);
      atomicMax(&block_.most, most);
    }
    __syncthreads();
  }

  __device__ int row(int turn) const { return thread_ / kHeightCostColumns + turn * kRowsAtOnce; }
  __device__ int column() const { return thread_ % kHeightCostColumns; }
  __device__ int y(int turn) const { return top_ + row(turn); }
  __device__ int x() const { return left_ + column(); }
  __device__ bool has(int turn) const { return x() < a_.layout.width && y(turn) < a_.end_row; }
  __device__ int potential(int turn) const {
    return block_.potential[row(turn) + reach_][column() + reach_];
  }
  // Those coordinates j that some pixel needs.
  __device__ int first() const { return -block_.most; }
  __device__ int end() const { return a_.layout.heights - block_.least; }

  // Sums of four planes in the windows of all pixels. word_of(rows, row, column): the bits of a
  // pixel, by rows of words. All threads of the block take part.
  template <typename WordOf>
  __device__ WindowSums sum(const WordOf& word_of) {
    WindowSums result;
    for (int view = 0; view < a_.views; ++view) {
      sum_columns(a_.bits.words + view * a_.bits.view_stride, word_of);
      __syncthreads();
      for (int turn = 0; turn < kTurns; ++turn) {
        Sums sums{0, 0};
        for (int i = 0; i < a_.window; ++i) {
          const Sums& next = block_.columns[turn_][row(turn)][column() + i];
          sums.even += next.even;
          sums.odd += next.odd;
        }
        Sums& all = result.all[turn];
        Sums& least = result.least[turn];
        if (view == 0) {
          all = least = sums;
        } else {
          all = {all.even + sums.even, all.odd + sums.odd};
          least = {smaller_pair(least.even, sums.even), smaller_pair(least.odd, sums.odd)};
        }
      }
      turn_ ^= 1;  // so that nobody waits until these have been read
    }
    return result;
  }

  __device__ int cost(const WindowSums& sums, int turn, int plane) const {
    return heightmap::window_cost(sums.all[turn][plane], sums.least[turn][plane], a_.views,
                                  a_.window * a_.window);
  }

 private:
  // In the picture, of a row and a column of the block's sums.
  __device__ int row_at(int row) const {
    return clamp_to(top_ + row - reach_, a_.bits.first_row, a_.bits.end_row - 1);
  }
  __device__ int column_at(int column) const {
    return clamp_to(left_ + column - reach_, 0, a_.layout.width - 1);
  }

  template <typename WordOf>
  __device__ void sum_columns(const std::uint32_t* words, const WordOf& word_of) {
    const int column = thread_ % kColumnThreads;
    const int first = thread_ / kColumnThreads * kStripRows;
    if (column >= kHeightCostColumns + 2 * reach_) return;
    words += column_at(column);
    Sums sums[kStripRows] = {};
    for (int i = 0; i < kStripRows + 2 * reach_; ++i) {
      const int row = first + i;
      const std::uint32_t bytes = word_of(
          words + static_cast<std::int64_t>(row_at(row) - a_.bits.first_row) * a_.layout.width, row,
          column);
#pragma unroll
      for (int k = 0; k < kStripRows; ++k) {
        if (i >= k && i - k < a_.window) sums[k].add(bytes);
      }
    }
#pragma unroll
    for (int k = 0; k < kStripRows; ++k) block_.columns[turn_][first + k][column] = sums[k];
  }

  const HeightCostArguments& a_;
  CostBlock& block_;
  const int reach_;
  const int left_, top_;
  const int thread_;
  int turn_ = 0;
};

__device__ unsigned char* costs_of(const HeightCostArguments& a, int x, int y) {
  return ((x + y) & 1) == 0 ? a.costs[0] + a.layout.costs(y, x >> 1)
                            : a.costs[1] + a.layout.costs(y, x >> 1);
}
__device__ unsigned char* cost_of_unknown(const HeightCostArguments& a, int x, int y) {
  return costs_of(a, x, y) + BeliefLayout::word(a.layout.words) + BeliefLayout::kUnknownByte;
}

__device__ void find_label_costs(const HeightCostArguments& a, Windows* windows,
                                 const CostBlock& block) {
  const int last_word = (a.layout.heights + 3) / 4 + 1;  // has the last label in all bytes
  for (int j = windows->first(); j < windows->end(); j += 4) {
    const auto word_of = [&](const std::uint32_t* words, int row, int column) {
      const int from = clamp_to(j + block.potential[row][column], -4, 4 * (last_word - 1)) + 4;
      const int word = from >> 2;
      return __funnelshift_r(__ldg(words + word * a.bits.plane_stride),
                             __ldg(words + min(word + 1, last_word) * a.bits.plane_stride),
                             static_cast<unsigned>(from & 3) * 8);
    };
    const WindowSums sums = windows->sum(word_of);
    for (int turn = 0; turn < kTurns; ++turn) {
      if (!windows->has(turn)) continue;
      unsigned char* const costs = costs_of(a, windows->x(), windows->y(turn));
      for (int i = 0; i < 4; ++i) {
        const int label = j + i + windows->potential(turn);
        if (label < 0 || label >= a.layout.heights) continue;
        costs[BeliefLayout::word(label >> 2) + (label & 3)] =
            static_cast<unsigned char>(windows->cost(sums, turn, i));
      }
    }
  }
}

// Whether all pixels up to `reach` columns and rows away are of one grey level. Nearly all threads
// see after a few pixels that they are not.
__device__ bool is_plain(const HeightPicture& picture, int x, int y, int reach) {
  const unsigned char grey = __ldg(picture.samples + y * picture.pitch + x);
  const int left = max(x - reach, 0), right = min(x + reach, picture.width - 1);
  const int bottom = min(y + reach, picture.height - 1);
  for (int row = max(y - reach, 0); row <= bottom; ++row) {
    const unsigned char* const samples = picture.samples + row * picture.pitch;
    for (int column = left; column <= right; ++column) {
      if (__ldg(samples + column) != grey) return false;
    }
  }
  return true;
}

// What costs are where the picture is plain; those of the labels have been written by this thread.
__device__ int settle_plain(const HeightCostArguments& a, int x, int y, int unknown) {
  unsigned char* const costs = costs_of(a, x, y);
  int least = heightmap::kMostCost;
  for (int label = 0; label < a.layout.heights; ++label) {
    unsigned char* const cost = costs + BeliefLayout::word(label >> 2) + (label & 3);
    const unsigned char settled = max(*cost, heightmap::kPlainCost);
    *cost = settled;
    least = min(least, static_cast<int>(settled));
  }
  return heightmap::plain_unknown_cost(unknown, least);
}

__device__ void find_costs_of_unknown(const HeightCostArguments& a, Windows* windows) {
  int low[kTurns];
  for (int turn = 0; turn < kTurns; ++turn) {
    low[turn] = heightmap::kMostCost + 1;
    if (a.first_low > 0 && windows->has(turn)) {
      low[turn] = *cost_of_unknown(a, windows->x(), windows->y(turn));
    }
  }
  const int before = a.with_labels != 0 ? (a.layout.heights + 3) / 4 + 2 : 0;
  for (int first = a.first_low; first < a.end_low; first += 4) {
    const std::int64_t word = before + (first - a.first_low) / 4;
    const WindowSums sums = windows->sum([&](const std::uint32_t* words, int, int) {
      return __ldg(words + word * a.bits.plane_stride);
    });
    for (int turn = 0; turn < kTurns; ++turn) {
      for (int i = 0; i < 4; ++i) low[turn] = min(low[turn], windows->cost(sums, turn, i));
    }
  }
  for (int turn = 0; turn < kTurns; ++turn) {
    if (!windows->has(turn)) continue;
    const int x = windows->x(), y = windows->y(turn);
    int cost = low[turn];
    if (a.end_low == a.lows) {
      cost = heightmap::unknown_cost(cost, a.constant, a.bias);
      if (is_plain(a.picture, x, y, heightmap::plain_reach(a.window))) {
        cost = settle_plain(a, x, y, cost);
      }
    }
    *cost_of_unknown(a, x, y) = static_cast<unsigned char>(cost);
  }
}

__device__ void find_costs(const HeightCostArguments& a) {
  __shared__ CostBlock block;
  Windows windows(a, &block);
  windows.load();
  if (a.with_labels != 0) find_label_costs(a, &windows, block);
  find_costs_of_unknown(a, &windows);
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kHeightDifferencesThreads)
    rdp_height_differences(const rdp::cuda::HeightCostArguments a) {
  rdp::cuda::find_differences(a);
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kHeightCostThreads, 4)
    rdp_height_costs(const rdp::cuda::HeightCostArguments a) {
  rdp::cuda::find_costs(a);
}
