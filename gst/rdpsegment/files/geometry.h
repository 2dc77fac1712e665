/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RDP_GST_RDPSEGMENT_FILES_GEOMETRY_H_
#define RDP_GST_RDPSEGMENT_FILES_GEOMETRY_H_

#include <gst/rdpsegment/rdpcamera.h>

#include <array>
#include <string>
#include <vector>

#include "gst/rdpsegment/files/tree.h"

// Cameras out of the matrices of calibration files.
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
// First `second`, then `first`.
Motion after(const Motion& first, const Motion& second);
// A rotation about an axis by the axis' length.
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
// OpenCV's coefficients, up to 14; those for which a camera has no place must be 0, and none may be
// more than a lens has.
void set_distortion(const Field& field, const std::vector<double>& values, View* view);
bool has_distortion(const View& view);
// World from camera.
void set_pose(const Motion& pose, View* view);
Motion pose_of(const View& view);

Matrix3 rotation_of(const Field& field);
// Refused unless it is a rotation, or all 0 where that means none.
bool is_zero(const std::vector<double>& values);

// The projection of a rectified view: [f 0 cx tx; 0 fy cy ty; 0 0 1 tz].
struct Rectified {
  Field field;
  std::vector<double> p;

  double focal() const { return p[0]; }
};
Rectified rectified_of(const Field& field);
View rectified_view(const Rectified& projection);
// One focal length and one row of the principal point, as both views of a rectified pair have.
void check_alike(const Rectified& left, const Rectified& right);
// Both views of a rectified pair: baseline and offset of disparity, of both. The baseline is
// (Pa[3] - Pb[3]) / f units.
void set_rectified_pair(const Rectified& left, const Rectified& right, const Options& options,
                        View* left_view, View* right_view);

// Any projection matrix, world to image: taken apart, its shift in metres.
void set_projection(const Field& field, const std::vector<double>& matrix, View* view);

enum class Unit { kOptions, kStated };
// A baseline in metres that can be one.
void check_baseline(const Field& field, double metres, Unit unit);
// Views as they left the lens: the second one's pose and both baselines, where right_from_left says
// how a point of the left camera is seen from the right one. They need no rectification where they
// are aligned and without distortion.
void set_raw_pair(const Field& field, const Motion& right_from_left, Unit unit, View* left,
                  View* right);
// A single camera needs none where it has no distortion.
void set_single(View* view);

}  // namespace rdp::calibration

#endif  // RDP_GST_RDPSEGMENT_FILES_GEOMETRY_H_
