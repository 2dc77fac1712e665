// SPDX-License-Identifier: LGPL-2.1-or-later
// The nearest object per bearing, for single points and for scenes with objects at known places.
#include "common/scene/true_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "common/scene/traffic_scene.h"

namespace rdp {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

// The bearing index for an angle in degrees to the left.
std::size_t bearing(double degrees, const ScanRules& rules) {
  return static_cast<std::size_t>((degrees / rules.fov + 0.5) * rules.bins);
}

TEST(TrueScan, PointsByHand) {
  // A camera 1 m high that looks 30 degrees down; ahead along the ground is (0, -1/2, cos 30).
  const double c = std::cos(30 * kDegree);
  const SceneGround ground{{0, c, 0.5}, 1.0};
  TrueScan scan({.bins = 90}, ground);
  // x to the left, y above the ground, z ahead along it.
  const auto add = [&](double left, double up, double ahead) {
    scan.add({-left, c * (1 - up) - 0.5 * ahead, 0.5 * (1 - up) + c * ahead});
  };
  add(0.1, 0.0, 3.0);
  EXPECT_TRUE(std::isinf(scan.ranges()[45])) << "ground";
  EXPECT_TRUE(std::isnan(scan.ranges()[44]));
  add(0.1, 0.125, 3.0);  // the least height is 0.13 there
  EXPECT_TRUE(std::isinf(scan.ranges()[45]));
  add(0.1, 0.14, 3.0);
  EXPECT_NEAR(scan.ranges()[45], std::hypot(0.1, 3.0), 1e-9);
  add(0.05, 1.99, 2.0);
  add(0.05, 2.01, 1.5);
  EXPECT_NEAR(scan.ranges()[45], std::hypot(0.05, 2.0), 1e-9) << "the nearest that is not too high";
  add(-1.0, 1.0, 1.001);  // 44.97 degrees to the right
  EXPECT_NEAR(scan.ranges()[22], std::hypot(1.0, 1.001), 1e-9);
  add(0.1, 1.0, -2.0);
  add(-0.2, 1.0, 10.0);
  EXPECT_TRUE(std::isinf(scan.ranges()[44])) << "too far";
  const std::vector<double> ranges = scan.ranges();
  EXPECT_EQ(std::count_if(ranges.begin(), ranges.end(), [](double r) { return std::isnan(r); }),
            87);
}

TEST(TrueScan, CarsAreAtTheirPlaces) {
  const ScanRules rules{.bins = 1440, .least_height = 0.3, .most_height = 2.5, .range = 50};
  const TestPatternOptions options{.pattern = TestPattern::kTraffic};
  const std::vector<double> ranges = true_scan(kTrafficMoment, options, 1242, 376, rules);
  for (const int number : {1, 2}) {
    const TrafficCar car = traffic_car(number, 0, 400, kTrafficMoment);
    const double x = static_cast<double>(car.left + car.right) / 2000.0;
    const double z = static_cast<double>(car.near) / 1000.0;
    EXPECT_NEAR(ranges[bearing(-std::atan2(x, z) / kDegree, rules)], std::hypot(x, z), 0.02);
  }
}

// Near the edges of a rolled picture, bearings may see only the floor.
TEST(TrueScan, BearingsOfARoomEndAtThings) {
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    const TestPatternOptions options{.pattern = TestPattern::kRoom, .seed = seed};
    const SceneGround ground = ground_of_scene(9, options);
    EXPECT_NEAR(dot(ground.down, ground.down), 1.0, 1e-9);
    int things = 0;
    int seen = 0;
    for (const double range : true_scan(9, options, 320, 240, {})) {
      seen += std::isnan(range) ? 0 : 1;
      if (!std::isfinite(range)) continue;
      ++things;
      EXPECT_GT(range, 0.3);
      EXPECT_LT(range, 7.0);
    }
    EXPECT_GE(seen, 125) << "62.7 degrees, and more where it looks down";
    EXPECT_GT(things, 0.8 * seen);
  }
}

// Camera 0 of a crowd must see a single person at the near side of the body.
TEST(TrueScan, PeopleAreAtTheirPlaces) {
  const CrowdOptions options{.people = 1};
  const CrowdCamera camera = crowd_camera(0, 17.0, 781, 621);
  std::vector<CrowdPerson> people;
  find_crowd(options, 0, &people);
  const ScanRules rules{.range = 20};
  const std::vector<double> ranges = true_scan_of_crowd(options, 0, camera, 781, 621, rules);
  const double ahead = people[0].y - camera.eye[1];
  const double least = *std::min_element(ranges.begin(), ranges.end(), [](double a, double b) {
    return (std::isnan(a) ? INFINITY : a) < (std::isnan(b) ? INFINITY : b);
  });
  EXPECT_NEAR(least, std::hypot(people[0].x, ahead) - people[0].half_y(), 0.05);
  const double angle = -std::atan2(people[0].x, ahead) / kDegree;
  EXPECT_LT(ranges[bearing(angle, rules)], 20.0);
  EXPECT_TRUE(std::isinf(ranges[bearing(angle + 3, rules)])) << "ground";
}

}  // namespace
}  // namespace rdp
