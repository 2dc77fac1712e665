// SPDX-License-Identifier: LGPL-2.1-or-later
// The thread of an extra source pad: it sends waiting items in order, and negotiates once none
// waits.
#include <string>
#include <utility>

#include "gst/elements/base/extra_pad-private.h"
#include "gst/memory/pool_negotiation.h"

#define GST_CAT_DEFAULT gst_rdp_extra_pad_debug

using Lock = std::unique_lock<std::mutex>;

void gst_rdp_extra_pad_take_pool(GstRdpExtraPad* self, GstBufferPool* pool) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  Lock lock(priv.mutex);
  GstBufferPool* unwanted = priv.active ? nullptr : pool;
  GstBufferPool* old = std::exchange(priv.pool, priv.active ? pool : nullptr);
  priv.pool_is_new = priv.pool != nullptr;
  lock.unlock();
  for (GstBufferPool* dropped : {old, unwanted}) {
    if (dropped == nullptr) continue;
    // Downstream may offer the active pool again: then only its second reference is dropped.
    const bool still_used = dropped == pool && unwanted == nullptr;
    if (!still_used) gst_buffer_pool_set_active(dropped, FALSE);
    gst_object_unref(dropped);
  }
}

// --- errors -------------------------------------------------------------------------------------

// Errors are about the pad; its element posts them, because it has a bus. Their words depend on the
// caps.
static bool gst_rdp_extra_pad_is_video(const GstCaps* caps) {
  return caps != nullptr && gst_caps_get_size(caps) > 0 &&
         gst_structure_has_name(gst_caps_get_structure(caps, 0), "video/x-raw");
}

void gst_rdp_extra_pad_post_no_memory(GstRdpExtraPad* self, const char* detail) {
  GstElement* element = gst_pad_get_parent_element(GST_PAD(self));
  if (element == nullptr) return;
  g_autofree gchar* name = gst_object_get_name(GST_OBJECT(self));
  GST_ELEMENT_ERROR(element, RESOURCE, NO_SPACE_LEFT, ("No memory for the %s's pictures.", name),
                    ("%s", detail));
  gst_object_unref(element);
}

static void gst_rdp_extra_pad_post_not_taken(GstRdpExtraPad* self, GstCaps* caps,
                                             GstCaps* accepted) {
  GstElement* element = gst_pad_get_parent_element(GST_PAD(self));
  if (element == nullptr) return;
  g_autofree gchar* name = gst_object_get_name(GST_OBJECT(self));
  g_autofree gchar* offered = gst_caps_to_string(caps);
  g_autofree gchar* wanted = gst_caps_to_string(accepted);
  if (gst_rdp_extra_pad_is_video(caps)) {
    GST_ELEMENT_ERROR(element, CORE, NEGOTIATION,
                      ("The element downstream of the %s pad does not accept its pictures. Put "
                       "videoconvert behind the pad, and videoscale for another size.",
                       name),
                      ("%s offers %s; downstream accepts %s", name, offered, wanted));
  } else {
    GST_ELEMENT_ERROR(
        element, CORE, NEGOTIATION,
        ("The element downstream of the %s pad does not accept its output caps.", name),
        ("%s offers %s; downstream accepts %s", name, offered, wanted));
  }
  gst_object_unref(element);
}

// --- negotiation --------------------------------------------------------------------------------

// Sends the caps chosen for the caps that the element set, unless the pad has them already. Returns
// them, or null.
static GstCaps* gst_rdp_extra_pad_send_caps(GstRdpExtraPad* self) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  GstRdpExtraPadClass* klass = GST_RDP_EXTRA_PAD_GET_CLASS(self);
  if (priv.told == nullptr) return nullptr;
  GstCaps* caps =
      klass->choose_caps != nullptr ? klass->choose_caps(self, priv.told) : gst_caps_ref(priv.told);
  if (caps == nullptr) return nullptr;
  GstCaps* current = gst_pad_get_current_caps(GST_PAD(self));
  if (current == nullptr || !gst_caps_is_equal(caps, current)) {
    gst_pad_push_event(GST_PAD(self), gst_event_new_caps(caps));
    // The old pool's buffers have the old size.
    gst_pad_mark_reconfigure(GST_PAD(self));
  }
  gst_clear_caps(&current);
  return caps;
}

GstBufferPool* gst_rdp_extra_pad_decide_pool_default(GstRdpExtraPad* self, GstCaps* caps,
                                                     GstQuery* query) {
  if (!gst_rdp_extra_pad_is_video(caps)) return nullptr;
  std::string reason;
  GstBufferPool* pool = rdp::gst::decide_pool(query, rdp::gst::PoolNeeds(), &reason);
  if (pool == nullptr) GST_WARNING_OBJECT(self, "no pool: %s", reason.c_str());
  return pool;
}

static GstFlowReturn gst_rdp_extra_pad_negotiate_pool(GstRdpExtraPad* self, GstCaps* caps) {
  GstPad* pad = GST_PAD(self);
  GstCaps* accepted = gst_pad_peer_query_caps(pad, nullptr);
  const bool taken = gst_caps_can_intersect(caps, accepted) != FALSE;
  if (!taken) gst_rdp_extra_pad_post_not_taken(self, caps, accepted);
  gst_caps_unref(accepted);
  if (!taken) return GST_FLOW_NOT_NEGOTIATED;

  GstQuery* query = rdp::gst::ask_for_allocation(pad, caps);
  GstBufferPool* pool = GST_RDP_EXTRA_PAD_GET_CLASS(self)->decide_pool(self, caps, query);
  gst_query_unref(query);
  if (pool == nullptr || !gst_buffer_pool_set_active(pool, TRUE)) {
    g_autofree gchar* detail = pool == nullptr
                                   ? g_strdup_printf("no pool for %" GST_PTR_FORMAT, caps)
                                   : g_strdup_printf("%s cannot be started", GST_OBJECT_NAME(pool));
    gst_rdp_extra_pad_post_no_memory(self, detail);
    gst_clear_object(&pool);
    return GST_FLOW_ERROR;
  }
  gst_rdp_extra_pad_take_pool(self, pool);
  return GST_FLOW_OK;
}

static GstFlowReturn gst_rdp_extra_pad_negotiate(GstRdpExtraPad* self) {
  GstPad* pad = GST_PAD(self);
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  GstRdpExtraPadClass* klass = GST_RDP_EXTRA_PAD_GET_CLASS(self);
  priv.negotiates = true;
  GstCaps* caps;
  if (gst_pad_check_reconfigure(pad)) {
    caps = gst_rdp_extra_pad_send_caps(self);
    gst_pad_check_reconfigure(pad);
    // Another sink may be linked now; the lateness of the previous one does not apply to it.
    if (klass->reset != nullptr) klass->reset(self);
  } else {
    caps = gst_pad_get_current_caps(pad);
  }
  const GstFlowReturn flow =
      caps == nullptr ? GST_FLOW_NOT_NEGOTIATED : gst_rdp_extra_pad_negotiate_pool(self, caps);
  gst_clear_caps(&caps);
  // Negotiate again for the next buffer, if there is one.
  if (flow != GST_FLOW_OK) gst_pad_mark_reconfigure(pad);
  return flow;
}

// --- sending ------------------------------------------------------------------------------------

// Sends the sticky events again, because downstream has lost them. Copies, because core does not
// send the same event twice.
static void gst_rdp_extra_pad_send_sticky(GstRdpExtraPad* self) {
  GQueue events = G_QUEUE_INIT;
  gst_pad_sticky_events_foreach(
      GST_PAD(self),
      [](GstPad*, GstEvent** event, gpointer user_data) -> gboolean {
        g_queue_push_tail(static_cast<GQueue*>(user_data), gst_event_copy(*event));
        return TRUE;
      },
      &events);
  while (auto* event = static_cast<GstEvent*>(g_queue_pop_head(&events))) {
    gst_pad_push_event(GST_PAD(self), event);
  }
}

static void gst_rdp_extra_pad_send_event(GstRdpExtraPad* self, GstEvent* event) {
  if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) {
    gst_pad_push_event(GST_PAD(self), event);
    return;
  }
  GstCaps* caps;
  gst_event_parse_caps(event, &caps);
  gst_caps_replace(&gst_rdp_extra_pad_private(self).told, caps);
  gst_event_unref(event);
  caps = gst_rdp_extra_pad_send_caps(self);
  gst_clear_caps(&caps);
}

static void gst_rdp_extra_pad_send_buffer(GstRdpExtraPad* self, GstBuffer* buffer) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  // An element with its own buffers does not check whether the caps are still valid, so the pad
  // does.
  if (!priv.negotiates && gst_pad_check_reconfigure(GST_PAD(self))) {
    GstCaps* caps = gst_rdp_extra_pad_send_caps(self);
    gst_clear_caps(&caps);
    gst_pad_check_reconfigure(GST_PAD(self));
  }
  const GstFlowReturn flow = gst_pad_push(GST_PAD(self), buffer);
  const Lock lock(priv.mutex);
  priv.last = flow;
  priv.ended = flow == GST_FLOW_EOS;
  priv.behind_not_linked = flow == GST_FLOW_NOT_LINKED;
  // Downstream may have been flushed since it accepted the buffer: takes() checks whether it came
  // back.
  if (flow == GST_FLOW_FLUSHING) priv.peer_flushing = true;
}

void gst_rdp_extra_pad_step(gpointer pad) {
  auto* self = GST_RDP_EXTRA_PAD(pad);
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  Lock lock(priv.mutex);
  const auto has_work = [&] {
    return !priv.flushing && !priv.interrupted &&
           (!gst_queue_array_is_empty(priv.waiting) ||
            (priv.asked != priv.served && !priv.closing));
  };
  while (
      !priv.changed.wait_for(lock, kPrerollPatience, [&] { return !priv.active || has_work(); })) {
    // The receiver of the message may stop the pad.
    priv.busy = true;
    priv.thread = g_thread_self();
    gst_rdp_extra_pad_explain_preroll(self, lock, PrerollWaits::kPadThread);
    priv.busy = false;
    priv.changed.notify_all();
  }
  if (!priv.active) {
    lock.unlock();
    // Until the thread is joined.
    gst_pad_pause_task(GST_PAD(self));
    return;
  }
  priv.busy = true;
  priv.thread = g_thread_self();
  const bool resend = std::exchange(priv.resend, false);
  const guint64 ticket = priv.asked;
  auto* object = static_cast<GstMiniObject*>(gst_queue_array_pop_head(priv.waiting));
  if (object != nullptr && gst_rdp_extra_pad_counts(object)) priv.places--;
  // Changes from now on need another negotiation.
  if (object == nullptr) priv.pool_is_stale = false;
  priv.changed.notify_all();
  lock.unlock();

  if (resend) gst_rdp_extra_pad_send_sticky(self);
  GstFlowReturn outcome = GST_FLOW_OK;
  if (object == nullptr) {
    outcome = gst_rdp_extra_pad_negotiate(self);
  } else if (GST_IS_BUFFER(object)) {
    gst_rdp_extra_pad_send_buffer(self, GST_BUFFER_CAST(object));
  } else {
    gst_rdp_extra_pad_send_event(self, GST_EVENT_CAST(object));
  }

  lock.lock();
  // Not after a flush has ended it: the streaming thread no longer waits.
  if (object == nullptr && priv.asked == ticket && priv.negotiating()) {
    priv.served = ticket;
    priv.outcome = outcome;
    priv.outcome_is_new = true;
  }
  priv.busy = false;
  priv.changed.notify_all();
}
