// SPDX-License-Identifier: LGPL-2.1-or-later
// The planes that the definition finds in point clouds with known planes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/planes/clouds/reference.h"
#include "tests/planes/cloud_cases.h"

namespace rdp::test {
namespace {

struct Known {
  double normal[3];
  double distance;
};

// The planes of draw_cloud()'s room. It maps points (x, y, z) to (0.8 x - 0.6 y, 0.6 x + 0.8 y, z +
// 0.1 x).
std::vector<Known> room_planes() {
  std::vector<Known> known;
  // n . p = d in the room's own axes.
  const double own[7][4] = {{-1, 0, 0, 3.0}, {1, 0, 0, 3.0}, {0, -1, 0, 2.0}, {0, 1, 0, 2.5},
                            {0, 0, -1, 1.2}, {0, 0, 1, 1.4}, {0, 0, -1, 0.45}};
  for (const auto& p : own) {
    // The inverse transform: x = 0.8 X + 0.6 Y, y = -0.6 X + 0.8 Y, z = Z - 0.1 x.
    const double nx = p[0] - 0.1 * p[2];
    Known k{{0.8 * nx - 0.6 * p[1], 0.6 * nx + 0.8 * p[1], p[2]}, p[3]};
    const double length = std::sqrt(k.normal[0] * k.normal[0] + k.normal[1] * k.normal[1] +
                                    k.normal[2] * k.normal[2]);
    for (double& n : k.normal) n /= length;
    k.distance /= length;
    known.push_back(k);
  }
  return known;
}

struct Found {
  planes::PlaneSet set;
  std::vector<std::uint8_t> labels;
};

Found find(const std::vector<float>& values, const planes::Parameters& parameters = {}) {
  const PaddedCloud cloud(values, 12, 0, 0);
  Found found;
  found.labels.resize(cloud.view.points);
  found.set = planes::reference::find_in_cloud(cloud.view, parameters, found.labels.data());
  return found;
}

// Number of known planes that were found, each within a degree and 10 mm.
int count_found(const planes::PlaneSet& set, const std::vector<Known>& known) {
  int count = 0;
  for (const Known& k : known) {
    for (const planes::Plane& p : set.planes) {
      const double cosine =
          p.normal[0] * k.normal[0] + p.normal[1] * k.normal[1] + p.normal[2] * k.normal[2];
      if (cosine > 0.99985 && std::abs(p.distance - k.distance) < 0.010) {
        ++count;
        break;
      }
    }
  }
  return count;
}

TEST(CloudPlanes, AreThoseOfARoom) {
  const Found found = find(draw_cloud(CloudKind::kRoom, 60000, 7));
  EXPECT_EQ(found.set.planes.size(), 7u);
  EXPECT_EQ(count_found(found.set, room_planes()), 7);
  for (const planes::Plane& plane : found.set.planes) {
    EXPECT_NEAR(plane.rms, 0.006, 0.002);
    EXPECT_GT(plane.area, 1.5);
    EXPECT_GE(plane.corners, 8u);
  }
  EXPECT_EQ(found.set.counts.known, 60000);
}

// The first seven planes are the room's. Far points move the octree; then a sliver at the joint of
// two walls may become an eighth plane.
TEST(CloudPlanes, AreTheSameWithFewPointsFarAway) {
  for (std::uint32_t seed = 7; seed < 13; ++seed) {
    Found found = find(draw_cloud(CloudKind::kStrewn, 60000, seed));
    EXPECT_GE(found.set.counts.outside, 18) << seed;
    EXPECT_LE(found.set.counts.outside, 20) << seed;
    EXPECT_TRUE(std::all_of(found.labels.begin(), found.labels.begin() + 18,
                            [](std::uint8_t label) { return label == 0; }));
    ASSERT_GE(found.set.planes.size(), 7u) << seed;
    ASSERT_LE(found.set.planes.size(), 8u) << seed;
    if (found.set.planes.size() == 8) {
      EXPECT_LT(found.set.planes[7].inliers, 300) << seed;
    }
    found.set.planes.resize(7);
    EXPECT_EQ(count_found(found.set, room_planes()), 7) << seed;
  }
}

TEST(CloudPlanes, OfABoxWithoutNoiseAreExact) {
  const Found found = find(draw_cloud(CloudKind::kFlat, 200000, 3));
  ASSERT_EQ(found.set.planes.size(), 6u);
  for (const planes::Plane& plane : found.set.planes) {
    EXPECT_NEAR(plane.distance, 1.0, 1e-3);
    EXPECT_NEAR(plane.area, 4.0, 0.15);
    EXPECT_LT(plane.rms, 0.006);  // an edge's points may be the other face's
  }
  std::int64_t labelled = 0;
  for (const std::uint8_t label : found.labels) labelled += label > 0 ? 1 : 0;
  EXPECT_EQ(labelled, 200000);
}

TEST(CloudPlanes, OfOnePlaneIsIt) {
  const Found found = find(draw_cloud(CloudKind::kSlanted, 20000, 3));
  ASSERT_EQ(found.set.planes.size(), 1u);
  EXPECT_EQ(found.set.planes[0].inliers, 20000);
  EXPECT_NEAR(found.set.planes[0].area, 64.0 * std::sqrt(1.0 + 0.0625 + 0.25), 1.0);
}

TEST(CloudPlanes, AreNotInPointsWithoutAny) {
  for (const CloudKind kind : {CloudKind::kEqual, CloudKind::kLine, CloudKind::kTwoPoints,
                               CloudKind::kNoise, CloudKind::kNothing}) {
    const Found found = find(draw_cloud(kind, 20000, 3));
    EXPECT_TRUE(found.set.planes.empty()) << name_of(kind);
    EXPECT_TRUE(std::all_of(found.labels.begin(), found.labels.end(), [](std::uint8_t label) {
      return label == 0;
    })) << name_of(kind);
  }
}

TEST(CloudPlanes, SayWhenTheResolutionIsCoarserThanWanted) {
  planes::Parameters parameters;
  parameters.resolution = 1e-7;
  const Found fine = find(draw_cloud(CloudKind::kRoom, 5000, 7), parameters);
  EXPECT_TRUE(fine.set.counts.coarser);
  EXPECT_GT(fine.set.counts.resolution, 1e-7);
  parameters.resolution = 0.001;
  const Found coarse = find(draw_cloud(CloudKind::kRoom, 5000, 7), parameters);
  EXPECT_FALSE(coarse.set.counts.coarser);
  EXPECT_DOUBLE_EQ(coarse.set.counts.resolution, 0.001);
}

TEST(CloudPlanes, HaveTheGroundBelowTheCamera) {
  const std::vector<float> values = draw_cloud(CloudKind::kRoom, 60000, 7);
  PaddedCloud cloud(values, 12, 0, 0);
  cloud.view.forward_left_up = true;
  std::vector<std::uint8_t> labels(cloud.view.points);
  const planes::PlaneSet set =
      planes::reference::find_in_cloud(cloud.view, planes::Parameters(), labels.data());
  ASSERT_GE(set.ground.plane, 0);
  EXPECT_LT(set.planes[set.ground.plane].normal[2], -0.9);
  EXPECT_NEAR(set.ground.height, 1.2, 0.02);
}

// Few points leave gaps between planar nodes; one plane must still be found as one.
TEST(CloudPlanes, OfFewPointsAreNotInPieces) {
  for (const std::size_t points : {50000, 60000, 80000}) {
    for (const std::uint32_t seed : {7, 8}) {
      const Found found = find(draw_cloud(CloudKind::kRoom, points, seed));
      EXPECT_EQ(found.set.planes.size(), 7u) << points << " " << seed;
    }
  }
}

TEST(CloudPlanes, DoNotChangeWithTheDensity) {
  for (const std::size_t points : {150000, 600000}) {
    const Found found = find(draw_cloud(CloudKind::kRoom, points, 7));
    EXPECT_EQ(found.set.planes.size(), 7u) << points;
    EXPECT_EQ(count_found(found.set, room_planes()), 7) << points;
  }
}

}  // namespace
}  // namespace rdp::test
