/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gst/rdpsegment/files/geometry.h"

#include <algorithm>
#include <cmath>

#include "gst/rdpsegment/private/camera_projection.h"
#include "gst/rdpsegment/private/distortion_limit.h"
#include "gst/rdpsegment/rdpcamerametric.h"

namespace rdp::calibration {

namespace {

// Tolerance for the rounding errors of exact zeros and ones in camera and projection matrices,
// relative to the focal length.
constexpr double kTolerance = 1e-6;

double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

std::string pixels(double value) { return to_text(value) + " px"; }

}  // namespace

Vector3 multiply(const Matrix3& m, const Vector3& v) {
  return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
          m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}

Matrix3 multiply(const Matrix3& a, const Matrix3& b) {
  Matrix3 result{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      result[3 * row + column] =
          a[3 * row] * b[column] + a[3 * row + 1] * b[3 + column] + a[3 * row + 2] * b[6 + column];
    }
  }
  return result;
}

Matrix3 transposed(const Matrix3& m) {
  return {m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]};
}

double length(const Vector3& vector) { return std::sqrt(dot(vector, vector)); }

Motion inverse(const Motion& motion) {
  Motion result;
  result.rotation = transposed(motion.rotation);
  const Vector3 shift = multiply(result.rotation, motion.shift);
  // Subtracted from 0 to avoid -0 in the output.
  for (std::size_t i = 0; i < 3; ++i) result.shift[i] = 0.0 - shift[i];
  return result;
}

Motion after(const Motion& first, const Motion& second) {
  Motion result;
  result.rotation = multiply(first.rotation, second.rotation);
  result.shift = multiply(first.rotation, second.shift);
  for (std::size_t i = 0; i < 3; ++i) result.shift[i] += first.shift[i];
  return result;
}

Matrix3 rotation_about(const Vector3& axis) {
  const double angle = length(axis);
  if (angle < 1e-12) return Motion{}.rotation;
  const Vector3 k{axis[0] / angle, axis[1] / angle, axis[2] / angle};
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double v = 1.0 - c;
  return {c + v * k[0] * k[0],        v * k[0] * k[1] - s * k[2], v * k[0] * k[2] + s * k[1],
          v * k[1] * k[0] + s * k[2], c + v * k[1] * k[1],        v * k[1] * k[2] - s * k[0],
          v * k[2] * k[0] - s * k[1], v * k[2] * k[1] + s * k[0], c + v * k[2] * k[2]};
}

View::View(const Field& where) : field(where) { gst_rdp_camera_info_init(&info); }

void set_focal(const Field& field, double x, double y, View* view) {
  // A focal length of 1 indicates a normalised camera matrix, or a pose.
  for (const double focal : {x, y}) {
    if (!(focal > 1.0) || focal > 1e6) {
      field.fail("a focal length of " + pixels(focal), "one in pixels, 1 to 1000000");
    }
  }
  view->info.focal_length = x;
  view->info.focal_length_y = y;
}

void set_camera_matrix(const Field& field, const std::vector<double>& m, View* view) {
  set_focal(field, m[0], m[4], view);
  const double zeros[] = {m[1], m[3], m[6], m[7], m[8] - 1.0};
  const double most = *std::max_element(std::begin(zeros), std::end(zeros), [](double a, double b) {
    return std::fabs(a) < std::fabs(b);
  });
  if (std::fabs(most) > kTolerance * m[0]) {
    field.fail("another matrix", "[fx 0 cx; 0 fy cy; 0 0 1]: a camera without skew, row by row");
  }
  view->info.principal_x = m[2];
  view->info.principal_y = m[5];
}

void set_distortion(const Field& field, const std::vector<double>& values, View* view) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(std::fabs(values[i]) <= meta::kMaxDistortion)) {
      field.fail("coefficient " + std::to_string(i + 1) + " of " + to_text(values[i]),
                 "coefficients of distortion that a lens has, at most 1e9: the number may be of "
                 "another field or another program's model");
    }
    if (i < 8) {
      view->info.distortion[i] = values[i];
    } else if (values[i] != 0.0) {
      field.fail("coefficient " + std::to_string(i + 1) + " of " + to_text(values[i]),
                 "0 from the ninth on: thin prisms and tilted sensors are not in the model. "
                 "Calibrate again without them (CALIB_THIN_PRISM_MODEL, CALIB_TILTED_MODEL), or "
                 "undistort the pictures and give the calibration of those");
    }
  }
}

bool has_distortion(const View& view) {
  return std::any_of(std::begin(view.info.distortion), std::end(view.info.distortion),
                     [](double coefficient) { return coefficient != 0.0; });
}

void set_pose(const Motion& pose, View* view) {
  view->info.has_pose = TRUE;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      view->info.pose[4 * row + column] = pose.rotation[3 * row + column];
    }
    view->info.pose[4 * row + 3] = pose.shift[row];
  }
}

Motion pose_of(const View& view) {
  Motion pose;
  if (!view.info.has_pose) return pose;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      pose.rotation[3 * row + column] = view.info.pose[4 * row + column];
    }
    pose.shift[row] = view.info.pose[4 * row + 3];
  }
  return pose;
}

bool is_zero(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0.0; });
}

Matrix3 rotation_of(const Field& field) {
  const std::vector<double> values = field.matrix(3, 3);
  Matrix3 matrix;
  std::copy(values.begin(), values.end(), matrix.begin());
  const Matrix3 product = multiply(matrix, transposed(matrix));
  const Matrix3 one = Motion{}.rotation;
  bool orthogonal = true;
  for (std::size_t i = 0; i < 9; ++i) orthogonal &= std::fabs(product[i] - one[i]) <= 1e-3;
  const Vector3 first{matrix[0], matrix[1], matrix[2]};
  const Vector3 cross{matrix[4] * matrix[8] - matrix[5] * matrix[7],
                      matrix[5] * matrix[6] - matrix[3] * matrix[8],
                      matrix[3] * matrix[7] - matrix[4] * matrix[6]};
  if (!orthogonal || dot(first, cross) < 0.0) {
    field.fail(
        orthogonal ? "a reflection" : "a matrix whose rows are not of length 1 at right angles",
        "a rotation, row by row");
  }
  return matrix;
}

Rectified rectified_of(const Field& field) {
  Rectified result{field, field.matrix(3, 4)};
  const std::vector<double>& p = result.p;
  View view(field);
  set_focal(field, p[0], p[5], &view);
  const double zeros[] = {p[1], p[4], p[8], p[9], p[10] - 1.0};
  if (std::any_of(std::begin(zeros), std::end(zeros),
                  [&](double zero) { return std::fabs(zero) > kTolerance * p[0]; })) {
    field.fail("another matrix",
               "the projection of a rectified view, [f 0 cx tx; 0 fy cy ty; 0 0 1 tz]");
  }
  return result;
}

View rectified_view(const Rectified& projection) {
  View view(projection.field);
  set_focal(projection.field, projection.p[0], projection.p[5], &view);
  view.info.principal_x = projection.p[2];
  view.info.principal_y = projection.p[6];
  view.info.rectified = TRUE;
  return view;
}

void check_baseline(const Field& field, double metres, Unit unit) {
  if (meta::is_likely_baseline(metres)) return;
  if (metres == 0.0) {
    field.fail("no distance between the cameras, so no baseline",
               "that of a stereo pair, 0.001 m to 10 m: name the calibration of both cameras");
  }
  std::string remedy;
  if (unit == Unit::kOptions) {
    remedy = "; calibration-unit is the metres in a unit of the file";
    if (meta::is_likely_baseline(metres * 0.001)) {
      remedy += ": 0.001 for millimetres, 0.01 for centimetres";
    }
  } else {
    remedy = "; the file states its unit, so that calibration-unit does not change it";
  }
  field.fail("a baseline of " + to_text(metres) + " m", "0.001 m to 10 m" + remedy);
}

void check_alike(const Rectified& left, const Rectified& right) {
  const std::vector<double>& a = left.p;
  const std::vector<double>& b = right.p;
  const std::string& other = left.field.path();
  for (const auto& [i, what] : {std::pair<std::size_t, const char*>{0, "focal length"},
                                {5, "focal length"},
                                {6, "row of the principal point"}}) {
    if (std::fabs(a[i] - b[i]) > 1e-4 * a[0]) {
      right.field.fail("a " + std::string(what) + " of " + pixels(b[i]),
                       "that of " + other + ", " + pixels(a[i]) + ": one rectified pair");
    }
  }
}

void set_rectified_pair(const Rectified& left, const Rectified& right, const Options& options,
                        View* left_view, View* right_view) {
  const std::vector<double>& a = left.p;
  const std::vector<double>& b = right.p;
  check_alike(left, right);
  if (a[3] == b[3] && a[7] == b[7]) {
    right.field.fail("the same " + std::string(a == b ? "projection" : "fourth number") + " as " +
                         left.field.path() + ", so no baseline",
                     "that of the right view: its fourth number is less by focal length times "
                     "baseline. Name the calibration of both cameras as a pair");
  }
  const double baseline = (a[3] - b[3]) / a[0] * options.unit;
  if (std::fabs(b[7] - a[7]) > 0.1 * std::fabs(b[3] - a[3])) {
    right.field.fail(
        "a shift of " + to_text((b[7] - a[7]) / a[0] * options.unit) + " m along the columns",
        "a pair side by side");
  }
  if (!(baseline > 0.0)) {
    right.field.fail("a baseline of " + to_text(baseline) + " m",
                     "one above 0: the fourth number is minus focal length times baseline. "
                     "Exchange the views, left before right");
  }
  check_baseline(right.field, baseline, Unit::kOptions);
  for (View* view : {left_view, right_view}) {
    view->info.baseline = baseline;
    view->info.disparity_offset = b[2] - a[2];
  }
}

void set_projection(const Field& field, const std::vector<double>& values, View* view) {
  double matrix[12];
  std::copy(values.begin(), values.end(), matrix);
  const std::string wrong = meta::decompose_projection(matrix, &view->info);
  if (!wrong.empty())
    field.fail("a matrix that is no projection: " + wrong, "K [R | t], world to image");
  set_focal(field, view->info.focal_length, view->info.focal_length_y, view);
}

void set_raw_pair(const Field& field, const Motion& right_from_left, Unit unit, View* left,
                  View* right) {
  const double baseline = length(right_from_left.shift);
  check_baseline(field, baseline, unit);
  set_pose(after(pose_of(*left), inverse(right_from_left)), right);
  const Matrix3 one = Motion{}.rotation;
  bool aligned = !has_distortion(*left) && !has_distortion(*right);
  for (std::size_t i = 0; i < 9; ++i) {
    aligned &= std::fabs(right_from_left.rotation[i] - one[i]) <= 1e-9;
  }
  aligned &= right_from_left.shift[0] < 0.0 && right_from_left.shift[0] <= -(1.0 - 1e-9) * baseline;
  const GstRdpCameraInfo& a = left->info;
  const GstRdpCameraInfo& b = right->info;
  aligned &= a.focal_length == b.focal_length && a.focal_length_y == b.focal_length_y &&
             a.principal_y == b.principal_y;
  for (View* view : {left, right}) {
    view->info.baseline = baseline;
    view->info.rectified = aligned ? TRUE : FALSE;
    if (aligned) view->info.disparity_offset = b.principal_x - a.principal_x;
  }
}

void set_single(View* view) { view->info.rectified = has_distortion(*view) ? FALSE : TRUE; }

}  // namespace rdp::calibration
