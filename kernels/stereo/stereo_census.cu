// SPDX-License-Identifier: LGPL-2.1-or-later
// The census of both views, as stereo::reference::census() has it: every other pixel of a window of
// 9x7 is compared with the smoothed centre. A block brings its part of the picture into shared
// memory, with four columns and three rows more on each side.
#include <cstdint>

#include "kernels/stereo/stereo_arguments.h"

namespace rdp::cuda {
namespace {

constexpr int kReachX = 4, kReachY = 3;
constexpr int kTileColumns = kCensusColumns + 2 * kReachX;
constexpr int kTileRows = kCensusRows + 2 * kReachY;
constexpr std::uint32_t kNotSeenBit = 0x80000000U;

// Stores the words of column `x` of the padded picture: once for the left view, four times for the
// right one.
__device__ void store(const CensusRows& to, bool is_right, int row, int x, std::uint32_t word) {
  if (!is_right) {
    to.words[row * to.pitch + x] = word;
    return;
  }
  std::uint32_t* const first = to.words + 4 * row * to.pitch;
#pragma unroll
  for (int later = 0; later < 4; ++later) {
    if (x + later < to.pitch) first[later * to.pitch + x + later] = word;
    if (x < later) first[later * to.pitch + x] = word;  // x is 0, 1 or 2: see census()
  }
}

// The parts of a row that comparisons need, as seen from a pixel's column. The row itself, and the
// second one above or below, take the pixels an even number of columns away; the others the rest.
struct RowPart {
  std::uint32_t even;      // -4, -2, 2 and 4 columns away
  std::uint32_t odd;       // -3, -1, 1 and 3 columns away
  std::uint32_t centre;    // the pixel in its column in the lowest byte, and others
  std::uint32_t smoothed;  // four times the row's mean about the column: 1, 2, 1
};

// For each of four bytes its highest bit: 1 where `one` is at least `other`. The other bits are 0.
__device__ __forceinline__ std::uint32_t at_least(std::uint32_t one, std::uint32_t other) {
  constexpr std::uint32_t kHighest = 0x80808080U;
  // The comparison of the lower bits; no byte borrows from the next one.
  const std::uint32_t lower = (one | kHighest) - (other & ~kHighest);
  return ((one & ~other) | (~(one ^ other) & lower)) & kHighest;
}

// The census word of the pixel in the middle of seven rows. Its bits may be in any order, as long
// as both views have the same: four comparisons are made at a time. The highest bit stays 0.
__device__ __forceinline__ std::uint32_t census_word(const RowPart* rows) {
  static_assert(kReachY == 3);
  const std::uint32_t sum = rows[2].smoothed + 2 * rows[3].smoothed + rows[4].smoothed;
  const std::uint32_t centre = ((sum + 15) >> 4) * 0x01010101U;  // in all four bytes
  std::uint32_t word = at_least(rows[0].odd, centre);
  word = word >> 1 | at_least(rows[1].even, centre);
  word = word >> 1 | at_least(rows[2].odd, centre);
  word = word >> 1 | at_least(rows[3].even, centre);
  word = word >> 1 | at_least(rows[4].odd, centre);
  word = word >> 1 | at_least(rows[5].even, centre);
  word = word >> 1 | at_least(rows[6].odd, centre);
  // Two are left; the other bytes say nothing.
  const std::uint32_t centres = __byte_perm(rows[1].centre, rows[5].centre, 0x0040);
  return word >> 1 | (at_least(centres, centre) & 0x00008080U);
}

__device__ void census(const StereoArguments& a) {
  __shared__ std::uint32_t tile[kTileRows][kTileColumns / 4];
  const bool is_right = blockIdx.z == 1;
  const StereoRows& picture = is_right ? a.right : a.left;
  const CensusRows& to = is_right ? a.right_census : a.left_census;
  const int first_x = static_cast<int>(blockIdx.x) * kCensusColumns - to.pad;
  const int first_y = static_cast<int>(blockIdx.y) * kCensusRows;
  if (first_x + to.pad >= to.pitch) return;  // the whole block: the other view's rows are longer

  // The padding repeats the column at the border.
  const auto in_picture = [&](int x) { return min(max(x, 0), a.width - 1); };
  const bool is_padding = first_x + kCensusColumns <= 0 || first_x >= a.width;
  const int from_x = is_padding ? in_picture(first_x) : first_x;
  auto* const bytes = reinterpret_cast<unsigned char*>(tile);
  for (int i = static_cast<int>(threadIdx.x); i < kTileRows * kTileColumns; i += kCensusThreads) {
    const int row = i / kTileColumns, column = i % kTileColumns;
    const int y = min(max(first_y + row - kReachY, 0), a.height - 1);
    const int x = in_picture(from_x + column - kReachX);
    bytes[i] = __ldg(picture.data + y * picture.pitch + x);
  }
  __syncthreads();

  const int column = static_cast<int>(threadIdx.x) % kCensusColumns;
  const int x = first_x + column;  // in the picture, or beside it
  if (x + to.pad >= to.pitch) return;
  const int seen_at = in_picture(x);
  const int first = seen_at - from_x;  // of nine bytes of the tile, the fifth of which is the pixel
  const auto shift = static_cast<unsigned>(first % 4 * 8);
  const auto part_of = [&](int row) {
    const std::uint32_t* const words = tile[row] + first / 4;
    const std::uint32_t before = __funnelshift_r(words[0], words[1], shift);      // -4 to -1
    const std::uint32_t after = __funnelshift_rc(words[1], words[2], shift + 8);  // 1 to 4
    const std::uint32_t centre = words[1] >> shift;
    return RowPart{__byte_perm(before, after, 0x7520), __byte_perm(before, after, 0x6431), centre,
                   (before >> 24) + 2 * (centre & 0xFFU) + (after & 0xFFU)};
  };
  // A thread goes down its column, so that rows are taken from the tile once for several pixels.
  constexpr int kRows = kCensusRows * kCensusColumns / kCensusThreads;
  const int first_row = static_cast<int>(threadIdx.x) / kCensusColumns * kRows;
  RowPart parts[kRows + 2 * kReachY];
#pragma unroll
  for (int i = 0; i < kRows + 2 * kReachY; ++i) parts[i] = part_of(first_row + i);
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int y = first_y + first_row + i;
    if (y >= a.height) return;
    std::uint32_t word = census_word(parts + i);
    if (is_right && a.right_mask.data != nullptr &&
        __ldg(a.right_mask.data + y * a.right_mask.pitch + seen_at) == 0) {
      word |= kNotSeenBit;
    }
    store(to, is_right, y, x + to.pad, word);
  }
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kCensusThreads)
    rdp_stereo_census(const rdp::cuda::StereoArguments a) {
  rdp::cuda::census(a);
}
