/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_SEGMENTATION_POOL_H__
#define __GST_RDP_SEGMENTATION_POOL_H__

#include <gst/rdpsegment/rdpsegmentation.h>

#include <cstddef>
#include <memory>
#include <string>

#include "common/rdp/segment_list.h"

/* Private to the library and the plugin, not installed. */

namespace rdp::meta {

/* The arrays of a segmentation where the host cannot read them, such as on a GPU. Belongs to one
 * segmentation and is recycled with it, so that its memory is used again for another frame. */
class RemoteArrays {
 public:
  virtual ~RemoteArrays() = default;

  /* Copies the arrays to the host: as many columns and segments as were announced. Called at most
   * once for a frame, from whichever thread reads the segments first. False: *reason says why they
   * cannot be had (see rdp::give_reason() for what does not throw), and what is in *host is of no
   * use. */
  virtual bool fetch(SegmentList* host, std::string* reason) noexcept = 0;
};

}  // namespace rdp::meta

/* Segmentations that return to where they came from: their last unref puts the object, with the
 * memory of its arrays, back into the pool, so that a stream stops allocating. The pool lives until
 * its owner and every segmentation that is still out have let go of it. Thread safe. */
typedef struct _GstRdpSegmentationPool GstRdpSegmentationPool;

/* Throws std::bad_alloc. */
GST_RDP_SEGMENT_API
GstRdpSegmentationPool* gst_rdp_segmentation_pool_new(void);

/* The owner lets go: what is inside is freed now, what is out when it comes back. */
GST_RDP_SEGMENT_API
void gst_rdp_segmentation_pool_unref(GstRdpSegmentationPool* pool);

/* A segmentation with one reference that only the caller knows. Fill its list and info, then share
 * it; from then on it is immutable. Throws std::bad_alloc. */
GST_RDP_SEGMENT_API
GstRdpSegmentation* gst_rdp_segmentation_pool_acquire(GstRdpSegmentationPool* pool);

/* The list for the caller to fill: the arrays are on the host. */
GST_RDP_SEGMENT_API
rdp::SegmentList* gst_rdp_segmentation_list(GstRdpSegmentation* self);

/* The remote arrays that this segmentation had for an earlier frame, to be filled again, or null.
 */
GST_RDP_SEGMENT_API
rdp::meta::RemoteArrays* gst_rdp_segmentation_get_remote(GstRdpSegmentation* self);

GST_RDP_SEGMENT_API
void gst_rdp_segmentation_set_remote(GstRdpSegmentation* self,
                                     std::unique_ptr<rdp::meta::RemoteArrays> remote);

/* Says, instead of filling the list, that the remote arrays have this frame's segments. The list
 * gets them when somebody reads them; the numbers are known at once. May throw std::bad_alloc. */
GST_RDP_SEGMENT_API
void gst_rdp_segmentation_use_remote(GstRdpSegmentation* self, int columns, std::size_t segments);

/* Brings the arrays to the host now, before anybody else knows of them. False: *reason says why
 * they cannot be had, and the list may be filled instead. */
GST_RDP_SEGMENT_API
bool gst_rdp_segmentation_try_fetch(GstRdpSegmentation* self, std::string* reason);

GST_RDP_SEGMENT_API
void gst_rdp_segmentation_set_info(GstRdpSegmentation* self, const GstRdpSegmentationInfo* info);

#endif /* __GST_RDP_SEGMENTATION_POOL_H__ */
