/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_DEPTHTRANSFER_GSTDEPTHTRANSFER_H_
#define RDP_GST_ELEMENTS_DEPTHTRANSFER_GSTDEPTHTRANSFER_H_

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

#include "gst/memory/cuda_memory.h"
#include "kernels/runtime/band_transfer.h"

/* What depthupload and depthdownload share: frames go from one kind of memory to the other, or pass
 * through where they are there already. */

/* Caps of both elements: what rdpsegment takes. */
#define GST_DEPTH_TRANSFER_FRAMES                                        \
  "format = (string) { GRAY16_LE, GRAY8 }, width = (int) [ 1, 16384 ], " \
  "height = (int) [ 1, 16384 ], framerate = (fraction) [ 0, max ]"
#define GST_DEPTH_TRANSFER_SYSTEM_CAPS "video/x-raw, " GST_DEPTH_TRANSFER_FRAMES
#define GST_DEPTH_TRANSFER_CUDA_CAPS \
  "video/x-raw(" GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY "), " GST_DEPTH_TRANSFER_FRAMES

G_BEGIN_DECLS

#define GST_TYPE_DEPTH_TRANSFER (gst_depth_transfer_get_type())
G_DECLARE_DERIVABLE_TYPE(GstDepthTransfer, gst_depth_transfer, GST, DEPTH_TRANSFER,
                         GstBaseTransform)

struct _GstDepthTransferClass {
  GstBaseTransformClass parent_class;

  /* The caps feature of the source pad: null for system memory. */
  const gchar* src_feature;
  /* Completes "Cannot …" in the error of a failed copy. */
  const gchar* doing;
  /* Copies a frame, and waits for that. Throws CudaError, std::bad_alloc. False: *reason says what
   * is wrong with a buffer, or nothing where an error has been posted. */
  bool (*copy)(GstDepthTransfer* self, GstBuffer* from, GstBuffer* to, std::string* reason);
};

G_END_DECLS

/* Of the frames, for copy(). */
const GstVideoInfo& gst_depth_transfer_get_info(GstDepthTransfer* self);
/* What copies are made with; belongs to gst_depth_transfer_get_context(). */
rdp::cuda::BandTransfer& gst_depth_transfer_get_bands(GstDepthTransfer* self);
CUstream gst_depth_transfer_get_stream(GstDepthTransfer* self);

/* Whether it is between start and stop. Upstream may ask it for memory before and after that;
 * whoever holds the sink pad's stream lock finds that it stays so. */
bool gst_depth_transfer_is_started(GstDepthTransfer* self);
/* The element's context between start and stop. No reference. */
GstCudaContext* gst_depth_transfer_get_context(GstDepthTransfer* self);
/* Works in the context that a frame lives in from now on. Posts an error and returns false where
 * nothing can be made in it. */
bool gst_depth_transfer_use_context(GstDepthTransfer* self, GstCudaContext* context);

/* A new pool of frames of these caps, configured; *size gets the size of its buffers. Null where
 * the device or the host has no memory, after a warning, and where the element is not started. */
GstBufferPool* gst_depth_transfer_new_device_pool(GstDepthTransfer* self, GstCaps* caps, guint min,
                                                  guint* size);
/* Posts the error that follows where frames on the device cannot be done without: once, because
 * GstBaseTransform tries again with every event and frame. */
void gst_depth_transfer_post_no_frames(GstDepthTransfer* self, GstCaps* caps);
GstBufferPool* gst_depth_transfer_new_pinned_pool(GstDepthTransfer* self, GstCaps* caps, guint min,
                                                  guint* size);
/* Of the pools of page-locked memory. A reference; null where there is no memory for it, and the
 * pools have ordinary memory. */
GstAllocator* gst_depth_transfer_new_pinned_allocator(GstDepthTransfer* self);

#endif /* RDP_GST_ELEMENTS_DEPTHTRANSFER_GSTDEPTHTRANSFER_H_ */
