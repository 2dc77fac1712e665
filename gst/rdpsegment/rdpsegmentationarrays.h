/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_SEGMENTATION_ARRAYS_H__
#define __GST_RDP_SEGMENTATION_ARRAYS_H__

#include <gst/rdpsegment/rdpsegmentation.h>

/* Private: the arrays as gst_rdp_segmentation_new() describes them. */
struct GstRdpSegmentationArrays {
  guint n_columns;
  gsize n_segments;
  const guint32* offsets; /* n_columns + 1; null: both arrays are elsewhere until the first read */
  const GstRdpSegment* segments;

  bool elsewhere() const { return offsets == nullptr; }
};

#endif /* __GST_RDP_SEGMENTATION_ARRAYS_H__ */
