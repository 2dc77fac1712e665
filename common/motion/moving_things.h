// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_MOVING_THINGS_H_
#define RDP_COMMON_MOTION_MOVING_THINGS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/rdp/segment_list.h"

// Joins moving segments into things: a car is seen in hundreds of columns, and has one velocity to
// be told.
namespace rdp::motion {

// The motion of a segment, in 1/1024 of a metre a second (or of a pixel), within +-kMaxMove.
struct Move {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t z = 0;
  bool moves = false;  // false: it is no part of a thing
};
inline constexpr std::int32_t kMoveOne = 1024;
inline constexpr std::int32_t kMaxMove = 1 << 24;

// Means over the segments of a thing, by the rows of each.
struct MovingThing {
  std::uint32_t first;  // the first of its segments in the list
  std::int64_t rows;    // of all its segments together: its area in columns of segments
  double column;        // its middle, in pixels
  double row;
  double foot_row;  // of the lowest segment in each of its columns: the last row, and the value
  double foot_value;
  double x, y, z;  // its velocity, in metres a second (or its motion, in pixels)
};

// Finds them. Keeps its memory between frames. Throws std::bad_alloc.
//
// Two moving segments are of one thing where a chain leads from one to the other in which
// neighbours
//   - are in one column, one below the other with nothing between them, or in columns so near that
//     less than kThingGap pixels of columns lie between them, in rows of which they share one; and
//   - differ in velocity by no more than half of the faster one's speed: so a car that passes
//     before another is a thing of its own.
// That is exact, does not depend on an order, and takes a time in proportion to the segments. What
// covers less than 1/kLeastThing of the picture is left out.
class MovingThings {
 public:
  // Finds the things of a frame of `width` x `height` pixels, with a move for each segment.
  // Segments whose rows are not in the order of a list, or with NaN values, are no part of a thing.
  void find(const SegmentArrays& segments, std::span<const Move> moves, int width, int height,
            int column_width);

  // The largest first; of equally large ones the first of the list.
  std::span<const MovingThing> things() const { return things_; }

 private:
  struct Sums {
    std::uint32_t first;
    std::int64_t rows, columns, middles, x, y, z;
    std::int64_t feet, foot_rows;
    double foot_values;
  };

  std::uint32_t root_of(std::uint32_t segment);
  void join(std::uint32_t a, std::uint32_t b, std::span<const Move> moves);
  void join_columns(int a, int b, const SegmentArrays& segments, std::span<const Move> moves);

  std::vector<std::uint32_t> moving_;  // the segments that move, by columns
  std::vector<std::uint32_t> starts_;  // of each column in moving_, and their number
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint32_t> sums_of_;  // of each segment's root
  std::vector<Sums> sums_;
  std::vector<MovingThing> things_;
};

inline constexpr int kThingGap = 16;
inline constexpr int kLeastThing = 4096;

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_MOVING_THINGS_H_
