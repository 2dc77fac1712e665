// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_OBJECTS_H_
#define RDP_COMMON_OBSTACLES_OBJECTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/obstacles/geometry.h"
#include "common/obstacles/parameters.h"
#include "common/obstacles/rules.h"

// Groups a frame's occupied cells, some thousands, into objects, on the host for all engines. Uses
// only integers; allocates only for more cells than before.
namespace rdp::obstacles {

// Positions of samples on the ground, in 1/128 of a cell, and the number of samples that each
// stands for.
struct SidePoints {
  const double* x;
  const double* y;
  const double* count;
  std::int64_t size;
};
// A rectangle around points: a direction, the extent u along it, and the extent w to its left.
struct Sides {
  Direction direction;
  std::int64_t u0, u1, w0, w1;
};
// The points' distances from the nearest side, in 1/128 of a cell, rounded down: their sum. All
// numbers are whole and below 2^53.
std::int64_t side_cost(const SidePoints& points, const Sides& sides);

class ObjectFinder {
 public:
  explicit ObjectFinder(std::int64_t (*cost)(const SidePoints&, const Sides&) = side_cost)
      : cost_(cost) {}

  // Finds everything but the results of finish(). `cells` are in ascending order. Throws
  // std::bad_alloc.
  void find(std::span<const OccupiedCell> cells, const FrameRules& rules,
            const ObjectRules& object_rules);
  // A byte for each cell of the grid: 1 + the number of its object; 0: none.
  const std::uint8_t* numbers() const { return numbers_.data(); }
  std::size_t count() const { return objects_.size(); }
  // The objects, the nearest first, completed with the samples of their pixels.
  void finish(std::span<const ObjectSamples> samples, const FrameRules& rules,
              std::vector<Object>* objects) const;

 private:
  std::int64_t (*cost_)(const SidePoints&, const Sides&);

  struct Point {
    std::int64_t x, y;
  };
  // Ends of a row of cell parts.
  struct Line {
    std::int64_t first, last;
  };
  struct Found {
    Object object;
    std::int32_t label;
  };

  void clear(const FrameRules& rules);
  std::int64_t collect(std::int32_t seed, std::int32_t label, const FrameRules& rules,
                       const ObjectRules& object_rules);
  void make_shape(const FrameRules& rules);
  void make_hull(std::int64_t first_row);
  Sides sides_of(int angle) const;
  int best_angle() const;
  Object rectangle(const FrameRules& rules) const;

  std::span<const OccupiedCell> cells_;
  std::vector<std::int32_t> old_cells_;  // indices whose entries below are set
  std::vector<std::int32_t> places_;     // of each cell of the grid in cells_; -1: none
  std::vector<std::uint8_t> numbers_;    // of each cell of the grid
  std::vector<std::int32_t> labels_;     // of each of cells_: its component; -1: none yet
  std::vector<std::int32_t> members_;    // places of a component's cells
  std::vector<double> middle_x_, middle_y_, middle_counts_;  // of its shape
  std::vector<Line> lines_;
  std::vector<Point> hull_;
  std::vector<Found> found_;
  std::vector<Object> objects_;
  std::vector<std::uint8_t> number_of_label_;
};

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_OBJECTS_H_
