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

class PoseList {
 public:
  // `name` is the file's, for errors. Throws PoseError and std::bad_alloc.
  static PoseList read(std::string_view text, std::string_view name);

  bool is_timed() const { return !times_.empty(); }  // TUM's
  std::size_t size() const { return poses_.size(); }
  const Pose& operator[](std::size_t i) const { return poses_[i]; }

  // That of a frame: of its number, or, where poses have times, the one that is nearest to its PTS,
  // the earlier of two, not further away than `tolerance`. Both in ns. Null: there is none.
  const Pose* of_frame(std::uint64_t number, std::uint64_t pts, std::uint64_t tolerance) const;

 private:
  std::vector<Pose> poses_;
  std::vector<double> times_;  // s, of each; empty: they are counted
};

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_POSE_FILE_H_
