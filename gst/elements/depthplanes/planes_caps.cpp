// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthplanes/planes_caps.h"

#include <initializer_list>

#include "gst/memory/memory_kind.h"

namespace rdp::gst {
namespace {

bool is_video(const GstStructure* fields) {
  return gst_structure_has_name(fields, "video/x-raw") != FALSE;
}

bool is_in(const GstCapsFeatures* features, const char* memory) {
  return gst_caps_features_contains(features, memory) != FALSE;
}

// Appends `fields` as video of these formats in `memory`, without fields that describe only the
// other pad's samples.
void append_video(GstCaps* caps, const GstStructure* fields, const char* memory,
                  std::initializer_list<const char*> formats) {
  GstStructure* copy = gst_structure_copy(fields);
  gst_structure_remove_fields(copy, "colorimetry", "chroma-site", nullptr);
  GValue list = G_VALUE_INIT;
  g_value_init(&list, GST_TYPE_LIST);
  for (const char* format : formats) {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, G_TYPE_STRING);
    g_value_set_static_string(&value, format);
    gst_value_list_append_and_take_value(&list, &value);
  }
  gst_structure_take_value(copy, "format", &list);
  gst_caps_append_structure_full(
      caps, copy, memory != nullptr ? gst_caps_features_new(memory, nullptr) : nullptr);
}

constexpr gint kLabelBytes = 4;

// Input and output points differ in size, except fixed ones that already have a label.
void append_cloud(GstCaps* caps, const GstStructure* fields, bool labelled) {
  GstStructure* copy = gst_structure_copy(fields);
  gint step = 0;
  const bool fixed = gst_structure_get_int(fields, "point-step", &step) != FALSE;
  if (!gst_structure_has_field(fields, "label-offset") && labelled && fixed) {
    gst_structure_set(copy, "point-step", G_TYPE_INT, step + kLabelBytes, "label-offset",
                      G_TYPE_INT, step, "label-format", G_TYPE_STRING,
                      field_format(clouds::FieldType::kU32), nullptr);
  } else if (!labelled || !fixed) {
    gst_structure_remove_fields(copy, "point-step", "label-offset", "label-format", nullptr);
  }
  gst_caps_append_structure(caps, copy);
}

template <typename Append>
GstCaps* transform(const GstCaps* caps, bool labelled, Append append) {
  GstCaps* result = gst_caps_new_empty();
  for (guint i = 0; i < gst_caps_get_size(caps); ++i) {
    const GstStructure* fields = gst_caps_get_structure(caps, i);
    if (is_video(fields)) {
      append(result, fields, gst_caps_get_features(caps, i));
    } else {
      append_cloud(result, fields, labelled);
    }
  }
  return result;
}

}  // namespace

PointsFormat labelled_points(PointsFormat points) {
  if (points.fields.label.is_there()) return points;
  points.fields.label = {clouds::FieldType::kU32, points.point_step};
  points.point_step += kLabelBytes;
  return points;
}

GstCaps* label_caps_of(const GstCaps* depth) {
  return transform(depth, true,
                   [](GstCaps* caps, const GstStructure* fields, const GstCapsFeatures* features) {
                     if (is_in(features, kCudaFeature))
                       append_video(caps, fields, kCudaFeature, {"GRAY8"});
                     append_video(caps, fields, nullptr, {"GRAY8"});
                   });
}

GstCaps* depth_caps_for_labels(const GstCaps* labels) {
  return transform(labels, false,
                   [](GstCaps* caps, const GstStructure* fields, const GstCapsFeatures* features) {
                     const auto formats = {"GRAY16_LE", "GRAY8"};
                     append_video(caps, fields, kCudaFeature, formats);
                     if (is_in(features, kCudaFeature)) return;
                     append_video(caps, fields, kNvmmFeature, formats);
                     append_video(caps, fields, nullptr, formats);
                   });
}

}  // namespace rdp::gst
