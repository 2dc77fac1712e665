/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_ELEMENTS_BASE_EXTRA_PAD_PRIVATE_H_
#define RDP_GST_ELEMENTS_BASE_EXTRA_PAD_PRIVATE_H_

#include <gst/base/gstqueuearray.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "gst/elements/base/extra_pad.h"

// Shared by the files of the extra pad.
GST_DEBUG_CATEGORY_EXTERN(gst_rdp_extra_pad_debug);

// Above this many waiting events push_event waits, too: a blocked branch must not make memory grow.
inline constexpr guint kMaxWaiting = 64;

// Time after which a pipeline that does not preroll is examined.
inline constexpr std::chrono::seconds kPrerollPatience(5);

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
  bool closing = false;    // nothing is accepted any more; waiting items may still be sent
  bool interrupted = false;
  bool flushing = false;
  guint64 epoch = 0;          // changes with each flush and stop: earlier waits must not go on
  bool busy = false;          // the thread works on something, maybe inside downstream
  GThread* thread = nullptr;  // the last one that was busy
  bool join_pending = false;  // deactivated by its own thread, which another thread will join
  bool joining = false;

  bool begun = false;
  bool have_caps = false;
  bool resend = false;             // downstream has forgotten the stream
  bool peer_flushing = false;      // downstream was shut down or flushed on its own
  bool behind_not_linked = false;  // the last buffer met an element with an unlinked src
  bool ended = false;              // downstream has ended on its own
  GstFlowReturn last = GST_FLOW_OK;

  GstBufferPool* pool = nullptr;
  bool pool_is_stale = false;
  bool pool_is_new = false;  // the streaming thread has not seen it yet
  guint64 asked = 0;         // negotiations
  guint64 served = 0;        // answered negotiations
  GstFlowReturn outcome = GST_FLOW_OK;
  bool outcome_is_new = false;  // not read yet by a streaming thread that does not wait

  GstRdpDrop drop = GST_RDP_DROP_NEVER;
  bool live = false;      // as upstream said
  bool ask_live = false;  // it has to be asked again
  guint64 dropped = 0;    // since activation
  bool discont = false;   // the next buffer follows one that was dropped

  // See gst_rdp_extra_pad_set_main_pushing().
  bool main_pushes = false;
  std::chrono::steady_clock::time_point main_since;
  bool explained = false;  // why the pipeline does not preroll

  // The pad's thread.
  GstCaps* told = nullptr;
  bool negotiates = false;  // the element acquires from the pool

  bool closed() const { return !active || closing || interrupted || flushing; }
  bool in_own_thread() const { return busy && thread == g_thread_self(); }
  // True if the streaming thread does not wait.
  bool drops() const { return drop == GST_RDP_DROP_LATE || (drop == GST_RDP_DROP_AUTO && live); }
  // True during a negotiation. The streaming thread, which alone asks, goes on meanwhile only if
  // the pad drops.
  bool negotiating() const { return asked != served; }
};

// GST_EVENT_IS_STICKY and the like mix two enumerations, which C++20 warns of.
inline bool gst_rdp_extra_pad_event_is(const GstEvent* event, GstEventTypeFlags what) {
  return (gst_event_type_get_flags(GST_EVENT_TYPE(event)) & what) != 0;
}

GstRdpExtraPadPrivate& gst_rdp_extra_pad_private(GstRdpExtraPad* self);

// True if the object takes a place in the queue.
inline bool gst_rdp_extra_pad_counts(GstMiniObject* object) {
  return GST_IS_BUFFER(object) || GST_EVENT_TYPE(object) == GST_EVENT_GAP;
}

// Waits for one item and processes it, in the pad's thread. `pad`: the GstTask's data.
void gst_rdp_extra_pad_step(gpointer pad);

// Replaces the pool, and releases the old one without locks. An inactive pad keeps none.
void gst_rdp_extra_pad_take_pool(GstRdpExtraPad* self, GstBufferPool* pool);

// Moves waiting items to `dropped`; `keep_sticky` keeps sticky events that survive a flush. Under
// the mutex: the caller unrefs the items after releasing it.
void gst_rdp_extra_pad_drop_waiting(GstRdpExtraPadPrivate& priv, bool keep_sticky, GQueue* dropped);

// Make room by dropping, under the mutex: for a buffer, if all places are taken; for an event, if
// the queue is full. Return the dropped item, which the caller unrefs without the mutex, or null.
GstMiniObject* gst_rdp_extra_pad_make_place(GstRdpExtraPadPrivate& priv);
GstMiniObject* gst_rdp_extra_pad_make_room(GstRdpExtraPadPrivate& priv);
// Takes back the oldest waiting buffer from `pool`, and frees its place. Null: there is none.
GstBuffer* gst_rdp_extra_pad_take_back(GstRdpExtraPadPrivate& priv, GstBufferPool* pool);

void gst_rdp_extra_pad_unref_all(GQueue* objects);

// Asks upstream whether it is live, if the answer may have changed. Without the mutex; any thread.
void gst_rdp_extra_pad_update_live(GstRdpExtraPad* self);

// The thread that waits in the pad while the pipeline does not preroll.
enum class PrerollWaits {
  kStreamingThread,  // for a place
  kPadThread,        // for something to send, while the main path is blocked
};
// Explains in a warning, once per activation, if this wait keeps the pipeline from preroll.
// Releases the lock meanwhile.
void gst_rdp_extra_pad_explain_preroll(GstRdpExtraPad* self, std::unique_lock<std::mutex>& lock,
                                       PrerollWaits who);

// Waits in the streaming thread.
template <typename Predicate>
void gst_rdp_extra_pad_wait(GstRdpExtraPad* self, std::unique_lock<std::mutex>& lock,
                            const Predicate& over) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  while (!priv.explained && !priv.changed.wait_for(lock, kPrerollPatience, over)) {
    gst_rdp_extra_pad_explain_preroll(self, lock, PrerollWaits::kStreamingThread);
  }
  priv.changed.wait(lock, over);
}

// The pad's event and query functions.
gboolean gst_rdp_extra_pad_upstream_event(GstPad* pad, GstObject* parent, GstEvent* event);
gboolean gst_rdp_extra_pad_upstream_query(GstPad* pad, GstObject* parent, GstQuery* query);

// Posts that a pool provides no buffer.
void gst_rdp_extra_pad_post_no_memory(GstRdpExtraPad* self, const char* detail);

// The default of decide_pool.
GstBufferPool* gst_rdp_extra_pad_decide_pool_default(GstRdpExtraPad* self, GstCaps* caps,
                                                     GstQuery* query);

#endif  // RDP_GST_ELEMENTS_BASE_EXTRA_PAD_PRIVATE_H_
