// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_MADE_CAPS_H_
#define RDP_GST_ELEMENTS_BASE_MADE_CAPS_H_

#include <gst/gst.h>

namespace rdp::gst {

// Returns caps for frames made from views with the fixed caps `view`: `format`, with the views'
// size and rate, without fields about their samples or memory. The allowed memories come the best
// first. `cuda`: memory:CUDAMemory is usable; `cuda_first`: the views are on a GPU, or will be
// copied there.
GstCaps* made_caps(const GstCaps* view, const char* format, bool cuda = false,
                   bool cuda_first = false);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_MADE_CAPS_H_
