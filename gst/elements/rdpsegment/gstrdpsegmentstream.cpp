// SPDX-License-Identifier: LGPL-2.1-or-later
// What flows through rdpsegment: buffers, events and queries.
#include <exception>
#include <string>
#include <utility>

#include "gst/elements/rdpsegment/gstrdpsegment-private.h"

#define GST_CAT_DEFAULT gst_rdp_segment_debug

namespace {

// An overlay pad for the length of a scope; may be null.
class OverlayRef {
 public:
  explicit OverlayRef(GstRdpSegmentElement* self)
      : pad_(gst_rdp_segment_element_ref_overlay(self)) {}
  ~OverlayRef() {
    if (pad_ != nullptr) gst_object_unref(pad_);
  }
  OverlayRef(const OverlayRef&) = delete;
  OverlayRef& operator=(const OverlayRef&) = delete;

  GstRdpSegmentOverlayPad* get() const { return pad_; }
  GstRdpPicturePad* picture() const { return GST_RDP_PICTURE_PAD(pad_); }
  GstRdpExtraPad* extra() const { return GST_RDP_EXTRA_PAD(pad_); }
  explicit operator bool() const { return pad_ != nullptr; }

 private:
  GstRdpSegmentOverlayPad* pad_;
};

}  // namespace

// --- buffers ----------------------------------------------------------------------------------

// Before the pad is told caps and frames: whether its pictures may lie in CUDA memory.
static void gst_rdp_segment_element_update_overlay(GstRdpSegmentElement* self,
                                                   OverlayRef& overlay) {
  gst_rdp_picture_pad_set_context(overlay.picture(), gst_rdp_segment_element_picture_context(self));
  gst_rdp_extra_pad_begin_like(overlay.extra(), self->sinkpad, nullptr);
}

// Takes the picture, or sends what is due in its place.
static GstFlowReturn gst_rdp_segment_element_push_picture(OverlayRef& overlay, GstBuffer* input,
                                                          GstRdpSegmentPicture* picture) {
  if (picture->buffer != nullptr) {
    return gst_rdp_extra_pad_push(overlay.extra(), std::exchange(picture->buffer, nullptr));
  }
  if (picture->gap) return gst_rdp_picture_pad_skip(overlay.picture(), input, TRUE);
  return picture->flow;
}

static GstFlowReturn gst_rdp_segment_element_chain(GstPad*, GstObject* parent, GstBuffer* buffer) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(parent);
  if (self->session == nullptr) {  // not started
    gst_buffer_unref(buffer);
    return GST_FLOW_FLUSHING;
  }
  if (!self->session->have_info) {
    GST_ELEMENT_ERROR(
        self, CORE, NEGOTIATION,
        ("A frame came before its caps: the element before rdpsegment has to say what "
         "it sends."),
        ("expected caps like video/x-raw,format=GRAY16_LE,width=640,height=480 "
         "(rawvideoparse or a capsfilter adds them to raw data)"));
    gst_buffer_unref(buffer);
    return GST_FLOW_NOT_NEGOTIATED;
  }
  OverlayRef overlay(self);
  if (overlay) gst_rdp_segment_element_update_overlay(self, overlay);

  // The buffer gets a meta, so the buffer object must be ours alone; its memory stays shared, and
  // is copied only if it is written to while others hold it.
  const bool in_nvmm = self->session->memory == rdp::gst::MemoryKind::kNvmm;
  buffer = in_nvmm ? rdp::gst::nvmm_make_writable(buffer, self->session->nvmm_buffers)
                   : gst_buffer_make_writable(buffer);
  if (buffer == nullptr && in_nvmm) return GST_FLOW_FLUSHING;  // being stopped
  if (buffer == nullptr) {  // memory that another buffer cannot have, too, and that has no copy
    GST_ELEMENT_ERROR(
        self, STREAM, FORMAT,
        ("A frame cannot be read: others hold its buffer, and there is no copy of its "
         "memory, which cannot be mapped."),
        ("frame %" G_GUINT64_FORMAT, self->session->frame));
    return GST_FLOW_ERROR;
  }
  GstRdpSegmentPicture picture;
  GstFlowReturn flow = gst_rdp_segment_element_work(self, overlay.get(), buffer, &picture);
  if (flow != GST_FLOW_OK) {
    gst_clear_buffer(&picture.buffer);
    gst_buffer_unref(buffer);
    return flow;
  }
  if (!overlay) return gst_pad_push(self->srcpad, buffer);
  const GstFlowReturn picture_flow =
      gst_rdp_segment_element_push_picture(overlay, buffer, &picture);
  return gst_rdp_extra_pad_combine_flow(gst_pad_push(self->srcpad, buffer), picture_flow);
}

// --- events -----------------------------------------------------------------------------------

// What sink and src take with the backend that is set: the template, but backend=cpu leaves CUDA
// memory to others. Some NVMM memory is for the CPU, which the caps do not tell.
static GstCaps* gst_rdp_segment_element_own_caps(GstRdpSegmentElement* self, GstPad* pad) {
  GST_OBJECT_LOCK(self);
  const bool cpu_only = self->settings->backend == GST_RDP_BACKEND_CPU;
  GST_OBJECT_UNLOCK(self);
  GstCaps* caps = gst_pad_get_pad_template_caps(pad);
  if (!cpu_only) return caps;
  caps = gst_caps_make_writable(caps);
  for (guint i = gst_caps_get_size(caps); i-- > 0;) {
    const GstCapsFeatures* features = gst_caps_get_features(caps, i);
    if (gst_caps_features_contains(features, rdp::gst::kCudaFeature)) {
      gst_caps_remove_structure(caps, i);
    }
  }
  return caps;
}

static const char* gst_rdp_segment_element_memories(bool cuda) {
#ifdef RDP_HAVE_NVMM
  return cuda ? "system, CUDA or NVMM memory" : "system or NVMM memory";
#else
  return cuda ? "system or CUDA memory" : "system memory";
#endif
}

// Posts an error if the pad does not allow these caps. Whether it did.
static bool gst_rdp_segment_element_explain(GstRdpSegmentElement* self, GstPad* pad,
                                            GstCaps* caps) {
  bool refused = true;
  g_autoptr(GstCaps) templ = gst_pad_get_pad_template_caps(pad);
  g_autoptr(GstCaps) own = gst_rdp_segment_element_own_caps(self, pad);
  g_autoptr(GstCaps) allowed = gst_pad_query_caps(pad, nullptr);
  g_autofree gchar* text = gst_caps_to_string(caps);
  const bool cuda = rdp::gst::memory_kind(caps) == rdp::gst::MemoryKind::kCuda;
  std::string missing;
  const bool cuda_available = rdp::gst::cuda_memory_available(&missing);
  if (cuda && !cuda_available) {
    GST_ELEMENT_ERROR(self, CORE, NEGOTIATION,
                      ("rdpsegment cannot take memory:CUDAMemory here: %s.", missing.c_str()),
                      ("it was given %s", text));
  } else if (!gst_caps_is_subset(caps, templ)) {
    GST_ELEMENT_ERROR(
        self, CORE, NEGOTIATION,
        ("rdpsegment takes video/x-raw in %s, format GRAY16_LE or GRAY8, up to 16384x16384; it was "
         "given %s.",
         gst_rdp_segment_element_memories(cuda_available), text),
        ("GRAY16_BE: put videoconvert ! video/x-raw,format=GRAY16_LE before it. Colour is no "
         "depth, and videoconvert would give its luminance: take the depth stream of the source. "
         "Other memory: put the element before it that downloads it."));
  } else if (!gst_caps_is_subset(caps, own)) {
    GST_ELEMENT_ERROR(self, CORE, NEGOTIATION,
                      ("With backend=cpu rdpsegment takes no CUDA memory; it was given %s.", text),
                      ("use backend=auto or backend=cuda, or put depthdownload before it"));
  } else if (!gst_caps_is_subset(caps, allowed)) {
    g_autofree gchar* wanted = gst_caps_to_string(allowed);
    GST_ELEMENT_ERROR(self, CORE, NEGOTIATION,
                      ("What follows rdpsegment does not take the frames that pass through it."),
                      ("rdpsegment was given %s; downstream takes %s", text, wanted));
  } else {
    refused = false;
  }
  return refused;
}

// GStreamer refuses caps that the pad does not allow before the element sees them, and all the user
// reads is "not-negotiated" from the source. This probe sees the event first and says why.
static GstPadProbeReturn gst_rdp_segment_element_explain_caps(GstPad* pad, GstPadProbeInfo* info,
                                                              gpointer) {
  GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
  if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return GST_PAD_PROBE_OK;
  GstObject* parent = gst_pad_get_parent(pad);
  if (parent == nullptr) return GST_PAD_PROBE_OK;
  GstRdpSegmentElement* self = GST_RDP_SEGMENT_ELEMENT(parent);
  GstCaps* caps;
  gst_event_parse_caps(event, &caps);
  try {
    GstRdpSegmentSession* session = self->session;
    const bool known = session != nullptr && session->explained_caps == event;
    if (!known && gst_rdp_segment_element_explain(self, pad, caps) && session != nullptr) {
      gst_event_replace(&session->explained_caps, event);
    }
  } catch (const std::exception& error) {  // no memory to say it; core's refusal stands
    GST_WARNING_OBJECT(parent, "%" GST_PTR_FORMAT " cannot be looked at: %s", caps, error.what());
  }
  gst_object_unref(parent);
  return GST_PAD_PROBE_OK;
}

// Whether frames of these caps can be worked on; posts an error if not.
static bool gst_rdp_segment_element_use_caps(GstRdpSegmentElement* self, GstCaps* caps) {
  GstRdpSegmentSession& session = *self->session;
  if (!gst_video_info_from_caps(&session.info, caps)) {
    GST_ELEMENT_ERROR(self, CORE, NEGOTIATION, ("The caps do not describe a frame."),
                      ("%" GST_PTR_FORMAT, caps));
    return false;
  }
  try {
    return gst_rdp_segment_element_choose_route(self, caps);
  } catch (const std::exception& error) {
    GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT,
                      ("Not enough memory to get ready for new frames."),
                      ("%" GST_PTR_FORMAT ": %s", caps, error.what()));
    return false;
  }
}

static bool gst_rdp_segment_element_set_caps(GstRdpSegmentElement* self, GstEvent* event) {
  GstRdpSegmentSession& session = *self->session;
  if (session.refused_caps == event) return false;
  GstCaps* caps;
  gst_event_parse_caps(event, &caps);
  session.have_info = gst_rdp_segment_element_use_caps(self, caps);
  gst_event_replace(&session.refused_caps, session.have_info ? nullptr : event);
  return session.have_info;
}

// Backwards from an end that is not known, or that lies before the place where the segment goes on:
// no time in it is known either, and GStreamer asserts when asked for one.
static void gst_rdp_segment_element_take_segment(GstEvent* event, GstSegment* segment) {
  gst_event_copy_segment(event, segment);
  if (segment->rate < 0 &&
      (segment->stop == GST_CLOCK_TIME_NONE || segment->stop < segment->offset)) {
    gst_segment_init(segment, GST_FORMAT_UNDEFINED);
  }
}

static gboolean gst_rdp_segment_element_sink_event(GstPad* pad, GstObject* parent,
                                                   GstEvent* event) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(parent);
  OverlayRef overlay(self);
  const bool in_stream =
      (gst_event_type_get_flags(GST_EVENT_TYPE(event)) & GST_EVENT_TYPE_SERIALIZED) != 0;
  if (in_stream && self->session == nullptr) {  // not started
    gst_event_unref(event);
    return FALSE;
  }
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_FLUSH_STOP:
      gst_segment_init(&self->session->segment, GST_FORMAT_UNDEFINED);
      break;
    case GST_EVENT_CAPS:
      if (!gst_rdp_segment_element_set_caps(self, event)) {
        gst_event_unref(event);
        return FALSE;
      }
      break;
    case GST_EVENT_SEGMENT:
      gst_rdp_segment_element_take_segment(event, &self->session->segment);
      break;
    default:
      break;
  }
  if (overlay) {
    if (in_stream && GST_EVENT_TYPE(event) != GST_EVENT_FLUSH_STOP) {
      gst_rdp_segment_element_update_overlay(self, overlay);
    }
    gst_rdp_extra_pad_push_event(overlay.extra(), gst_event_ref(event));
  }
  return gst_pad_push_event(self->srcpad, event);
}

static gboolean gst_rdp_segment_element_src_event(GstPad* pad, GstObject* parent, GstEvent* event) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(parent);
  if (GST_EVENT_TYPE(event) != GST_EVENT_SEEK) return gst_pad_event_default(pad, parent, event);
  if (!self->seeks->passes(pad, event)) {
    GST_DEBUG_OBJECT(pad, "this seek is on its way already");
    gst_event_unref(event);
    return TRUE;
  }
  gst_event_ref(event);
  const gboolean done = gst_pad_event_default(pad, parent, event);
  if (!done) self->seeks->failed(event);  // the other pad may try
  gst_event_unref(event);
  return done;
}

// --- queries ----------------------------------------------------------------------------------

// What can pass: what the element takes, as far as the other side of it does. The overlay has no
// say in it.
static void gst_rdp_segment_element_query_caps(GstRdpSegmentElement* self, GstPad* pad,
                                               GstPad* other, GstQuery* query) {
  GstCaps* filter;
  gst_query_parse_caps(query, &filter);
  GstCaps* own = gst_rdp_segment_element_own_caps(self, pad);
  GstCaps* peer = gst_pad_peer_query_caps(other, own);
  GstCaps* caps = gst_caps_intersect_full(peer, own, GST_CAPS_INTERSECT_FIRST);
  if (filter != nullptr) {
    GstCaps* filtered = gst_caps_intersect_full(filter, caps, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref(caps);
    caps = filtered;
  }
  gst_query_set_caps_result(query, caps);
  gst_caps_unref(caps);
  gst_caps_unref(peer);
  gst_caps_unref(own);
}

// The buffers go on to src as they are: only downstream knows which it can read, and whether it
// honours a GstVideoMeta. Where it says nothing of use about CUDA memory, the engine does.
static gboolean gst_rdp_segment_element_query_allocation(GstRdpSegmentElement* self,
                                                         GstQuery* query) {
  const gboolean answered = gst_pad_peer_query(self->srcpad, query);
  if (self->session == nullptr) return answered;
  const bool always_cuda = self->session->backend == GST_RDP_BACKEND_CUDA;
  return self->gpu->propose_allocation(query, self->session->cuda_device_id, always_cuda) ||
         answered;
}

static gboolean gst_rdp_segment_element_sink_query(GstPad* pad, GstObject* parent,
                                                   GstQuery* query) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(parent);
  switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_CAPS:
      gst_rdp_segment_element_query_caps(self, pad, self->srcpad, query);
      return TRUE;
    case GST_QUERY_ALLOCATION:
      return gst_rdp_segment_element_query_allocation(self, query);
    case GST_QUERY_CONTEXT:
      return self->gpu->answer_context_query(query) || gst_pad_query_default(pad, parent, query);
    default:
      return gst_pad_query_default(pad, parent, query);
  }
}

static gboolean gst_rdp_segment_element_src_query(GstPad* pad, GstObject* parent, GstQuery* query) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(parent);
  switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_CAPS:
      gst_rdp_segment_element_query_caps(self, pad, self->sinkpad, query);
      return TRUE;
    case GST_QUERY_CONTEXT:
      return self->gpu->answer_context_query(query) || gst_pad_query_default(pad, parent, query);
    default:
      return gst_pad_query_default(pad, parent, query);
  }
}

static gboolean gst_rdp_segment_element_overlay_query(GstPad* pad, GstObject* parent,
                                                      GstQuery* query) {
  return (GST_QUERY_TYPE(query) == GST_QUERY_CONTEXT &&
          GST_RDP_SEGMENT_ELEMENT(parent)->gpu->answer_context_query(query)) ||
         gst_pad_query_default(pad, parent, query);
}

void gst_rdp_segment_element_init_pads(GstRdpSegmentElement* self) {
  gst_pad_set_chain_function(self->sinkpad, gst_rdp_segment_element_chain);
  gst_pad_set_event_function(self->sinkpad, gst_rdp_segment_element_sink_event);
  gst_pad_set_query_function(self->sinkpad, gst_rdp_segment_element_sink_query);
  gst_pad_add_probe(self->sinkpad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
                    gst_rdp_segment_element_explain_caps, nullptr, nullptr);
  gst_pad_set_event_function(self->srcpad, gst_rdp_segment_element_src_event);
  gst_pad_set_query_function(self->srcpad, gst_rdp_segment_element_src_query);
}

void gst_rdp_segment_element_init_overlay_pad(GstRdpSegmentOverlayPad* pad) {
  gst_rdp_extra_pad_set_functions(GST_RDP_EXTRA_PAD(pad), gst_rdp_segment_element_src_event,
                                  gst_rdp_segment_element_overlay_query);
}
