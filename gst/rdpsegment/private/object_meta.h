/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_PRIVATE_OBJECT_META_H_
#define RDP_GST_RDPSEGMENT_PRIVATE_OBJECT_META_H_

#include <gst/video/video.h>

#include "common/image/float_environment.h"
#include "gst/rdpsegment/private/little_endian.h"
#include "gst/rdpsegment/private/meta_registration.h"
#include "gst/rdpsegment/private/placement.h"

namespace rdp::meta {

/* Registers a metadata type with the tags for video, its orientation and its size. */
inline GType register_picture_api(const char* name) {
  static const gchar* tags[] = {GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_ORIENTATION_STR,
                                GST_META_TAG_VIDEO_SIZE_STR, nullptr};
  return gst_meta_api_type_register(name, tags);
}

/* The code shared by all metadata that puts an immutable object on a buffer, with its placement and
 * its index in a batch. `Kind` names the kind: see rdpkind.h.in. */
template <typename Kind>
class ObjectMeta {
 public:
  using Meta = typename Kind::Meta;

  static const GstMetaInfo* info() {
    return registered_meta<Meta>(Kind::meta_api(), Kind::kMetaName, kFunctions);
  }

  /* Adds the metadata for what `buffer` shows at this moment. */
  template <typename Object>
  static Meta* add(GstBuffer* buffer, Object* object) {
    auto* added = reinterpret_cast<Meta*>(gst_buffer_add_meta(buffer, info(), nullptr));
    gst_mini_object_ref(GST_MINI_OBJECT_CAST(object));
    added->*Kind::kObject = object;
    set_placement(added, placement_of_new(buffer));
    return added;
  }

  /* The first metadata on `buffer` that has an object and satisfies `wanted`. Metadata from the
   * buffer's pool cannot be removed, only emptied, so empty ones are skipped. */
  template <typename Wanted>
  static Meta* find(GstBuffer* buffer, Wanted wanted) {
    gpointer state = nullptr;
    while (GstMeta* meta = gst_buffer_iterate_meta_filtered(buffer, &state, Kind::meta_api())) {
      auto* found = reinterpret_cast<Meta*>(meta);
      if (found->*Kind::kObject != nullptr && wanted(*found)) return found;
    }
    return nullptr;
  }

  static Meta* find_first(GstBuffer* buffer) {
    return find(buffer, [](const Meta&) { return true; });
  }

  static Meta* find_of_batch(GstBuffer* buffer, guint batch_index) {
    return find(buffer, [=](const Meta& meta) { return meta.batch_index == batch_index; });
  }

  /* The frame's place in the picture that `buffer` shows at this moment. Each pointer may be null.
   */
  static void get_placement(GstBuffer* buffer, const Meta& meta, gdouble* scale_x, gdouble* scale_y,
                            gdouble* offset_x, gdouble* offset_y) {
    const Placement placement =
        with_standard_floats([&] { return without_crop(buffer, placement_of(meta)); });
    if (scale_x != nullptr) *scale_x = placement.scale_x;
    if (scale_y != nullptr) *scale_y = placement.scale_y;
    if (offset_x != nullptr) *offset_x = placement.offset_x;
    if (offset_y != nullptr) *offset_y = placement.offset_y;
  }

 private:
  static gboolean init(GstMeta* meta, gpointer, GstBuffer*) {
    auto* self = reinterpret_cast<Meta*>(meta);
    self->*Kind::kObject = nullptr;
    set_placement(self, Placement());
    self->batch_index = 0;
    return TRUE;
  }

  static void free(GstMeta* meta, GstBuffer*) {
    auto*& object = reinterpret_cast<Meta*>(meta)->*Kind::kObject;
    if (object != nullptr) gst_mini_object_unref(GST_MINI_OBJECT_CAST(object));
    object = nullptr;
  }

  static gboolean transform(GstBuffer* target, GstMeta* meta, GstBuffer* buffer, GQuark type,
                            gpointer data) {
    const auto* source = reinterpret_cast<const Meta*>(meta);
    /* Metadata that somebody added by gst_buffer_add_meta() may be empty. */
    if (source->*Kind::kObject == nullptr) return FALSE;
    Placement placement = placement_of(*source);
    if (!transform_placement(buffer, type, data, &placement)) return FALSE;
    Meta* added = add(target, source->*Kind::kObject);
    set_placement(added, placement);
    added->batch_index = source->batch_index;
    return TRUE;
  }

#if GST_CHECK_VERSION(1, 24, 0)
  /* Version 1: scale and offset as four little-endian doubles, then the object's serialised form.
   * Version 2 adds the index within a batch in between, as four bytes and four zeros. The writer
   * uses version 1 for index 0, for readers that know no other. */
  static constexpr guint8 kSerialVersion = 1;
  static constexpr guint8 kSerialVersionOfBatches = 2;
  static constexpr gsize kBatchSize = 8;

  static gboolean serialize(const GstMeta* meta, GstByteArrayInterface* data, guint8* version) {
    const auto* self = reinterpret_cast<const Meta*>(meta);
    if (self->*Kind::kObject == nullptr) return FALSE;

    guint8 placement[kPlacementSize + kBatchSize] = {};
    write_placement(placement_of(*self), placement);
    write_le<guint32>(placement + kPlacementSize, self->batch_index);
    g_autoptr(GBytes) bytes = Kind::to_bytes(self->*Kind::kObject);
    if (bytes == nullptr) return FALSE;
    gsize size = 0;
    const auto* object = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
    const bool of_batch = self->batch_index != 0;
    *version = of_batch ? kSerialVersionOfBatches : kSerialVersion;
    const gsize placement_size = of_batch ? sizeof placement : kPlacementSize;
    return gst_byte_array_interface_append_data(data, placement, placement_size) &&
           gst_byte_array_interface_append_data(data, object, size);
  }

  static GstMeta* deserialize(const GstMetaInfo*, GstBuffer* buffer, const guint8* data, gsize size,
                              guint8 version) {
    if (version != kSerialVersion && version != kSerialVersionOfBatches) return nullptr;
    const bool of_batch = version == kSerialVersionOfBatches;
    const gsize placement_size = kPlacementSize + (of_batch ? kBatchSize : 0);
    if (size < placement_size) return nullptr;
    Placement placement;
    if (!read_placement(data, &placement)) return nullptr;
    g_autoptr(GBytes) bytes = g_bytes_new_static(data + placement_size, size - placement_size);
    g_autoptr(GError) error = nullptr;
    auto* object = Kind::from_bytes(bytes, &error);
    if (object == nullptr) {
      GST_WARNING("serialized metadata refused: %s", error->message);
      return nullptr;
    }
    Meta* self = add(buffer, object);
    gst_mini_object_unref(GST_MINI_OBJECT_CAST(object));
    set_placement(self, placement);
    if (of_batch) self->batch_index = read_le<guint32>(data + kPlacementSize);
    return &self->meta;
  }

  static constexpr MetaFunctions kFunctions = {init, free, in_standard_floats<transform>, serialize,
                                               in_standard_floats<deserialize>};
#else
  static constexpr MetaFunctions kFunctions = {init, free, in_standard_floats<transform>};
#endif
};

}  // namespace rdp::meta

#endif /* RDP_GST_RDPSEGMENT_PRIVATE_OBJECT_META_H_ */
