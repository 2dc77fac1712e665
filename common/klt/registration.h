// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_REGISTRATION_H_
#define RDP_COMMON_KLT_REGISTRATION_H_

#include <cmath>
#include <cstdint>

#include "common/host_device.h"
#include "common/klt/rules.h"
#include "common/klt/step.h"
#include "common/klt/track.h"

// The numbers of Warp::kAffine: a track's window is registered to the track's own template with six
// parameters, by the inverse compositional method. Such a template is called a patch here; the word
// template stands for the previous frame. As in step.h, the reference, the engine and the kernels
// call these functions, and all operations are rounded in the order that is written here.
namespace rdp::klt {

inline constexpr int kUnit = 16384;         // 1 in the numbers of warps
inline constexpr int kMaxWarp = 65536;      // of a patch's warp
inline constexpr int kMaxWhole = 0xFFFFFF;  // of a track's warp since its birth
inline constexpr int kMaxShift = 32768;     // of a step of the registration, fixed
inline constexpr int kRegistrationSteps = 3;
inline constexpr int kExtraPatches = 8192;

// A linear map: (x, y) becomes (a00 x + a01 y, a10 x + a11 y) / kUnit.
struct Affine {
  int a00 = kUnit;
  int a01 = 0;
  int a10 = 0;
  int a11 = kUnit;
};

// The warps of a track: from its patch to the last frame, and from its birth to the patch.
struct TrackShape {
  Affine warp;
  Affine before;
  std::uint32_t age = 0;  // frames since the patch was taken
  bool has_patch = false;
};

// Only tracks with an index in the list below this number may take a patch. This bounds memory.
RDP_HOST_DEVICE inline std::int64_t most_patches(int width, int height, int cell) {
  return 2 * static_cast<std::int64_t>(parts_of(width, cell)) * parts_of(height, cell) +
         kExtraPatches;
}

// The distance of a window's outermost samples from its centre, in a direction, fixed.
RDP_HOST_DEVICE inline int reach_of(int a, int b, int window) {
  return (((a < 0 ? -a : a) + (b < 0 ? -b : b)) * (window - 1) + 31) >> 5;
}
// True if all samples of a warped window lie in the frame.
RDP_HOST_DEVICE inline bool holds_window(Place p, const Affine& a, int window, int width,
                                         int height) {
  const int x = reach_of(a.a00, a.a01, window);
  const int y = reach_of(a.a10, a.a11, window);
  return p.x - x >= 0 && p.x + x <= kPixel * (width - 2) && p.y - y >= 0 &&
         p.y + y <= kPixel * (height - 2);
}

RDP_HOST_DEVICE inline int whole_entry(int a, int b, int c, int d) {
  const std::int64_t sum = static_cast<std::int64_t>(a) * b + static_cast<std::int64_t>(c) * d;
  const std::int64_t entry = (sum + kUnit / 2) >> 14;
  if (entry > kMaxWhole) return kMaxWhole;
  return entry < -kMaxWhole ? -kMaxWhole : static_cast<int>(entry);
}
// The warp of a track since its birth.
RDP_HOST_DEVICE inline Affine whole_warp(const TrackShape& shape) {
  const Affine& a = shape.warp;
  const Affine& b = shape.before;
  return {whole_entry(a.a00, b.a00, a.a01, b.a10), whole_entry(a.a00, b.a01, a.a01, b.a11),
          whole_entry(a.a10, b.a00, a.a11, b.a10), whole_entry(a.a10, b.a01, a.a11, b.a11)};
}
RDP_HOST_DEVICE inline TrackShape without_patch(const TrackShape& shape) {
  TrackShape dropped;
  dropped.before = whole_warp(shape);
  return dropped;
}
// `residual` and `age`: those of the registration in this frame, or 0.
RDP_HOST_DEVICE inline TrackWarp track_warp(const Affine& whole, double residual,
                                            std::uint32_t age) {
  return {static_cast<float>(whole.a00) / kUnit, static_cast<float>(whole.a01) / kUnit,
          static_cast<float>(whole.a10) / kUnit, static_cast<float>(whole.a11) / kUnit,
          static_cast<float>(residual),          age};
}

// A sample of a window, in 1/128 px: u and v count half pixels from the middle.
RDP_HOST_DEVICE inline Place warped_sample(Place c, const Affine& a, int u, int v) {
  return {(32 * c.x + a.a00 * u + a.a01 * v + 128) >> 8,
          (32 * c.y + a.a10 * u + a.a11 * v + 128) >> 8};
}

inline constexpr int kUnknowns = 6;  // a place, and the four numbers of a warp

// Loops over unknowns are unrolled, so that kernels keep all numbers in registers. For that, no
// loop's end depends on another loop's variable.
#ifdef __CUDA_ARCH__
#define RDP_KLT_UNROLL _Pragma("unroll")
#else
#define RDP_KLT_UNROLL _Pragma("GCC unroll 6")
#endif

// The place of an element in the lower triangle of a symmetric matrix, row by row; i >= j.
RDP_HOST_DEVICE constexpr int of_triangle(int i, int j) { return i * (i + 1) / 2 + j; }

// Sums over a patch, of J = (gx, gy, gx u, gx v, gy u, gy v) and intensities I.
struct PatchSums {
  std::int64_t jj[of_triangle(kUnknowns, 0)];
  std::int64_t j[kUnknowns];
  std::int64_t ji[kUnknowns];
  std::int64_t i;
  std::int64_t ii;
};

RDP_HOST_DEVICE inline void add_sample(int u, int v, std::int64_t i, std::int64_t gx,
                                       std::int64_t gy, PatchSums* s) {
  const std::int64_t j[kUnknowns] = {gx, gy, gx * u, gx * v, gy * u, gy * v};
  RDP_KLT_UNROLL
  for (int k = 0; k < kUnknowns; ++k) {
    RDP_KLT_UNROLL
    for (int l = 0; l < kUnknowns; ++l) {
      if (l <= k) s->jj[of_triangle(k, l)] += j[k] * j[l];
    }
    s->j[k] += j[k];
    s->ji[k] += j[k] * i;
  }
  s->i += i;
  s->ii += i * i;
}

// False: light cannot be projected out of the patch.
RDP_HOST_DEVICE inline bool varies(const PatchSums& s, int pixels) {
  return pixels * s.ii - s.i * s.i != 0;
}

// The normal equations of a patch, factored as L D L^T without exchanges, and what is needed to
// project gain and bias out of residuals.
struct PatchEquations {
  double l[of_triangle(kUnknowns, 0)];  // below its diagonal; that is not set
  double d[kUnknowns];
  double e[kUnknowns];  // 1 / d
  double p[kUnknowns];
  double q[kUnknowns];
  double unit;
  std::int64_t i;
  std::int64_t ii;
  bool solvable;
};

// The light of registration: patches may be old, so gain and bias are estimated unless it is kNone.
RDP_HOST_DEVICE inline Light patch_light(Light light) {
  return light == Light::kNone ? Light::kNone : Light::kGainBias;
}

RDP_HOST_DEVICE inline PatchEquations equations_of(const PatchSums& s, int window, Light light) {
  const int pixels = window * window;
  const bool lit = light != Light::kNone;
  // Damping, as if each pixel sloped by two grey levels more: windows on edges would slide.
  const std::int64_t damping = static_cast<std::int64_t>(4096) * (pixels * (pixels - 1) / 3);
  PatchEquations e{};
  e.solvable = true;  // until a pivot is not positive; what follows is then unused
  e.i = s.i;
  e.ii = s.ii;
  e.unit = lit ? 1.0 / static_cast<double>(pixels * s.ii - s.i * s.i) : 0.0;
  RDP_KLT_UNROLL
  for (int k = 0; k < kUnknowns; ++k) {
    if (!lit) break;
    e.p[k] = static_cast<double>(s.ii * s.j[k] - s.i * s.ji[k]) * e.unit;
    e.q[k] = static_cast<double>(pixels * s.ji[k] - s.i * s.j[k]) * e.unit;
  }
  const auto g = [&](int i, int j) {
    const std::int64_t sum = s.jj[of_triangle(i, j)] + (i == j && i >= 2 ? damping : 0);
    const auto whole = static_cast<double>(sum);
    if (!lit) return whole;
    return (whole - e.p[i] * static_cast<double>(s.j[j])) - e.q[i] * static_cast<double>(s.ji[j]);
  };
  RDP_KLT_UNROLL
  for (int j = 0; j < kUnknowns; ++j) {
    double d = g(j, j);
    RDP_KLT_UNROLL
    for (int k = 0; k < kUnknowns; ++k) {
      if (k < j) d = d - (e.l[of_triangle(j, k)] * e.l[of_triangle(j, k)]) * e.d[k];
    }
    e.solvable = e.solvable && d > 0.0;
    e.d[j] = d;
    e.e[j] = 1.0 / d;
    RDP_KLT_UNROLL
    for (int i = 0; i < kUnknowns; ++i) {
      if (i <= j) continue;
      double l = g(i, j);
      RDP_KLT_UNROLL
      for (int k = 0; k < kUnknowns; ++k) {
        if (k < j) l = l - (e.l[of_triangle(i, k)] * e.l[of_triangle(j, k)]) * e.d[k];
      }
      e.l[of_triangle(i, j)] = l * e.e[j];
    }
  }
  return e;
}

// Sums over a window with r, its intensities minus the patch's. Whole numbers, exact.
struct PatchResiduals {
  double rj[kUnknowns];
  double r;   // for any light but kNone
  double ri;  // the same
};

// The six unknowns of a step.
struct PatchStep {
  double z[kUnknowns];
};
RDP_HOST_DEVICE inline PatchStep step_of(const PatchEquations& e, const PatchResiduals& s,
                                         Light light) {
  const bool lit = light != Light::kNone;
  PatchStep step;
  RDP_KLT_UNROLL
  for (int k = 0; k < kUnknowns; ++k) {
    double y = lit ? (s.rj[k] - e.p[k] * s.r) - e.q[k] * s.ri : s.rj[k];
    RDP_KLT_UNROLL
    for (int j = 0; j < kUnknowns; ++j) {
      if (j < k) y = y - e.l[of_triangle(k, j)] * step.z[j];
    }
    step.z[k] = y;
  }
  RDP_KLT_UNROLL
  for (int n = 1; n <= kUnknowns; ++n) {
    const int k = kUnknowns - n;
    double z = step.z[k] * e.e[k];
    RDP_KLT_UNROLL
    for (int j = 0; j < kUnknowns; ++j) {
      if (j > k) z = z - e.l[of_triangle(j, k)] * step.z[j];
    }
    step.z[k] = z;
  }
  return step;
}

// The outcome of a registration.
enum class Fit {
  kFits,
  kSkipped,  // the window has left the frame: the track keeps the place found
  kMisfit,   // the track is lost
};

// The state of a registration: the window's current warp and centre.
struct Registration {
  Affine warp;
  Place centre;
};

// Moves a window by a step against the patch.
RDP_HOST_DEVICE inline Fit move_window(const PatchStep& step, Place found, const StepRules& rules,
                                       int width, int height, Registration* window) {
  const double* const z = step.z;
  const double m00 = 1.0 + 2.0 * z[2];
  const double m01 = 2.0 * z[3];
  const double m10 = 2.0 * z[4];
  const double m11 = 1.0 + 2.0 * z[5];
  const double det = m00 * m11 - m01 * m10;
  if (!(det > 0.25 && det < 4.0)) return Fit::kMisfit;
  const double f = 1.0 / det;
  const auto row = [&](int& first, int& second) {
    const double a = first;
    const double b = second;
    first = rounded_within((a * m11 - b * m10) * f, kMaxWarp);
    second = rounded_within((b * m00 - a * m01) * f, kMaxWarp);
  };
  Affine& a = window->warp;
  Place& c = window->centre;
  row(a.a00, a.a01);
  row(a.a10, a.a11);
  c.x -= rounded_within((a.a00 * z[0] + a.a01 * z[1]) / 16.0, kMaxShift);
  c.y -= rounded_within((a.a10 * z[0] + a.a11 * z[1]) / 16.0, kMaxShift);
  if (!holds_window(c, a, rules.window, width, height)) return Fit::kSkipped;
  const int most = rules.max_correction;
  if (most > 0 && !is_small(c.x - found.x, c.y - found.y, most)) return Fit::kMisfit;
  return Fit::kFits;
}

// The change of light at a registration's last samples.
RDP_HOST_DEVICE inline LightChange light_change(const PatchEquations& e, const PatchResiduals& s,
                                                int pixels, Light light) {
  Equations equations{};
  equations.unit = e.unit;
  TemplateSums sums{};
  sums.i = e.i;
  sums.ii = e.ii;
  return light_change(equations, sums, {s.rj[0], s.rj[1], s.r, s.ri}, pixels, patch_light(light));
}

// True if a patch differs so much from the registered window that it must be taken anew.
RDP_HOST_DEVICE inline bool is_worn(const Affine& a, double residual, double template_residual) {
  const auto length = [](int x, int y) { return (x < 0 ? -x : x) + (y < 0 ? -y : y); };
  const std::int64_t det =
      static_cast<std::int64_t>(a.a00) * a.a11 - static_cast<std::int64_t>(a.a01) * a.a10;
  return det > std::int64_t{3} << 27 || 3 * det < std::int64_t{1} << 29 ||
         length(a.a00, a.a01) > 2 * kUnit || length(a.a10, a.a11) > 2 * kUnit ||
         (template_residual > 0.0 && residual > template_residual);
}

// The outcome of registering a track in a frame.
struct Registered {
  Reason reason = Reason::kTracked;
  Place place{};          // the track's new place
  double residual = 0.0;  // 0 without a registration
  std::uint32_t age = 0;  // of the patch, the same
  bool took = false;      // a patch
};

// Registers a track found at a place to its patch, and takes the patch first if it has none and
// `may_take`. take() returns false if it cannot; fit(&window, &residual) registers a window to the
// patch.
template <typename Take, typename FitWindow>
Registered register_track(Place found, bool may_take, const StepRules& rules, int width, int height,
                          const Take& take, const FitWindow& fit, TrackShape* shape) {
  Registered result;
  result.place = found;
  if (!shape->has_patch) {
    result.took = may_take && take();
    if (!result.took) return result;
    shape->has_patch = true;
    shape->age = 0;
  }
  ++shape->age;
  Registration window{shape->warp, found};
  if (!holds_window(found, window.warp, rules.window, width, height)) return result;
  double residual = 0.0;
  const Fit outcome = fit(&window, &residual);
  if (outcome == Fit::kMisfit) result.reason = Reason::kTemplate;
  if (outcome != Fit::kFits) return result;
  shape->warp = window.warp;
  result.place = window.centre;
  result.residual = residual;
  result.age = shape->age;
  if (is_worn(shape->warp, residual, rules.template_residual)) *shape = without_patch(*shape);
  return result;
}

#undef RDP_KLT_UNROLL

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_REGISTRATION_H_
