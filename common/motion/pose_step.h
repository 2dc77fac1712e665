// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_POSE_STEP_H_
#define RDP_COMMON_MOTION_POSE_STEP_H_

#include "common/image/camera.h"
#include "common/motion/input.h"
#include "common/motion/ldlt.h"

// A Gauss-Newton step towards the pose that projects points to their observed pixels. Unknowns are
// (delta, omega), in this order: a point Q moves by delta - [Q] omega. motion.md, section 6.
namespace rdp::motion {

// A point transformed by a pose, with a depth of at least `nearest`.
inline Point posed(const Pose& pose, double x, double y, double z, double nearest) {
  const Point q = transform(pose, {x, y, z});
  return {q.x, q.y, q.z > nearest ? q.z : nearest};
}

// R <- Omega R, t <- Omega t + delta, with Cayley's rotation
// Omega = I + 2 / (1 + a.a) ([a] + [a]^2), a = omega / 2.
inline void turn(const double (&step)[6], Pose* pose) {
  const double a[3] = {step[3] / 2.0, step[4] / 2.0, step[5] / 2.0};
  const double factor = 2.0 / (1.0 + dot(a, a));
  const Matrix<3, 3> cross = {{{0.0, -a[2], a[1]}, {a[2], 0.0, -a[0]}, {-a[1], a[0], 0.0}}};
  const Matrix<3, 3> square = product(cross, cross);
  Matrix<3, 3> omega;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      omega.at[i][j] = (i == j ? 1.0 : 0.0) + factor * (cross.at[i][j] + square.at[i][j]);
    }
  }
  Matrix<3, 4> before;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) before.at[i][j] = pose->m[4 * i + j];
  }
  const Matrix<3, 4> after = product(omega, before);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose->m[4 * i + j] = after.at[i][j];
    pose->m[4 * i + 3] = after.at[i][3] + step[i];
  }
}

// The sums J^T J and J^T r over the points' rows, u before v for each point.
class NormalEquations {
 public:
  // Adds a point transformed by posed(), and its observed pixel.
  void add(const Point& q, double u, double v, const Camera& c) {
    const double u_x = c.focal_x / q.z;
    const double u_z = -(c.focal_x * q.x / (q.z * q.z));
    const double v_y = c.focal_y / q.z;
    const double v_z = -(c.focal_y * q.y / (q.z * q.z));
    // The derivative by Q times (I, -[Q]).
    add_row({u_x, 0.0, u_z, u_z * q.y, u_x * q.z - u_z * q.x, -(u_x * q.y)},
            u - (c.focal_x * q.x / q.z + c.principal_x));
    add_row({0.0, v_y, v_z, v_z * q.y - v_y * q.z, -(v_z * q.x), v_y * q.x},
            v - (c.focal_y * q.y / q.z + c.principal_y));
  }

  // Moves the pose by the solution of (J^T J + damping I) step = J^T r, each component limited to
  // +-`most`. False if there is no solution.
  bool move(double damping, double most, Pose* pose) {
    for (int i = 0; i < 6; ++i) matrix_.at[i][i] += damping;
    Ldlt<6> solver;
    if (!solver.factor(matrix_)) return false;
    double step[6];
    solver.solve(right_, step);
    for (double& s : step) s = s > most ? most : s < -most ? -most : s;
    turn(step, pose);
    return true;
  }

 private:
  struct Row {
    double at[6];
  };

  void add_row(const Row& row, double residual) {
    for (int i = 0; i < 6; ++i) {
      for (int j = i; j < 6; ++j) matrix_.at[i][j] += row.at[i] * row.at[j];
      right_[i] += row.at[i] * residual;
    }
  }

  Matrix<6, 6> matrix_;  // the upper triangle
  double right_[6] = {};
};

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_POSE_STEP_H_
