// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/motion/kalman.h"

#include "common/motion/ldlt.h"

namespace rdp::motion {
namespace {

// (u, v, d) of a point, or (u, v, Z) of a camera that measures depths, and the derivatives by the
// point: an upper triangle.
struct Seen {
  double u, v, measure;
  double u_x, u_z, v_y, v_z, measure_z;
};

Seen seen(double x, double y, double z, const Space& space) {
  const Camera& c = space.camera;
  Seen s;
  s.u = c.focal_x * x / z + c.principal_x;
  s.v = c.focal_y * y / z + c.principal_y;
  s.u_x = c.focal_x / z;
  s.u_z = -(c.focal_x * x / (z * z));
  s.v_y = c.focal_y / z;
  s.v_z = -(c.focal_y * y / (z * z));
  if (space.measures == Measure::kDisparity) {
    s.measure = space.numerator / z;
    s.measure_z = -(space.numerator / (z * z));
  } else {
    s.measure = z;
    s.measure_z = 1.0;
  }
  return s;
}

}  // namespace

Kalman Kalman::start(const Point& point, double measure_noise, const Space& space) {
  const Seen s = seen(point.x, point.y, point.z, space);
  Matrix<3, 3> inverse;  // of J
  inverse.at[0][0] = 1.0 / s.u_x;
  inverse.at[1][1] = 1.0 / s.v_y;
  inverse.at[2][2] = 1.0 / s.measure_z;
  inverse.at[0][2] = -(inverse.at[0][0] * s.u_z * inverse.at[2][2]);
  inverse.at[1][2] = -(inverse.at[1][1] * s.v_z * inverse.at[2][2]);
  Matrix<3, 3> noise;
  noise.at[0][0] = kPlaceNoise * kPlaceNoise;
  noise.at[1][1] = kPlaceNoise * kPlaceNoise;
  noise.at[2][2] = measure_noise * measure_noise;
  // J^-1 diag(sigma^2) J^-T
  const Matrix<3, 3> place = symmetric_product(product(inverse, noise), transposed(inverse));

  Kalman filter{{point.x, point.y, point.z, 0.0, 0.0, 0.0}, {}, false};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) filter.covariance.at[i][j] = place.at[i][j];
    filter.covariance.at[3 + i][3 + i] = kStartSpeedNoise * kStartSpeedNoise;
  }
  return filter;
}

void Kalman::predict(const Pose& ego, double dt) {
  // P <- R (P + V dt) + t, V <- R V
  const Point moved = transform(
      ego, {state[0] + state[3] * dt, state[1] + state[4] * dt, state[2] + state[5] * dt});
  Matrix<3, 3> rotation;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) rotation.at[i][j] = ego.m[4 * i + j];
  }
  Matrix<3, 1> velocity;
  for (int i = 0; i < 3; ++i) velocity.at[i][0] = state[3 + i];
  velocity = product(rotation, velocity);
  state[0] = moved.x;
  state[1] = moved.y;
  state[2] = moved.z;
  for (int i = 0; i < 3; ++i) state[3 + i] = velocity.at[i][0];

  // C <- F C F^T + Q with F = (R, R dt; 0, R)
  Matrix<6, 6> f;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      f.at[i][j] = rotation.at[i][j];
      f.at[i][3 + j] = rotation.at[i][j] * dt;
      f.at[3 + i][3 + j] = rotation.at[i][j];
    }
  }
  covariance = symmetric_product(product(f, covariance), transposed(f));
  const double growth = dt / kDriftTime;
  for (int i = 0; i < 3; ++i) {
    covariance.at[i][i] += kDriftPlace * kDriftPlace * growth;
    covariance.at[3 + i][3 + i] += kDriftSpeed * kDriftSpeed * growth;
  }
}

bool Kalman::update(const Measurement& measured, const Space& space) {
  if (!(state[2] > kNearest)) return true;
  const Seen s = seen(state[0], state[1], state[2], space);
  const double innovation[3] = {measured.u - s.u, measured.v - s.v, measured.measure - s.measure};
  Matrix<3, 6> h;
  h.at[0][0] = s.u_x;
  h.at[0][2] = s.u_z;
  h.at[1][1] = s.v_y;
  h.at[1][2] = s.v_z;
  h.at[2][2] = s.measure_z;

  // S = H C H^T + diag(sigma^2)
  const Matrix<6, 3> h_transposed = transposed(h);
  Matrix<3, 3> spread = symmetric_product(product(h, covariance), h_transposed);
  spread.at[0][0] += kPlaceNoise * kPlaceNoise;
  spread.at[1][1] += kPlaceNoise * kPlaceNoise;
  spread.at[2][2] += measured.noise * measured.noise;
  Ldlt<3> solver;
  if (!solver.factor(spread)) return true;
  double weighted[3];
  solver.solve(innovation, weighted);
  if (dot(innovation, weighted) > kGate) return false;

  // K = C H^T S^-1, row by row: S is symmetric
  Matrix<6, 3> gain = product(covariance, h_transposed);
  for (auto& row : gain.at) solver.solve(row, row);
  for (int i = 0; i < 6; ++i) state[i] += dot(gain.at[i], innovation);

  // C <- (I - K H) C
  Matrix<6, 6> rest = product(gain, h);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) rest.at[i][j] = (i == j ? 1.0 : 0.0) - rest.at[i][j];
  }
  covariance = symmetric_product(rest, covariance);
  has_velocity = true;
  return true;
}

bool Kalman::is_sound() const {
  for (int i = 0; i < 6; ++i) {
    if (!is_within(state[i], kMaxNumber)) return false;
    if (!(covariance.at[i][i] >= 0.0 && covariance.at[i][i] <= kMaxNumber)) return false;
  }
  return true;
}

}  // namespace rdp::motion
