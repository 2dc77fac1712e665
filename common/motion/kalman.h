// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_KALMAN_H_
#define RDP_COMMON_MOTION_KALMAN_H_

#include "common/image/camera.h"
#include "common/motion/small_matrix.h"
#include "common/motion/space.h"

// The extended Kalman filter of a track: place and velocity in the camera's axes. R. Kalman, "A New
// Approach to Linear Filtering and Prediction Problems", 1960; with these states and measurements:
// U. Franke, C. Rabe, H. Badino, S. Gehrig, "6D-Vision", DAGM 2005. The numbers are motion.md's,
// section 6.
namespace rdp::motion {

inline constexpr double kPlaceNoise = 0.3;        // px, sigma of u and of v
inline constexpr double kStartSpeedNoise = 10.0;  // m/s, sigma of each component at the start
inline constexpr double kDriftPlace = 0.02;       // m, sigma of the process noise in kDriftTime
inline constexpr double kDriftSpeed = 0.3;        // m/s
inline constexpr double kDriftTime = 0.1;         // s; the variances grow with the time
inline constexpr double kNearest = 0.5;           // m: points this near or nearer are not measured
inline constexpr double kGate = 16.0;             // of r S^-1 r, the squared distance in sigmas

// The observation of a track in a frame.
struct Measurement {
  double u;  // px of the depth picture
  double v;
  double measure;  // px of disparity, or metres
  double noise;    // sigma of it
};

struct Kalman {
  double state[6];  // X Y Z (m), VX VY VZ (m/s)
  Matrix<6, 6> covariance;
  // True after the second measurement. Before, the velocity is only the initial value.
  bool has_velocity;

  // Starts a filter at a measured point, with velocity 0.
  static Kalman start(const Point& point, double measure_noise, const Space& space);

  // Predicts the state `dt` seconds later. `ego`: (R t) from the camera's previous to its next
  // axes.
  void predict(const Pose& ego, double dt);

  // Updates the state, unless the point is too near or the equations have no solution. False: the
  // measurement is an outlier (kGate), and the filter must end.
  bool update(const Measurement& seen, const Space& space);

  // True if the state has usable values.
  bool is_sound() const;
};

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_KALMAN_H_
