// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_CAPS_H_
#define RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_CAPS_H_

#include <gst/gst.h>

// The caps of both sides with a decimation: blocks of side x side pixels become one. Decimated
// frames of CUDA or NVMM memory are in CUDA or in system memory, all others in system memory.
namespace rdp::gst {

// The caps of decimated frames, also of those that are smaller than a block: the element refuses
// them with words. (transfer full)
GstCaps* decimated_caps_of(const GstCaps* frames, int side);
// The caps of frames that become such ones, smaller ones than a block included.
// (transfer full)
GstCaps* frame_caps_for(const GstCaps* decimated, int side);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHFILTER_FILTER_CAPS_H_
