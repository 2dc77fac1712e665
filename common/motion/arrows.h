// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_ARROWS_H_
#define RDP_COMMON_MOTION_ARROWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/image/rgba_view.h"
#include "common/rdp/painted_lines.h"
#include "common/rdp/painted_texts.h"

namespace rdp::motion {

inline constexpr Pixel kArrowPixel = pixel(255, 255, 255);

// Adds a bright arrow with a dark edge, visible on any background. `zoom` is the thickness of its
// shaft. An arrow of zero length is a dot. Positions of its lines are rounded once.
void add_arrow(Spot from, Spot to, int zoom, PaintedLines* lines);

// Arrows with their texts. Keeps its memory between pictures. Throws std::bad_alloc.
class Arrows {
 public:
  void begin(int width, int height, int zoom);
  // Keeps texts out of the box.
  void keep_free(const Box& box) { texts_.keep_free(box); }
  // Adds an arrow with the text `speed`, in m/s; below 0: no text.
  void add(Spot from, Spot to, double speed);
  // Places the texts beside their arrows, in the order of add(), each where there is room and no
  // arrow's tip. Call it after the last add().
  void put_texts();

  void paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order, int first_row,
             int end_row) const;

  std::size_t size() const { return ways_.size(); }
  std::size_t texts() const { return texts_.size(); }

 private:
  struct Way {
    Spot from;
    Spot to;
    double speed;
  };

  int zoom_ = 1;
  std::vector<Way> ways_;
  PaintedLines lines_;
  PaintedTexts texts_;
};

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_ARROWS_H_
