// SPDX-License-Identifier: LGPL-2.1-or-later
// The extra source pad as the element sees it: stream setup, flushing and shutdown.
// extra_pad_buffers.cpp has acquiring and pushing, extra_pad_thread.cpp the pad's thread.
#include "gst/elements/base/extra_pad.h"

#include <chrono>
#include <new>
#include <utility>

#include "gst/elements/base/extra_pad-private.h"

GST_DEBUG_CATEGORY(gst_rdp_extra_pad_debug);
#define GST_CAT_DEFAULT gst_rdp_extra_pad_debug

using Lock = std::unique_lock<std::mutex>;

G_DEFINE_TYPE_WITH_CODE(GstRdpExtraPad, gst_rdp_extra_pad, GST_TYPE_PAD,
                        G_ADD_PRIVATE(GstRdpExtraPad)
                            GST_DEBUG_CATEGORY_INIT(gst_rdp_extra_pad_debug, "rdpextrapad", 0,
                                                    "source pads with a thread of their own"))

GstRdpExtraPadPrivate& gst_rdp_extra_pad_private(GstRdpExtraPad* self) {
  return *static_cast<GstRdpExtraPadPrivate*>(gst_rdp_extra_pad_get_instance_private(self));
}

static void gst_rdp_extra_pad_reset(GstRdpExtraPad* self) {
  GstRdpExtraPadClass* klass = GST_RDP_EXTRA_PAD_GET_CLASS(self);
  if (klass->reset != nullptr) klass->reset(self);
}

// Ends waits for a buffer of the pool.
static void gst_rdp_extra_pad_set_pool_flushing(GstRdpExtraPad* self, gboolean flushing) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  Lock lock(priv.mutex);
  GstBufferPool* pool = priv.pool == nullptr ? nullptr : GST_BUFFER_POOL(gst_object_ref(priv.pool));
  lock.unlock();
  if (pool == nullptr) return;
  gst_buffer_pool_set_flushing(pool, flushing);
  gst_object_unref(pool);
}

// --- the stream ---------------------------------------------------------------------------------

static GstEvent* gst_rdp_extra_pad_translate_stream_start(GstRdpExtraPad* self, GstEvent* event) {
  const gchar* stream_id;
  GstStreamFlags flags;
  guint group_id;
  gst_event_parse_stream_start(event, &stream_id);
  gst_event_parse_stream_flags(event, &flags);
  g_autofree gchar* name = gst_object_get_name(GST_OBJECT(self));
  g_autofree gchar* id = g_strdup_printf("%s/%s", stream_id, name);
  GstEvent* result = gst_event_new_stream_start(id);
  gst_event_set_stream_flags(result, flags);
  if (gst_event_parse_group_id(event, &group_id)) gst_event_set_group_id(result, group_id);
  gst_event_set_seqnum(result, gst_event_get_seqnum(event));
  return result;
}

// Under the mutex.
static void gst_rdp_extra_pad_note_event(GstRdpExtraPadPrivate& priv, const GstEvent* event) {
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_STREAM_START:
      priv.begun = true;
      priv.ended = false;
      if (priv.last == GST_FLOW_EOS) priv.last = GST_FLOW_OK;
      break;
    case GST_EVENT_CAPS:
      priv.have_caps = true;
      priv.pool_is_stale = true;
      break;
    case GST_EVENT_SEGMENT:
      priv.ask_live = true;
      break;
    case GST_EVENT_GAP:
      priv.places++;
      break;
    default:
      break;
  }
}

// Queues a serialised event (transfer full), as the pad sends it.
static gboolean gst_rdp_extra_pad_enqueue(GstRdpExtraPad* self, GstEvent* event) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  const bool is_gap = GST_EVENT_TYPE(event) == GST_EVENT_GAP;
  Lock lock(priv.mutex);
  const guint64 epoch = priv.epoch;
  const auto over = [&] { return priv.closed() || priv.epoch != epoch; };
  const auto no_place = [&] { return is_gap && priv.places >= priv.capacity; };
  gst_rdp_extra_pad_wait(self, lock, [&] {
    return over() || priv.drops() ||
           (gst_queue_array_get_length(priv.waiting) < kMaxWaiting && !no_place());
  });
  // Downstream needs no GAP while all places are taken: it has data to come.
  if (over() || no_place()) {
    const bool taken = !over();
    lock.unlock();
    gst_event_unref(event);
    return taken ? TRUE : FALSE;
  }
  GstMiniObject* dropped = gst_rdp_extra_pad_make_room(priv);
  gst_rdp_extra_pad_note_event(priv, event);
  gst_queue_array_push_tail(priv.waiting, event);
  priv.changed.notify_all();
  lock.unlock();
  if (dropped != nullptr) gst_mini_object_unref(dropped);
  return TRUE;
}

gboolean gst_rdp_extra_pad_begin(GstRdpExtraPad* self, GstEvent* stream_start, GstCaps* caps,
                                 GstEvent* segment, GList* others) {
  g_return_val_if_fail(GST_IS_EVENT(stream_start), FALSE);
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  Lock lock(priv.mutex);
  if (priv.closed() || priv.begun) return FALSE;  // called before every frame: create nothing
  lock.unlock();
  GQueue events = G_QUEUE_INIT;
  g_queue_push_tail(&events, gst_rdp_extra_pad_translate_stream_start(self, stream_start));
  if (caps != nullptr) g_queue_push_tail(&events, gst_event_new_caps(caps));
  if (segment != nullptr) g_queue_push_tail(&events, gst_event_ref(segment));
  for (GList* other = others; other != nullptr; other = other->next) {
    g_queue_push_tail(&events, gst_event_ref(GST_EVENT(other->data)));
  }
  lock.lock();
  const bool begins = !priv.closed() && !priv.begun;
  while (begins && !g_queue_is_empty(&events)) {
    auto* event = static_cast<GstEvent*>(g_queue_pop_head(&events));
    gst_rdp_extra_pad_note_event(priv, event);
    gst_queue_array_push_tail(priv.waiting, event);
  }
  if (begins) priv.changed.notify_all();
  lock.unlock();
  gst_rdp_extra_pad_unref_all(&events);
  return begins ? TRUE : FALSE;
}

namespace {
struct StickyEvents {
  GstEvent* stream_start = nullptr;
  GstEvent* caps = nullptr;
  GstEvent* segment = nullptr;
  GList* others = nullptr;
};
}  // namespace

static gboolean gst_rdp_extra_pad_gather(GstPad*, GstEvent** event, gpointer user_data) {
  auto* sticky = static_cast<StickyEvents*>(user_data);
  GstEvent* ref = gst_event_ref(*event);
  switch (GST_EVENT_TYPE(ref)) {
    case GST_EVENT_STREAM_START:
      sticky->stream_start = ref;
      break;
    case GST_EVENT_CAPS:
      sticky->caps = ref;
      break;
    case GST_EVENT_SEGMENT:
      sticky->segment = ref;
      break;
    case GST_EVENT_EOS:
      gst_event_unref(ref);
      break;
    default:
      sticky->others = g_list_append(sticky->others, ref);
  }
  return TRUE;
}

gboolean gst_rdp_extra_pad_begin_like(GstRdpExtraPad* self, GstPad* pad, GstCaps* caps) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  {
    const Lock lock(priv.mutex);
    if (priv.begun || priv.closed()) return FALSE;
  }
  StickyEvents sticky;
  gst_pad_sticky_events_foreach(pad, gst_rdp_extra_pad_gather, &sticky);
  GstCaps* theirs = nullptr;
  if (sticky.caps != nullptr) gst_event_parse_caps(sticky.caps, &theirs);
  const gboolean begins =
      sticky.stream_start != nullptr &&
      gst_rdp_extra_pad_begin(self, sticky.stream_start, caps != nullptr ? caps : theirs,
                              sticky.segment, sticky.others);
  gst_clear_event(&sticky.stream_start);
  gst_clear_event(&sticky.caps);
  gst_clear_event(&sticky.segment);
  g_list_free_full(sticky.others, reinterpret_cast<GDestroyNotify>(gst_mini_object_unref));
  return begins;
}

void gst_rdp_extra_pad_set_caps(GstRdpExtraPad* self, GstCaps* caps) {
  g_return_if_fail(GST_IS_CAPS(caps));
  gst_rdp_extra_pad_enqueue(self, gst_event_new_caps(caps));
}

// --- flushes ------------------------------------------------------------------------------------

static gboolean gst_rdp_extra_pad_start_flush(GstRdpExtraPad* self, GstEvent* event) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  GQueue dropped = G_QUEUE_INIT;
  Lock lock(priv.mutex);
  priv.flushing = true;
  priv.epoch++;
  priv.served = priv.asked;  // ends the wait of the streaming thread
  priv.outcome_is_new = false;
  gst_rdp_extra_pad_drop_waiting(priv, true, &dropped);
  priv.changed.notify_all();
  lock.unlock();
  gst_rdp_extra_pad_unref_all(&dropped);
  gst_rdp_extra_pad_set_pool_flushing(self, TRUE);
  return gst_pad_push_event(GST_PAD(self), event);
}

static gboolean gst_rdp_extra_pad_stop_flush(GstRdpExtraPad* self, GstEvent* event) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  Lock lock(priv.mutex);
  // Otherwise the buffer being sent could arrive after the flush.
  if (!priv.in_own_thread()) {
    priv.changed.wait(lock, [&] { return !priv.busy || !priv.active || priv.interrupted; });
  }
  priv.ended = priv.behind_not_linked = priv.peer_flushing = false;
  priv.last = GST_FLOW_OK;
  lock.unlock();
  gst_rdp_extra_pad_set_pool_flushing(self, FALSE);
  gst_rdp_extra_pad_reset(self);
  const gboolean done = gst_pad_push_event(GST_PAD(self), event);
  lock.lock();
  priv.flushing = false;
  priv.changed.notify_all();
  return done;
}

gboolean gst_rdp_extra_pad_push_event(GstRdpExtraPad* self, GstEvent* event) {
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_FLUSH_START:
      return gst_rdp_extra_pad_start_flush(self, event);
    case GST_EVENT_FLUSH_STOP:
      return gst_rdp_extra_pad_stop_flush(self, event);
    case GST_EVENT_STREAM_START: {
      GstEvent* own = gst_rdp_extra_pad_translate_stream_start(self, event);
      gst_event_unref(event);
      return gst_rdp_extra_pad_enqueue(self, own);
    }
    default:
      if (!gst_rdp_extra_pad_event_is(event, GST_EVENT_TYPE_SERIALIZED)) {
        return gst_pad_push_event(GST_PAD(self), event);
      }
      return gst_rdp_extra_pad_enqueue(self, event);
  }
}

// --- life ---------------------------------------------------------------------------------------

// True in the pad's thread, also outside of its steps: core posts a message when the thread begins,
// which may drop the element's last reference.
static bool gst_rdp_extra_pad_is_own_task(GstRdpExtraPad* self) {
  GST_OBJECT_LOCK(self);
  GstTask* task = GST_PAD_TASK(self);
  if (task != nullptr) gst_object_ref(task);
  GST_OBJECT_UNLOCK(self);
  if (task == nullptr) return false;
  GST_OBJECT_LOCK(task);
  const bool own = task->thread == g_thread_self();
  GST_OBJECT_UNLOCK(task);
  gst_object_unref(task);
  return own;
}

void gst_rdp_extra_pad_interrupt(GstRdpExtraPad* self) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  constexpr std::chrono::milliseconds kGrace(40);
  const bool own_task = gst_rdp_extra_pad_is_own_task(self);
  GQueue dropped = G_QUEUE_INIT;
  Lock lock(priv.mutex);
  priv.closing = true;
  priv.epoch++;
  priv.served = priv.asked;  // ends the wait of the streaming thread
  priv.outcome_is_new = false;
  priv.changed.notify_all();
  const bool own = own_task || priv.in_own_thread();
  lock.unlock();
  gst_rdp_extra_pad_set_pool_flushing(self, TRUE);
  lock.lock();
  // Let buffers on their way arrive: flushing would lose pictures.
  if (!own) {
    priv.changed.wait_for(lock, kGrace, [&] {
      return !priv.active || priv.flushing ||
             (!priv.busy && gst_queue_array_is_empty(priv.waiting));
    });
  }
  priv.interrupted = true;
  gst_rdp_extra_pad_drop_waiting(priv, false, &dropped);
  priv.changed.notify_all();
  bool stuck = priv.busy && !own;
  lock.unlock();
  gst_rdp_extra_pad_unref_all(&dropped);
  if (!stuck) return;
  // FLUSH_START on this pad first, so that nothing leaves it any more. FLUSH_STOP only to the peer,
  // so that nothing leaves it until the pad is activated again.
  gst_pad_push_event(GST_PAD(self), gst_event_new_flush_start());
  lock.lock();
  priv.changed.wait(lock, [&] { return !priv.busy; });
  lock.unlock();
  if (GstPad* peer = gst_pad_get_peer(GST_PAD(self))) {
    gst_pad_send_event(peer, gst_event_new_flush_stop(TRUE));
    gst_object_unref(peer);
  }
}

static void gst_rdp_extra_pad_join_elsewhere(GstElement*, gpointer user_data) {
  auto* self = GST_RDP_EXTRA_PAD(user_data);
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  Lock lock(priv.mutex);
  if (!priv.join_pending) return;  // the pad's thread has activated it again
  priv.joining = true;
  lock.unlock();
  gst_pad_stop_task(GST_PAD(self));
  lock.lock();
  priv.join_pending = priv.joining = false;
  priv.changed.notify_all();
}

static void gst_rdp_extra_pad_stop(GstRdpExtraPad* self) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  gst_rdp_extra_pad_interrupt(self);
  const bool own_task = gst_rdp_extra_pad_is_own_task(self);
  Lock lock(priv.mutex);
  priv.active = false;
  const bool own = own_task || priv.in_own_thread();
  priv.join_pending = own;
  priv.changed.notify_all();
  lock.unlock();
  if (!own) {
    gst_pad_stop_task(GST_PAD(self));
  } else if (GstElement* element = gst_pad_get_parent_element(GST_PAD(self))) {
    gst_element_call_async(element, gst_rdp_extra_pad_join_elsewhere, gst_object_ref(self),
                           gst_object_unref);
    gst_object_unref(element);
  } else {
    g_thread_unref(g_thread_new(
        "extra-pad-join",
        [](gpointer pad) -> gpointer {
          gst_rdp_extra_pad_join_elsewhere(nullptr, pad);
          gst_object_unref(pad);
          return nullptr;
        },
        gst_object_ref(self)));
  }
  gst_rdp_extra_pad_take_pool(self, nullptr);
  gst_rdp_extra_pad_reset(self);
  GstRdpExtraPadClass* klass = GST_RDP_EXTRA_PAD_GET_CLASS(self);
  if (klass->stopped != nullptr) klass->stopped(self);
}

static gboolean gst_rdp_extra_pad_start(GstRdpExtraPad* self) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  Lock lock(priv.mutex);
  const bool own = priv.in_own_thread();
  if (own && priv.joining) return FALSE;  // it would wait for itself
  if (own) priv.join_pending = false;
  priv.changed.wait(lock, [&] { return !priv.join_pending; });
  priv.active = true;
  priv.closing = priv.interrupted = priv.flushing = false;
  priv.begun = priv.have_caps = priv.resend = false;
  priv.peer_flushing = priv.behind_not_linked = priv.ended = false;
  priv.last = GST_FLOW_OK;
  priv.ask_live = true;
  priv.live = priv.discont = priv.main_pushes = priv.explained = false;
  priv.dropped = 0;
  if (!own) gst_clear_caps(&priv.told);  // nobody else looks at it now
  lock.unlock();
  return gst_pad_start_task(GST_PAD(self), gst_rdp_extra_pad_step, self, nullptr);
}

static gboolean gst_rdp_extra_pad_activate_mode(GstPad* pad, GstObject*, GstPadMode mode,
                                                gboolean active) {
  if (mode != GST_PAD_MODE_PUSH) return FALSE;
  auto* self = GST_RDP_EXTRA_PAD(pad);
  if (active) return gst_rdp_extra_pad_start(self);
  gst_rdp_extra_pad_stop(self);
  return TRUE;
}

static void gst_rdp_extra_pad_unfollow(GstRdpExtraPad* self) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  auto* main = static_cast<GstPad*>(g_weak_ref_get(&priv.followed));
  if (main == nullptr) return;
  gst_pad_remove_probe(main, priv.follow_probe);
  g_weak_ref_set(&priv.followed, nullptr);
  gst_object_unref(main);
}

void gst_rdp_extra_pad_follow(GstRdpExtraPad* self, GstPad* main) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  gst_rdp_extra_pad_unfollow(self);
  g_weak_ref_set(&priv.followed, main);
  priv.follow_probe = gst_pad_add_probe(
      main, GST_PAD_PROBE_TYPE_EVENT_FLUSH,
      [](GstPad*, GstPadProbeInfo* info, gpointer pad) -> GstPadProbeReturn {
        GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
        gst_rdp_extra_pad_push_event(GST_RDP_EXTRA_PAD(pad), gst_event_ref(event));
        return GST_PAD_PROBE_OK;
      },
      gst_object_ref(self), gst_object_unref);
}

void gst_rdp_extra_pad_release(GstRdpExtraPad* self, GstElement* element) {
  gst_object_ref(self);
  gst_rdp_extra_pad_interrupt(self);
  gst_rdp_extra_pad_unfollow(self);
  gst_pad_set_active(GST_PAD(self), FALSE);
  gst_element_remove_pad(element, GST_PAD(self));
  gst_object_unref(self);
}

// --- object -------------------------------------------------------------------------------------

void gst_rdp_extra_pad_set_capacity(GstRdpExtraPad* self, guint buffers) {
  g_return_if_fail(buffers > 0);
  gst_rdp_extra_pad_private(self).capacity = buffers;
}

void gst_rdp_extra_pad_set_drop(GstRdpExtraPad* self, GstRdpDrop drop) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  const Lock lock(priv.mutex);
  priv.drop = drop;
  priv.changed.notify_all();
}

void gst_rdp_extra_pad_set_functions(GstRdpExtraPad* self, GstPadEventFunction event,
                                     GstPadQueryFunction query) {
  gst_rdp_extra_pad_private(self).event_function = event;
  gst_rdp_extra_pad_private(self).query_function = query;
}

static void gst_rdp_extra_pad_finalize(GObject* object) {
  auto* self = GST_RDP_EXTRA_PAD(object);
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  GQueue dropped = G_QUEUE_INIT;
  gst_rdp_extra_pad_drop_waiting(priv, false, &dropped);
  gst_rdp_extra_pad_unref_all(&dropped);
  gst_queue_array_free(priv.waiting);
  gst_rdp_extra_pad_take_pool(self, nullptr);
  gst_clear_caps(&priv.told);
  g_weak_ref_clear(&priv.followed);
  priv.~GstRdpExtraPadPrivate();
  G_OBJECT_CLASS(gst_rdp_extra_pad_parent_class)->finalize(object);
}

static void gst_rdp_extra_pad_class_init(GstRdpExtraPadClass* klass) {
  G_OBJECT_CLASS(klass)->finalize = gst_rdp_extra_pad_finalize;
  klass->decide_pool = gst_rdp_extra_pad_decide_pool_default;
}

static void gst_rdp_extra_pad_init(GstRdpExtraPad* self) {
  auto* priv = new (gst_rdp_extra_pad_get_instance_private(self)) GstRdpExtraPadPrivate();
  priv->waiting = gst_queue_array_new(kMaxWaiting);
  g_weak_ref_init(&priv->followed, nullptr);
  gst_pad_set_activatemode_function(GST_PAD(self), gst_rdp_extra_pad_activate_mode);
  gst_pad_set_event_function(GST_PAD(self), gst_rdp_extra_pad_upstream_event);
  gst_pad_set_query_function(GST_PAD(self), gst_rdp_extra_pad_upstream_query);
}
