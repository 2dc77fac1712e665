/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Segments in metres. */
#include <gst/rdpsegment/rdpcamerameta.h>
#include <gst/rdpsegment/rdpcamerametric.h>
#include <gst/rdpsegment/rdpsegmentationprivate.h>

#include "common/image/float_environment.h"
#include "common/rdp/points.h"

static GBytes* points_of(GstRdpSegmentation* self, GstRdpCamera* camera, GError** error) {
  rdp::MetricCamera metric;
  if (!rdp::meta::metric_camera(camera, &self->info, &metric, error)) return nullptr;
  if (gst_rdp_segmentation_fetch(self, error) == FALSE) return nullptr;
  const rdp::SegmentArrays list = rdp::meta::host_list(self);
  const gsize size = list.segment_count() * 6 * sizeof(float);
  auto* points = static_cast<float*>(g_try_malloc(size));
  if (points == nullptr && size > 0) {
    g_set_error(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED,
                "no memory for %" G_GSIZE_FORMAT " bytes of points", size);
    return nullptr;
  }
  rdp::write_points(list, static_cast<int>(self->info.column_width),
                    static_cast<int>(self->info.width), metric, points);
  return g_bytes_new_take(points, size);
}

/**
 * gst_rdp_segmentation_get_points:
 * @self: a #GstRdpSegmentation
 * @camera: the camera of the segmented frame: see gst_rdp_segment_meta_get_camera()
 * @error: return location for a #GError
 *
 * The upper and the lower end of each segment in metres, in the camera's axes: x to the right, y
 * down, z forward. Each segment has six floats in the host's byte order: x, y and z of the upper
 * end, then of the lower. Their order is that of gst_rdp_segmentation_peek_segments(). A point lies
 * at the centre of its column, or of the columns that were joined. If its value is not above 0 or
 * gives no distance, x, y and z are NaN.
 *
 * Returns: (transfer full) (nullable): 24 bytes per segment. %NULL with an error: the segments are
 *   lost (see gst_rdp_segmentation_fetch()), @camera gives no metres or has another frame size, or
 *   there is no memory
 *
 * Since: 0.2
 */
GBytes* gst_rdp_segmentation_get_points(GstRdpSegmentation* self, GstRdpCamera* camera,
                                        GError** error) {
  g_return_val_if_fail(GST_IS_RDP_SEGMENTATION(self), nullptr);
  g_return_val_if_fail(GST_IS_RDP_CAMERA(camera), nullptr);
  g_return_val_if_fail(error == nullptr || *error == nullptr, nullptr);

  return rdp::with_standard_floats([&] { return points_of(self, camera, error); });
}
