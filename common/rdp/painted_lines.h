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

// Lines over a picture, for the painters whose pictures are made of lists: of tracks, of motion.
namespace rdp {

// The pixel in which a place of a frame lies on a picture; pixel centres are whole numbers. False
// where it is not finite, or so far outside that nothing is seen of what is painted there: then the
// spot is left as it is.
bool place_spot(double x, double y, const FramePlacement& placement, Spot* spot);

// The lines of a picture. Keeps its memory between pictures. Throws std::bad_alloc.
class PaintedLines {
 public:
  void clear() { lines_.clear(); }
  // From spot to spot, both of place_spot() or a few pixels beside such: each pixel of the line is
  // a square of `thickness`, whose upper left corner is `before` pixels left of and above it.
  void add(Spot from, Spot to, Pixel colour, int thickness, int before = 0);

  // Paints what of them lies in rows [first_row, end_row), the later ones over those before; all
  // other pixels stay as they are. Different rows may be painted from different threads.
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
