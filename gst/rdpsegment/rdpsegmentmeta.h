/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_SEGMENT_META_H__
#define __GST_RDP_SEGMENT_META_H__

#include <gst/rdpsegment/rdpsegmentation.h>

G_BEGIN_DECLS

typedef struct _GstRdpSegmentMeta GstRdpSegmentMeta;

#define GST_RDP_SEGMENT_META_API_TYPE (gst_rdp_segment_meta_api_get_type ())
#define GST_RDP_SEGMENT_META_INFO (gst_rdp_segment_meta_get_info ())

/**
 * GstRdpSegmentMeta:
 * @meta: parent
 * @segmentation: (transfer none): the segments, shared by all copies of the frame
 * @scale_x: multiply a pixel column of the segmented frame by this to get one of the buffer's frame
 * @scale_y: multiply a row of a segment by this to get one of the buffer's frame
 *
 * The segments of a frame, on the frame's buffer. Copying it takes a reference. When an element
 * scales the picture, the segmentation stays exact and in its own rows and columns, and the scale
 * says where they lie now; it is 1, 1 as rdpsegment makes it.
 */
struct _GstRdpSegmentMeta {
  GstMeta meta;

  GstRdpSegmentation *segmentation;
  gdouble scale_x;
  gdouble scale_y;
};

GST_RDP_SEGMENT_API
GType gst_rdp_segment_meta_api_get_type (void);

GST_RDP_SEGMENT_API
const GstMetaInfo *gst_rdp_segment_meta_get_info (void);

GST_RDP_SEGMENT_API
GstRdpSegmentMeta *gst_buffer_add_rdp_segment_meta (GstBuffer * buffer,
    GstRdpSegmentation * segmentation);

GST_RDP_SEGMENT_API
GstRdpSegmentMeta *gst_buffer_get_rdp_segment_meta (GstBuffer * buffer);

GST_RDP_SEGMENT_API
GstRdpSegmentation *gst_rdp_buffer_get_segmentation (GstBuffer * buffer);

G_END_DECLS

#endif /* __GST_RDP_SEGMENT_META_H__ */
