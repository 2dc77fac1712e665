// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/elements/depthfilter/filter_caps.h"

#include <algorithm>
#include <initializer_list>

#include "gst/memory/memory_kind.h"

namespace rdp::gst {
namespace {

// The fields of batches in NVMM memory, which decimated frames are not.
constexpr const char* kFieldsOfBatches[] = {"batch-size",   "gpu-id",
                                            "compute-hw",   "nvbuf-memory-type",
                                            "block-linear", "num-surfaces-per-frame"};

// A closed range of widths or heights.
struct Sides {
  gint64 least;
  gint64 most;
};

Sides smaller(Sides sides, int side) {
  return {std::max<gint64>(sides.least / side, 1), std::max<gint64>(sides.most / side, 1)};
}
Sides larger(Sides sides, int side) {
  return {sides.least == 1 ? 1 : sides.least * side,
          std::min<gint64>(sides.most * side + side - 1, G_MAXINT)};
}

using Change = Sides (*)(Sides, int);

// False: no side is left. Other types of values stay.
bool change_value(const GValue* from, Change change, int side, GValue* to) {
  if (GST_VALUE_HOLDS_LIST(from)) {
    g_value_init(to, GST_TYPE_LIST);
    for (guint i = 0; i < gst_value_list_get_size(from); ++i) {
      GValue item = G_VALUE_INIT;
      if (change_value(gst_value_list_get_value(from, i), change, side, &item)) {
        gst_value_list_append_and_take_value(to, &item);
      }
    }
    if (gst_value_list_get_size(to) > 0) return true;
    g_value_unset(to);
    return false;
  }
  Sides sides;
  if (G_VALUE_HOLDS_INT(from)) {
    sides = {g_value_get_int(from), g_value_get_int(from)};
  } else if (GST_VALUE_HOLDS_INT_RANGE(from)) {
    sides = {gst_value_get_int_range_min(from), gst_value_get_int_range_max(from)};
  } else {
    g_value_init(to, G_VALUE_TYPE(from));
    g_value_copy(from, to);
    return true;
  }
  sides = change(sides, side);
  if (sides.least > sides.most) return false;
  if (sides.least == sides.most) {
    g_value_init(to, G_TYPE_INT);
    g_value_set_int(to, static_cast<gint>(sides.least));
  } else {
    g_value_init(to, GST_TYPE_INT_RANGE);
    gst_value_set_int_range(to, static_cast<gint>(sides.least), static_cast<gint>(sides.most));
  }
  return true;
}

// `fields` with other sides; null: there are none.
GstStructure* change_sides(const GstStructure* fields, Change change, int side) {
  GstStructure* changed = gst_structure_copy(fields);
  for (const char* field : kFieldsOfBatches) gst_structure_remove_field(changed, field);
  for (const char* field : {"width", "height"}) {
    const GValue* value = gst_structure_get_value(fields, field);
    GValue other = G_VALUE_INIT;
    if (value == nullptr) continue;
    if (!change_value(value, change, side, &other)) {
      gst_structure_free(changed);
      return nullptr;
    }
    gst_structure_take_value(changed, field, &other);
  }
  return changed;
}

void append(GstCaps* caps, const GstStructure* fields,
            std::initializer_list<const char*> memories) {
  for (const char* memory : memories) {
    gst_caps_append_structure_full(caps, gst_structure_copy(fields),
                                   gst_caps_features_new(memory, nullptr));
  }
}

constexpr const char* kSystem = GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY;

// Calls append_all(caps, fields, memory) for each of the caps with other sides.
template <typename AppendAll>
GstCaps* transform(const GstCaps* caps, Change change, int side, const AppendAll& append_all) {
  GstCaps* result = gst_caps_new_empty();
  for (guint i = 0; i < gst_caps_get_size(caps); ++i) {
    GstStructure* fields = change_sides(gst_caps_get_structure(caps, i), change, side);
    if (fields == nullptr) continue;
    append_all(result, fields, memory_kind(gst_caps_get_features(caps, i)));
    gst_structure_free(fields);
  }
  return result;
}

}  // namespace

GstCaps* decimated_caps_of(const GstCaps* frames, int side) {
  return transform(frames, smaller, side,
                   [](GstCaps* caps, const GstStructure* fields, MemoryKind memory) {
                     if (memory != MemoryKind::kSystem) append(caps, fields, {kCudaFeature});
                     append(caps, fields, {kSystem});
                   });
}

GstCaps* frame_caps_for(const GstCaps* decimated, int side) {
  return transform(decimated, larger, side,
                   [](GstCaps* caps, const GstStructure* fields, MemoryKind memory) {
                     append(caps, fields, {kCudaFeature, kNvmmFeature});
                     if (memory == MemoryKind::kSystem) append(caps, fields, {kSystem});
                   });
}

}  // namespace rdp::gst
