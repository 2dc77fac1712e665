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
using rdp::gst::ExtraPadRef;

static void gst_rdp_analyzer_child_proxy_init(gpointer iface, gpointer data);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE(GstRdpAnalyzer, gst_rdp_analyzer, GST_TYPE_ELEMENT,
                                 G_IMPLEMENT_INTERFACE(GST_TYPE_CHILD_PROXY,
                                                       gst_rdp_analyzer_child_proxy_init))

GstRdpAnalyzerSession::GstRdpAnalyzerSession(GstRdpAnalyzer* self, const AnalyzerSettings& settings,
                                             std::unique_ptr<rdp::gst::Method> method)
    : camera(GST_ELEMENT(self)),
      work(GST_ELEMENT(self), gst_rdp_analyzer_words(self), &self->priv->gpu, std::move(method),
           settings, &self->priv->stats),
      output(GST_ELEMENT(self), self->srcpad, &self->priv->gpu) {
  gst_segment_init(&segment, GST_FORMAT_UNDEFINED);
}

GstRdpAnalyzerSession::~GstRdpAnalyzerSession() { gst_clear_event(&refused_caps); }

rdp::gst::ElementWords gst_rdp_analyzer_words(GstRdpAnalyzer* self) {
  const GstRdpAnalyzerClass* klass = GST_RDP_ANALYZER_GET_CLASS(self);
  return {klass->category, klass->verb, klass->participle};
}

bool gst_rdp_analyzer_makes_frames(GstRdpAnalyzer* self) {
  const GstRdpAnalyzerClass* klass = GST_RDP_ANALYZER_GET_CLASS(self);
  return klass->transform_caps != nullptr &&
         (klass->makes_frames == nullptr || klass->makes_frames(self));
}

AnalyzerSettings* gst_rdp_analyzer_get_settings(GstRdpAnalyzer* self) {
  return self->priv->settings.get();
}

void gst_rdp_analyzer_get_stats(GstRdpAnalyzer* self, GValue* value) {
  GST_OBJECT_LOCK(self);
  const rdp::gst::AnalyzerStats stats = self->priv->stats;
  GST_OBJECT_UNLOCK(self);
  GstStructure* fields = GST_RDP_ANALYZER_GET_CLASS(self)->make_stats(self, &stats);
  // Only elements with pictures have this count.
  if (gst_element_class_get_pad_template(GST_ELEMENT_GET_CLASS(self), "overlay") != nullptr) {
    guint64 dropped = stats.pictures_dropped;
    if (const ExtraPadRef overlay = gst_rdp_analyzer_ref_overlay(self)) {
      dropped += gst_rdp_extra_pad_get_dropped(overlay.get());
    }
    gst_structure_set(fields, "pictures-dropped", G_TYPE_UINT64, dropped, nullptr);
  }
  g_value_take_boxed(value, fields);
}

const GstVideoInfo* gst_rdp_analyzer_get_info(GstRdpAnalyzer* self) {
  return &self->priv->session->info;
}

// --- the overlay pad --------------------------------------------------------------------------

ExtraPadRef gst_rdp_analyzer_ref_overlay(GstRdpAnalyzer* self) { return self->priv->extra.ref(0); }

static GstPad* gst_rdp_analyzer_request_new_pad(GstElement* element, GstPadTemplate* templ,
                                                const gchar*, const GstCaps*) {
  auto* self = GST_RDP_ANALYZER(element);
  GstPad* pad = self->priv->extra.request(0, templ, gst_rdp_analyzer_src_event,
                                          gst_rdp_analyzer_overlay_query, nullptr);
  if (pad != nullptr) return pad;
  GST_ELEMENT_WARNING(
      self, CORE, PAD,
      ("There is an overlay pad already: put a tee behind it for a second branch."),
      ("a tee, with a queue on each branch, gives the same pictures to several elements"));
  return nullptr;
}

static void gst_rdp_analyzer_release_pad(GstElement* element, GstPad* pad) {
  auto* self = GST_RDP_ANALYZER(element);
  self->priv->seeks.released(pad);
  const guint64 dropped = self->priv->extra.release(pad);
  GST_OBJECT_LOCK(self);
  self->priv->stats.pictures_dropped += dropped;
  GST_OBJECT_UNLOCK(self);
}

static rdp::gst::ExtraPads& gst_rdp_analyzer_extra(gpointer element) {
  return GST_RDP_ANALYZER(element)->priv->extra;
}

static void gst_rdp_analyzer_child_proxy_init(gpointer iface, gpointer) {
  rdp::gst::ExtraPads::init_child_proxy<gst_rdp_analyzer_extra>(
      static_cast<GstChildProxyInterface*>(iface));
}

// --- states -----------------------------------------------------------------------------------

static std::unique_ptr<rdp::gst::Method> gst_rdp_analyzer_new_method(GstRdpAnalyzer* self) {
  return std::unique_ptr<rdp::gst::Method>(GST_RDP_ANALYZER_GET_CLASS(self)->new_method(self));
}

// With a method: whether there is code for the GPU.
static bool gst_rdp_analyzer_check_backend(GstRdpAnalyzer* self, bool with_method) {
  rdp::gst::NewMethod new_method;
  if (with_method) new_method = [self] { return gst_rdp_analyzer_new_method(self); };
  return rdp::gst::check_backend(GST_ELEMENT(self), gst_rdp_analyzer_words(self), &self->priv->gpu,
                                 rdp::gst::copy_settings<rdp::gst::AnalyzerSettings>(self),
                                 new_method);
}

static bool gst_rdp_analyzer_start(GstRdpAnalyzer* self) {
  const AnalyzerSettings settings = rdp::gst::copy_settings<rdp::gst::AnalyzerSettings>(self);
  GST_OBJECT_LOCK(self);
  self->priv->stats = {};
  self->priv->stats.on_gpu = settings.backend == GST_RDP_BACKEND_CUDA;
  GST_OBJECT_UNLOCK(self);
  self->priv->seeks.reset();
  try {
    std::unique_ptr<rdp::gst::Method> method = gst_rdp_analyzer_new_method(self);
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
  switch (transition) {
    case GST_STATE_CHANGE_NULL_TO_READY:
      if (!gst_rdp_analyzer_check_backend(self, true)) return GST_STATE_CHANGE_FAILURE;
      break;
    case GST_STATE_CHANGE_READY_TO_PAUSED:
      // Once more: the property may have changed, or the engine failed in the last stream.
      if (!gst_rdp_analyzer_check_backend(self, false) ||
          !rdp::with_standard_floats([&] { return gst_rdp_analyzer_start(self); })) {
        return GST_STATE_CHANGE_FAILURE;
      }
      break;
    case GST_STATE_CHANGE_PAUSED_TO_READY:
      // The streaming thread may wait in the overlay's branch; that must not keep the pads from
      // being stopped.
      self->priv->extra.interrupt();
      break;
    default:
      break;
  }
  const GstStateChangeReturn result =
      GST_ELEMENT_CLASS(gst_rdp_analyzer_parent_class)->change_state(element, transition);
  // After the parent has stopped the pads. A failed way up is followed by no way down.
  const bool stopped =
      transition == GST_STATE_CHANGE_PAUSED_TO_READY ||
      (transition == GST_STATE_CHANGE_READY_TO_PAUSED && result == GST_STATE_CHANGE_FAILURE);
  if (stopped) gst_rdp_analyzer_stop(self);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL) self->priv->gpu.stop();
  return result;
}

static void gst_rdp_analyzer_set_context(GstElement* element, GstContext* context) {
  auto* self = GST_RDP_ANALYZER(element);
  self->priv->gpu.set_context(
      context, rdp::gst::copy_settings<rdp::gst::AnalyzerSettings>(self).cuda_device_id);
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
  // Pictures in NVMM memory are made by NVIDIA's library, frames by whoever sends them.
  gst_rdp_analyzer_class_add_video_template(klass, "overlay", GST_PAD_SRC, GST_PAD_REQUEST,
                                            pictures, rdp::gst::nvmm::library() != nullptr, nullptr,
                                            overlay_type);
}

void gst_rdp_analyzer_class_add_video_pads(GstRdpAnalyzerClass* klass, const char* frames,
                                           const char* pictures, GType overlay_type) {
  gst_rdp_analyzer_class_add_pads(klass, frames, nullptr, pictures, overlay_type);
}

static void gst_rdp_analyzer_finalize(GObject* object) {
  auto* self = GST_RDP_ANALYZER(object);
  delete self->priv->session;
  delete self->priv;
  G_OBJECT_CLASS(gst_rdp_analyzer_parent_class)->finalize(object);
}

static void gst_rdp_analyzer_constructed(GObject* object) {
  auto* self = GST_RDP_ANALYZER(object);
  GstElementClass* klass = GST_ELEMENT_GET_CLASS(self);
  self->priv->settings.reset(GST_RDP_ANALYZER_CLASS(klass)->new_settings());
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

static void gst_rdp_analyzer_init(GstRdpAnalyzer* self) {
  self->priv = new GstRdpAnalyzerPrivate(GST_ELEMENT(self));
}
