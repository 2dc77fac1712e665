// SPDX-License-Identifier: LGPL-2.1-or-later
// The stream of an analysing element: buffers, events and queries.
#include <string>
#include <utility>
#include <vector>

#include "gst/elements/base/caps_explainer.h"
#include "gst/elements/base/filtered_caps.h"
#include "gst/elements/base/gstrdpanalyzer-private.h"
#include "gst/memory/pool_negotiation.h"

using OverlayRef = rdp::gst::ExtraPadRef;

// --- buffers ----------------------------------------------------------------------------------

// Called before the pad gets caps and frames: sends what it has missed, and sets the context of its
// pictures.
static void gst_rdp_analyzer_update_overlay(GstRdpAnalyzer* self, OverlayRef& overlay) {
  if (self->priv->session->have_caps && !self->priv->session->is_video) return;
  gst_rdp_picture_pad_set_context(overlay.picture(), self->priv->gpu.context());
  gst_rdp_extra_pad_begin_like(overlay.get(), self->sinkpad, nullptr);
}

// Posts an error for an overlay without pictures, because its sink would wait for ever.
static void gst_rdp_analyzer_refuse_overlay(GstRdpAnalyzer* self, const OverlayRef& overlay,
                                            GstCaps* caps) {
  g_autofree gchar* pad = gst_object_get_name(GST_OBJECT(overlay.picture()));
  GST_ELEMENT_ERROR(self, CORE, NEGOTIATION,
                    ("The pad %s shows pictures of video frames, and has none for %s: unlink it.",
                     pad, gst_structure_get_name(gst_caps_get_structure(caps, 0))),
                    ("%" GST_PTR_FORMAT, caps));
}

// The main path never notices an overlay that is being shut down or released.
static GstFlowReturn gst_rdp_analyzer_push_picture(OverlayRef& overlay, rdp::gst::Frame* frame) {
  if (GstBuffer* picture = std::exchange(frame->picture, nullptr)) {
    return gst_rdp_extra_pad_push(overlay.get(), picture);
  }
  if (frame->picture_flow != GST_FLOW_OK) return frame->picture_flow;
  return gst_rdp_picture_pad_skip(overlay.picture(), frame->buffer(), frame->picture_gap);
}

// Works on `buffer`, and writes to the buffers of `outputs`, if any.
static GstFlowReturn gst_rdp_analyzer_work(GstRdpAnalyzer* self, OverlayRef& overlay,
                                           GstBuffer* buffer, rdp::gst::OutputSource* outputs,
                                           rdp::gst::Frame* frame) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  frame->inputs.push_back({buffer, &session.info, session.memory, nullptr, session.is_video});
  frame->output_source = outputs;
  frame->overlay = overlay.picture();
  frame->camera = &session.camera;
  const GstSegment& segment = session.segment;
  if (segment.format == GST_FORMAT_TIME && GST_BUFFER_PTS_IS_VALID(buffer)) {
    const GstClockTime pts = GST_BUFFER_PTS(buffer);
    frame->running_time = gst_segment_to_running_time(&segment, GST_FORMAT_TIME, pts);
    frame->stream_time = gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, pts);
  }
  return session.work.run();
}

// --- frames of the element's own ----------------------------------------------------------------

// Negotiates the output for the caps of the input, and chooses the engine.
static bool gst_rdp_analyzer_negotiate_output(GstRdpAnalyzer* self, GstCaps* input) {
  rdp::gst::FrameOutput& output = self->priv->session->output;
  rdp::gst::FrameWork& work = self->priv->session->work;
  g_autoptr(GstCaps) possible =
      GST_RDP_ANALYZER_GET_CLASS(self)->transform_caps(self, GST_PAD_SINK, input);
  if (work.backend() == GST_RDP_BACKEND_CPU || !rdp::gst::cuda_memory_available()) {
    possible = rdp::gst::without_cuda_memory(possible);
  }
  if (!output.negotiate(possible, input)) return false;
  do {
    const GstCaps* both[] = {input, output.caps()};
    if (!work.choose_backend(both)) return false;
    gst_pad_push_event(self->srcpad, gst_event_new_caps(output.caps()));
  } while (output.leave_cuda_memory());
  output.take_reconfigure();  // done just now
  // The GPU copies its results to these buffers.
  output.set_page_locked(work.gpu_works());
  return output.make_pool();
}

// Negotiates again if a link has changed.
static GstFlowReturn gst_rdp_analyzer_update_output(GstRdpAnalyzer* self) {
  rdp::gst::FrameOutput& output = self->priv->session->output;
  // After the trial another engine may work.
  output.set_page_locked(self->priv->session->work.gpu_works());
  if (!output.take_reconfigure()) return GST_FLOW_OK;
  g_autoptr(GstCaps) caps = gst_pad_get_current_caps(self->sinkpad);
  const auto negotiate = [&] { return gst_rdp_analyzer_negotiate_output(self, caps); };
  if (caps == nullptr || self->priv->prepare_for(caps, negotiate)) return GST_FLOW_OK;
  gst_pad_mark_reconfigure(self->srcpad);
  return GST_FLOW_NOT_NEGOTIATED;
}

namespace {

// Acquires the output frame, once its context is known.
class OwnFrame final : public rdp::gst::OutputSource {
 public:
  explicit OwnFrame(rdp::gst::FrameOutput* output) : output_(output) {}
  ~OwnFrame() override { gst_clear_buffer(&buffer_); }

  GstFlowReturn acquire(rdp::gst::Frame* frame) override {
    GstFlowReturn flow = GST_FLOW_OK;
    buffer_ = output_->acquire(frame->buffer(), &flow);
    if (buffer_ != nullptr) frame->outputs.push_back(output_->describe(buffer_));
    return flow;
  }
  GstBuffer* take() { return std::exchange(buffer_, nullptr); }

 private:
  rdp::gst::FrameOutput* output_;
  GstBuffer* buffer_ = nullptr;
};

}  // namespace

static GstFlowReturn gst_rdp_analyzer_chain(GstPad*, GstObject* parent, GstBuffer* buffer) {
  auto* self = GST_RDP_ANALYZER(parent);
  GstRdpAnalyzerSession* session = self->priv->session;
  if (session == nullptr) {  // not started
    gst_buffer_unref(buffer);
    return GST_FLOW_FLUSHING;
  }
  if (!session->have_caps) {
    g_autofree gchar* name = gst_object_get_name(parent);
    GST_ELEMENT_ERROR(
        self, CORE, NEGOTIATION,
        ("A frame arrived before its caps: the element upstream of %s must send caps first.", name),
        ("expected caps like %s", GST_RDP_ANALYZER_GET_CLASS(self)->caps_words->example));
    gst_buffer_unref(buffer);
    return GST_FLOW_NOT_NEGOTIATED;
  }
  OverlayRef overlay = self->priv->ref_overlay();
  if (overlay && !session->is_video) {
    g_autoptr(GstCaps) caps = gst_pad_get_current_caps(self->sinkpad);
    gst_rdp_analyzer_refuse_overlay(self, overlay, caps);
    gst_buffer_unref(buffer);
    return GST_FLOW_NOT_NEGOTIATED;
  }
  if (overlay) gst_rdp_analyzer_update_overlay(self, overlay);
  if (GST_BUFFER_IS_DISCONT(buffer) && session->work.frames() > 0) {
    session->work.method().reset(rdp::gst::ResetReason::kDiscontinuity);
  }

  GstFlowReturn flow = GST_FLOW_OK;
  rdp::gst::Frame& frame = session->work.start_frame();
  const bool own_frames = gst_rdp_analyzer_makes_frames(self);
  OwnFrame output(&session->output);
  if (own_frames) {
    flow = gst_rdp_analyzer_update_output(self);
  } else {
    buffer = session->tagged.make_writable(GST_ELEMENT(self), buffer, session->memory, &flow);
  }
  if (flow == GST_FLOW_OK) {
    flow = gst_rdp_analyzer_work(self, overlay, buffer, own_frames ? &output : nullptr, &frame);
  }
  if (flow != GST_FLOW_OK) {
    gst_clear_buffer(&buffer);
    return flow;
  }
  GstFlowReturn picture_flow = GST_FLOW_NOT_LINKED;
  if (overlay) picture_flow = gst_rdp_analyzer_push_picture(overlay, &frame);
  if (own_frames) {
    gst_buffer_unref(buffer);
    buffer = output.take();
  }
  if (overlay) gst_rdp_extra_pad_set_main_pushing(overlay.get(), TRUE);
  flow = gst_pad_push(self->srcpad, buffer);
  if (overlay) gst_rdp_extra_pad_set_main_pushing(overlay.get(), FALSE);
  return overlay ? gst_rdp_extra_pad_combine_flow(flow, picture_flow) : flow;
}

// --- events -----------------------------------------------------------------------------------

// Returns a pad's caps with the present backend: the template, but backend=cpu excludes CUDA
// memory. NVMM memory stays, because the caps do not tell whether the CPU reaches it.
static GstCaps* gst_rdp_analyzer_own_caps(GstRdpAnalyzer* self, GstPad* pad) {
  const bool cpu_only =
      rdp::gst::copy_settings<rdp::gst::AnalyzerSettings>(self).backend == GST_RDP_BACKEND_CPU;
  GstCaps* caps = gst_pad_get_pad_template_caps(pad);
  return cpu_only ? rdp::gst::without_cuda_memory(caps) : caps;
}

// Explains refused caps. GStreamer refuses caps that the pad does not allow before the element sees
// them, and users read only "not-negotiated" from the source. This probe sees the event first.
static GstPadProbeReturn gst_rdp_analyzer_explain_caps(GstPad* pad, GstPadProbeInfo* info,
                                                       gpointer) {
  GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
  if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return GST_PAD_PROBE_OK;
  GstObject* parent = gst_pad_get_parent(pad);
  if (parent == nullptr) return GST_PAD_PROBE_OK;
  auto* self = GST_RDP_ANALYZER(parent);
  {
    g_autoptr(GstCaps) own = gst_rdp_analyzer_own_caps(self, pad);
    g_autoptr(GstCaps) allowed = gst_pad_query_caps(pad, nullptr);
    rdp::gst::explain_caps_event(GST_ELEMENT(self), pad, event,
                                 *GST_RDP_ANALYZER_GET_CLASS(self)->caps_words, own, allowed);
  }
  gst_object_unref(parent);
  return GST_PAD_PROBE_OK;
}

// True if frames of these caps can be processed; else posts an error.
static bool gst_rdp_analyzer_use_caps(GstRdpAnalyzer* self, GstCaps* caps) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  const GstRdpAnalyzerClass* klass = GST_RDP_ANALYZER_GET_CLASS(self);
  session.is_video = gst_structure_has_name(gst_caps_get_structure(caps, 0), "video/x-raw");
  if (session.is_video && !gst_video_info_from_caps(&session.info, caps)) {
    GST_ELEMENT_ERROR(self, CORE, NEGOTIATION, ("The caps do not describe a frame."),
                      ("%" GST_PTR_FORMAT, caps));
    return false;
  }
  if (const OverlayRef overlay = self->priv->ref_overlay(); overlay && !session.is_video) {
    gst_rdp_analyzer_refuse_overlay(self, overlay, caps);
    return false;
  }
  if (session.is_video && rdp::gst::explain_mixed_frames(GST_ELEMENT(self), caps)) return false;
  return self->priv->prepare_for(caps, [&] {
    if ((klass->check_caps != nullptr && !klass->check_caps(self, caps)) ||
        (session.is_video && !session.camera.set_frames(session.info))) {
      return false;
    }
    session.memory = rdp::gst::memory_kind(caps);
    const bool chosen = gst_rdp_analyzer_makes_frames(self)
                            ? gst_rdp_analyzer_negotiate_output(self, caps)
                            : session.work.choose_backend(caps);
    if (chosen) session.work.method().reset(rdp::gst::ResetReason::kNewCaps);
    return chosen;
  });
}

static bool gst_rdp_analyzer_set_caps(GstRdpAnalyzer* self, GstEvent* event) {
  GstRdpAnalyzerSession& session = *self->priv->session;
  if (session.refused_caps == event) return false;
  GstCaps* caps;
  gst_event_parse_caps(event, &caps);
  session.have_caps = gst_rdp_analyzer_use_caps(self, caps);
  gst_event_replace(&session.refused_caps, session.have_caps ? nullptr : event);
  return session.have_caps;
}

// Takes a segment. If reverse playback begins at an unknown end, or one before its `offset`, no
// time is known. The segment becomes undefined then, because GStreamer asserts when asked for a
// time.
static void gst_rdp_analyzer_take_segment(GstEvent* event, GstSegment* segment) {
  gst_event_copy_segment(event, segment);
  if (segment->rate < 0 &&
      (segment->stop == GST_CLOCK_TIME_NONE || segment->stop < segment->offset)) {
    gst_segment_init(segment, GST_FORMAT_UNDEFINED);
  }
}

static gboolean gst_rdp_analyzer_sink_event(GstPad*, GstObject* parent, GstEvent* event) {
  auto* self = GST_RDP_ANALYZER(parent);
  GstRdpAnalyzerSession* session = self->priv->session;
  OverlayRef overlay = self->priv->ref_overlay();
  const bool in_stream =
      (gst_event_type_get_flags(GST_EVENT_TYPE(event)) & GST_EVENT_TYPE_SERIALIZED) != 0;
  if (in_stream && session == nullptr) {  // not started
    gst_event_unref(event);
    return FALSE;
  }
  bool to_src = true;
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_FLUSH_STOP:
      session->work.method().reset(rdp::gst::ResetReason::kFlush);
      gst_segment_init(&session->segment, GST_FORMAT_UNDEFINED);
      break;
    case GST_EVENT_CAPS:
      if (!gst_rdp_analyzer_set_caps(self, event)) {
        gst_event_unref(event);
        return FALSE;
      }
      // The element's own caps are sent already.
      to_src = !gst_rdp_analyzer_makes_frames(self);
      break;
    case GST_EVENT_SEGMENT: {
      const GstSegment before = session->segment;
      gst_rdp_analyzer_take_segment(event, &session->segment);
      const GstSegment& now = session->segment;
      if (now.base != before.base || (now.rate < 0) != (before.rate < 0)) {
        session->work.method().jump();
      }
      break;
    }
    case GST_EVENT_GAP:
      session->work.method().miss_frame();
      break;
    case GST_EVENT_EOS:
      session->work.method().end_stream();
      break;
    default:
      break;
  }
  if (overlay) {
    // FLUSH_START frees the streaming thread here before the main path is flushed.
    const bool flush = GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_START ||
                       GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP;
    if (in_stream && !flush) gst_rdp_analyzer_update_overlay(self, overlay);
    gst_rdp_extra_pad_push_event(overlay.get(), gst_event_ref(event));
  }
  if (!to_src) {
    gst_event_unref(event);
    return TRUE;
  }
  return gst_pad_push_event(self->srcpad, event);
}

gboolean gst_rdp_analyzer_src_event(GstPad* pad, GstObject* parent, GstEvent* event) {
  auto* self = GST_RDP_ANALYZER(parent);
  if (GST_EVENT_TYPE(event) != GST_EVENT_SEEK) return gst_pad_event_default(pad, parent, event);
  return self->priv->seeks.handle(
      pad, event, [&](GstEvent* seek) { return gst_pad_event_default(pad, parent, seek); });
}

// --- queries ----------------------------------------------------------------------------------

// Answers with the element's caps that the other side accepts, too. Ignores the overlay.
static void gst_rdp_analyzer_query_caps(GstRdpAnalyzer* self, GstPad* pad, GstPad* other,
                                        GstQuery* query) {
  const GstRdpAnalyzerClass* klass = GST_RDP_ANALYZER_GET_CLASS(self);
  GstCaps* filter;
  gst_query_parse_caps(query, &filter);
  GstCaps* own = gst_rdp_analyzer_own_caps(self, pad);
  GstCaps* caps;
  if (!gst_rdp_analyzer_makes_frames(self)) {
    GstCaps* peer = gst_pad_peer_query_caps(other, own);
    caps = gst_caps_intersect_full(peer, own, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref(peer);
  } else {
    GstCaps* peer = gst_pad_peer_query_caps(other, nullptr);
    GstCaps* theirs = gst_rdp_analyzer_own_caps(self, other);
    GstCaps* both = gst_caps_intersect_full(peer, theirs, GST_CAPS_INTERSECT_FIRST);
    GstCaps* here = klass->transform_caps(self, GST_PAD_DIRECTION(other), both);
    caps = gst_caps_intersect_full(here, own, GST_CAPS_INTERSECT_FIRST);
    for (GstCaps* gone : {peer, theirs, both, here}) gst_caps_unref(gone);
  }
  caps = rdp::gst::filtered_caps(caps, filter);
  gst_query_set_caps_result(query, caps);
  gst_caps_unref(caps);
  gst_caps_unref(own);
}

// Forwards the query if buffers pass to src: only downstream knows which memory it can read, and
// whether it honours GstVideoMeta or GstVideoCropMeta. If it offers no pool of CUDA memory, the
// engine does. Frames that end here do not concern downstream.
static gboolean gst_rdp_analyzer_query_allocation(GstRdpAnalyzer* self, GstQuery* query) {
  const bool pass = !gst_rdp_analyzer_makes_frames(self);
  const gboolean answered = pass && rdp::gst::forward_allocation(self->srcpad, query);
  GstRdpAnalyzerSession* session = self->priv->session;
  if (session == nullptr) return answered;
  if (!pass) {
    gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr);
    gst_query_add_allocation_meta(query, GST_VIDEO_CROP_META_API_TYPE, nullptr);
  }
  const bool always_cuda = session->work.backend() == GST_RDP_BACKEND_CUDA;
  return self->priv->gpu.propose_allocation(query, session->work.cuda_device_id(), always_cuda) ||
         answered || !pass;
}

static gboolean gst_rdp_analyzer_main_query(GstPad* pad, GstObject* parent, GstQuery* query) {
  auto* self = GST_RDP_ANALYZER(parent);
  switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_CAPS:
      gst_rdp_analyzer_query_caps(self, pad, pad == self->sinkpad ? self->srcpad : self->sinkpad,
                                  query);
      return TRUE;
    case GST_QUERY_ALLOCATION:
      if (pad == self->sinkpad) return gst_rdp_analyzer_query_allocation(self, query);
      break;
    default:
      break;
  }
  return self->priv->answer_context(query) || gst_pad_query_default(pad, parent, query);
}

// Queries that the overlay pad leaves to its element.
gboolean gst_rdp_analyzer_overlay_query(GstPad* pad, GstObject* parent, GstQuery* query) {
  return gst_rdp_analyzer_core(parent).answer_context(query) ||
         gst_pad_query_default(pad, parent, query);
}

void gst_rdp_analyzer_init_pads(GstRdpAnalyzer* self) {
  gst_pad_set_chain_function(self->sinkpad, gst_rdp_analyzer_chain);
  gst_pad_set_event_function(self->sinkpad, gst_rdp_analyzer_sink_event);
  gst_pad_set_query_function(self->sinkpad, gst_rdp_analyzer_main_query);
  gst_pad_add_probe(self->sinkpad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
                    gst_rdp_analyzer_explain_caps, nullptr, nullptr);
  gst_pad_set_event_function(self->srcpad, gst_rdp_analyzer_src_event);
  gst_pad_set_query_function(self->srcpad, gst_rdp_analyzer_main_query);
}
