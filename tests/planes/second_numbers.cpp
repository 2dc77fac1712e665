// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/planes/second_numbers.h"

#include <cmath>
#include <cstddef>
#include <utility>

namespace rdp::test::second {

std::int64_t round_up(double v) { return static_cast<std::int64_t>(std::floor(v + 0.5)); }

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void Sums::add(const Integers& point) {
  n += 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto a = static_cast<std::uint64_t>(point[i]);
    s[i] += a;
    for (std::size_t j = 0; j < 3; ++j) products[i][j] += a * static_cast<std::uint64_t>(point[j]);
  }
}

void Sums::add(const Sums& other) {
  n += other.n;
  for (std::size_t i = 0; i < 3; ++i) {
    s[i] += other.s[i];
    for (std::size_t j = 0; j < 3; ++j) products[i][j] += other.products[i][j];
  }
}

Statistics statistics_of(const Sums& sums) {
  Statistics result;
  const auto n = static_cast<double>(sums.n);
  std::uint64_t m[3];
  double r[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const auto s = static_cast<std::int64_t>(sums.s[i]);
    const std::int64_t cut = s / sums.n;
    r[i] = static_cast<double>(s - cut * sums.n);
    result.mean[i] = static_cast<double>(cut) + r[i] / n;
    m[i] = static_cast<std::uint64_t>(cut);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const std::uint64_t e = sums.products[i][j] - m[i] * sums.s[j] - m[j] * sums.s[i] +
                              static_cast<std::uint64_t>(sums.n) * m[i] * m[j];
      const auto centred = static_cast<double>(static_cast<std::int64_t>(e));
      result.c[i][j] = (centred - r[i] * r[j] / n) / n;
    }
  }
  return result;
}

Fit fit_of(const Statistics& statistics) {
  double a[3][3];
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) a[i][j] = statistics.c[i][j];
  }
  Vector v[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  constexpr std::pair<int, int> kPairs[] = {{0, 1}, {0, 2}, {1, 2}};
  for (int sweep = 0; sweep < 3; ++sweep) {
    for (const auto& [p, q] : kPairs) {
      if (a[p][q] == 0.0) continue;
      const int r = 3 - p - q;
      const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
      const double root = std::sqrt(theta * theta + 1.0);
      const double t = theta < 0.0 ? -1.0 / (root - theta) : 1.0 / (root + theta);
      const double c = 1.0 / std::sqrt(t * t + 1.0);
      const double s = t * c;
      const double h = t * a[p][q];
      a[p][p] = a[p][p] - h;
      a[q][q] = a[q][q] + h;
      a[p][q] = a[q][p] = 0.0;
      const double pr = a[p][r];
      const double qr = a[q][r];
      a[p][r] = a[r][p] = c * pr - s * qr;
      a[q][r] = a[r][q] = s * pr + c * qr;
      for (std::size_t i = 0; i < 3; ++i) {
        const double vp = v[p][i];
        const double vq = v[q][i];
        v[p][i] = c * vp - s * vq;
        v[q][i] = s * vp + c * vq;
      }
    }
  }
  int least = 0;
  for (int i = 1; i < 3; ++i) {
    if (a[i][i] < a[least][least]) least = i;
  }
  const int one = least == 0 ? 1 : 0;
  const int other = least == 2 ? 1 : 2;
  Fit fit;
  fit.normal = v[least];
  fit.mean = statistics.mean;
  fit.l1 = a[least][least];
  fit.l2 = lesser_of(a[one][one], a[other][other]);
  fit.l3 = greater_of(a[one][one], a[other][other]);
  fit.distance = dot(fit.normal, fit.mean);
  if (fit.distance < 0.0) {
    fit.distance = -fit.distance;
    for (double& n : fit.normal) n = -n;
  }
  return fit;
}

double distance2(const Statistics& points, const Fit& plane) {
  const Vector& n = plane.normal;
  const double(&c)[3][3] = points.c;
  const double o = dot(n, points.mean) - plane.distance;
  const double x = c[0][0] * n[0] + c[0][1] * n[1] + c[0][2] * n[2];
  const double y = c[0][1] * n[0] + c[1][1] * n[1] + c[1][2] * n[2];
  const double z = c[0][2] * n[0] + c[1][2] * n[1] + c[2][2] * n[2];
  return (x * n[0] + y * n[1] + z * n[2]) + o * o;
}

double between(const Vector& a, const Vector& b) {
  const double d0 = a[0] - b[0];
  const double d1 = a[1] - b[1];
  const double d2 = a[2] - b[2];
  return d0 * d0 + d1 * d1 + d2 * d2;
}

bool thicker(const Statistics& points, double t2) {
  const double(&c)[3][3] = points.c;
  const double xy = c[0][1];
  const double xz = c[0][2];
  const double yz = c[1][2];
  const double x = c[0][0] - t2;
  const double y = c[1][1] - t2;
  const double z = c[2][2] - t2;
  return x > 0.0 && x * y - xy * xy > 0.0 &&
         x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz) > 0.0;
}

}  // namespace rdp::test::second
