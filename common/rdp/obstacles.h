// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_OBSTACLES_H_
#define RDP_COMMON_RDP_OBSTACLES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/image/grow_buffer.h"
#include "common/rdp/segment_list.h"

// Results from the classes of segments: a mask of the pixels' classes, and obstacles made of
// upright segments.
namespace rdp {

// The number of values in a class mask. A pixel is 0 without a segment, else SegmentClass + 1.
inline constexpr int kMaskValues = 5;

struct FrameColumns {
  int width = 0;  // of the frame, in pixels
  int height = 0;
  int column_width = 1;
};

// Writes a byte for each pixel, rows `stride` bytes apart. Unknown rows that a segment bridges get
// its class; a row that two segments share gets the upper one's.
void write_class_mask(const SegmentArrays& segments, std::span<const std::uint8_t> classes,
                      const FrameColumns& frame, std::uint8_t* mask, std::size_t stride);

struct ObstacleRules {
  // The largest difference between the values of neighbouring columns, in steps. A sixteenth of the
  // larger value is always allowed.
  double tolerance = 1.0;
  bool larger_is_nearer = true;  // disparity and inverse depth
  std::size_t most = 16;
};

// A box of pixels, ends included, and the mean value of the segments in it.
struct Obstacle {
  int first_column = 0;
  int last_column = 0;
  int first_row = 0;
  int last_row = 0;
  double value = 0.0;

  bool operator==(const Obstacle&) const = default;
};

// Finds upright obstacles. Upright segments of neighbouring columns belong to one if they share
// half of the shorter one's rows and have about the same value. Obstacles narrower than a 64th of
// the frame or lower than a 32nd are left out. Keeps its memory between frames; takes time linear
// in the segments.
class ObstacleFinder {
 public:
  // Returns up to rules.most obstacles, the nearest first, equally near ones from left to right,
  // then downwards. Valid until the next call. Throws std::bad_alloc.
  std::span<const Obstacle> find(const SegmentArrays& segments,
                                 std::span<const std::uint8_t> classes, const FrameColumns& frame,
                                 const ObstacleRules& rules);

 private:
  std::uint32_t root(std::uint32_t segment);
  void join_columns(const SegmentArrays& segments, std::span<const std::uint8_t> classes,
                    int column, const ObstacleRules& rules);

  GrowBuffer<std::uint32_t> parents_;  // of each segment; a thing's least segment is its own parent
  GrowBuffer<std::uint32_t> places_;   // index into things_ of a thing, at its least segment
  struct Thing {
    Obstacle box;
    double rows = 0.0;
  };
  std::vector<Thing> things_;
  std::vector<Obstacle> obstacles_;
};

}  // namespace rdp

#endif  // RDP_COMMON_RDP_OBSTACLES_H_
