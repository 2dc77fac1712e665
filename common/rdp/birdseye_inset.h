// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_BIRDSEYE_INSET_H_
#define RDP_COMMON_RDP_BIRDSEYE_INSET_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/image/camera.h"
#include "common/image/rgba_view.h"
#include "common/rdp/birdseye.h"
#include "common/rdp/parameters.h"
#include "common/rdp/placed_segments.h"
#include "common/rdp/segment_list.h"

namespace rdp {

// A rectangle of a picture, in pixels.
struct InsetPlace {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
};

// Where an inset with the sides of a frame lies in a picture: `part` of its width wide, as far as
// its height allows, with a margin to the corner.
InsetPlace place_inset(int frame_width, int frame_height, int picture_width, int picture_height,
                       double part, bool right, bool bottom);

// A frame from above (birdseye.h), painted at the frame's size and scaled into a picture of any
// other. Works on one frame at a time, and keeps its memory between frames. Throws std::bad_alloc.
class BirdseyeInset {
 public:
  // Takes the segments of a frame of `width` x `height` pixels, which are `parameters`' of it, and
  // paints them. `range`: how many metres ahead; 0: from the frame.
  void look(const SegmentArrays& segments, const Parameters& parameters, int width, int height,
            const MetricCamera& camera, double range);

  // What it painted, of the frame's size and as RGBA, so that more can be painted over it; and its
  // scale. Until the next look().
  RgbaView picture();
  const BirdseyeScale& scale() const { return scale_; }

  // Writes rows [first_row, end_row) of `picture`, as far as they are of `place`; each pixel is the
  // mean of those that it covers, of their alpha `alpha` / 255.
  void paint(const RgbaView& picture, const InsetPlace& place, std::uint8_t alpha, PixelOrder order,
             int first_row, int end_row) const;

 private:
  int width_ = 0;
  int height_ = 0;
  BirdseyeScale scale_;
  std::vector<std::uint32_t> pixels_;
  std::vector<std::uint32_t> seen_;
  std::vector<float> ends_;
};

}  // namespace rdp

#endif  // RDP_COMMON_RDP_BIRDSEYE_INSET_H_
