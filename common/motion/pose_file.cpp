// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/motion/pose_file.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "common/clouds/text_lines.h"
#include "common/image/float_environment.h"
#include "common/motion/space.h"

namespace rdp::motion {
namespace {

constexpr std::size_t kKittiNumbers = 12;
constexpr std::size_t kTumNumbers = 8;
constexpr double kRounding = 0.01;   // tolerance of rotations: files have few digits
constexpr double kMaxNumber = 1e12;  // of seconds: those since 1970 are 1.8e9

Quaternion normalised(double x, double y, double z, double w) {
  const double length = std::sqrt(x * x + y * y + z * z + w * w);
  return {x / length, y / length, z / length, w / length};
}

Pose pose_of(const Quaternion& q, double right, double down, double forward) {
  const auto [x, y, z, w] = q;
  return {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w), right,
           2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w), down,
           2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y), forward}};
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : lines_(text, 1), name_(name) {}

  void read(std::vector<Pose>* poses, std::vector<double>* times,
            std::vector<Quaternion>* rotations) {
    double numbers[kKittiNumbers];
    std::size_t expected = 0;
    while (next_line()) {
      const std::size_t count = read_numbers(numbers);
      if (expected == 0) {
        if (count != kKittiNumbers && count != kTumNumbers) {
          fail(std::to_string(count) + " numbers",
               "12 (KITTI: three rows of a rotation and a shift) or 8 (TUM: t tx ty tz qx qy qz "
               "qw). Write a line of these for each frame");
        }
        expected = count;
      }
      if (count != expected) {
        fail(std::to_string(count) + " numbers",
             std::to_string(expected) + ", as in the first line. All lines have to be of one kind");
      }
      if (expected == kKittiNumbers) {
        poses->push_back(matrix_pose(numbers));
      } else {
        rotations->push_back(tum_rotation(numbers));
        poses->push_back(pose_of(rotations->back(), numbers[1], numbers[2], numbers[3]));
      }
      const double* m = poses->back().m;
      if (!is_within(m[3], kMaxDistance) || !is_within(m[7], kMaxDistance) ||
          !is_within(m[11], kMaxDistance)) {
        fail("a place that is too far away", "metres, up to 1e9");
      }
      if (expected == kKittiNumbers) continue;
      if (!times->empty() && !(numbers[0] > times->back())) {
        fail("a time that is not after the one before",
             "ascending times. Sort the lines, and keep one for each time");
      }
      times->push_back(numbers[0]);
    }
    if (poses->empty()) {
      throw PoseError(std::string(name_) +
                      ": found no poses, expected a line of 12 (KITTI) or 8 (TUM) numbers for each "
                      "frame");
    }
  }

 private:
  [[noreturn]] void fail(const std::string& found, const std::string& expected) const {
    throw PoseError(std::string(name_) + ":" + std::to_string(lines_.line()) + ": found " + found +
                    ", expected " + expected + ".");
  }

  bool next_line() {
    while (lines_.next(&line_)) {
      const std::string_view first = clouds::Words(line_).next();
      if (!first.empty() && first[0] != '#') return true;
    }
    return false;
  }

  // Reads the numbers of the line, at most as many as a KITTI line has. Returns the count of all.
  std::size_t read_numbers(double (&numbers)[kKittiNumbers]) const {
    clouds::Words words(line_);
    std::size_t count = 0;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      double number = 0.0;
      if (!clouds::parse_number(word, &number) || !is_within(number, kMaxNumber)) {
        fail_number(word, count == 0 && number > kMaxNumber);
      }
      if (count < kKittiNumbers) numbers[count] = number;
      ++count;
    }
    return count;
  }

  // Fails with a hint for number formats of other programs.
  [[noreturn]] void fail_number(std::string_view word, bool nanoseconds) const {
    if (word.find(',') != word.npos) {
      fail(clouds::shown(word),
           "numbers with blanks between them, of TUM t tx ty tz qx qy qz qw. The CSV of EuRoC has "
           "commas, times in nanoseconds, and qw before qx");
    }
    if (nanoseconds) {
      fail(clouds::shown(word), "numbers up to 1e12. Divide times in nanoseconds by 1e9");
    }
    fail(clouds::shown(word), "numbers alone, up to 1e12. Names and units do not belong here");
  }

  Pose matrix_pose(const double (&numbers)[kKittiNumbers]) const {
    Pose pose;
    std::copy(numbers, numbers + kKittiNumbers, pose.m);
    const double* m = pose.m;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) {
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) sum += m[4 * i + k] * m[4 * j + k];
        if (!is_within(sum - (i == j ? 1.0 : 0.0), kRounding)) fail_rotation();
      }
    }
    const double determinant = m[0] * (m[5] * m[10] - m[6] * m[9]) -
                               m[1] * (m[4] * m[10] - m[6] * m[8]) +
                               m[2] * (m[4] * m[9] - m[5] * m[8]);
    if (!(determinant > 0.0)) fail_rotation();
    return pose;
  }
  [[noreturn]] void fail_rotation() const {
    fail("three rows that are no rotation",
         "the rotation of world from camera, with rows at right angles and of length 1. A "
         "projection matrix is no pose");
  }

  Quaternion tum_rotation(const double (&n)[kKittiNumbers]) const {
    const double length = std::sqrt(n[4] * n[4] + n[5] * n[5] + n[6] * n[6] + n[7] * n[7]);
    if (!is_within(length - 1.0, kRounding)) {
      fail("a quaternion of length " + std::to_string(length),
           "one of length 1 in the last four numbers, qx qy qz qw");
    }
    return normalised(n[4], n[5], n[6], n[7]);
  }

  clouds::TextLines lines_;
  std::string_view name_;
  std::string_view line_;
};

}  // namespace

Quaternion between(const Quaternion& from, const Quaternion& to, double part) {
  Quaternion a = from;
  Quaternion b = to;
  // Both signs are the same rotation: the nearer one.
  if (a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0) b = {-b.x, -b.y, -b.z, -b.w};
  for (int i = 0; i < kHalvings; ++i) {
    const Quaternion middle = normalised(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    part = 2.0 * part;
    if (part < 1.0) {
      b = middle;
    } else {
      a = middle;
      part = part - 1.0;
    }
  }
  return normalised(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part, a.z + (b.z - a.z) * part,
                    a.w + (b.w - a.w) * part);
}

PoseList PoseList::read(std::string_view text, std::string_view name) {
  PoseList list;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  with_standard_floats(
      [&] { Reader(text, name).read(&list.poses_, &list.times_, &list.rotations_); });
  return list;
}

bool PoseList::of_frame(std::uint64_t number, std::uint64_t pts, std::uint64_t tolerance,
                        double origin, Pose* pose) const {
  if (!is_timed()) {
    if (number >= poses_.size()) return false;
    *pose = poses_[number];
    return true;
  }
  return with_standard_floats([&] {
    const double seconds = static_cast<double>(pts) / 1e9;
    const auto after = [&](double time, double s) { return time - origin < s; };
    const auto next = static_cast<std::size_t>(
        std::lower_bound(times_.begin(), times_.end(), seconds, after) - times_.begin());
    const auto ahead = [&](std::size_t i) { return times_[i] - origin - seconds; };
    if (next > 0 && next < times_.size() && ahead(next) > 0.0 &&
        times_[next] - times_[next - 1] <= kMaxApart) {
      const double part = -ahead(next - 1) / (times_[next] - times_[next - 1]);
      const double* a = poses_[next - 1].m;
      const double* b = poses_[next].m;
      *pose = pose_of(between(rotations_[next - 1], rotations_[next], part),
                      a[3] + (b[3] - a[3]) * part, a[7] + (b[7] - a[7]) * part,
                      a[11] + (b[11] - a[11]) * part);
      return true;
    }
    std::size_t nearest = next;
    if (next == times_.size() || (next > 0 && -ahead(next - 1) <= ahead(next))) --nearest;
    if (!(std::fabs(ahead(nearest)) <= static_cast<double>(tolerance) / 1e9)) return false;
    *pose = poses_[nearest];
    return true;
  });
}

}  // namespace rdp::motion
