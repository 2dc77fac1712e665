/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The arrays of segmentations: where they are, and whose. */
#include <gst/rdpsegment/rdpsegmentationprivate.h>

#include <memory>
#include <utility>

#include "common/image/depth_view.h"

/* The offsets of segments that are lost: as many zeros as a frame can have columns, and one. They
 * are there before they are needed, since whoever needs them may be out of memory. */
static guint32 no_offsets[rdp::kMaxSide + 1];

rdp::SegmentArrays rdp::meta::host_list(GstRdpSegmentation* self) noexcept {
  const GstRdpSegmentationArrays& arrays =
      host_arrays(self, "the segments", [](const GstRdpSegmentationArrays& numbers) {
        return GstRdpSegmentationArrays{numbers.n_columns, 0, no_offsets, nullptr};
      });
  return {{arrays.offsets, std::size_t{arrays.n_columns} + 1},
          {reinterpret_cast<const Segment*>(arrays.segments), arrays.n_segments}};
}

GstRdpSegmentation* rdp::meta::new_segmentation(const GstRdpSegmentationInfo& info,
                                                std::unique_ptr<SegmentList> list) {
  const GstRdpSegmentationArrays arrays = {
      static_cast<guint>(list->columns()), list->segment_count(), list->offsets().data(),
      reinterpret_cast<const GstRdpSegment*>(list->segments().data())};
  return new_owning<GstRdpSegmentation>(GST_TYPE_RDP_SEGMENTATION, info, arrays, std::move(list));
}
