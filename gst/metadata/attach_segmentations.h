// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_ATTACH_SEGMENTATIONS_H_
#define RDP_GST_METADATA_ATTACH_SEGMENTATIONS_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <span>

namespace rdp::gst {

// Puts the segmentations of all frames in `buffer`, which is writable, on it: one GstRdpSegmentMeta
// each, in the place of those that are there. See attach_metas.h.
void attach_segmentations(GstBuffer* buffer, std::span<GstRdpSegmentation* const> segmentations);

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_ATTACH_SEGMENTATIONS_H_
