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

// Adds an arrow: bright, with a dark edge, so that it is seen on anything. `zoom` is the thickness
// of its shaft. One of no length is a dot. Where its lines lie is rounded once.
void add_arrow(Spot from, Spot to, int zoom, PaintedLines* lines);

// Arrows with what they say beside them. Keeps its memory between pictures. Throws std::bad_alloc.
class Arrows {
 public:
  void begin(int width, int height, int zoom);
  // No text is put there.
  void keep_free(const Box& box) { texts_.keep_free(box); }
  // One that says `speed` m/s; below 0: nothing.
  void add(Spot from, Spot to, double speed);
  // After the last one: puts what they say beside them, the first one's first, each where there is
  // room and no arrow's point.
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
