// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_CROWD_WALK_H_
#define RDP_COMMON_SCENE_CROWD_WALK_H_

#include <cstdint>
#include <vector>

namespace rdp {

// The people of a crowd, and their places at a moment.
//
// The world is right-handed: the ground is Z = 0, up is +Z, lengths are in metres. The area is
// centred at the origin; X points to camera 0's right, Y away from that camera.
inline constexpr double kCrowdAreaX = 5.0;
inline constexpr double kCrowdAreaY = 4.0;
inline constexpr int kMaxCrowdPeople = 64;
inline constexpr double kLeastCrowdHeight = 0.5;
inline constexpr double kMaxCrowdHeight = 3.0;

// A person: an ellipsoid as body, and one as head that stands on it. A body is 2 * kHalfWide across
// the way that the person walks, 2 * kHalfDeep along it, and begins kSunk below the ground.
struct CrowdPerson {
  static constexpr double kHalfWide = 0.22;
  static constexpr double kHalfDeep = 0.16;
  static constexpr double kSunk = 0.02;
  static constexpr double kHeadHalfWide = 0.085;  // in X and in Y
  static constexpr double kHeadHalfHigh = 0.12;

  double x = 0.0, y = 0.0;  // of the vertical axis of both
  double height = 1.7;      // of the top of the head, above kLeastCrowdHeight
  bool along_x = false;     // walks along X; else along Y
  double grey = 130.0;      // of the body; the head is lighter
  std::uint64_t key = 0;    // of the texture

  double half_x() const { return along_x ? kHalfDeep : kHalfWide; }
  double half_y() const { return along_x ? kHalfWide : kHalfDeep; }
  // The body's middle and half of its height. Its top is the lowest point of the head.
  double body_middle() const { return 0.5 * (height - 2.0 * kHeadHalfHigh - kSunk); }
  double body_half() const { return 0.5 * (height - 2.0 * kHeadHalfHigh + kSunk); }
  double head_middle() const { return height - kHeadHalfHigh; }
};

struct CrowdOptions {
  std::uint32_t seed = 0;
  int people = 40;            // 0 to kMaxCrowdPeople
  double least_height = 1.5;  // kLeastCrowdHeight to kMaxCrowdHeight
  double most_height = 1.95;  // at least least_height; uniform between them
};

// Finds the places of all people. `moment`: ns, any; moments before 0 are reached by walking
// backwards.
//
// People walk in loops that are as long as the area and some 0.5 m wide. Loops lie along Y for even
// seeds, along X for odd ones. Each walks to the edge of the area, there steps aside, and walks
// back, always with 1.4 m/s. People never overlap. The result depends on the arguments alone; it is
// computed in whole nanometres. Throws std::bad_alloc if `people` needs more memory.
void find_crowd(const CrowdOptions& options, std::int64_t moment, std::vector<CrowdPerson>* people);

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_CROWD_WALK_H_
