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

// The pixels of a view from above, and of a cell of its text; 0: it has neither text nor grid.
struct BirdseyeSize {
  int width = 0;
  int height = 0;
  int zoom = 0;
};

// An inset of a picture: a panel of paper, and on it a view from above, `pad` pixels from its
// edges.
struct InsetPlace {
  Box panel{};
  int pad = 0;
  BirdseyeSize view;
};

// Places the view of a camera, whose frames are `frame_width` wide, in a picture, with a margin to
// the corner. The panel is `part` of the picture's width wide, as far as its height allows. The
// view is as wide at its upper end as the camera sees there, but no less wide than it is high; what
// is below the camera's axis is in the middle. Text is as in other pictures of that size, as far as
// there is room for four lines of the grid.
InsetPlace place_inset(const MetricCamera& camera, int frame_width, int picture_width,
                       int picture_height, double part, bool right, bool bottom);

// A frame from above (birdseye.h), of any size. Works on one frame at a time, and keeps its memory
// between frames. Throws std::bad_alloc.
class BirdseyeInset {
 public:
  // Takes the segments of a frame of `width` x `height` pixels, which are `parameters`' of it, and
  // paints them. `range`: how many metres ahead; 0: from the frame.
  void look(const SegmentArrays& segments, const Parameters& parameters, int width, int height,
            const MetricCamera& camera, double range, const BirdseyeSize& size);

  // The painted picture, of that size and as RGBA, so that more can be painted over it; and its
  // scale. Until the next look().
  RgbaView picture();
  const BirdseyeScale& scale() const { return scale_; }

  // Writes rows [first_row, end_row) of `picture`, as far as they are of the panel, whose view has
  // the size of the last look(); with `alpha` as theirs.
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
