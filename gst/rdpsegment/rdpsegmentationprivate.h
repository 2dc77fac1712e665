/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_SEGMENTATION_PRIVATE_H__
#define __GST_RDP_SEGMENTATION_PRIVATE_H__

#include <gst/rdpsegment/rdpsegmentation.h>
#include <gst/rdpsegment/rdpsegmentationarrays.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/image/depth_view.h"
#include "common/image/grow_buffer.h"
#include "common/rdp/segment_class.h"
#include "common/rdp/segment_list.h"
#include "gst/rdpsegment/private/owned_object.h"

/* Private to the library. */

struct _GstRdpSegmentation
    : rdp::meta::OwnedObject<GstRdpSegmentationInfo, GstRdpSegmentationArrays> {
  bool begin(const GstRdpSegmentationArrays& of) {
    classified.store(false, std::memory_order_relaxed);
    return of.n_columns <= static_cast<guint>(rdp::kMaxSide);
  }

  /* Once classified is true the two after it are there; whoever makes them holds the arrays' mutex.
   */
  std::atomic<bool> classified{false};
  rdp::Ground ground;
  rdp::GrowBuffer<std::uint8_t> classes; /* of each segment */
};

namespace rdp::meta {

/* The arrays as the host sees them. Every read of them in the library goes through here, so that
 * arrays which were made elsewhere are fetched in one place only. */
SegmentArrays host_list(GstRdpSegmentation* self) noexcept;

/* A segmentation of a list that is filled and in order. Throws std::bad_alloc. */
GstRdpSegmentation* new_segmentation(const GstRdpSegmentationInfo& info,
                                     std::unique_ptr<SegmentList> list);

/* Null when info describes a frame that can be segmented; otherwise what is wrong with it, for a
 * person to read. */
const char* info_error(const GstRdpSegmentationInfo& info);

/* The same for arrays that are to become the segments of such a frame. */
const char* arrays_error(const GstRdpSegmentationInfo& info, std::span<const std::uint32_t> offsets,
                         std::span<const Segment> segments);

/* The number of columns of segments of a frame. info must be free of errors. */
inline std::size_t column_count(const GstRdpSegmentationInfo& info) {
  return (info.width + info.column_width - 1) / info.column_width;
}

}  // namespace rdp::meta

#endif /* __GST_RDP_SEGMENTATION_PRIVATE_H__ */
