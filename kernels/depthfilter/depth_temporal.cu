// SPDX-License-Identifier: LGPL-2.1-or-later
// The temporal step. A block finds the differences from the means in its tile and a margin, and
// adds them along rows. Then each thread adds these along a column.
#include <cstdint>

#include "kernels/depthfilter/depth_rows.cuh"
#include "kernels/primitives/grid_order.cuh"

namespace rdp::cuda {
namespace {

constexpr int kReach = 3;
using Tile = DepthTile<kTemporalRows, kReach>;
constexpr int kMotionColumns = kDepthColumns + 2 * kReach;

struct Motion {
  // 4 * the difference of a pixel, which is at most its tolerance; 1 where the sample and the mean
  // are known, and 2 more where it has moved.
  int differences[Tile::kHeight][kMotionColumns];
  int sums[Tile::kHeight][kDepthColumns];  // of seven differences
  std::uint8_t counts[Tile::kHeight][kDepthColumns];
};

// Differences are less than 2^24: a larger tolerance lets all of them through.
__device__ __forceinline__ int tolerance_of_means(int c, const filter::Tolerance& tolerance) {
  return static_cast<int>(256 * tolerance_at(static_cast<unsigned>(c), tolerance));
}

__device__ __forceinline__ std::int64_t state_place(const DepthFilterArguments& a, int x, int y) {
  return static_cast<std::int64_t>(y) * a.width + x;
}

__device__ void find_motion(const DepthFilterArguments& a, int x0, int y0, const Tile& tile,
                            Motion* motion) {
  for (int i = static_cast<int>(threadIdx.x); i < Tile::kHeight * kMotionColumns;
       i += kDepthThreads) {
    const int column = i % kMotionColumns - kReach, row = i / kMotionColumns - kReach;
    const int c = tile.samples[Tile::place(column, row)];
    // Samples outside of the frame are 0.
    const int mean =
        c == 0 ? 0 : static_cast<int>(a.old_state[state_place(a, x0 + column, y0 + row)] >> 8);
    int word = 0;
    if (mean != 0) {
      const int most = tolerance_of_means(c, a.tolerance);
      const int difference = 256 * c - mean;
      word = 4 * min(max(difference, -most), most) + (abs(difference) > most ? 3 : 1);
    }
    motion->differences[row + kReach][column + kReach] = word;
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < Tile::kHeight * kDepthColumns;
       i += kDepthThreads) {
    const int column = i % kDepthColumns, row = i / kDepthColumns;
    int sum = 0, count = 0;
#pragma unroll
    for (int d = 0; d <= 2 * kReach; ++d) {
      const int word = motion->differences[row][column + d];
      sum += word >> 2;
      count += word & 1;
    }
    motion->sums[row][column] = sum;
    motion->counts[row][column] = static_cast<std::uint8_t>(count);
  }
  __syncthreads();
}

// True if the pixels around an unknown one let its mean, `old` as a sample, fill it.
__device__ __forceinline__ bool may_fill(const DepthFilterArguments& a, const Tile& tile,
                                         const Motion& motion, int column, int row, int old) {
  const int tau = static_cast<int>(tolerance_at(static_cast<unsigned>(old), a.tolerance));
  int alike = 0;
  for (int j = row - 1; j <= row + 1; ++j) {
    for (int i = column - 1; i <= column + 1; ++i) {
      if ((motion.differences[j + kReach][i + kReach] & 2) != 0) return false;
      const int c = tile.samples[Tile::place(i, j)];
      alike += c != 0 && abs(c - old) <= tau ? 1 : 0;
    }
  }
  return alike >= 2;
}

__device__ void temporal(const DepthFilterArguments& a) {
  pdl_wait_and_trigger();
  __shared__ __align__(16) Tile tile;
  __shared__ Motion motion;
  const int x0 = static_cast<int>(blockIdx.x) * kDepthColumns;
  const int y0 = static_cast<int>(blockIdx.y) * kTemporalRows;
  load_tile(a, x0, y0, &tile);
  const bool checks = a.motion_check && a.old_state != nullptr;
  if (checks) find_motion(a, x0, y0, tile, &motion);
  constexpr int kRowsOfThread = kTemporalRows * kDepthColumns / kDepthThreads;
  const int column = static_cast<int>(threadIdx.x) % kDepthColumns;
  const int row = static_cast<int>(threadIdx.x) / kDepthColumns * kRowsOfThread;
  const int x = x0 + column;
  unsigned changed = 0, filled = 0;
  for (int i = row; i < row + kRowsOfThread; ++i) {
    const int y = y0 + i;
    if (x >= a.width || y >= a.height) break;
    const std::int64_t place = state_place(a, x, y);
    const std::uint32_t state = a.old_state != nullptr ? a.old_state[place] : 0;
    const int c = tile.samples[Tile::place(column, i)];
    int mean = static_cast<int>(state >> 8), out = c;
    unsigned history = state & 0xFF;
    const int most = tolerance_of_means(c, a.tolerance);
    bool still = c != 0 && mean != 0 && abs(256 * c - mean) <= most;
    if (still && checks) {
      int sum = 0;
      unsigned count = 0;
#pragma unroll
      for (int d = 0; d <= 2 * kReach; ++d) {
        sum += motion.sums[i + d][column];
        count += motion.counts[i + d][column];
      }
      // Both are less than 49 * 2^26, which is less than 2^32.
      still = 4U * static_cast<unsigned>(abs(sum)) <= count * static_cast<unsigned>(most);
    }
    if (still) {
      const int w = min(__popc(history), a.temporal_frames - 1);
      mean = (mean * w + 256 * c + (w + 1) / 2) / (w + 1);
      history = (2 * history & 0xFF) | 1;
      out = (mean + 128) / 256;
    } else if (c != 0) {
      mean = 256 * c;
      history = 1;
    } else {
      const int old = (mean + 128) / 256;
      const bool allowed = __popc(history & a.history.mask) >= a.history.least;
      if (mean != 0 && allowed && (!checks || may_fill(a, tile, motion, column, i, old))) out = old;
      history = 2 * history & 0xFF;
      if (history == 0 && !a.keeps_state) mean = 0;
    }
    a.new_state[place] = static_cast<std::uint32_t>(mean) << 8 | history;
    write_sample(a.out, x, y, static_cast<unsigned>(out));
    filled += c == 0 && out != 0 ? 1U : 0U;
    changed += c != 0 && out != c ? 1U : 0U;
  }
  add_counts(a, {kTemporalChanged, kTemporalFilled}, {changed, filled});
}

}  // namespace
}  // namespace rdp::cuda

RDP_DEPTH_KERNEL(temporal, temporal)
