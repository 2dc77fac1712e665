/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_BASE_PICTURE_PAD_H_
#define RDP_GST_ELEMENTS_BASE_PICTURE_PAD_H_

#include <gst/video/video.h>

#include "gst/elements/base/extra_pad.h"
#include "gst/memory/memory_kind.h"

/* An extra pad of RGBA pictures for display sinks. Pictures have the size and rate of the frames
 * whose caps it is told (gst_rdp_extra_pad_set_caps ()). Painting is the element's.
 *
 * The property `drop` says whether late pictures may be dropped: see gst_rdp_extra_pad_set_drop ().
 * A subclass may install properties of its own; GObject asks the class that installed one.
 *
 * A frame's picture, in the streaming thread:
 *   gst_rdp_extra_pad_begin_like (pad, sinkpad, NULL);
 *   gst_rdp_picture_pad_set_context (pad, context);
 *   if (gst_rdp_picture_pad_wants (pad, running_time, &gap))
 *     picture = gst_rdp_extra_pad_acquire (pad, &flow);
 *     if (picture) it is painted as get_memory says, describe_picture (picture, frame),
 *       flow = gst_rdp_extra_pad_push (pad, picture);
 *     else if (flow == GST_FLOW_OK) flow = gst_rdp_picture_pad_skip (pad, frame, TRUE);
 *   else flow = gst_rdp_picture_pad_skip (pad, frame, gap);
 *   gst_rdp_extra_pad_set_main_pushing (pad, TRUE);  … FALSE, around what pushes the frame:
 *   … main = gst_rdp_extra_pad_combine_flow (gst_pad_push (srcpad, frame), flow);
 *
 * The pictures' memory is fixed when caps are negotiated. It is CUDA memory if downstream takes it
 * by name and the pad has been told a context by then. It is NVMM memory if downstream asks for it
 * and NVIDIA's library is there; else the system's. It changes only with RECONFIGURE and with new
 * caps of the frames, not with the engine or the context: caps that change in mid-stream restart
 * encoders. */
G_BEGIN_DECLS

#define GST_TYPE_RDP_PICTURE_PAD (gst_rdp_picture_pad_get_type())
G_DECLARE_DERIVABLE_TYPE(GstRdpPicturePad, gst_rdp_picture_pad, GST, RDP_PICTURE_PAD,
                         GstRdpExtraPad)

struct _GstRdpPicturePadClass {
  GstRdpExtraPadClass parent_class;
  gpointer padding[4];
};

/* Sets the GstCudaContext in which frames are processed. Call it before begin and set_caps, which
 * choose the memory, and before each acquire: pictures in CUDA memory then come from a pool in this
 * context, with the same caps. Null: none now; pictures in CUDA memory stay in the last context,
 * which is released when the pad is stopped. Streaming thread. */
void gst_rdp_picture_pad_set_context(GstRdpPicturePad* self, GstObject* context);

/* Sets where pictures in NVMM memory lie: on `gpu`, or with `for_host` where the CPU reaches them,
 * too. `preferred`: choose NVMM before CUDA memory if downstream asks for both (the frames are in
 * NVMM memory). Streaming thread. */
void gst_rdp_picture_pad_set_nvmm(GstRdpPicturePad* self, guint gpu, gboolean for_host,
                                  gboolean preferred);

/* TRUE if a picture of a frame at `running_time` (or NONE) is useful: the pad accepts data, and the
 * sink is not already late (ignored with drop=never). *gap: the picture is skipped in a running
 * stream, and counted as dropped. Streaming thread. */
gboolean gst_rdp_picture_pad_wants(GstRdpPicturePad* self, GstClockTime running_time,
                                   gboolean* gap);

/* Replaces the picture of `frame`: sends a GAP with `gap`, else nothing. Returns as push. */
GstFlowReturn gst_rdp_picture_pad_skip(GstRdpPicturePad* self, GstBuffer* frame, gboolean gap);

/* The layout of the picture that was acquired last. Streaming thread. */
const GstVideoInfo* gst_rdp_picture_pad_get_info(GstRdpPicturePad* self);

G_END_DECLS

/* The memory of the picture that was acquired last. Streaming thread. */
rdp::gst::MemoryKind gst_rdp_picture_pad_get_memory(GstRdpPicturePad* self);

#endif /* RDP_GST_ELEMENTS_BASE_PICTURE_PAD_H_ */
