// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/base/made_caps.h"

#include "gst/memory/memory_kind.h"

namespace rdp::gst {
namespace {

constexpr const char* kFieldsOfViews[] = {
    "colorimetry", "chroma-site", "multiview-mode",         "multiview-flags",   "views",
    "batch-size",  "gpu-id",      "num-surfaces-per-frame", "nvbuf-memory-type", "block-linear",
    "compute-hw",
};

GstStructure* structure_of(const GstCaps* view, const char* format) {
  GstStructure* fields = gst_structure_copy(gst_caps_get_structure(view, 0));
  for (const char* field : kFieldsOfViews) gst_structure_remove_field(fields, field);
  gst_structure_set(fields, "format", G_TYPE_STRING, format, nullptr);
  return fields;
}

}  // namespace

GstCaps* made_caps(const GstCaps* view, const char* format, bool cuda, bool cuda_first) {
  GstCaps* caps = gst_caps_new_empty();
  const auto append = [&](const char* feature) {
    gst_caps_append_structure_full(caps, structure_of(view, format),
                                   gst_caps_features_new(feature, nullptr));
  };
  if (cuda && cuda_first) append(kCudaFeature);
  append(GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY);
  if (cuda && !cuda_first) append(kCudaFeature);
  return caps;
}

}  // namespace rdp::gst
