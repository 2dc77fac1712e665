/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_SEGMENTATION_PRIVATE_H__
#define __GST_RDP_SEGMENTATION_PRIVATE_H__

#include <gst/rdpsegment/rdpsegmentation.h>
#include <gst/rdpsegment/rdpsegmentationpool.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "common/image/grow_buffer.h"
#include "common/rdp/segment_class.h"
#include "common/rdp/segment_list.h"

/* Private to the library. */

struct _GstRdpSegmentation {
  GstMiniObject mini_object; /* first: this is its base class */
  GstRdpSegmentationInfo info;
  GstRdpSegmentationPool* pool; /* where it goes back to, or null */

  /* Once on_host is true, and it never becomes false again for this frame, the list has the arrays;
   * until then the remote has them, and the mutex is held by whoever fetches them. */
  std::atomic<bool> on_host{true};
  std::mutex fetching;
  std::unique_ptr<rdp::meta::RemoteArrays> remote;
  int remote_columns = 0;
  std::size_t remote_segments = 0;
  rdp::SegmentList list;
  /* Whether the list is empty because the arrays could not be had, and why. */
  bool lost = false;
  std::string lost_why;

  /* Once classified is true the two after it are there; whoever makes them holds the mutex. */
  std::atomic<bool> classified{false};
  rdp::Ground ground;
  rdp::GrowBuffer<std::uint8_t> classes; /* of each segment of the list */
};

namespace rdp::meta {

/* Brings the arrays to the host, if no other thread has done so yet. */
void fetch(GstRdpSegmentation* self) noexcept;

/* The arrays as the host sees them. Every read of them in the library goes through here, so that
 * arrays which were made elsewhere are fetched in one place only. */
inline const SegmentList& host_list(GstRdpSegmentation* self) {
  if (!self->on_host.load(std::memory_order_acquire)) fetch(self);
  return self->list;
}

/* Takes memory that holds no segmentation now, for one with a single reference, an empty list and
 * an info that says nothing. Throws std::bad_alloc. */
void init_segmentation(GstRdpSegmentation* self);

/* A segmentation that belongs to no pool, for the caller to fill. Throws std::bad_alloc. */
GstRdpSegmentation* new_segmentation();

/* Takes the dead object back: keeps its memory, or frees it. */
void recycle(GstRdpSegmentationPool* pool, GstRdpSegmentation* self);

/* An array of the segmentation as bytes that hold a reference to it. */
GBytes* bytes_of(GstRdpSegmentation* self, const void* array, std::size_t size);

/* Null when info describes a frame that can be segmented; otherwise what is wrong with it, for a
 * person to read. */
const char* info_error(const GstRdpSegmentationInfo& info);

/* The same for arrays that are to become the segments of such a frame. */
const char* arrays_error(const GstRdpSegmentationInfo& info, std::span<const std::uint32_t> offsets,
                         std::span<const Segment> segments);

/* How many columns of segments a frame has. info must be free of errors. */
inline std::size_t column_count(const GstRdpSegmentationInfo& info) {
  return (info.width + info.column_width - 1) / info.column_width;
}

}  // namespace rdp::meta

#endif /* __GST_RDP_SEGMENTATION_PRIVATE_H__ */
