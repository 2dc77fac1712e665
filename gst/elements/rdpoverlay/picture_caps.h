// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_RDPOVERLAY_PICTURE_CAPS_H_
#define RDP_GST_ELEMENTS_RDPOVERLAY_PICTURE_CAPS_H_

#include <gst/gst.h>

// Caps of pictures that can be drawn on, with and without the caps feature for overlay
// compositions. Knows no pads.
namespace rdp::gst {

// All of them: the memory of GPUs first, then the system's. (transfer full)
GstCaps* picture_caps();

// The structures of `caps` (transfer full) that are in system memory. Returns (transfer full).
GstCaps* in_system_memory(GstCaps* caps);

// True if pictures of these caps may carry compositions.
bool has_composition(const GstCaps* caps);

// Returns a copy of `caps` with the composition feature. (transfer full)
GstCaps* with_composition(GstCaps* caps);

// Appends to `caps` (transfer full) the same structures without compositions, for blending here.
// (transfer full)
GstCaps* also_without_composition(GstCaps* caps);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_RDPOVERLAY_PICTURE_CAPS_H_
