// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_SUPPORT_H_
#define RDP_COMMON_MOTION_SUPPORT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/image/grow_buffer.h"
#include "common/motion/input.h"
#include "common/motion/parameters.h"

// Matches tracks with segments: motion.md, section 6.
namespace rdp::motion {

inline constexpr int kRowMargin = 8;  // rows from a segment's end to a track that still supports it

// A track of a frame on the depth picture.
struct Placed {
  double u = 0.0;  // px of the depth picture
  double v = 0.0;
  bool has_place = false;  // (u, v) are usable, inside or outside the picture
  int column = 0;          // the pixel column of its own segment; valid with a measure
  std::uint8_t kind = 0;   // the class of that segment; 0 where there are none
  double measure = 0.0;    // of that segment's line at v: px of disparity, or m; 0: there is none
};

// A track's own segment is the one that holds its pixel; where two share a row, the upper one.
Placed place_track(const klt::Track& track, const Input& input);

// The tracks of a frame by columns, for all of its segments.
class Supports {
 public:
  // Makes room. Throws std::bad_alloc.
  void begin(std::size_t tracks, int width);
  // Indexes the tracks of `placed` that have a measure and are old enough. `ages`: the tracker's,
  // one per track.
  void index(std::span<const Placed> placed, std::span<const std::uint32_t> ages,
             const Input& input, const Parameters& parameters);

  // Begins a column; `column` counts segment columns, not pixels.
  void enter_column(int column, const Input& input, const Parameters& parameters);
  // The tracks that support a segment of that column, as indices of `placed`: ordered by pixel
  // column, then by index. Valid until the next call.
  std::span<const std::uint32_t> of(const Segment& segment, std::uint8_t kind, const Input& input);

 private:
  struct Entry {
    double v;
    double measure;
    double tolerance;
    std::uint32_t track;
    std::uint8_t kind;
  };

  GrowBuffer<std::uint32_t> starts_;  // of each pixel column's entries, and their number
  GrowBuffer<Entry> entries_;
  GrowBuffer<std::uint32_t> found_;
  std::span<const Entry> near_;  // of the columns within reach
};

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_SUPPORT_H_
