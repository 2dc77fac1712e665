// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/ground.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <vector>

namespace rdp::planes {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180.0;

// A plane whose normal has this direction, at this distance.
Plane plane_of(double x, double y, double z, double distance, std::int64_t inliers) {
  Plane plane;
  const double length = std::sqrt(x * x + y * y + z * z);
  const double direction[] = {x / length, y / length, z / length};
  for (int i = 0; i < 3; ++i) {
    plane.normal[i] = direction[i];
    plane.centroid[i] = direction[i] * distance;
  }
  plane.distance = distance;
  plane.inliers = inliers;
  return plane;
}

// A camera 1.2 m above a floor, below a ceiling, before a wall, with a table in the room.
std::vector<Plane> room() {
  return {plane_of(0, -1, 0, 1.3, 90000), plane_of(0, 0, 1, 4.0, 80000),
          plane_of(0, 1, 0, 0.5, 50000), plane_of(0, 1, 0, 1.2, 40000)};
}

std::vector<CellMean> cells_at(double y, std::int64_t n, int count) {
  std::vector<CellMean> cells;
  for (int i = 0; i < count; ++i) cells.push_back({n, {0.1 * i - 1.0, y, 2.0 + 0.1 * i}});
  return cells;
}

std::vector<CellMean> room_cells() {
  std::vector<CellMean> cells = cells_at(1.2, 64, 20);
  for (const CellMean& cell : cells_at(0.5, 64, 20)) cells.push_back(cell);
  for (const CellMean& cell : cells_at(-1.3, 64, 20)) cells.push_back(cell);
  cells.push_back({});  // nothing known
  return cells;
}

GroundRules rules_of(const Parameters& parameters = {}) {
  return ground_rules_of_frame(parameters, 1e-3);
}

TEST(Ground, IsTheFloorAndNeitherTheTableNorTheCeiling) {
  const Ground ground = find_ground(room(), room_cells(), rules_of());
  EXPECT_EQ(ground.plane, 3);
  EXPECT_EQ(ground.height, 1.2);
  EXPECT_EQ(ground.pitch, 0.0);
  EXPECT_EQ(ground.roll, 0.0);
}

TEST(Ground, IsTheTableWhereNothingIsBelow) {
  EXPECT_EQ(find_ground(room(), cells_at(0.5, 64, 20), rules_of()).plane, 2);
}

TEST(Ground, IsLeftAloneByTwoPercentOfThePoints) {
  // The table is the larger plane: 49 cells of 64 points are on it, and one lies below.
  std::vector<CellMean> cells = cells_at(0.5, 64, 49);
  cells.push_back({64, {0.0, 1.2, 3.0}});  // exactly 2 %
  EXPECT_EQ(find_ground(room(), cells, rules_of()).plane, 2);
  cells.back().n = 65;
  EXPECT_EQ(find_ground(room(), cells, rules_of()).plane, 3);
}

TEST(Ground, HasTheMostInliersAndOfEqualOnesTheFirst) {
  std::vector<Plane> planes = {plane_of(0, 1, 0, 1.2, 100), plane_of(0.01, 1, 0, 1.2, 200),
                               plane_of(0, 1, 0.01, 1.2, 200)};
  EXPECT_EQ(find_ground(planes, {}, rules_of()).plane, 1);
  planes[0].inliers = 200;
  EXPECT_EQ(find_ground(planes, {}, rules_of()).plane, 0);
}

TEST(Ground, TakesWhatPointsMayDeviate) {
  const GroundCandidate floor = ground_candidate(plane_of(0, 1, 0, 1.0, 1));
  GroundRules rules;
  rules.floor = 0.002;
  const auto under = [&](double below) {
    const double mean[] = {0.0, 1.0 + below, 0.0};
    return lies_under(mean, floor, rules);
  };
  EXPECT_FALSE(under(-5.0));
  EXPECT_FALSE(under(0.0039));
  EXPECT_TRUE(under(0.0041));
  // With the square of the depth.
  rules.factor = 0.001;
  const double far[] = {0.0, 1.0039 + 0.008 * 4.0, 4.0};
  const double farther[] = {0.0, 1.0041 + 0.008 * 4.0, 4.0};
  EXPECT_FALSE(lies_under(far, floor, rules));
  EXPECT_TRUE(lies_under(farther, floor, rules));
  // And with the distance from the centroid, by the root of the squares' sum.
  rules = {};
  rules.bend = 0.01;
  const double aside[] = {3.0, 1.0 + 0.0999, 4.0};
  const double asunder[] = {3.0, 1.0 + 0.1001, 4.0};
  EXPECT_FALSE(lies_under(aside, floor, rules));
  EXPECT_TRUE(lies_under(asunder, floor, rules));
}

TEST(Ground, IsWithinItsTiltOfUp) {
  Parameters parameters;
  for (const double tilt : {0.0, 10.0, 30.0, 45.0, 89.0, 90.0}) {
    parameters.ground_tilt = tilt;
    const GroundRules rules = rules_of(parameters);
    EXPECT_NEAR(rules.least_cosine, std::cos(tilt * kDegree), 1e-15) << tilt;
    for (const double off : {-0.01, 0.01}) {
      const double angle = (tilt + off) * kDegree;
      const Plane plane = plane_of(std::sin(angle), std::cos(angle), 0, 1.0, 1);
      if (angle < 0 || tilt + off > 90.0) continue;
      EXPECT_EQ(may_be_ground(plane, rules), off < 0) << tilt;
    }
  }
  // What is above is none, whatever the tilt.
  parameters.ground_tilt = 180.0;
  EXPECT_FALSE(may_be_ground(plane_of(0, -1, 0, 1.0, 1), rules_of(parameters)));
  EXPECT_TRUE(may_be_ground(plane_of(1, 0.001, 0, 1.0, 1), rules_of(parameters)));
}

TEST(Ground, FollowsUpOfAnyLength) {
  Parameters parameters;
  parameters.up[0] = 0.001;
  parameters.up[1] = 0.0;
  const GroundRules rules = rules_of(parameters);
  EXPECT_TRUE(may_be_ground(plane_of(-1, 0, 0, 1.0, 1), rules));
  EXPECT_FALSE(may_be_ground(plane_of(0, 1, 0, 1.0, 1), rules));
  parameters.up[0] = 0.0;  // no direction: no ground
  EXPECT_EQ(find_ground(room(), {}, rules_of(parameters)).plane, -1);
}

TEST(Ground, SaysHowTheCameraIsHeld) {
  const auto held = [](double x, double y, double z) {
    return find_ground(std::vector<Plane>{plane_of(x, y, z, 1.0, 1)}, {}, rules_of());
  };
  // Looking down: what is down is partly ahead.
  EXPECT_NEAR(held(0, std::cos(0.3), std::sin(0.3)).pitch, 0.3, 1e-12);
  EXPECT_NEAR(held(0, std::cos(0.3), -std::sin(0.3)).pitch, -0.3, 1e-12);
  // The right side is lower: what is down is partly on the right.
  const Ground rolled = held(std::sin(0.2), std::cos(0.2), 0);
  EXPECT_NEAR(rolled.roll, 0.2, 1e-12);
  EXPECT_NEAR(rolled.pitch, 0.0, 1e-12);
}

TEST(Ground, OfACloudThatLooksForward) {
  Parameters parameters;
  const double up[] = {0, 0, 1};
  for (int i = 0; i < 3; ++i) parameters.up[i] = up[i];
  const GroundRules rules = ground_rules_of_cloud(parameters, 0.02);
  EXPECT_EQ(rules.floor, 0.02);
  EXPECT_EQ(rules.bend, 0.0);
  // A vehicle's scanner, 1.7 m above the road; it looks down by 0.1, and leans to the right.
  const std::vector<Plane> road = {plane_of(std::sin(0.1), 0, -std::cos(0.1), 1.7, 1)};
  const Ground down = find_ground(road, {}, rules, true);
  EXPECT_EQ(down.plane, 0);
  EXPECT_EQ(down.height, 1.7);
  EXPECT_NEAR(down.pitch, 0.1, 1e-12);
  EXPECT_NEAR(down.roll, 0.0, 1e-12);
  const std::vector<Plane> leaning = {plane_of(0, -std::sin(0.1), -std::cos(0.1), 1.7, 1)};
  EXPECT_NEAR(find_ground(leaning, {}, rules, true).roll, 0.1, 1e-12);
}

TEST(Ground, IsNoneWithoutPlanes) {
  const Ground ground = find_ground({}, room_cells(), rules_of());
  EXPECT_EQ(ground.plane, -1);
  EXPECT_EQ(ground.height, 0.0);
}

// What a kernel has counted gives the same choice.
TEST(Ground, IsTheSameFromCounts) {
  const std::vector<Plane> planes = room();
  const std::vector<CellMean> cells = room_cells();
  const GroundRules rules = rules_of();
  std::vector<std::int64_t> under(planes.size(), -1);  // -1: nobody looks
  std::int64_t known = 0;
  for (const CellMean& cell : cells) known += cell.n;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    if (!may_be_ground(planes[i], rules)) continue;
    under[i] = 0;
    for (const CellMean& cell : cells) {
      if (lies_under(cell.mean, ground_candidate(planes[i]), rules)) under[i] += cell.n;
    }
  }
  EXPECT_EQ(under, (std::vector<std::int64_t>{-1, -1, 20 * 64, 0}));
  const Ground ground = choose_ground(planes, under, known, rules);
  EXPECT_EQ(ground.plane, 3);
  EXPECT_EQ(ground.height, 1.2);
  under[3] = known;
  EXPECT_EQ(choose_ground(planes, under, known, rules).plane, -1);
}

TEST(Ground, DoesNotDependOnTheRoundingMode) {
  Parameters parameters;
  parameters.up[0] = 0.3;
  const GroundRules rules = rules_of(parameters);
  std::fesetround(FE_UPWARD);
  const GroundRules upward = rules_of(parameters);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(rules.least_cosine, upward.least_cosine);
  EXPECT_EQ(rules.up[0], upward.up[0]);
  EXPECT_EQ(rules.factor, upward.factor);
}

}  // namespace
}  // namespace rdp::planes
