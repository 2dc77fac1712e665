// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_FRAMES_CELL_PLANES_H_
#define RDP_COMMON_PLANES_FRAMES_CELL_PLANES_H_

#include <cstdint>
#include <vector>

#include "common/planes/eigen.h"
#include "common/planes/fit_batch.h"
#include "common/planes/frames/geometry.h"
#include "common/planes/moments.h"
#include "common/planes/peak_planes.h"
#include "common/planes/pictures/overlay_style.h"
#include "common/planes/planes.h"
#include "common/planes/vote_space.h"

// Computes planes of cells from sums of cells on the CPU, bit-identical to
// common/planes/frames/reference.h. Uses one thread, because there are at most some thousand cells.
// Keeps its memory from frame to frame.
namespace rdp::planes {

// A quadtree of sums, and its planar nodes.
class NodePyramid {
 public:
  struct PlanarNode {
    int level, column, row;
    Moments moments;
    Statistics statistics;
    Fit fit;
    double tolerance2;  // T^2
  };

  // Returns the cells' sums, set to 0, by row and column; the caller fills them in.
  Moments* start(const FrameRules& rules);
  // Makes the nodes above them. `measured`: noise in 1/m; below 0: it is measured. The rules' noise
  // takes precedence. `fill`: minimum share of known pixels in a node.
  void look(const FrameRules& rules, double measured, double fill);

  double noise() const { return noise_; }
  // From the largest to the smallest, by row and column.
  const std::vector<PlanarNode>& planar() const { return planar_; }
  const std::vector<Moments>& cells() const { return moments_[0]; }
  // The statistics of a cell with pixels.
  const Statistics& cell(std::size_t i) const { return statistics_[i]; }
  std::int64_t nodes() const { return nodes_; }  // nodes examined
  // All of these as squares: see list_squares().
  void list(const FrameRules& rules, std::vector<NodeSquare>* squares) const;

 private:
  void measure_noise(const FrameRules& rules);

  int columns_[kLevels] = {};
  int rows_[kLevels] = {};
  std::vector<Moments> moments_[kLevels];
  std::vector<std::uint8_t> closed_[kLevels];  // skipped: a node above is planar
  std::vector<Statistics> statistics_;         // of the cells
  std::vector<PlanarNode> planar_;
  std::vector<PlanarNode> tried_;
  std::vector<double> deviations_;
  FitBatch fits_;
  double noise_ = 0.0;
  std::int64_t nodes_ = 0;
};

struct CellPlane {
  Moments moments;
  Fit fit;
  std::uint64_t votes = 0;
  bool changed = false;  // by a merge, or it is one of the rest
};

// The plane of each cell, -1: none.
struct CellMap {
  std::vector<std::int32_t> owner;
  std::vector<CellPlane> planes;
};

class CellPlaneFinder {
 public:
  // reference::find_cell_planes().
  void find(const NodePyramid& pyramid, const FrameRules& rules, int rounds, VoteSpace* space,
            CellMap* map, Counts* counts);
  // reference::merge_planes().
  void merge(const NodePyramid& pyramid, const NodePyramid& rest, const FrameRules& rules,
             CellMap* map, CellMap* rest_map, Counts* counts);

 private:
  using Node = NodePyramid::PlanarNode;

  void choose_voters(const NodePyramid& pyramid, const FrameRules& rules, int round,
                     const CellMap& map);
  bool make_planes(const FrameRules& rules, const BallCells& cells, CellMap* map);
  void split(const NodePyramid& pyramid, const FrameRules& rules, CellMap* map);
  void grow(const NodePyramid& pyramid, const FrameRules& rules, CellMap* map);
  void refit(const NodePyramid& pyramid, const FrameRules& rules, CellMap* map);

  struct Taken {
    int row, column;
    std::int32_t plane;
  };
  struct Border {
    int p, q;
    std::int64_t steps;
    std::int64_t tolerances;
  };
  void add_border(const CellMap& map, int p, const double* cell_of_p, int q,
                  const double* cell_of_q, const FrameRules& rules, double slope);

  std::vector<const Node*> voters_;
  std::vector<VotePeak> peaks_;
  std::vector<std::int32_t> plane_of_;
  PeakPlanes<CellPlane> of_peaks_;
  std::vector<CellPlane> found_;
  std::vector<CellPlane> assigned_;
  std::vector<std::int32_t> part_;
  std::vector<std::int32_t> number_;
  std::vector<Taken> taken_;          // in this pass
  std::vector<Taken> changed_;        // in the previous pass
  std::vector<std::uint8_t> looked_;  // the last pass that examined a cell again
  std::vector<Border> borders_;
  std::vector<std::int32_t> border_of_;  // heads of the lists of borders by their lower plane
  std::vector<std::int32_t> next_border_;
  std::vector<int> root_;
  std::vector<std::int64_t> best_;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_FRAMES_CELL_PLANES_H_
