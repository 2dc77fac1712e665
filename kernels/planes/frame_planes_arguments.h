// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_FRAME_PLANES_ARGUMENTS_H_
#define RDP_KERNELS_PLANES_FRAME_PLANES_ARGUMENTS_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/planes/ball.h"
#include "common/planes/cell_rules.h"
#include "common/planes/eigen.h"
#include "common/planes/frame_rules.h"
#include "common/planes/ground_rules.h"
#include "common/planes/limits.h"
#include "common/planes/moments.h"

namespace rdp::cuda {

// A part of a plane has at least max(1, pixels / 768) pixels, rounded down, so there are at most
// 768 + 767 parts. (From 768 pixels on, a part has at least k = pixels / 768. So 768 k + r pixels
// hold at most 768 + r / k parts. Smaller frames have fewer cells than that.)
constexpr int kMaxParts = 1536;
// Owners of cells from here on are planes made in this round: kNewPlanes + the number of their
// VotePlane.
constexpr int kNewPlanes = 1 << 16;

// The value of an unknown pixel, in place of a label.
constexpr std::uint16_t kUnknownPixel = 0x8000;
constexpr std::uint32_t kNoSlot = 0xFFFFFFFFU;

// A node that is planar, whatever its parent is.
struct PlanarNode {
  planes::Statistics statistics;
  planes::Fit fit;
  double tolerance2;
};

// A node that votes in this round.
struct Voter {
  std::uint32_t node;
  std::uint32_t pixels;
  std::uint32_t peak;  // kNoSlot: none
};

struct VotePeak {
  std::uint32_t cell;  // of the ball
  std::uint32_t votes;
  std::uint32_t pixels;  // of its voters
  std::uint32_t unused;
  unsigned long long largest;  // largest voter: pixels, complement of its node's number; 0: none
};

// A plane of a peak's voters.
struct VotePlane {
  planes::Fit fit;
  std::uint32_t cell;    // of its peak
  std::uint32_t votes;   // of its peak
  std::uint32_t pixels;  // of the nodes that are assigned to it
  std::uint32_t unused;
};

// A plane of either pyramid, alone or with those that were merged into it.
struct MergedPlane {
  planes::Moments moments;
  planes::Statistics statistics;
  planes::Fit fit;
};

// Two cells of a plane that belong to the same part; then the first cells of their pieces.
struct SplitJoint {
  std::uint32_t one;
  std::uint32_t two;
};
constexpr int kMaxSplitJoints = 5;  // of a cell
// Sections of 32 cells in a row.
RDP_HOST_DEVICE inline int split_sections(int columns) { return (columns + 31) / 32; }

// Two planes that touch, and the result of the attempt to merge them.
struct PlaneBorder {
  std::uint32_t place;  // in the table
  std::uint32_t key;    // key in the table; 0: they cannot merge
  std::uint32_t fits;
  std::uint32_t unused;
  unsigned long long rank;  // among the borders of a plane
  planes::Statistics joint_statistics;
  planes::Fit joint;
};

// Counts of a round.
struct RoundCounters {
  std::uint32_t voted;            // cells of the ball
  std::uint32_t peak_candidates;  // cells with enough votes for a peak
  std::uint32_t voters;
  std::uint32_t peaks;
  std::uint32_t planes;
  std::uint32_t kept;    // planes that have enough pixels
  std::uint32_t joints;  // of the split
};

// Counts of a frame; zero before its second kernel.
struct FrameCounters {
  unsigned long long known;
  std::uint32_t nodes;
  std::uint32_t planar_nodes;
  std::uint32_t noise_nodes;
  std::uint32_t unused;
  std::uint32_t borders;
  std::uint32_t merged;
  std::uint32_t parts;  // of pixels
  std::uint32_t slots;  // of parts with enough pixels
  std::uint32_t kept;
  std::uint32_t rows;  // finished rows
  double noise;        // 1/m
  unsigned long long under[planes::kMaxPlanes + 1];
};

// A pyramid of nodes, and which plane owns its cells.
struct PlaneCells {
  planes::Moments* moments;   // of all nodes
  planes::Moments* row_sums;  // of cells: prefix sums along the row, this cell included
  PlanarNode* nodes;
  unsigned char* planar;
  std::int32_t* owner;     // after the split
  std::int32_t* grown;     // after the growth: what the next step reads
  planes::Fit* part_fits;  // kMaxParts, as are their pixels and votes
  std::uint32_t* part_pixels;
  std::uint32_t* part_votes[2];  // by the round's parity
  std::uint32_t* part_count;
};

// A plane of the result, as the host reads it.
struct FoundPlane {
  planes::Moments moments;
  planes::Fit fit;
  unsigned long long votes;
  unsigned long long under;
};

// Bits for each of 32 rows: 1 if its first or last pixel may be a corner of a plane's hull.
struct CornerRows {
  std::uint32_t firsts;
  std::uint32_t lasts;
};
RDP_HOST_DEVICE inline int corner_words(int height) { return (height + 31) / 32; }

struct FrameResult {
  std::int64_t known;
  std::int64_t nodes;
  std::int64_t planar_nodes;
  std::int64_t voters;
  std::int64_t peaks;
  std::int64_t small;
  std::int64_t thick;
  std::int64_t surplus;
  std::int64_t merged;
  double noise;
  std::int32_t count;
  std::int32_t unused;
  FoundPlane planes[planes::kMaxPlanes];
};

// Page-locked memory of the host. By plane and row, `extents` has the first column in the lower
// half and the last one in the upper half. Rows without corners are not written; first > last means
// no pixel.
struct ResultMemory {
  FrameResult* frame;
  CornerRows* corner_rows;
  std::uint32_t* extents;
};

// Arguments of all kernels rdp_planes_* of frames; most need a part of them only.
struct FramePlanesArguments {
  planes::FrameRules rules;
  planes::BallView ball;
  planes::GroundRules ground;  // its factor needs the frame's noise
  const unsigned char* frame;
  std::int64_t frame_pitch;
  unsigned char* result_labels;
  std::int64_t result_pitch;
  std::int32_t sample_bytes;
  std::int32_t level_columns[planes::kLevels];
  std::int32_t level_rows[planes::kLevels];
  std::int32_t level_start[planes::kLevels + 1];  // node numbers begin with the largest nodes
  std::int32_t node_count;
  std::int32_t cell_count;
  const std::int32_t* ray_x;
  const std::int32_t* ray_y;
  const std::int32_t* depth;
  const std::uint32_t* shares;

  PlaneCells cells;       // that the kernel works on
  PlaneCells main_cells;  // all pixels
  PlaneCells rest_cells;  // those without a label
  double fill;            // minimum known share of a node
  std::int32_t round;     // of the counters
  std::int32_t first_round;
  std::int32_t rounds;  // all
  std::int32_t is_rest;
  std::int32_t has_rest;  // the rest's planes are there, too

  FrameCounters* counters;
  RoundCounters* round_counters;
  unsigned long long* deviations;
  std::uint32_t* votes;
  std::uint32_t* filtered;
  std::uint32_t* voted;
  std::uint32_t* peak_candidates;
  Voter* voters;
  VotePeak* peaks;
  VotePlane* planes;
  std::uint32_t* split_parents;  // the first cell of a cell's piece, then of its part
  std::int32_t* split_keys;      // the plane that owns a cell
  std::int32_t* split_counts;    // pixels of pieces
  SplitJoint* split_joints;
  std::int32_t split_in_shared;

  std::uint32_t* border_keys;
  unsigned long long* border_sums;  // steps and tolerances
  PlaneBorder* borders;
  std::uint32_t border_mask;
  std::int32_t* roots;  // 2 * kMaxParts
  planes::PixelPlane* pixel_planes;
  MergedPlane* merged;
  std::uint32_t* merged_votes;

  std::uint16_t* labels;    // of the planes nearby
  std::uint16_t* smoothed;  // by their neighbours
  std::uint32_t* parents;
  std::uint32_t* sizes;
  std::uint32_t* totals;
  std::uint32_t* pixel_slots;
  std::uint32_t* first_of_label;
  planes::Moments* slot_moments;
  std::uint32_t* slot_first;
  std::uint32_t* slot_votes;
  std::uint32_t* slot_label;            // in the result
  planes::GroundCandidate* candidates;  // the planes of the result

  std::uint32_t* row_extents;  // of all rows and planes

  ResultMemory result;
};

constexpr int kRowNumbers =
    sizeof(planes::Moments) / sizeof(std::uint64_t);  // of the sums of a row
constexpr int kPlaneCellThreads = 256;
constexpr int kPlaneBlockCells = 4;  // side of a block's square of cells
constexpr int kPlaneThreads = 256;
constexpr int kNodeThreads = 128;
constexpr int kVoteThreads = 256;
constexpr int kVoteNodes = 8;         // fewest nodes that a block tests for voting
constexpr int kMaxVoteBlocks = 1024;  // more of them in larger frames
constexpr int kFitThreads = 128;
constexpr int kSplitThreads = 1024;
constexpr int kGrowThreads = 512;
constexpr int kGrowTile = 16;
constexpr int kMergeThreads = 512;
constexpr int kSelectThreads = 512;
// Tiles of rdp_planes_smooth, a pixel for each thread, and rows of a block of rdp_planes_gather.
constexpr int kPlaneTileColumns = 32;
constexpr int kPlaneTileRows = 8;
constexpr int kGatherRows = 8;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_FRAME_PLANES_ARGUMENTS_H_
