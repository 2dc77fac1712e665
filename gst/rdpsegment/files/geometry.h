/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_FILES_GEOMETRY_H_
#define RDP_GST_RDPSEGMENT_FILES_GEOMETRY_H_

#include <gst/rdpsegment/rdpcamera.h>

#include <array>
#include <string>
#include <vector>

#include "gst/rdpsegment/files/tree.h"

// Conversions from the matrices of calibration files to cameras.
namespace rdp::calibration {

using Vector3 = std::array<double, 3>;
using Matrix3 = std::array<double, 9>;

// x' = rotation x + shift.
struct Motion {
  Matrix3 rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vector3 shift{};
};

Vector3 multiply(const Matrix3& matrix, const Vector3& vector);
Matrix3 multiply(const Matrix3& a, const Matrix3& b);
Matrix3 transposed(const Matrix3& matrix);
double length(const Vector3& vector);
Motion inverse(const Motion& motion);
// The motion `second`, then `first`.
Motion after(const Motion& first, const Motion& second);
// Rotation about `axis` by its length in rad.
Matrix3 rotation_about(const Vector3& axis);

// Options of a reader, beside the files.
struct Options {
  double unit = 1.0;  // metres a unit of lengths whose unit a file does not state
  unsigned width = 0;
  unsigned height = 0;
};

struct View {
  explicit View(const Field& field);

  GstRdpCameraInfo info;
  Field field;  // where it was read
};
using Views = std::vector<View>;

// A camera matrix, [fx 0 cx; 0 fy cy; 0 0 1].
void set_camera_matrix(const Field& field, const std::vector<double>& matrix, View* view);
void set_focal(const Field& field, double x, double y, View* view);
// OpenCV's coefficients, up to 14. Throws an Error if the absolute value of one exceeds
// kMaxDistortion, or if one from the ninth on is not 0: GstRdpCameraInfo has eight.
void set_distortion(const Field& field, const std::vector<double>& values, View* view);
bool has_distortion(const View& view);
// `pose`: world from camera.
void set_pose(const Motion& pose, View* view);
Motion pose_of(const View& view);

// Throws an Error unless the 3x3 matrix is a rotation.
Matrix3 rotation_of(const Field& field);
// Some files write a matrix of zeros for one that they do not have.
bool is_zero(const std::vector<double>& values);

// The projection of a rectified view: [f 0 cx tx; 0 fy cy ty; 0 0 1 tz].
struct Rectified {
  Field field;
  std::vector<double> p;

  double focal() const { return p[0]; }
};
Rectified rectified_of(const Field& field);
View rectified_view(const Rectified& projection);
// Throws an Error unless focal lengths and rows of the principal point agree, as in a rectified
// pair.
void check_alike(const Rectified& left, const Rectified& right);
// Sets baseline and disparity offset of both views of a rectified pair. The baseline is
// (Pa[3] - Pb[3]) / f units.
void set_rectified_pair(const Rectified& left, const Rectified& right, const Options& options,
                        View* left_view, View* right_view);

// Decomposes a projection matrix, world to image, whose shift is in metres.
void set_projection(const Field& field, const std::vector<double>& matrix, View* view);

enum class Unit { kOptions, kStated };
// Throws an Error unless `metres` is a plausible baseline of a stereo pair.
void check_baseline(const Field& field, double metres, Unit unit);
// For views that are not rectified: sets the right view's pose and both baselines.
// `right_from_left` maps points of the left camera to the right one. An aligned pair without
// distortion is marked as rectified.
void set_raw_pair(const Field& field, const Motion& right_from_left, Unit unit, View* left,
                  View* right);
// Marks a single camera as rectified if it has no distortion.
void set_single(View* view);

}  // namespace rdp::calibration

#endif  // RDP_GST_RDPSEGMENT_FILES_GEOMETRY_H_
