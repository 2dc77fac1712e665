/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_CAMERA_H__
#define __GST_RDP_CAMERA_H__

#include <gst/rdpsegment/prelude.h>

G_BEGIN_DECLS

#define GST_TYPE_RDP_CAMERA_INFO (gst_rdp_camera_info_get_type())
#define GST_TYPE_RDP_CAMERA (gst_rdp_camera_get_type())
#define GST_RDP_CAMERA(obj) ((GstRdpCamera*)(obj))
#define GST_IS_RDP_CAMERA(obj) (GST_IS_MINI_OBJECT_TYPE(obj, GST_TYPE_RDP_CAMERA))

/**
 * GstRdpCamera:
 *
 * The geometry of a camera and what the samples of its depth frames measure. Immutable and
 * reference counted (a #GstMiniObject): every frame of a stream shares it, and any thread may read
 * it.
 *
 * Axes: x to the right, y down, z forward, in metres. Pixel centres are whole numbers and the first
 * is (0, 0), as in OpenCV, ROS and KITTI.
 *
 * Since: 0.2
 */
typedef struct _GstRdpCamera GstRdpCamera;
typedef struct _GstRdpCameraInfo GstRdpCameraInfo;

/**
 * GstRdpMeasure:
 * @GST_RDP_MEASURE_UNKNOWN: not known
 * @GST_RDP_MEASURE_DISPARITY: samples are disparities:
 *   Z = focal-length * baseline / (sample * disparity-unit + disparity-offset)
 * @GST_RDP_MEASURE_DEPTH: samples are depths: Z = sample * depth-unit
 *
 * The meaning of the samples of a depth frame.
 *
 * Since: 0.2
 */
typedef enum {
  GST_RDP_MEASURE_UNKNOWN = 0,
  GST_RDP_MEASURE_DISPARITY = 1,
  GST_RDP_MEASURE_DEPTH = 2
} GstRdpMeasure;

/**
 * GstRdpCameraInfo:
 * @width: width of the camera's picture in pixels; 0: unknown
 * @height: height of that picture in pixels; 0: unknown
 * @focal_length: focal length along the rows, in pixels; above 0
 * @focal_length_y: focal length along the columns, in pixels; above 0
 * @principal_x: column of the principal point, in pixels
 * @principal_y: row of the principal point, in pixels
 * @distortion: (array fixed-size=8): OpenCV's k1, k2, p1, p2, k3, k4, k5, k6; all 0: none
 * @rectified: %TRUE if the picture is one of a rectified pair, or needs no rectification. Otherwise
 *   disparity has no meaning
 * @baseline: distance to the other camera of the pair, in metres; 0: unknown
 * @disparity_offset: column of the principal point of the right view minus the left view's, in
 *   pixels
 * @measures: the meaning of samples
 * @disparity_unit: pixels per sample step; 0: unknown
 * @depth_unit: metres per sample step; 0: unknown
 * @has_pose: %TRUE if @pose is known
 * @pose: (array fixed-size=12): world from camera, three rows of four numbers, metres
 * @has_projection: %TRUE if @projection is known
 * @projection: (array fixed-size=12): projection matrix, world to image, with any scale factor:
 *   three rows of four numbers
 *
 * The facts that a #GstRdpCamera knows.
 *
 * Since: 0.2
 */
struct _GstRdpCameraInfo {
  guint width;
  guint height;
  gdouble focal_length;
  gdouble focal_length_y;
  gdouble principal_x;
  gdouble principal_y;
  gdouble distortion[8];
  gboolean rectified;
  gdouble baseline;
  gdouble disparity_offset;
  GstRdpMeasure measures;
  gdouble disparity_unit;
  gdouble depth_unit;
  gboolean has_pose;
  gdouble pose[12];
  gboolean has_projection;
  gdouble projection[12];

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING_LARGE];
};

GST_RDP_SEGMENT_API
GType gst_rdp_camera_info_get_type(void);

GST_RDP_SEGMENT_API
void gst_rdp_camera_info_init(GstRdpCameraInfo* info);

GST_RDP_SEGMENT_API
GstRdpCameraInfo* gst_rdp_camera_info_copy(const GstRdpCameraInfo* info);

GST_RDP_SEGMENT_API
void gst_rdp_camera_info_free(GstRdpCameraInfo* info);

GST_RDP_SEGMENT_API
GType gst_rdp_camera_get_type(void);

GST_RDP_SEGMENT_API
GstRdpCamera* gst_rdp_camera_new(const GstRdpCameraInfo* info, GError** error);

GST_RDP_SEGMENT_API
const GstRdpCameraInfo* gst_rdp_camera_get_info(GstRdpCamera* self);

GST_RDP_SEGMENT_API
gboolean gst_rdp_camera_measures_metres(GstRdpCamera* self, GError** error);

GST_RDP_SEGMENT_API
GstRdpCamera* gst_rdp_camera_scale(GstRdpCamera* self, guint width, guint height);

GST_RDP_SEGMENT_API
GstRdpCamera* gst_rdp_camera_crop(GstRdpCamera* self, guint x, guint y, guint width, guint height);

GST_RDP_SEGMENT_API
gdouble gst_rdp_camera_get_depth(GstRdpCamera* self, gdouble sample);

GST_RDP_SEGMENT_API
gboolean gst_rdp_camera_unproject(GstRdpCamera* self, gdouble column, gdouble row, gdouble* x,
                                  gdouble* y);

GST_RDP_SEGMENT_API
gboolean gst_rdp_camera_project(GstRdpCamera* self, gdouble x, gdouble y, gdouble z,
                                gdouble* column, gdouble* row);

GST_RDP_SEGMENT_API
gchar* gst_rdp_camera_to_json(GstRdpCamera* self);

GST_RDP_SEGMENT_API
GstRdpCamera* gst_rdp_camera_new_from_json(const gchar* json, GError** error);

GST_RDP_SEGMENT_API
GPtrArray* gst_rdp_camera_read_files(const gchar* files, gdouble unit, guint width, guint height,
                                     GError** error);

static inline GstRdpCamera* gst_rdp_camera_ref(GstRdpCamera* self) {
  return (GstRdpCamera*)gst_mini_object_ref(GST_MINI_OBJECT_CAST(self));
}

static inline void gst_rdp_camera_unref(GstRdpCamera* self) {
  gst_mini_object_unref(GST_MINI_OBJECT_CAST(self));
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(GstRdpCamera, gst_rdp_camera_unref)

G_END_DECLS

#endif /* __GST_RDP_CAMERA_H__ */
