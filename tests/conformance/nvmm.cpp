// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/conformance/nvmm.h"

#include <exception>

namespace conformance {
namespace {

GQuark surface_quark() { return g_quark_from_static_string("conformance-surface"); }

using Kept = std::shared_ptr<nvmm_frames::Surface>;

const Kept* surface_of(GstBuffer* buffer) {
  GstMemory* memory =
      gst_buffer_n_memory(buffer) == 0 ? nullptr : gst_buffer_peek_memory(buffer, 0);
  if (memory == nullptr) return nullptr;
  return static_cast<Kept*>(gst_mini_object_get_qdata(GST_MINI_OBJECT(memory), surface_quark()));
}

}  // namespace

bool takes_nvmm(const Element& element) {
  if (element.is_source() || !element.pictures || !element.on_nvmm) return false;
  g_autoptr(GstElementFactory) factory = gst_element_factory_find(element.factory.c_str());
  if (factory == nullptr) return false;
  g_autoptr(GstCaps) caps = gst_caps_from_string("video/x-raw(memory:NVMM)");
  const GList* item = gst_element_factory_get_static_pad_templates(factory);
  for (; item != nullptr; item = item->next) {
    auto* pad = static_cast<GstStaticPadTemplate*>(item->data);
    g_autoptr(GstCaps) taken = gst_static_caps_get(&pad->static_caps);
    if (pad->direction == GST_PAD_SINK && gst_caps_can_intersect(taken, caps)) return true;
  }
  return false;
}

std::vector<const Memory*> memories_of_cpu(const Element& element) {
  static const Memory kHost;
  static const Memory kSurfaces{"NVMM memory", kNvmm, "cpu", nullptr, [](const Content& content) {
                                  return new_nvmm_buffer(content, {});
                                }};
  if (element.gpu_only) return {};
  // rdpoverlay on the CPU draws on pictures in system memory only.
  if (!takes_nvmm(element) || element.factory == "rdpoverlay") return {&kHost};
  return {&kHost, &kSurfaces};
}

GstBuffer* new_nvmm_buffer(const Content& content, const nvmm_frames::Batch& batch) {
  const Shape& shape = content.shape;
  nvmm_frames::Batch own = batch;
  own.offset = shape.offset;
  const Kept surface =
      std::make_shared<nvmm_frames::Surface>(shape.format, shape.width, shape.height, own);
  surface->write(0, content.samples.data(), frames::row_bytes(shape));
  GstBuffer* buffer = nvmm_frames::wrap(surface);
  gst_mini_object_set_qdata(GST_MINI_OBJECT(gst_buffer_peek_memory(buffer, 0)), surface_quark(),
                            new Kept(surface),
                            [](gpointer kept) { delete static_cast<Kept*>(kept); });
  return buffer;
}

bool is_nvmm(GstBuffer* buffer) { return surface_of(buffer) != nullptr; }

std::vector<std::uint8_t> nvmm_samples(GstBuffer* buffer) {
  try {
    return (*surface_of(buffer))->samples(0);
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace conformance
