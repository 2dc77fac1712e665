// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_PAINTED_LINES_H_
#define RDP_COMMON_RDP_PAINTED_LINES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/image/rgba_view.h"
#include "common/rdp/overlay_pixels.h"
#include "common/rdp/painted_marks.h"
#include "common/rdp/placed_segments.h"

// Lines over a picture, for painters that draw lists of tracks or motions.
namespace rdp {

// Finds the pixel of a picture that shows a place of a frame; pixel centres are whole numbers.
// False, and the spot unchanged, if it is not finite or too far outside to be visible.
bool place_spot(double x, double y, const FramePlacement& placement, Spot* spot);

// The lines of a picture. Keeps its memory between pictures. Throws std::bad_alloc.
class PaintedLines {
 public:
  void clear() { lines_.clear(); }
  // Adds a line between two spots of place_spot(), or a few pixels beside them. Each pixel of the
  // line is painted as a square of `thickness`, whose upper left corner is `before` pixels left of
  // and above it.
  void add(Spot from, Spot to, Pixel colour, int thickness, int before = 0);

  // Paints the lines in rows [first_row, end_row), later ones over earlier ones; all other pixels
  // stay as they are. Different rows may be painted from different threads.
  void paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order, int first_row,
             int end_row) const;

  std::size_t size() const { return lines_.size(); }
  // In the order in which they are painted.
  std::span<const PaintedLine> lines() const { return lines_; }

 private:
  std::vector<PaintedLine> lines_;
};

}  // namespace rdp

#endif  // RDP_COMMON_RDP_PAINTED_LINES_H_
