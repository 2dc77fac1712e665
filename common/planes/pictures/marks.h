// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_PICTURES_MARKS_H_
#define RDP_COMMON_PLANES_PICTURES_MARKS_H_

#include <cstdint>

#include "common/image/depth_view.h"
#include "common/image/rgba_view.h"
#include "common/planes/pictures/overlay_look.h"
#include "common/rdp/placed_quad.h"

namespace rdp::planes {

// The planes of a frame over a picture of the same camera: colours, outlines and numbers are those
// of OverlayStyle::kPlanes. Keeps its memory between pictures.
class PlaneMarks {
 public:
  // `labels` (kU8), which stay there until the next look(), have the size of the picture. Throws
  // std::bad_alloc.
  void look(const PlaneSet& planes, const MetricCamera& camera, const DepthView& labels);
  // Paints all pixels of rows [first_row, end_row): planes with this alpha, their outlines and
  // numbers as if drawn twice; all four bytes 0 elsewhere. Different rows may be painted from
  // different threads.
  void paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order, int first_row,
             int end_row) const;

 private:
  OverlayLook look_;
  DepthView labels_;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_PICTURES_MARKS_H_
