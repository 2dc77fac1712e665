/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The decomposition of projection matrices. */
#include "gst/rdpsegment/private/camera_projection.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace rdp::meta {
namespace {

struct Vector {
  double x, y, z;
};

double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* a - s b */
Vector less(const Vector& a, double s, const Vector& b) {
  return {a.x - s * b.x, a.y - s * b.y, a.z - s * b.z};
}

Vector scaled(const Vector& a, double s) { return {a.x * s, a.y * s, a.z * s}; }

/* The largest skew, relative to the focal length: half a pixel at 1000 px. Real cameras have
 * rectangular pixels, so a larger one means a bad matrix. */
constexpr double kMaxSkew = 5e-4;

/* The least volume that the rows span, relative to their lengths. No camera has rows that are
 * nearly coplanar. */
constexpr double kLeastVolume = 1e-9;

std::string text_of(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

/* The left three columns are K R, with K upper triangular. An RQ decomposition orthogonalises the
 * rows from the last to the first. A projection has an arbitrary factor; its sign is the one that
 * makes R a rotation. */
std::string decompose_projection(const double (&matrix)[12], GstRdpCameraInfo* info) {
  for (const double number : matrix) {
    if (!std::isfinite(number)) return "a number in it is " + text_of(number);
  }
  Vector rows[3];
  for (int r = 0; r < 3; ++r) rows[r] = {matrix[4 * r], matrix[4 * r + 1], matrix[4 * r + 2]};
  const double lengths = std::sqrt(dot(rows[0], rows[0])) * std::sqrt(dot(rows[1], rows[1])) *
                         std::sqrt(dot(rows[2], rows[2]));
  const double volume = dot(rows[0], cross(rows[1], rows[2]));
  /* Written so that NaN fails, which products of very large numbers give. */
  if (!(std::fabs(volume) > kLeastVolume * lengths) || !std::isfinite(lengths)) {
    return "its left 3x3 part cannot be inverted, so it is of no camera";
  }
  const double sign = volume < 0 ? -1.0 : 1.0;
  const double norm = std::sqrt(dot(rows[2], rows[2]));
  const Vector forward = scaled(rows[2], sign / norm);
  const double principal_y = dot(rows[1], forward) * sign / norm;
  const Vector upright = less(scaled(rows[1], sign / norm), principal_y, forward);
  const double focal_y = std::sqrt(dot(upright, upright));
  const Vector down = scaled(upright, 1.0 / focal_y);
  const Vector top = scaled(rows[0], sign / norm);
  const double principal_x = dot(top, forward);
  const double skew = dot(top, down);
  const Vector sideways = less(less(top, principal_x, forward), skew, down);
  const double focal_x = std::sqrt(dot(sideways, sideways));
  const Vector right = scaled(sideways, 1.0 / focal_x);
  if (std::fabs(skew) > kMaxSkew * focal_y) {
    return "its pixels are slanted (skew " + text_of(skew) + " px, expected 0)";
  }

  /* The last column is K t. The camera's place in the world is -R' t. */
  double last[3];
  for (int r = 0; r < 3; ++r) last[r] = matrix[4 * r + 3] * sign / norm;
  const double tz = last[2];
  const double ty = (last[1] - principal_y * tz) / focal_y;
  const double tx = (last[0] - principal_x * tz - skew * ty) / focal_x;

  info->focal_length = focal_x;
  info->focal_length_y = focal_y;
  info->principal_x = principal_x;
  info->principal_y = principal_y;
  info->has_pose = TRUE;
  const double pose[12] = {
      right.x, down.x, forward.x, 0.0 - (right.x * tx + down.x * ty + forward.x * tz),
      right.y, down.y, forward.y, 0.0 - (right.y * tx + down.y * ty + forward.y * tz),
      right.z, down.z, forward.z, 0.0 - (right.z * tx + down.z * ty + forward.z * tz)};
  std::copy_n(pose, 12, info->pose);
  info->has_projection = TRUE;
  std::copy_n(matrix, 12, info->projection);
  return {};
}

}  // namespace rdp::meta
