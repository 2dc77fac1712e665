/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_SEGMENTATION_POOL_H__
#define __GST_RDP_SEGMENTATION_POOL_H__

#include <gst/rdpsegment/rdpsegmentation.h>

#include "common/segment_list.h"

/* Private to the library and the plugin, not installed. */

/* Segmentations that return to where they came from: their last unref puts the object, with the
 * memory of its arrays, back into the pool, so that a stream stops allocating. The pool lives until
 * its owner and every segmentation that is still out have let go of it. Thread safe. */
typedef struct _GstRdpSegmentationPool GstRdpSegmentationPool;

GST_RDP_SEGMENT_API
GstRdpSegmentationPool* gst_rdp_segmentation_pool_new(void);

/* The owner lets go: what is inside is freed now, what is out when it comes back. */
GST_RDP_SEGMENT_API
void gst_rdp_segmentation_pool_unref(GstRdpSegmentationPool* pool);

/* A segmentation with one reference that only the caller knows. Fill its list and info, then share
 * it; from then on it is immutable. */
GST_RDP_SEGMENT_API
GstRdpSegmentation* gst_rdp_segmentation_pool_acquire(GstRdpSegmentationPool* pool);

GST_RDP_SEGMENT_API
rdp::SegmentList* gst_rdp_segmentation_list(GstRdpSegmentation* self);

GST_RDP_SEGMENT_API
void gst_rdp_segmentation_set_info(GstRdpSegmentation* self, const GstRdpSegmentationInfo* info);

#endif /* __GST_RDP_SEGMENTATION_POOL_H__ */
