/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_PLANES_H__
#define __GST_RDP_PLANES_H__

#include <gst/rdpsegment/rdpplanesobject.h>

G_BEGIN_DECLS

#define GST_TYPE_RDP_PLANE (gst_rdp_plane_get_type())
#define GST_TYPE_RDP_PLANE_CORNER (gst_rdp_plane_corner_get_type())

typedef struct _GstRdpPlane GstRdpPlane;
typedef struct _GstRdpPlaneCorner GstRdpPlaneCorner;

/**
 * GstRdpPlane:
 * @normal_x: x of the normal, which has length 1 and points away from the origin
 * @normal_y: y of the normal
 * @normal_z: z of the normal
 * @distance: distance of the plane from the origin in metres, not below 0: normal . p = distance
 * @centroid_x: x of the mean of the points that belong to it, in metres
 * @centroid_y: y of that mean
 * @centroid_z: z of that mean
 * @rms: root of the mean squared distance of its points from it, in metres
 * @area: area of its hull in square metres; 0 where hulls were not wanted
 * @inliers: number of pixels or points that belong to it
 * @votes: number of pixels or points that voted for it
 * @box_x: first column of its pixels; 0 in clouds without rows
 * @box_y: first row of its pixels
 * @box_width: columns from its first to its last pixel
 * @box_height: rows from its first to its last pixel
 * @first_corner: index of its first corner in the array of all corners
 * @n_corners: number of corners of its hull
 *
 * A plane. 64 bytes, no padding: an array of them can be read as it is from any language. Axes are
 * those of the frame's camera (x right, y down, z forward) or of the cloud.
 *
 * Since: 0.2
 */
struct _GstRdpPlane {
  gfloat normal_x, normal_y, normal_z;
  gfloat distance;
  gfloat centroid_x, centroid_y, centroid_z;
  gfloat rms;
  gfloat area;
  guint32 inliers;
  guint32 votes;
  guint16 box_x, box_y;
  guint16 box_width, box_height;
  guint32 first_corner;
  guint32 n_corners;

  /*< private >*/
  guint32 _gst_reserved;
};

/**
 * GstRdpPlaneCorner:
 * @column: column of its pixel; -1 in clouds
 * @row: row of its pixel; -1 in clouds
 * @x: x of the corner on the plane, in metres
 * @y: y of it
 * @z: z of it
 *
 * A corner of a plane's convex hull. 20 bytes, no padding. The corners of a plane go around it
 * once; in frames clockwise as the picture shows them.
 *
 * Since: 0.2
 */
struct _GstRdpPlaneCorner {
  gint32 column;
  gint32 row;
  gfloat x, y, z;
};

/**
 * GstRdpPlanesInfo:
 * @frame: the frame's or cloud's number in its stream, from 0
 * @width: the frame's width in pixels, or that of an organised cloud in points; else 0
 * @height: the frame's height, or that of an organised cloud; else 0
 * @n_points: number of pixels or points: labels has as many bytes
 * @cloud: %TRUE for a point cloud
 * @calibrated: %TRUE if a camera was known, and for clouds; otherwise angles and lengths follow
 *   from a guess
 * @focal_length: focal length along the rows in pixels; 0 in clouds
 * @focal_length_y: focal length along the columns in pixels
 * @principal_x: column of the principal point
 * @principal_y: row of the principal point
 * @noise: depth noise at 1 m, in 1/m, measured or given; 0 in clouds
 * @tolerance: the tolerance in metres
 * @min_inliers: smallest number of pixels or points of a plane
 * @ground: index of the plane that is the ground, or -1
 * @camera_height: the camera's height above the ground in metres; 0 without ground
 * @pitch: the camera's pitch against the ground in rad; above 0: it looks down
 * @roll: its roll in rad; above 0: the right side of the picture is lower
 *
 * The frame or cloud that planes were found in, and the search's parameters.
 *
 * Since: 0.2
 */
struct _GstRdpPlanesInfo {
  guint64 frame;
  guint width;
  guint height;
  guint64 n_points;
  gboolean cloud;
  gboolean calibrated;
  gdouble focal_length;
  gdouble focal_length_y;
  gdouble principal_x;
  gdouble principal_y;
  gdouble noise;
  gdouble tolerance;
  guint64 min_inliers;
  gint ground;
  gdouble camera_height;
  gdouble pitch;
  gdouble roll;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING_LARGE];
};

GST_RDP_SEGMENT_API
GType gst_rdp_plane_get_type(void);

GST_RDP_SEGMENT_API
GType gst_rdp_plane_corner_get_type(void);

GST_RDP_SEGMENT_API
void gst_rdp_planes_info_init(GstRdpPlanesInfo* info);

GST_RDP_SEGMENT_API
GstRdpPlanes* gst_rdp_planes_new(const GstRdpPlanesInfo* info, const GstRdpPlane* planes,
                                 gsize n_planes, const GstRdpPlaneCorner* corners, gsize n_corners,
                                 const guint8* labels, gsize n_labels);

GST_RDP_SEGMENT_API
gsize gst_rdp_planes_get_n_planes(GstRdpPlanes* self);

GST_RDP_SEGMENT_API
gsize gst_rdp_planes_get_n_corners(GstRdpPlanes* self);

GST_RDP_SEGMENT_API
const GstRdpPlane* gst_rdp_planes_peek_planes(GstRdpPlanes* self, gsize* n_planes);

GST_RDP_SEGMENT_API
const GstRdpPlaneCorner* gst_rdp_planes_peek_corners(GstRdpPlanes* self, gsize* n_corners);

GST_RDP_SEGMENT_API
gboolean gst_rdp_planes_fetch_labels(GstRdpPlanes* self, GError** error);

GST_RDP_SEGMENT_API
const guint8* gst_rdp_planes_peek_labels(GstRdpPlanes* self, gsize* n_labels);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_planes_get_planes(GstRdpPlanes* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_planes_get_corners(GstRdpPlanes* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_planes_get_labels(GstRdpPlanes* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_planes_to_ply(GstRdpPlanes* self);

G_END_DECLS

#endif /* __GST_RDP_PLANES_H__ */
