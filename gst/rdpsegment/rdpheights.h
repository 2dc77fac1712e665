/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_HEIGHTS_H__
#define __GST_RDP_HEIGHTS_H__

#include <gst/rdpsegment/rdpheightsobject.h>

G_BEGIN_DECLS

#define GST_TYPE_RDP_HEAD (gst_rdp_head_get_type())
#define GST_TYPE_RDP_HEAD_TRACK (gst_rdp_head_track_get_type())

typedef struct _GstRdpHead GstRdpHead;
typedef struct _GstRdpHeadTrack GstRdpHeadTrack;

/**
 * GstRdpHead:
 * @column: column of its pixel in the reference picture: the first one with its height, row by row
 * @row: the row of that pixel
 * @votes: number of pixels that stand there: 1 or more
 * @x: its place on the ground along the world's X axis, in metres
 * @y: along its Y axis
 * @height: its height above the ground, in metres
 *
 * A person, or a thing, that stands on the ground. 32 bytes, no padding: an array of them can be
 * read as it is from any language. heightmap gives lengths in whole millimetres, as the closest
 * doubles: 1000 times such a number, rounded to the nearest, is the millimetre again.
 *
 * Since: 0.2
 */
struct _GstRdpHead {
  guint16 column;
  guint16 row;
  guint32 votes;
  gdouble x, y;
  gdouble height;
};

/**
 * GstRdpHeadTrack:
 * @id: the head's number: the same in every frame, from 1
 * @age: number of frames in which it was seen, without the first
 * @vx: its velocity along the world's X axis, in m/s; NaN: unknown
 * @vy: its velocity along the Y axis; NaN: unknown
 *
 * The track of a head. 16 bytes, no padding.
 *
 * Since: 0.3
 */
struct _GstRdpHeadTrack {
  guint32 id;
  guint32 age;
  gfloat vx, vy;
};

/**
 * GstRdpHeightsInfo:
 * @frame: the frame's number in its stream, from 0
 * @width: the reference picture's width in pixels
 * @height: the reference picture's height
 * @views: number of cameras, the reference included: 2 to 16
 * @reference: the number of the view whose pixels have heights, from 0
 * @energy: energy of the labelling: the lower, the better the views agree. Comparable between
 *   frames of one size and one set of properties
 * @known_pixels: number of pixels of the reference picture that have a height
 * @spread: time between the earliest and the latest of the pictures, in ns
 * @iterations: number of half-iterations that were done
 * @ground_columns: number of cells along X of the raster on the ground; 0: there is none
 * @ground_rows: number of cells along Y; 0: there is none
 * @ground_x: the smallest X of the raster, at its cell 0, 0, in metres
 * @ground_y: the smallest Y of the raster, at the same cell, in metres
 * @ground_cell: side of a cell, in metres
 *
 * The frame that heights were found in, and the search's outcome.
 *
 * Since: 0.2
 */
struct _GstRdpHeightsInfo {
  guint64 frame;
  guint width;
  guint height;
  guint views;
  guint reference;
  gint64 energy;
  guint64 known_pixels;
  guint64 spread;
  guint iterations;
  guint ground_columns;
  guint ground_rows;
  gdouble ground_x;
  gdouble ground_y;
  gdouble ground_cell;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING_LARGE];
};

GST_RDP_SEGMENT_API
GType gst_rdp_head_get_type(void);

GST_RDP_SEGMENT_API
GType gst_rdp_head_track_get_type(void);

GST_RDP_SEGMENT_API
void gst_rdp_heights_info_init(GstRdpHeightsInfo* info);

GST_RDP_SEGMENT_API
GstRdpHeights* gst_rdp_heights_new(const GstRdpHeightsInfo* info, const GstRdpHead* heads,
                                   gsize n_heads);

GST_RDP_SEGMENT_API
GstRdpHeights* gst_rdp_heights_new_with_tracks(const GstRdpHeightsInfo* info,
                                               const GstRdpHead* heads,
                                               const GstRdpHeadTrack* head_tracks, gsize n_heads,
                                               const guint32* lost_heads, gsize n_lost_heads);

GST_RDP_SEGMENT_API
gdouble gst_rdp_heights_get_known(GstRdpHeights* self);

GST_RDP_SEGMENT_API
const GstRdpHead* gst_rdp_heights_peek_heads(GstRdpHeights* self, gsize* n_heads);

GST_RDP_SEGMENT_API
const GstRdpHeadTrack* gst_rdp_heights_peek_head_tracks(GstRdpHeights* self, gsize* n_head_tracks);

GST_RDP_SEGMENT_API
const guint32* gst_rdp_heights_peek_lost_heads(GstRdpHeights* self, gsize* n_lost_heads);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_heights_get_heads(GstRdpHeights* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_heights_get_head_tracks(GstRdpHeights* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_heights_get_lost_heads(GstRdpHeights* self);

G_END_DECLS

#endif /* __GST_RDP_HEIGHTS_H__ */
