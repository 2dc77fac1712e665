// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_POSE_FILE_H_
#define RDP_COMMON_MOTION_POSE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "common/image/camera.h"

// The poses of a camera that moves, from a text. A line is a pose, world from camera:
//   KITTI odometry: twelve numbers, the three rows of (R t), in metres. Line n is frame n's, from
//   0. TUM RGB-D: t tx ty tz qx qy qz qw: seconds, metres, and a unit quaternion. Times ascend.
// Which of them it is, the first line says. Empty lines and those that begin with # do not count.
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

  // The first time and the last one, in s; of those that have times.
  double first_time() const { return times_.front(); }
  double last_time() const { return times_.back(); }

  // That of a frame: of its number, or, where poses have times, that of its PTS, which is `origin`
  // in the file at 0. Between two poses at most kMaxApart apart it is interpolated; else it is the
  // nearest one, the earlier of two, not further away than `tolerance`. PTS and tolerance are in
  // ns, the origin in s. False: there is none.
  bool of_frame(std::uint64_t number, std::uint64_t pts, std::uint64_t tolerance, double origin,
                Pose* pose) const;

 private:
  std::vector<Pose> poses_;
  // The time of each pose, if the file has times; empty: they are counted.
  std::vector<double> times_;  // s
  std::vector<Quaternion> rotations_;
};

inline constexpr double kMaxApart = 0.25;  // s

// The rotation a part of the way from one to another, 0 to 1, by the shorter way, at constant
// speed: kHalvings times the half of the way that the part is in is taken, whose middle is the sum
// of both ends, divided by its length. In what is left, less than 3e-5 of the way, the part is
// taken of the straight line. That is off by less than 1e-14 rad. + - * / and sqrt alone, in the
// order that is written there.
inline constexpr int kHalvings = 16;
Quaternion between(const Quaternion& from, const Quaternion& to, double part);

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_POSE_FILE_H_
