// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/gstrdpanalyzer.h"

#include <exception>
#include <new>
#include <string>

#include "common/image/float_environment.h"
#include "gst/elements/base/caps_explainer.h"
#include "gst/elements/base/gstrdpanalyzer-private.h"
#include "gst/memory/nvmm_library.h"

using rdp::gst::AnalyzerSettings;

G_DEFINE_ABSTRACT_TYPE_WITH_CODE(
    GstRdpAnalyzer, gst_rdp_analyzer, GST_TYPE_ELEMENT,
    G_IMPLEMENT_INTERFACE(GST_TYPE_CHILD_PROXY,
                          rdp::gst::ElementCore::init_child_proxy<gst_rdp_analyzer_core>))

GstRdpAnalyzerSession::GstRdpAnalyzerSession(GstRdpAnalyzer* self, const AnalyzerSettings& settings,
                                             std::unique_ptr<rdp::gst::Method> method)
    : camera(GST_ELEMENT(self)),
      work(GST_ELEMENT(self), self->priv->words, &self->priv->gpu, std::move(method), settings,
           &self->priv->stats),
      output(GST_ELEMENT(self), self->srcpad, &self->priv->gpu) {
  gst_segment_init(&segment, GST_FORMAT_UNDEFINED);
}

GstRdpAnalyzerSession::~GstRdpAnalyzerSession() { gst_clear_event(&refused_caps); }

static rdp::gst::ElementWords gst_rdp_analyzer_words(GstRdpAnalyzer* self) {
  const GstRdpAnalyzerClass* klass = GST_RDP_ANALYZER_GET_CLASS(self);
  return {klass->category, klass->verb, klass->participle};
}

_GstRdpAnalyzerPrivate::_GstRdpAnalyzerPrivate(GstRdpAnalyzer* element)
    : ElementCore(GST_ELEMENT(element), gst_rdp_analyzer_words(element),
                  GST_RDP_ANALYZER_GET_CLASS(element)->new_settings(), 1),
      self(element) {}

_GstRdpAnalyzerPrivate::~_GstRdpAnalyzerPrivate() { delete session; }

rdp::gst::ElementCore& gst_rdp_analyzer_core(gpointer element) {
  return *GST_RDP_ANALYZER(element)->priv;
}

bool gst_rdp_analyzer_makes_frames(GstRdpAnalyzer* self) {
  const GstRdpAnalyzerClass* klass = GST_RDP_ANALYZER_GET_CLASS(self);
  return klass->transform_caps != nullptr &&
         (klass->makes_frames == nullptr || klass->makes_frames(self));
}

GstStructure* _GstRdpAnalyzerPrivate::make_stats() {
  const GstRdpAnalyzerClass* klass = GST_RDP_ANALYZER_GET_CLASS(self);
  const rdp::gst::AnalyzerStats counts = copy_stats(ref_overlay());
  GstStructure* fields = new_stats("frames", counts);
  if (klass->items != nullptr) {
    gst_structure_set(fields, klass->items, G_TYPE_UINT64, counts.items, nullptr);
  }
  if (klass->add_stats != nullptr) klass->add_stats(self, &counts, fields);
  return fields;
}

const GstVideoInfo* gst_rdp_analyzer_get_info(GstRdpAnalyzer* self) {
  return &self->priv->session->info;
}

// --- the overlay pad --------------------------------------------------------------------------

static GstPad* gst_rdp_analyzer_request_new_pad(GstElement* element, GstPadTemplate* templ,
                                                const gchar*, const GstCaps*) {
  return gst_rdp_analyzer_core(element).request_extra(0, templ, gst_rdp_analyzer_src_event,
                                                      gst_rdp_analyzer_overlay_query, nullptr);
}

static void gst_rdp_analyzer_release_pad(GstElement* element, GstPad* pad) {
  gst_rdp_analyzer_core(element).release_extra(pad);
}

// --- states -----------------------------------------------------------------------------------

std::unique_ptr<rdp::gst::Method> _GstRdpAnalyzerPrivate::new_method() {
  return std::unique_ptr<rdp::gst::Method>(GST_RDP_ANALYZER_GET_CLASS(self)->new_method(self));
}

bool _GstRdpAnalyzerPrivate::check_backend(bool with_method) {
  if (!with_method) return try_backend({});
  return try_backend([this] { return new_method(); });
}

static bool gst_rdp_analyzer_start(GstRdpAnalyzer* self) {
  const AnalyzerSettings settings = rdp::gst::copy_settings<rdp::gst::AnalyzerSettings>(self);
  self->priv->reset();
  try {
    std::unique_ptr<rdp::gst::Method> method = self->priv->new_method();
    if (method == nullptr) return false;
    auto session = std::make_unique<GstRdpAnalyzerSession>(self, settings, std::move(method));
    if (!session->camera.start(settings.camera)) return false;
    self->priv->session = session.release();
  } catch (const std::exception& error) {
    GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("Not enough memory to start the CPU engine."),
                      ("with threads=%u: %s", settings.threads, error.what()));
    return false;
  }
  return true;
}

static void gst_rdp_analyzer_stop(GstRdpAnalyzer* self) {
  // Under the stream lock: an application may still be sending an event to the sink pad.
  GST_PAD_STREAM_LOCK(self->sinkpad);
  // The method's state on the GPU is freed before the method.
  self->priv->gpu.drop_states();
  delete self->priv->session;
  self->priv->session = nullptr;
  rdp::gst::forget_explained_caps_events(GST_ELEMENT(self));
  GST_PAD_STREAM_UNLOCK(self->sinkpad);
}

static GstStateChangeReturn gst_rdp_analyzer_change_state(GstElement* element,
                                                          GstStateChange transition) {
  auto* self = GST_RDP_ANALYZER(element);
  if (!self->priv->before_change(transition) ||
      (transition == GST_STATE_CHANGE_READY_TO_PAUSED &&
       !rdp::with_standard_floats([&] { return gst_rdp_analyzer_start(self); }))) {
    return GST_STATE_CHANGE_FAILURE;
  }
  const GstStateChangeReturn result =
      GST_ELEMENT_CLASS(gst_rdp_analyzer_parent_class)->change_state(element, transition);
  // After the parent has stopped the pads. After a failed READY to PAUSED, no PAUSED to READY
  // follows.
  const bool stopped =
      transition == GST_STATE_CHANGE_PAUSED_TO_READY ||
      (transition == GST_STATE_CHANGE_READY_TO_PAUSED && result == GST_STATE_CHANGE_FAILURE);
  if (stopped) gst_rdp_analyzer_stop(self);
  self->priv->after_change(transition);
  return result;
}

static void gst_rdp_analyzer_set_context(GstElement* element, GstContext* context) {
  gst_rdp_analyzer_core(element).set_context(context);
  GST_ELEMENT_CLASS(gst_rdp_analyzer_parent_class)->set_context(element, context);
}

// --- object -----------------------------------------------------------------------------------

static void gst_rdp_analyzer_class_add_video_template(GstRdpAnalyzerClass* klass, const char* name,
                                                      GstPadDirection direction,
                                                      GstPadPresence presence, const char* fields,
                                                      bool nvmm, const char* blobs, GType type) {
  if (type != GST_TYPE_PAD) gst_type_mark_as_plugin_api(type, static_cast<GstPluginAPIFlags>(0));
  GstCaps* caps = rdp::gst::video_caps_of_all_memories(fields, nvmm);
  if (blobs != nullptr) gst_caps_append(caps, gst_caps_from_string(blobs));
  gst_element_class_add_pad_template(
      GST_ELEMENT_CLASS(klass),
      gst_pad_template_new_with_gtype(name, direction, presence, caps, type));
  gst_caps_unref(caps);
}

void gst_rdp_analyzer_class_add_pads(GstRdpAnalyzerClass* klass, const char* frames,
                                     const char* blobs, const char* pictures, GType overlay_type) {
  gst_rdp_analyzer_class_add_video_template(klass, "sink", GST_PAD_SINK, GST_PAD_ALWAYS, frames,
                                            true, blobs, GST_TYPE_PAD);
  gst_rdp_analyzer_class_add_video_template(klass, "src", GST_PAD_SRC, GST_PAD_ALWAYS, frames, true,
                                            blobs, GST_TYPE_PAD);
  if (pictures == nullptr) return;
  // Pictures in NVMM memory need NVIDIA's library here; frames are made upstream.
  gst_rdp_analyzer_class_add_video_template(klass, "overlay", GST_PAD_SRC, GST_PAD_REQUEST,
                                            pictures, rdp::gst::nvmm::library() != nullptr, nullptr,
                                            overlay_type);
}

void gst_rdp_analyzer_class_add_video_pads(GstRdpAnalyzerClass* klass, const char* frames,
                                           const char* pictures, GType overlay_type) {
  gst_rdp_analyzer_class_add_pads(klass, frames, nullptr, pictures, overlay_type);
}

static void gst_rdp_analyzer_finalize(GObject* object) {
  delete GST_RDP_ANALYZER(object)->priv;
  G_OBJECT_CLASS(gst_rdp_analyzer_parent_class)->finalize(object);
}

static void gst_rdp_analyzer_constructed(GObject* object) {
  auto* self = GST_RDP_ANALYZER(object);
  GstElementClass* klass = GST_ELEMENT_GET_CLASS(self);
  self->priv = new GstRdpAnalyzerPrivate(self);
  self->sinkpad =
      gst_pad_new_from_template(gst_element_class_get_pad_template(klass, "sink"), "sink");
  self->srcpad = gst_pad_new_from_template(gst_element_class_get_pad_template(klass, "src"), "src");
  gst_rdp_analyzer_init_pads(self);
  gst_element_add_pad(GST_ELEMENT(self), self->sinkpad);
  gst_element_add_pad(GST_ELEMENT(self), self->srcpad);
  G_OBJECT_CLASS(gst_rdp_analyzer_parent_class)->constructed(object);
}

static void gst_rdp_analyzer_class_init(GstRdpAnalyzerClass* klass) {
  GObjectClass* object_class = G_OBJECT_CLASS(klass);
  GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
  object_class->constructed = gst_rdp_analyzer_constructed;
  object_class->finalize = gst_rdp_analyzer_finalize;
  element_class->change_state = gst_rdp_analyzer_change_state;
  element_class->request_new_pad = gst_rdp_analyzer_request_new_pad;
  element_class->release_pad = gst_rdp_analyzer_release_pad;
  element_class->set_context = gst_rdp_analyzer_set_context;
  gst_type_mark_as_plugin_api(GST_TYPE_RDP_ANALYZER, static_cast<GstPluginAPIFlags>(0));
}

static void gst_rdp_analyzer_init(GstRdpAnalyzer*) {}
