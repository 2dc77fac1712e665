// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/tree_crown.h"

#include <algorithm>
#include <cmath>

namespace rdp {

// A crown point at t in the left view is at t - shift (s - |v|) / (1 - bulge s) in the right one,
// with t = 0 at each view's `centre`. The nearest of the points at one place has the largest t.
// Newton's method finds it from above, because the function is convex; where the slope turns
// negative there is no such point.
double TreeCrown::seen_from_right(double column, double row) const {
  constexpr int kSteps = 16;
  constexpr double kPrecise = 1e-9;
  const double place = (column - centre) / half;
  const double v = std::fabs(row - middle_row) / half;
  if (v >= 1.0) return 0.0;
  const double outline = std::sqrt(1.0 - v * v);
  if (place > outline || place < -2.0) return 0.0;
  const double shift = rim * bulge / half;
  // At the outline itself the slope has no bound.
  const double last = outline * (1.0 - 1e-6);
  double t = std::min(place + shift * (1.0 - v) / (1.0 - bulge), last);
  // The search comes from above, and the surface ends at -1.
  if (t <= -1.0) return 0.0;
  for (int step = 0; step < kSteps; ++step) {
    const double s = std::sqrt(1.0 - t * t);
    const double facing = 1.0 - bulge * s;
    const double bulges = (s - v) / facing;
    const double miss = t - shift * bulges - place;
    const double slope = 1.0 + shift * (t / s) * (1.0 - bulge * v) / (facing * facing);
    if (slope <= 0.0) return 0.0;
    const double next = std::min(t - miss / slope, last);
    if (next <= -last) return 0.0;
    if (std::fabs(next - t) < kPrecise) return rim * (1.0 + bulge * std::max(bulges, 0.0));
    t = next;
  }
  return 0.0;
}

}  // namespace rdp
