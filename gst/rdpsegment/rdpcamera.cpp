/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpcamerametric.h>
#include <gst/rdpsegment/rdpcameraprivate.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "common/boundary.h"
#include "common/image/float_environment.h"

/**
 * SECTION:rdpcamera
 * @title: GstRdpCamera
 * @short_description: The geometry of a camera
 *
 * A #GstRdpCamera maps pixels to rays, and converts samples of its depth frames to metres:
 *
 * - of disparity, Z = focal-length * baseline / (sample * disparity-unit + disparity-offset), in a
 *   picture that is rectified and has no distortion;
 * - of depth, Z = sample * depth-unit, along the camera's axis.
 *
 * The point that pixel (column, row) shows at distance Z is ((column - principal-x) / focal-length
 * * Z, (row - principal-y) / focal-length-y * Z, Z), once a distortion is undone.
 *
 * Since: 0.2
 */

GST_DEFINE_MINI_OBJECT_TYPE(GstRdpCamera, gst_rdp_camera);

/* An immutable object needs no second copy. */
static GstMiniObject* copy_by_reference(const GstMiniObject* object) {
  return gst_mini_object_ref(const_cast<GstMiniObject*>(object));
}

static void free_camera(GstMiniObject* object) {
  auto* self = reinterpret_cast<GstRdpCamera*>(object);
  for (const rdp::meta::DerivedCamera& derived : self->derived) {
    if (derived.camera != nullptr) gst_rdp_camera_unref(derived.camera);
  }
  delete self;
}

/* Makes a camera. `info` must pass camera_info_error(). Throws std::bad_alloc. */
static GstRdpCamera* new_camera(const GstRdpCameraInfo& info) {
  auto self = std::make_unique<GstRdpCamera>();
  gst_mini_object_init(&self->mini_object, 0, GST_TYPE_RDP_CAMERA, copy_by_reference, nullptr,
                       free_camera);
  self->info = info;
  /* Unset members are 0, so that equal cameras have equal infos. */
  GstRdpCameraInfo& kept = self->info;
  kept.rectified = kept.rectified != FALSE ? TRUE : FALSE;
  kept.has_pose = kept.has_pose != FALSE ? TRUE : FALSE;
  kept.has_projection = kept.has_projection != FALSE ? TRUE : FALSE;
  if (kept.has_pose == FALSE) std::fill_n(kept.pose, 12, 0.0);
  if (kept.has_projection == FALSE) std::fill_n(kept.projection, 12, 0.0);
  std::fill_n(kept._gst_reserved, G_N_ELEMENTS(kept._gst_reserved), nullptr);
  self->lens = rdp::meta::camera_lens(kept);
  return self.release();
}

/**
 * gst_rdp_camera_new:
 * @info: the facts about the camera
 * @error: return location for a #GError
 *
 * Makes a camera, and checks all that @info says.
 *
 * Returns: (transfer full) (nullable): a new camera, or %NULL with #GST_LIBRARY_ERROR_SETTINGS: the
 *   message names the field, what it is and what was expected
 *
 * Since: 0.2
 */
GstRdpCamera* gst_rdp_camera_new(const GstRdpCameraInfo* info, GError** error) {
  g_return_val_if_fail(info != nullptr, nullptr);
  g_return_val_if_fail(error == nullptr || *error == nullptr, nullptr);

  return rdp::contain(
      [&]() -> GstRdpCamera* {
        const std::string reason = rdp::meta::camera_info_error(*info);
        if (reason.empty()) return new_camera(*info);
        g_set_error(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, "invalid camera: %s",
                    reason.c_str());
        return nullptr;
      },
      [&](const char* reason) -> GstRdpCamera* {
        g_set_error(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED, "no camera: %s", reason);
        return nullptr;
      });
}

/**
 * gst_rdp_camera_get_info:
 * @self: a #GstRdpCamera
 *
 * The facts that the camera was made with.
 *
 * Returns: (transfer none): the facts about the camera; they live as long as @self
 *
 * Since: 0.2
 */
const GstRdpCameraInfo* gst_rdp_camera_get_info(GstRdpCamera* self) {
  g_return_val_if_fail(GST_IS_RDP_CAMERA(self), nullptr);

  return &self->info;
}

/* The reason and the remedy if samples cannot be converted to metres; null: they can. */
static const char* why_no_metres(const GstRdpCamera& camera) {
  const GstRdpCameraInfo& info = camera.info;
  switch (info.measures) {
    case GST_RDP_MEASURE_DISPARITY:
      if (info.rectified == FALSE) {
        return "the samples are disparities, and the camera's picture is not rectified: take the "
               "calibration of the rectified pair (P of ROS, P1 and P2 of OpenCV, P of KITTI), or "
               "set rectified if the camera's own picture is. If the samples are depths, set "
               "measures=depth and depth-unit";
      }
      if (!camera.lens.distortion.none) {
        return "the samples are disparities, and the camera's picture is distorted: take the "
               "calibration of the rectified pair, whose distortion is 0";
      }
      if (info.baseline == 0) {
        return "the samples are disparities, and the distance between the cameras is not known: "
               "set baseline, in metres";
      }
      if (info.disparity_unit == 0) {
        return "the samples are disparities of an unknown unit: set disparity-unit, in pixels a "
               "sample step (1/256 for KITTI)";
      }
      return nullptr;
    case GST_RDP_MEASURE_DEPTH:
      if (info.depth_unit == 0) {
        return "the samples are depths of an unknown unit: set depth-unit, in metres a sample step "
               "(0.001 for millimetres)";
      }
      return nullptr;
    default:
      return "it is not known what the samples measure, or the settings contradict each other: set "
             "measures=disparity with disparity-unit and leave depth-unit unset, or measures=depth "
             "with depth-unit and leave disparity-unit unset";
  }
}

/**
 * gst_rdp_camera_measures_metres:
 * @self: a #GstRdpCamera
 * @error: return location for a #GError
 *
 * Checks if the samples of the camera's depth frames can be converted to metres. This needs their
 * meaning, their unit and, for disparity, a baseline and a rectified picture without distortion.
 *
 * Returns: %TRUE if they can; otherwise %FALSE, with #GST_LIBRARY_ERROR_SETTINGS, and the message
 *   says what to set
 *
 * Since: 0.2
 */
gboolean gst_rdp_camera_measures_metres(GstRdpCamera* self, GError** error) {
  g_return_val_if_fail(GST_IS_RDP_CAMERA(self), FALSE);
  g_return_val_if_fail(error == nullptr || *error == nullptr, FALSE);

  const char* reason = why_no_metres(*self);
  if (reason == nullptr) return TRUE;
  g_set_error(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, "no metres: %s", reason);
  return FALSE;
}

/* The camera of a picture in which the old one lies at `p`. Pixel centres map by
 * (c + 1/2) * scale + offset - 1/2. The disparity unit scales with the width, so metres stay. */
static GstRdpCameraInfo placed_info(GstRdpCameraInfo info, const rdp::meta::Placement& p,
                                    guint width, guint height) {
  const double shift_x = 0.5 * p.scale_x + p.offset_x - 0.5;
  const double shift_y = 0.5 * p.scale_y + p.offset_y - 0.5;
  info.width = width;
  info.height = height;
  info.focal_length *= p.scale_x;
  info.focal_length_y *= p.scale_y;
  info.principal_x = (info.principal_x + 0.5) * p.scale_x + p.offset_x - 0.5;
  info.principal_y = (info.principal_y + 0.5) * p.scale_y + p.offset_y - 0.5;
  info.disparity_unit *= p.scale_x;
  info.disparity_offset *= p.scale_x;
  for (int i = 0; i < 4; ++i) { /* the third row is the point's distance */
    info.projection[i] = info.projection[i] * p.scale_x + info.projection[8 + i] * shift_x;
    info.projection[4 + i] = info.projection[4 + i] * p.scale_y + info.projection[8 + i] * shift_y;
  }
  return info;
}

static bool same_placement(const rdp::meta::Placement& a, const rdp::meta::Placement& b) {
  return a.scale_x == b.scale_x && a.scale_y == b.scale_y && a.offset_x == b.offset_x &&
         a.offset_y == b.offset_y;
}

GstRdpCamera* rdp::meta::camera_of_placement(GstRdpCamera* camera, const Placement& placement,
                                             guint width, guint height, bool has_units) noexcept {
  if (has_units && same_placement(placement, Placement()) && width == camera->info.width &&
      height == camera->info.height) {
    return gst_rdp_camera_ref(camera);
  }
  return contain(
      [&]() -> GstRdpCamera* {
        const std::lock_guard lock(camera->mutex);
        for (const DerivedCamera& derived : camera->derived) {
          if (derived.camera != nullptr && derived.width == width && derived.height == height &&
              derived.has_units == has_units && same_placement(derived.placement, placement)) {
            return gst_rdp_camera_ref(derived.camera);
          }
        }
        GstRdpCameraInfo info = placed_info(camera->info, placement, width, height);
        if (!has_units) info.disparity_unit = info.depth_unit = 0;
        if (!camera_info_error(info).empty()) return nullptr; /* out of the valid range */
        GstRdpCamera* made = new_camera(info);
        DerivedCamera& place = camera->derived[camera->next_derived];
        camera->next_derived = (camera->next_derived + 1) % camera->derived.size();
        if (place.camera != nullptr) gst_rdp_camera_unref(place.camera);
        place = {placement, width, height, has_units, made};
        return gst_rdp_camera_ref(made);
      },
      [](const char* reason) -> GstRdpCamera* {
        GST_ERROR("no camera of the scaled or cropped picture: %s", reason);
        return nullptr;
      });
}

/**
 * gst_rdp_camera_scale:
 * @self: a #GstRdpCamera that knows the size of its picture
 * @width: the new width in pixels, above 0
 * @height: the new height in pixels, above 0
 *
 * Makes the camera of the picture scaled to @width x @height, each axis by its own factor. Focal
 * lengths, principal point and projection follow. So do the unit and the offset of disparity, since
 * samples keep their values: metres stay. Equal calls in a row give the same object.
 *
 * Returns: (transfer full) (nullable): the camera; %NULL if @self does not know the size of its
 *   picture, or if there is no memory
 *
 * Since: 0.2
 */
GstRdpCamera* gst_rdp_camera_scale(GstRdpCamera* self, guint width, guint height) {
  g_return_val_if_fail(GST_IS_RDP_CAMERA(self), nullptr);
  g_return_val_if_fail(width > 0 && height > 0, nullptr);

  if (self->info.width == 0) return nullptr;
  return rdp::with_standard_floats([&] {
    rdp::meta::Placement placement;
    placement.scale_x = static_cast<double>(width) / self->info.width;
    placement.scale_y = static_cast<double>(height) / self->info.height;
    return rdp::meta::camera_of_placement(self, placement, width, height);
  });
}

/**
 * gst_rdp_camera_crop:
 * @self: a #GstRdpCamera
 * @x: the first column that is left
 * @y: the first row that is left
 * @width: number of columns that are left, above 0
 * @height: number of rows that are left, above 0
 *
 * Makes the camera of a part of the picture. Equal calls in a row give the same object.
 *
 * Returns: (transfer full) (nullable): the camera; %NULL where there is no memory
 *
 * Since: 0.2
 */
GstRdpCamera* gst_rdp_camera_crop(GstRdpCamera* self, guint x, guint y, guint width, guint height) {
  g_return_val_if_fail(GST_IS_RDP_CAMERA(self), nullptr);
  g_return_val_if_fail(width > 0 && height > 0, nullptr);

  rdp::meta::Placement placement;
  placement.offset_x = -static_cast<double>(x);
  placement.offset_y = -static_cast<double>(y);
  return rdp::meta::camera_of_placement(self, placement, width, height);
}

/**
 * gst_rdp_camera_get_depth:
 * @self: a #GstRdpCamera
 * @sample: a sample of a depth frame, or a value between samples
 *
 * Converts a sample to the distance along the camera's axis. Values of segments are samples, unless
 * their domain is inverse.
 *
 * Returns: metres; NaN if @sample is not above 0 or gives no distance, or if samples cannot be
 *   converted: see gst_rdp_camera_measures_metres()
 *
 * Since: 0.2
 */
gdouble gst_rdp_camera_get_depth(GstRdpCamera* self, gdouble sample) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  g_return_val_if_fail(GST_IS_RDP_CAMERA(self), kNone);

  if (why_no_metres(*self) != nullptr) return kNone;
  return rdp::with_standard_floats([&] {
    const double depth = rdp::depth_of_value(sample, rdp::meta::depth_of_sample(self->info));
    return depth > 0.0 ? depth : kNone;
  });
}

/**
 * gst_rdp_camera_unproject:
 * @self: a #GstRdpCamera
 * @column: column of a pixel; whole numbers are the centres of pixels
 * @row: row of a pixel
 * @x: (out): the ray's distance to the right of the axis, in metres at a distance of 1 m
 * @y: (out): its distance below the axis
 *
 * Computes the ray through a pixel, with the distortion undone. At distance Z the pixel shows the
 * point (@x * Z, @y * Z, Z).
 *
 * Returns: %FALSE, and 0, 0, if the distortion cannot be undone: too far outside of the calibrated
 *   picture, or around a pole of its model
 *
 * Since: 0.2
 */
gboolean gst_rdp_camera_unproject(GstRdpCamera* self, gdouble column, gdouble row, gdouble* x,
                                  gdouble* y) {
  g_return_val_if_fail(x != nullptr && y != nullptr, FALSE);
  *x = *y = 0.0;
  g_return_val_if_fail(GST_IS_RDP_CAMERA(self), FALSE);

  return rdp::with_standard_floats(
      [&] { return rdp::ray_of_pixel(column, row, self->lens, x, y) ? TRUE : FALSE; });
}

/**
 * gst_rdp_camera_project:
 * @self: a #GstRdpCamera
 * @x: metres to the right of the camera's axis
 * @y: metres below it
 * @z: metres before the camera
 * @column: (out): the column that shows the point, which may lie outside of the picture
 * @row: (out): the row
 *
 * Projects a point to its pixel.
 *
 * Returns: %FALSE, and 0, 0, behind the camera, or if the distortion has no meaning there: far to
 *   the side, or around a pole of its model
 *
 * Since: 0.2
 */
gboolean gst_rdp_camera_project(GstRdpCamera* self, gdouble x, gdouble y, gdouble z,
                                gdouble* column, gdouble* row) {
  g_return_val_if_fail(column != nullptr && row != nullptr, FALSE);
  *column = *row = 0.0;
  g_return_val_if_fail(GST_IS_RDP_CAMERA(self), FALSE);

  return rdp::with_standard_floats(
      [&] { return rdp::pixel_of_point(x, y, z, self->lens, column, row) ? TRUE : FALSE; });
}
