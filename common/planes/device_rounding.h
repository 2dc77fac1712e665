// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_DEVICE_ROUNDING_H_
#define RDP_COMMON_PLANES_DEVICE_ROUNDING_H_

#include <cmath>
#include <cstdint>

#include "common/host_device.h"

// Square roots and quotients of numbers that are neither tiny nor huge, rounded as sqrt and / round
// them. The device's own functions check each number's range and repeat divisions by the same
// number. Fitting a plane is a chain of about sixty of them on one thread.
#if defined(__CUDA_ARCH__) && !defined(RDP_EMULATED)
#define RDP_PLANES_ON_DEVICE
#endif

namespace rdp::planes {

#ifdef RDP_PLANES_ON_DEVICE
// sqrt (x). `inverse`: nearly 1 / sqrt (x).
__device__ __forceinline__ double sqrt_in_range(double x, double* inverse) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  const double e = fma(-x, y * y, 1.0);
  y = fma(y * e, fma(0.375, e, 0.5), y);
  const double root = x * y;
  *inverse = y;
  return fma(fma(-root, root, x), 0.5 * y, root);
}

// 1 / x, refined from an approximation.
__device__ __forceinline__ double closer_inverse(double x, double nearly) {
  return fma(nearly, fma(-x, nearly, 1.0), nearly);
}
__device__ __forceinline__ double plain_inverse(double x) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  // The approximation's lower half is 0. Setting a bit there keeps it from being a power of two. If
  // all bits of x are set, 1 / x lies next to the middle between such a power and the double above,
  // and the steps from the power end in a tie.
  y = __hiloint2double(__double2hiint(y), 1 << 30);
  const double e = fma(-x, y, 1.0);
  return closer_inverse(x, fma(y, fma(e, e, e), y));
}
#endif

// x / n for a number of points n, 1 to 2^32 - 1; |x| is 0 or 2^-64 to 2^64. Devices return 0 for
// -0.
RDP_HOST_DEVICE inline double divide_by_count(double x, double n) {
#ifdef RDP_PLANES_ON_DEVICE
  // Quotients by n are never nearer than 2^-86 (relative) to the middle between two doubles; one
  // step has an error of 2^-104.
  const double inverse = plain_inverse(n);
  const double q = x * inverse;
  return fma(fma(-n, q, x), inverse, q);
#else
  return x / n;
#endif
}

// A sum / n, rounded towards zero; n as above.
RDP_HOST_DEVICE inline std::int64_t truncating_mean(std::int64_t sum, std::int64_t n) {
#ifdef RDP_PLANES_ON_DEVICE
  const std::int64_t size = sum < 0 ? -sum : sum;
  if (static_cast<std::uint64_t>(size) < std::uint64_t{1} << 51) {
    const double inverse = plain_inverse(static_cast<double>(n));
    auto middle = static_cast<std::int64_t>(static_cast<double>(size) * inverse);
    // For such sizes a fractional quotient never rounds up to a whole number, but a whole one may
    // come out one too small.
    if (size - middle * n >= n) ++middle;
    return sum < 0 ? -middle : middle;
  }
#endif
  return sum / n;
}

// Tangent and cosine of the angle, given the cotangent of its double: 0 to 2^27.
RDP_HOST_DEVICE inline void jacobi_rotation_of(double cotangent, double* tangent, double* cosine) {
#ifdef RDP_PLANES_ON_DEVICE
  double inverse;
  const double root = sqrt_in_range(cotangent * cotangent + 1.0, &inverse);
  const double t = plain_inverse(root + cotangent);
  const double length = sqrt_in_range(t * t + 1.0, &inverse);
  *tangent = t;
  *cosine = closer_inverse(length, closer_inverse(length, inverse));
#else
  const double root = sqrt(cotangent * cotangent + 1.0);
  const double t = 1.0 / (root + cotangent);
  *tangent = t;
  *cosine = 1.0 / sqrt(t * t + 1.0);
#endif
}

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_DEVICE_ROUNDING_H_
