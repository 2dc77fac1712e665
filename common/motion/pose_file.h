// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_POSE_FILE_H_
#define RDP_COMMON_MOTION_POSE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "common/image/camera.h"

// Poses of a moving camera, read from a text. Each line is a pose, world from camera:
//   KITTI odometry: twelve numbers, the three rows of (R t), in metres. Line n is frame n's, from
//   0. TUM RGB-D: t tx ty tz qx qy qz qw: seconds, metres, and a unit quaternion. Times ascend.
// The first line determines the format. Empty lines and lines that begin with # are ignored.
namespace rdp::motion {

// Names the file and the line, what was found, what was expected, and what to do.
class PoseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A rotation by 2 acos (w) about (x, y, z). Of length 1.
struct Quaternion {
  double x, y, z, w;
};

class PoseList {
 public:
  // `name` is the file's, for errors. Throws PoseError and std::bad_alloc.
  static PoseList read(std::string_view text, std::string_view name);

  bool is_timed() const { return !times_.empty(); }  // TUM's
  std::size_t size() const { return poses_.size(); }
  const Pose& operator[](std::size_t i) const { return poses_[i]; }

  // The first and the last time, in s; only if is_timed().
  double first_time() const { return times_.front(); }
  double last_time() const { return times_.back(); }

  // Finds a frame's pose: by its number or, if poses have times, by its PTS; PTS 0 is time `origin`
  // of the file. Interpolates between two poses at most kMaxApart apart; otherwise takes the
  // nearest pose within `tolerance`, on ties the earlier. PTS and tolerance are in ns, the origin
  // in s. False: none.
  bool of_frame(std::uint64_t number, std::uint64_t pts, std::uint64_t tolerance, double origin,
                Pose* pose) const;

 private:
  std::vector<Pose> poses_;
  // The time of each pose, if the file has times; empty: they are counted.
  std::vector<double> times_;  // s
  std::vector<Quaternion> rotations_;
};

inline constexpr double kMaxApart = 0.25;  // s

// Interpolates rotations at `part`, 0 to 1, the shorter way and at constant speed (slerp). Bisects
// the arc kHalvings times, with the normalised sum of both ends as its middle. In the remaining
// arc, less than 3e-5 of the whole, it interpolates linearly. The error is below 1e-14 rad. Uses
// + - * / and sqrt alone, in the order written there.
inline constexpr int kHalvings = 16;
Quaternion between(const Quaternion& from, const Quaternion& to, double part);

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_POSE_FILE_H_
