// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_MADE_CAPS_H_
#define RDP_GST_ELEMENTS_BASE_MADE_CAPS_H_

#include <gst/gst.h>

namespace rdp::gst {

// Caps of frames that an element makes of views with the fixed caps `view`: `format`, of their size
// and rate, without what says something of the samples or the memory of views. In the memories that
// are allowed, the best first: `cuda`, memory:CUDAMemory can be used; `cuda_first`, the views are
// on a GPU, or are to be brought there.
GstCaps* made_caps(const GstCaps* view, const char* format, bool cuda = false,
                   bool cuda_first = false);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_MADE_CAPS_H_
