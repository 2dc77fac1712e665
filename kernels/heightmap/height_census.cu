// SPDX-License-Identifier: LGPL-2.1-or-later
// Census of all views, and links of the reference image's pixels to their neighbours.
#include <cstdint>

#include "common/heightmap/rules.h"
#include "kernels/heightmap/height_arguments.h"

namespace rdp::cuda {
namespace {

// A block needs two columns and rows of the smoothed picture around its part, and three of the
// picture.
constexpr int kReach = 2;
constexpr int kSmoothColumns = kHeightCensusColumns + 2 * kReach;
constexpr int kSmoothRows = kHeightCensusRows + 2 * kReach;
constexpr int kByteColumns = kSmoothColumns + 2;
constexpr int kByteRows = kSmoothRows + 2;

__device__ void census(const HeightCensusArguments& a) {
  __shared__ unsigned char bytes[kByteRows][kByteColumns];
  __shared__ std::uint16_t smooth[kSmoothRows][kSmoothColumns];
  const HeightPicture& picture = a.pictures[blockIdx.z];
  const int first_x = static_cast<int>(blockIdx.x) * kHeightCensusColumns;
  const int first_y = static_cast<int>(blockIdx.y) * kHeightCensusRows;
  if (first_x >= picture.width || first_y >= picture.height) return;  // others are larger
  const auto thread = static_cast<int>(threadIdx.x);
  const auto in_row = [&](int x) { return heightmap::clamp_to(x, 0, picture.width - 1); };
  const auto in_column = [&](int y) { return heightmap::clamp_to(y, 0, picture.height - 1); };

  for (int i = thread; i < kByteRows * kByteColumns; i += kHeightCensusThreads) {
    const int row = i / kByteColumns, column = i % kByteColumns;
    bytes[row][column] =
        __ldg(picture.samples + in_column(first_y + row - kReach - 1) * picture.pitch +
              in_row(first_x + column - kReach - 1));
  }
  __syncthreads();
  // Outside of the image, border pixels repeat, before and after smoothing.
  for (int i = thread; i < kSmoothRows * kSmoothColumns; i += kHeightCensusThreads) {
    const int row = i / kSmoothColumns, column = i % kSmoothColumns;
    const int y = in_column(first_y + row - kReach) - first_y + kReach + 1;
    const int x = in_row(first_x + column - kReach) - first_x + kReach + 1;
    const auto across = [&](int at) {
      return bytes[at][x - 1] + 2 * bytes[at][x] + bytes[at][x + 1];
    };
    smooth[row][column] = static_cast<std::uint16_t>(across(y - 1) + 2 * across(y) + across(y + 1));
  }
  __syncthreads();

  // A thread goes down its column.
  constexpr int kRows = kHeightCensusRows * kHeightCensusColumns / kHeightCensusThreads;
  const int column = thread % kHeightCensusColumns;
  const int first_row = thread / kHeightCensusColumns * kRows;
  if (first_x + column >= picture.width) return;
  for (int i = 0; i < kRows; ++i) {
    const int row = first_row + i;
    if (first_y + row >= picture.height) return;
    const int centre = smooth[row + kReach][column + kReach];
    std::uint32_t bits = 0;
#pragma unroll
    for (int dy = 0; dy <= 2 * kReach; ++dy) {
#pragma unroll
      for (int dx = 0; dx <= 2 * kReach; ++dx) {
        if (dx == kReach && dy == kReach) continue;
        bits = 2 * bits + (smooth[row + dy][column + dx] >= centre ? 1U : 0U);
      }
    }
    picture.census[static_cast<std::int64_t>(first_y + row) * picture.width + first_x + column] =
        bits;
  }
}

__device__ void find_links(const HeightLinkArguments& a) {
  const BeliefLayout& layout = a.layout;
  const int x = static_cast<int>(blockIdx.x * kHeightLinkThreads + threadIdx.x);
  const auto y = static_cast<int>(blockIdx.y);
  if (x >= layout.width) return;
  if (x == 0 && y == 0) *a.progress = {0, -1, 0, 0};
  const std::int32_t* const potential =
      a.potential + static_cast<std::int64_t>(y) * layout.width + x;
  const unsigned char* const sample = a.picture.samples + y * a.picture.pitch + x;
  const bool is_there[] = {x > 0, x + 1 < layout.width, y > 0, y + 1 < layout.height};
  const std::int64_t steps[] = {-1, 1, -layout.width, layout.width};
  const std::int64_t strides[] = {-1, 1, -a.picture.pitch, a.picture.pitch};
  unsigned links = 0;
#pragma unroll
  for (int direction = 0; direction < 4; ++direction) {
    if (!is_there[direction]) continue;
    const int rise =
        heightmap::rise(__ldg(potential), __ldg(potential + steps[direction]), a.max_slope);
    const bool edge =
        heightmap::is_edge(__ldg(sample), __ldg(sample + strides[direction]), a.contrast);
    links |= static_cast<unsigned>(kHeightSteepest - rise + (edge ? kHeightEdge : 0))
             << (kHeightLinkBits * direction);
  }
  unsigned char* const costs = ((x + y) & 1) == 0 ? a.costs[0] : a.costs[1];
  *reinterpret_cast<std::uint16_t*>(costs + layout.costs(y, x >> 1) +
                                    BeliefLayout::word(layout.words)) =
      static_cast<std::uint16_t>(links);
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kHeightCensusThreads)
    rdp_height_census(const rdp::cuda::HeightCensusArguments a) {
  rdp::cuda::census(a);
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kHeightLinkThreads)
    rdp_height_links(const rdp::cuda::HeightLinkArguments a) {
  rdp::cuda::find_links(a);
}
