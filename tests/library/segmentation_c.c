/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The library as a program in C sees it: its headers must be C, and its types complete. */
#include <gst/rdpsegment/rdpsegment.h>
#include <string.h>

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
  gst_buffer_unref(buffer);
  return result;
}
