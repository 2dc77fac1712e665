/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpplanesmeta.h>

#include "gst/rdpsegment/private/object_meta.h"

/**
 * SECTION:rdpplanesmeta
 * @title: GstRdpPlanesMeta
 * @short_description: The planes of a frame or cloud, on its buffer
 *
 * The metadata is tagged as belonging to video, its orientation and its size: elements that know
 * how to treat such metadata keep it. It survives copies of a whole buffer and scaling; it is
 * dropped when a part of a buffer is copied, since a part of a frame's bytes is no frame.
 *
 * Since: 0.1
 */

GType gst_rdp_planes_meta_api_get_type(void) {
  static gsize type = 0;
  if (g_once_init_enter(&type)) {
    g_once_init_leave(&type, rdp::meta::register_picture_api("GstRdpPlanesMetaAPI"));
  }
  return type;
}

namespace {

struct Planes {
  using Meta = GstRdpPlanesMeta;
  static constexpr auto kObject = &GstRdpPlanesMeta::planes;
  static constexpr const char* kName = "GstRdpPlanesMeta";
  static GType api_type() { return GST_RDP_PLANES_META_API_TYPE; }
  static GBytes* to_bytes(GstRdpPlanes* self) { return gst_rdp_planes_to_bytes(self); }
  static GstRdpPlanes* from_bytes(GBytes* bytes, GError** error) {
    return gst_rdp_planes_new_from_bytes(bytes, error);
  }
};

using PlanesMeta = rdp::meta::ObjectMeta<Planes>;

}  // namespace

/**
 * gst_rdp_planes_meta_get_info:
 *
 * The first call makes the metadata known to this process. Loading one of the plugin's elements
 * does so, too. A program without them that gets its buffers from another process, through
 * unixfdsrc for instance, calls this before the first buffer comes: what GStreamer does not know it
 * drops.
 *
 * Returns: (transfer none): how GStreamer handles a #GstRdpPlanesMeta
 *
 * Since: 0.1
 */
const GstMetaInfo* gst_rdp_planes_meta_get_info(void) { return PlanesMeta::info(); }

/**
 * gst_buffer_add_rdp_planes_meta:
 * @buffer: a writable #GstBuffer
 * @planes: the planes of the frame or cloud in @buffer
 *
 * Puts @planes on @buffer, which takes a reference to them. They are taken to be of what @buffer
 * shows: where a #GstVideoCropMeta says that this is a part of the picture, the metadata's offset
 * is the crop. Of the whole picture, or of another part, set scale and offset.
 *
 * Returns: (transfer none): the metadata, which belongs to @buffer
 *
 * Since: 0.1
 */
GstRdpPlanesMeta* gst_buffer_add_rdp_planes_meta(GstBuffer* buffer, GstRdpPlanes* planes) {
  g_return_val_if_fail(GST_IS_BUFFER(buffer), nullptr);
  g_return_val_if_fail(gst_buffer_is_writable(buffer), nullptr);
  g_return_val_if_fail(GST_IS_RDP_PLANES(planes), nullptr);

  return PlanesMeta::add(buffer, planes);
}

/**
 * gst_rdp_planes_meta_get_placement:
 * @buffer: a #GstBuffer
 * @meta: the metadata of planes on it
 * @scale_x: (out) (optional): the width of a pixel of the planes' frame
 * @scale_y: (out) (optional): the height of a pixel of the planes' frame
 * @offset_x: (out) (optional): where the left edge of the planes' frame is
 * @offset_y: (out) (optional): where its upper edge is
 *
 * Where the frame that the planes were found in lies in what @buffer shows at this moment: as
 * gst_rdp_segment_meta_get_placement() says it of segments. Use this function wherever labels,
 * boxes and corners are compared with pixels.
 *
 * Since: 0.1
 */
void gst_rdp_planes_meta_get_placement(GstBuffer* buffer, const GstRdpPlanesMeta* meta,
                                       gdouble* scale_x, gdouble* scale_y, gdouble* offset_x,
                                       gdouble* offset_y) {
  g_return_if_fail(GST_IS_BUFFER(buffer));
  g_return_if_fail(meta != nullptr);

  PlanesMeta::get_placement(buffer, *meta, scale_x, scale_y, offset_x, offset_y);
}

/**
 * gst_buffer_get_rdp_planes_meta:
 * @buffer: a #GstBuffer
 *
 * Where @buffer is a batch of frames, this is about the first of them that has planes. Metadata
 * without planes in it, which a buffer's pool may leave there, is passed over.
 *
 * Returns: (transfer none) (nullable): the metadata of the planes on @buffer, or %NULL when there
 * is none
 *
 * Since: 0.1
 */
GstRdpPlanesMeta* gst_buffer_get_rdp_planes_meta(GstBuffer* buffer) {
  g_return_val_if_fail(GST_IS_BUFFER(buffer), nullptr);

  return PlanesMeta::find_first(buffer);
}

/**
 * gst_buffer_get_rdp_planes_meta_of_batch:
 * @buffer: a #GstBuffer
 * @batch_index: which of its frames, from 0
 *
 * Returns: (transfer none) (nullable): the metadata of the planes of one frame of a batch, or %NULL
 * when @buffer has no such frame or its planes are not there
 *
 * Since: 0.1
 */
GstRdpPlanesMeta* gst_buffer_get_rdp_planes_meta_of_batch(GstBuffer* buffer, guint batch_index) {
  g_return_val_if_fail(GST_IS_BUFFER(buffer), nullptr);

  return PlanesMeta::find_of_batch(buffer, batch_index);
}

/**
 * gst_rdp_buffer_get_planes:
 * @buffer: a #GstBuffer
 *
 * The planes on @buffer without their metadata's scale, which is all that is needed where nothing
 * between depthplanes and here has scaled the picture. Where @buffer is a batch of frames, those of
 * the first.
 *
 * Returns: (transfer none) (nullable): the planes of the frame in @buffer, which live as long as
 *   @buffer does unless you take a reference; %NULL when there are none
 *
 * Since: 0.1
 */
GstRdpPlanes* gst_rdp_buffer_get_planes(GstBuffer* buffer) {
  const GstRdpPlanesMeta* meta = gst_buffer_get_rdp_planes_meta(buffer);
  return meta != nullptr ? meta->planes : nullptr;
}

/**
 * gst_rdp_buffer_get_batch_planes:
 * @buffer: a #GstBuffer
 * @batch_index: which of its frames, from 0
 *
 * The planes of one frame of a batch. A buffer that is no batch has the frame 0 alone.
 *
 * Returns: (transfer none) (nullable): as gst_rdp_buffer_get_planes(); %NULL when there is no such
 *   frame, which is how to find the end of a batch
 *
 * Since: 0.1
 */
GstRdpPlanes* gst_rdp_buffer_get_batch_planes(GstBuffer* buffer, guint batch_index) {
  const GstRdpPlanesMeta* meta = gst_buffer_get_rdp_planes_meta_of_batch(buffer, batch_index);
  return meta != nullptr ? meta->planes : nullptr;
}
