// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_MOVING_THINGS_H_
#define RDP_COMMON_MOTION_MOVING_THINGS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/rdp/segment_list.h"

// Joins moving segments into things: a car covers hundreds of columns, but has one velocity.
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

// Means over the segments of a thing, weighted by their rows.
struct MovingThing {
  std::uint32_t first;  // the first of its segments in the list
  std::int64_t rows;    // total of its segments: its area in segment columns
  double column;        // its middle, in pixels
  double row;
  double foot_row;  // means over the lowest segment of each column: last row, and value
  double foot_value;
  double x, y, z;  // its velocity, in metres a second (or its motion, in pixels)
};

// Finds moving things. Keeps its memory between frames. Throws std::bad_alloc.
//
// Two moving segments belong to one thing if a chain connects them in which neighbours
//   - are adjacent in one column, or lie in columns with fewer than kThingGap pixels of columns
//     between them and share a row; and
//   - differ in velocity by at most half of the faster one's speed.
// So a car that passes in front of another is a separate thing.
// The result is exact and independent of order; the time is linear in the segments. Things that
// cover less than 1/kLeastThing of the picture are left out.
class MovingThings {
 public:
  // Finds the things of a frame of `width` x `height` pixels, with a move for each segment.
  // Segments with first_row > last_row, or with a last_value that is NaN or beyond +-1e9, belong to
  // no thing.
  void find(const SegmentArrays& segments, std::span<const Move> moves, int width, int height,
            int column_width);

  // The largest first; ties in the order of the list.
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
