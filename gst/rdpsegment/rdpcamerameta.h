/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_CAMERA_META_H__
#define __GST_RDP_CAMERA_META_H__

#include <gst/rdpsegment/rdpcamera.h>
#include <gst/rdpsegment/rdpsegmentmeta.h>

G_BEGIN_DECLS

typedef struct _GstRdpCameraMeta GstRdpCameraMeta;

#define GST_RDP_CAMERA_META_API_TYPE (gst_rdp_camera_meta_api_get_type())
#define GST_RDP_CAMERA_META_INFO (gst_rdp_camera_meta_get_info())

/**
 * GstRdpCameraMeta:
 * @meta: parent
 * @camera: (transfer none) (nullable): the camera of the picture that the buffer's #GstVideoMeta
 *   describes; %NULL: it was lost on the way, and gst_rdp_buffer_get_camera() says why
 *
 * The camera that a frame was taken with, on the frame's buffer. Copying it takes a reference.
 *
 * Since: 0.2
 */
struct _GstRdpCameraMeta {
  GstMeta meta;

  GstRdpCamera* camera;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING];
};

GST_RDP_SEGMENT_API
GType gst_rdp_camera_meta_api_get_type(void);

GST_RDP_SEGMENT_API
const GstMetaInfo* gst_rdp_camera_meta_get_info(void);

/* Replaces one that is there. */
GST_RDP_SEGMENT_API
GstRdpCameraMeta* gst_buffer_add_rdp_camera_meta(GstBuffer* buffer, GstRdpCamera* camera);

GST_RDP_SEGMENT_API
GstRdpCameraMeta* gst_buffer_get_rdp_camera_meta(GstBuffer* buffer);

/* The camera of what `buffer` shows at this moment: of its picture, cropped as its GstVideoCropMeta
 * says. (transfer full) (nullable): null without an error where there is no camera; null with an
 * error where it was lost. */
GST_RDP_SEGMENT_API
GstRdpCamera* gst_rdp_buffer_get_camera(GstBuffer* buffer, GError** error);

/* The camera of the frame that was segmented, in the rows and columns of the segmentation, whatever
 * was done to the picture since. As above. */
GST_RDP_SEGMENT_API
GstRdpCamera* gst_rdp_segment_meta_get_camera(GstBuffer* buffer, const GstRdpSegmentMeta* meta,
                                              GError** error);

/* rdpsegmentationpoints.cpp: both ends of each segment in metres, x1 y1 z1 x2 y2 z2 as floats, in
 * the order of the segments; NaN where there is no distance. `camera` is that of the segmented
 * frame. Null with an error: lost by the GPU, or the camera gives no metres. */
GST_RDP_SEGMENT_API
GBytes* gst_rdp_segmentation_get_points(GstRdpSegmentation* self, GstRdpCamera* camera,
                                        GError** error);

G_END_DECLS

#endif /* __GST_RDP_CAMERA_META_H__ */
