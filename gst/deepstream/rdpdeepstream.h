/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_DEEPSTREAM_H__
#define __GST_RDP_DEEPSTREAM_H__

#include <gst/rdpsegment/rdpsegment.h>
#include <nvdsmeta.h>

/* Segments as DeepStream's metadata: on a frame, for any element after this one, and as lines that
 * nvdsosd draws. Needs DeepStream's headers, and its libnvds_meta when a program is linked. Its
 * structures differ from release to release, so this is a static library: build it with the
 * headers of the release it runs on. */

G_BEGIN_DECLS

typedef struct _GstRdpDeepStreamLines GstRdpDeepStreamLines;

/**
 * GstRdpDeepStreamLines:
 * @width: the width of the picture that is drawn on, in pixels; 0: as the frame's metadata says
 * @height: its height, in pixels; 0: as the frame's metadata says
 * @column_step: a line for the segments of each so many columns, from the first; at least 1
 * @line_width: thickness of the lines in pixels; at least 1
 * @palette_min: the value at the far end of the palette, which is dark blue
 * @palette_max: the value at its near end, which is yellow. Equal to @palette_min: the ends are the
 *   smallest and the largest mean value of the drawn segments
 * @alpha: 0 (invisible) to 1 (opaque)
 *
 * The style of drawn segments.
 *
 * Since: 0.2
 */
struct _GstRdpDeepStreamLines {
  guint width;
  guint height;
  guint column_step;
  guint line_width;
  gdouble palette_min;
  gdouble palette_max;
  gdouble alpha;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING];
};

NvDsMetaType gst_rdp_deepstream_get_meta_type(void);

NvDsUserMeta* gst_rdp_deepstream_add_segmentation(NvDsBatchMeta* batch, NvDsFrameMeta* frame,
                                                  GstRdpSegmentation* segmentation);

GstRdpSegmentation* gst_rdp_deepstream_get_segmentation(const NvDsFrameMeta* frame);

void gst_rdp_deepstream_lines_init(GstRdpDeepStreamLines* lines);

guint gst_rdp_deepstream_add_lines(NvDsBatchMeta* batch, NvDsFrameMeta* frame,
                                   GstRdpSegmentation* segmentation,
                                   const GstRdpDeepStreamLines* lines);

G_END_DECLS

#endif /* __GST_RDP_DEEPSTREAM_H__ */
