/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_TRACKS_H__
#define __GST_RDP_TRACKS_H__

#include <gst/rdpsegment/rdptracksobject.h>

G_BEGIN_DECLS

#define GST_TYPE_RDP_TRACK (gst_rdp_track_get_type())
#define GST_TYPE_RDP_LOST_TRACK (gst_rdp_lost_track_get_type())
#define GST_TYPE_RDP_TRACK_WARP (gst_rdp_track_warp_get_type())

typedef struct _GstRdpTrack GstRdpTrack;
typedef struct _GstRdpLostTrack GstRdpLostTrack;
typedef struct _GstRdpTrackWarp GstRdpTrackWarp;

/**
 * GstRdpTrack:
 * @id: number of the feature: the same in every frame, from 1
 * @age: number of frames since it was found; 0 in the frame that found it
 * @x: its column in pixels; whole numbers are the centres of pixels
 * @y: its row in pixels
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
 * @GST_RDP_LOST_CHECK: it fails the forward-backward check: tracked back, it does not return
 * @GST_RDP_LOST_CROWDED: another track is in its square of 4x4 pixels
 * @GST_RDP_LOST_TEMPLATE: its patch does not fit, or fits too far away (Since: 0.3)
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
  GST_RDP_LOST_CROWDED = 5,
  GST_RDP_LOST_TEMPLATE = 6
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
 * GstRdpTrackWarp:
 * @a: columns to the right of the feature, for each column at its birth
 * @b: columns to the right, for each row down at its birth
 * @c: rows down, for each column at its birth
 * @d: rows down, for each row at its birth
 * @residual: the mean absolute difference of its patch and the warped window, in grey levels; 0
 *   where no patch was fitted in this frame
 * @age: number of frames since the fitted patch was taken; 0 where none was fitted in this frame
 *
 * The affine warp of a feature since its birth. An offset (x, y) from it at its birth became
 * (a x + b y, c x + d y) at the last fit. 24 bytes, no padding. As klttrack makes them, the four
 * numbers are multiples of 1/16384.
 *
 * Since: 0.3
 */
struct _GstRdpTrackWarp {
  gfloat a, b;
  gfloat c, d;
  gfloat residual;
  guint32 age;
};

/**
 * GstRdpTracksInfo:
 * @frame: the frame's number in its stream, from 0
 * @width: the frame's width in pixels
 * @height: the frame's height
 * @template_pts: the timestamp of the frame that displacements count from; %GST_CLOCK_TIME_NONE if
 *   there is no such frame, or if it has no timestamp
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
GType gst_rdp_track_warp_get_type(void);

GST_RDP_SEGMENT_API
const gchar* gst_rdp_lost_reason_get_name(GstRdpLostReason reason);

GST_RDP_SEGMENT_API
void gst_rdp_tracks_info_init(GstRdpTracksInfo* info);

GST_RDP_SEGMENT_API
GstRdpTracks* gst_rdp_tracks_new(const GstRdpTracksInfo* info, const GstRdpTrack* tracks,
                                 gsize n_tracks, const GstRdpLostTrack* lost, gsize n_lost);

GST_RDP_SEGMENT_API
GstRdpTracks* gst_rdp_tracks_new_with_warps(const GstRdpTracksInfo* info, const GstRdpTrack* tracks,
                                            gsize n_tracks, const GstRdpLostTrack* lost,
                                            gsize n_lost, const GstRdpTrackWarp* warps,
                                            gsize n_warps);

GST_RDP_SEGMENT_API
gboolean gst_rdp_tracks_fetch(GstRdpTracks* self, GError** error);

GST_RDP_SEGMENT_API
const GstRdpTrack* gst_rdp_tracks_peek_tracks(GstRdpTracks* self, gsize* n_tracks);

GST_RDP_SEGMENT_API
const GstRdpLostTrack* gst_rdp_tracks_peek_lost(GstRdpTracks* self, gsize* n_lost);

GST_RDP_SEGMENT_API
const GstRdpTrackWarp* gst_rdp_tracks_peek_warps(GstRdpTracks* self, gsize* n_warps);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_tracks_get_tracks(GstRdpTracks* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_tracks_get_lost(GstRdpTracks* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_tracks_get_warps(GstRdpTracks* self);

G_END_DECLS

#endif /* __GST_RDP_TRACKS_H__ */
