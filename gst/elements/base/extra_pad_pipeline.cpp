// SPDX-License-Identifier: LGPL-2.1-or-later
// Questions of an extra source pad to its pipeline: whether it is live, and why it does not
// preroll.
#include <string>

#include "gst/elements/base/extra_pad-private.h"

#define GST_CAT_DEFAULT gst_rdp_extra_pad_debug

using Lock = std::unique_lock<std::mutex>;

// --- live ---------------------------------------------------------------------------------------

void gst_rdp_extra_pad_update_live(GstRdpExtraPad* self) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  Lock lock(priv.mutex);
  if (priv.drop != GST_RDP_DROP_AUTO || !priv.ask_live) return;
  priv.ask_live = false;
  lock.unlock();
  GstQuery* query = gst_query_new_latency();
  gboolean live = FALSE;
  if (gst_pad_query(GST_PAD(self), query)) {
    gst_query_parse_latency(query, &live, nullptr, nullptr);
  }
  gst_query_unref(query);
  lock.lock();
  if (priv.live == (live != FALSE)) return;
  priv.live = live != FALSE;
  priv.changed.notify_all();
  lock.unlock();
  GST_INFO_OBJECT(self, "%s", live ? "live: what is late is dropped" : "not live: all is sent");
}

// --- preroll ------------------------------------------------------------------------------------

// More elements than any pipeline has in a row; guards against loops.
static constexpr int kDeepest = 64;

static bool gst_rdp_extra_pad_is_async(GstElement* element) {
  return gst_element_get_state(element, nullptr, nullptr, 0) == GST_STATE_CHANGE_ASYNC;
}

// A test of a sink's state: it waits for its first buffer, or it holds that until all sinks have
// preroll.
using SinkState = bool (*)(GstElement* sink);

static bool gst_rdp_extra_pad_holds(GstElement* sink) {
  GstState state = GST_STATE_NULL;
  return gst_element_get_state(sink, &state, nullptr, 0) == GST_STATE_CHANGE_SUCCESS &&
         state == GST_STATE_PAUSED;
}

// True if there is such a sink behind `src`.
static bool gst_rdp_extra_pad_leads_to(GstPad* src, SinkState wanted, int deepest = kDeepest);

namespace {
struct Search {
  SinkState wanted;
  GstPad* except;
  int deepest;
  bool found;
};
}  // namespace

static bool gst_rdp_extra_pad_search(GstElement* element, Search search) {
  gst_element_foreach_src_pad(
      element,
      [](GstElement*, GstPad* pad, gpointer user_data) -> gboolean {
        auto* of = static_cast<Search*>(user_data);
        if (pad != of->except) {
          of->found = gst_rdp_extra_pad_leads_to(pad, of->wanted, of->deepest);
        }
        return !of->found;
      },
      &search);
  return search.found;
}

static bool gst_rdp_extra_pad_leads_to(GstPad* src, SinkState wanted, int deepest) {
  GstPad* peer = gst_pad_get_peer(src);
  if (peer == nullptr || deepest == 0) {
    gst_clear_object(&peer);
    return false;
  }
  GstObject* parent = gst_pad_get_parent(peer);
  bool found = false;
  if (GST_IS_GHOST_PAD(peer)) {
    // Into a bin: the ghost pad's internal pad is linked to its target.
    if (GstProxyPad* inside = gst_proxy_pad_get_internal(GST_PROXY_PAD(peer))) {
      found = gst_rdp_extra_pad_leads_to(GST_PAD(inside), wanted, deepest - 1);
      gst_object_unref(inside);
    }
  } else if (GST_IS_GHOST_PAD(parent)) {
    found = gst_rdp_extra_pad_leads_to(GST_PAD(parent), wanted, deepest - 1);  // out of a bin
  } else if (GST_IS_ELEMENT(parent)) {
    found =
        GST_OBJECT_FLAG_IS_SET(parent, GST_ELEMENT_FLAG_SINK)
            ? wanted(GST_ELEMENT(parent))
            : gst_rdp_extra_pad_search(GST_ELEMENT(parent), {wanted, nullptr, deepest - 1, false});
  }
  gst_clear_object(&parent);
  gst_object_unref(peer);
  return found;
}

static bool gst_rdp_extra_pad_outermost_is_async(GstElement* element) {
  auto* outermost = static_cast<GstElement*>(gst_object_ref(element));
  while (GstObject* parent = gst_object_get_parent(GST_OBJECT(outermost))) {
    gst_object_unref(outermost);
    outermost = GST_ELEMENT(parent);
  }
  const bool is_async = gst_rdp_extra_pad_is_async(outermost);
  gst_object_unref(outermost);
  return is_async;
}

// A default queue may be too small for large pictures.
static constexpr const char* kLargeQueue =
    "a queue with max-size-buffers=0 max-size-bytes=0 max-size-time=0 has no limit";

static void gst_rdp_extra_pad_warn_preroll(GstRdpExtraPad* self, GstElement* element,
                                           PrerollWaits who) {
  g_autofree gchar* name = gst_object_get_name(GST_OBJECT(self));
  g_autofree gchar* of = gst_object_get_name(GST_OBJECT(element));
  if (who == PrerollWaits::kStreamingThread) {
    const bool may_drop = g_object_class_find_property(G_OBJECT_GET_CLASS(self), "drop") != nullptr;
    const std::string other = may_drop ? std::string(", or set ") + name + "::drop=late" : "";
    GST_ELEMENT_WARNING(
        element, CORE, STATE_CHANGE,
        ("The pipeline does not start: the elements downstream of the other pads of %s need more "
         "frames to preroll, but these are held up: the sink behind the pad %s waits until all "
         "sinks have prerolled. Put a queue behind %s%s.",
         of, name, name, other.c_str()),
        ("%s", kLargeQueue));
  } else {
    GST_ELEMENT_WARNING(element, CORE, STATE_CHANGE,
                        ("The pipeline does not start: the elements downstream of the pad %s need "
                         "more data to preroll, but none arrives: the sink behind another pad of "
                         "%s waits until all sinks have prerolled. Put a queue behind that pad.",
                         name, of),
                        ("%s", kLargeQueue));
  }
}

void gst_rdp_extra_pad_explain_preroll(GstRdpExtraPad* self, Lock& lock, PrerollWaits who) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  // Nearly as long as the wait here: the frame is pushed after its buffer.
  const auto in_main = std::chrono::steady_clock::now() - priv.main_since;
  const bool looks = !priv.explained && !priv.closed() &&
                     (who == PrerollWaits::kStreamingThread ||
                      (priv.main_pushes && in_main > kPrerollPatience * 3 / 4));
  if (!looks) return;
  lock.unlock();
  GstPad* pad = GST_PAD(self);
  bool explained = false;
  if (GstElement* element = gst_pad_get_parent_element(pad)) {
    // One sink holds a buffer, and another waits for one. A merely slow element is neither.
    const bool frames_wait = who == PrerollWaits::kStreamingThread;
    const auto here = frames_wait ? gst_rdp_extra_pad_holds : gst_rdp_extra_pad_is_async;
    const auto there = frames_wait ? gst_rdp_extra_pad_is_async : gst_rdp_extra_pad_holds;
    explained = gst_rdp_extra_pad_outermost_is_async(element) &&
                gst_rdp_extra_pad_leads_to(pad, here) &&
                gst_rdp_extra_pad_search(element, {there, pad, kDeepest, false});
    if (explained) gst_rdp_extra_pad_warn_preroll(self, element, who);
    gst_object_unref(element);
  }
  lock.lock();
  priv.explained = priv.explained || explained;
}

void gst_rdp_extra_pad_set_main_pushing(GstRdpExtraPad* self, gboolean pushing) {
  GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
  const Lock lock(priv.mutex);
  priv.main_pushes = pushing != FALSE;
  if (pushing) priv.main_since = std::chrono::steady_clock::now();
}
