// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_CLOUD_PLANES_ARGUMENTS_H_
#define RDP_KERNELS_PLANES_CLOUD_PLANES_ARGUMENTS_H_

#include <cstdint>

#include "common/planes/ball.h"
#include "common/planes/clouds/hull.h"
#include "common/planes/clouds/rules.h"
#include "common/planes/eigen.h"
#include "common/planes/ground_rules.h"
#include "common/planes/limits.h"
#include "common/planes/moments.h"

namespace rdp::cuda {

// The order statistics behind the bounds are selected by three digits of the floats' bits.
constexpr int kCloudPasses = 3;
constexpr int kDigitBits = 11;
constexpr int kLowDigitBits = 10;
constexpr int kDigitValues = 1 << kDigitBits;
// For each axis, the value near the lower end and that near the upper one.
constexpr int kSelections = 6;

constexpr std::uint32_t kNoCell = 0xFFFFFFFFU;
constexpr int kNearPlanes = 4;  // stored per cell; with more, its points search the cells around
constexpr std::uint16_t kNoPlane = 0xFFFF;
constexpr std::uint16_t kMorePlanes = 0xFFFE;

// 32 keys: a bit for each key with points, and the number of such keys before these.
struct alignas(8) KeyWord {
  std::uint32_t bits;
  std::uint32_t before;
};

// A visited planar node of the octree: cells [first, end).
struct CloudNode {
  planes::Moments moments;
  planes::Statistics statistics;
  planes::Fit fit;
  std::uint32_t first;
  std::uint32_t end;
  std::uint32_t order;  // of level, then key
  std::int32_t owner;   // -1: none
};

struct CloudVoter {
  std::uint32_t node;
  std::uint32_t peak;  // kNoCell: none
};

struct BallPeak {
  std::uint32_t cell;
  std::uint32_t votes;
};

struct CloudPeak {
  BallPeak peak;
  unsigned long long points;   // of its voters
  unsigned long long largest;  // largest voter: points, complement of its order; 0: none
};

struct CloudPlane {
  planes::Moments moments;  // no points: none, or merged into another one
  planes::Fit fit;
  unsigned long long votes;
};

// Planes that own a cell or one around it, and their distances from the cell's corner.
struct CellNear {
  std::uint16_t plane[kNearPlanes];
  std::int32_t offset[kNearPlanes];
};

// The parts of a plane that points need.
struct PointPlane {
  std::int32_t normal[3];
  std::int32_t limit;
};

struct CloudRound {
  std::uint32_t voted;  // cells of the ball
  std::uint32_t voters;
  std::uint32_t candidates;  // for peaks
  std::uint32_t peaks;
};

// The state of a cloud between the kernels; zeros before the first one.
struct CloudState {
  planes::CloudRules rules;
  std::uint32_t finite;
  std::uint32_t known;
  std::uint32_t highest[3];            // see ordered()
  std::uint32_t lowest[3];             // complements
  std::uint32_t chosen[kSelections];   // digits so far
  std::uint32_t rank[kSelections];     // among the values with these digits
  std::uint32_t blocks[kCloudPasses];  // finished blocks
  std::uint32_t cells;
  std::uint32_t nodes;
  std::uint32_t planar;
  std::uint32_t planes;
  std::uint32_t borders;
  std::uint32_t merged;
  std::uint32_t kept;
};

// A plane of the result, as the host reads it.
struct FoundCloudPlane {
  planes::Moments moments;
  planes::Fit fit;
  unsigned long long votes;
  unsigned long long under;
  planes::CloudPoint corners[planes::kHullDirections];
};

// In page-locked memory of the host.
struct CloudResult {
  planes::CloudRules rules;
  std::int64_t finite;
  std::int64_t known;
  std::int64_t nodes;
  std::int64_t planar_nodes;
  std::int64_t voters;
  std::int64_t peaks;
  std::int64_t small;
  std::int64_t thick;
  std::int64_t surplus;
  std::int64_t merged;
  std::int32_t count;
  std::int32_t unused;
  FoundCloudPlane planes[planes::kMaxPlanes];
};

// Arguments of all kernels rdp_cloud_*; most need a part of them only.
struct CloudPlanesArguments {
  planes::CloudSettings settings;
  planes::GroundRules ground;
  planes::BallView ball;
  const std::uint32_t* shares;
  const double* cosines;  // planes::kHullCosines
  const unsigned char* points;
  std::int64_t step;
  std::int32_t point_count;
  std::int32_t is_aligned;  // points are aligned to floats
  unsigned char* labels;
  std::int32_t pass;  // of the bounds
  std::int32_t round;

  CloudState* state;
  CloudRound* rounds;
  std::uint32_t* digits;        // counts: see digit_counts()
  std::uint32_t* occupied;      // a bit for each key
  std::uint32_t* point_cells;   // cell of each point, at first its key; kNoCell: unused
  std::uint16_t* point_planes;  // 1 + number of the nearest plane, or 0
  std::uint32_t* word_totals;
  KeyWord* words;
  std::uint32_t* cell_keys;
  planes::Moments* cells;
  planes::Moments* chunk_totals;
  planes::Moments* before;    // sums of all cells before each cell, then of all
  std::uint32_t* node_flags;  // by a node's first cell: a bit of its level, planar or dropped
  std::int32_t* owners;       // of cells
  CellNear* near;

  CloudNode* planar;
  std::uint32_t* votes;  // zeros at rest
  std::uint32_t* filtered;
  std::uint32_t* voted;
  std::uint32_t* peak_candidates;
  CloudVoter* voters;
  BallPeak* found_peaks;
  CloudPeak* peaks;  // kCloudPlanes, by cell
  CloudPlane* planes;
  planes::Moments* plane_sums;
  std::int32_t* numbers;  // new numbers of planes; -1: dropped

  unsigned long long* border_steps;  // of each pair of planes
  std::uint32_t* border_pairs;
  std::uint32_t* borders;  // pairs that may merge
  std::int32_t* roots;
  std::int32_t* into;
  unsigned long long* best;
  PointPlane* point_views;

  planes::Moments* label_sums;
  std::uint32_t* label_first;    // complement of the first point
  std::uint32_t* final_labels;   // of 1 + number
  planes::HullAxes* axes;        // of planes of the result
  unsigned long long* farthest;  // kHullDirections each
  unsigned long long* under;
  planes::GroundCandidate* candidates;
  CloudResult* result;
};

constexpr int kCloudThreads = 256;
constexpr int kCloudVoteThreads = 128;
constexpr int kRankWords = 4;      // of a thread of rdp_cloud_ranks
constexpr int kCloudChunks = 256;  // of cells that are summed together, at most
constexpr int kDropThreads = 256;
constexpr int kCloudMergeThreads = 512;
constexpr int kCloudSelectThreads = 256;
constexpr int kSharedPlanes = 64;  // whose points a block sums in shared memory

constexpr int kSharedHulls = 64;  // whose hull corners it finds there

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_CLOUD_PLANES_ARGUMENTS_H_
