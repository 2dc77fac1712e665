/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The library as a program in C sees it: its headers must be C, and its types complete. */
#include <gst/rdpsegment/rdpsegment.h>
#include <string.h>

#if GLIB_SIZEOF_VOID_P == 8
/* Programs that are compiled have them in themselves: a new member takes its size out of
 * _gst_reserved. */
G_STATIC_ASSERT(sizeof(GstRdpSegmentationInfo) == 136);
G_STATIC_ASSERT(sizeof(GstRdpPlanesInfo) == 280);
G_STATIC_ASSERT(sizeof(GstRdpTracksInfo) == 184);
G_STATIC_ASSERT(sizeof(GstRdpMotionInfo) == 288);
G_STATIC_ASSERT(sizeof(GstRdpHeightsInfo) == 248);
G_STATIC_ASSERT(sizeof(GstRdpCameraInfo) == 520);
G_STATIC_ASSERT(sizeof(GstRdpSegmentMeta) == 64);
G_STATIC_ASSERT(sizeof(GstRdpPlanesMeta) == 64);
G_STATIC_ASSERT(sizeof(GstRdpTracksMeta) == 64);
G_STATIC_ASSERT(sizeof(GstRdpMotionMeta) == 64);
G_STATIC_ASSERT(sizeof(GstRdpHeightsMeta) == 64);
G_STATIC_ASSERT(sizeof(GstRdpCameraMeta) == 80);
#endif
G_STATIC_ASSERT(sizeof(GstRdpSegment) == 12);
G_STATIC_ASSERT(sizeof(GstRdpPlane) == 64);
G_STATIC_ASSERT(sizeof(GstRdpPlaneCorner) == 20);
G_STATIC_ASSERT(sizeof(GstRdpTrack) == 32);
G_STATIC_ASSERT(sizeof(GstRdpLostTrack) == 16);
G_STATIC_ASSERT(sizeof(GstRdpSegmentMotion) == 32);
G_STATIC_ASSERT(sizeof(GstRdpTrackMotion) == 32);
G_STATIC_ASSERT(sizeof(GstRdpObstacle) == 64);
G_STATIC_ASSERT(sizeof(GstRdpHead) == 32);

int use_library_from_c(void);

static int check_buffer(GstBuffer* buffer, GstRdpSegmentation* segmentation) {
  GstRdpSegmentMeta* meta = gst_buffer_add_rdp_segment_meta(buffer, segmentation);
  const GstRdpSegment* column;
  gsize n = 0;

  if (meta->scale_x != 1.0 || meta->offset_y != 0.0) return 2;
  if (gst_buffer_get_rdp_segment_meta(buffer) != meta) return 3;
  column = gst_rdp_segmentation_get_column(gst_rdp_buffer_get_segmentation(buffer), 0, &n);
  return n == 1 && column[0].last_row == 3 && column[0].last_value == 6.0F ? 0 : 4;
}

static int check_planes(GstBuffer* buffer) {
  const GstRdpPlane plane = {.normal_z = 1.0F, .distance = 2.0F, .inliers = 1};
  const guint8 label = 1;
  GstRdpPlanesInfo info;
  gsize n = 0;

  gst_rdp_planes_info_init(&info);
  info.width = info.height = 1;
  info.n_points = 1;
  {
    g_autoptr(GstRdpPlanes) planes = gst_rdp_planes_new(&info, &plane, 1, NULL, 0, &label, 1);
    if (planes == NULL) return 5;
    if (gst_buffer_add_rdp_planes_meta(buffer, planes)->scale_y != 1.0) return 6;
  }
  return gst_rdp_planes_peek_planes(gst_rdp_buffer_get_planes(buffer), &n)[0].distance == 2.0F &&
                 gst_rdp_planes_peek_labels(gst_rdp_buffer_get_planes(buffer), &n)[0] == 1
             ? 0
             : 7;
}

int use_library_from_c(void) {
  const guint32 offsets[] = {0, 1};
  const GstRdpSegment segments[] = {{0, 3, 5.0F, 6.0F}};
  GstRdpSegmentationInfo info;
  GstBuffer* buffer = gst_buffer_new();
  int result = 1;

  gst_rdp_segmentation_info_init(&info);
  info.width = 1;
  info.height = 4;
  {
    g_autoptr(GstRdpSegmentation) segmentation =
        gst_rdp_segmentation_new(&info, offsets, G_N_ELEMENTS(offsets), segments, 1);
    if (segmentation != NULL) result = check_buffer(buffer, segmentation);
  }
  if (result == 0) result = check_planes(buffer);
  gst_buffer_unref(buffer);
  return result;
}
