// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-rdpsegment
 * @title: rdpsegment
 * @short_description: Segments every column of depth frames into straight lines
 *
 * Splits each column of a depth or disparity frame into straight line segments that are nowhere
 * farther from the samples than `epsilon` (Ramer-Douglas-Peucker), attaches them to the buffer as
 * #GstRdpSegmentMeta and, on the request pad `overlay`, makes pictures of them. The frames pass
 * through unchanged and uncopied.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 depthtestsrc ! rdpsegment epsilon=2 sample-scale=0.00390625 name=s s.overlay !
 * queue ! videoconvert ! autovideosink s.src ! queue ! fakesink
 * ]|
 */
#include "gst/elements/rdpsegment/gstrdpsegment.h"

#include <memory>
#include <new>

#include "common/image/simd.h"
#include "gst/elements/rdpsegment/gstrdpsegment-private.h"
#include "gst/memory/nvmm_library.h"

GST_DEBUG_CATEGORY(gst_rdp_segment_debug);
#define GST_CAT_DEFAULT gst_rdp_segment_debug

// What sink and src take and the overlay gives, without the memory.
#define GST_RDP_SEGMENT_SIDES "width = (int) [ 1, 16384 ], height = (int) [ 1, 16384 ]"
#define GST_RDP_SEGMENT_DEPTH "format = (string) { GRAY16_LE, GRAY8 }, " GST_RDP_SEGMENT_SIDES
#define GST_RDP_SEGMENT_PICTURE "format = (string) RGBA, " GST_RDP_SEGMENT_SIDES

static void gst_rdp_segment_element_child_proxy_init(gpointer iface, gpointer data);

// Registered as GstRdpsegment, from which GStreamer makes the names of unnamed elements:
// rdpsegment0.
typedef GstRdpSegmentElement GstRdpsegment;
typedef GstRdpSegmentElementClass GstRdpsegmentClass;
G_DEFINE_TYPE_WITH_CODE(GstRdpsegment, gst_rdp_segment_element, GST_TYPE_ELEMENT,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_CHILD_PROXY,
                                              gst_rdp_segment_element_child_proxy_init))
GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(rdpsegment, "rdpsegment", GST_RANK_NONE,
                                      GST_TYPE_RDP_SEGMENT_ELEMENT,
                                      GST_DEBUG_CATEGORY_INIT(gst_rdp_segment_debug, "rdpsegment",
                                                              0, "segmentation of depth columns"))

// --- the overlay pad --------------------------------------------------------------------------

GstRdpSegmentOverlayPad* gst_rdp_segment_element_ref_overlay(GstRdpSegmentElement* self) {
  GST_OBJECT_LOCK(self);
  auto* pad = self->overlay == nullptr ? nullptr
                                       : GST_RDP_SEGMENT_OVERLAY_PAD(gst_object_ref(self->overlay));
  GST_OBJECT_UNLOCK(self);
  return pad;
}

static GstPad* gst_rdp_segment_element_request_new_pad(GstElement* element, GstPadTemplate* templ,
                                                       const gchar* name, const GstCaps*) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(element);
  auto* pad = GST_RDP_SEGMENT_OVERLAY_PAD(g_object_new(GST_TYPE_RDP_SEGMENT_OVERLAY_PAD, "name",
                                                       "overlay", "direction", GST_PAD_SRC,
                                                       "template", templ, nullptr));
  gst_rdp_segment_element_init_overlay_pad(pad);

  // Active before the streaming thread can see it, which brings the pad up to date before it pushes
  // anything else.
  gst_pad_set_active(GST_PAD(pad), TRUE);
  GST_OBJECT_LOCK(self);
  const bool taken = self->overlay != nullptr;
  if (!taken) self->overlay = pad;
  GST_OBJECT_UNLOCK(self);
  if (taken) {
    GST_ELEMENT_WARNING(self, CORE, PAD,
                        ("There is no second overlay pad: put a tee behind the first, and a queue "
                         "on each of its branches."),
                        ("one pad '%s' was asked for again", templ->name_template));
    gst_pad_set_active(GST_PAD(pad), FALSE);
    gst_object_unref(gst_object_ref_sink(pad));
    return nullptr;
  }

  gst_element_add_pad(element, GST_PAD(pad));
  gst_child_proxy_child_added(GST_CHILD_PROXY(self), G_OBJECT(pad), GST_OBJECT_NAME(pad));
  return GST_PAD(pad);
}

static void gst_rdp_segment_element_release_pad(GstElement* element, GstPad* pad) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(element);
  auto* overlay = GST_RDP_SEGMENT_OVERLAY_PAD(gst_object_ref(pad));
  GST_OBJECT_LOCK(self);
  if (self->overlay == overlay) self->overlay = nullptr;
  GST_OBJECT_UNLOCK(self);

  gst_child_proxy_child_removed(GST_CHILD_PROXY(self), G_OBJECT(pad), GST_OBJECT_NAME(pad));
  self->seeks->released(pad);
  gst_rdp_extra_pad_release(GST_RDP_EXTRA_PAD(overlay), element);
  gst_object_unref(overlay);
}

// The overlay pad's properties from a launch line: rdpsegment overlay::style=depth.
static GObject* gst_rdp_segment_element_get_child_by_index(GstChildProxy* proxy, guint index) {
  if (index != 0) return nullptr;
  return reinterpret_cast<GObject*>(
      gst_rdp_segment_element_ref_overlay(GST_RDP_SEGMENT_ELEMENT(proxy)));
}

static guint gst_rdp_segment_element_get_children_count(GstChildProxy* proxy) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(proxy);
  GST_OBJECT_LOCK(self);
  const guint count = self->overlay != nullptr ? 1 : 0;
  GST_OBJECT_UNLOCK(self);
  return count;
}

static void gst_rdp_segment_element_child_proxy_init(gpointer iface, gpointer) {
  auto* child_proxy = static_cast<GstChildProxyInterface*>(iface);
  child_proxy->get_child_by_index = gst_rdp_segment_element_get_child_by_index;
  child_proxy->get_children_count = gst_rdp_segment_element_get_children_count;
}

// --- states -----------------------------------------------------------------------------------

// backend=cuda says early what is missing.
static bool gst_rdp_segment_element_check_backend(GstRdpSegmentElement* self) {
  GST_OBJECT_LOCK(self);
  const GstRdpBackend backend = self->settings->backend;
  const gint device = self->settings->cuda_device_id;
  GST_OBJECT_UNLOCK(self);
  if (backend != GST_RDP_BACKEND_CUDA) return true;
  try {
    self->gpu->start(device);
    return true;
  } catch (const std::exception& error) {
    self->gpu->stop();
    GST_ELEMENT_ERROR(self, RESOURCE, NOT_FOUND,
                      ("backend=cuda is not available: %s.", error.what()),
                      ("cuda-device-id=%d; backend=auto and backend=cpu work without", device));
    return false;
  }
}

static bool gst_rdp_segment_element_start(GstRdpSegmentElement* self) {
  GST_OBJECT_LOCK(self);
  const GstRdpSegmentSettings settings = *self->settings;
  *self->stats = GstRdpSegmentStats();
  self->stats->on_gpu = settings.backend == GST_RDP_BACKEND_CUDA;
  GST_OBJECT_UNLOCK(self);
  self->seeks->reset();
  try {
    auto session = std::make_unique<GstRdpSegmentSession>(settings);
    gst_rdp_segment_element_set_threads(self, *session, settings.threads);
    const std::string& complaint = rdp::apply_simd_environment();
    if (!complaint.empty()) GST_WARNING_OBJECT(self, "%s", complaint.c_str());
    GST_INFO_OBJECT(self, "%u threads, SIMD target %s", session->engine.threads(),
                    rdp::current_simd_target());
    self->session = session.release();
  } catch (const std::exception& error) {
    GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, ("Not enough memory to start the CPU engine."),
                      ("with threads=%u: %s", settings.threads, error.what()));
    return false;
  }
  return true;
}

static void gst_rdp_segment_element_interrupt_overlay(GstRdpSegmentElement* self) {
  if (GstRdpSegmentOverlayPad* overlay = gst_rdp_segment_element_ref_overlay(self)) {
    gst_rdp_extra_pad_interrupt(GST_RDP_EXTRA_PAD(overlay));
    gst_object_unref(overlay);
  }
}

static GstStateChangeReturn gst_rdp_segment_element_change_state(GstElement* element,
                                                                 GstStateChange transition) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(element);
  switch (transition) {
    case GST_STATE_CHANGE_NULL_TO_READY:
      if (!gst_rdp_segment_element_check_backend(self)) return GST_STATE_CHANGE_FAILURE;
      break;
    case GST_STATE_CHANGE_READY_TO_PAUSED:
      // Once more: the property may have changed, or the engine failed in the last stream.
      if (!gst_rdp_segment_element_check_backend(self) || !gst_rdp_segment_element_start(self)) {
        return GST_STATE_CHANGE_FAILURE;
      }
      break;
    case GST_STATE_CHANGE_PAUSED_TO_READY:
      // A wait for the overlay must not keep the pads from being stopped.
      gst_rdp_segment_element_interrupt_overlay(self);
      break;
    default:
      break;
  }
  const GstStateChangeReturn result =
      GST_ELEMENT_CLASS(gst_rdp_segment_element_parent_class)->change_state(element, transition);
  // After the parent has stopped the pads. A failed way up is followed by no way down.
  const bool stopped =
      transition == GST_STATE_CHANGE_PAUSED_TO_READY ||
      (transition == GST_STATE_CHANGE_READY_TO_PAUSED && result == GST_STATE_CHANGE_FAILURE);
  if (stopped) {
    // Under the stream lock: an application may still be sending an event to the sink pad.
    GST_PAD_STREAM_LOCK(self->sinkpad);
    delete self->session;
    self->session = nullptr;
    GST_PAD_STREAM_UNLOCK(self->sinkpad);
  }
  if (transition == GST_STATE_CHANGE_READY_TO_NULL) self->gpu->stop();
  return result;
}

static void gst_rdp_segment_element_set_context(GstElement* element, GstContext* context) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(element);
  GST_OBJECT_LOCK(self);
  const gint device = self->settings->cuda_device_id;
  GST_OBJECT_UNLOCK(self);
  self->gpu->set_context(context, device);
  GST_ELEMENT_CLASS(gst_rdp_segment_element_parent_class)->set_context(element, context);
}

// --- object -----------------------------------------------------------------------------------

static void gst_rdp_segment_element_finalize(GObject* object) {
  auto* self = GST_RDP_SEGMENT_ELEMENT(object);
  delete self->session;
  delete self->gpu;
  delete self->settings;
  delete self->stats;
  delete self->seeks;
  G_OBJECT_CLASS(gst_rdp_segment_element_parent_class)->finalize(object);
}

static void gst_rdp_segment_element_append_caps(GstCaps* caps, const char* feature,
                                                const char* fields) {
  g_autofree gchar* text = g_strconcat("video/x-raw(", feature, "), ", fields, nullptr);
  gst_caps_append(caps, gst_caps_from_string(text));
}

// Caps of system memory, and before them those of other memory that can be used: who has both takes
// the first.
static GstCaps* gst_rdp_segment_element_make_caps(const char* fields, bool nvmm) {
  GstCaps* caps = gst_caps_new_empty();
  std::string reason;
  if (rdp::gst::cuda_memory_available(&reason)) {
    gst_rdp_segment_element_append_caps(caps, rdp::gst::kCudaFeature, fields);
  } else {
    GST_INFO("no memory:CUDAMemory: %s", reason.c_str());
  }
#ifdef RDP_HAVE_NVMM
  if (nvmm) gst_rdp_segment_element_append_caps(caps, rdp::gst::kNvmmFeature, fields);
#endif
  gst_rdp_segment_element_append_caps(caps, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY, fields);
  return caps;
}

static void gst_rdp_segment_element_add_template(GstElementClass* klass, const char* name,
                                                 GstPadDirection direction, GstPadPresence presence,
                                                 const char* fields, bool nvmm, GType type) {
  GstCaps* caps = gst_rdp_segment_element_make_caps(fields, nvmm);
  gst_element_class_add_pad_template(
      klass, gst_pad_template_new_with_gtype(name, direction, presence, caps, type));
  gst_caps_unref(caps);
}

static void gst_rdp_segment_element_class_init(GstRdpSegmentElementClass* klass) {
  GObjectClass* object_class = G_OBJECT_CLASS(klass);
  GstElementClass* element_class = GST_ELEMENT_CLASS(klass);

  object_class->set_property = gst_rdp_segment_element_set_property;
  object_class->get_property = gst_rdp_segment_element_get_property;
  object_class->finalize = gst_rdp_segment_element_finalize;
  gst_rdp_segment_element_install_properties(object_class);

  element_class->change_state = gst_rdp_segment_element_change_state;
  element_class->request_new_pad = gst_rdp_segment_element_request_new_pad;
  element_class->release_pad = gst_rdp_segment_element_release_pad;
  element_class->set_context = gst_rdp_segment_element_set_context;
  gst_rdp_segment_element_add_template(element_class, "sink", GST_PAD_SINK, GST_PAD_ALWAYS,
                                       GST_RDP_SEGMENT_DEPTH, true, GST_TYPE_PAD);
  gst_rdp_segment_element_add_template(element_class, "src", GST_PAD_SRC, GST_PAD_ALWAYS,
                                       GST_RDP_SEGMENT_DEPTH, true, GST_TYPE_PAD);
  gst_rdp_segment_element_add_template(
      element_class, "overlay", GST_PAD_SRC, GST_PAD_REQUEST, GST_RDP_SEGMENT_PICTURE,
      rdp::gst::nvmm::library() != nullptr, GST_TYPE_RDP_SEGMENT_OVERLAY_PAD);
  gst_element_class_set_static_metadata(
      element_class, "RDP column segmentation", "Filter/Analyzer/Video",
      "Segments every column of depth or disparity frames into straight lines "
      "(Ramer-Douglas-Peucker) and attaches them as metadata",
      "The rdpsegment authors");

  for (GType type :
       {gst_rdp_median_get_type(), gst_rdp_domain_get_type(), gst_rdp_output_get_type(),
        gst_rdp_backend_get_type(), gst_rdp_overlay_style_get_type(),
        static_cast<GType>(GST_TYPE_RDP_SEGMENT_OVERLAY_PAD)}) {
    gst_type_mark_as_plugin_api(type, static_cast<GstPluginAPIFlags>(0));
  }
}

static void gst_rdp_segment_element_init(GstRdpSegmentElement* self) {
  self->settings = new GstRdpSegmentSettings();
  self->stats = new GstRdpSegmentStats();
  self->seeks = new rdp::gst::SeekFilter();

  self->gpu = new rdp::gst::GpuBackend(GST_ELEMENT(self));
  GstElementClass* klass = GST_ELEMENT_GET_CLASS(self);
  self->sinkpad =
      gst_pad_new_from_template(gst_element_class_get_pad_template(klass, "sink"), "sink");
  self->srcpad = gst_pad_new_from_template(gst_element_class_get_pad_template(klass, "src"), "src");
  gst_rdp_segment_element_init_pads(self);
  gst_element_add_pad(GST_ELEMENT(self), self->sinkpad);
  gst_element_add_pad(GST_ELEMENT(self), self->srcpad);
}
