// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CLOUDS_REFERENCE_H_
#define RDP_COMMON_PLANES_CLOUDS_REFERENCE_H_

#include <cstdint>
#include <vector>

#include "common/planes/clouds/cloud.h"
#include "common/planes/clouds/rules.h"
#include "common/planes/parameters.h"
#include "common/planes/planes.h"

// The definition of the planes of a point cloud: plain scalar code that is meant to be read.
// Faster engines are bit-identical. Nothing here is used while streaming.
//
// After F. A. Limberger and M. M. Oliveira, "Real-time detection of planar regions in unorganized
// point clouds", Pattern Recognition 2015 (an octree whose planar nodes vote in a ball).
// docs/internals/planes-definition-clouds.md says the same in words.
namespace rdp::planes::reference {

// An occupied cube of the finest level.
struct CloudCell {
  std::uint32_t key = 0;
  Moments moments;
  Statistics statistics;
  int owner = -1;  // the plane of the planar node around it
};

// A planar node of the octree: the cells from `first` to before `end`.
struct CloudNode {
  int level = 0;
  std::size_t first = 0;
  std::size_t end = 0;
  Moments moments;
  Statistics statistics;
  Fit fit;
  int owner = -1;
};

struct CloudPlane {
  Moments moments;
  Fit fit;
  std::uint64_t votes = 0;
};

struct Octree {
  CloudRules rules;
  std::vector<CloudPoint> points;
  std::vector<int> cell_of;       // of each point; -1: the point is not used
  std::vector<CloudCell> cells;   // by key
  std::vector<CloudNode> planar;  // from the root down, by key
};

// The index of the cell in that place, in cells from the root's corner; -1: it has no points.
int cell_at(const Octree& octree, int x, int y, int z);

// Finds bounds, cells and nodes. A cloud without known points has no cells.
Octree make_octree(const CloudView& cloud, const CloudSettings& settings, Counts* counts);

// Runs the rounds of votes, and merges planes that meet without a step. All cells of a planar node
// have its owner.
std::vector<CloudPlane> find_node_planes(Octree* octree, Counts* counts);

// The label of each point: 1 + the index of the nearest plane that owns a cell around, or 0.
std::vector<std::uint16_t> label_points(const Octree& octree,
                                        const std::vector<CloudPlane>& planes);

// The complete search. `labels` has a byte for each point. A cloud has at most 2^kMaxCloudBits
// points.
PlaneSet find_in_cloud(const CloudView& cloud, const Parameters& parameters, std::uint8_t* labels);

}  // namespace rdp::planes::reference

#endif  // RDP_COMMON_PLANES_CLOUDS_REFERENCE_H_
