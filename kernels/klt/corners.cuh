// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_KLT_CORNERS_CUH_
#define RDP_KERNELS_KLT_CORNERS_CUH_

#include <cstdint>

#include "common/klt/step.h"
#include "kernels/klt/klt_arguments.h"
#include "kernels/klt/window.cuh"
#include "kernels/primitives/warp.cuh"

// Finds the places where features may be born: the best pixel of each cell that no pixel around it
// exceeds, and the highest score of the frame.
namespace rdp::cuda {

// Sums of products of gradients.
struct Products {
  int xx = 0;
  int xy = 0;
  int yy = 0;

  __device__ void add(std::uint32_t both, int sign) {
    const int gx = static_cast<int>(both << 16) >> 16;
    const int gy = static_cast<int>(both) >> 16;
    xx += sign * (gx * gx);
    xy += sign * (gx * gy);
    yy += sign * (gy * gy);
  }
};

// The sum of this thread's number and those of the six threads after it.
__device__ __forceinline__ int sum_of_seven(int v) {
  const int two = v + __shfl_down_sync(kAll, v, 1);
  const int four = two + __shfl_down_sync(kAll, two, 2);
  const int six = four + __shfl_down_sync(kAll, two, 4);
  return six + __shfl_down_sync(kAll, v, 6);
}

// Looks at kStripColumns columns and kStripRows rows, by a warp. Going down, each thread has the
// sums of seven rows of its column; those of seven columns, and the neighbours' scores, come from
// other threads. So nothing is in shared memory, and no warp waits for another one.
//
// Thread l has the products of column `left - 4 + l` and the score of column `left - 1 + l`: up to
// l = 25, of which 1 to 24 are the strip's own.
__device__ __forceinline__ void find_corners(const KltArguments& a, const KltWork& work,
                                             const Level& level, int left, int top) {
  constexpr int kReach = klt::kScoreReach;
  constexpr int kRing = 2 * kReach + 1;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int x = left - 1 + lane;
  const bool has_score = lane < kStripColumns + 2 && x >= 0 && x < level.width;
  const bool is_own = lane >= 1 && lane <= kStripColumns && x < level.width;
  const int end = min(top + kStripRows, level.height);
  const int cell_column = x / a.cell;
  // Gradients of rows top - 4 to end + 3, and up to six after these, which count for nothing. All
  // of them are in memory, with what lies around the level.
  const std::uint32_t* from = level.gradients +
                              static_cast<std::ptrdiff_t>(top - kReach - 1) * level.pitch + left -
                              kReach - 1 + lane;
  std::uint32_t ring[kRing] = {};
  Products column;
  float highest = 0.0F;
  float score = -1.0F;        // of the row before
  float row_highest = -1.0F;  // the highest of three beside each other in that row
  bool is_candidate = false;  // nothing above and beside it is better
  const int steps = end - top + 2 * (kReach + 1);
  for (int base = 0; base < steps; base += kRing) {
    // Loaded together, because one load takes as long as all.
    std::uint32_t rows[kRing];
#pragma unroll
    for (int j = 0; j < kRing; ++j) {
      rows[j] = *from;
      from += level.pitch;
    }
#pragma unroll
    for (int j = 0; j < kRing; ++j) {
      const int step = base + j;
      if (step >= steps) break;
      column.add(rows[j], 1);
      column.add(ring[j], -1);
      ring[j] = rows[j];
      if (step < 2 * kReach) continue;
      const int y = top - 1 + step - 2 * kReach;
      const int xx = sum_of_seven(column.xx);
      const int xy = sum_of_seven(column.xy);
      const int yy = sum_of_seven(column.yy);
      // Outside of the frame, the score is lower than any.
      const bool there = has_score && y >= 0 && y < level.height;
      const float here = there ? klt::score_of(xx, xy, yy) : -1.0F;
      highest = max(highest, here);
      const float before = __shfl_up_sync(kAll, here, 1);
      const float after = __shfl_down_sync(kAll, here, 1);
      const float three = max(max(before, after), here);
      const int middle = y - 1;
      if (is_candidate && score >= three && middle >= top) {
        const bool allowed = a.mask == nullptr || a.mask[middle * a.mask_pitch + x] != 0;
        if (allowed) {
          const unsigned long long key =
              corner_key(__float_as_uint(score), static_cast<std::uint32_t>(middle) *
                                                         static_cast<std::uint32_t>(level.width) +
                                                     static_cast<std::uint32_t>(x));
          atomicMax(work.corners + (middle / a.cell) * a.cell_columns + cell_column, key);
        }
      }
      is_candidate = is_own && here > max(max(row_highest, before), 0.0F) && here >= after;
      score = here;
      row_highest = three;
    }
  }
  const unsigned bits = warp_max_unsigned(__float_as_uint(highest));
  if (lane == 0) atomicMax(&work.counters->highest, bits);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_KLT_CORNERS_CUH_
