// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_LENS_REACH_H_
#define RDP_COMMON_IMAGE_LENS_REACH_H_

#include <cmath>
#include <cstddef>

#include "common/image/camera.h"

// The reach of a lens' model, and the share of a picture that it leaves out.
namespace rdp {
namespace lens_reach {

inline constexpr int kSteps = 1024;
inline constexpr double kStep = 1.0 / 64.0;
inline constexpr int kFineSteps = 64;  // in a step
inline constexpr double kFine = kStep / kFineSteps;
inline constexpr int kMaxFine = kSteps * kFineSteps;
inline constexpr int kWidestGap = 2048;    // in fine steps
inline constexpr double kMaxChange = 1.5;  // of the scale, from one edge of a gap to the other

// True if the model is valid at radius r, on the branch where N and D have this sign.
inline bool counts(double r, double sign, const Distortion& d) {
  const double r2 = r * r;
  const double n = 1.0 + ((d.k3 * r2 + d.k2) * r2 + d.k1) * r2;
  const double m = 1.0 + ((d.k6 * r2 + d.k5) * r2 + d.k4) * r2;
  const double dn = (3.0 * d.k3 * r2 + 2.0 * d.k2) * r2 + d.k1;
  const double dm = (3.0 * d.k6 * r2 + 2.0 * d.k5) * r2 + d.k4;
  const double slope = n * m + 2.0 * r2 * (dn * m - n * dm);  // times m squared
  return n * sign > 0.0 && m * sign > 0.0 && slope > 0.0;
}

// Finds the gap after radius `steps` * kStep, where the model is still valid; its edges are in fine
// steps.
inline bool find_gap(int steps, double sign, const Distortion& d, int* from, int* to) {
  const auto shown = [&](int i) { return shown_radius(i * kFine, d); };
  int a = steps * kFineSteps;
  while (a < kMaxFine && counts((a + 1) * kFine, sign, d)) ++a;
  int b = a + 1;
  while (!counts(b * kFine, -sign, d)) {
    if (++b > kMaxFine || b - a > kWidestGap) return false;
  }
  // No distorted radius may occur on both sides of the gap. Moves the edge whose step removes more
  // of the overlap.
  while (a > 0 && shown(a) > shown(b)) {
    if (b - a > kWidestGap || !counts((b + 1) * kFine, -sign, d)) return false;
    if (shown(a) - shown(a - 1) >= shown(b + 1) - shown(b)) {
      --a;
    } else {
      ++b;
    }
  }
  if (a == 0) return false;
  const double before = shown(a) / (a * kFine);
  const double beyond = shown(b) / (b * kFine);
  if (!(beyond <= kMaxChange * before) || !(before <= kMaxChange * beyond)) return false;
  *from = a;
  *to = b;
  return true;
}

inline double square(double x) { return x * x; }

}  // namespace lens_reach

// Sets reach and gaps, found in small steps up to 86 degrees. The model is valid while the
// distorted radius r N(r2) / D(r2) grows with r, and N and D have one sign. A ring in which both
// change sign is a gap under two conditions: beyond it the radius goes on growing from its value
// before, and N / D changes at most by a factor of 1.5. Among several such rings the narrowest is
// taken, in steps of 1/4096.
inline void find_reach(Distortion* d) {
  d->reach = 0.0;
  d->gaps = 0;
  using namespace lens_reach;
  double sign = 1.0;
  for (int i = 1; i <= kSteps; ++i) {
    if (counts(i * kStep, sign, *d)) {
      d->reach = square(i * kStep);
      continue;
    }
    int from, to;
    if (d->gaps == kMaxGaps || !find_gap(i - 1, sign, *d, &from, &to)) return;
    // Joins a gap that begins where the previous one ends.
    LensGap* const last = d->gaps > 0 ? &d->gap[d->gaps - 1] : nullptr;
    if (last != nullptr && square(from * kFine) <= last->to) {
      last->to = square(to * kFine);
    } else {
      d->gap[d->gaps++] = {square(from * kFine), square(to * kFine)};
    }
    d->reach = square(to * kFine);
    sign = -sign;
    i = to / kFineSteps;  // the next step is beyond the gap
  }
}

// The share of a picture's pixels without a ray, because the lens model is invalid there. Looks at
// every fourth pixel of every fourth row.
inline double share_without_ray(const CameraLens& lens, int width, int height) {
  constexpr int kEvery = 4;
  if (lens.distortion.none) return 0.0;
  std::size_t pixels = 0;
  std::size_t without = 0;
  double x, y;
  for (int row = 0; row < height; row += kEvery) {
    for (int column = 0; column < width; column += kEvery) {
      ++pixels;
      if (!ray_of_pixel(column, row, lens, &x, &y)) ++without;
    }
  }
  return pixels == 0 ? 0.0 : static_cast<double>(without) / static_cast<double>(pixels);
}

// Moves a direction outside the model to the nearest valid one towards the axis. False: no
// distortion, straight ahead, or behind.
inline bool pull_into_model(const Distortion& d, double* x, double* y, double z) {
  constexpr double kWithin = 0.999;  // of the edge, so that rounding does not matter
  if (d.none || !(z > 0.0)) return false;
  const double r2 = (*x / z) * (*x / z) + (*y / z) * (*y / z);
  double edge = d.reach;
  for (int i = 0; i < d.gaps; ++i) {
    if (r2 > d.gap[i].from && r2 < d.gap[i].to) edge = d.gap[i].from;
  }
  if (!(r2 > 0.0) || !(edge > 0.0)) return false;
  const double factor = kWithin * std::sqrt(edge / r2);
  *x *= factor;
  *y *= factor;
  return true;
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_LENS_REACH_H_
