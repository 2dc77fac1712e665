// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/rdpoverlay/overlay_settings.h"

#include "gst/elements/base/enum_type.h"

namespace rdp::gst {

GType drawn_style_get_type() {
  return enum_type<DrawnStyle>(
      "GstRdpOverlayStyle",
      {{DrawnStyle::kSegments, "Each segment in its colour, ends marked", "segments"},
       {DrawnStyle::kClasses, "Each segment in the colour of its class", "classes"},
       {DrawnStyle::kBirdseye, "Bird's-eye view of the frame, in a corner", "birdseye"},
       {DrawnStyle::kTrails, "Paths of klttrack features over the last 16 frames", "trails"},
       {DrawnStyle::kMotion, "Moving segments of rdpmotion, with arrows", "motion"},
       {DrawnStyle::kBoxes, "Objects of depthobstacles, with id, distance and size", "boxes"},
       {DrawnStyle::kPlanes, "Planes of depthplanes, with outlines and numbers", "planes"}});
}

GType inset_corner_get_type() {
  return enum_type<InsetCorner>("GstRdpOverlayInsetPosition",
                                {{InsetCorner::kTopLeft, "Upper left", "top-left"},
                                 {InsetCorner::kTopRight, "Upper right", "top-right"},
                                 {InsetCorner::kBottomLeft, "Lower left", "bottom-left"},
                                 {InsetCorner::kBottomRight, "Lower right", "bottom-right"}});
}

}  // namespace rdp::gst
