// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_OBSTACLES_OBSTACLE_ARGUMENTS_H_
#define RDP_KERNELS_OBSTACLES_OBSTACLE_ARGUMENTS_H_

#include <cstdint>

#include "common/obstacles/ground_rules.h"
#include "common/obstacles/rules.h"

namespace rdp::cuda {

// A pixel that the refinement looks at.
struct GroundSample {
  std::int32_t z;  // mm; 0: unknown, or beyond the range
  std::int32_t u;  // 2^28 / z
};

struct FoundGround {
  obstacles::Ground ground;
  std::int64_t inliers;
  std::int32_t refined;
  std::int32_t occupied;  // number of occupied cells
};

// Per-frame rules that depend on its ground.
struct ObstacleFrame {
  FoundGround found;
  obstacles::FrameRules rules;
  obstacles::CellView view;
  const std::uint8_t* inside;  // of each cell; null: all are
};

// An obstacle's sample, for the count of its object.
struct ObstaclePixel {
  std::int32_t cell;
  std::int32_t h;
};

// In page-locked memory of the host.
struct ObstacleResult {
  FoundGround* found;
  std::uint8_t* states;
  std::uint32_t* ranges;
  std::uint32_t* free;
  obstacles::OccupiedCell* occupied;  // in ascending order
};

// Arguments of all kernels rdp_obstacles_*.
struct ObstacleArguments {
  obstacles::FrameRules rules;  // without what depends on the ground
  obstacles::GroundLens lens;
  obstacles::Ground start;
  obstacles::Turn turns[obstacles::kAttempts];
  obstacles::GroundBand bands[obstacles::kRounds];
  std::int32_t refine;
  const unsigned char* frame;
  std::int64_t frame_pitch;
  unsigned char* classes;  // of the caller
  std::int64_t classes_pitch;
  std::int32_t sample_bytes;

  // Tables.
  const std::int32_t* depth;    // of each sample value
  const std::int32_t* inverse;  // of each sample value
  const double* ray_x;
  const double* ray_y;
  const obstacles::Direction* edges;
  const obstacles::Direction* middles;
  float bins_of_radian;
  const std::uint8_t* inside[2];  // of each cell, as the camera looks ahead, and down

  // The refinement uses pixels whose column and row are multiples of `step`.
  std::int32_t step;
  std::int32_t sample_columns;
  std::int32_t sample_rows;
  std::int32_t shared_rows;  // that fit the shared memory of a block
  GroundSample* samples;
  std::int32_t* sample_rays;  // of each attempt: what rows add to heights
  obstacles::Attempt* attempts;

  ObstacleFrame* now;
  obstacles::CellSum* cells;  // 0 at rest, as are `ground` and `rings`
  std::uint8_t* ground;       // of each cell: 1 where it has ground
  obstacles::RingSum* rings;  // those of a bearing lie together
  ObstaclePixel* pixels;
  std::uint8_t* states;
  std::uint32_t* ranges;
  std::uint32_t* tiles;   // number of occupied cells of each
  std::uint32_t* places;  // of each cell: its place among occupied ones, from 1; 0: not occupied

  // Objects found by the host. `numbers`: 1 + object of each occupied cell, or 0. `objects`: their
  // samples, 0 at first; first columns and rows are complements, so the box consists of maxima.
  std::uint8_t* numbers;
  obstacles::ObjectSamples* objects;

  ObstacleResult result;
};

// Blocks per attempt of the refinement. Without clusters, all but the first are idle.
constexpr int kGroundBlocks = 8;
constexpr int kGroundThreads = 480;

// The sample of a pixel; 0 outside of the rules' rows and columns, where there is no pixel or rays
// are too steep.
RDP_HOST_DEVICE inline unsigned sample_at(const ObstacleArguments& a, int x, int y) {
  if (x < a.rules.first_column || x >= a.rules.end_column || y < a.rules.first_row ||
      y >= a.rules.end_row) {
    return 0;
  }
  const unsigned char* const row = a.frame + y * a.frame_pitch;
  return a.sample_bytes == 1 ? row[x] : reinterpret_cast<const std::uint16_t*>(row)[x];
}

// A thread has kObstacleRows rows of a column.
constexpr int kObstacleThreads = 128;
constexpr int kObstacleRows = 4;
constexpr int kObstacleColumns = 32;
constexpr int kObstacleBlockRows = kObstacleThreads / kObstacleColumns * kObstacleRows;
// A block has a tile of cells, a thread one cell, or kCellsOfThread neighbouring ones.
constexpr int kTileCells = 512;
constexpr int kCellsOfThread = 4;
constexpr int kListThreads = kTileCells / kCellsOfThread;
// States written to the host at once, also beyond the last cell.
constexpr int kStatesAtOnce = 16;

// Number of blocks with one bearing per warp.
RDP_HOST_DEVICE inline int bearing_blocks(int bins, int threads) {
  return (bins + threads / 32 - 1) / (threads / 32);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_OBSTACLES_OBSTACLE_ARGUMENTS_H_
