/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpsegmentmeta.h>

#include "gst/rdpsegment/private/object_meta.h"

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
  if (g_once_init_enter(&type)) {
    g_once_init_leave(&type, rdp::meta::register_picture_api("GstRdpSegmentMetaAPI"));
  }
  return type;
}

namespace {

struct Segments {
  using Meta = GstRdpSegmentMeta;
  static constexpr auto kObject = &GstRdpSegmentMeta::segmentation;
  static constexpr const char* kName = "GstRdpSegmentMeta";
  static GType api_type() { return GST_RDP_SEGMENT_META_API_TYPE; }
  static GBytes* to_bytes(GstRdpSegmentation* self) { return gst_rdp_segmentation_to_bytes(self); }
  static GstRdpSegmentation* from_bytes(GBytes* bytes, GError** error) {
    return gst_rdp_segmentation_new_from_bytes(bytes, error);
  }
};

using SegmentMeta = rdp::meta::ObjectMeta<Segments>;

}  // namespace

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
const GstMetaInfo* gst_rdp_segment_meta_get_info(void) { return SegmentMeta::info(); }

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

  return SegmentMeta::add(buffer, segmentation);
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

  SegmentMeta::get_placement(buffer, *meta, scale_x, scale_y, offset_x, offset_y);
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

  return SegmentMeta::find_first(buffer);
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

  return SegmentMeta::find_of_batch(buffer, batch_index);
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
