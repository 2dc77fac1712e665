// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/caps_explainer.h"

#include <gst/video/video.h>

#include <exception>
#include <string>

#include "gst/cuda/gpu_provider.h"
#include "gst/memory/memory_kind.h"

namespace rdp::gst {
namespace {

void append_video_caps(GstCaps* caps, const char* feature, const char* fields) {
  g_autofree gchar* text = g_strconcat("video/x-raw(", feature, "), ", fields, nullptr);
  gst_caps_append(caps, gst_caps_from_string(text));
}

const char* memories(bool cuda) {
#ifdef RDP_HAVE_NVMM
  return cuda ? "system, CUDA or NVMM memory" : "system or NVMM memory";
#else
  return cuda ? "system or CUDA memory" : "system memory";
#endif
}

// The element's name in launch lines.
const char* factory_name(GstElement* element) {
  GstElementFactory* factory = gst_element_get_factory(element);
  return factory == nullptr ? GST_OBJECT_NAME(element) : GST_OBJECT_NAME(factory);
}

// Key of the explained event in a pad's qdata.
GQuark explained_event() {
  static const GQuark quark = g_quark_from_static_string("rdp-explained-caps");
  return quark;
}

}  // namespace

GstCaps* video_caps_of_all_memories(const char* fields, [[maybe_unused]] bool nvmm) {
  GstCaps* caps = gst_caps_new_empty();
  std::string reason;
  if (cuda_memory_available(&reason)) {
    append_video_caps(caps, kCudaFeature, fields);
  } else {
    GST_INFO("no memory:CUDAMemory: %s", reason.c_str());
  }
#ifdef RDP_HAVE_NVMM
  if (nvmm) append_video_caps(caps, kNvmmFeature, fields);
#endif
  append_video_caps(caps, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY, fields);
  return caps;
}

GstCaps* without_cuda_memory(GstCaps* caps) {
  caps = gst_caps_make_writable(caps);
  for (guint i = gst_caps_get_size(caps); i-- > 0;) {
    if (gst_caps_features_contains(gst_caps_get_features(caps, i), kCudaFeature)) {
      gst_caps_remove_structure(caps, i);
    }
  }
  return caps;
}

bool explain_refused_caps(GstElement* element, const CapsWords& words, GstCaps* caps,
                          GstCaps* templ, GstCaps* own, GstCaps* allowed) {
  const char* name = factory_name(element);
  g_autofree gchar* text = gst_caps_to_string(caps);
  std::string missing;
  const bool cuda_available = cuda_memory_available(&missing);
  if (memory_kind(caps) == MemoryKind::kCuda && !cuda_available) {
    GST_ELEMENT_ERROR(element, CORE, NEGOTIATION,
                      ("%s cannot take memory:CUDAMemory here: %s.", name, missing.c_str()),
                      ("it was given %s", text));
  } else if (!gst_caps_is_subset(caps, templ)) {
    const std::string media = words.media != nullptr
                                  ? words.media
                                  : std::string("video/x-raw in ") + memories(cuda_available);
    GST_ELEMENT_ERROR(element, CORE, NEGOTIATION,
                      ("%s takes %s, %s; it was given %s.", name, media.c_str(), words.takes, text),
                      ("%s", words.remedy));
  } else if (!gst_caps_is_subset(caps, own)) {
    const bool nvmm = memory_kind(caps) == MemoryKind::kNvmm;
    GST_ELEMENT_ERROR(element, CORE, NEGOTIATION,
                      ("With backend=cpu %s takes no %s memory; it was given %s.", name,
                       nvmm ? "NVMM" : "CUDA", text),
                      ("use backend=auto or backend=cuda, or put %s before it",
                       nvmm ? "nvvideoconvert ! video/x-raw" : "depthdownload"));
  } else if (!gst_caps_is_subset(caps, allowed)) {
    g_autofree gchar* wanted = gst_caps_to_string(allowed);
    GST_ELEMENT_ERROR(element, CORE, NEGOTIATION,
                      ("The element downstream of %s does not accept its output caps.", name),
                      ("%s was given %s; downstream accepts %s: change the caps there, or put a "
                       "converter behind the element",
                       name, text, wanted));
  } else {
    return false;
  }
  return true;
}

bool caps_event_is_explained(GstPad* pad, GstEvent* event) {
  return g_object_get_qdata(G_OBJECT(pad), explained_event()) == event;
}

void note_explained_caps_event(GstPad* pad, GstEvent* event) {
  g_object_set_qdata_full(G_OBJECT(pad), explained_event(), gst_event_ref(event),
                          reinterpret_cast<GDestroyNotify>(gst_event_unref));
}

void forget_explained_caps_events(GstElement* element) {
  gst_element_foreach_sink_pad(
      element,
      [](GstElement*, GstPad* pad, gpointer) -> gboolean {
        g_object_set_qdata(G_OBJECT(pad), explained_event(), nullptr);
        return TRUE;
      },
      nullptr);
}

void explain_caps_event(GstElement* element, GstPad* pad, GstEvent* event, const CapsWords& words,
                        GstCaps* own, GstCaps* allowed) noexcept {
  if (caps_event_is_explained(pad, event)) return;
  GstCaps* caps;
  gst_event_parse_caps(event, &caps);
  g_autoptr(GstCaps) templ = gst_pad_get_pad_template_caps(pad);
  try {
    if (explain_refused_caps(element, words, caps, templ, own, allowed)) {
      note_explained_caps_event(pad, event);
    }
  } catch (const std::exception& error) {
    GST_WARNING_OBJECT(pad, "%" GST_PTR_FORMAT " cannot be looked at: %s", caps, error.what());
  }
}

void explain_caps_of_pad(GstPad* sink, const CapsWords* words) {
  gst_pad_add_probe(
      sink, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      [](GstPad* pad, GstPadProbeInfo* info, gpointer data) -> GstPadProbeReturn {
        GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
        GstElement* element = gst_pad_get_parent_element(pad);
        if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS && element != nullptr) {
          g_autoptr(GstCaps) own = gst_pad_get_pad_template_caps(pad);
          g_autoptr(GstCaps) allowed = gst_pad_query_caps(pad, nullptr);
          explain_caps_event(element, pad, event, *static_cast<const CapsWords*>(data), own,
                             allowed);
        }
        gst_clear_object(&element);
        return GST_PAD_PROBE_OK;
      },
      const_cast<CapsWords*>(words), nullptr);
}

bool explain_interlaced_frames(GstElement* element, const GstCaps* caps) {
  const GstStructure* fields = gst_caps_get_structure(caps, 0);
  const gchar* interlacing = gst_structure_get_string(fields, "interlace-mode");
  if (interlacing != nullptr && !g_str_equal(interlacing, "progressive")) {
    GST_ELEMENT_ERROR(
        element, CORE, NEGOTIATION,
        ("%s does not support interlaced video (interlace-mode=%s).", factory_name(element),
         interlacing),
        ("have the source send progressive video; if it is progressive after all, correct the caps "
         "with capssetter caps=video/x-raw,interlace-mode=progressive"));
    return true;
  }
  return false;
}

bool explain_mixed_frames(GstElement* element, const GstCaps* caps) {
  if (explain_interlaced_frames(element, caps)) return true;
  const GstStructure* fields = gst_caps_get_structure(caps, 0);
  const gchar* views = gst_structure_get_string(fields, "multiview-mode");
  const bool one = views == nullptr || g_str_equal(views, "mono") || g_str_equal(views, "left") ||
                   g_str_equal(views, "right");
  if (!one) {
    GST_ELEMENT_ERROR(element, CORE, NEGOTIATION,
                      ("%s takes one view per frame (multiview-mode mono, left or right); it was "
                       "given multiview-mode=%s.",
                       factory_name(element), views),
                      ("put videocrop before it to keep one view, and capssetter "
                       "caps=video/x-raw,multiview-mode=mono behind that"));
    return true;
  }
  return false;
}

}  // namespace rdp::gst
