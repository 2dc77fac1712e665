/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_OBSTACLES_H__
#define __GST_RDP_OBSTACLES_H__

#include <gst/rdpsegment/rdpobstaclesobject.h>

G_BEGIN_DECLS

#define GST_TYPE_RDP_OBSTACLE (gst_rdp_obstacle_get_type())

typedef struct _GstRdpObstacle GstRdpObstacle;

/**
 * GstRdpObstacleFlags:
 * @GST_RDP_OBSTACLE_CUT: its pixels touch the edge of the frame: a part of it may be missing
 * @GST_RDP_OBSTACLE_SPEED: its velocity is known
 * @GST_RDP_OBSTACLE_OVER_GROUND: the velocity is over ground; otherwise relative to the camera
 * @GST_RDP_OBSTACLE_MOTION: the velocity comes from the motion of segments in its pixels
 *
 * Facts about an obstacle. The last two come with %GST_RDP_OBSTACLE_SPEED alone.
 *
 * Since: 0.2
 */
typedef enum {
  GST_RDP_OBSTACLE_CUT = 1 << 0,
  GST_RDP_OBSTACLE_SPEED = 1 << 1,
  GST_RDP_OBSTACLE_OVER_GROUND = 1 << 2,
  GST_RDP_OBSTACLE_MOTION = 1 << 3
} GstRdpObstacleFlags;

/**
 * GstRdpObstacle:
 * @id: its number: the same in every frame, from 1
 * @age: number of frames in which it was seen, without the first
 * @x: position of its rectangle's centre forward, in metres
 * @y: position of that centre to the left, in metres
 * @length: the longer side of the rectangle, in metres
 * @width: the shorter side
 * @height: its height above the ground, in metres
 * @yaw: direction of the longer side in rad, from x towards y: above -pi / 2, at most pi / 2
 * @distance: from the point on the ground below the camera to the nearest part of it, in metres
 * @vx: its velocity forward, in m/s; NaN: unknown
 * @vy: its velocity to the left; NaN: unknown
 * @samples: number of its pixels
 * @cells: number of its cells
 * @flags: a sum of #GstRdpObstacleFlags
 * @column: first column of its pixels
 * @row: first row of them
 * @columns: columns from its first to its last pixel
 * @rows: rows from its first to its last pixel
 *
 * An object on the ground: a rectangle, a height, a track. 64 bytes, no padding: an array of them
 * can be read as it is from any language. Axes are those of #GstRdpObstaclesInfo.
 *
 * Since: 0.2
 */
struct _GstRdpObstacle {
  guint32 id;
  guint32 age;
  gfloat x, y;
  gfloat length, width;
  gfloat height;
  gfloat yaw;
  gfloat distance;
  gfloat vx, vy;
  guint32 samples;
  guint32 cells;
  guint32 flags;
  guint16 column, row;
  guint16 columns, rows;
};

/**
 * GstRdpCellState:
 * @GST_RDP_CELL_UNKNOWN: nothing is known of it, or it is outside the area
 * @GST_RDP_CELL_FREE: ground, with nothing on it
 * @GST_RDP_CELL_OCCUPIED: an obstacle is in it
 * @GST_RDP_CELL_DROP: the ground is missing: a step down, a hole
 *
 * The state of a cell of the grid.
 *
 * Since: 0.2
 */
typedef enum {
  GST_RDP_CELL_UNKNOWN = 0,
  GST_RDP_CELL_FREE = 1,
  GST_RDP_CELL_OCCUPIED = 2,
  GST_RDP_CELL_DROP = 3
} GstRdpCellState;

/**
 * GstRdpGroundSource:
 * @GST_RDP_GROUND_NONE: there was none
 * @GST_RDP_GROUND_SEGMENTS: the ground of rdpsegment's classes
 * @GST_RDP_GROUND_PLANES: the ground plane of depthplanes
 * @GST_RDP_GROUND_POSE: the pose of the camera
 * @GST_RDP_GROUND_GIVEN: the camera's height, pitch and roll as properties
 * @GST_RDP_GROUND_HELD: the ground of an earlier frame
 *
 * The source of the ground that obstacles stand on.
 *
 * Since: 0.2
 */
typedef enum {
  GST_RDP_GROUND_NONE = 0,
  GST_RDP_GROUND_SEGMENTS = 1,
  GST_RDP_GROUND_PLANES = 2,
  GST_RDP_GROUND_POSE = 3,
  GST_RDP_GROUND_GIVEN = 4,
  GST_RDP_GROUND_HELD = 5
} GstRdpGroundSource;

/**
 * GstRdpObstaclesInfo:
 * @frame: the frame's number in its stream, from 0
 * @width: the frame's width in pixels
 * @height: the frame's height
 * @ground: the source of the ground
 * @refined: %TRUE if the ground was refined in this frame
 * @camera_height: the camera's height above the ground in metres; 0 without ground
 * @pitch: the camera's pitch against the ground in rad; above 0: it looks down
 * @roll: its roll in rad; above 0: the right side of the picture is lower
 * @axes: (array fixed-size=9): three rows of three numbers: forward (x), left (y) and up (z) as
 *   unit vectors in the camera's axes; the identity without ground
 * @grid_columns: number of cells along x
 * @grid_rows: number of cells along y
 * @grid_x: the smallest x of the grid, at its cell 0, 0, in metres
 * @grid_y: the smallest y of the grid, at the same cell, in metres
 * @cell_size: side of a cell, in metres; 0 without a grid
 * @angle_min: direction of the first bearing's middle in rad, from x towards y
 * @angle_increment: from one bearing to the next, in rad
 * @range_max: the range in metres: what is farther is unknown
 *
 * The frame that obstacles were found in, and the places of its grid and its bearings. The axes of
 * all places are x forward, y left and z up. Their origin is on the ground below the camera.
 * Bearings go from the right to the left.
 *
 * Since: 0.2
 */
struct _GstRdpObstaclesInfo {
  guint64 frame;
  guint width;
  guint height;
  GstRdpGroundSource ground;
  gboolean refined;
  gdouble camera_height;
  gdouble pitch;
  gdouble roll;
  gdouble axes[9];
  guint grid_columns;
  guint grid_rows;
  gdouble grid_x;
  gdouble grid_y;
  gdouble cell_size;
  gdouble angle_min;
  gdouble angle_increment;
  gdouble range_max;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING_LARGE];
};

GST_RDP_SEGMENT_API
GType gst_rdp_obstacle_get_type(void);

GST_RDP_SEGMENT_API
const gchar* gst_rdp_ground_source_get_name(GstRdpGroundSource source);

GST_RDP_SEGMENT_API
void gst_rdp_obstacles_info_init(GstRdpObstaclesInfo* info);

GST_RDP_SEGMENT_API
GstRdpObstacles* gst_rdp_obstacles_new(const GstRdpObstaclesInfo* info,
                                       const GstRdpObstacle* objects, gsize n_objects,
                                       const guint32* lost, gsize n_lost, const guint32* hidden,
                                       gsize n_hidden, const gfloat* ranges, const gfloat* free,
                                       gsize n_bins, const guint8* states, const guint16* tops,
                                       gsize n_cells);

GST_RDP_SEGMENT_API
const GstRdpObstacle* gst_rdp_obstacles_peek_objects(GstRdpObstacles* self, gsize* n_objects);

GST_RDP_SEGMENT_API
const guint32* gst_rdp_obstacles_peek_lost(GstRdpObstacles* self, gsize* n_lost);

GST_RDP_SEGMENT_API
const guint32* gst_rdp_obstacles_peek_hidden(GstRdpObstacles* self, gsize* n_hidden);

GST_RDP_SEGMENT_API
const gfloat* gst_rdp_obstacles_peek_ranges(GstRdpObstacles* self, gsize* n_bins);

GST_RDP_SEGMENT_API
const gfloat* gst_rdp_obstacles_peek_free(GstRdpObstacles* self, gsize* n_bins);

GST_RDP_SEGMENT_API
const guint8* gst_rdp_obstacles_peek_states(GstRdpObstacles* self, gsize* n_cells);

GST_RDP_SEGMENT_API
const guint16* gst_rdp_obstacles_peek_tops(GstRdpObstacles* self, gsize* n_cells);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_obstacles_get_objects(GstRdpObstacles* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_obstacles_get_lost(GstRdpObstacles* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_obstacles_get_hidden(GstRdpObstacles* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_obstacles_get_ranges(GstRdpObstacles* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_obstacles_get_free(GstRdpObstacles* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_obstacles_get_states(GstRdpObstacles* self);

GST_RDP_SEGMENT_API
GBytes* gst_rdp_obstacles_get_tops(GstRdpObstacles* self);

G_END_DECLS

#endif /* __GST_RDP_OBSTACLES_H__ */
