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
 * @GST_RDP_MOTION_MOVING: the segment moves: its speed exceeds its uncertainty and a minimum, and
 *   neighbouring segments move alike
 * @GST_RDP_MOTION_ABSOLUTE: the velocity is over ground; otherwise relative to the camera
 * @GST_RDP_MOTION_KNOWN: the velocity is known; the other flags need this one
 *
 * Facts about the velocity of a segment.
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
 * @tracks: number of tracks that it was estimated from; 0: its motion is unknown
 * @flags: #GstRdpMotionFlags
 * @dx: displacement to the right since the previous frame, in pixels of the depth frame; NaN if
 *   unknown
 * @dy: displacement down
 * @spread: disagreement of its tracks about the displacement, in pixels, 0 or more
 * @vx: its velocity to the right in the camera's axes, in m/s; NaN if unknown
 * @vy: its velocity down
 * @vz: its velocity away from the camera
 * @sigma: the standard deviation of the velocity, in m/s, 0 or more
 *
 * The motion of a segment. 32 bytes, no padding: an array of them can be read as it is from any
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
 * @id: number of the feature, as in #GstRdpTrack
 * @x: place to the right in the camera's axes, in metres
 * @y: place downwards
 * @z: depth Z, along the axis of the camera
 * @vx: its velocity to the right, in m/s
 * @vy: its velocity down
 * @vz: its velocity away from the camera
 * @sigma: the standard deviation of the velocity, in m/s, 0 or more
 *
 * The place and the motion of a feature in space. 32 bytes, no padding. Unknown values are NaN:
 * the velocity with @sigma, or these and the place. The velocity is over ground if the camera's
 * own motion is known, otherwise relative to the camera.
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
 * @dt: time since the previous frame with motion, in seconds; 0: there is none
 * @ego_known: %TRUE if @ego is known
 * @ego: (array fixed-size=12): the camera's motion since the previous frame, a rotation and metres
 *   as three rows of four numbers. It maps points from the camera's axes in the previous frame to
 *   those in this one; the identity and 0 if unknown
 *
 * The frame that motion was found in.
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
