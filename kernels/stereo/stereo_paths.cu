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

// Rows that are read ahead by paths that go down or up.
constexpr int kRowsAhead = 4;

__device__ __forceinline__ uint4 load_words(const std::uint32_t* from) {
  return __ldg(reinterpret_cast<const uint4*>(from));
}
__device__ __forceinline__ void put(uint4 from, std::uint32_t* to) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
  to[3] = from.w;
}

template <int kWords>
__device__ __forceinline__ Penalties penalties(const StereoArguments& a) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  return {both_halves(static_cast<std::uint32_t>(a.p1)),
          both_halves(static_cast<std::uint32_t>(a.p2)),
          4 * kWords * lane < a.disparities ? 0U : kNever};
}

// Along a row, four pixels at a time. Each lane keeps the right view's words that its disparities
// need, and takes four new ones for four pixels.
template <int kWords, bool kMasked, bool kBack>
__device__ void along_row(const StereoArguments& a, int row, unsigned char* volume) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const Penalties p = penalties<kWords>(a);
  const bool stores = p.outside == 0;
  const int groups = (a.width + 3) / 4;
  const int first = kBack ? groups - 1 : 0;
  constexpr int kStep = kBack ? -1 : 1;

  const std::uint32_t* left =
      a.left_census.words + row * a.left_census.pitch + a.left_census.pad + 4 * first;
  // Word 3 of the window's last four belongs to the group's last pixel and the lane's first
  // disparity.
  const int place = a.right_census.pad - a.min_disparity;
  const int later = -place & 3;
  const std::uint32_t* right = a.right_census.words +
                               (4 * static_cast<std::int64_t>(row) + later) * a.right_census.pitch +
                               place + later + 4 * first - 4 * kWords * lane;
  std::uint32_t window[4 * kWords + 4];
#pragma unroll
  for (int q = 0; q <= kWords; ++q) put(load_words(right + 4 * (q - kWords)), window + 4 * q);
  uint4 left_now = load_words(left);
  uint4 left_next = load_words(left + 4 * kStep);
  const int newest = kBack ? -kWords : 0;  // of the window's fours, which comes next
  uint4 right_next = load_words(right + 4 * (newest + kStep));

  unsigned char* to = volume + static_cast<std::int64_t>(row) * a.width * a.disparities +
                      4 * kWords * lane + static_cast<std::int64_t>(4 * first) * a.disparities;
  Path<kWords> path;
  start_path(&path);
  for (int g = 0; g < groups; ++g) {
    left += 4 * kStep;
    right += 4 * kStep;
    const uint4 left_after = load_words(left + 4 * kStep);
    const uint4 right_after = load_words(right + 4 * (newest + kStep));
    std::uint32_t lefts[4];
    put(left_now, lefts);
    const int x = 4 * (first + kStep * g);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int i = kBack ? 3 - j : j;
      if (x + i >= a.width) continue;
      take_step(matching_costs<kWords, kMasked>(lefts[i], window + i + 1), p, &path);
      if (stores) store_costs(path, to + i * a.disparities);
    }
    to += kStep * 4 * a.disparities;
    left_now = left_next;
    left_next = left_after;
    if (kBack) {
#pragma unroll
      for (int i = 4 * kWords + 3; i >= 4; --i) window[i] = window[i - 4];
      put(right_next, window);
    } else {
#pragma unroll
      for (int i = 0; i < 4 * kWords; ++i) window[i] = window[i + 4];
      put(right_next, window + 4 * kWords);
    }
    right_next = right_after;
  }
}

// What a step from row to row reads.
template <int kWords>
struct Words {
  std::uint32_t left;
  uint4 right[kWords];
};

// From column `x` of the first row, one row after the other, down or up, `kDiagonal`: with a step
// to the side, too.
template <int kWords, bool kMasked, bool kDiagonal>
__device__ void along_column(const StereoArguments& a, int x, int dx, int dy,
                             unsigned char* volume) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const Penalties p = penalties<kWords>(a);
  const bool stores = p.outside == 0;
  if (!kDiagonal) dx = 0;
  const int first_row = dy > 0 ? 0 : a.height - 1;
  // Back into the picture: true where that was necessary.
  const auto wrap = [&](int* column) {
    if (!kDiagonal) return false;
    const bool left = *column < 0, right = *column >= a.width;
    if (left) *column = a.width - 1;
    if (right) *column = 0;
    return left || right;
  };

  // Of the row that is read next.
  int read_x = x;
  int rows_to_read = a.height;
  const std::uint32_t* left_row =
      a.left_census.words + first_row * a.left_census.pitch + a.left_census.pad;
  const std::uint32_t* right_row =
      a.right_census.words + 4 * static_cast<std::int64_t>(first_row) * a.right_census.pitch;
  const std::int64_t left_step = dy * a.left_census.pitch;
  const std::int64_t right_step = 4 * dy * a.right_census.pitch;
  const int lowest = a.right_census.pad - a.min_disparity - 4 * kWords * lane - (4 * kWords - 1);
  const auto read = [&] {
    Words<kWords> words;
    words.left = __ldg(left_row + read_x);
    const int place = lowest + read_x;
    const int later = -place & 3;
    const std::uint32_t* const from = right_row + later * a.right_census.pitch + place + later;
#pragma unroll
    for (int w = 0; w < kWords; ++w) words.right[w] = load_words(from + 4 * w);
    if (--rows_to_read > 0) {  // else the last one again
      left_row += left_step;
      right_row += right_step;
    }
    read_x += dx;
    wrap(&read_x);
    return words;
  };

  Words<kWords> ahead[kRowsAhead];
#pragma unroll
  for (int i = 0; i < kRowsAhead; ++i) ahead[i] = read();

  const std::int64_t row_bytes = static_cast<std::int64_t>(a.width) * a.disparities;
  unsigned char* to = volume + first_row * row_bytes +
                      static_cast<std::int64_t>(x) * a.disparities + 4 * kWords * lane;
  const std::int64_t step_bytes = dy * row_bytes + dx * a.disparities;
  Path<kWords> path;
  start_path(&path);
  for (int row = 0; row < a.height; row += kRowsAhead) {
#pragma unroll
    for (int i = 0; i < kRowsAhead; ++i) {
      if (row + i >= a.height) continue;
      const Words<kWords> words = ahead[i];
      ahead[i] = read();
      std::uint32_t right[4 * kWords];
#pragma unroll
      for (int w = 0; w < kWords; ++w) put(words.right[w], right + 4 * w);
      take_step(matching_costs<kWords, kMasked>(words.left, right), p, &path);
      if (stores) store_costs(path, to);
      to += step_bytes;
      if (kDiagonal) {
        x += dx;
        if (wrap(&x)) {
          to -= dx * row_bytes;
          start_path(&path);
        }
      }
    }
  }
}

// The blocks of the launch: rows, forwards and backwards; columns, down and up; four diagonals.
template <int kWords, bool kMasked>
__device__ void follow_path(const StereoArguments& a) {
  const int warp = static_cast<int>(threadIdx.x) / 32;
  int block = static_cast<int>(blockIdx.x);
  const int of_rows = (a.height + kPathsOfBlock - 1) / kPathsOfBlock;
  if (block < 2 * of_rows) {
    const int direction = block < of_rows ? 0 : 1;
    const int row = (block - direction * of_rows) * kPathsOfBlock + warp;
    if (row >= a.height) return;
    unsigned char* const volume = a.volumes + direction * a.volume_stride;
    if (direction == 0) {
      along_row<kWords, kMasked, false>(a, row, volume);
    } else {
      along_row<kWords, kMasked, true>(a, row, volume);
    }
    return;
  }
  block -= 2 * of_rows;
  const int of_columns = (a.width + kPathsOfBlock - 1) / kPathsOfBlock;
  const int direction = block / of_columns;
  const int x = block % of_columns * kPathsOfBlock + warp;
  if (x >= a.width) return;
  unsigned char* const volume = a.volumes + (2 + direction) * a.volume_stride;
  const int dy = direction % 2 == 0 ? 1 : -1;
  if (direction < 2) {
    along_column<kWords, kMasked, false>(a, x, 0, dy, volume);
  } else {
    along_column<kWords, kMasked, true>(a, x, direction < 4 ? 1 : -1, dy, volume);
  }
}

}  // namespace
}  // namespace rdp::cuda

// For as many disparities, without masks and with them.
#define RDP_STEREO_PATHS(name, words, masked)                                 \
  extern "C" __global__ void __launch_bounds__(32 * rdp::cuda::kPathsOfBlock) \
      rdp_stereo_paths_##name(const rdp::cuda::StereoArguments a) {           \
    rdp::cuda::follow_path<words, masked>(a);                                 \
  }
RDP_STEREO_PATHS(128, 1, false)
RDP_STEREO_PATHS(256, 2, false)
RDP_STEREO_PATHS(masked_128, 1, true)
RDP_STEREO_PATHS(masked_256, 2, true)
