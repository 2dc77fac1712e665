// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CLOUDS_OCTREE_H_
#define RDP_COMMON_PLANES_CLOUDS_OCTREE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/image/grow_buffer.h"
#include "common/planes/border_merge.h"
#include "common/planes/clouds/rules.h"
#include "common/planes/clouds/sort.h"
#include "common/planes/fit_batch.h"
#include "common/planes/peak_planes.h"
#include "common/planes/planes.h"
#include "common/planes/vote_space.h"

// Computes planes of nodes from sums of cells on the CPU, bit-identical to
// common/planes/clouds/reference.h. Uses one thread, because there are only some thousand nodes.
// Keeps its memory from cloud to cloud.
namespace rdp::planes {

// The planar nodes of an octree whose finest occupied cells have known sums.
class CloudOctree {
 public:
  struct Node {
    std::uint32_t first, end;  // cells
    Moments moments;
    Statistics statistics;
    Fit fit;
    std::int32_t owner;
  };

  // Returns room for the sums of so many cells, which the caller fills in.
  Moments* start(std::size_t cells);
  void look(std::span<const PointRun> cells, const CloudRules& rules, Counts* counts);

  std::span<const Moments> cells() const { return {cells_.data(), cell_count_}; }
  // From the root down, by key.
  std::vector<Node>& planar() { return planar_; }

 private:
  struct Range {
    std::uint32_t first, end;  // cells
  };

  GrowBuffer<Moments> cells_;
  GrowBuffer<Moments> before_;  // of each cell, the sums of all cells before it
  std::size_t cell_count_ = 0;
  std::vector<Range> open_, next_;
  std::vector<Node> planar_, tried_;
  FitBatch fits_;
};

struct CloudPlane {
  Moments moments;
  Fit fit;
  std::uint64_t votes = 0;
};

// reference::find_node_planes().
class CloudPlaneFinder {
 public:
  // Finds the planes of nodes, before adjacent ones are merged.
  void find(const CloudRules& rules, VoteSpace* space, std::vector<CloudOctree::Node>* nodes,
            Counts* counts);
  // Merges them. Afterwards root()[plane] is the plane that each belongs to.
  void merge(const CloudRules& rules, const std::vector<PlaneBorder>& borders, Counts* counts);

  const std::vector<CloudPlane>& planes() const { return planes_; }
  const std::vector<int>& root() const { return root_; }

 private:
  using Node = CloudOctree::Node;

  void add_planes(const CloudRules& rules, const BallCells& cells);
  void assign(const CloudRules& rules, std::vector<Node>* nodes);
  void drop_small(std::int64_t least, std::vector<Node>* nodes);

  std::vector<CloudPlane> planes_;
  std::vector<Node*> voters_;
  std::vector<VotePeak> peaks_;
  PeakPlanes<CloudPlane> of_peaks_;
  std::vector<std::int32_t> number_;
  std::vector<int> root_;
  std::vector<std::int64_t> best_;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_OCTREE_H_
