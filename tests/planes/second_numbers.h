// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PLANES_SECOND_NUMBERS_H_
#define RDP_TESTS_PLANES_SECOND_NUMBERS_H_

#include <array>
#include <cstdint>

// The sections "Numbers" and "Sums, statistics and fits" of docs/internals/planes-definition.md, in
// the page's words and order; read both side by side.
namespace rdp::test::second {

using Vector = std::array<double, 3>;
using Integers = std::array<std::int64_t, 3>;

// Numbers.
inline constexpr double kPi = 3.14159265358979323846;
std::int64_t round_up(double v);  // "round(v)": halves go up
double dot(const Vector& a, const Vector& b);
inline double at_most(double v, double m) { return v > m ? m : v; }
inline double at_least(double v, double m) { return v < m ? m : v; }
inline double greater_of(double a, double b) { return a > b ? a : b; }
inline double lesser_of(double a, double b) { return a <= b ? a : b; }

// Sums. Those of coordinates and of their products wrap at 64 bits.
struct Sums {
  std::int64_t n = 0;
  std::uint64_t s[3] = {};
  std::uint64_t products[3][3] = {};  // symmetric

  void add(const Integers& point);
  void add(const Sums& other);
};

// Statistics, of sums with n >= 1.
struct Statistics {
  Vector mean = {};
  double c[3][3] = {};  // symmetric
};
Statistics statistics_of(const Sums& sums);

// Fits.
struct Fit {
  Vector normal = {};
  double distance = 0.0;
  Vector mean = {};
  double l1 = 0.0, l2 = 0.0, l3 = 0.0;
};
Fit fit_of(const Statistics& statistics);
inline Fit fit_of(const Sums& sums) { return fit_of(statistics_of(sums)); }

// The squared distance of points from the plane of a fit, on average.
double distance2(const Statistics& points, const Fit& plane);

// "E", where a plane and a cell are said to have one.
double between(const Vector& a, const Vector& b);

// True if the points are thicker than t2, without a fit.
bool thicker(const Statistics& points, double t2);

}  // namespace rdp::test::second

#endif  // RDP_TESTS_PLANES_SECOND_NUMBERS_H_
