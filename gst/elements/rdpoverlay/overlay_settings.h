// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPOVERLAY_OVERLAY_SETTINGS_H_
#define RDP_GST_ELEMENTS_RDPOVERLAY_OVERLAY_SETTINGS_H_

#include <gst/gst.h>

#include "common/rdp/overlay.h"
#include "gst/elements/base/gstrdpjoiner.h"

namespace rdp::gst {

// The content of rdpoverlay's drawing.
enum class DrawnStyle { kSegments, kClasses, kBirdseye, kTrails, kMotion, kBoxes, kPlanes };
GType drawn_style_get_type();

// The corner of the picture for the bird's-eye view.
enum class InsetCorner { kTopLeft, kTopRight, kBottomLeft, kBottomRight };
GType inset_corner_get_type();

// The drawing, as the user wants it.
struct DrawingSettings {
  DrawnStyle style = DrawnStyle::kSegments;
  double opacity = 0.6;
  double palette_min = 0.0;
  double palette_max = 0.0;
  // For the bird's-eye view.
  InsetCorner inset_position = InsetCorner::kTopRight;
  double inset_size = 0.35;
  double birdseye_range = 0.0;

  bool operator==(const DrawingSettings&) const = default;
};

// The user's settings of the element.
struct OverlayElementSettings : JoinerSettings {
  DrawingSettings drawing;
};

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPOVERLAY_OVERLAY_SETTINGS_H_
