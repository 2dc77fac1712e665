/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_BASE_DATA_PAD_H_
#define RDP_GST_ELEMENTS_BASE_DATA_PAD_H_

#include <gst/video/video.h>

#include "gst/elements/base/extra_pad.h"
#include "gst/memory/memory_kind.h"

/* An extra pad of data, one buffer for each frame of the main path. Data is never dropped: the
 * streaming thread waits for one of two places, and for the pool. The element sets the caps of the
 * data (gst_rdp_extra_pad_set_caps (), begin): GRAY8, GRAY16_LE or RGBA in system memory. Buffers
 * are in memory:CUDAMemory if downstream asks for it by name and the pad has a context by then.
 * RGBA may also be in memory:NVMM.
 *
 * A frame's data, in the streaming thread:
 *   gst_rdp_data_pad_set_context (pad, context);
 *   gst_rdp_extra_pad_begin (pad, stream_start, caps of the data, segment, NULL);
 *   if (gst_rdp_extra_pad_takes (pad))
 *     buffer = gst_rdp_extra_pad_acquire (pad, &flow);
 *     if (buffer) it is written as get_info and get_memory say, describe_picture (buffer, frame),
 *       flow = gst_rdp_extra_pad_push (pad, buffer);
 *   … main = gst_rdp_extra_pad_combine_flow (main, flow); */
G_BEGIN_DECLS

#define GST_TYPE_RDP_DATA_PAD (gst_rdp_data_pad_get_type())
G_DECLARE_DERIVABLE_TYPE(GstRdpDataPad, gst_rdp_data_pad, GST, RDP_DATA_PAD, GstRdpExtraPad)

struct _GstRdpDataPadClass {
  GstRdpExtraPadClass parent_class;
  gpointer padding[4];
};

/* The GstCudaContext in which frames are worked on; as gst_rdp_picture_pad_set_context (). */
void gst_rdp_data_pad_set_context(GstRdpDataPad* self, GstObject* context);

/* The layout of the buffer that was acquired last. Streaming thread. */
const GstVideoInfo* gst_rdp_data_pad_get_info(GstRdpDataPad* self);

G_END_DECLS

/* The memory of the buffer that was acquired last. Streaming thread. */
rdp::gst::MemoryKind gst_rdp_data_pad_get_memory(GstRdpDataPad* self);

#endif /* RDP_GST_ELEMENTS_BASE_DATA_PAD_H_ */
