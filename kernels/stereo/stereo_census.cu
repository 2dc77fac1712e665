// SPDX-License-Identifier: LGPL-2.1-or-later
// The census of both views, as stereo::reference::census() has it: 31 comparisons of pixels with
// their mirror images about the centre of a window of 9x7. A block brings its part of the picture
// into shared memory, with four columns and three rows more on each side.
#include <cstdint>

#include "kernels/stereo/stereo_arguments.h"

namespace rdp::cuda {
namespace {

constexpr int kReachX = 4, kReachY = 3;
constexpr int kTileColumns = kCensusColumns + 2 * kReachX;
constexpr int kTileRows = kCensusRows + 2 * kReachY;
constexpr std::uint32_t kNotSeenBit = 0x80000000U;

// Where the words of column `x` of the padded picture go: once for the left view, four times for
// the right one.
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

// What comparisons take of a row, as seen from a pixel's column.
struct RowPart {
  std::uint32_t before;  // the four pixels before it
  std::uint32_t after;   // their mirror images: the four after it, the last one first
  std::uint32_t centre;  // the pixel in its column in the lowest byte, and others
};

// For each of four bytes its highest bit: 1 where `one` is at least `other`. The other bits are 0.
__device__ __forceinline__ std::uint32_t at_least(std::uint32_t one, std::uint32_t other) {
  constexpr std::uint32_t kHighest = 0x80808080U;
  // What the lower bits say; no byte borrows from the next one.
  const std::uint32_t lower = (one | kHighest) - (other & ~kHighest);
  return ((one & ~other) | (~(one ^ other) & lower)) & kHighest;
}

// The census word of the pixel in the middle of seven rows. Its bits may be in any order, as long
// as both views have the same: four comparisons are made at a time. The highest bit stays 0.
__device__ __forceinline__ std::uint32_t census_word(const RowPart* rows) {
  std::uint32_t word = 0;
#pragma unroll
  for (int i = 0; i < kReachY; ++i) {
    const RowPart &above = rows[i], &below = rows[2 * kReachY - i];
    word = word >> 1 | at_least(above.before, below.after);
    word = word >> 1 | at_least(above.after, below.before);
  }
  word = word >> 1 | at_least(rows[kReachY].before, rows[kReachY].after);
  // One byte for each row; the fourth one, which is left, says nothing.
  static_assert(kReachY == 3);
  const auto centres = [](const RowPart& first, const RowPart& second, const RowPart& third) {
    return __byte_perm(__byte_perm(first.centre, second.centre, 0x0040), third.centre, 0x0410);
  };
  return word >> 1 |
         (at_least(centres(rows[0], rows[1], rows[2]), centres(rows[6], rows[5], rows[4])) &
          ~kNotSeenBit);
}

__device__ void census(const StereoArguments& a) {
  __shared__ std::uint32_t tile[kTileRows][kTileColumns / 4];
  const bool is_right = blockIdx.z == 1;
  const StereoRows& picture = is_right ? a.right : a.left;
  const CensusRows& to = is_right ? a.right_census : a.left_census;
  const int first_x = static_cast<int>(blockIdx.x) * kCensusColumns - to.pad;
  const int first_y = static_cast<int>(blockIdx.y) * kCensusRows;
  if (first_x + to.pad >= to.pitch) return;  // the whole block: the other view's rows are longer

  // Of the padding only the column at the border is looked at, again and again.
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
    const std::uint32_t after = __funnelshift_rc(words[1], words[2], shift + 8);
    return RowPart{__funnelshift_r(words[0], words[1], shift), __byte_perm(after, 0, 0x0123),
                   words[1] >> shift};
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
