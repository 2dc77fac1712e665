// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_BIRDSEYE_CUH_
#define RDP_KERNELS_RDP_BIRDSEYE_CUH_

#include <cooperative_groups.h>

#include "common/rdp/birdseye.h"
#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/overlay_arguments.h"
#include "kernels/rdp/segment_cursor.cuh"

// Steps to a bird's-eye view: see common/rdp/birdseye.h. No two threads write the same place, so
// their order does not matter.
namespace rdp::cuda {

__device__ inline const BirdseyeScale& scale_of(const BirdseyeArguments& a) {
  return a.scale_of_frame == nullptr ? a.scale : *a.scale_of_frame;
}

// Collects a column's content, by a warp. Each thread finds the cells of a segment. Then each
// thread has some words of the column, and adds the cells of all segments.
__device__ inline void see_column(const BirdseyeArguments& a) {
  namespace cg = cooperative_groups;
  const bool truncated = is_truncated(a.list);
  const SegmentListView list = a.list.of_frame(a.slice);
  const std::uint32_t column = blockIdx.x * (kBirdseyeThreads / 32) + threadIdx.x / 32;
  if (truncated || column >= list.columns) return;
  const double cells_of_metre = scale_of(a).cells_of_metre;
  const Ground ground = *a.ground;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int words = words_of_column(a.height);
  const std::uint32_t begin = __ldg(list.offsets + column);
  const std::uint32_t end = __ldg(list.offsets + column + 1);
#pragma unroll 1
  for (int first_word = 0; first_word < words; first_word += 32) {
    const int word = first_word + lane;
    std::uint32_t ground_cells = 0;
    std::uint32_t obstacle_cells = 0;
#pragma unroll 1
    for (std::uint32_t first = begin; first < end; first += 32) {
      SeenCells mine{SeenKind::kGround, 0, -1};
      if (first + static_cast<std::uint32_t>(lane) < end) {
        mine = seen_cells(list.segments[first + static_cast<std::uint32_t>(lane)], a.camera.depth,
                          ground, a.rules, cells_of_metre, a.height);
      }
      // Cells have 14 bits each, so that a word holds all; first > last if there are none.
      const int kind = static_cast<int>(mine.kind);
      const int packed = mine.last < mine.first ? 1 : kind << 28 | mine.last << 14 | mine.first;
#pragma unroll 1
      for (int i = 0; i < 32; ++i) {
        const int other = warp.shfl(packed, i);
        const std::uint32_t cells = cells_in_word(other & 16383, other >> 14 & 16383, word);
        if (other >> 28 != 0) {
          obstacle_cells |= cells;
        } else {
          ground_cells |= cells;
        }
      }
    }
    if (word >= words) continue;
    const auto place = [&](SeenKind kind) {
      return a.seen +
             (static_cast<std::size_t>(kind) * static_cast<std::size_t>(words) +
              static_cast<std::size_t>(word)) *
                 list.columns +
             column;
    };
    *place(SeenKind::kGround) = ground_cells;
    *place(SeenKind::kObstacle) = obstacle_cells;
  }
}

// True if one of the columns has this bit in a row of words.
__device__ inline bool any_set(const std::uint32_t* words, int bit, int first, int last) {
  std::uint32_t all = 0;
#pragma unroll 8
  for (int c = first; c <= last; ++c) all |= words[c];
  return (all >> bit & 1) != 0;
}

__device__ inline void paint_from_above(const BirdseyeArguments& a) {
  const bool truncated = is_truncated(a.list);
  const int c = static_cast<int>(blockIdx.x) * kBirdseyeThreads + static_cast<int>(threadIdx.x);
  if (truncated || c >= a.width) return;
  const BirdseyeScale& scale = scale_of(a);
  const int row = static_cast<int>(blockIdx.y);
  if (row == 0) {
    for (int i = c; i < most_labels(a.width, a.height, a.zoom); i += a.width) {
      find_label(scale, a.width, a.height, a.zoom, i, a.labels + i);
    }
  }
  const int cell = a.height - 1 - row;
  const int words = words_of_column(a.height);
  const auto words_of = [&](SeenKind kind) {
    return a.seen + (static_cast<std::size_t>(kind) * static_cast<std::size_t>(words) +
                     static_cast<std::size_t>(cell / 32)) *
                        a.list.columns;
  };
  const double slope = a.camera.focal_x / (2 * cell + 1);
  const int left = column_at(2 * c - a.width, slope, a.camera.principal_x, a.width);
  const int right = column_at(2 * c + 2 - a.width, slope, a.camera.principal_x, a.width);
  Pixel pixel = kUnknownPixel;
  if (right >= 0 && left < a.width) {
    const int first = max(left, 0) / a.column_width;
    const int last = min(right, a.width - 1) / a.column_width;
    pixel = any_set(words_of(SeenKind::kObstacle), cell % 32, first, last) ? kObstaclePixel
            : any_set(words_of(SeenKind::kGround), cell % 32, first, last) ? kGroundPixel
                                                                           : kUnseenPixel;
  }
  if (pixel != kObstaclePixel && (is_line_ahead(scale, cell) || is_line_aside(scale, c, a.width))) {
    pixel = kGridPixel;
  }
  reinterpret_cast<Pixel*>(a.picture + row * a.picture_pitch)[c] = pixel;
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_BIRDSEYE_CUH_
