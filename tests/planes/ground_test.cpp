// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/ground.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "common/planes/frames/engine.h"
#ifdef RDP_TEST_HAVE_PNG
#include "tests/bench/gray_png.h"
#endif

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
  return {plane_of(0, -1, 0, 1.3, 1920), plane_of(0, 0, 1, 4.0, 1600), plane_of(0, 1, 0, 0.5, 1280),
          plane_of(0, 1, 0, 1.2, 1280)};
}

std::vector<CellMean> cells_at(double y, std::int64_t n, int count) {
  std::vector<CellMean> cells;
  for (int i = 0; i < count; ++i) cells.push_back({n, {0.1 * i - 1.0, y, 2.0 + 0.1 * i}});
  return cells;
}

std::vector<CellMean> room_cells() {
  std::vector<CellMean> cells = cells_at(1.2, 64, 20);
  for (const CellMean& cell : cells_at(0.5, 64, 20)) cells.push_back(cell);
  for (const CellMean& cell : cells_at(-1.3, 64, 30)) cells.push_back(cell);
  cells.push_back({});  // nothing known
  return cells;
}

// A level plane as the camera sees it: its depth below the camera and its number of points, all in
// one cell at its middle. Some points belong to no plane.
struct Level {
  double below;
  std::int64_t points;
  bool is_plane = true;
};

Ground ground_of(const std::vector<Level>& levels) {
  std::vector<Plane> planes;
  std::vector<CellMean> cells;
  for (const Level& level : levels) {
    if (level.is_plane) planes.push_back(plane_of(0, 1, 0, level.below, level.points));
    cells.push_back({level.points, {0.0, level.below, 1.0}});
  }
  return find_ground(planes, cells, ground_rules_of_frame({}, 1e-3));
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

// A reflecting floor: 2.4 % of all valid points lie below it, a twentieth of its own points, and
// fewer below a piece of it.
TEST(Ground, IsTheFloorThatHasATwentiethOfItsPointsUnderIt) {
  constexpr Level kRest = {-1.0, 133000, false};
  const Ground ground =
      ground_of({{0.404, 148000}, {0.44, 2900}, kRest, {0.42, 2000, false}, {1.5, 2100, false}});
  EXPECT_EQ(ground.plane, 0);
  EXPECT_EQ(ground.height, 0.404);
  // At most a twelfth.
  EXPECT_EQ(ground_of({{0.4, 120000}, {0.7, 1200}, kRest, {1.5, 8800, false}}).plane, 0);
  EXPECT_EQ(ground_of({{0.4, 120000}, {0.7, 1200}, kRest, {1.5, 8801, false}}).plane, -1);
}

TEST(Ground, IsNoTableWhileATenthOfItsPixelsOfFloorIsSeen) {
  for (const std::int64_t rest : {0, 100000, 600000}) {  // of the table's and the floor's points
    const Level walls = {-1.0, rest, false};
    EXPECT_EQ(ground_of({{0.5, 100000}, {1.2, 10000}, walls}).plane, 1) << rest;
    EXPECT_EQ(ground_of({{0.5, 100000}, {1.2, 5000}, {1.202, 5000}, walls}).plane, 1) << rest;
    EXPECT_EQ(ground_of({{0.5, 100000}, {1.2, 8333}, walls}).plane, 0) << rest;
  }
  // Visible floor between objects that is not a plane of its own.
  EXPECT_EQ(ground_of({{0.5, 100000}, {1.2, 10000, false}}).plane, -1);
}

// Few of all points lie below pieces of other objects larger than the visible floor; relative to
// such a piece they are many.
TEST(Ground, IsNoPieceWhileTheFloorIsThere) {
  constexpr Level kRest = {-1.0, 200000, false};
  EXPECT_EQ(ground_of({{0.65, 5400}, {1.5, 900}, kRest, {1.4, 1000, false}}).plane, 1);
  EXPECT_EQ(ground_of({{1.2, 5400}, {1.45, 3800}, kRest}).plane, 1);
  EXPECT_EQ(ground_of({{1.45, 38000}, {1.49, 1100}, kRest}).plane, 0);
}

// If hardly any floor is visible, outliers exceed a twelfth of its points.
TEST(Ground, IsASmallFloorWithTwoPercentOfAllPointsUnderIt) {
  constexpr Level kRest = {-1.0, 93000, false};
  EXPECT_EQ(ground_of({{1.2, 5000}, kRest, {2.0, 2000, false}}).plane, 0);
  EXPECT_EQ(ground_of({{1.2, 5000}, kRest, {2.0, 2001, false}}).plane, -1);
  // At most a twelfth may belong to a lower ground.
  EXPECT_EQ(ground_of({{1.2, 5000}, kRest, {2.0, 416}, {1.7, 1584, false}}).plane, 0);
  EXPECT_EQ(ground_of({{1.2, 5000}, kRest, {2.0, 417}, {1.7, 1583, false}}).plane, 1);
  // A lower plane that is not ground does not count.
  EXPECT_EQ(ground_of({{1.2, 5000}, kRest, {2.0, 417}, {2.5, 1583, false}}).plane, 0);
}

// A floor that a poor camera bends into two planes: the larger one is the ground.
TEST(Ground, IsTheLargestPartOfABentFloor) {
  constexpr Level kRest = {-1.0, 286000, false};
  EXPECT_EQ(ground_of({{1.35, 12000}, {1.5, 5000}, kRest}).plane, 0);
  EXPECT_EQ(ground_of({{1.35, 12000}, {1.55, 5000}, kRest}).plane, 1);
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
  // Tolerance grows with the square of the depth.
  rules.factor = 0.001;
  const double far[] = {0.0, 1.0039 + 0.008 * 4.0, 4.0};
  const double farther[] = {0.0, 1.0041 + 0.008 * 4.0, 4.0};
  EXPECT_FALSE(lies_under(far, floor, rules));
  EXPECT_TRUE(lies_under(farther, floor, rules));
  // Tolerance also grows with the distance from the centroid, as a root of squared sums.
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
  // A plane above the camera is never ground, whatever the tilt.
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
  // Looking down: the down direction points partly ahead.
  EXPECT_NEAR(held(0, std::cos(0.3), std::sin(0.3)).pitch, 0.3, 1e-12);
  EXPECT_NEAR(held(0, std::cos(0.3), -std::sin(0.3)).pitch, -0.3, 1e-12);
  // The right side is lower: the down direction points partly to the right.
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
  EXPECT_EQ(rules.bend, 0.08);
  // A vehicle's scanner, 1.7 m above the road; it looks down by 0.1, and leans to the right.
  const std::vector<Plane> road = {plane_of(std::sin(0.1), 0, -std::cos(0.1), 1.7, 1)};
  const Ground down = find_ground(road, {}, rules, GroundOf::kForwardLeftUpCloud);
  EXPECT_EQ(down.plane, 0);
  EXPECT_EQ(down.height, 1.7);
  EXPECT_NEAR(down.pitch, 0.1, 1e-12);
  EXPECT_NEAR(down.roll, 0.0, 1e-12);
  const std::vector<Plane> leaning = {plane_of(0, -std::sin(0.1), -std::cos(0.1), 1.7, 1)};
  EXPECT_NEAR(find_ground(leaning, {}, rules, GroundOf::kForwardLeftUpCloud).roll, 0.1, 1e-12);
}

TEST(Ground, IsNoneWithoutPlanes) {
  const Ground ground = find_ground({}, room_cells(), rules_of());
  EXPECT_EQ(ground.plane, -1);
  EXPECT_EQ(ground.height, 0.0);
}

// Counts from a kernel give the same choice.
TEST(Ground, IsTheSameFromCounts) {
  const std::vector<Plane> planes = room();
  const std::vector<CellMean> cells = room_cells();
  const GroundRules rules = rules_of();
  std::vector<std::int64_t> under(planes.size(), -1);  // -1: must not be read
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

#ifdef RDP_TEST_HAVE_PNG
// A camera driving 0.40 m above a reflecting floor: each frame, also rotated by 180 degrees
// together with `up`.
TEST(Ground, IsTheFloorOfARecordedSequence) {
  const char* folder = std::getenv("RDPSEGMENT_TEST_DATA");
  if (folder == nullptr) GTEST_SKIP() << "RDPSEGMENT_TEST_DATA is not set";
  const std::filesystem::path sequence = std::filesystem::path(folder) / "rgbd" / "sequence";
  FrameEngine finder(1);
  int frames = 0;
  for (; frames < 10; ++frames) {
    const std::string name = "00000" + std::to_string(frames) + ".png";
    const rdp::reference::Frame recorded = bench::read_gray_png(sequence / name);
    if (recorded.width == 0) break;
    const int width = recorded.width;
    const int height = recorded.height;
    for (const bool turned : {false, true}) {  // by half a turn
      rdp::reference::Frame frame = recorded;
      MetricCamera camera;
      camera.focal_x = camera.focal_y = 617.25;
      camera.principal_x = turned ? width - 1 - 317.39 : 317.39;
      camera.principal_y = turned ? height - 1 - 245.98 : 245.98;
      camera.depth.factor = 0.001;
      Parameters parameters;
      if (turned) {
        std::reverse(frame.samples.begin(), frame.samples.end());
        parameters.up[1] = 1.0;
      }
      std::vector<std::uint8_t> labels(frame.samples.size());
      const PlaneSet& set = finder.find(
          frame.view(), camera, parameters,
          {reinterpret_cast<std::byte*>(labels.data()), width, width, height, SampleType::kU8});
      EXPECT_EQ(set.ground.plane, 0) << name << (turned ? ", turned" : "");
      EXPECT_NEAR(set.ground.height, 0.403, 0.005) << name << (turned ? ", turned" : "");
    }
  }
  if (frames == 0) GTEST_SKIP() << "no frames in " << sequence;
  EXPECT_EQ(frames, 10);
}
#endif

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
