// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_BASE_SEGMENT_ARRAYS_H_
#define RDP_GST_ELEMENTS_BASE_SEGMENT_ARRAYS_H_

#include <gst/rdpsegment/rdpsegmentation.h>

#include <span>

#include "common/rdp/segment_list.h"

namespace rdp::gst {

static_assert(sizeof(GstRdpSegment) == sizeof(Segment));

// Views the arrays of a segmentation on the host. Copies nothing.
inline SegmentArrays segment_arrays_of(GstRdpSegmentation* segmentation) {
  gsize offsets = 0;
  gsize segments = 0;
  const guint32* first_offset = gst_rdp_segmentation_peek_offsets(segmentation, &offsets);
  const auto* first =
      reinterpret_cast<const Segment*>(gst_rdp_segmentation_peek_segments(segmentation, &segments));
  return {std::span(first_offset, offsets), std::span(first, segments)};
}

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_BASE_SEGMENT_ARRAYS_H_
