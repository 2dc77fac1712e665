// SPDX-License-Identifier: LGPL-2.1-or-later
// The ground of street scans with a known road, and of point clouds without one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/planes/clouds/engine.h"
#include "tests/support/street_scan.h"

namespace rdp::test {
namespace {

constexpr double kNear = 0.1;     // m
constexpr double kSimilar = 4.0;  // degrees
constexpr double kDegree = 3.14159265358979323846 / 180.0;

struct Found {
  planes::Ground ground;
  planes::Plane plane;
};

// In the axes of a scanner.
Found find(const std::vector<float>& values) {
  planes::CloudView view;
  view.data = reinterpret_cast<const std::byte*>(values.data());
  view.points = values.size() / 3;
  view.forward_left_up = true;
  std::vector<std::uint8_t> labels(view.points);
  planes::CloudEngine engine(1);
  const planes::PlaneSet& set = engine.find(view, {}, labels.data());
  Found found;
  found.ground = set.ground;
  if (set.ground.plane >= 0) found.plane = set.planes[static_cast<std::size_t>(set.ground.plane)];
  return found;
}

// STREETS=N tests N streets; those beyond kStreets are of the same kind and count alike.
TEST(StreetGround, IsTheRoadBelowTheSensor) {
  const char* const wanted = std::getenv("STREETS");
  const int streets = wanted == nullptr ? kStreets : std::max(1, std::atoi(wanted));
  int found = 0;
  std::string missed;
  for (int i = 0; i < streets; ++i) {
    const StreetCase c = street_case(i);
    const StreetScan scan = scan_street(c.lidar, c.street);
    const Found is = find(scan.values);
    const double* const n = is.plane.normal;
    const double cosine = n[0] * scan.normal[0] + n[1] * scan.normal[1] + n[2] * scan.normal[2];
    const bool right = is.ground.plane >= 0 && std::abs(is.ground.height - scan.distance) < kNear &&
                       cosine > std::cos(kSimilar * kDegree);
    found += right ? 1 : 0;
    if (right) continue;
    missed += c.name + ": " + std::to_string(scan.values.size() / 3) + " points, ground " +
              std::to_string(is.ground.plane) + ", " + std::to_string(is.ground.height) +
              " m below, expected " + std::to_string(scan.distance) + "\n";
  }
  RecordProperty("found", found);
  std::printf("%d of %d\n%s", found, streets, missed.c_str());
  EXPECT_GE(found * 50, streets * 49) << missed;
}

// Points in a grid on the parallelogram from a corner along two edges.
void add_patch(std::vector<float>* values, const double corner[3], const double u[3],
               const double v[3], int side) {
  for (int i = 0; i < side * side; ++i) {
    const double a = static_cast<double>(i % side) / (side - 1);
    const double b = static_cast<double>(i / side) / (side - 1);
    for (int k = 0; k < 3; ++k) {
      values->push_back(static_cast<float>(corner[k] + a * u[k] + b * v[k]));
    }
  }
}

// A level rectangle with this middle.
void add_level(std::vector<float>* values, double x, double y, double z, double size, int side) {
  const double corner[] = {x - 0.5 * size, y - 0.5 * size, z};
  const double along[] = {size, 0.0, 0.0};
  const double across[] = {0.0, size, 0.0};
  add_patch(values, corner, along, across, side);
}

TEST(StreetGround, IsNoWallAndNoCeiling) {
  const double corner[] = {5.0, -20.0, -1.5};
  const double along[] = {0.0, 40.0, 0.0};
  const double up[] = {0.0, 0.0, 6.0};
  std::vector<float> wall;
  add_patch(&wall, corner, along, up, 150);
  EXPECT_EQ(find(wall).ground.plane, -1);
  add_level(&wall, 0.0, 0.0, 3.0, 40.0, 150);
  EXPECT_EQ(find(wall).ground.plane, -1);
}

// A table, a platform and a roof have more points than what lies around them.
TEST(StreetGround, IsNotWhatStandsOnIt) {
  struct Raised {
    double x, height, size;
  };
  for (const Raised& raised : {Raised{1.5, 0.72, 1.2}, Raised{2.0, 0.4, 2.0}, Raised{1.0, 1.1, 3.0},
                               Raised{0.0, 1.3, 2.5}}) {
    std::vector<float> room;
    add_level(&room, raised.x, 0.0, raised.height - 1.7, raised.size, 120);
    const double kSides[][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1},
                                {0, 1},   {1, -1}, {1, 0},  {1, 1}};
    for (const auto& side : kSides) {
      add_level(&room, raised.x + side[0] * (raised.size + 0.3), side[1] * (raised.size + 0.3),
                -1.7, raised.size, 30);
    }
    const Found found = find(room);
    EXPECT_NEAR(found.ground.height, 1.7, 0.02) << raised.height;
    EXPECT_GE(found.ground.plane, 0) << raised.height;
  }
}

// A lower field has more points than the road on which the sensor stands.
TEST(StreetGround, IsTheRoadAndNotALargerFieldBesideIt) {
  std::vector<float> country;
  add_level(&country, 3.0, 0.0, -1.7, 9.0, 100);
  add_level(&country, 3.0, 25.0, -3.2, 30.0, 140);
  const Found found = find(country);
  EXPECT_NEAR(found.ground.height, 1.7, 0.02);
}

// A level plane far away is the ground only from 1 % of the points on. A smaller piece does not
// tell where the ground is here.
TEST(StreetGround, IsNoSmallPieceFarAway) {
  const double corner[] = {20.0, -20.0, -1.5};
  const double along[] = {0.0, 40.0, 0.0};
  const double up[] = {0.0, 0.0, 6.0};
  for (const int side : {12, 16}) {
    std::vector<float> cloud;
    add_patch(&cloud, corner, along, up, 150);
    add_level(&cloud, 14.0, 0.0, -1.7, 0.8, side);
    EXPECT_EQ(find(cloud).ground.plane, side == 12 ? -1 : 1) << side;
  }
}

// Nothing else is there: the upward plane below the sensor is the ground, as always.
TEST(StreetGround, IsATabletopAlone) {
  std::vector<float> table;
  add_level(&table, 0.6, 0.0, -0.4, 0.8, 100);
  EXPECT_NEAR(find(table).ground.height, 0.4, 0.01);
}

}  // namespace
}  // namespace rdp::test
