// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_STEP_H_
#define RDP_COMMON_KLT_STEP_H_

#include <cmath>
#include <cstdint>

#include "common/host_device.h"
#include "common/klt/rules.h"

// The floating-point part of tracking, computed from exact sums of integers. The reference, the
// engine and the kernels call it. Each operation rounds to nearest in the order written here,
// without contraction, so that all of them decide alike.
namespace rdp::klt {

// Sums over the template's window: gradients g, 32 times the slope, and intensities I, 32 times the
// grey level. Sums that the light model does not need are undefined.
struct TemplateSums {
  std::int64_t gxx, gxy, gyy;
  std::int64_t gx, gy;           // for kBias and kGainBias
  std::int64_t i, ii, gxi, gyi;  // for kGainBias
};

// Sums with r, the other window minus the template. Integers below 2^53, exact in a double.
struct ResidualSums {
  double rgx, rgy;
  double r;   // for kBias and kGainBias
  double ri;  // for kGainBias
};

// The normal equations of a window, with light projected out of the gradients.
struct Equations {
  double g11, g12, g22;
  double px, py, qx, qy;
  double unit;  // kGainBias: 1 / D
  double det;
  double inverse;     // 1 / det, where there is texture
  double eigenvalue;  // the smaller one, (grey levels per px)^2
  bool solvable;      // D is not 0
};

RDP_HOST_DEVICE inline Equations equations_of(const TemplateSums& s, int pixels, Light light) {
  const double n = pixels;
  Equations e{};
  const auto gx = static_cast<double>(s.gx);
  const auto gy = static_cast<double>(s.gy);
  e.solvable = true;
  e.g11 = static_cast<double>(s.gxx);
  e.g12 = static_cast<double>(s.gxy);
  e.g22 = static_cast<double>(s.gyy);
  if (light == Light::kBias) {
    e.px = gx / n;
    e.py = gy / n;
    e.g11 = e.g11 - e.px * gx;
    e.g12 = e.g12 - e.px * gy;
    e.g22 = e.g22 - e.py * gy;
  } else if (light == Light::kGainBias) {
    const std::int64_t d = pixels * s.ii - s.i * s.i;
    e.solvable = d != 0;
    if (!e.solvable) return e;
    e.unit = 1.0 / static_cast<double>(d);
    e.px = static_cast<double>(s.ii * s.gx - s.i * s.gxi) * e.unit;
    e.py = static_cast<double>(s.ii * s.gy - s.i * s.gyi) * e.unit;
    e.qx = static_cast<double>(pixels * s.gxi - s.i * s.gx) * e.unit;
    e.qy = static_cast<double>(pixels * s.gyi - s.i * s.gy) * e.unit;
    const auto gxi = static_cast<double>(s.gxi);
    const auto gyi = static_cast<double>(s.gyi);
    e.g11 = (e.g11 - e.px * gx) - e.qx * gxi;
    e.g12 = (e.g12 - e.px * gy) - e.qx * gyi;
    e.g22 = (e.g22 - e.py * gy) - e.qy * gyi;
  }
  e.det = e.g11 * e.g22 - e.g12 * e.g12;
  const double t = e.g11 - e.g22;
  const double root = std::sqrt(t * t + 4.0 * (e.g12 * e.g12));
  e.eigenvalue = ((e.g11 + e.g22) - root) / (2.0 * n) / 1024.0;
  e.inverse = e.det > 0.0 ? 1.0 / e.det : 0.0;
  return e;
}

// True if a window has enough texture. Coarser levels need a tenth of min_eigenvalue.
RDP_HOST_DEVICE inline bool has_texture(const Equations& e, double min_eigenvalue, bool finest) {
  const double value = finest ? e.eigenvalue : 10.0 * e.eigenvalue;
  return e.solvable && e.det > 0.0 && value >= min_eigenvalue;
}

// Rounds to the nearest integer, halves up, within +-limit. NaN becomes the limit.
RDP_HOST_DEVICE inline int rounded_within(double value, int limit) {
  if (!(value < limit)) return limit;
  if (value < -limit) return -limit;
  return static_cast<int>(std::floor(value + 0.5));
}

// The change of the displacement, in fixed point.
RDP_HOST_DEVICE inline Place step_of(const Equations& e, const ResidualSums& s, Light light) {
  double h1 = s.rgx;
  double h2 = s.rgy;
  if (light != Light::kNone) {
    h1 = h1 - e.px * s.r;
    h2 = h2 - e.py * s.r;
  }
  if (light == Light::kGainBias) {
    h1 = h1 - e.qx * s.ri;
    h2 = h2 - e.qy * s.ri;
  }
  const double x = (e.g12 * h2 - e.g22 * h1) * e.inverse * 1024.0;
  const double y = (e.g12 * h1 - e.g11 * h2) * e.inverse * 1024.0;
  return {rounded_within(x, kMaxStep), rounded_within(y, kMaxStep)};
}

// The move of an iteration, and a flag for the last one.
struct Move {
  int x;
  int y;
  bool last;
};
RDP_HOST_DEVICE inline bool is_small(int x, int y, int epsilon) {
  return x <= epsilon && x >= -epsilon && y <= epsilon && y >= -epsilon;
}
// `before`: the previous iteration's step; unused by the first.
RDP_HOST_DEVICE inline Move move_of(Place step, Place before, bool first, int epsilon) {
  if (is_small(step.x, step.y, epsilon)) return {step.x, step.y, true};
  if (!first && is_small(step.x + before.x, step.y + before.y, epsilon)) {
    return {step.x / 2, step.y / 2, true};
  }
  return {step.x, step.y, false};
}

// The change of light: the expected r is gain * I + bias, in units of 1/4096 and 1/16.
struct LightChange {
  int gain;
  int bias;
};
RDP_HOST_DEVICE inline LightChange light_change(const Equations& e, const TemplateSums& t,
                                                const ResidualSums& s, int pixels, Light light) {
  if (light == Light::kNone) return {0, 0};
  double gain = 0.0;
  double bias = s.r / pixels;
  if (light == Light::kGainBias) {
    const auto r = static_cast<std::int64_t>(s.r);
    const auto ri = static_cast<std::int64_t>(s.ri);
    gain = static_cast<double>(pixels * ri - t.i * r) * e.unit;
    bias = static_cast<double>(t.ii * r - t.i * ri) * e.unit;
  }
  return {rounded_within(4096.0 * gain, 1 << 17), rounded_within(16.0 * bias, 1 << 22)};
}
// Absolute difference in 1/512 grey level; at most 8.5e6, so that int32 holds the sum of 250.
RDP_HOST_DEVICE inline int difference_of(int r, int i, LightChange change) {
  const int d = 16 * r - change.bias - ((change.gain * i + 128) >> 8);
  return d < 0 ? -d : d;
}
RDP_HOST_DEVICE inline double residual_of(std::int64_t sum, int pixels) {
  return static_cast<double>(sum) / (512.0 * pixels);
}

// The score of a pixel as a feature, from sums of gradients over 7x7 pixels: the smaller
// eigenvalue. Negative ones, due to rounding, become 0: their bits would compare as large numbers.
RDP_HOST_DEVICE inline float score_of(std::int32_t gxx, std::int32_t gxy, std::int32_t gyy) {
  const auto a = static_cast<float>(gxx);
  const auto b = static_cast<float>(gxy);
  const auto c = static_cast<float>(gyy);
  const float t = a - c;
  const float root = std::sqrt(t * t + 4.0F * (b * b));
  const float score = ((a + c) - root) / (2.0F * kScorePixels) / 1024.0F;
  return score > 0.0F ? score : 0.0F;
}

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_STEP_H_
