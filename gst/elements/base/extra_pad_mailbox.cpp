// SPDX-License-Identifier: LGPL-2.1-or-later
// The queue of an extra source pad's thread, and the items that leave a full one.
#include "gst/elements/base/extra_pad-private.h"

void gst_rdp_extra_pad_unref_all(GQueue* objects) {
  while (auto* object = static_cast<GstMiniObject*>(g_queue_pop_head(objects))) {
    gst_mini_object_unref(object);
  }
}

void gst_rdp_extra_pad_drop_waiting(GstRdpExtraPadPrivate& priv, bool keep_sticky,
                                    GQueue* dropped) {
  for (guint left = gst_queue_array_get_length(priv.waiting); left > 0; --left) {
    auto* object = static_cast<GstMiniObject*>(gst_queue_array_pop_head(priv.waiting));
    const bool kept = keep_sticky && GST_IS_EVENT(object) &&
                      gst_rdp_extra_pad_event_is(GST_EVENT_CAST(object), GST_EVENT_TYPE_STICKY) &&
                      GST_EVENT_TYPE(object) != GST_EVENT_SEGMENT &&
                      GST_EVENT_TYPE(object) != GST_EVENT_EOS;
    if (kept) {
      gst_queue_array_push_tail(priv.waiting, object);
    } else {
      g_queue_push_tail(dropped, object);
    }
  }
  priv.places = 0;
}

static GstMiniObject* gst_rdp_extra_pad_drop_nth(GstRdpExtraPadPrivate& priv, guint nth) {
  auto* object = static_cast<GstMiniObject*>(gst_queue_array_drop_element(priv.waiting, nth));
  if (gst_rdp_extra_pad_counts(object)) priv.places--;
  if (GST_IS_BUFFER(object)) {
    priv.dropped++;
    priv.discont = true;
  }
  return object;
}

// Returns the index of the first waiting item for which `wanted` holds, or the number of items.
template <typename Wanted>
static guint gst_rdp_extra_pad_find(const GstRdpExtraPadPrivate& priv, const Wanted& wanted) {
  const guint count = gst_queue_array_get_length(priv.waiting);
  guint nth = 0;
  while (nth < count &&
         !wanted(static_cast<GstMiniObject*>(gst_queue_array_peek_nth(priv.waiting, nth)), nth)) {
    ++nth;
  }
  return nth;
}

GstMiniObject* gst_rdp_extra_pad_make_place(GstRdpExtraPadPrivate& priv) {
  if (priv.places < priv.capacity) return nullptr;
  const guint oldest = gst_rdp_extra_pad_find(
      priv, [](GstMiniObject* object, guint) { return gst_rdp_extra_pad_counts(object); });
  return gst_rdp_extra_pad_drop_nth(priv, oldest);
}

// Sticky events stay, unless a later one of the same type comes before the next buffer.
GstMiniObject* gst_rdp_extra_pad_make_room(GstRdpExtraPadPrivate& priv) {
  const guint count = gst_queue_array_get_length(priv.waiting);
  if (count < kMaxWaiting) return nullptr;
  const auto passes = [](GstMiniObject* object, guint) {
    return GST_IS_EVENT(object) &&
           !gst_rdp_extra_pad_event_is(GST_EVENT_CAST(object), GST_EVENT_TYPE_STICKY);
  };
  const auto is_replaced = [&](GstMiniObject* object, guint nth) {
    if (GST_IS_BUFFER(object)) return false;
    const guint next = gst_rdp_extra_pad_find(priv, [&](GstMiniObject* other, guint at) {
      return at > nth && (GST_IS_BUFFER(other) || GST_EVENT_TYPE(other) == GST_EVENT_TYPE(object));
    });
    return next < count && !GST_IS_BUFFER(gst_queue_array_peek_nth(priv.waiting, next));
  };
  guint nth = gst_rdp_extra_pad_find(priv, passes);
  if (nth == count) nth = gst_rdp_extra_pad_find(priv, is_replaced);
  return nth == count ? nullptr : gst_rdp_extra_pad_drop_nth(priv, nth);
}

GstBuffer* gst_rdp_extra_pad_take_back(GstRdpExtraPadPrivate& priv, GstBufferPool* pool) {
  const guint nth = gst_rdp_extra_pad_find(priv, [&](GstMiniObject* object, guint) {
    return GST_IS_BUFFER(object) && GST_BUFFER_CAST(object)->pool == pool;
  });
  if (nth == gst_queue_array_get_length(priv.waiting)) return nullptr;
  return GST_BUFFER_CAST(gst_rdp_extra_pad_drop_nth(priv, nth));
}
