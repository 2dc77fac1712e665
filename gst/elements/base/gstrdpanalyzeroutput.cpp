// SPDX-License-Identifier: LGPL-2.1-or-later
// Frames of an element's own, where src has other caps than sink: see transform_caps().
#include <string>

#include "common/boundary.h"
#include "gst/elements/base/buffer_metas.h"
#include "gst/elements/base/gstrdpanalyzer-private.h"
#include "gst/memory/pool_negotiation.h"

// What downstream takes of what the element can make of `input`, fixed; null: nothing.
static GstCaps* gst_rdp_analyzer_choose_output(GstRdpAnalyzer* self, GstCaps* input) {
  g_autoptr(GstCaps) possible =
      GST_RDP_ANALYZER_GET_CLASS(self)->transform_caps(self, GST_PAD_SINK, input);
  GstCaps* caps = gst_pad_peer_query_caps(self->srcpad, possible);
  GstCaps* both = gst_caps_intersect_full(possible, caps, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref(caps);
  if (!gst_caps_is_empty(both)) return gst_caps_fixate(both);
  g_autofree gchar* offered = gst_caps_to_string(possible);
  GST_ELEMENT_ERROR(self, CORE, NEGOTIATION,
                    ("What follows does not take the frames that are made here."),
                    ("src has %s for %" GST_PTR_FORMAT, offered, input));
  gst_caps_unref(both);
  return nullptr;
}

static void gst_rdp_analyzer_take_output_pool(GstRdpAnalyzerSession& session, GstBufferPool* pool) {
  std::swap(session.output_pool, pool);
  if (pool == nullptr) return;
  // Downstream may offer the pool that is in use once more: then only its second reference goes.
  if (pool != session.output_pool) gst_buffer_pool_set_active(pool, FALSE);
  gst_object_unref(pool);
}

static GstBufferPool* gst_rdp_analyzer_decide_output_pool(GstRdpAnalyzer* self, GstCaps* caps) {
  g_autoptr(GstQuery) query = gst_query_new_allocation(caps, TRUE);
  if (!gst_pad_peer_query(self->srcpad, query)) {
    GST_DEBUG_OBJECT(self, "downstream did not answer the allocation query");
  }
  std::string reason;
  GstBufferPool* pool = rdp::gst::decide_pool(query, {}, &reason);
  if (pool != nullptr && gst_buffer_pool_set_active(pool, TRUE)) return pool;
  gst_clear_object(&pool);
  GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("No memory for the frames that are made here."),
                    ("%s", reason.empty() ? "the pool gives none" : reason.c_str()));
  return nullptr;
}

bool gst_rdp_analyzer_negotiate_output(GstRdpAnalyzer* self, GstCaps* input) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  g_autoptr(GstCaps) caps = gst_rdp_analyzer_choose_output(self, input);
  if (caps == nullptr) return false;
  if (!gst_video_info_from_caps(&session.output_info, caps)) {
    GST_ELEMENT_ERROR(self, CORE, NEGOTIATION, ("The caps do not describe a frame."),
                      ("%" GST_PTR_FORMAT, caps));
    return false;
  }
  gst_pad_push_event(self->srcpad, gst_event_new_caps(caps));
  gst_pad_check_reconfigure(self->srcpad);
  GstBufferPool* pool = gst_rdp_analyzer_decide_output_pool(self, caps);
  gst_rdp_analyzer_take_output_pool(session, pool);
  return pool != nullptr;
}

GstBuffer* gst_rdp_analyzer_acquire_output(GstRdpAnalyzer* self, GstBuffer* input,
                                           GstFlowReturn* flow) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  // Something else was linked.
  if (gst_pad_check_reconfigure(self->srcpad)) {
    g_autoptr(GstCaps) caps = gst_pad_get_current_caps(self->sinkpad);
    if (caps != nullptr && !gst_rdp_analyzer_negotiate_output(self, caps)) {
      gst_pad_mark_reconfigure(self->srcpad);
      *flow = GST_FLOW_NOT_NEGOTIATED;
      return nullptr;
    }
  }
  GstBuffer* buffer = nullptr;
  *flow = gst_buffer_pool_acquire_buffer(session.output_pool, &buffer, nullptr);
  if (*flow != GST_FLOW_OK) return nullptr;
  rdp::gst::describe_picture(buffer, input);
  std::string reason;
  const bool open = rdp::contain(
      [&] {
        return session.output.open(buffer, session.output_info, rdp::gst::MemoryKind::kSystem,
                                   rdp::gst::Access::kReadWrite, &reason);
      },
      [&](const char* failure) {
        rdp::give_reason(&reason, failure);
        session.output.close();
        return false;
      });
  if (open) return buffer;
  GST_ELEMENT_ERROR(self, RESOURCE, WRITE, ("A frame that is made here cannot be written."),
                    ("%s", reason.c_str()));
  gst_buffer_unref(buffer);
  *flow = GST_FLOW_ERROR;
  return nullptr;
}
