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

__device__ void census(const StereoArguments& a) {
  __shared__ unsigned char tile[kTileRows][kTileColumns];
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
  for (int i = static_cast<int>(threadIdx.x); i < kTileRows * kTileColumns; i += kCensusThreads) {
    const int row = i / kTileColumns, column = i % kTileColumns;
    const int y = min(max(first_y + row - kReachY, 0), a.height - 1);
    const int x = in_picture(from_x + column - kReachX);
    tile[row][column] = __ldg(picture.data + y * picture.pitch + x);
  }
  __syncthreads();

  const int column = static_cast<int>(threadIdx.x) % kCensusColumns;
  const int x = first_x + column;  // in the picture, or beside it
  if (x + to.pad >= to.pitch) return;
  const int seen_at = in_picture(x);
  const int centre_x = seen_at - from_x + kReachX;
  for (int row = static_cast<int>(threadIdx.x) / kCensusColumns; row < kCensusRows;
       row += kCensusThreads / kCensusColumns) {
    const int y = first_y + row;
    if (y >= a.height) return;
    std::uint32_t word = 0;
#pragma unroll
    for (int dy = -kReachY; dy <= 0; ++dy) {
#pragma unroll
      for (int dx = -kReachX; dx <= (dy < 0 ? kReachX : -1); ++dx) {
        const unsigned one = tile[row + kReachY + dy][centre_x + dx];
        const unsigned other = tile[row + kReachY - dy][centre_x - dx];
        word = 2 * word + (one >= other ? 1U : 0U);
      }
    }
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
