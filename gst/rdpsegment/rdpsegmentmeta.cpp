/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpsegmentmeta.h>
#include <gst/video/video.h>

#include "gst/rdpsegment/private/meta_registration.h"
#include "gst/rdpsegment/private/placement.h"

/**
 * SECTION:rdpsegmentmeta
 * @title: GstRdpSegmentMeta
 * @short_description: The segments of a frame, on its buffer
 *
 * The metadata is tagged as belonging to video, its orientation and its size: elements that know
 * how to treat such metadata keep it. It survives copies of a whole buffer and scaling; it is
 * dropped when a part of a buffer is copied, since a part of a frame's bytes is no frame.
 *
 * Since: 0.1
 */

GType gst_rdp_segment_meta_api_get_type(void) {
  static gsize type = 0;
  static const gchar* tags[] = {GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_ORIENTATION_STR,
                                GST_META_TAG_VIDEO_SIZE_STR, nullptr};
  if (g_once_init_enter(&type)) {
    g_once_init_leave(&type, gst_meta_api_type_register("GstRdpSegmentMetaAPI", tags));
  }
  return type;
}

static gboolean meta_init(GstMeta* meta, gpointer params, GstBuffer* buffer) {
  auto* self = reinterpret_cast<GstRdpSegmentMeta*>(meta);
  self->segmentation = nullptr;
  self->scale_x = self->scale_y = 1.0;
  self->offset_x = self->offset_y = 0.0;
  self->batch_index = 0;
  return TRUE;
}

static void meta_free(GstMeta* meta, GstBuffer* buffer) {
  auto* self = reinterpret_cast<GstRdpSegmentMeta*>(meta);
  if (self->segmentation != nullptr) gst_rdp_segmentation_unref(self->segmentation);
  self->segmentation = nullptr;
}

static gboolean meta_transform(GstBuffer* target, GstMeta* meta, GstBuffer* buffer, GQuark type,
                               gpointer data) {
  const auto* source = reinterpret_cast<const GstRdpSegmentMeta*>(meta);
  /* One that was added without gst_buffer_add_rdp_segment_meta() may be empty. */
  if (source->segmentation == nullptr) return FALSE;
  rdp::meta::Placement placement = rdp::meta::placement_of(*source);
  if (!rdp::meta::transform_placement(buffer, type, data, &placement)) return FALSE;
  GstRdpSegmentMeta* added = gst_buffer_add_rdp_segment_meta(target, source->segmentation);
  if (added == nullptr) return FALSE;
  rdp::meta::set_placement(added, placement);
  added->batch_index = source->batch_index;
  return TRUE;
}

#if GST_CHECK_VERSION(1, 24, 0)
/* Version 1: scale and offset as four little endian doubles, then what
 * gst_rdp_segmentation_to_bytes() writes. Version 2 has the index within a batch in between, as
 * four bytes and four zeros. Version 1 is written where it says it all, for readers that know no
 * other. */
static constexpr guint8 kSerialVersion = 1;
static constexpr guint8 kSerialVersionOfBatches = 2;
static constexpr gsize kBatchSize = 8;
using rdp::meta::kPlacementSize;

static gboolean meta_serialize(const GstMeta* meta, GstByteArrayInterface* data, guint8* version) {
  const auto* self = reinterpret_cast<const GstRdpSegmentMeta*>(meta);
  if (self->segmentation == nullptr) return FALSE;

  guint8 placement[kPlacementSize + kBatchSize] = {};
  rdp::meta::write_placement(rdp::meta::placement_of(*self), placement);
  GST_WRITE_UINT32_LE(placement + kPlacementSize, self->batch_index);
  g_autoptr(GBytes) bytes = gst_rdp_segmentation_to_bytes(self->segmentation);
  if (bytes == nullptr) return FALSE;
  gsize size = 0;
  const auto* segmentation = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
  const bool of_batch = self->batch_index != 0;
  *version = of_batch ? kSerialVersionOfBatches : kSerialVersion;
  const gsize placement_size = of_batch ? sizeof placement : kPlacementSize;
  return gst_byte_array_interface_append_data(data, placement, placement_size) &&
         gst_byte_array_interface_append_data(data, segmentation, size);
}

static GstMeta* meta_deserialize(const GstMetaInfo* info, GstBuffer* buffer, const guint8* data,
                                 gsize size, guint8 version) {
  if (version != kSerialVersion && version != kSerialVersionOfBatches) return nullptr;
  const bool of_batch = version == kSerialVersionOfBatches;
  const gsize placement_size = kPlacementSize + (of_batch ? kBatchSize : 0);
  if (size < placement_size) return nullptr;
  rdp::meta::Placement placement;
  if (!rdp::meta::read_placement(data, &placement)) return nullptr;
  g_autoptr(GBytes) bytes = g_bytes_new_static(data + placement_size, size - placement_size);
  g_autoptr(GError) error = nullptr;
  g_autoptr(GstRdpSegmentation) segmentation = gst_rdp_segmentation_new_from_bytes(bytes, &error);
  if (segmentation == nullptr) {
    GST_WARNING("serialized metadata refused: %s", error->message);
    return nullptr;
  }
  GstRdpSegmentMeta* self = gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  if (self == nullptr) return nullptr;
  rdp::meta::set_placement(self, placement);
  if (of_batch) self->batch_index = GST_READ_UINT32_LE(data + kPlacementSize);
  return &self->meta;
}

static constexpr rdp::meta::MetaFunctions kFunctions = {meta_init, meta_free, meta_transform,
                                                        meta_serialize, meta_deserialize};
#else
static constexpr rdp::meta::MetaFunctions kFunctions = {meta_init, meta_free, meta_transform};
#endif

/**
 * gst_rdp_segment_meta_get_info:
 *
 * The first call makes the metadata known to this process. Loading one of the plugin's elements
 * does so, too. A program without them that gets its buffers from another process, through
 * unixfdsrc for instance, calls this before the first buffer comes: what GStreamer does not know it
 * drops.
 *
 * Returns: (transfer none): how GStreamer handles a #GstRdpSegmentMeta
 *
 * Since: 0.1
 */
const GstMetaInfo* gst_rdp_segment_meta_get_info(void) {
  return rdp::meta::registered_meta<GstRdpSegmentMeta>(GST_RDP_SEGMENT_META_API_TYPE,
                                                       "GstRdpSegmentMeta", kFunctions);
}

/**
 * gst_buffer_add_rdp_segment_meta:
 * @buffer: a writable #GstBuffer
 * @segmentation: the segments of the frame in @buffer
 *
 * Puts @segmentation on @buffer, which takes a reference to it. It is taken to be of what @buffer
 * shows: where a #GstVideoCropMeta says that this is a part of the picture, the metadata's offset
 * is the crop. Of the whole picture, or of another part, set scale and offset.
 *
 * Returns: (transfer none): the metadata, which belongs to @buffer
 *
 * Since: 0.1
 */
GstRdpSegmentMeta* gst_buffer_add_rdp_segment_meta(GstBuffer* buffer,
                                                   GstRdpSegmentation* segmentation) {
  g_return_val_if_fail(GST_IS_BUFFER(buffer), nullptr);
  g_return_val_if_fail(gst_buffer_is_writable(buffer), nullptr);
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(segmentation), nullptr);

  auto* meta = reinterpret_cast<GstRdpSegmentMeta*>(
      gst_buffer_add_meta(buffer, GST_RDP_SEGMENT_META_INFO, nullptr));
  meta->segmentation = gst_rdp_segmentation_ref(segmentation);
  rdp::meta::set_placement(meta, rdp::meta::placement_of_new(buffer));
  return meta;
}

/**
 * gst_rdp_segment_meta_get_placement:
 * @buffer: a #GstBuffer
 * @meta: the metadata of segments on it
 * @scale_x: (out) (optional): the width of a pixel of the segmented frame
 * @scale_y: (out) (optional): the height of a pixel of the segmented frame
 * @offset_x: (out) (optional): where the segmented frame's left edge is
 * @offset_y: (out) (optional): where the segmented frame's upper edge is
 *
 * Where the segmented frame lies in what @buffer shows at this moment: column x of it is at (x +
 * 0.5) * scale_x + offset_x - 0.5, row y at (y + 0.5) * scale_y + offset_y - 0.5, where whole
 * numbers are the centres of pixels and the picture's first pixel is 0, 0. A mirrored axis has a
 * negative scale.
 *
 * What is shown is the picture of the buffer's #GstVideoMeta, or the part of it that a
 * #GstVideoCropMeta names. Elements crop like that without telling the metadata, whose own offset
 * counts from the whole picture's corner. Use this function wherever segments are compared with
 * pixels.
 *
 * Since: 0.1
 */
void gst_rdp_segment_meta_get_placement(GstBuffer* buffer, const GstRdpSegmentMeta* meta,
                                        gdouble* scale_x, gdouble* scale_y, gdouble* offset_x,
                                        gdouble* offset_y) {
  g_return_if_fail(GST_IS_BUFFER(buffer));
  g_return_if_fail(meta != nullptr);

  const rdp::meta::Placement placement =
      rdp::meta::without_crop(buffer, rdp::meta::placement_of(*meta));
  if (scale_x != nullptr) *scale_x = placement.scale_x;
  if (scale_y != nullptr) *scale_y = placement.scale_y;
  if (offset_x != nullptr) *offset_x = placement.offset_x;
  if (offset_y != nullptr) *offset_y = placement.offset_y;
}

/* The first metadata on `buffer` that has segments and that `wanted` takes. There may be others:
 * what a pool has put on its buffers cannot be removed, only emptied. */
template <typename Wanted>
static GstRdpSegmentMeta* find_filled(GstBuffer* buffer, Wanted wanted) {
  gpointer state = nullptr;
  while (GstMeta* meta =
             gst_buffer_iterate_meta_filtered(buffer, &state, GST_RDP_SEGMENT_META_API_TYPE)) {
    auto* found = reinterpret_cast<GstRdpSegmentMeta*>(meta);
    if (found->segmentation != nullptr && wanted(*found)) return found;
  }
  return nullptr;
}

/**
 * gst_buffer_get_rdp_segment_meta:
 * @buffer: a #GstBuffer
 *
 * Where @buffer is a batch of frames, this is about the first of them that has segments. Metadata
 * without a segmentation, which a buffer's pool may leave on it, is passed over.
 *
 * Returns: (transfer none) (nullable): the metadata of the segments on @buffer, or %NULL when there
 * are none
 *
 * Since: 0.1
 */
GstRdpSegmentMeta* gst_buffer_get_rdp_segment_meta(GstBuffer* buffer) {
  g_return_val_if_fail(GST_IS_BUFFER(buffer), nullptr);

  return find_filled(buffer, [](const GstRdpSegmentMeta&) { return true; });
}

/**
 * gst_buffer_get_rdp_segment_meta_of_batch:
 * @buffer: a #GstBuffer
 * @batch_index: which of its frames, from 0
 *
 * Returns: (transfer none) (nullable): the metadata of the segments of one frame of a batch, or
 * %NULL when @buffer has no such frame or its segments are not there
 *
 * Since: 0.1
 */
GstRdpSegmentMeta* gst_buffer_get_rdp_segment_meta_of_batch(GstBuffer* buffer, guint batch_index) {
  g_return_val_if_fail(GST_IS_BUFFER(buffer), nullptr);

  return find_filled(
      buffer, [=](const GstRdpSegmentMeta& meta) { return meta.batch_index == batch_index; });
}

/**
 * gst_rdp_buffer_get_segmentation:
 * @buffer: a #GstBuffer
 *
 * The segments on @buffer without their metadata's scale, which is all that is needed where nothing
 * between rdpsegment and here has scaled the picture. Where @buffer is a batch of frames, those of
 * the first.
 *
 * Returns: (transfer none) (nullable): the segments of the frame in @buffer, which live as long as
 *   @buffer does unless you take a reference; %NULL when there are none
 *
 * Since: 0.1
 */
GstRdpSegmentation* gst_rdp_buffer_get_segmentation(GstBuffer* buffer) {
  const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta(buffer);
  return meta != nullptr ? meta->segmentation : nullptr;
}

/**
 * gst_rdp_buffer_get_batch_segmentation:
 * @buffer: a #GstBuffer
 * @batch_index: which of its frames, from 0
 *
 * The segments of one frame of a batch. A buffer that is no batch has the frame 0 alone.
 *
 * Returns: (transfer none) (nullable): as gst_rdp_buffer_get_segmentation(); %NULL when there is no
 *   such frame, which is how to find the end of a batch
 *
 * Since: 0.1
 */
GstRdpSegmentation* gst_rdp_buffer_get_batch_segmentation(GstBuffer* buffer, guint batch_index) {
  const GstRdpSegmentMeta* meta = gst_buffer_get_rdp_segment_meta_of_batch(buffer, batch_index);
  return meta != nullptr ? meta->segmentation : nullptr;
}
