/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The plain types of planes, and their validation. They are registered so that bindings copy them,
 * instead of pointing into memory that may be freed. */
#include <gst/rdpsegment/rdpplanesprivate.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/image/depth_view.h"
#include "common/planes/limits.h"

/* Other languages read these structures as bytes. */
static_assert(sizeof(GstRdpPlane) == 64);
static_assert(sizeof(GstRdpPlaneCorner) == 20);

using rdp::meta::copy_plain;

G_DEFINE_BOXED_TYPE(GstRdpPlane, gst_rdp_plane, copy_plain<GstRdpPlane>, g_free)

G_DEFINE_BOXED_TYPE(GstRdpPlaneCorner, gst_rdp_plane_corner, copy_plain<GstRdpPlaneCorner>, g_free)

/**
 * gst_rdp_planes_info_init:
 * @info: the info to fill
 *
 * Fills @info for a depth frame of 0x0 pixels without a camera and without ground: set size,
 * n_points and the camera's numbers before you use it.
 *
 * Since: 0.2
 */
void gst_rdp_planes_info_init(GstRdpPlanesInfo* info) {
  g_return_if_fail(info != nullptr);

  std::memset(info, 0, sizeof *info);
  info->ground = -1;
}

namespace rdp::meta {
namespace {

template <typename... Numbers>
bool finite(Numbers... numbers) {
  return (std::isfinite(numbers) && ...);
}

bool not_negative(double number) { return std::isfinite(number) && number >= 0; }

const char* info_error(const GstRdpPlanesInfo& info) {
  const guint64 pixels = guint64{info.width} * info.height;
  if (info.cloud == FALSE) {
    if (info.width < 1 || info.width > kMaxSide || info.height < 1 || info.height > kMaxSide) {
      return "width and height of a frame must be 1 to 16384";
    }
    if (info.n_points != pixels) return "n_points of a frame must be width * height";
  } else if (info.width != 0 || info.height != 0) {
    if (info.n_points != pixels) {
      return "n_points of a cloud with width and height must be width * height";
    }
  }
  return fields_error(kPlanesFields, info);
}

/* True if the normal has length 1, apart from float rounding. */
bool is_direction(const GstRdpPlane& plane) {
  const double x = plane.normal_x;
  const double y = plane.normal_y;
  const double z = plane.normal_z;
  /* Written so that NaN fails. */
  return std::fabs(x * x + y * y + z * z - 1.0) < 1e-4;
}

const char* plane_error(const GstRdpPlanesInfo& info, const GstRdpPlane& plane, gsize n_corners) {
  if (!is_direction(plane)) return "a plane's normal must have length 1";
  if (!not_negative(plane.distance)) return "a plane's distance must be 0 or more";
  if (!finite(plane.centroid_x, plane.centroid_y, plane.centroid_z)) {
    return "a plane's centroid must be of numbers";
  }
  if (!not_negative(plane.rms)) return "a plane's rms must be 0 or more";
  if (!not_negative(plane.area)) return "a plane's area must be 0 or more";
  if (plane.inliers > info.n_points) return "a plane has more inliers than there are points";
  if (guint{plane.box_x} + plane.box_width > info.width ||
      guint{plane.box_y} + plane.box_height > info.height) {
    return "a plane's box must lie in the frame";
  }
  if (guint64{plane.first_corner} + plane.n_corners > n_corners) {
    return "a plane has corners beyond the last";
  }
  return nullptr;
}

/* Shared corners are refused: writing them once per plane would inflate a few bytes to a large
 * file. */
const char* order_error(std::span<const GstRdpPlane> planes) {
  guint64 end = 0;
  for (const GstRdpPlane& plane : planes) {
    if (plane.n_corners == 0) continue;
    if (plane.first_corner < end) return "a plane's corners must follow those of the planes before";
    end = guint64{plane.first_corner} + plane.n_corners;
  }
  return nullptr;
}

const char* corner_error(const GstRdpPlanesInfo& info, const GstRdpPlaneCorner& corner) {
  if (!finite(corner.x, corner.y, corner.z)) return "a corner must be of numbers";
  if (info.cloud != FALSE) {
    return corner.column == -1 && corner.row == -1
               ? nullptr
               : "column and row of a cloud's corner must be -1";
  }
  /* The cast makes negative ones larger than any side. */
  if (static_cast<guint>(corner.column) >= info.width ||
      static_cast<guint>(corner.row) >= info.height) {
    return "a corner must be a pixel of the frame";
  }
  return nullptr;
}

}  // namespace

const char* planes_error(const GstRdpPlanesInfo& info, const GstRdpPlanesArrays& arrays) {
  if (const char* error = info_error(info)) return error;
  if (arrays.n_planes > planes::kMaxPlanes) return "there must be at most 255 planes";
  if (info.ground < -1 || info.ground >= static_cast<gint>(arrays.n_planes)) {
    return "ground must be -1 or a plane's index";
  }
  for (gsize i = 0; i < arrays.n_planes; ++i) {
    if (const char* error = plane_error(info, arrays.planes[i], arrays.n_corners)) return error;
  }
  if (const char* error = order_error({arrays.planes, arrays.n_planes})) return error;
  for (gsize i = 0; i < arrays.n_corners; ++i) {
    if (const char* error = corner_error(info, arrays.corners[i])) return error;
  }
  if (arrays.n_labels != info.n_points) return "there must be n_points labels";
  if (arrays.n_labels > 0 &&
      *std::max_element(arrays.labels, arrays.labels + arrays.n_labels) > arrays.n_planes) {
    return "a label must be 0 or a plane's index + 1";
  }
  return nullptr;
}

}  // namespace rdp::meta
