// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/motion/ego_motion.h"

#include <algorithm>
#include <limits>

#include "common/motion/pose_step.h"
#include "common/motion/space.h"

namespace rdp::motion {
namespace {

// Pseudo-random numbers, the same in every frame.
class Dice {
 public:
  // One of `count`, from 0.
  std::size_t roll(std::size_t count) {
    seed_ = 1664525U * seed_ + 1013904223U;
    return static_cast<std::size_t>((std::uint64_t{seed_} * std::uint64_t{count}) >> 32);
  }

 private:
  std::uint32_t seed_ = 1;
};

// The squared reprojection error of a point, px^2.
inline double squared_error(const Pose& pose, double x, double y, double z, double u, double v,
                            const Camera& c) {
  const Point q = posed(pose, x, y, z, kEgoNearest);
  const double du = u - (c.focal_x * q.x / q.z + c.principal_x);
  const double dv = v - (c.focal_y * q.y / q.z + c.principal_y);
  return du * du + dv * dv;
}

constexpr double kSquaredReach = kEgoReach * kEgoReach;

}  // namespace

void EgoFinder::begin(std::size_t count) {
  count_ = 0;
  inliers_ = 0;
  const std::size_t room = (count + kBlock - 1) / kBlock * kBlock;
  for (GrowBuffer<double>* of : {&x_, &y_, &z_, &u_, &v_}) of->ensure(room);
  chosen_.ensure(count);
}

void EgoFinder::add(const Point& point, double u, double v) {
  x_.data()[count_] = point.x;
  y_.data()[count_] = point.y;
  z_.data()[count_] = point.z;
  u_.data()[count_] = u;
  v_.data()[count_] = v;
  ++count_;
}

// Stops early if the remaining tracks cannot raise the count above `most`.
int EgoFinder::count_inliers(const Camera& camera, const Pose& pose, int most) const {
  int count = 0;
  for (std::size_t first = 0; first < count_; first += kBlock) {
    const auto left = static_cast<int>(count_ - first);
    if (count + left <= most) return count;
    const double* x = x_.data() + first;
    const double* y = y_.data() + first;
    const double* z = z_.data() + first;
    const double* u = u_.data() + first;
    const double* v = v_.data() + first;
    double errors[kBlock];
    for (std::size_t i = 0; i < kBlock; ++i) {
      errors[i] = squared_error(pose, x[i], y[i], z[i], u[i], v[i], camera);
    }
    for (const double error : errors) count += error <= kSquaredReach ? 1 : 0;
  }
  return count;
}

void EgoFinder::mark_inliers(const Camera& camera, const Pose& pose) {
  inliers_ = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const double error = squared_error(pose, x_.data()[i], y_.data()[i], z_.data()[i], u_.data()[i],
                                       v_.data()[i], camera);
    if (error <= kSquaredReach) chosen_.data()[inliers_++] = static_cast<std::uint32_t>(i);
  }
}

bool EgoFinder::find(const Camera& camera, Pose* ego) {
  if (count_ < kEgoFewestTracks) return false;
  for (std::size_t i = count_; i % kBlock != 0; ++i) {
    x_.data()[i] = y_.data()[i] = z_.data()[i] = 0.0;
    u_.data()[i] = v_.data()[i] = std::numeric_limits<double>::quiet_NaN();
  }

  // Five steps on some of the tracks.
  const auto approach = [&](const std::uint32_t* tracks, int count, Pose* pose) {
    for (int step = 0; step < kEgoSteps; ++step) {
      NormalEquations equations;
      for (int i = 0; i < count; ++i) {
        const std::uint32_t k = tracks[i];
        equations.add(posed(*pose, x_.data()[k], y_.data()[k], z_.data()[k], kEgoNearest),
                      u_.data()[k], v_.data()[k], camera);
      }
      if (!equations.move(kEgoDamping, kEgoMostStep, pose)) return false;
    }
    return true;
  };

  Dice dice;
  Pose best;
  int most = 0;
  for (int sample = 0; sample < kEgoSamples; ++sample) {
    std::uint32_t three[3];
    for (std::uint32_t& index : three) index = static_cast<std::uint32_t>(dice.roll(count_));
    if (three[0] == three[1] || three[0] == three[2] || three[1] == three[2]) continue;
    Pose pose = *ego;
    if (!approach(three, 3, &pose)) continue;
    const int count = count_inliers(camera, pose, most);
    if (count > most) {  // ties keep the earlier sample
      most = count;
      best = pose;
    }
  }
  if (most == 0) return false;

  mark_inliers(camera, best);
  for (int round = 0; round < kEgoRounds; ++round) {
    if (!approach(chosen_.data(), inliers_, &best)) return false;
    mark_inliers(camera, best);
  }
  if (inliers_ < kEgoFewestInliers || !is_sound(best)) return false;
  *ego = best;
  return true;
}

}  // namespace rdp::motion
