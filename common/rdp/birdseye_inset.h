// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_BIRDSEYE_INSET_H_
#define RDP_COMMON_RDP_BIRDSEYE_INSET_H_

#include <cstdint>
#include <vector>

#include "common/image/box.h"
#include "common/image/camera.h"
#include "common/image/rgba_view.h"
#include "common/rdp/birdseye.h"
#include "common/rdp/parameters.h"
#include "common/rdp/placed_segments.h"
#include "common/rdp/segment_list.h"

namespace rdp {

// The size of a bird's-eye view and of a cell of its text, in pixels; zoom 0: neither text nor
// grid.
struct BirdseyeSize {
  int width = 0;
  int height = 0;
  int zoom = 0;
};

// An inset of a picture: a panel with a bird's-eye view, `pad` pixels from the panel's edges.
struct InsetPlace {
  Box panel{};
  int pad = 0;
  BirdseyeSize view;
};

// Places the bird's-eye view of a camera in a corner of a picture, with a margin. The camera's
// frames are `frame_width` wide. The panel has `part` of the picture's width, if the height allows.
// At its upper end the view is as wide as the camera's field of view, but at least as wide as high.
// The camera is in the middle. Text is at most as large as in other pictures of that size, and
// smaller if four grid lines would not have room.
InsetPlace place_inset(const MetricCamera& camera, int frame_width, int picture_width,
                       int picture_height, double part, bool right, bool bottom);

// A bird's-eye view (birdseye.h) of any size. Works on one frame at a time, and keeps its memory
// between frames. Throws std::bad_alloc.
class BirdseyeInset {
 public:
  // Paints the segments that `parameters` gave for a frame of `width` x `height` pixels. `range`:
  // metres ahead; 0: from the frame.
  void look(const SegmentArrays& segments, const Parameters& parameters, int width, int height,
            const MetricCamera& camera, double range, const BirdseyeSize& size);

  // The painted picture in RGBA, which callers may paint over, and its scale. Valid until the next
  // look().
  RgbaView picture();
  const BirdseyeScale& scale() const { return scale_; }

  // Writes the panel's part of rows [first_row, end_row) of `picture`, with `alpha`. The panel's
  // view has the size of the last look().
  void paint(const RgbaView& picture, const InsetPlace& place, std::uint8_t alpha, PixelOrder order,
             int first_row, int end_row) const;

 private:
  BirdseyeSize size_;
  BirdseyeScale scale_;
  std::vector<Pixel> pixels_;
  std::vector<std::uint32_t> seen_;
  std::vector<float> ends_;
};

}  // namespace rdp

#endif  // RDP_COMMON_RDP_BIRDSEYE_INSET_H_
