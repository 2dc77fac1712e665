// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/element_core.h"

#include <exception>

#include "common/image/simd.h"

#define GST_CAT_DEFAULT (words.category)

namespace rdp::gst {

ElementCore::ElementCore(GstElement* element, const ElementWords& element_words,
                         AnalyzerSettings* element_settings, std::size_t extra_pads)
    : words(element_words),
      settings(element_settings),
      gpu(element),
      extra(element, extra_pads),
      element_(element) {}

AnalyzerStats ElementCore::copy_stats(const ExtraPadRef& overlay) const {
  GST_OBJECT_LOCK(element_);
  AnalyzerStats copy = stats;
  GST_OBJECT_UNLOCK(element_);
  if (overlay) copy.pictures_dropped += gst_rdp_extra_pad_get_dropped(overlay.get());
  return copy;
}

GstStructure* ElementCore::new_stats(const char* frames, const AnalyzerStats& counts) const {
  const GstElementFactory* factory = gst_element_get_factory(element_);
  g_autofree gchar* name = g_strdup_printf(
      "application/x-%s-stats", factory != nullptr ? GST_OBJECT_NAME(factory) : "element");
  GstStructure* fields = gst_structure_new_empty(name);
  if (frames != nullptr) {
    gst_structure_set(fields, frames, G_TYPE_UINT64, counts.frames, "last-time", G_TYPE_UINT64,
                      counts.last_time, "mean-time", G_TYPE_UINT64, counts.mean_time(), "backend",
                      G_TYPE_STRING, counts.backend(), "simd", G_TYPE_STRING, current_simd_target(),
                      nullptr);
  }
  if (gst_element_class_get_pad_template(GST_ELEMENT_GET_CLASS(element_), "overlay") != nullptr) {
    gst_structure_set(fields, "pictures-dropped", G_TYPE_UINT64, counts.pictures_dropped, nullptr);
  }
  return fields;
}

bool ElementCore::before_change(GstStateChange transition) {
  switch (transition) {
    case GST_STATE_CHANGE_NULL_TO_READY:
      return check_backend(true);
    case GST_STATE_CHANGE_READY_TO_PAUSED:
      // Check again: the property may have changed, or the engine failed in the last stream.
      return check_backend(false);
    case GST_STATE_CHANGE_PAUSED_TO_READY:
      // The streaming thread may wait in an extra branch, which must not keep the pads from
      // stopping.
      extra.interrupt();
      return true;
    default:
      return true;
  }
}

void ElementCore::after_change(GstStateChange transition) {
  if (transition == GST_STATE_CHANGE_READY_TO_NULL) gpu.stop();
}

void ElementCore::reset() {
  GST_OBJECT_LOCK(element_);
  stats = {};
  stats.on_gpu = settings->backend == GST_RDP_BACKEND_CUDA;
  GST_OBJECT_UNLOCK(element_);
  seeks.reset();
}

void ElementCore::set_context(GstContext* context) {
  gpu.set_context(context, copy_settings<AnalyzerSettings>().cuda_device_id);
}

void ElementCore::refuse_caps(const GstCaps* caps, const char* reason) {
  GST_ELEMENT_ERROR(element_, RESOURCE, NO_SPACE_LEFT,
                    ("Not enough memory to prepare for frames with new caps."),
                    ("%" GST_PTR_FORMAT ": %s", caps, reason));
}

bool ElementCore::answer_context(GstQuery* query) {
  return GST_QUERY_TYPE(query) == GST_QUERY_CONTEXT && gpu.answer_context_query(query);
}

GstPad* ElementCore::request_extra(std::size_t place, GstPadTemplate* templ,
                                   GstPadEventFunction event, GstPadQueryFunction query,
                                   GstPad* follow) {
  GstPad* pad = extra.request(place, templ, event, query, follow);
  if (pad == nullptr) {
    GST_ELEMENT_WARNING(element_, CORE, PAD,
                        ("There is a pad %s already: put a tee behind it for a second branch.",
                         GST_PAD_TEMPLATE_NAME_TEMPLATE(templ)),
                        ("a tee, with a queue on each branch, gives the same to several elements"));
  }
  return pad;
}

void ElementCore::release_extra(GstPad* pad) {
  seeks.released(pad);
  const guint64 dropped = extra.release(pad);
  GST_OBJECT_LOCK(element_);
  stats.pictures_dropped += dropped;
  GST_OBJECT_UNLOCK(element_);
}

bool ElementCore::try_backend(const std::function<std::unique_ptr<Method>()>& new_method) {
  const auto copy = copy_settings<AnalyzerSettings>();
  if (copy.backend != GST_RDP_BACKEND_CUDA) return true;
  try {
    gpu.start(copy.cuda_device_id);
    if (!new_method) return true;
    const std::unique_ptr<Method> method = new_method();
    if (method == nullptr) return false;
    prepare_gpu(gpu, *method, copy.cuda_device_id);
    gpu.drop_states();
    return true;
  } catch (const std::exception& error) {
    gpu.stop();
    GST_ELEMENT_ERROR(
        element_, RESOURCE, NOT_FOUND, ("backend=cuda is not available: %s.", error.what()),
        ("cuda-device-id=%d; backend=auto and backend=cpu work without", copy.cuda_device_id));
    return false;
  }
}

}  // namespace rdp::gst
