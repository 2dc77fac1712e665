/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpfilemeta.h>

#include <algorithm>
#include <utility>

#include "gst/rdpsegment/private/meta_registration.h"

/**
 * SECTION:rdpfilemeta
 * @title: GstRdpFileMeta
 * @short_description: The file that a frame was read from, on its buffer
 *
 * The metadata has no tags: it stays true however the picture is processed. Names are shared:
 * neither copies nor a source that adds the same names repeatedly need memory for them.
 *
 * Since: 0.2
 */

GType gst_rdp_file_meta_api_get_type(void) {
  static gsize type = 0;
  static const gchar* tags[] = {nullptr};
  if (g_once_init_enter(&type)) {
    g_once_init_leave(&type, gst_meta_api_type_register("GstRdpFileMetaAPI", tags));
  }
  return type;
}

static gboolean meta_init(GstMeta* meta, gpointer params, GstBuffer* buffer) {
  auto* self = reinterpret_cast<GstRdpFileMeta*>(meta);
  self->name = nullptr;
  std::fill_n(self->_gst_reserved, G_N_ELEMENTS(self->_gst_reserved), nullptr);
  return TRUE;
}

static void meta_free(GstMeta* meta, GstBuffer* buffer) {
  auto* self = reinterpret_cast<GstRdpFileMeta*>(meta);
  if (self->name != nullptr) g_ref_string_release(self->name);
  self->name = nullptr;
}

static GstRdpFileMeta* find(GstBuffer* buffer) {
  return reinterpret_cast<GstRdpFileMeta*>(gst_buffer_get_meta(buffer, GST_RDP_FILE_META_API_TYPE));
}

/* Puts a name on the buffer, and replaces an earlier one. (transfer full) */
static GstRdpFileMeta* put(GstBuffer* buffer, gchar* name) {
  GstRdpFileMeta* self = find(buffer);
  if (self == nullptr) {
    self = reinterpret_cast<GstRdpFileMeta*>(
        gst_buffer_add_meta(buffer, GST_RDP_FILE_META_INFO, nullptr));
  }
  if (gchar* before = std::exchange(self->name, name)) g_ref_string_release(before);
  return self;
}

/* A frame made of several keeps the first file's name. */
static gboolean meta_transform(GstBuffer* target, GstMeta* meta, GstBuffer* source, GQuark type,
                               gpointer data) {
  const auto* self = reinterpret_cast<GstRdpFileMeta*>(meta);
  if (self->name != nullptr && find(target) == nullptr) {
    put(target, g_ref_string_acquire(self->name));
  }
  return TRUE;
}

#if GST_CHECK_VERSION(1, 24, 0)
static constexpr guint8 kSerialVersion = 1;

static gboolean meta_serialize(const GstMeta* meta, GstByteArrayInterface* data, guint8* version) {
  const auto* self = reinterpret_cast<const GstRdpFileMeta*>(meta);
  if (self->name == nullptr) return FALSE;
  *version = kSerialVersion;
  return gst_byte_array_interface_append_data(data, reinterpret_cast<const guint8*>(self->name),
                                              g_ref_string_length(self->name));
}

static GstMeta* meta_deserialize(const GstMetaInfo* info, GstBuffer* buffer, const guint8* data,
                                 gsize size, guint8 version) {
  if (version != kSerialVersion || size == 0 || size > G_MAXINT ||
      std::find(data, data + size, '\0') != data + size) {
    return nullptr;
  }
  gchar* name =
      g_ref_string_new_len(reinterpret_cast<const gchar*>(data), static_cast<gssize>(size));
  return &put(buffer, name)->meta;
}

static constexpr rdp::meta::MetaFunctions kFunctions = {meta_init, meta_free, meta_transform,
                                                        meta_serialize, meta_deserialize};
#else
static constexpr rdp::meta::MetaFunctions kFunctions = {meta_init, meta_free, meta_transform};
#endif

/**
 * gst_rdp_file_meta_get_info:
 *
 * The first call makes the metadata known to this process, as gst_rdp_segment_meta_get_info() does
 * for segments.
 *
 * Returns: (transfer none): the #GstMetaInfo of #GstRdpFileMeta
 *
 * Since: 0.2
 */
const GstMetaInfo* gst_rdp_file_meta_get_info(void) {
  return rdp::meta::registered_meta<GstRdpFileMeta>(GST_RDP_FILE_META_API_TYPE, "GstRdpFileMeta",
                                                    kFunctions);
}

/**
 * gst_buffer_add_rdp_file_meta:
 * @buffer: a writable #GstBuffer
 * @name: (type filename): the name of a file, of at least one byte
 *
 * Stores the name of the file that @buffer was read from, and replaces an earlier one.
 *
 * Returns: (transfer none): the metadata, which belongs to @buffer
 *
 * Since: 0.2
 */
GstRdpFileMeta* gst_buffer_add_rdp_file_meta(GstBuffer* buffer, const gchar* name) {
  g_return_val_if_fail(GST_IS_BUFFER(buffer), nullptr);
  g_return_val_if_fail(gst_buffer_is_writable(buffer), nullptr);
  g_return_val_if_fail(name != nullptr && *name != '\0', nullptr);

  return put(buffer, g_ref_string_new_intern(name));
}

/**
 * gst_buffer_get_rdp_file_meta:
 * @buffer: a #GstBuffer
 *
 * Returns: (transfer none) (nullable): the metadata that names @buffer's file; %NULL if there is
 *   none
 *
 * Since: 0.2
 */
GstRdpFileMeta* gst_buffer_get_rdp_file_meta(GstBuffer* buffer) {
  g_return_val_if_fail(GST_IS_BUFFER(buffer), nullptr);

  return find(buffer);
}
