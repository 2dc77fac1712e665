/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_BASE_EXTRA_PAD_PRIVATE_H_
#define RDP_GST_ELEMENTS_BASE_EXTRA_PAD_PRIVATE_H_

#include <gst/base/gstqueuearray.h>

#include <condition_variable>
#include <mutex>

#include "gst/elements/base/extra_pad.h"

// What the files of the extra pad share.
GST_DEBUG_CATEGORY_EXTERN(gst_rdp_extra_pad_debug);

// Beyond this many waiting events push_event waits, too: a branch that stands still must not make
// the memory grow.
inline constexpr guint kMostWaiting = 64;

struct GstRdpExtraPadPrivate {
  // Set before the pad is used.
  GstPadEventFunction event_function = nullptr;
  GstPadQueryFunction query_function = nullptr;
  guint capacity = 1;
  gulong follow_probe = 0;
  GWeakRef followed;

  // The mutex is never held while anything outside these files is called.
  std::mutex mutex;
  std::condition_variable changed;
  GstQueueArray* waiting;  // GstMiniObject: events and buffers in their order
  guint places = 0;        // of them, those that count: buffers and GAPs
  bool active = false;     // between activation and deactivation
  bool closing = false;    // nothing is taken any more; what waits may still go
  bool interrupted = false;
  bool flushing = false;
  guint64 epoch = 0;  // a new one with each flush and stop: who waited before must not go on
  bool busy = false;  // the thread works on something: it may be in downstream's hands
  GThread* thread = nullptr;  // the one that was busy last
  bool join_pending = false;  // deactivated by its own thread, which another one will join
  bool joining = false;

  bool begun = false;
  bool have_caps = false;
  bool resend = false;             // downstream has forgotten the stream
  bool peer_flushing = false;      // downstream was shut down or flushed on its own
  bool behind_not_linked = false;  // the last buffer met an element with nothing behind it
  bool ended = false;              // downstream has ended on its own
  GstFlowReturn last = GST_FLOW_OK;

  GstBufferPool* pool = nullptr;
  bool pool_is_stale = false;
  bool pool_is_new = false;  // the streaming thread has not heard of it yet
  guint64 asked = 0;         // negotiations
  guint64 served = 0;        // of them
  GstFlowReturn outcome = GST_FLOW_OK;

  // The pad's thread.
  GstCaps* told = nullptr;
  bool negotiates = false;  // the element acquires from the pool

  bool closed() const { return !active || closing || interrupted || flushing; }
  bool in_own_thread() const { return busy && thread == g_thread_self(); }
};

// GST_EVENT_IS_STICKY and the like mix two enumerations, which C++20 warns of.
inline bool gst_rdp_extra_pad_event_is(const GstEvent* event, GstEventTypeFlags what) {
  return (gst_event_type_get_flags(GST_EVENT_TYPE(event)) & what) != 0;
}

GstRdpExtraPadPrivate& gst_rdp_extra_pad_private(GstRdpExtraPad* self);

// One step of the pad's thread: waits for something to do, and does it. `pad`: of the GstTask.
void gst_rdp_extra_pad_step(gpointer pad);

// Replaces the pool; the old one is let go without locks. A pad that is not active keeps none.
void gst_rdp_extra_pad_take_pool(GstRdpExtraPad* self, GstBufferPool* pool);

// Drops what waits; with `keep_sticky` not what describes the stream beyond a flush. Under the
// mutex: the objects are let go by the caller, without it.
void gst_rdp_extra_pad_drop_waiting(GstRdpExtraPadPrivate& priv, bool keep_sticky, GQueue* dropped);

// The pad's event and query functions.
gboolean gst_rdp_extra_pad_upstream_event(GstPad* pad, GstObject* parent, GstEvent* event);
gboolean gst_rdp_extra_pad_upstream_query(GstPad* pad, GstObject* parent, GstQuery* query);

// Posts that a pool gives nothing.
void gst_rdp_extra_pad_post_no_memory(GstRdpExtraPad* self, const char* detail);

// The default of decide_pool.
GstBufferPool* gst_rdp_extra_pad_decide_pool_default(GstRdpExtraPad* self, GstCaps* caps,
                                                     GstQuery* query);

#endif  // RDP_GST_ELEMENTS_BASE_EXTRA_PAD_PRIVATE_H_
