/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The description of a camera: its boxed type and its validation. */
#include <gst/rdpsegment/rdpcameraprivate.h>

#include <charconv>
#include <cmath>
#include <cstring>

#include "gst/rdpsegment/private/distortion_limit.h"

/**
 * gst_rdp_camera_info_init:
 * @info: the info to fill
 *
 * Fills @info with zeros: nothing is known. A camera needs its focal lengths at least.
 *
 * Since: 0.2
 */
void gst_rdp_camera_info_init(GstRdpCameraInfo* info) {
  g_return_if_fail(info != nullptr);

  std::memset(info, 0, sizeof *info);
}

/**
 * gst_rdp_camera_info_copy:
 * @info: the info to copy
 *
 * For languages that keep copies; in C an assignment does the same.
 *
 * Returns: (transfer full): a copy of @info; free it with gst_rdp_camera_info_free()
 *
 * Since: 0.2
 */
GstRdpCameraInfo* gst_rdp_camera_info_copy(const GstRdpCameraInfo* info) {
  g_return_val_if_fail(info != nullptr, nullptr);

  auto* copy = g_new(GstRdpCameraInfo, 1);
  *copy = *info;
  return copy;
}

/**
 * gst_rdp_camera_info_free:
 * @info: (transfer full) (nullable): a copy made by gst_rdp_camera_info_copy()
 *
 * Frees @info.
 *
 * Since: 0.2
 */
void gst_rdp_camera_info_free(GstRdpCameraInfo* info) { g_free(info); }

G_DEFINE_BOXED_TYPE(GstRdpCameraInfo, gst_rdp_camera_info, gst_rdp_camera_info_copy,
                    gst_rdp_camera_info_free)

namespace rdp::meta {
namespace {

/* The largest side of a picture in pixels. */
constexpr guint kMaxPictureSide = 65535;

/* The largest deviation of a rotation's rows from orthonormal: files may have few digits. */
constexpr double kRotationTolerance = 1e-3;

std::string text_of(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string wrong(const char* field, double value, const char* expected) {
  return std::string(field) + " is " + text_of(value) + ", expected " + expected;
}

std::string size_error(const GstRdpCameraInfo& info) {
  const std::string size = std::to_string(info.width) + "x" + std::to_string(info.height);
  if (info.width > kMaxPictureSide || info.height > kMaxPictureSide) {
    return "the picture's size is " + size + ", expected at most 65535 pixels a side";
  }
  if ((info.width == 0) != (info.height == 0)) {
    return "the picture's size is " + size + ", expected both sides, or 0x0 where it is not known";
  }
  return {};
}

std::string lens_error(const GstRdpCameraInfo& info) {
  const struct {
    const char* name;
    double value;
  } lengths[] = {{"focal_length", info.focal_length}, {"focal_length_y", info.focal_length_y}},
    numbers[] = {{"principal_x", info.principal_x},
                 {"principal_y", info.principal_y},
                 {"disparity_offset", info.disparity_offset}};
  for (const auto& length : lengths) {
    if (!std::isfinite(length.value) || length.value <= 0) {
      return wrong(length.name, length.value, "pixels, above 0");
    }
  }
  for (const auto& number : numbers) {
    if (!std::isfinite(number.value)) return wrong(number.name, number.value, "pixels");
  }
  static constexpr const char* kNames[8] = {"k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6"};
  for (int i = 0; i < 8; ++i) {
    if (!(std::fabs(info.distortion[i]) <= kMaxNumber)) {
      return wrong((std::string("distortion ") + kNames[i]).c_str(), info.distortion[i],
                   "a number, -1e100 to 1e100; 0: none");
    }
  }
  return {};
}

std::string sample_error(const GstRdpCameraInfo& info) {
  if (!std::isfinite(info.baseline) || info.baseline < 0) {
    return wrong("baseline", info.baseline,
                 "the distance to the other camera in metres, above 0; 0: not known");
  }
  guint32 measures; /* may be no enumerator: C code or bytes fill it */
  static_assert(sizeof measures == sizeof info.measures);
  std::memcpy(&measures, &info.measures, sizeof measures);
  if (measures > GST_RDP_MEASURE_DEPTH) {
    return wrong("measures", measures, "unknown (0), disparity (1) or depth (2)");
  }
  if (!std::isfinite(info.disparity_unit) || info.disparity_unit < 0) {
    return wrong("disparity_unit", info.disparity_unit,
                 "pixels a sample step, above 0; 0: not known");
  }
  if (!std::isfinite(info.depth_unit) || info.depth_unit < 0) {
    return wrong("depth_unit", info.depth_unit, "metres a sample step, above 0; 0: not known");
  }
  return {};
}

std::string numbers_error(const char* field, const double (&values)[12]) {
  for (int i = 0; i < 12; ++i) {
    if (std::isfinite(values[i])) continue;
    return std::string(field) + ": row " + std::to_string(i / 4) + ", column " +
           std::to_string(i % 4) + " is " + text_of(values[i]) + ", expected a number";
  }
  return {};
}

std::string pose_error(const GstRdpCameraInfo& info) {
  std::string error = numbers_error("pose", info.pose);
  if (!error.empty()) return error;
  const double* m = info.pose;
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b) {
      const double product =
          m[4 * a] * m[4 * b] + m[4 * a + 1] * m[4 * b + 1] + m[4 * a + 2] * m[4 * b + 2];
      if (std::fabs(product - (a == b ? 1.0 : 0.0)) <= kRotationTolerance) continue;
      return "pose: the product of the rotation's rows " + std::to_string(a) + " and " +
             std::to_string(b) + " is " + text_of(product) + ", expected " + (a == b ? "1" : "0") +
             ": rows of length 1 at right angles; the shift in metres is the fourth column";
    }
  }
  const double determinant = m[0] * (m[5] * m[10] - m[6] * m[9]) -
                             m[1] * (m[4] * m[10] - m[6] * m[8]) +
                             m[2] * (m[4] * m[9] - m[5] * m[8]);
  if (determinant < 0) {
    return "pose: its determinant is " + text_of(determinant) +
           ", expected 1, a rotation: this one mirrors; mirror an axis of the world";
  }
  return {};
}

}  // namespace

std::string camera_info_error(const GstRdpCameraInfo& info) {
  std::string error = size_error(info);
  if (error.empty()) error = lens_error(info);
  if (error.empty()) error = sample_error(info);
  if (error.empty() && info.has_pose != FALSE) error = pose_error(info);
  if (error.empty() && info.has_projection != FALSE) {
    error = numbers_error("projection", info.projection);
  }
  return error;
}

}  // namespace rdp::meta
