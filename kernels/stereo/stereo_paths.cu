// SPDX-License-Identifier: LGPL-2.1-or-later
// The paths of semi-global matching. All paths of all directions are in one launch, a warp each.
// Those along rows are the longest chains of steps that wait for each other, so that the first
// blocks take them; all others go from row to row and hide behind them. Costs are made from the
// census words at every step: there is no volume of costs to read. Diagonal paths that leave the
// picture at one side start afresh at the other one, so that all of them are of one length.
#include <cstdint>

#include "kernels/stereo/path_step.cuh"
#include "kernels/stereo/stereo_arguments.h"

namespace rdp::cuda {
namespace {

// Steps that are read ahead by paths that go down or up.
constexpr int kRowsAhead = 4;

__device__ __forceinline__ uint4 load_words(const unsigned char* from) {
  return __ldg(reinterpret_cast<const uint4*>(from));
}
__device__ __forceinline__ void put(uint4 from, std::uint32_t* to) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
  to[3] = from.w;
}
__device__ __forceinline__ const unsigned char* bytes_at(const CensusRows& rows, std::int64_t row,
                                                         int word) {
  return reinterpret_cast<const unsigned char*>(rows.words + row * rows.pitch + word);
}

// The lanes of a warp share the disparities. Disparity d of the pixel in column x compares with the
// right view's column x - min_disparity - d, so that lane 0 reads farthest to the right. With four
// disparities a lane (kWords = 1):
//
//   right view   | 127 … 124 |  …  |  7 6 5 4  |  3 2 1 0  |     d, in the order of the columns
//   lane         |    31     |  …  |     1     |     0     |
//
// A group of four pixels takes kWords + 1 fours. Pixel i takes the words from i + 1 on, of which
// the last is for the lane's first disparity:
//
//   fours        |  0  1  2  3  |  4  5  6  7  |
//   pixel 0         .  1  2  3     4  .  .  .
//   pixel 1         .  .  2  3     4  5  .  .
//   pixel 3         .  .  .  .     4  5  6  7
//
// To the right the next group takes one more four at that end and drops one at the other:
//
//   group 0      ring 0   ring 1   (ring 2 is on its way)
//   group 1      ring 1   ring 2   (ring 0)
//   group 2      ring 2   ring 0   (ring 1)

// Along a row, four pixels at a time: a group. Each lane keeps the right view's words that its
// disparities need, kWords + 1 fours of them for a group, and takes four new ones for each. Fours
// stay in the registers that they were read into: as many groups as there are registers are written
// out one after the other.
//
// Addresses are the same for all lanes but for an offset of 32 bits.
template <int kWords, bool kMasked, bool kBack>
__device__ void along_row(const StereoArguments& a, int row, unsigned char* volume) {
  constexpr int kFours = kWords + 1;  // of a group
  constexpr int kRing = kFours + 1;   // and one that is on its way
  constexpr int kStep = kBack ? -1 : 1;
  const auto lane = threadIdx.x % 32;
  const Steady s = steady<kWords>(a.p1, a.p2, a.disparities);

  const unsigned char* const left = bytes_at(a.left_census, row, a.left_census.pad);
  const auto left_of = [&](int group) { return load_words(left + 16 * group); };
  // The last four of a group begins with the first pixel's word for the lane's first disparity,
  // after three for those that follow, so that four words on is the same for the next group. These
  // are addresses of the first four for the last lane.
  const int place = a.right_census.pad - a.min_disparity;
  const int later = -place & 3;
  const unsigned char* const right = bytes_at(
      a.right_census, 4 * static_cast<std::int64_t>(row) + later, place + later - 4 * kWords * 32);
  const std::uint32_t of_lane = 16 * kWords * (31 - lane);
  // Four 0 of a group is the farthest to the left.
  const auto four_of = [&](int group, int four) {
    return load_words(right + 16 * (group + four) + of_lane);
  };

  unsigned char* const to =
      as_one(volume + static_cast<std::int64_t>(row) * a.width * a.disparities);
  const std::uint32_t disparities = opaque(static_cast<std::uint32_t>(a.disparities));
  std::uint32_t at =
      4 * kWords * lane + (kBack ? static_cast<std::uint32_t>(a.width - 1) * disparities : 0U);
  Path<kWords> path;
  start_path(&path);
  const auto take = [&](std::uint32_t left_word, const std::uint32_t* window) {
    advance_path(matching_costs<kWords, kMasked>(left_word, window), s, &path);
    if (s.stores) store_costs(path, to + at);
    at += kBack ? 0U - disparities : disparities;
  };
  // The pixels of the last group, which may be fewer than four.
  const int groups = a.width / 4;
  const auto walk_rest = [&] {
    std::uint32_t window[4 * kFours], lefts[4];
#pragma unroll
    for (int q = 0; q < kFours; ++q) put(four_of(groups, q), window + 4 * q);
    put(left_of(groups), lefts);
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      const int i = kBack ? 2 - j : j;
      if (i < a.width % 4) take(lefts[i], window + i + 1);
    }
  };

  if (kBack && a.width % 4 != 0) walk_rest();
  const int first = kBack ? groups - 1 : 0;
  uint4 ring[kRing], lefts_ring[kRing];
#pragma unroll
  for (int q = 0; q < kFours; ++q) ring[q] = four_of(first, kBack ? kFours - 1 - q : q);
  lefts_ring[0] = left_of(first);
  for (int g = 0; g < groups; g += kRing) {
#pragma unroll
    for (int r = 0; r < kRing; ++r) {
      if (g + r >= groups) break;
      const int next = first + kStep * (g + r + 1);
      ring[(r + kFours) % kRing] = four_of(next, kBack ? 0 : kFours - 1);
      lefts_ring[(r + 1) % kRing] = left_of(next);
      std::uint32_t window[4 * kFours], lefts[4];
#pragma unroll
      for (int q = 0; q < kFours; ++q) {
        put(ring[(r + (kBack ? kFours - 1 - q : q)) % kRing], window + 4 * q);
      }
      put(lefts_ring[r], lefts);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int i = kBack ? 3 - j : j;
        take(lefts[i], window + i + 1);
      }
    }
  }
  if (!kBack && a.width % 4 != 0) walk_rest();
}

// The inputs of a step from row to row.
template <int kWords>
struct Words {
  std::uint32_t left;
  uint4 right[kWords];
};

// A straight line of `count` pixels from (x, y) on, where a path starts. With every step it goes to
// the row after or before, and a column to the side or none.
template <int kWords, bool kMasked>
__device__ void along_line(const StereoArguments& a, const Steady& s, int x, int y, int dx, int dy,
                           int count, unsigned char* volume) {
  const auto lane = threadIdx.x % 32;
  const unsigned char* left = bytes_at(a.left_census, y, a.left_census.pad + x);
  const std::int64_t left_step = 4 * (dy * a.left_census.pitch + dx);
  // One step later the words may be aligned in another one of the four copies, four steps later
  // they are in the same one: so there are four addresses, of the last lane.
  static_assert(kRowsAhead == 4);
  const int lowest = a.right_census.pad - a.min_disparity - (4 * kWords - 1) - 4 * kWords * 31;
  const std::uint32_t of_lane = 16 * kWords * (31 - lane);
  const unsigned char* right[kRowsAhead];
#pragma unroll
  for (int i = 0; i < kRowsAhead; ++i) {
    const int place = lowest + x + i * dx;
    const int later = -place & 3;
    right[i] =
        bytes_at(a.right_census, 4 * static_cast<std::int64_t>(y + i * dy) + later, place + later);
  }
  const std::int64_t right_step = 4 * kRowsAhead * (4 * dy * a.right_census.pitch + dx);
  const auto read = [&](int i) {
    Words<kWords> words;
    words.left = __ldg(reinterpret_cast<const std::uint32_t*>(left));
#pragma unroll
    for (int w = 0; w < kWords; ++w) words.right[w] = load_words(right[i] + of_lane + 16 * w);
    left += left_step;
    right[i] += right_step;
    return words;
  };

  unsigned char* to = volume + (static_cast<std::int64_t>(y) * a.width + x) * a.disparities;
  const std::int64_t step_bytes = (static_cast<std::int64_t>(dy) * a.width + dx) * a.disparities;
  const std::uint32_t at = 4 * kWords * lane;
  Path<kWords> path;
  start_path(&path);
  const auto take = [&](const Words<kWords>& words) {
    std::uint32_t window[4 * kWords];
#pragma unroll
    for (int w = 0; w < kWords; ++w) put(words.right[w], window + 4 * w);
    advance_path(matching_costs<kWords, kMasked>(words.left, window), s, &path);
    if (s.stores) store_costs(path, to + at);
    to += step_bytes;
  };

  Words<kWords> ahead[kRowsAhead] = {};
#pragma unroll
  for (int i = 0; i < kRowsAhead; ++i) {
    if (i < count) ahead[i] = read(i);
  }
  int step = 0;
  for (; step + 2 * kRowsAhead <= count; step += kRowsAhead) {
#pragma unroll
    for (int i = 0; i < kRowsAhead; ++i) {
      const Words<kWords> words = ahead[i];
      ahead[i] = read(i);
      take(words);
    }
  }
  // The last steps, of which not all have one to read ahead.
#pragma unroll
  for (int i = 0; i < 2 * kRowsAhead - 1; ++i) {
    if (step + i >= count) break;
    const Words<kWords> words = ahead[i % kRowsAhead];
    if (step + i + kRowsAhead < count) ahead[i % kRowsAhead] = read(i % kRowsAhead);
    take(words);
  }
}

// The blocks of the launch: rows, forwards and backwards; columns, down and up; four diagonals.
template <int kWords, bool kMasked>
__device__ void follow_path(const StereoArguments& a) {
  static_assert(kPathsOfBlock == 1);
  int block = static_cast<int>(blockIdx.x);
  if (block < a.height) {
    along_row<kWords, kMasked, false>(a, block, a.volumes);
    return;
  }
  block -= a.height;
  if (block < a.height) {
    along_row<kWords, kMasked, true>(a, block, a.volumes + a.volume_stride);
    return;
  }
  block -= a.height;
  const int direction = block / a.width;
  const int dx = direction < 2 ? 0 : direction < 4 ? 1 : -1;
  const int dy = direction % 2 == 0 ? 1 : -1;
  const Steady s = steady<kWords>(a.p1, a.p2, a.disparities);
  int x = block % a.width;
  int y = dy > 0 ? 0 : a.height - 1;
  for (int rows = a.height; rows > 0;) {
    const int to_border = dx == 0 ? rows : dx > 0 ? a.width - x : x + 1;
    const int count = min(rows, to_border);
    along_line<kWords, kMasked>(a, s, x, y, dx, dy, count,
                                a.volumes + (2 + direction) * a.volume_stride);
    rows -= count;
    y += dy * count;
    x = dx > 0 ? 0 : a.width - 1;
  }
}

}  // namespace
}  // namespace rdp::cuda

// Minimum of resident blocks: as many as a multiprocessor takes, if they have one warp.
#if __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000 || __CUDA_ARCH__ == 1030
#define RDP_STEREO_BLOCKS_FEW 32
#define RDP_STEREO_BLOCKS_MANY 20
#else
#define RDP_STEREO_BLOCKS_FEW 16
#define RDP_STEREO_BLOCKS_MANY 16
#endif

// For as many disparities, without masks and with them.
#define RDP_STEREO_PATHS(name, words, masked, blocks)                                 \
  extern "C" __global__ void __launch_bounds__(32 * rdp::cuda::kPathsOfBlock, blocks) \
      rdp_stereo_paths_##name(const rdp::cuda::StereoArguments a) {                   \
    rdp::cuda::follow_path<words, masked>(a);                                         \
  }
RDP_STEREO_PATHS(128, 1, false, RDP_STEREO_BLOCKS_FEW)
RDP_STEREO_PATHS(256, 2, false, RDP_STEREO_BLOCKS_MANY)
RDP_STEREO_PATHS(masked_128, 1, true, RDP_STEREO_BLOCKS_FEW)
RDP_STEREO_PATHS(masked_256, 2, true, RDP_STEREO_BLOCKS_MANY)
