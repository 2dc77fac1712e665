// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_ATTACH_SEGMENTATIONS_H_
#define RDP_GST_METADATA_ATTACH_SEGMENTATIONS_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <span>

namespace rdp::gst {

// Puts the segmentations of all frames in `buffer`, which is writable, on it: one GstRdpSegmentMeta
// each, with its place in the span as batch index. They are of what the buffer shows at this
// moment, so that of a buffer that came cropped in place the metadata's offset is the crop.
// References are taken.
//
// Those of an rdpsegment before this one are replaced. A pool may have locked the metadata it put
// on its buffers, which cannot be removed then: it is used again, and what is too many is emptied.
void attach_segmentations(GstBuffer* buffer, std::span<GstRdpSegmentation* const> segmentations);

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_ATTACH_SEGMENTATIONS_H_
