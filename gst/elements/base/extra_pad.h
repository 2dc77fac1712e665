/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_BASE_EXTRA_PAD_H_
#define RDP_GST_ELEMENTS_BASE_EXTRA_PAD_H_

#include <gst/gst.h>

#include "gst/elements/base/base_enums.h"

/* A source pad beside an element's main one, with a thread of its own and its own stream-start,
 * caps and segment. The element is any GstElement: the pad looks at none of its other pads, it is
 * told.
 *
 * The pad has a thread, because two source pads that one thread pushes to need a queue on each.
 * Otherwise the pipeline never prerolls: the sink on one of them waits for preroll, and nothing
 * comes to the other. With its own thread the pad needs no queue. A sink here that waits for its
 * clock does not hold up the main path while there is a place for the next buffer (see
 * set_capacity). It never does if the pad may drop (see set_drop).
 *
 * Threads. The element's streaming thread tells: begin, set_caps, serialised events, acquire and
 * push, from one thread at a time. The pad's thread sends all that is serialised, in the order in
 * which it was told: events, buffers, and the allocation query. It hands the query's pool back to
 * the streaming thread, which waits in acquire. Functions for "any thread" may be called from the
 * pad's own, too. No function is to be called with the object lock of pad or element held.
 *
 * Shutdown. The streaming thread may wait in push or acquire, and a thread that joins it waits as
 * well. Therefore, BEFORE the element chains up:
 *   FLUSH_START        gst_rdp_extra_pad_push_event ()
 *   PAUSED_TO_READY    gst_rdp_extra_pad_interrupt ()
 *   release_pad        gst_rdp_extra_pad_release () does all of it
 * On GstAggregator gst_rdp_extra_pad_follow () flushes the pad in time. */
G_BEGIN_DECLS

#define GST_TYPE_RDP_EXTRA_PAD (gst_rdp_extra_pad_get_type())
G_DECLARE_DERIVABLE_TYPE(GstRdpExtraPad, gst_rdp_extra_pad, GST, RDP_EXTRA_PAD, GstPad)

struct _GstRdpExtraPadClass {
  GstPadClass parent_class;

  /* Functions that a subclass may override. Called from the pad's thread, without locks, except
   * where said.
   *
   * choose_caps: the caps to send for those that the pad was told; called when it is told new ones
   * and whenever it negotiates. Default: the same. Null: there are none, and an error is posted.
   * decide_pool: after the allocation query, `answered` or not. Gives a pool that is configured but
   * not active, or null where there is none for such caps. Default: downstream's or one of its own,
   * for video in system memory; null for all else.
   * negotiated: `pool` is active, and acquire gives its buffers from now on. Streaming thread.
   * reset: forget what downstream said of its speed; after a flush, a relink, a stop. Any thread.
   * qos: an upstream QOS event; it goes no further. Any thread.
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

/* Sets how many buffers (and GAPs) may wait for the pad's thread; one more is under way. 1: a
 * mailbox of one picture, the default. 2: data. Push waits while it is full. */
void gst_rdp_extra_pad_set_capacity(GstRdpExtraPad* self, guint buffers);

/* Allows or forbids dropping late buffers. NEVER: data, the default; the streaming thread waits for
 * a place and for a pool. LATE: it waits for neither. When all places are taken, the oldest waiting
 * buffer makes room for the new one, so the next one is the newest. A GAP is left out. Acquire
 * takes a buffer that is there at once, or gives none. AUTO: as LATE in live pipelines, else as
 * NEVER. Live is upstream's answer to the LATENCY query; no answer is not live. The query goes
 * through the pad's own query function, after each SEGMENT, and when a LATENCY or RECONFIGURE event
 * has come to the pad. Any thread, at any time: a wait ends. */
void gst_rdp_extra_pad_set_drop(GstRdpExtraPad* self, GstRdpDrop drop);

/* The element's functions for upstream events, and for queries that the pad leaves to it; null:
 * gst_pad_event_default(), gst_pad_query_default(). The pad keeps QOS (data has none, pictures are
 * left out) and RECONFIGURE (core has set the flag) for itself and answers CAPS. Left to the
 * element: SEEK (see seek_filter.h), CONTEXT, LATENCY and all else. An element on GstAggregator
 * hands SEEK and LATENCY to its src pad, because the defaults know nothing of the aggregator's own
 * latency. It calls gst_pad_send_event (GST_AGGREGATOR_SRC_PAD (agg), event), gst_pad_query (…,
 * query). */
void gst_rdp_extra_pad_set_functions(GstRdpExtraPad* self, GstPadEventFunction event,
                                     GstPadQueryFunction query);

/* For GstAggregator: each flush on `main`, the element's src pad, goes out here first. So the
 * streaming thread is free before the aggregator joins it. Lasts until release. */
void gst_rdp_extra_pad_follow(GstRdpExtraPad* self, GstPad* main);

/* --- the stream: the element's streaming thread ------------------------------------------------
 */

/* Tells a pad that was requested in mid-stream, or whose element was started anew, what it missed.
 * stream_start: upstream's; the pad's own has the id "<id>/<pad name>", and its group id, flags and
 * seqnum. caps: as in set_caps. segment, and `others` (TAG and other sticky events): as they are.
 * Caps, segment, others may be null. Nothing is taken. Does nothing if the stream has begun
 * already, since the pad was activated: also with a STREAM_START of push_event. TRUE: it began
 * now. */
gboolean gst_rdp_extra_pad_begin(GstRdpExtraPad* self, GstEvent* stream_start, GstCaps* caps,
                                 GstEvent* segment, GList* others);

/* The same from the sticky events of another pad of the element, with `caps` in place of its own.
 * Null: its own caps, which picture pads understand. EOS is no part of it. Cheap once begun: call
 * it before every frame and event. */
gboolean gst_rdp_extra_pad_begin_like(GstRdpExtraPad* self, GstPad* pad, GstCaps* caps);

/* New caps of what will be pushed; of picture pads, the caps of the frames. Not taken. */
void gst_rdp_extra_pad_set_caps(GstRdpExtraPad* self, GstCaps* caps);

/* Takes a downstream event (transfer full). Serialised ones are sent behind earlier buffers:
 * STREAM_START is translated, CAPS is set_caps, SEGMENT, TAG, EOS and others go as they are. A GAP
 * needs a place as a buffer does. FLUSH_START and FLUSH_STOP (any thread) act at once: they drop
 * what waits, but for sticky events that survive a flush. FLUSH_STOP returns when nothing of the
 * old stream is under way any more. False: dropped, because the pad is flushing or not active. */
gboolean gst_rdp_extra_pad_push_event(GstRdpExtraPad* self, GstEvent* event);

/* TRUE if a buffer pushed now could arrive: the stream has begun with caps, and the peer is
 * started, has not ended, and is linked on. A downstream that comes back is told the stream anew
 * before the next buffer. One that starts while it is being told may get stream-start and caps
 * twice, because core does not say what has arrived. Asks whether the pipeline is live, when that
 * is due. */
gboolean gst_rdp_extra_pad_takes(GstRdpExtraPad* self);

/* A buffer from the negotiated pool. The first time, after RECONFIGURE, new caps and
 * renew_pool it waits for the pad's thread to negotiate, which is behind what was pushed before.
 * Null: *flow is what push would have returned, and an element error is posted where the user has
 * to change something.
 * If the pad drops, there is no wait, but up to 40 ms for the first pool of all. Null with OK then
 * means that there is no buffer for this frame now. Either the pool has none to spare, or the pad's
 * thread, busy with a slow branch, has yet to negotiate. The frame counts as dropped; a GAP takes
 * its place. */
GstBuffer* gst_rdp_extra_pad_acquire(GstRdpExtraPad* self, GstFlowReturn* flow);

/* Hands a buffer on (transfer full). Waits for a place, unless the pad drops. Returns downstream's
 * last result, so an error comes back with one of the next two buffers. Never FLUSHING: a pad that
 * is flushed, stopped or released returns NOT_LINKED, so that the main path does not notice. One
 * that takes nothing (see takes) returns NOT_LINKED, too, and the buffer is dropped. */
GstFlowReturn gst_rdp_extra_pad_push(GstRdpExtraPad* self, GstBuffer* buffer);

/* The last result from downstream, which push would return. Any thread. */
GstFlowReturn gst_rdp_extra_pad_get_last_flow(GstRdpExtraPad* self);

/* The number of buffers dropped since the pad was activated; and a way to count one that the
 * element left out because it was late. Any thread. */
guint64 gst_rdp_extra_pad_get_dropped(GstRdpExtraPad* self);
void gst_rdp_extra_pad_count_dropped(GstRdpExtraPad* self);

/* Around the push of a frame to the main path, TRUE before it and FALSE after it. With this the pad
 * can explain a pipeline that does not start within five seconds. A sink of the main path waits for
 * preroll with a frame, and the streaming thread with it. The sinks here wait for that thread's
 * buffers. The other
 * way round the pad knows by itself. It is a warning, once for an activation, and only while the
 * state change of the outermost bin is ASYNC. */
void gst_rdp_extra_pad_set_main_pushing(GstRdpExtraPad* self, gboolean pushing);

/* The result for the main path: `flow` is the main pad's, or a result of this function for
 * another extra pad; `extra` what push gave. As GstFlowCombiner: errors at once; EOS and
 * NOT_LINKED only if both. (No GstFlowCombiner: it reads what the pad's thread has just been
 * told, FLUSHING included.) */
GstFlowReturn gst_rdp_extra_pad_combine_flow(GstFlowReturn flow, GstFlowReturn extra);

/* The next acquire asks for another pool with the caps as they are, e.g. for another context. Any
 * thread. */
void gst_rdp_extra_pad_renew_pool(GstRdpExtraPad* self);

/* --- the end: any thread but a GstTask of the element's other pads -----------------------------
 */

/* Ends the waits in push and acquire, and lets the pad's thread come back: if downstream does not
 * return within 40 ms, it is flushed. From then on nothing is taken until the pad is activated
 * again. For PAUSED_TO_READY, before chaining up: the parent class then deactivates the pad, which
 * joins its thread. Called from the pad's own thread it does not wait for it. */
void gst_rdp_extra_pad_interrupt(GstRdpExtraPad* self);

/* All that release_pad does: interrupts, deactivates and joins, gives the pool back, removes the
 * pad from the element. From the pad's own thread (a probe) the thread is joined by another one
 * (gst_element_call_async ()). The caller must have forgotten the pad; other references stay valid.
 */
void gst_rdp_extra_pad_release(GstRdpExtraPad* self, GstElement* element);

G_END_DECLS

#endif /* RDP_GST_ELEMENTS_BASE_EXTRA_PAD_H_ */
