// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PLANES_CLOUD_PATTERNS_H_
#define RDP_TESTS_PLANES_CLOUD_PATTERNS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/planes/cloud.h"

// Made point clouds with which all ways to find planes are compared.
namespace rdp::test {

enum class CloudKind {
  kRoom,     // walls, floor, a table, boxes, noise
  kHall,     // the same in the order of a scanner, without noise
  kNothing,  // points that are none: not finite, or (0, 0, 0)
  kSame,     // all in one place
  kLine,     // on a line
  kFlat,     // on a plane across an axis, without any thickness
  kGrid,     // on a grid, two points in each place
  kBlob,     // everywhere alike
  kSphere,   // on a sphere: nodes of many directions
  kStairs,   // many small planes near to each other
  kStrewn,   // a room, and at most 20 points up to a kilometre away
  kGreat,    // floats from the smallest to the largest
};
inline constexpr CloudKind kCloudKinds[] = {
    CloudKind::kRoom,   CloudKind::kHall,   CloudKind::kNothing, CloudKind::kSame,
    CloudKind::kLine,   CloudKind::kFlat,   CloudKind::kGrid,    CloudKind::kBlob,
    CloudKind::kSphere, CloudKind::kStairs, CloudKind::kStrewn,  CloudKind::kGreat};
std::string name_of(CloudKind kind);

// x, y, z of so many points, in metres.
std::vector<float> draw_cloud(CloudKind kind, std::size_t points, std::uint32_t seed);

// How points lie in memory.
struct CloudLayout {
  std::size_t step = 12;
  std::size_t offset = 0;
};
// The points with something else between them.
std::vector<std::byte> laid_out(const std::vector<float>& values, const CloudLayout& layout);

}  // namespace rdp::test

#endif  // RDP_TESTS_PLANES_CLOUD_PATTERNS_H_
