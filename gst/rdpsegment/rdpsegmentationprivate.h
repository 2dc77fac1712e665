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

  /* True once `ground` and `classes` are valid. They are written under the mutex of `arrays`. */
  std::atomic<bool> classified{false};
  rdp::Ground ground;
  rdp::GrowBuffer<std::uint8_t> classes; /* of each segment */
};

namespace rdp::meta {

/* The arrays on the host. All reads in the library go through here, the only place that fetches
 * them. */
SegmentArrays host_list(GstRdpSegmentation* self) noexcept;

/* A segmentation from a complete list, in order. Throws std::bad_alloc. */
GstRdpSegmentation* new_segmentation(const GstRdpSegmentationInfo& info,
                                     std::unique_ptr<SegmentList> list);

/* The fault of a frame's info, as a message for the user; null: none. */
const char* info_error(const GstRdpSegmentationInfo& info);

/* The fault of the segments of such a frame, as a message for the user; null: none. */
const char* arrays_error(const GstRdpSegmentationInfo& info, std::span<const std::uint32_t> offsets,
                         std::span<const Segment> segments);

/* The number of segmented columns of a frame. info must pass info_error(). */
inline std::size_t column_count(const GstRdpSegmentationInfo& info) {
  return (info.width + info.column_width - 1) / info.column_width;
}

}  // namespace rdp::meta

#endif /* __GST_RDP_SEGMENTATION_PRIVATE_H__ */
