// SPDX-License-Identifier: LGPL-2.1-or-later
// The buffers of an extra source pad, in the element's streaming thread: acquiring and pushing.
#include <chrono>
#include <utility>

#include "gst/elements/base/extra_pad-private.h"

#define GST_CAT_DEFAULT gst_rdp_extra_pad_debug

using Lock = std::unique_lock<std::mutex>;

// The main path does not notice a pad that is flushed or shut down.
static GstFlowReturn gst_rdp_extra_pad_hide_flushing(GstFlowReturn flow) {
  return flow == GST_FLOW_FLUSHING ? GST_FLOW_NOT_LINKED : flow;
}

gboolean gst_rdp_extra_pad_takes(GstRdpExtraPad* self) {
  GstPad* pad = GST_PAD(self);
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  GstPad* peer = gst_pad_get_peer(pad);
  if (peer == nullptr || GST_PAD_IS_FLUSHING(pad)) {
    gst_clear_object(&peer);
    return FALSE;
  }
  const bool flushing = GST_PAD_IS_FLUSHING(peer) != FALSE;
  gst_object_unref(peer);
  gst_rdp_extra_pad_update_live(self);
  // Core sets the flag when something is linked.
  const bool relinked = gst_pad_needs_reconfigure(pad) != FALSE;
  Lock lock(priv.mutex);
  if (priv.closed() || !priv.have_caps) return FALSE;
  const bool came_back = priv.peer_flushing && !flushing;
  priv.peer_flushing = flushing;
  if (came_back) priv.resend = true;
  if (came_back || relinked) {
    priv.ended = priv.behind_not_linked = false;
    if (priv.last == GST_FLOW_EOS || priv.last == GST_FLOW_NOT_LINKED) priv.last = GST_FLOW_OK;
  }
  const bool takes = !flushing && !priv.ended && !priv.behind_not_linked;
  lock.unlock();
  // A restarted downstream needs a new negotiation, too.
  if (came_back) gst_pad_mark_reconfigure(pad);
  return takes ? TRUE : FALSE;
}

// Not negotiated yet, and the streaming thread does not wait.
static constexpr GstFlowReturn kNotYet = GST_FLOW_CUSTOM_SUCCESS;

// Waits until the pad's thread has negotiated, if that is due. If the pad drops, waits only briefly
// for the first pool: later negotiations queue behind the buffers of a slow branch.
static GstFlowReturn gst_rdp_extra_pad_ensure_pool(GstRdpExtraPad* self) {
  constexpr std::chrono::milliseconds kFirstPool(40);
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  const bool reconfigure = gst_pad_needs_reconfigure(GST_PAD(self)) != FALSE;
  Lock lock(priv.mutex);
  if (priv.closed()) return GST_FLOW_FLUSHING;
  // The outcome of a negotiation that was not waited for.
  const bool is_new = !priv.negotiating() && std::exchange(priv.outcome_is_new, false);
  if (is_new && priv.outcome != GST_FLOW_OK) return priv.outcome;
  const bool due = priv.pool == nullptr || priv.pool_is_stale || reconfigure;
  if (!priv.negotiating() && due) {
    priv.asked++;
    priv.changed.notify_all();
    if (priv.drops() && priv.pool == nullptr) {
      priv.changed.wait_for(lock, kFirstPool, [&] { return priv.closed() || !priv.negotiating(); });
    }
  }
  if (priv.negotiating() || priv.outcome_is_new) {
    const guint64 epoch = priv.epoch;
    const auto over = [&] { return priv.closed() || priv.epoch != epoch; };
    gst_rdp_extra_pad_wait(self, lock,
                           [&] { return over() || priv.drops() || !priv.negotiating(); });
    if (over()) return GST_FLOW_FLUSHING;
    if (priv.negotiating()) return kNotYet;
    priv.outcome_is_new = false;
    if (priv.outcome != GST_FLOW_OK) return priv.outcome;
    if (priv.pool == nullptr) return GST_FLOW_FLUSHING;
  } else if (priv.closed()) {
    return GST_FLOW_FLUSHING;
  }
  // Also after a flush has ended the wait for it.
  if (!std::exchange(priv.pool_is_new, false)) return GST_FLOW_OK;
  auto* pool = static_cast<GstBufferPool*>(gst_object_ref(priv.pool));
  lock.unlock();
  GstRdpExtraPadClass* klass = GST_RDP_EXTRA_PAD_GET_CLASS(self);
  if (klass->negotiated != nullptr) klass->negotiated(self, pool);
  gst_object_unref(pool);
  return GST_FLOW_OK;
}

// Returns an available buffer, else that of the oldest waiting picture, which the new one replaces.
// OK without a buffer: downstream holds all buffers.
static GstFlowReturn gst_rdp_extra_pad_acquire_at_once(GstRdpExtraPad* self, GstBufferPool* pool,
                                                       GstBuffer** buffer) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  GstBufferPoolAcquireParams params = {};
  params.flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT;
  GstFlowReturn flow = gst_buffer_pool_acquire_buffer(pool, buffer, &params);
  if (flow != GST_FLOW_EOS) return flow;
  Lock lock(priv.mutex);
  GstBuffer* older = gst_rdp_extra_pad_take_back(priv, pool);
  lock.unlock();
  if (older != nullptr) {
    gst_buffer_unref(older);
    flow = gst_buffer_pool_acquire_buffer(pool, buffer, &params);
    if (flow != GST_FLOW_EOS) return flow;
  }
  GST_LOG_OBJECT(self, "%s has no buffer to spare", GST_OBJECT_NAME(pool));
  gst_rdp_extra_pad_count_dropped(self);
  return GST_FLOW_OK;
}

GstBuffer* gst_rdp_extra_pad_acquire(GstRdpExtraPad* self, GstFlowReturn* flow) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  *flow = gst_rdp_extra_pad_hide_flushing(gst_rdp_extra_pad_ensure_pool(self));
  if (*flow == kNotYet) {
    gst_rdp_extra_pad_count_dropped(self);
    *flow = GST_FLOW_OK;
    return nullptr;
  }
  if (*flow != GST_FLOW_OK) return nullptr;
  Lock lock(priv.mutex);
  GstBufferPool* pool =
      priv.pool == nullptr || priv.closed() ? nullptr : GST_BUFFER_POOL(gst_object_ref(priv.pool));
  const bool drops = priv.drops();
  lock.unlock();
  if (pool == nullptr) {  // stopped in the meantime
    *flow = GST_FLOW_NOT_LINKED;
    return nullptr;
  }
  GstBuffer* buffer = nullptr;
  *flow = gst_rdp_extra_pad_hide_flushing(
      drops ? gst_rdp_extra_pad_acquire_at_once(self, pool, &buffer)
            : gst_buffer_pool_acquire_buffer(pool, &buffer, nullptr));
  if (*flow == GST_FLOW_ERROR) {
    g_autofree gchar* detail = g_strdup_printf("%s gives none", GST_OBJECT_NAME(pool));
    gst_rdp_extra_pad_post_no_memory(self, detail);
  }
  gst_object_unref(pool);
  return buffer;
}

GstFlowReturn gst_rdp_extra_pad_push(GstRdpExtraPad* self, GstBuffer* buffer) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  const bool takes = gst_rdp_extra_pad_takes(self) != FALSE;
  Lock lock(priv.mutex);
  const guint64 epoch = priv.epoch;
  const auto over = [&] { return priv.closed() || priv.epoch != epoch; };
  if (takes) {
    gst_rdp_extra_pad_wait(self, lock,
                           [&] { return over() || priv.drops() || priv.places < priv.capacity; });
  }
  if (!takes || over()) {
    lock.unlock();
    gst_buffer_unref(buffer);
    return GST_FLOW_NOT_LINKED;
  }
  GstMiniObject* dropped = gst_rdp_extra_pad_make_place(priv);
  if (std::exchange(priv.discont, false) && gst_buffer_is_writable(buffer)) {
    GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DISCONT);
  }
  gst_queue_array_push_tail(priv.waiting, buffer);
  priv.places++;
  priv.changed.notify_all();
  const GstFlowReturn flow = gst_rdp_extra_pad_hide_flushing(priv.last);
  lock.unlock();
  if (dropped != nullptr) gst_mini_object_unref(dropped);
  return flow;
}

guint64 gst_rdp_extra_pad_get_dropped(GstRdpExtraPad* self) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  const Lock lock(priv.mutex);
  return priv.dropped;
}

void gst_rdp_extra_pad_count_dropped(GstRdpExtraPad* self) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  const Lock lock(priv.mutex);
  priv.dropped++;
  priv.discont = true;
}

GstFlowReturn gst_rdp_extra_pad_get_last_flow(GstRdpExtraPad* self) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  const Lock lock(priv.mutex);
  return gst_rdp_extra_pad_hide_flushing(priv.last);
}

GstFlowReturn gst_rdp_extra_pad_combine_flow(GstFlowReturn flow, GstFlowReturn extra) {
  extra = gst_rdp_extra_pad_hide_flushing(extra);
  const auto is_failure = [](GstFlowReturn of) {
    return of <= GST_FLOW_NOT_NEGOTIATED || of == GST_FLOW_FLUSHING;
  };
  if (is_failure(flow)) return flow;
  if (is_failure(extra)) return extra;
  if (extra == GST_FLOW_NOT_LINKED) return flow;
  if (flow == GST_FLOW_NOT_LINKED) return extra;
  return flow == GST_FLOW_EOS && extra == GST_FLOW_EOS ? GST_FLOW_EOS : GST_FLOW_OK;
}

void gst_rdp_extra_pad_renew_pool(GstRdpExtraPad* self) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  const Lock lock(priv.mutex);
  priv.pool_is_stale = true;
}
