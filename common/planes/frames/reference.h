// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_FRAMES_REFERENCE_H_
#define RDP_COMMON_PLANES_FRAMES_REFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/image/depth_view.h"
#include "common/planes/ball.h"
#include "common/planes/eigen.h"
#include "common/planes/frames/geometry.h"
#include "common/planes/ground_rules.h"
#include "common/planes/labelled_plane.h"
#include "common/planes/moments.h"
#include "common/planes/parameters.h"
#include "common/planes/planes.h"

// The definition of the planes of a depth frame: plain scalar code that is meant to be read.
// Faster engines are bit-identical. Nothing here is used while streaming.
//
// After F. A. Limberger and M. M. Oliveira, "Real-time detection of planar regions in unorganized
// point clouds", Pattern Recognition 2015 (votes of planar nodes in a ball), and E. Vera et al.,
// "Hough Transform for real-time plane detection in depth images", Pattern Recognition Letters 2018
// (quadtree of a frame). docs/internals/planes-definition.md says the same in words, and where this
// departs from them and why.
namespace rdp::planes::reference {

// A square of 8 << level pixels a side, smaller at the right and lower edge.
struct Node {
  int level = 0;
  int column = 0;  // in nodes of its level
  int row = 0;
  Moments moments;
  bool looked_at = false;
  bool planar = false;
  // For planar nodes:
  Statistics statistics;
  Fit fit;
  double tolerance2 = 0.0;  // T^2
};

struct Pyramid {
  int columns[kLevels] = {};
  int rows[kLevels] = {};
  std::vector<Node> nodes[kLevels];  // by row and column
  double noise = 0.0;                // 1/m
};

// Sums the cells and the nodes above them, finds the noise, and the planar nodes.
Pyramid look_at_nodes(const DepthView& frame, const Geometry& geometry);

// Does the same for the unlabelled pixels alone, with the frame's noise. These lie between planes,
// in parts thinner than a cell.
using Labels = std::vector<std::uint16_t>;  // of each pixel, 1 + a plane's number, or 0
Pyramid look_at_rest(const DepthView& frame, const Geometry& geometry, double noise,
                     const Labels& labels);

// The votes of nodes; a peak's filtered value and cell. Clouds' nodes vote the same way.
struct Voter {
  Fit fit;
  double tolerance2 = 0.0;  // T^2
  std::uint64_t weight = 0;
};
struct Peak {
  int direction = 0;
  int distance = 0;
  std::uint64_t votes = 0;
};
std::vector<std::uint32_t> vote(const std::vector<Voter>& voters, double angle_step,
                                const BallCells& cells);
std::vector<Peak> find_peaks(const std::vector<std::uint32_t>& votes, std::int64_t min_votes,
                             const BallCells& cells);

// A plane while planes are being made of cells.
struct CellPlane {
  Moments moments;
  Fit fit;
  std::uint64_t votes = 0;
};

// The plane of each cell, -1: none.
struct CellMap {
  std::vector<int> owner;
  std::vector<CellPlane> planes;
};

// Runs `rounds` rounds of votes. Each finds planes that a stronger parallel one suppressed as a
// peak in the previous round.
CellMap find_cell_planes(const Pyramid& pyramid, const FrameRules& rules, int rounds,
                         Counts* counts);

// Merges planes of both maps that meet without a step. Both maps then refer to the planes of `map`:
// first its own, then those of `rest_map`. Absorbed planes own no cell.
void merge_planes(const Pyramid& pyramid, const Pyramid& rest, const FrameRules& rules,
                  CellMap* map, CellMap* rest_map, Counts* counts);

// Labels of the pixels. Both maps have the planes of `map`.
Labels label_pixels(const DepthView& frame, const Geometry& geometry, const Pyramid& pyramid,
                    const CellMap& map, const CellMap& rest_map);

// Everything but metres, hulls and the ground.
struct LabelledFrame {
  std::vector<LabelledPlane> planes;
  std::vector<CellMean> means;  // of the cells, in metres
  Counts counts;
};
LabelledFrame find_labelled(const DepthView& frame, const Geometry& geometry,
                            const MutableDepthView& labels);

// The complete search. `labels` has the frame's size and type kU8, and shares no memory with it.
// The frame has 1 to kMaxSide rows and columns, and passes rays_fit().
PlaneSet find(const DepthView& frame, const MetricCamera& camera, const Parameters& parameters,
              const MutableDepthView& labels);

}  // namespace rdp::planes::reference

#endif  // RDP_COMMON_PLANES_FRAMES_REFERENCE_H_
