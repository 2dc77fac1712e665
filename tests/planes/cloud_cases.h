// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PLANES_CLOUD_CASES_H_
#define RDP_TESTS_PLANES_CLOUD_CASES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/planes/clouds/cloud.h"
#include "common/planes/parameters.h"

// Point clouds that are hard for a plane detector, for the CPU and GPU engines.
namespace rdp::test {

enum class CloudKind {
  kRoom,       // a box seen from inside, a table and clutter, with noise
  kFlat,       // the faces of a box without any noise, on the axes
  kSlanted,    // one plane without noise
  kTiles,      // more small planes than there are labels
  kNoise,      // points anywhere
  kEqual,      // all points in one place
  kTwice,      // every point of a room many times
  kLine,       // one line
  kTwoPoints,  // many points in two places
  kStrewn,     // a room and 20 points within 1 km
  kHuge,       // numbers near the largest floats
  kTiny,       // and near the smallest
  kUnknown,    // NaN, infinities and zeros between the points of a room
  kNothing,    // only NaN, infinities and zeros
  kFar,        // a room far from the origin
  kHall,       // patches without noise, one after the other as a scanner gives them
  kSphere,     // on a sphere: nodes of many directions
  kStairs,     // many small planes near to each other
  kWild,       // any floats between the points of a room
  kStreet,     // a road that bends, with a crown, between lower fields
};
inline constexpr int kCloudKinds = 20;
const char* name_of(CloudKind kind);

// x, y and z of each point.
std::vector<float> draw_cloud(CloudKind kind, std::size_t points, std::uint32_t seed);

// A point cloud in its own memory, with filler bytes between the points.
struct PaddedCloud {
  std::vector<std::byte> bytes;
  planes::CloudView view;

  PaddedCloud(const std::vector<float>& values, std::size_t step, std::size_t offset,
              std::size_t shift);
};

// A point cloud with its memory layout and the parameters of its detection.
struct CloudCase {
  std::string name;
  CloudKind kind;
  std::size_t points;
  std::uint32_t seed;
  std::size_t step, offset, shift;
  double unit;
  bool forward_left_up;
  planes::Parameters parameters;

  PaddedCloud draw() const;
};

// All kinds and settings, sizes from 0 points; `many` adds larger clouds.
std::vector<CloudCase> cloud_cases(bool many);

}  // namespace rdp::test

#endif  // RDP_TESTS_PLANES_CLOUD_CASES_H_
