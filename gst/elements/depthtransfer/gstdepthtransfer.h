/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_DEPTHTRANSFER_GSTDEPTHTRANSFER_H_
#define RDP_GST_ELEMENTS_DEPTHTRANSFER_GSTDEPTHTRANSFER_H_

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

#include "gst/memory/cuda_memory.h"

/* Base class of depthupload and depthdownload: copies frames from one kind of memory to the other,
 * or passes them through. A subclass sets the direction and has the pads. */

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

  /* TRUE: frames go to the GPU; FALSE: they come from it. */
  gboolean upload;
  /* Completes "Cannot …" in the error of a failed copy. */
  const gchar* doing;
};

G_END_DECLS

#endif /* RDP_GST_ELEMENTS_DEPTHTRANSFER_GSTDEPTHTRANSFER_H_ */
