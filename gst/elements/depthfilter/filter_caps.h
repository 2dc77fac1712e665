// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_CAPS_H_
#define RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_CAPS_H_

#include <gst/gst.h>

// Caps of both pads with decimation, which replaces blocks of side x side pixels by one pixel.
// Decimated frames from CUDA or NVMM memory are in CUDA or system memory, all others in system
// memory.
namespace rdp::gst {

// Returns the caps of decimated frames. Includes frames smaller than a block, so that the element
// can refuse them with an explanation. (transfer full)
GstCaps* decimated_caps_of(const GstCaps* frames, int side);
// Returns the caps of frames that decimate to `decimated`, including frames smaller than a block.
// (transfer full)
GstCaps* frame_caps_for(const GstCaps* decimated, int side);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_CAPS_H_
