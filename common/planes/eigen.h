// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_EIGEN_H_
#define RDP_COMMON_PLANES_EIGEN_H_

#include <cmath>

#include "common/host_device.h"
#include "common/planes/device_rounding.h"
#include "common/planes/moments.h"

// Eigenvalues of covariances, and the planes that fit them: double, only + - * / and sqrt in the
// order that is written here, compiled without contraction.
namespace rdp::planes {

// Fitted to points: normal . p = distance, in the unit of the points; the distance is not below 0
// but for rounding. The variances are the eigenvalues of the covariance, thickness first.
struct Fit {
  double normal[3] = {};
  double distance = 0.0;
  double mean[3] = {};
  double variance[3] = {};
};

constexpr double kSmallTurn = 134217728.0;  // 2^27, a cotangent

// One rotation of Jacobi's method, which makes element (p, q) zero. `pq`, `pr`, `qr`: the elements
// beside the diagonal; v: two columns of the eigenvectors.
RDP_HOST_DEVICE inline void jacobi_rotation(double* pp, double* qq, double* pq, double* pr,
                                            double* qr, double* vp, double* vq) {
  if (*pq == 0.0) return;
  const double theta = (*qq - *pp) / (2.0 * *pq);
  const double size = theta < 0.0 ? -theta : theta;
  double t, c;
  if (size <= kSmallTurn) {
    jacobi_rotation_of(size, &t, &c);
    if (theta < 0.0) t = -t;
  } else if (size < 1e150) {
    // The formula below gives the same here: 1 is too small to change theta^2, and t^2 to change 1.
    t = 0.5 / theta;
    c = 1.0;
  } else {
    const double root = sqrt(theta * theta + 1.0);
    t = theta < 0.0 ? -1.0 / (root - theta) : 1.0 / (root + theta);
    c = 1.0 / sqrt(t * t + 1.0);
  }
  const double s = t * c;
  const double shift = t * *pq;
  *pp = *pp - shift;
  *qq = *qq + shift;
  *pq = 0.0;
  const double r = *pr;
  *pr = c * r - s * *qr;
  *qr = s * r + c * *qr;
  for (int i = 0; i < 3; ++i) {
    const double a = vp[i];
    vp[i] = c * a - s * vq[i];
    vq[i] = s * a + c * vq[i];
  }
}

constexpr int kJacobiSweeps = 3;  // a fourth changed no plane examined

// The fit from eigenvalues in any order and their vectors, each of them 3 consecutive numbers. The
// first of equal values counts as the smaller one.
RDP_HOST_DEVICE inline Fit fit_of_eigen(const double mean[3], const double values[3],
                                        const double vectors[9]) {
  // No run-time index: kernels keep the arrays in registers.
  const int least =
      values[1] < values[0] ? (values[2] < values[1] ? 2 : 1) : (values[2] < values[0] ? 2 : 0);
  const double first = least == 0 ? values[1] : values[0];
  const double second = least == 2 ? values[1] : values[2];
  Fit fit;
  fit.variance[0] = least == 0 ? values[0] : least == 1 ? values[1] : values[2];
  fit.variance[1] = first <= second ? first : second;
  fit.variance[2] = first <= second ? second : first;
  for (int i = 0; i < 3; ++i) {
    fit.mean[i] = mean[i];
    fit.normal[i] = least == 0 ? vectors[i] : least == 1 ? vectors[3 + i] : vectors[6 + i];
  }
  fit.distance = dot(fit.normal, fit.mean);
  if (fit.distance < 0.0) {
    fit.distance = -fit.distance;
    for (int i = 0; i < 3; ++i) fit.normal[i] = -fit.normal[i];
  }
  return fit;
}

// The plane through the mean across the direction of the least variance.
RDP_HOST_DEVICE inline Fit fit_of(const Statistics& s) {
  double a[6];
  for (int i = 0; i < 6; ++i) a[i] = s.covariance[i];
  double v[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
#ifdef __CUDA_ARCH__
  // One thread of a block runs this once or twice: fetching unrolled code costs more than a loop.
#pragma unroll 1
#endif
  for (int sweep = 0; sweep < kJacobiSweeps; ++sweep) {
    jacobi_rotation(&a[0], &a[3], &a[1], &a[2], &a[4], v, v + 3);
    jacobi_rotation(&a[0], &a[5], &a[2], &a[1], &a[4], v, v + 6);
    jacobi_rotation(&a[3], &a[5], &a[4], &a[1], &a[2], v + 3, v + 6);
  }
  const double values[3] = {a[0], a[3], a[5]};
  return fit_of_eigen(s.mean, values, v);
}

// Mean squared distance from the plane of the points with these statistics.
RDP_HOST_DEVICE inline double squared_distance(const Statistics& s, const Fit& plane) {
  const double offset = dot(plane.normal, s.mean) - plane.distance;
  return variance_along(s.covariance, plane.normal) + offset * offset;
}

// True if the least eigenvalue of the covariance C exceeds `limit`: all leading minors of C - limit
// I are above 0. Computes no eigenvalue.
RDP_HOST_DEVICE inline bool thicker_than(const double c[6], double limit) {
  const double xx = c[0] - limit;
  const double yy = c[3] - limit;
  const double zz = c[5] - limit;
  const double minor = xx * yy - c[1] * c[1];
  const double determinant = xx * (yy * zz - c[4] * c[4]) - c[1] * (c[1] * zz - c[4] * c[2]) +
                             c[2] * (c[1] * c[4] - yy * c[2]);
  return xx > 0.0 && minor > 0.0 && determinant > 0.0;
}

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_EIGEN_H_
