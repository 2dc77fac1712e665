// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_HEIGHTMAP_GROUND_ARGUMENTS_H_
#define RDP_KERNELS_HEIGHTMAP_GROUND_ARGUMENTS_H_

#include <cstdint>

#include "common/heightmap/head_cells.h"
#include "common/heightmap/plane.h"
#include "kernels/primitives/key_table.h"

namespace rdp::cuda {

// Labels of the reference image, row by row, and the heights that they stand for.
struct LabelPicture {
  unsigned char* labels;
  const heightmap::Plane* planes;  // of the labels
  std::int32_t width;
  std::int32_t height;
  std::int32_t unknown;  // label without a height; also the number of heights
  std::int32_t min_height;
  std::int32_t height_step;
};

// Counts of a set of labels.
struct GroundCounters {
  unsigned long long known;  // pixels
  std::uint32_t tiles;
  std::uint32_t heads;
  std::uint32_t counted;  // heads whose votes are counted by label
};

// Sums over a head's pixels. With few votes its height is that of the highest one, which `best`
// holds. With more votes a lower one decides, so votes are counted by label.
struct HeadSums {
  std::uint32_t cell;
  std::uint32_t votes;
  std::uint32_t counts;  // its LabelVotes, or kNotCounted
  std::uint32_t unused;
  unsigned long long x, y;  // sums of coordinates in millimetres, modulo 2^64
  unsigned long long best;  // highest label, and of its pixels the first: see best_vote()
};
constexpr std::uint32_t kNotCounted = 0xFFFFFFFFU;

struct LabelVotes {
  std::uint32_t votes;
  std::uint32_t first;  // pixel
};

RDP_HOST_DEVICE inline unsigned long long best_vote(std::uint32_t label, std::uint32_t pixel) {
  return static_cast<unsigned long long>(label) << 32 | (0xFFFFFFFFU - pixel);
}

// A found head, in page-locked memory. The host sorts heads by `cell`.
struct FoundHead {
  std::uint32_t cell;
  std::int32_t column, row;
  std::int32_t x, y;
  std::int32_t height;
  std::int32_t votes;
};
struct GroundReport {
  unsigned long long known;
  unsigned long long heads;
};

// Arguments of all kernels of speckles and heads, rdp_speckles_* and rdp_heads_*. See
// kernels/README.md.
struct GroundArguments : LabelPicture {
  std::int32_t speckle;  // pixels of the largest speckle; 0: keep all
  std::int32_t least;    // fewest votes of a head

  // See primitives/component_sizes.cuh.
  std::uint32_t* parents;
  std::uint32_t* sizes;

  GroundCounters* counters;  // zeros at first
  // Cells with votes; for each its votes, and the number of its head, from 1.
  KeyTable cells;
  std::uint32_t* cell_votes;  // zeros at first
  std::uint32_t* cell_heads;
  std::uint32_t* places;  // by pixel: index of the cell that it votes for, or kNoPlace
  // Tiles of kHeadTile x kHeadTile cells that contain votes.
  KeyTable tiles;
  std::uint32_t* tile_list;

  HeadSums* heads;
  LabelVotes* label_votes;  // by LabelVotes number and label

  FoundHead* found;
  GroundReport* report;
};

// Arguments of the kernels that write samples of 16 bits, rdp_ground_*.
struct GroundSamplesArguments : LabelPicture {
  unsigned char* samples;
  std::int64_t pitch;  // bytes
  std::int32_t columns;
  std::int32_t rows;
  double axis;  // heightmap::axis_length()
  // heightmap::GroundGrid, of rdp_ground_draw.
  std::int32_t x;
  std::int32_t y;
  std::int32_t cell;
};

// Tiles of pixels, a thread for each.
constexpr int kGroundColumns = 32;
constexpr int kGroundRows = 8;
constexpr int kGroundThreads = kGroundColumns * kGroundRows;
// Rows of a block of rdp_speckles_gather, each thread with a column.
constexpr int kGroundStripRows = 8;
// The part of a block of rdp_ground_clear, eight neighbouring samples for each thread.
constexpr int kClearColumns = 256;
constexpr int kClearRows = 8;

// Cells of a tile in a row and a column.
constexpr int kHeadTileBits = 4;
constexpr int kHeadTile = 1 << kHeadTileBits;
constexpr int kFindThreads = 256;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_HEIGHTMAP_GROUND_ARGUMENTS_H_
