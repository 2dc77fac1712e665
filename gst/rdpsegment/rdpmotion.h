/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_MOTION_H__
#define __GST_RDP_MOTION_H__

#include <gst/rdpsegment/rdpmotionobject.h>

G_BEGIN_DECLS

#define GST_TYPE_RDP_SEGMENT_MOTION (gst_rdp_segment_motion_get_type())
#define GST_TYPE_RDP_TRACK_MOTION (gst_rdp_track_motion_get_type())
#define GST_TYPE_RDP_MOTION_FLAGS (gst_rdp_motion_flags_get_type())

typedef struct _GstRdpSegmentMotion GstRdpSegmentMotion;
typedef struct _GstRdpTrackMotion GstRdpTrackMotion;

/**
 * GstRdpMotionFlags:
 * @GST_RDP_MOTION_MOVING: it moves: its velocity is above its uncertainty and above a floor, and
 *   neighbours of it move alike
 * @GST_RDP_MOTION_ABSOLUTE: its velocity is that over ground; else it is relative to the camera
 * @GST_RDP_MOTION_KNOWN: its velocity is known: without that there is no other flag
 *
 * What is known of the velocity of a segment.
 *
 * Since: 0.2
 */
typedef enum {
  GST_RDP_MOTION_MOVING = 1 << 0,
  GST_RDP_MOTION_ABSOLUTE = 1 << 1,
  GST_RDP_MOTION_KNOWN = 1 << 2
} GstRdpMotionFlags;

/**
 * GstRdpSegmentMotion:
 * @tracks: how many tracks it comes from; 0: nothing is known of it
 * @flags: #GstRdpMotionFlags
 * @dx: how far the segment has moved to the right since the frame before, in pixels of the depth
 *   frame; NaN where it is not known
 * @dy: how far down
 * @spread: how far its tracks disagree in that, in pixels, 0 or more
 * @vx: its velocity to the right in the camera's axes, in m/s; NaN where it is not known
 * @vy: its velocity down
 * @vz: its velocity away from the camera
 * @sigma: the standard deviation of the velocity, in m/s, 0 or more
 *
 * How a segment moves. 32 bytes, no padding: an array of them can be read as it is from any
 * language. @dx, @dy and @spread are known together, and so are @vx, @vy, @vz and @sigma.
 *
 * Since: 0.2
 */
struct _GstRdpSegmentMotion {
  guint16 tracks;
  guint16 flags;
  gfloat dx, dy;
  gfloat spread;
  gfloat vx, vy, vz;
  gfloat sigma;
};

/**
 * GstRdpTrackMotion:
 * @id: which feature it is, as #GstRdpTrack has it
 * @x: where it is in the camera's axes, in metres: to the right
 * @y: down
 * @z: away from the camera
 * @vx: its velocity to the right, in m/s
 * @vy: its velocity down
 * @vz: its velocity away from the camera
 * @sigma: the standard deviation of the velocity, in m/s, 0 or more
 *
 * Where a feature is in space, and how it moves. 32 bytes, no padding. What is not known is NaN:
 * the velocity with @sigma, or these and the place. The velocity is that over ground where the
 * camera's own motion is known, and relative to the camera otherwise.
 *
 * Since: 0.2
 */
struct _GstRdpTrackMotion {
  guint32 id;
  gfloat x, y, z;
  gfloat vx, vy, vz;
  gfloat sigma;
};

/**
 * GstRdpMotionInfo:
 * @frame: the frame's number in its stream, from 0
 * @width: the depth frame's width in pixels
 * @height: the depth frame's height
 * @dt: how long ago the frame before was, the last one of which motion was found, in seconds; 0:
 *   there is none
 * @ego_known: whether the camera's own motion since then is known
 * @ego: (array fixed-size=12): that motion: three rows of four numbers, a rotation and metres, from
 *   the camera's axes in the frame before to those in this one; the identity and 0 where it is not
 *   known
 *
 * What motion was found in.
 *
 * Since: 0.2
 */
struct _GstRdpMotionInfo {
  guint64 frame;
  guint width;
  guint height;
  gdouble dt;
  gboolean ego_known;
  gdouble ego[12];

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING_LARGE];
};

GST_RDP_SEGMENT_API
GType gst_rdp_segment_motion_get_type(void);

GST_RDP_SEGMENT_API
GType gst_rdp_track_motion_get_type(void);

GST_RDP_SEGMENT_API
GType gst_rdp_motion_flags_get_type(void);

GST_RDP_SEGMENT_API
void gst_rdp_motion_info_init(GstRdpMotionInfo* info);

GST_RDP_SEGMENT_API
GstRdpMotion* gst_rdp_motion_new(const GstRdpMotionInfo* info, const GstRdpSegmentMotion* segments,
                                 gsize n_segments, const GstRdpTrackMotion* tracks, gsize n_tracks);

GST_RDP_SEGMENT_API
const GstRdpSegmentMotion* gst_rdp_motion_peek_segments(GstRdpMotion* self, gsize* n_segments);

GST_RDP_SEGMENT_API
const GstRdpTrackMotion* gst_rdp_motion_peek_tracks(GstRdpMotion* self, gsize* n_tracks);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_motion_get_segments(GstRdpMotion* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_motion_get_tracks(GstRdpMotion* self);

G_END_DECLS

#endif /* __GST_RDP_MOTION_H__ */
