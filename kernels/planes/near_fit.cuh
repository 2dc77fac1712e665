// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_NEAR_FIT_CUH_
#define RDP_KERNELS_PLANES_NEAR_FIT_CUH_

#include <cmath>
#include <cstdint>
#include <cstring>

#include "common/planes/device_rounding.h"
#include "common/planes/eigen.h"
#include "common/planes/moments.h"

// Approximations of planes::statistics_of() and planes::fit_of(), in a small part of their time.
// They serve for speculation; the exact ones decide.
namespace rdp::cuda {

__device__ __forceinline__ double near_inverse(double x) {
#ifdef RDP_PLANES_ON_DEVICE
  return planes::plain_inverse(x);
#else
  return 1.0 / x;
#endif
}

__device__ __forceinline__ double near_inverse_root(double x) {
#ifdef RDP_PLANES_ON_DEVICE
  double inverse;
  planes::sqrt_in_range(x, &inverse);
  return inverse;
#else
  // Every other result in the emulator is wrong by a sixteenth, so that tests see that a wrong
  // speculation does no harm.
  std::uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return ((bits >> 40 & 1) != 0 ? 1.0625 : 1.0) / sqrt(x);
#endif
}

__device__ __forceinline__ planes::Statistics near_statistics(const planes::Moments& m) {
  planes::Statistics s;
  s.n = static_cast<double>(static_cast<std::int64_t>(m.n));
  const double over_n = near_inverse(s.n);
  // Products may be centred at any whole number near the mean.
  std::uint64_t middle[3];
  double rest[3];
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    const auto sum = static_cast<std::int64_t>(m.sum[i]);
    const auto whole = static_cast<std::int64_t>(static_cast<double>(sum) * over_n);
    middle[i] = static_cast<std::uint64_t>(whole);
    rest[i] = static_cast<double>(static_cast<std::int64_t>(m.sum[i] - middle[i] * m.n));
    s.mean[i] = fma(rest[i], over_n, static_cast<double>(whole));
  }
  int k = 0;
#pragma unroll
  for (int i = 0; i < 3; ++i) {
#pragma unroll
    for (int j = i; j < 3; ++j, ++k) {
      const std::uint64_t centred =
          m.products[k] - middle[i] * m.sum[j] - middle[j] * m.sum[i] + m.n * middle[i] * middle[j];
      const auto sum = static_cast<double>(static_cast<std::int64_t>(centred));
      s.covariance[k] = fma(-rest[i] * over_n, rest[j], sum) * over_n;
    }
  }
  return s;
}

// The least eigenvalue by Newton's method, which converges from below, and fast if points lie in a
// plane. Its eigenvector is a column of the adjugate. Without such a plane the result is NaN, or
// far off.
__device__ __forceinline__ planes::Fit near_fit(const planes::Statistics& s) {
  constexpr int kSteps = 3;
  const double* const c = s.covariance;
  const double trace = c[0] + c[3] + c[5];
  const double minor_x = fma(c[3], c[5], -c[4] * c[4]);
  const double minor_y = fma(c[0], c[5], -c[2] * c[2]);
  const double minor_z = fma(c[0], c[3], -c[1] * c[1]);
  const double minors = minor_x + minor_y + minor_z;
  const double determinant = fma(c[0], minor_x, -c[1] * fma(c[1], c[5], -c[2] * c[4])) +
                             c[2] * fma(c[1], c[4], -c[3] * c[2]);
  double least = 0.0;
#pragma unroll
  for (int i = 0; i < kSteps; ++i) {
    const double value = fma(-least, fma(-least, trace - least, minors), determinant);
    const double slope = fma(-least, fma(-3.0, least, 2.0 * trace), minors);
    least = fma(value, near_inverse(slope), least);
  }
  const double xx = c[0] - least, yy = c[3] - least, zz = c[5] - least;
  const double of_x = fma(yy, zz, -c[4] * c[4]);
  const double of_y = fma(xx, zz, -c[2] * c[2]);
  const double of_z = fma(xx, yy, -c[1] * c[1]);
  const double xy = fma(c[2], c[4], -c[1] * zz);
  const double xz = fma(c[1], c[4], -c[2] * yy);
  const double yz = fma(c[1], c[2], -c[4] * xx);
  const bool first = of_x >= of_y && of_x >= of_z;
  const bool second = !first && of_y >= of_z;
  planes::Fit fit;
  fit.normal[0] = first ? of_x : second ? xy : xz;
  fit.normal[1] = first ? xy : second ? of_y : yz;
  fit.normal[2] = first ? xz : second ? yz : of_z;
  const double over_length = near_inverse_root(planes::dot(fit.normal, fit.normal));
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    fit.normal[i] *= over_length;
    fit.mean[i] = s.mean[i];
  }
  fit.distance = planes::dot(fit.normal, fit.mean);
  // The other eigenvalues, from their sum and their product.
  const double sum = trace - least;
  const double product = fma(-least, sum, minors);
  const double square = fma(sum, sum, -4.0 * product);
  const double apart = square > 0.0 ? square * near_inverse_root(square) : 0.0;
  fit.variance[0] = least;
  fit.variance[1] = 0.5 * (sum - apart);
  fit.variance[2] = 0.5 * (sum + apart);
  return fit;
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_NEAR_FIT_CUH_
