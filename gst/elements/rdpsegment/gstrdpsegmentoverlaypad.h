/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_RDPSEGMENT_GSTRDPSEGMENTOVERLAYPAD_H_
#define RDP_GST_ELEMENTS_RDPSEGMENT_GSTRDPSEGMENTOVERLAYPAD_H_

#include <gst/gst.h>
#include <gst/video/video.h>

#include "common/rdp/overlay.h"
#include "gst/elements/rdpsegment/gpu_backend.h"

/* The request pad `overlay` of rdpsegment: RGBA pictures of the frames, for display sinks. It owns
 * its negotiation and its buffers; the element owns the stream. Except where a function says
 * otherwise it is called from the element's streaming thread only. */
G_BEGIN_DECLS

#define GST_TYPE_RDP_SEGMENT_OVERLAY_PAD (gst_rdp_segment_overlay_pad_get_type())
G_DECLARE_FINAL_TYPE(GstRdpSegmentOverlayPad, gst_rdp_segment_overlay_pad, GST,
                     RDP_SEGMENT_OVERLAY_PAD, GstPad)

/* Brings a pad that was requested in mid-stream up to date: pushes what `sinkpad` has received so
 * far, translated. Does nothing the second time. */
void gst_rdp_segment_overlay_pad_ensure_started(GstRdpSegmentOverlayPad* self, GstPad* sinkpad);

/* The GstCudaContext that the element's frames are worked on in, in whose memory pictures are
 * pushed to whoever asks for memory:CUDAMemory; null while they are to be in system memory. */
void gst_rdp_segment_overlay_pad_set_context(GstRdpSegmentOverlayPad* self, GstObject* context);

/* Pictures in NVMM memory, for whoever asks for memory:NVMM, lie on `gpu`, or with `for_host` where
 * the CPU reaches them too. `preferred`: before CUDA memory, where both are asked for. */
void gst_rdp_segment_overlay_pad_set_nvmm(GstRdpSegmentOverlayPad* self, guint gpu,
                                          gboolean for_host, gboolean preferred);

/* Pushes an event of the element's sink pad, translated for this pad: the stream gets an id of its
 * own, caps become the picture's. Takes the event. */
void gst_rdp_segment_overlay_pad_push_event(GstRdpSegmentOverlayPad* self, GstEvent* event);

/* Whether a picture of a frame at `running_time` would be of use: the pad is linked to something
 * that takes data and the sink is not already late for it (QoS). *gap tells that a picture is left
 * out of a running stream, in whose place a GAP belongs. */
gboolean gst_rdp_segment_overlay_pad_wants(GstRdpSegmentOverlayPad* self, GstClockTime running_time,
                                           gboolean* gap);

/* Pushes a picture; takes it. Remembers what downstream said of it, for the next one. */
GstFlowReturn gst_rdp_segment_overlay_pad_push(GstRdpSegmentOverlayPad* self, GstBuffer* picture);

/* A buffer for a picture, from the negotiated pool. On failure *flow is what to report instead, and
 * an element error is posted where the user has to change something. */
GstBuffer* gst_rdp_segment_overlay_pad_acquire(GstRdpSegmentOverlayPad* self, GstFlowReturn* flow);

/* The picture's layout, the size of the stream's frames. */
const GstVideoInfo* gst_rdp_segment_overlay_pad_get_info(GstRdpSegmentOverlayPad* self);

/* The memory of the pictures, as it was negotiated. */
rdp::gst::MemoryKind gst_rdp_segment_overlay_pad_get_memory(GstRdpSegmentOverlayPad* self);

G_END_DECLS

/* The properties as they are now. Any thread. No function of C: it returns what C does not know. */
rdp::OverlayOptions gst_rdp_segment_overlay_pad_get_options(GstRdpSegmentOverlayPad* self);

G_BEGIN_DECLS

/* What the sink says about being late. Any thread. */
void gst_rdp_segment_overlay_pad_handle_qos(GstRdpSegmentOverlayPad* self, GstEvent* event);

/* Forgets lateness and what downstream said last, after a flush or for a new stream. */
void gst_rdp_segment_overlay_pad_reset(GstRdpSegmentOverlayPad* self);

/* While flushing, nobody waits for a buffer of the pool. Any thread. */
void gst_rdp_segment_overlay_pad_set_flushing(GstRdpSegmentOverlayPad* self, gboolean flushing);

/* Frees the streaming thread from a push that does not return because what is linked is full and
 * stopped: flushes it, pictures in queues are lost. Any thread. */
void gst_rdp_segment_overlay_pad_interrupt(GstRdpSegmentOverlayPad* self);

/* Gives the pool back, for good if the pad was released: a thread that waits for a buffer stops
 * waiting. Any thread. */
void gst_rdp_segment_overlay_pad_stop(GstRdpSegmentOverlayPad* self, gboolean released);

G_END_DECLS

#endif /* RDP_GST_ELEMENTS_RDPSEGMENT_GSTRDPSEGMENTOVERLAYPAD_H_ */
