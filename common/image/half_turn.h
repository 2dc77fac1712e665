// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_HALF_TURN_H_
#define RDP_COMMON_IMAGE_HALF_TURN_H_

#include <cmath>

namespace rdp {

// Sine of pi * part / parts, for parts > 0 and part >= 0. Sums the series, so that no library's
// rounding matters. Mirrored angles have bit-identical sines, up to the sign.
inline double sine_of_part(int part, int parts) {
  constexpr double kPi = 3.14159265358979323846;
  part %= 2 * parts;
  if (part >= parts) return -sine_of_part(part - parts, parts);
  if (2 * part > parts) part = parts - part;
  const double x = kPi * part / parts;
  double term = x;
  double sum = x;
  for (int i = 2; i <= 24; i += 2) {
    term = -term * x * x / (static_cast<double>(i) * (i + 1));
    sum = sum + term;
  }
  return sum;
}

inline double cosine_of_part(int part, int parts) {
  return sine_of_part(2 * part + parts, 2 * parts);
}

// Cosine of an angle in degrees, from -270 to 270: bit-identical on every machine, too.
inline double cosine_of_degrees(double degrees) {
  constexpr double kRadians = 3.14159265358979323846 / 180.0;
  const double t = std::abs(degrees);
  const bool beyond = t > 90.0;
  const double x = (beyond ? 180.0 - t : t) * kRadians;
  double term = 1.0;
  double sum = 1.0;
  for (int i = 1; i <= 12; ++i) {
    term = -term * x * x / static_cast<double>((2 * i - 1) * (2 * i));
    sum = sum + term;
  }
  return beyond ? -sum : sum;
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_HALF_TURN_H_
