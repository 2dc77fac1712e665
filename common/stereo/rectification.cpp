// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/stereo/rectification.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "common/image/matrix3.h"

namespace rdp::stereo {
namespace {

// A rotation by 2 acos (w) about (x, y, z).
struct Quaternion {
  double w, x, y, z;
};

Quaternion normalised(const Quaternion& q) {
  const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w / norm, q.x / norm, q.y / norm, q.z / norm};
}

// Divides by the largest of the four numbers, never by a small one (S. W. Shepperd,
// "Quaternion from rotation matrix", 1978). w is not below 0: the shorter way round. A matrix that
// is a rotation only nearly gives one nearby.
Quaternion quaternion_of(const Matrix3& m) {
  const double trace = m[0] + m[4] + m[8];
  Quaternion q;
  if (trace >= m[0] && trace >= m[4] && trace >= m[8]) {
    q = {1.0 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1]};
  } else if (m[0] >= m[4] && m[0] >= m[8]) {
    q = {m[7] - m[5], 1.0 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6]};
  } else if (m[4] >= m[8]) {
    q = {m[2] - m[6], m[1] + m[3], 1.0 - m[0] + m[4] - m[8], m[5] + m[7]};
  } else {
    q = {m[3] - m[1], m[2] + m[6], m[5] + m[7], 1.0 - m[0] - m[4] + m[8]};
  }
  if (q.w < 0.0) q = {-q.w, -q.x, -q.y, -q.z};
  return normalised(q);
}

Matrix3 matrix_of(const Quaternion& q) {
  return {1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y - q.w * q.z),
          2.0 * (q.x * q.z + q.w * q.y),       2.0 * (q.x * q.y + q.w * q.z),
          1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z - q.w * q.x),
          2.0 * (q.x * q.z - q.w * q.y),       2.0 * (q.y * q.z + q.w * q.x),
          1.0 - 2.0 * (q.x * q.x + q.y * q.y)};
}

// Half of a rotation.
Matrix3 half_of(const Matrix3& rotation) {
  const Quaternion q = quaternion_of(rotation);
  return matrix_of(normalised({q.w + 1.0, q.x, q.y, q.z}));
}

// The least rotation that turns `from` onto the x axis, to the side to which it points already.
Matrix3 turned_to_x(const Vector3& from, double length) {
  const double side = from[0] > 0.0 ? 1.0 : -1.0;
  // from x (side, 0, 0), and 1 + the cosine, of which this is the double angle's quaternion.
  return matrix_of(normalised(
      {1.0 + side * from[0] / length, 0.0, side * from[2] / length, -side * from[1] / length}));
}

// The place of a pixel of the camera's picture in a camera of focal length 1 whose axes are turned
// by `rotation`. False: nowhere, or the distortion cannot be undone there.
bool straightened(double column, double row, const CameraLens& camera, const Matrix3& rotation,
                  double* x, double* y) {
  Vector3 ray{0.0, 0.0, 1.0};
  if (!ray_of_pixel(column, row, camera, &ray[0], &ray[1])) return false;
  ray = multiply(rotation, ray);
  if (!(ray[2] > 0.0)) return false;
  *x = ray[0] / ray[2];
  *y = ray[1] / ray[2];
  return true;
}

// The area that a view's picture covers at focal length 1, within its four borders.
struct Inner {
  double left = -std::numeric_limits<double>::infinity();
  double top = -std::numeric_limits<double>::infinity();
  double right = std::numeric_limits<double>::infinity();
  double bottom = std::numeric_limits<double>::infinity();
};

Inner inner_of(const ViewRectification& view, int width, int height) {
  Inner inner;
  double x, y;
  for (int row = 0; row < height; ++row) {
    if (straightened(0, row, view.camera, view.rotation, &x, &y)) {
      inner.left = std::max(inner.left, x);
    }
    if (straightened(width - 1, row, view.camera, view.rotation, &x, &y)) {
      inner.right = std::min(inner.right, x);
    }
  }
  for (int column = 0; column < width; ++column) {
    if (straightened(column, 0, view.camera, view.rotation, &x, &y)) {
      inner.top = std::max(inner.top, y);
    }
    if (straightened(column, height - 1, view.camera, view.rotation, &x, &y)) {
      inner.bottom = std::min(inner.bottom, y);
    }
  }
  return inner;
}

// The focal length at which the pixels from the principal point to the picture's edge fit between
// it and the border of what was seen: 0 where there is no border, or nothing between.
double focal_to_fit(double pixels, double seen) {
  return pixels > 0.0 && seen > 0.0 ? pixels / seen : 0.0;
}

}  // namespace

bool rectify_cameras(const CameraLens& left, const CameraLens& right, const Matrix3& rotation,
                     const std::array<double, 3>& translation, int width, int height,
                     PairRectification* result) {
  PairRectification pair;
  pair.left.camera = left;
  pair.right.camera = right;
  ViewRectification* views[2] = {&pair.left, &pair.right};

  // Each view comes half of the way; then both are turned alike.
  const Matrix3 half = half_of(rotation);
  const Matrix3 back = transposed(half);
  const Vector3 shift = multiply(back, translation);
  const double length = std::sqrt(shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2]);
  if (!(std::fabs(shift[0]) > std::fabs(shift[1]) && std::fabs(shift[0]) > std::fabs(shift[2]))) {
    return false;
  }
  const Matrix3 turn = turned_to_x(shift, length);
  pair.left.rotation = multiply(turn, half);
  pair.right.rotation = multiply(turn, back);
  pair.baseline = shift[0] > 0.0 ? -length : length;

  // One focal length, of the columns, as rows have to agree. A lens that draws the corners inwards
  // shows more: it is made shorter by what that is half way to them.
  double focal = std::numeric_limits<double>::infinity();
  for (const ViewRectification* view : views) {
    double own = view->camera.focal_y;
    const double k1 = view->camera.distortion.none ? 0.0 : view->camera.distortion.k1;
    if (k1 < 0.0) {
      const double w = width;
      const double h = height;
      const double shorter = 1.0 + k1 * (w * w + h * h) / (4.0 * own * own);
      if (shorter > 0.0) own = own * shorter;
    }
    focal = std::min(focal, own);
  }

  // The principal point puts the picture's corners about the middle of the frame, in the mean of
  // both views.
  double principal_x = 0.0;
  double principal_y = 0.0;
  for (const ViewRectification* view : views) {
    double sum_x = 0.0;
    double sum_y = 0.0;
    int corners = 0;
    for (int i = 0; i < 4; ++i) {
      double x, y;
      if (!straightened(i % 2 == 0 ? 0 : width - 1, i < 2 ? 0 : height - 1, view->camera,
                        view->rotation, &x, &y)) {
        continue;
      }
      sum_x += x;
      sum_y += y;
      ++corners;
    }
    if (corners == 0) corners = 1;
    principal_x += 0.5 * ((width - 1) / 2.0 - focal * (sum_x / corners));
    principal_y += 0.5 * ((height - 1) / 2.0 - focal * (sum_y / corners));
  }

  // Zoomed until the frame shows nothing that one of the cameras has not seen.
  double zoomed = 0.0;
  for (const ViewRectification* view : views) {
    const Inner inner = inner_of(*view, width, height);
    zoomed = std::max({zoomed, focal_to_fit(principal_x, -inner.left),
                       focal_to_fit(principal_y, -inner.top),
                       focal_to_fit(width - 1 - principal_x, inner.right),
                       focal_to_fit(height - 1 - principal_y, inner.bottom)});
  }
  if (zoomed > 0.0 && std::isfinite(zoomed)) focal = zoomed;

  for (ViewRectification* view : views) {
    view->rectified.focal_x = focal;
    view->rectified.focal_y = focal;
    view->rectified.principal_x = principal_x;
    view->rectified.principal_y = principal_y;
  }
  *result = pair;
  return true;
}

}  // namespace rdp::stereo
