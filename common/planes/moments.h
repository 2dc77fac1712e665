// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_MOMENTS_H_
#define RDP_COMMON_PLANES_MOMENTS_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/planes/device_rounding.h"

// Sums over points with integer coordinates, and their statistics. Sums wrap at 64 bits, so their
// order does not matter: threads and GPUs add in any order. Statistics are double: only + - * / in
// the order written here, compiled without contraction.
namespace rdp::planes {

struct Moments {
  std::uint64_t n = 0;
  std::uint64_t sum[3] = {};       // x, y, z, as two's complement
  std::uint64_t products[6] = {};  // xx, xy, xz, yy, yz, zz

  RDP_HOST_DEVICE void add(const Moments& other) {
    n += other.n;
    for (int i = 0; i < 3; ++i) sum[i] += other.sum[i];
    for (int i = 0; i < 6; ++i) products[i] += other.products[i];
  }

  RDP_HOST_DEVICE void add_point(std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto u = [](std::int64_t v) { return static_cast<std::uint64_t>(v); };
    ++n;
    sum[0] += u(x);
    sum[1] += u(y);
    sum[2] += u(z);
    products[0] += u(x * x);
    products[1] += u(x * y);
    products[2] += u(x * z);
    products[3] += u(y * y);
    products[4] += u(y * z);
    products[5] += u(z * z);
  }
};

// Mean and covariance of points.
struct Statistics {
  double n = 0.0;
  double mean[3] = {};
  double covariance[6] = {};  // xx, xy, xz, yy, yz, zz
};

// The mean of a coordinate over n points: rounded towards zero, the sum's remainder, and the mean
// itself.
struct Centre {
  std::int64_t middle;
  double rest;
  double mean;
};

RDP_HOST_DEVICE inline Centre centre_of(std::uint64_t coordinates, std::uint64_t points) {
  const std::int64_t sum = static_cast<std::int64_t>(coordinates);
  const std::int64_t n = static_cast<std::int64_t>(points);
  Centre c;
  c.middle = truncating_mean(sum, n);
  c.rest = static_cast<double>(sum - c.middle * n);
  c.mean = static_cast<double>(c.middle) + divide_by_count(c.rest, static_cast<double>(n));
  return c;
}

// The covariance of two coordinates, from the sum of their products and their own sums.
RDP_HOST_DEVICE inline double covariance_of(std::uint64_t products, std::uint64_t points,
                                            std::uint64_t sum_i, const Centre& i,
                                            std::uint64_t sum_j, const Centre& j) {
  const double n = static_cast<double>(static_cast<std::int64_t>(points));
  const auto a = static_cast<std::uint64_t>(i.middle);
  const auto b = static_cast<std::uint64_t>(j.middle);
  const std::uint64_t centred = products - a * sum_j - b * sum_i + points * a * b;
  const auto whole = static_cast<double>(static_cast<std::int64_t>(centred));
  return divide_by_count(whole - divide_by_count(i.rest * j.rest, n), n);
}

// The statistics of at least one point. Sums of products may have wrapped, so integer arithmetic
// first centres them at the mean, rounded towards zero. The centred sums fit 64 bits as long
// as the points lie near enough to it.
RDP_HOST_DEVICE inline Statistics statistics_of(const Moments& m) {
  Statistics s;
  Centre centres[3];
  s.n = static_cast<double>(static_cast<std::int64_t>(m.n));
  for (int i = 0; i < 3; ++i) {
    centres[i] = centre_of(m.sum[i], m.n);
    s.mean[i] = centres[i].mean;
  }
  int k = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j, ++k) {
      s.covariance[k] =
          covariance_of(m.products[k], m.n, m.sum[i], centres[i], m.sum[j], centres[j]);
    }
  }
  return s;
}

// The mean alone, bit-identical to statistics_of().
RDP_HOST_DEVICE inline void mean_of(const Moments& m, double mean[3]) {
  const std::int64_t n = static_cast<std::int64_t>(m.n);
  for (int i = 0; i < 3; ++i) {
    const std::int64_t sum = static_cast<std::int64_t>(m.sum[i]);
    const std::int64_t middle = truncating_mean(sum, n);
    const double rest = static_cast<double>(sum - middle * n);
    mean[i] = static_cast<double>(middle) + divide_by_count(rest, static_cast<double>(n));
  }
}

RDP_HOST_DEVICE inline double trace_of(const Statistics& s) {
  return s.covariance[0] + s.covariance[3] + s.covariance[5];
}

// v . C v.
RDP_HOST_DEVICE inline double variance_along(const double c[6], const double v[3]) {
  const double x = c[0] * v[0] + c[1] * v[1] + c[2] * v[2];
  const double y = c[1] * v[0] + c[3] * v[1] + c[4] * v[2];
  const double z = c[2] * v[0] + c[4] * v[1] + c[5] * v[2];
  return x * v[0] + y * v[1] + z * v[2];
}

RDP_HOST_DEVICE inline double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_MOMENTS_H_
