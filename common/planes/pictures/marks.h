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
  // `labels` (kU8) has the size of the image and must stay valid until the next look(). Throws
  // std::bad_alloc.
  void look(const PlaneSet& planes, const MetricCamera& camera, const DepthView& labels);
  // Paints all pixels of rows [first_row, end_row): planes with this alpha, outlines and numbers as
  // opaque as if drawn twice; all four bytes 0 elsewhere. Different threads may paint different
  // rows.
  void paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order, int first_row,
             int end_row) const;

 private:
  OverlayLook look_;
  DepthView labels_;
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_PICTURES_MARKS_H_
