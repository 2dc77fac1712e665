/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_BASE_EXTRA_PAD_H_
#define RDP_GST_ELEMENTS_BASE_EXTRA_PAD_H_

#include <gst/gst.h>

#include "gst/elements/base/base_enums.h"

/* A source pad beside an element's main one, with its own thread, stream-start, caps and segment.
 * The element is any GstElement: it feeds the pad, which looks at no other pad.
 *
 * The pad has a thread, because two source pads that one thread pushes to need a queue on each.
 * Otherwise the pipeline never prerolls: the sink on one of them waits for preroll, and nothing
 * reaches the other. With its own thread the pad needs no queue. A sink here that waits for its
 * clock does not block the main path while there is a place for the next buffer (see set_capacity).
 * It never does if the pad may drop (see set_drop).
 *
 * Threads. The element's streaming thread, one at a time, calls begin, set_caps, acquire, push and
 * passes serialised events. The pad's thread sends everything serialised in the order of these
 * calls: events, buffers, and the allocation query. It hands the query's pool back to the streaming
 * thread, which waits in acquire. Functions for "any thread" may be called from the pad's own, too.
 * Call no function with the object lock of pad or element held.
 *
 * Shutdown. The streaming thread may wait in push or acquire, and so does a thread that joins it.
 * Therefore, BEFORE the element chains up:
 *   FLUSH_START        gst_rdp_extra_pad_push_event ()
 *   PAUSED_TO_READY    gst_rdp_extra_pad_interrupt ()
 *   release_pad        gst_rdp_extra_pad_release () does all of it
 * On GstAggregator gst_rdp_extra_pad_follow () flushes the pad in time. */
G_BEGIN_DECLS

#define GST_TYPE_RDP_EXTRA_PAD (gst_rdp_extra_pad_get_type())
G_DECLARE_DERIVABLE_TYPE(GstRdpExtraPad, gst_rdp_extra_pad, GST, RDP_EXTRA_PAD, GstPad)

struct _GstRdpExtraPadClass {
  GstPadClass parent_class;

  /* Functions that a subclass may override. Called from the pad's thread, without locks, unless
   * noted.
   *
   * choose_caps: the caps to send for the caps that the element set; called for new ones and in
   * each negotiation. Default: the same. Null: there are none, and an error is posted.
   * decide_pool: after the allocation query, `answered` or not. Returns a configured, inactive
   * pool, or null if there is none for such caps. Default: downstream's or an own one for video in
   * system memory; null for all else.
   * negotiated: `pool` is active, and acquire returns its buffers from now on. Streaming thread.
   * reset: forget what downstream said of its speed; after a flush, a relink, a stop. Any thread.
   * qos: an upstream QOS event, which the pad does not forward. Any thread.
   * stopped: the pad has been deactivated and its pool is gone. Any thread. */
  GstCaps* (*choose_caps)(GstRdpExtraPad* self, GstCaps* told);
  GstBufferPool* (*decide_pool)(GstRdpExtraPad* self, GstCaps* caps, GstQuery* query);
  void (*negotiated)(GstRdpExtraPad* self, GstBufferPool* pool);
  void (*reset)(GstRdpExtraPad* self);
  void (*qos)(GstRdpExtraPad* self, GstEvent* event);
  void (*stopped)(GstRdpExtraPad* self);

  gpointer padding[4];
};

/* --- making one: between g_object_new() and gst_element_add_pad() ------------------------------
 */

/* Sets how many buffers (and GAPs) may wait for the pad's thread, beside the one being sent. 1, the
 * default: a mailbox of one picture. 2: data. Push waits while it is full. */
void gst_rdp_extra_pad_set_capacity(GstRdpExtraPad* self, guint buffers);

/* Allows or forbids dropping late buffers.
 * NEVER, the default, for data: the streaming thread waits for a place and for a pool.
 * LATE: it waits for neither. If all places are taken, the oldest waiting buffer makes room for the
 * new one, and a GAP is left out. Acquire returns an available buffer at once, or none.
 * AUTO: as LATE in live pipelines, else as NEVER. Live is upstream's answer to the LATENCY query;
 * no answer is not live. The query goes through the pad's own query function, after each SEGMENT,
 * LATENCY and RECONFIGURE event.
 * Any thread, at any time: ends a wait. */
void gst_rdp_extra_pad_set_drop(GstRdpExtraPad* self, GstRdpDrop drop);

/* Sets the element's functions for upstream events and queries that the pad does not handle; null:
 * gst_pad_event_default(), gst_pad_query_default(). The pad handles CAPS and keeps QOS (data has
 * none, pictures are dropped) and RECONFIGURE (core has set the flag). The element handles SEEK
 * (see seek_filter.h), CONTEXT, LATENCY and all else. On GstAggregator it must send SEEK and
 * LATENCY to its src pad, because the defaults ignore the aggregator's own latency:
 * gst_pad_send_event (GST_AGGREGATOR_SRC_PAD (agg), event), gst_pad_query (…, query). */
void gst_rdp_extra_pad_set_functions(GstRdpExtraPad* self, GstPadEventFunction event,
                                     GstPadQueryFunction query);

/* For GstAggregator: each flush on `main`, the element's src pad, reaches this pad first. So the
 * streaming thread is free before the aggregator joins it. Lasts until release. */
void gst_rdp_extra_pad_follow(GstRdpExtraPad* self, GstPad* main);

/* --- the stream: the element's streaming thread ------------------------------------------------
 */

/* Sends what a pad missed that was requested in mid-stream, or whose element was restarted.
 * stream_start: upstream's; the pad's own has the id "<id>/<pad name>", and its group id, flags and
 * seqnum. caps: as in set_caps. segment, and `others` (TAG and other sticky events): as they are.
 * Caps, segment, others may be null; all are (transfer none). Does nothing if the stream has begun
 * since the pad was activated, also by a STREAM_START of push_event. TRUE: it began now. */
gboolean gst_rdp_extra_pad_begin(GstRdpExtraPad* self, GstEvent* stream_start, GstCaps* caps,
                                 GstEvent* segment, GList* others);

/* Does the same from the sticky events of another pad of the element, with `caps` in place of its
 * caps. Null: that pad's caps, which picture pads understand. EOS is not sent. Cheap once begun:
 * call it before every frame and event. */
gboolean gst_rdp_extra_pad_begin_like(GstRdpExtraPad* self, GstPad* pad, GstCaps* caps);

/* Sets new caps of the buffers to come; for picture pads, the caps of the frames.
 * (transfer none) */
void gst_rdp_extra_pad_set_caps(GstRdpExtraPad* self, GstCaps* caps);

/* Handles a downstream event (transfer full). Serialised ones are sent behind earlier buffers:
 * STREAM_START is translated, CAPS is set_caps, SEGMENT, TAG, EOS and others go as they are. A GAP
 * needs a place as a buffer does. FLUSH_START and FLUSH_STOP (any thread) act at once: they drop
 * waiting items, except sticky events that survive a flush. FLUSH_STOP returns when nothing of the
 * old stream is being sent any more. False: dropped, because the pad is flushing or not active. */
gboolean gst_rdp_extra_pad_push_event(GstRdpExtraPad* self, GstEvent* event);

/* TRUE if a buffer pushed now could arrive: the stream has begun with caps, and the peer is
 * started, has not ended, and is linked further downstream. After a restart of downstream, the pad
 * sends it the stream's events again before the next buffer. If downstream starts during that, it
 * may get stream-start and caps twice, because core does not tell what has arrived. Asks whether
 * the pipeline is live, if the answer may have changed. */
gboolean gst_rdp_extra_pad_takes(GstRdpExtraPad* self);

/* Returns a buffer from the negotiated pool. At first, and after RECONFIGURE, new caps and
 * renew_pool, it waits until the pad's thread has sent everything pushed before and has negotiated.
 * Null: *flow is what push would have returned, and an element error is posted if the user has to
 * change something.
 * If the pad drops, there is no wait, but up to 40 ms for the very first pool. Null with OK then
 * means that there is no buffer for this frame: either the pool is exhausted, or the pad's thread,
 * busy with a slow branch, has not negotiated yet. The frame counts as dropped; a GAP takes its
 * place. */
GstBuffer* gst_rdp_extra_pad_acquire(GstRdpExtraPad* self, GstFlowReturn* flow);

/* Hands a buffer on (transfer full). Waits for a place, unless the pad drops. Returns downstream's
 * last result, so an error comes back with one of the next two buffers. Never FLUSHING: a pad that
 * is flushed, stopped or released returns NOT_LINKED, so that the main path does not notice. One
 * that takes nothing (see takes) returns NOT_LINKED, too, and the buffer is dropped. */
GstFlowReturn gst_rdp_extra_pad_push(GstRdpExtraPad* self, GstBuffer* buffer);

/* The last result from downstream, which push would return. Any thread. */
GstFlowReturn gst_rdp_extra_pad_get_last_flow(GstRdpExtraPad* self);

/* Returns the number of buffers dropped since the pad was activated; counts one that the element
 * skipped because it was late. Any thread. */
guint64 gst_rdp_extra_pad_get_dropped(GstRdpExtraPad* self);
void gst_rdp_extra_pad_count_dropped(GstRdpExtraPad* self);

/* Call around the push of a frame to the main path, TRUE before it and FALSE after it. With this
 * the pad can explain a pipeline that does not start within five seconds: a sink of the main path
 * holds its frame until preroll and blocks the streaming thread, and the sinks here wait for that
 * thread's buffers. The pad detects the reverse case by itself. It posts a warning, once for an
 * activation, and only while the state change of the outermost bin is ASYNC. */
void gst_rdp_extra_pad_set_main_pushing(GstRdpExtraPad* self, gboolean pushing);

/* Returns the result for the main path: `flow` is the main pad's, or a result of this function for
 * another extra pad; `extra` is push's. As GstFlowCombiner: errors at once; EOS and NOT_LINKED only
 * if both. (GstFlowCombiner itself would read the pad's last flow return, which its thread may
 * have set to FLUSHING.) */
GstFlowReturn gst_rdp_extra_pad_combine_flow(GstFlowReturn flow, GstFlowReturn extra);

/* Makes the next acquire negotiate another pool with the same caps, e.g. for another context. Any
 * thread. */
void gst_rdp_extra_pad_renew_pool(GstRdpExtraPad* self);

/* --- the end: any thread but a GstTask of the element's other pads -----------------------------
 */

/* Ends the waits in push and acquire, and lets the pad's thread come back: if downstream does not
 * return within 40 ms, it is flushed. The pad then accepts nothing until it is activated again. For
 * PAUSED_TO_READY, before chaining up: the parent class then deactivates the pad, which joins its
 * thread. Called from the pad's own thread it does not wait for it. */
void gst_rdp_extra_pad_interrupt(GstRdpExtraPad* self);

/* Does all that release_pad needs: interrupts, deactivates and joins, gives the pool back, removes
 * the pad from the element. If called from the pad's own thread (a probe), another thread joins
 * that one (gst_element_call_async ()). The caller must have forgotten the pad; other references
 * stay valid.
 */
void gst_rdp_extra_pad_release(GstRdpExtraPad* self, GstElement* element);

G_END_DECLS

#endif /* RDP_GST_ELEMENTS_BASE_EXTRA_PAD_H_ */
