// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_COLOUR_VISION_H_
#define RDP_TESTS_SUPPORT_COLOUR_VISION_H_

#include <algorithm>
#include <cmath>

#include "common/rdp/overlay_pixels.h"

// The perceived difference of two colours, with full and with deficient colour vision.
namespace rdp::test {

// The three kinds of dichromacy by the linear model of G. M. Machado, M. M. Oliveira and L. A. F.
// Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG
// 2009, at its full severity: matrices on linear RGB.
struct Sight {
  const char* name;
  double matrix[3][3];
};
inline constexpr Sight kSights[] = {
    {"all colours", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {"protanopia",
     {{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {"deuteranopia",
     {{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
    {"tritanopia",
     {{1.255528, -0.076749, -0.178779},
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},
};

struct Lab {
  double l, a, b;
};

// An sRGB pixel as this sight perceives it, in CIELAB under D65.
inline Lab seen(Pixel p, const Sight& sight) {
  const auto linear = [](std::uint32_t byte) {
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const double rgb[] = {linear(p & 255), linear(p >> 8 & 255), linear(p >> 16 & 255)};
  double s[3];
  for (int i = 0; i < 3; ++i) {
    const double* row = sight.matrix[i];
    s[i] = std::clamp(row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2], 0.0, 1.0);
  }
  const auto f = [](double t) {
    return t > 216.0 / 24389.0 ? std::cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
  };
  const double x = f((0.4124564 * s[0] + 0.3575761 * s[1] + 0.1804375 * s[2]) / 0.95047);
  const double y = f(0.2126729 * s[0] + 0.7151522 * s[1] + 0.0721750 * s[2]);
  const double z = f((0.0193339 * s[0] + 0.1191920 * s[1] + 0.9503041 * s[2]) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

// CIEDE2000 after G. Sharma, W. Wu and E. N. Dalal (Color Research and Application, 2005). A
// difference of 1 is just noticeable to a trained eye in two large adjacent areas.
inline double difference(const Lab& p, const Lab& q) {
  constexpr double kPi = 3.14159265358979323846;
  const auto radians = [](double degrees) { return degrees * kPi / 180; };
  const auto power7 = [](double c) {
    return std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + 6103515625.0));
  };
  const double g = 0.5 * (1 - power7((std::hypot(p.a, p.b) + std::hypot(q.a, q.b)) / 2));
  const double a1 = p.a * (1 + g), a2 = q.a * (1 + g);
  const double c1 = std::hypot(a1, p.b), c2 = std::hypot(a2, q.b);
  const auto hue = [&](double a, double b) {
    const double h = std::atan2(b, a) * 180 / kPi;
    return h < 0 ? h + 360 : h;
  };
  const double h1 = hue(a1, p.b), h2 = hue(a2, q.b);
  double dh = h2 - h1;
  double mean_h = h1 + h2;
  if (c1 * c2 == 0) {
    dh = 0;
  } else if (std::abs(h1 - h2) <= 180) {
    mean_h /= 2;
  } else {
    dh += dh > 0 ? -360 : 360;
    mean_h = (mean_h + (mean_h < 360 ? 360 : -360)) / 2;
  }
  const double dl = q.l - p.l, dc = c2 - c1;
  const double dhh = 2 * std::sqrt(c1 * c2) * std::sin(radians(dh / 2));
  const double mean_l = (p.l + q.l) / 2, mean_c = (c1 + c2) / 2;
  const double t = 1 - 0.17 * std::cos(radians(mean_h - 30)) +
                   0.24 * std::cos(radians(2 * mean_h)) + 0.32 * std::cos(radians(3 * mean_h + 6)) -
                   0.20 * std::cos(radians(4 * mean_h - 63));
  const double from_50 = (mean_l - 50) * (mean_l - 50);
  const double sl = 1 + 0.015 * from_50 / std::sqrt(20 + from_50);
  const double sc = 1 + 0.045 * mean_c, sh = 1 + 0.015 * mean_c * t;
  const double of_blue = (mean_h - 275) / 25;
  const double rt = -std::sin(radians(60 * std::exp(-of_blue * of_blue))) * 2 * power7(mean_c);
  const double l = dl / sl, c = dc / sc, h = dhh / sh;
  return std::sqrt(l * l + c * c + h * h + rt * c * h);
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_COLOUR_VISION_H_
