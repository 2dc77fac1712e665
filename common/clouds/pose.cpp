// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/clouds/pose.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "common/clouds/text_lines.h"

namespace rdp::clouds {

namespace {

// A quaternion printed with few digits counts as normalised if its squared length differs from 1 by
// less.
constexpr double kUnitSlack = 1e-5;

double length_of(const double q[4], double scale) {
  double squares = 0.0;
  for (int i = 0; i < 4; ++i) squares += (q[i] / scale) * (q[i] / scale);
  return std::sqrt(squares);
}

}  // namespace

bool is_identity(const Pose& pose) {
  for (const std::size_t i : {0, 1, 2, 4, 5, 6}) {
    if (pose[i] != 0.0) return false;
  }
  return true;
}

bool normalize_rotation(Pose* pose) {
  double* const q = pose->data() + 3;
  const double length = length_of(q, 1.0);
  if (std::abs(length * length - 1.0) < kUnitSlack) return true;
  const double largest = std::max({std::abs(q[0]), std::abs(q[1]), std::abs(q[2]), std::abs(q[3])});
  if (largest == 0.0) {
    q[0] = 1.0;
    return false;
  }
  const double scaled = length_of(q, largest);  // a square of q itself may be beyond doubles
  for (int i = 0; i < 4; ++i) q[i] = q[i] / largest / scaled;
  return true;
}

void turn_to_sensor(const Pose& pose, double direction[3]) {
  const double length = length_of(pose.data() + 3, 1.0);
  const double w = pose[3] / length;
  const double x = pose[4] / length;
  const double y = pose[5] / length;
  const double z = pose[6] / length;
  // The columns of the rotation are the sensor's axes in the world.
  const double columns[3][3] = {
      {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)},
      {2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)},
      {2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)}};
  const double world[3] = {direction[0], direction[1], direction[2]};
  for (int i = 0; i < 3; ++i) {
    direction[i] = columns[i][0] * world[0] + columns[i][1] * world[1] + columns[i][2] * world[2];
  }
}

bool parse_pose(std::string_view text, Pose* pose) {
  Pose read;
  Words words(text);
  for (double& number : read) {
    if (!parse_number(words.next(), &number) || !std::isfinite(number)) return false;
  }
  if (!words.next().empty()) return false;
  *pose = read;
  return true;
}

std::string pose_text(const Pose& pose) {
  std::string text;
  for (const double number : pose) {
    char digits[32];
    if (!text.empty()) text += ' ';
    text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }
  return text;
}

}  // namespace rdp::clouds
