// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_EGO_MOTION_H_
#define RDP_COMMON_MOTION_EGO_MOTION_H_

#include <cstddef>
#include <cstdint>

#include "common/image/camera.h"
#include "common/image/grow_buffer.h"
#include "common/motion/input.h"

// Estimates the motion of a camera between two frames, from points of the first and the places
// where the second sees them: M. Fischler, R. Bolles, "Random Sample Consensus", 1981, over poses
// of three points that Gauss-Newton finds; motion.md, section 6, "Ego-motion".
namespace rdp::motion {

inline constexpr int kEgoSamples = 200;
inline constexpr int kEgoSteps = 5;           // of Gauss-Newton, at a time
inline constexpr int kEgoRounds = 2;          // over the inliers
inline constexpr double kEgoReach = 1.5;      // px: inliers are not further away
inline constexpr int kEgoFewestTracks = 3;    // with fewer nothing is known
inline constexpr int kEgoFewestInliers = 12;  // the same
inline constexpr double kEgoNearest = 0.1;    // m: nearer points are taken to be so far away
inline constexpr double kEgoDamping = 1e-6;   // added to the diagonal of the normal matrix
inline constexpr double kEgoMostStep = 5.0;   // of each component: m, rad

// Finds the motion of one pair of frames after the other.
class EgoFinder {
 public:
  // Makes room for `count` tracks, and forgets those of the last frame. Throws std::bad_alloc.
  void begin(std::size_t count);
  // In the order of their ids, as many as there is room for: a point of the frame before (m, its
  // camera's axes), and where it is seen now (px of the depth picture).
  void add(const Point& point, double u, double v);
  int tracks() const { return static_cast<int>(count_); }

  // (R t) from the axes before to the current ones. The search begins at `*ego`, which stays as it
  // is where false is returned: there is no motion that enough of the tracks agree with.
  bool find(const Camera& camera, Pose* ego);
  // The number of tracks that agree with it.
  int inliers() const { return inliers_; }

 private:
  // Tracks whose errors are worked out at once. There are whole blocks: what is behind the last
  // track has no place, so that it is no inlier.
  static constexpr std::size_t kBlock = 32;

  int count_inliers(const Camera& camera, const Pose& pose, int most) const;
  void mark_inliers(const Camera& camera, const Pose& pose);

  GrowBuffer<double> x_, y_, z_, u_, v_;
  GrowBuffer<std::uint32_t> chosen_;  // the inliers
  std::size_t count_ = 0;
  int inliers_ = 0;
};

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_EGO_MOTION_H_
