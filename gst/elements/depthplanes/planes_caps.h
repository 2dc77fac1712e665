// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_CAPS_H_
#define RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_CAPS_H_

#include <gst/gst.h>

// The caps of both sides where src carries labels: of the same size, rate and memory as the depth.
// Labels of depth in NVMM memory are in system memory, as those of depth in CUDA memory may be.
// Clouds, of which there are no labels, stay in both, for the element to refuse them with words.
namespace rdp::gst {

// (transfer full)
GstCaps* label_caps_of(const GstCaps* depth);
GstCaps* depth_caps_for_labels(const GstCaps* labels);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHPLANES_PLANES_CAPS_H_
