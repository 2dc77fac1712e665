/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_SEGMENTATION_OWNER_H__
#define __GST_RDP_SEGMENTATION_OWNER_H__

#include <gst/rdpsegment/rdpsegmentation.h>

/* Private to the library and the plugin, not installed: how the plugin makes segmentations without
 * copying their arrays, and uses the memory of the objects again for later frames. The arrays stay
 * with an owner, which the library knows by three functions. */

G_BEGIN_DECLS

typedef struct _GstRdpSegmentationArrays GstRdpSegmentationArrays;
typedef struct _GstRdpSegmentationOwnerClass GstRdpSegmentationOwnerClass;

/* The arrays of a segmentation as gst_rdp_segmentation_new() describes them. */
struct _GstRdpSegmentationArrays {
  guint n_columns;
  gsize n_segments;
  const guint32* offsets; /* n_columns + 1 */
  const GstRdpSegment* segments;
};

/* What an owner does. None of the functions may throw. */
struct _GstRdpSegmentationOwnerClass {
  /* Brings arrays that are elsewhere to the host. *arrays has their numbers, and gets the pointers;
   * the memory belongs to the owner. Called at most once for a frame, from whichever thread reads
   * the segments first. FALSE: they cannot be had, and *why says why, in memory that lives as long
   * as the owner. Null for owners whose arrays are always on the host. */
  gboolean (*fetch)(gpointer owner, GstRdpSegmentationArrays* arrays, const gchar** why);

  /* Nobody refers to the segmentation any more. Its memory, `blank`, belongs to the owner now: for
   * gst_rdp_segmentation_blank_fill(), or gst_rdp_segmentation_blank_free(). Null: the library
   * frees it and calls destroy(). */
  void (*recycle)(gpointer owner, GstRdpSegmentation* blank);

  /* Of owners without recycle(): nobody needs the arrays any more. */
  void (*destroy)(gpointer owner);
};

/* Memory for a segmentation, which is none yet: only the functions here may be called with it.
 * Null where there is no memory. */
GST_RDP_SEGMENT_API
GstRdpSegmentation* gst_rdp_segmentation_blank_new(void);

/* Frees memory that is no segmentation, or no longer is one. Its owner is not called. */
GST_RDP_SEGMENT_API
void gst_rdp_segmentation_blank_free(GstRdpSegmentation* blank);

/* Makes a segmentation of the memory, with one reference. Nothing is checked. Where
 * arrays->offsets is null, the arrays are elsewhere until they are read. Allocates nothing. */
GST_RDP_SEGMENT_API
void gst_rdp_segmentation_blank_fill(GstRdpSegmentation* blank, const GstRdpSegmentationInfo* info,
                                     const GstRdpSegmentationArrays* arrays,
                                     const GstRdpSegmentationOwnerClass* owner_class,
                                     gpointer owner);

G_END_DECLS

#endif /* __GST_RDP_SEGMENTATION_OWNER_H__ */
