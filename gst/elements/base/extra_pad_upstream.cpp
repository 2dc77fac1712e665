// SPDX-License-Identifier: LGPL-2.1-or-later
// Events and queries that come to an extra source pad from downstream.
#include "gst/elements/base/extra_pad-private.h"
#include "gst/elements/base/filtered_caps.h"

gboolean gst_rdp_extra_pad_upstream_event(GstPad* pad, GstObject* parent, GstEvent* event) {
  auto* self = GST_RDP_EXTRA_PAD(pad);
  GstRdpExtraPadClass* klass = GST_RDP_EXTRA_PAD_GET_CLASS(self);
  if (GST_EVENT_TYPE(event) == GST_EVENT_LATENCY ||
      GST_EVENT_TYPE(event) == GST_EVENT_RECONFIGURE) {
    GstRdpExtraPadPrivate& priv = gst_rdp_extra_pad_private(self);
    const std::lock_guard lock(priv.mutex);
    priv.ask_live = true;
  }
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_QOS:
      // A slow branch must not make the source drop frames of the main path.
      if (klass->qos != nullptr) klass->qos(self, event);
      gst_event_unref(event);
      return TRUE;
    case GST_EVENT_RECONFIGURE:
      // The pad's flag is set already, and elements upstream of the element are not concerned.
      gst_event_unref(event);
      return TRUE;
    default: {
      const GstPadEventFunction function = gst_rdp_extra_pad_private(self).event_function;
      return function != nullptr ? function(pad, parent, event)
                                 : gst_pad_event_default(pad, parent, event);
    }
  }
}

// Returns the caps that the pad can have: with the present size and rate, once known. The present
// memory does not matter, because linking chooses it anew.
static GstCaps* gst_rdp_extra_pad_possible_caps(GstPad* pad) {
  GstCaps* templ = gst_pad_get_pad_template_caps(pad);
  GstCaps* caps = gst_pad_get_current_caps(pad);
  if (caps == nullptr || gst_caps_is_any(templ)) {
    if (caps == nullptr) return templ;
    gst_caps_unref(templ);
    return caps;
  }
  const GstStructure* current = gst_caps_get_structure(caps, 0);
  GstCaps* others = gst_caps_new_empty();
  for (guint i = 0; i < gst_caps_get_size(templ); ++i) {
    gst_caps_append_structure_full(others, gst_structure_copy(current),
                                   gst_caps_features_copy(gst_caps_get_features(templ, i)));
  }
  gst_caps_unref(templ);
  return gst_caps_merge(caps, others);
}

gboolean gst_rdp_extra_pad_upstream_query(GstPad* pad, GstObject* parent, GstQuery* query) {
  if (GST_QUERY_TYPE(query) != GST_QUERY_CAPS) {
    const GstPadQueryFunction function =
        gst_rdp_extra_pad_private(GST_RDP_EXTRA_PAD(pad)).query_function;
    return function != nullptr ? function(pad, parent, query)
                               : gst_pad_query_default(pad, parent, query);
  }
  GstCaps* filter;
  gst_query_parse_caps(query, &filter);
  GstCaps* caps = gst_rdp_extra_pad_possible_caps(pad);
  caps = rdp::gst::filtered_caps(caps, filter);
  gst_query_set_caps_result(query, caps);
  gst_caps_unref(caps);
  return TRUE;
}
