// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_GROUND_RULES_H_
#define RDP_COMMON_OBSTACLES_GROUND_RULES_H_

#include <cmath>
#include <cstdint>

#include "common/host_device.h"
#include "common/image/camera.h"

// The ground of a frame and its refinement, for the host and kernels: IEEE 754 double, in the order
// that is written here, without contraction.
namespace rdp::obstacles {

// The points p with normal . p = distance, in metres and in the camera's axes. The normal has
// length 1 and points away from the camera.
struct Ground {
  double normal[3] = {0.0, 1.0, 0.0};
  double distance = 0.0;
};

// Farther distances do not fit the millimetre range.
constexpr double kMaxGroundDistance = 131.0;

RDP_HOST_DEVICE inline double length_of(const double m[3]) {
  return std::sqrt((m[0] * m[0] + m[1] * m[1]) + m[2] * m[2]);
}
RDP_HOST_DEVICE inline double product_of(const double a[3], const double b[3]) {
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

// Forward, left and up as unit vectors in the camera's axes.
struct Axes {
  double r[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  std::int32_t height = 0;  // mm, of the camera above the ground
  bool steep = false;       // the camera looks down: forward is the picture's up
};

RDP_HOST_DEVICE inline Axes axes_of(const Ground& ground) {
  const double* n = ground.normal;
  Axes axes;
  axes.steep = n[2] * n[2] > 0.75;
  double e[3] = {-n[2] * n[0], -n[2] * n[1], 1.0 - n[2] * n[2]};
  if (axes.steep) {
    e[0] = n[1] * n[0];
    e[1] = n[1] * n[1] - 1.0;
    e[2] = n[1] * n[2];
  }
  const double length = length_of(e);
  double(&r)[3][3] = axes.r;
  for (int i = 0; i < 3; ++i) {
    r[0][i] = e[i] / length;
    r[2][i] = -n[i];
  }
  for (int i = 0; i < 3; ++i) {
    const int a = (i + 1) % 3;
    const int b = (i + 2) % 3;
    r[1][i] = r[2][a] * r[0][b] - r[2][b] * r[0][a];
  }
  axes.height = static_cast<std::int32_t>(std::floor(1000.0 * ground.distance + 0.5));
  return axes;
}

// The contributions of a pixel's column and row to a coordinate, in 1/65536 of Z.
RDP_HOST_DEVICE inline std::int32_t column_ray(const double r[3], double ray) {
  return static_cast<std::int32_t>(std::floor(65536.0 * (r[0] * ray) + 0.5));
}
RDP_HOST_DEVICE inline std::int32_t row_ray(const double r[3], double ray) {
  return static_cast<std::int32_t>(std::floor(65536.0 * (r[1] * ray + r[2]) + 0.5));
}

// The refinement: attempts from turned starts, each with rounds on a part of the pixels.
constexpr int kAttempts = 5;
constexpr int kRounds = 5;

// A rotation about the axis to the left; a positive angle tilts the normal forward.
struct Turn {
  double cosine = 1.0;
  double sine = 0.0;
};

RDP_HOST_DEVICE inline Ground turned(const Ground& start, const Turn& turn) {
  if (turn.sine == 0.0) return start;
  const Axes axes = axes_of(start);
  Ground ground = start;
  for (int i = 0; i < 3; ++i) {
    ground.normal[i] = start.normal[i] * turn.cosine + axes.r[0][i] * turn.sine;
  }
  return ground;
}

// The band around the ground whose samples a round uses: base + (Z * slope >> 16), half above.
struct GroundBand {
  std::int32_t base;
  std::int32_t slope;
};

RDP_HOST_DEVICE inline GroundBand band_of_round(int round, std::int32_t min_height) {
  const std::int32_t tenths[kRounds] = {10, 6, 4, 3, 3};
  const std::int32_t slopes[kRounds] = {1966, 983, 524, 262, 262};
  return {(min_height < 100 ? min_height : 100) * tenths[round] / 10, slopes[round]};
}

// Sums over the samples in the band; x and y are relative to the middle of the frame, u is the
// inverse distance. below: number of samples under the band.
struct GroundSums {
  std::int64_t n = 0, x = 0, y = 0, u = 0;
  std::int64_t xx = 0, xy = 0, yy = 0, xu = 0, yu = 0;
  std::int64_t below = 0;
};

// The camera, and the frame's middle.
struct GroundLens {
  double focal_x, focal_y, principal_x, principal_y;
  std::int32_t middle_x, middle_y;
};

// Means of the same, in their order.
struct GroundMeans {
  double x, y, u, xx, xy, yy, xu, yu;
};

// Divides each of some numbers by the same one.
struct DivideEach {
  template <int kCount>
  RDP_HOST_DEVICE void operator()(double (&numbers)[kCount], double by) const {
    for (double& number : numbers) number = number / by;
  }
};

// Fits a plane to means; returns false if they determine none. `divide` does the same as
// DivideEach.
template <typename Divide = DivideEach>
RDP_HOST_DEVICE inline bool fit_means(const GroundMeans& means, const GroundLens& lens,
                                      Ground* ground, const Divide& divide = {}) {
  const double mx = means.x;
  const double my = means.y;
  const double mu = means.u;
  const double xx = means.xx - mx * mx;
  const double xy = means.xy - mx * my;
  const double yy = means.yy - my * my;
  const double xu = means.xu - mx * mu;
  const double yu = means.yu - my * mu;
  const double det = xx * yy - xy * xy;
  if (!(det > 1.0)) return false;
  double slopes[2] = {xu * yy - yu * xy, yu * xx - xu * xy};
  divide(slopes, det);
  const double alpha = slopes[0];
  const double beta = slopes[1];
  const double gamma = (mu - alpha * mx) - beta * my;
  const double m[3] = {alpha * lens.focal_x, beta * lens.focal_y,
                       (gamma + alpha * (lens.principal_x - lens.middle_x)) +
                           beta * (lens.principal_y - lens.middle_y)};
  const double length = length_of(m);
  double shares[4] = {m[0], m[1], m[2], 268435.456};
  divide(shares, length);
  if (!(length > 0.0 && length < 1e300 && shares[3] <= kMaxGroundDistance)) return false;
  for (int i = 0; i < 3; ++i) ground->normal[i] = shares[i];
  ground->distance = shares[3];
  return true;
}

// Fits a plane to sums; returns false if they determine none.
RDP_HOST_DEVICE inline bool fit_ground(const GroundSums& sums, const GroundLens& lens,
                                       Ground* ground) {
  if (sums.n == 0) return false;
  const auto mean = [&](std::int64_t sum) {
    return static_cast<double>(sum) / static_cast<double>(sums.n);
  };
  return fit_means({mean(sums.x), mean(sums.y), mean(sums.u), mean(sums.xx), mean(sums.xy),
                    mean(sums.yy), mean(sums.xu), mean(sums.yu)},
                   lens, ground);
}

// False if an attempt has moved too far from its start before the tilt.
RDP_HOST_DEVICE inline bool is_near_start(const Ground& ground, const Ground& start) {
  return ground.distance > 0.9 * start.distance && 0.9 * ground.distance < start.distance &&
         product_of(ground.normal, start.normal) >= 0.994140625;
}

// The result of an attempt; valid if it stands.
struct Attempt {
  bool stands = false;
  Ground ground;
  std::int64_t used = 0;
  std::int64_t below = 0;

  RDP_HOST_DEVICE std::int64_t score() const { return used - below; }
};

// The number of the first attempt whose score is within a quarter of the best; -1: none stands.
RDP_HOST_DEVICE inline int choose_attempt(const Attempt attempts[kAttempts]) {
  bool any = false;
  std::int64_t best = 0;
  for (int i = 0; i < kAttempts; ++i) {
    if (!attempts[i].stands) continue;
    if (!any || attempts[i].score() > best) best = attempts[i].score();
    any = true;
  }
  for (int i = 0; i < kAttempts; ++i) {
    if (!attempts[i].stands) continue;
    if (4 * (best - attempts[i].score()) <= (best < 0 ? -best : best)) return i;
  }
  return -1;
}

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_GROUND_RULES_H_
