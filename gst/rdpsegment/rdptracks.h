/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_TRACKS_H__
#define __GST_RDP_TRACKS_H__

#include <gst/rdpsegment/rdptracksobject.h>

G_BEGIN_DECLS

#define GST_TYPE_RDP_TRACK (gst_rdp_track_get_type())
#define GST_TYPE_RDP_LOST_TRACK (gst_rdp_lost_track_get_type())

typedef struct _GstRdpTrack GstRdpTrack;
typedef struct _GstRdpLostTrack GstRdpLostTrack;

/**
 * GstRdpTrack:
 * @id: number of the feature: the same in every frame, from 1
 * @age: number of frames since it was found; 0 in the frame that found it
 * @x: the column where it is, in pixels: whole numbers are the centres of pixels
 * @y: the row where it is
 * @dx: displacement to the right since the template, in pixels; 0 at age 0
 * @dy: displacement down
 * @residual: the mean absolute difference of its window and the template's, in grey levels; 0 at
 *   age 0
 * @quality: the smaller eigenvalue of its window in the template, or at its birth: (grey levels a
 *   pixel)^2, a pixel
 *
 * A feature that is in the frame. 32 bytes, no padding: an array of them can be read as it is from
 * any language. As klttrack makes them, positions and displacements are multiples of 1/1024.
 *
 * Since: 0.2
 */
struct _GstRdpTrack {
  guint32 id;
  guint32 age;
  gfloat x, y;
  gfloat dx, dy;
  gfloat residual;
  gfloat quality;
};

/**
 * GstRdpLostReason:
 * @GST_RDP_LOST_TEXTURE: its window has too little texture
 * @GST_RDP_LOST_OUTSIDE: it left the frame; a given point was not in it
 * @GST_RDP_LOST_RESIDUAL: its window looks too different
 * @GST_RDP_LOST_CHECK: tracked back from where it was found, it does not return
 * @GST_RDP_LOST_CROWDED: another track is in its square of 4x4 pixels
 *
 * The reason that a feature is tracked no longer.
 *
 * Since: 0.2
 */
typedef enum {
  GST_RDP_LOST_TEXTURE = 1,
  GST_RDP_LOST_OUTSIDE = 2,
  GST_RDP_LOST_RESIDUAL = 3,
  GST_RDP_LOST_CHECK = 4,
  GST_RDP_LOST_CROWDED = 5
} GstRdpLostReason;

/**
 * GstRdpLostTrack:
 * @id: number of the feature
 * @reason: a #GstRdpLostReason
 * @x: the column of its last place, in the template or as it was given
 * @y: the row of it
 *
 * A feature that was lost with this frame. 16 bytes, no padding.
 *
 * Since: 0.2
 */
struct _GstRdpLostTrack {
  guint32 id;
  guint32 reason;
  gfloat x, y;
};

/**
 * GstRdpTracksInfo:
 * @frame: the frame's number in its stream, from 0
 * @width: the frame's width in pixels
 * @height: the frame's height
 * @template_pts: the timestamp of the frame that displacements count from;
 *   %GST_CLOCK_TIME_NONE where there is none, or where it had none
 *
 * The frame that features were tracked in.
 *
 * Since: 0.2
 */
struct _GstRdpTracksInfo {
  guint64 frame;
  guint width;
  guint height;
  guint64 template_pts;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING_LARGE];
};

GST_RDP_SEGMENT_API
GType gst_rdp_track_get_type(void);

GST_RDP_SEGMENT_API
GType gst_rdp_lost_track_get_type(void);

GST_RDP_SEGMENT_API
const gchar* gst_rdp_lost_reason_get_name(GstRdpLostReason reason);

GST_RDP_SEGMENT_API
void gst_rdp_tracks_info_init(GstRdpTracksInfo* info);

GST_RDP_SEGMENT_API
GstRdpTracks* gst_rdp_tracks_new(const GstRdpTracksInfo* info, const GstRdpTrack* tracks,
                                 gsize n_tracks, const GstRdpLostTrack* lost, gsize n_lost);

GST_RDP_SEGMENT_API
gboolean gst_rdp_tracks_fetch(GstRdpTracks* self, GError** error);

GST_RDP_SEGMENT_API
const GstRdpTrack* gst_rdp_tracks_peek_tracks(GstRdpTracks* self, gsize* n_tracks);

GST_RDP_SEGMENT_API
const GstRdpLostTrack* gst_rdp_tracks_peek_lost(GstRdpTracks* self, gsize* n_lost);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_tracks_get_tracks(GstRdpTracks* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_tracks_get_lost(GstRdpTracks* self);

G_END_DECLS

#endif /* __GST_RDP_TRACKS_H__ */
