// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_EGO_MOTION_H_
#define RDP_COMMON_MOTION_EGO_MOTION_H_

#include <cstddef>
#include <cstdint>

#include "common/image/camera.h"
#include "common/image/grow_buffer.h"
#include "common/motion/input.h"

// Estimates camera motion between two frames, from points of the first and their pixels in the
// second: RANSAC (M. Fischler, R. Bolles, "Random Sample Consensus", 1981) over poses that
// Gauss-Newton finds from three points; motion.md, section 6, "Ego-motion".
namespace rdp::motion {

inline constexpr int kEgoSamples = 200;
inline constexpr int kEgoSteps = 5;           // of Gauss-Newton, at a time
inline constexpr int kEgoRounds = 2;          // over the inliers
inline constexpr double kEgoReach = 1.5;      // px, maximum error of an inlier
inline constexpr int kEgoFewestTracks = 3;    // with fewer, no estimate
inline constexpr int kEgoFewestInliers = 12;  // the same
inline constexpr double kEgoNearest = 0.1;    // m, minimum depth: nearer points are moved there
inline constexpr double kEgoDamping = 1e-6;   // added to the diagonal of the normal matrix
inline constexpr double kEgoMostStep = 5.0;   // maximum of each component: m, rad

// Finds the motion of one pair of frames after the other.
class EgoFinder {
 public:
  // Makes room for `count` tracks, and forgets those of the last frame. Throws std::bad_alloc.
  void begin(std::size_t count);
  // Adds a track: its point in the previous frame (m, that camera's axes), and its current position
  // (px of the depth picture). Tracks come in the order of their ids, at most `count`.
  void add(const Point& point, double u, double v);
  int tracks() const { return static_cast<int>(count_); }

  // Finds (R t) from the previous to the current camera's axes; the search begins at `*ego`.
  // Returns false, with `*ego` unchanged, if too few tracks agree on a motion.
  bool find(const Camera& camera, Pose* ego);
  // The number of tracks that agree with the motion found.
  int inliers() const { return inliers_; }

 private:
  // Tracks whose errors are computed at once. The last block is padded with entries without a
  // position, which are never inliers.
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
