/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_CAMERA_META_H__
#define __GST_RDP_CAMERA_META_H__

#include <gst/rdpsegment/rdpcamera.h>
#include <gst/rdpsegment/rdpplanesmeta.h>
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
  /* A LostCamera: how the camera was lost. */
  guint _lost;
  guint _lost_sizes[4];
  /* A format conversion changed the samples, so the camera's units no longer apply. */
  gboolean _samples_changed;
  /* The lost camera, if its unit still applies to the samples apart from the scaling. */
  GstRdpCamera* _before;
  gpointer _gst_reserved[GST_PADDING - 1];
};

GST_RDP_SEGMENT_API
GType gst_rdp_camera_meta_api_get_type(void);

GST_RDP_SEGMENT_API
const GstMetaInfo* gst_rdp_camera_meta_get_info(void);

GST_RDP_SEGMENT_API
GstRdpCameraMeta* gst_buffer_add_rdp_camera_meta(GstBuffer* buffer, GstRdpCamera* camera);

GST_RDP_SEGMENT_API
GstRdpCameraMeta* gst_buffer_get_rdp_camera_meta(GstBuffer* buffer);

GST_RDP_SEGMENT_API
GstRdpCamera* gst_rdp_buffer_get_camera(GstBuffer* buffer, GError** error);

GST_RDP_SEGMENT_API
GstRdpCamera* gst_rdp_segment_meta_get_camera(GstBuffer* buffer, const GstRdpSegmentMeta* meta,
                                              GError** error);

GST_RDP_SEGMENT_API
GstRdpCamera* gst_rdp_planes_meta_get_camera(GstBuffer* buffer, const GstRdpPlanesMeta* meta,
                                             GError** error);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_segmentation_get_points(GstRdpSegmentation* self, GstRdpCamera* camera,
                                        GError** error);

G_END_DECLS

#endif /* __GST_RDP_CAMERA_META_H__ */
