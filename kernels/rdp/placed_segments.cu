// SPDX-License-Identifier: LGPL-2.1-or-later
// Segments on a picture: see common/rdp/placed_segments.h. A block has a tile of the picture. It
// looks at the boxes of all quadrangles, and notes in shared memory the last one that covers each
// pixel. Then its threads find the colours and blend them into the picture, without a drawing in
// between.
#include <cooperative_groups.h>

#include <cstdint>

#include "common/rdp/overlay_pixels.h"
#include "kernels/filters/blend_pixels.cuh"
#include "kernels/rdp/placed_arguments.h"

namespace rdp::cuda {
namespace {

namespace cg = cooperative_groups;

__device__ constexpr PaleColours kColours = make_pale_colours();
__device__ constexpr ClassColours kClassColours = make_class_colours();

// The number of the visible quadrangle, from 1, and then its pixel; 0: none. An extra word per row
// puts threads with a row each into different banks.
struct Tile {
  Pixel pixel[kPlacedRows][kPlacedColumns + 1];
};

// Notes a quadrangle, a row for each thread of the warp.
__device__ void note(const PlacedArguments& a, unsigned index, int x0, int y0, Tile* tile) {
  const PlacedBox box = a.boxes[index];
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int row = y0 + lane;
  if (row < box.top || row >= box.bottom) return;
  PlacedSpan span{box.left, box.right};
  if (a.corners != nullptr) span = span_of(a.corners[index], row);
  const int end = min(span.right - x0, kPlacedColumns);
  for (int x = max(span.left - x0, 0); x < end; ++x) {
    atomicMax(&tile->pixel[lane][x], index + 1);
  }
}

// Notes all that reach into the tile. The warps take turns.
__device__ void note_all(const PlacedArguments& a, int x0, int y0, Tile* tile) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  constexpr unsigned kOfWarp = 32 * kPlacedBatch;
  for (unsigned first = threadIdx.x / 32 * kOfWarp; first < a.count;
       first += kPlacedThreads / 32 * kOfWarp) {
    bool here[kPlacedBatch];
#pragma unroll
    for (int i = 0; i < kPlacedBatch; ++i) {
      const unsigned index = first + static_cast<unsigned>(i) * 32 + threadIdx.x % 32;
      // Beyond the last box, repeats that box, which is not taken.
      const PlacedBox box = a.boxes[min(index, a.count - 1)];
      here[i] = index < a.count && box.left < x0 + kPlacedColumns && box.right > x0 &&
                box.top < y0 + kPlacedRows && box.bottom > y0;
    }
#pragma unroll
    for (int i = 0; i < kPlacedBatch; ++i) {
      for (unsigned rest = warp.ballot(here[i]); rest != 0; rest &= rest - 1) {
        const int bit = __ffs(static_cast<int>(rest)) - 1;
        note(a, first + static_cast<unsigned>(i * 32 + bit), x0, y0, tile);
      }
    }
  }
}

// Replaces numbers by colours: some rows of a column, which few quadrangles share.
__device__ void colour(const PlacedArguments& a, int y0, Tile* tile) {
  const int column = static_cast<int>(threadIdx.x % kPlacedColumns);
  const int first = static_cast<int>(threadIdx.x / kPlacedColumns) * kPlacedRowsOfThread;
  Pixel seen = 0;
  PlacedBox box{};
  PlacedLine line{};
  const Colours* colours = nullptr;
#pragma unroll 1
  for (int i = first; i < first + kPlacedRowsOfThread; ++i) {
    const Pixel number = tile->pixel[i][column];
    if (number == 0) continue;
    if (number != seen) {
      seen = number;
      box = a.boxes[number - 1];
      line = a.lines[number - 1];
      colours = a.classes != 0
                    ? &kClassColours
                           .of[static_cast<int>(class_of_placed(line, a.ground, a.plane, a.rules))]
                    : &kColours.level[placed_pale_level(line, a.range, a.frame_height)];
    }
    tile->pixel[i][column] = ordered_pixel(placed_pixel(line, box, y0 + i, *colours, a.range),
                                           static_cast<std::uint8_t>(a.alpha), PixelOrder::kRgba);
  }
}

// The drawing of a tile.
__device__ void draw_tile(const PlacedArguments& a, int x0, int y0, Tile* tile) {
  for (int i = static_cast<int>(threadIdx.x); i < kPlacedRows * kPlacedColumns;
       i += kPlacedThreads) {
    tile->pixel[i / kPlacedColumns][i % kPlacedColumns] = 0;
  }
  __syncthreads();
  note_all(a, x0, y0, tile);
  __syncthreads();
  colour(a, y0, tile);
  __syncthreads();
}

__device__ int column_of_block() { return static_cast<int>(blockIdx.x) * kPlacedColumns; }
__device__ int row_of_block() { return static_cast<int>(blockIdx.y) * kPlacedRows; }

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kPlacedThreads, 4)
    rdp_placed_rgba(const rdp::cuda::PlacedArguments a) {
  using namespace rdp::cuda;
  __shared__ Tile tile;
  const int x0 = column_of_block();
  const int y0 = row_of_block();
  draw_tile(a, x0, y0, &tile);
  const auto drawn = [&](int row, int column) { return tile.pixel[row - y0][column - x0]; };
  for (int i = static_cast<int>(threadIdx.x); i < kPlacedRows * kPlacedColumns;
       i += kPlacedThreads) {
    blend_rgba_pixel(a.picture, y0 + i / kPlacedColumns, x0 + i % kPlacedColumns, drawn);
  }
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kPlacedThreads, 4)
    rdp_placed_nv12(const rdp::cuda::PlacedArguments a) {
  using namespace rdp::cuda;
  __shared__ Tile tile;
  const int x0 = column_of_block();
  const int y0 = row_of_block();
  draw_tile(a, x0, y0, &tile);
  const auto drawn = [&](int row, int column) { return tile.pixel[row - y0][column - x0]; };
  constexpr int kPairs = kPlacedColumns / 2;
  for (int i = static_cast<int>(threadIdx.x); i < kPlacedRows / 2 * kPairs; i += kPlacedThreads) {
    blend_nv12_pixels(a.picture, y0 + 2 * (i / kPairs), x0 + 2 * (i % kPairs), drawn);
  }
}
