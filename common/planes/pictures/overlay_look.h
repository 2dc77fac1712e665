// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_PICTURES_OVERLAY_LOOK_H_
#define RDP_COMMON_PLANES_PICTURES_OVERLAY_LOOK_H_

#include <vector>

#include "common/image/box.h"
#include "common/planes/pictures/overlay.h"
#include "common/planes/pictures/overlay_pixels.h"
#include "common/rdp/legend.h"
#include "common/rdp/overlay.h"
#include "common/rdp/painted_marks.h"

namespace rdp::planes {

// The rules of a picture that do not depend on the frame's samples, computed on the host for both
// painters.
struct OverlayLook {
  PixelRules rules{};  // the range is the chosen one; the frame's is unknown here
  bool range_of_frame = false;
  bool backwards = false;  // the frame's range
  Legend legend;
  PaletteRange legend_range;  // of its bar, unless that shows samples
  bool legend_of_samples = true;
  std::vector<PaintedPlane> planes;
  std::vector<PaintedText> numbers;
  std::vector<Box> taken;  // by the legend, and by numbers with the gap around them
};

// Prepares a picture of this size. Allocates only where there are more planes than ever before.
void build_picture(int width, int height, const OverlayScene& scene, const OverlayOptions& options,
                   OverlayLook* look);

// Parameters for finding the frame's own range: see palette_range() of common/rdp/overlay.h.
rdp::Parameters samples_of(const OverlayScene& scene);

// The colour of a plane whose normal is this, which points away from the camera.
Pixel direction_colour(const double normal[3]);

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_PICTURES_OVERLAY_LOOK_H_
