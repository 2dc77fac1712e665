/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_PLANES_META_H__
#define __GST_RDP_PLANES_META_H__

#include <gst/rdpsegment/rdpplanes.h>

G_BEGIN_DECLS

typedef struct _GstRdpPlanesMeta GstRdpPlanesMeta;

#define GST_RDP_PLANES_META_API_TYPE (gst_rdp_planes_meta_api_get_type())
#define GST_RDP_PLANES_META_INFO (gst_rdp_planes_meta_get_info())

/**
 * GstRdpPlanesMeta:
 * @meta: parent
 * @planes: (transfer none): the planes, shared by all copies of the frame
 * @scale_x: column x of the frame lies at (x + 0.5) * @scale_x + @offset_x - 0.5 of the
 *   picture: whole numbers are the centres of pixels
 * @scale_y: row y of the frame lies at (y + 0.5) * @scale_y + @offset_y - 0.5 of the
 *   picture
 * @offset_x: see @scale_x
 * @offset_y: see @scale_y
 * @batch_index: which frame of the buffer this is about, from 0
 *
 * The planes of a frame, on the frame's buffer. Copying it takes a reference. When an element
 * scales the picture, the planes stay exact and in their own rows and columns, and scale and
 * offset say where they lie now. As depthplanes makes it, the scale is 1, 1, and the offset 0, 0,
 * or the corner of the crop of a frame that came cropped in place.
 *
 * The picture is the one that the buffer's #GstVideoMeta describes, the whole of it. Elements crop
 * in place with a #GstVideoCropMeta, and the metadata is not told:
 * gst_rdp_planes_meta_get_placement() says where the planes are in what is shown.
 *
 * A buffer in NVMM memory can be a batch of frames. It has one #GstRdpPlanesMeta for each of them.
 *
 * Since: 0.1
 */
struct _GstRdpPlanesMeta {
  GstMeta meta;

  GstRdpPlanes* planes;
  gdouble scale_x;
  gdouble scale_y;
  gdouble offset_x;
  gdouble offset_y;
  guint batch_index;
};

GST_RDP_SEGMENT_API
GType gst_rdp_planes_meta_api_get_type(void);

GST_RDP_SEGMENT_API
const GstMetaInfo* gst_rdp_planes_meta_get_info(void);

GST_RDP_SEGMENT_API
GstRdpPlanesMeta* gst_buffer_add_rdp_planes_meta(GstBuffer* buffer, GstRdpPlanes* planes);

GST_RDP_SEGMENT_API
GstRdpPlanesMeta* gst_buffer_get_rdp_planes_meta(GstBuffer* buffer);

GST_RDP_SEGMENT_API
GstRdpPlanesMeta* gst_buffer_get_rdp_planes_meta_of_batch(GstBuffer* buffer, guint batch_index);

GST_RDP_SEGMENT_API
void gst_rdp_planes_meta_get_placement(GstBuffer* buffer, const GstRdpPlanesMeta* meta,
                                       gdouble* scale_x, gdouble* scale_y, gdouble* offset_x,
                                       gdouble* offset_y);

GST_RDP_SEGMENT_API
GstRdpPlanes* gst_rdp_buffer_get_planes(GstBuffer* buffer);

GST_RDP_SEGMENT_API
GstRdpPlanes* gst_rdp_buffer_get_batch_planes(GstBuffer* buffer, guint batch_index);

G_END_DECLS

#endif /* __GST_RDP_PLANES_META_H__ */
