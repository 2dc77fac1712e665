/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_SEGMENTATION_H__
#define __GST_RDP_SEGMENTATION_H__

#include <gst/rdpsegment/rdpsegmentationobject.h>

G_BEGIN_DECLS

#define GST_TYPE_RDP_SEGMENT (gst_rdp_segment_get_type())

typedef struct _GstRdpSegment GstRdpSegment;

/**
 * GstRdpSegment:
 * @first_row: the row of the upper end, 0 is the top of the frame
 * @last_row: the row of the lower end, which belongs to the segment
 * @first_value: the value at @first_row, in sample steps
 * @last_value: the value at @last_row, in sample steps
 *
 * A straight line in one column between two rows with known samples. 12 bytes, no padding: an array
 * of them can be read as it is from any language.
 *
 * Neighbouring segments of a column share their end, which is a sample. Segments that were refined
 * or merged (see the info) share no row, and their values lie between the samples.
 *
 * Since: 0.2
 */
struct _GstRdpSegment {
  guint16 first_row;
  guint16 last_row;
  gfloat first_value;
  gfloat last_value;
};

/**
 * GstRdpDomain:
 * @GST_RDP_DOMAIN_LINEAR: values are the frame's samples
 * @GST_RDP_DOMAIN_INVERSE: values are inverse depths, inverse-scale / sample
 *
 * The meaning of the values of segments.
 *
 * Since: 0.2
 */
typedef enum { GST_RDP_DOMAIN_LINEAR = 0, GST_RDP_DOMAIN_INVERSE = 1 } GstRdpDomain;

/**
 * GstRdpMedian:
 * @GST_RDP_MEDIAN_NONE: no median
 * @GST_RDP_MEDIAN_3X3: median of the 3x3 window
 * @GST_RDP_MEDIAN_5X5: median of the 5x5 window
 *
 * The median that was taken of the frame before it was segmented.
 *
 * Since: 0.2
 */
typedef enum {
  GST_RDP_MEDIAN_NONE = 0,
  GST_RDP_MEDIAN_3X3 = 3,
  GST_RDP_MEDIAN_5X5 = 5
} GstRdpMedian;

/**
 * GstRdpSegmentClass:
 * @GST_RDP_SEGMENT_CLASS_OTHER: none of the others: steep, overhanging, or a single row
 * @GST_RDP_SEGMENT_CLASS_GROUND: on the ground, or as level as it
 * @GST_RDP_SEGMENT_CLASS_UPRIGHT: a wall, a vehicle's rear, a person
 * @GST_RDP_SEGMENT_CLASS_FAR: too far away to be told from the sky
 *
 * The class of a segment, from its slope and its level in disparity or inverse depth.
 *
 * Since: 0.2
 */
typedef enum {
  GST_RDP_SEGMENT_CLASS_OTHER = 0,
  GST_RDP_SEGMENT_CLASS_GROUND = 1,
  GST_RDP_SEGMENT_CLASS_UPRIGHT = 2,
  GST_RDP_SEGMENT_CLASS_FAR = 3
} GstRdpSegmentClass;

/**
 * GstRdpFit:
 * @GST_RDP_FIT_SQUARES: least squares: the smallest sum of the squared distances of its samples
 * @GST_RDP_FIT_ABSOLUTE: approximate least absolute deviations: near the smallest sum of the
 *   distances
 *
 * The criterion for the line of a refined or merged segment.
 *
 * Since: 0.2
 */
typedef enum { GST_RDP_FIT_SQUARES = 0, GST_RDP_FIT_ABSOLUTE = 1 } GstRdpFit;

/**
 * GstRdpSegmentationInfo:
 * @frame: the frame's number in its stream, from 0
 * @width: the frame's width in pixels
 * @height: the frame's height in pixels
 * @epsilon: the tolerance, in sample steps times @sample_scale
 * @sample_scale: value of a sample step, in the unit of @epsilon
 * @min_value: the smallest known sample, 0 to 65535
 * @max_value: the largest known sample, 0 to 65535
 * @domain: meaning of the values
 * @fit: criterion for the lines of @refine and @merge
 * @inverse_scale: the scale of the inverse domain
 * @median: the median before the segmentation
 * @column_width: number of pixel columns that one segmented column covers; the last may be
 *   narrower
 * @merge_cost: cost of a segment when neighbours were joined, in the unit of @epsilon; 0: 4 times
 *   @epsilon
 * @max_gap: largest number of unknown rows in a row that a segment bridges; 0: any number
 * @refine: %TRUE if the segments are fitted lines (see @fit) that share no rows. With @merge they
 *   are, too
 * @merge: %TRUE if neighbouring segments were joined
 * @classify: %TRUE if segments have classes
 * @ground_slope: expected slope of the ground, in the unit of @epsilon a row; 0: as the frame
 *   shows it
 * @far_value: largest value of segments that are far, in the unit of @epsilon; below 0: @epsilon
 * @ground_offset: value at pixel (0, 0) of the ground plane used for the classes, in 2^-32 sample
 *   steps
 * @ground_per_column: rise of the plane's value per column, in 2^-32 sample steps; 0 for a level
 *   camera
 * @ground_per_row: rise of the plane's value per row, above 0. All three 0: no plane is known, and
 *   the ground is estimated from the segments
 * @merge_bounded: %TRUE if no segments were joined into a line that ends more than @epsilon beyond
 *   the ends of the lines that were joined
 *
 * The frame that was segmented, and the parameters.
 *
 * Since: 0.2
 */
struct _GstRdpSegmentationInfo {
  guint64 frame;
  guint width;
  guint height;
  gdouble epsilon;
  gdouble sample_scale;
  guint min_value;
  guint max_value;
  GstRdpDomain domain;
  GstRdpFit fit;
  gdouble inverse_scale;
  GstRdpMedian median;
  guint column_width;
  gdouble merge_cost;
  guint max_gap;
  gboolean refine;
  gboolean merge;
  gboolean classify;
  gdouble ground_slope;
  gdouble far_value;
  gint64 ground_offset;
  gint64 ground_per_column;
  gint64 ground_per_row;
  gboolean merge_bounded;

  /*< private >*/
  guint32 _gst_reserved;
};

GST_RDP_SEGMENT_API
GType gst_rdp_segment_get_type(void);

GST_RDP_SEGMENT_API
void gst_rdp_segmentation_info_init(GstRdpSegmentationInfo* info);

GST_RDP_SEGMENT_API
GstRdpSegmentation* gst_rdp_segmentation_new(const GstRdpSegmentationInfo* info,
                                             const guint32* offsets, gsize n_offsets,
                                             const GstRdpSegment* segments, gsize n_segments);

GST_RDP_SEGMENT_API
guint gst_rdp_segmentation_get_n_columns(GstRdpSegmentation* self);

GST_RDP_SEGMENT_API
gsize gst_rdp_segmentation_get_n_segments(GstRdpSegmentation* self);

GST_RDP_SEGMENT_API
gboolean gst_rdp_segmentation_fetch(GstRdpSegmentation* self, GError** error);

GST_RDP_SEGMENT_API
const GstRdpSegment* gst_rdp_segmentation_get_column(GstRdpSegmentation* self, guint column,
                                                     gsize* n_segments);

GST_RDP_SEGMENT_API
const guint32* gst_rdp_segmentation_peek_offsets(GstRdpSegmentation* self, gsize* n_offsets);

GST_RDP_SEGMENT_API
const GstRdpSegment* gst_rdp_segmentation_peek_segments(GstRdpSegmentation* self,
                                                        gsize* n_segments);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_segmentation_get_offsets(GstRdpSegmentation* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_segmentation_get_segments(GstRdpSegmentation* self);

GST_RDP_SEGMENT_API
gboolean gst_rdp_segmentation_get_ground(GstRdpSegmentation* self, gdouble* slope,
                                         gdouble* horizon);

GST_RDP_SEGMENT_API
const guint8* gst_rdp_segmentation_peek_classes(GstRdpSegmentation* self, gsize* n_classes);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_segmentation_get_classes(GstRdpSegmentation* self);

G_END_DECLS

#endif /* __GST_RDP_SEGMENTATION_H__ */
