// SPDX-License-Identifier: LGPL-2.1-or-later
// Rules of obstacles, worked out by hand: ground sources, classes, bearings, states, rectangles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/obstacles/engine.h"
#include "common/obstacles/ground.h"
#include "common/obstacles/objects.h"

namespace rdp::obstacles {
namespace {

TEST(ObstacleRules, GroundsFromSources) {
  const auto mount = ground_of_mount(2, 30, 0);
  ASSERT_TRUE(mount.has_value());
  EXPECT_NEAR(mount->normal[1], std::sqrt(0.75), 1e-12);
  EXPECT_NEAR(mount->normal[2], 0.5, 1e-12);
  EXPECT_NEAR(ground_of_mount(2, 0, 90)->normal[0], 1, 1e-12) << "the right side is lower";
  EXPECT_NEAR(ground_of_mount(2, 0, -180)->normal[1], -1, 1e-12);
  EXPECT_FALSE(ground_of_mount(0, 0, 0).has_value());
  EXPECT_FALSE(ground_of_mount(132, 0, 0).has_value());

  CameraLens lens;
  lens.focal_x = lens.focal_y = 500;
  lens.principal_x = 300;
  lens.principal_y = 200;
  // Disparity = B (row - horizon) / height: B 0.5, height 2, horizon 200.
  const auto line = ground_of_line(0, 0.25, -50, 250, lens);
  ASSERT_TRUE(line.has_value());
  EXPECT_NEAR(line->distance, 2, 1e-12);
  EXPECT_NEAR(line->normal[1], 1, 1e-12);

  Pose pose;  // x right, y ahead, z up, 1.5 m high
  const double m[12] = {1, 0, 0, 7, 0, 0, 1, 8, 0, -1, 0, 1.5};
  std::copy_n(m, 12, pose.m);
  EXPECT_EQ(ground_of_pose(pose)->normal[1], 1);
  EXPECT_EQ(ground_of_pose(pose)->distance, 1.5);
  pose.m[11] = -1;
  EXPECT_FALSE(ground_of_pose(pose).has_value());
}

TEST(ObstacleRules, SteepCamerasLookForwardToThePicturesTop) {
  EXPECT_FALSE(axes_of({{0, 1, 0}, 1}).steep);
  const Axes axes = axes_of({{0, 0, 1}, 1.2345});
  EXPECT_TRUE(axes.steep);
  EXPECT_EQ(axes.height, 1235);
  EXPECT_EQ(axes.r[0][1], -1) << "forward is the picture's up";
  EXPECT_EQ(axes.r[1][0], -1) << "left is the picture's left";
}

FrameRules rules_of_test() {
  FrameRules rules;
  rules.camera_height = 1000;
  rules.min_height = 100;
  rules.max_height = 500;
  rules.drop_depth = 1000;
  rules.range = 4000;
  rules.cell = 500;
  rules.columns = 8;
  rules.rows = 16;
  rules.y0 = -4000;
  rules.cell_samples = 2;
  rules.bins = 2;
  rules.free_gap = 500;
  return rules;
}

TEST(ObstacleRules, ClassesByHeight) {
  const FrameRules rules = rules_of_test();
  const auto at = [&](std::int32_t h, std::int32_t x = 65536) {
    // 1 m away: the ray's direction equals the coordinate.
    return place_sample(1000, x, 0, (h - 1000) * 65536 / 1000, rules, nullptr);
  };
  EXPECT_EQ(at(100).kind, kObstacle);
  EXPECT_EQ(at(99).kind, kGround);
  EXPECT_EQ(at(500).kind, kObstacle);
  EXPECT_EQ(at(501).kind, kAbove);
  EXPECT_EQ(at(-99).kind, kGround);
  EXPECT_EQ(at(-100).kind, kBelow);
  const Placed drop = at(-1000);
  EXPECT_EQ(drop.kind, kDrop);
  EXPECT_EQ(drop.x, 500) << "where its ray meets the ground";
  EXPECT_EQ(at(100, 4 * 65536).kind, kUnknown) << "beyond the range";
  EXPECT_EQ(at(100, -66).kind, kUnknown) << "behind the camera";
  EXPECT_EQ(at(100).cell, 8 * 8 + 2);
}

TEST(ObstacleRules, RingsAndBearings) {
  int last = -1;
  for (std::int32_t rho = 0; rho < kMaxRange; ++rho) {
    const int ring = ring_of(rho);
    ASSERT_TRUE(ring == last || ring == last + 1) << rho;
    last = ring;
  }
  EXPECT_EQ(last, kRings - 1);
  const Direction edges[] = {{0, -16384}, {16384, 0}, {0, 16384}};
  EXPECT_EQ(bin_of(5, -1, edges, 2), 0);
  EXPECT_EQ(bin_of(5, 0, edges, 2), 1);
  EXPECT_EQ(bin_of(1, 1000, edges, 2), 1);
  const Direction narrow[] = {{16384, 0}, {16000, 3000}};
  EXPECT_EQ(bin_of(5, -1, narrow, 1), -1);
  EXPECT_EQ(bin_of(5, 5, narrow, 1), -1);
}

TEST(ObstacleRules, RangesSkipTails) {
  const FrameRules rules = rules_of_test();
  std::vector<RingSum> rings(2 * kRings);
  const auto put = [&](int ring, std::uint32_t count, std::uint64_t sum) {
    rings[static_cast<std::size_t>(ring_place(ring, 1, 2))] = {count, 0, sum};
  };
  EXPECT_EQ(range_of(rings.data(), 1, rules), 0U);
  put(20, 1, 20);
  EXPECT_EQ(range_of(rings.data(), 1, rules), 0U) << "one sample";
  put(21, 2, 43);
  EXPECT_EQ(range_of(rings.data(), 1, rules), 21U) << "63 / 3";
  put(22, 20, 440);
  EXPECT_EQ(range_of(rings.data(), 1, rules), 22U) << "the others are its tail";
  EXPECT_EQ(range_of(rings.data(), 0, rules), 0U);
}

TEST(ObstacleRules, FreeEndsAtGapsAndThings) {
  FrameRules rules = rules_of_test();
  const auto free = [&](std::vector<std::uint8_t> states, std::uint32_t range = 0) {
    states.resize(16);
    return free_of(range, states.data(), rules, [](std::int32_t i) { return i; });
  };
  EXPECT_EQ(free({0, 0, 0, 1, 1, 0, 0, 1}), 2000U) << "250 mm a step";
  EXPECT_EQ(free({0, 1, 0, 0, 0, 1}), 500U);
  EXPECT_EQ(free({1, 1, 2, 1}), 500U);
  EXPECT_EQ(free({1, 1, 3, 1}), 500U);
  EXPECT_EQ(free({1, 1, 1, 1}, 600), 600U);
  EXPECT_EQ(free({}), 0U);
}

TEST(ObstacleRules, AreaHoldsMiddlesOfCells) {
  std::vector<std::uint8_t> inside;
  mark_area({{0.7, -0.3}, {2.0, -0.3}, {2.0, 0.8}}, rules_of_test(), &inside);
  std::vector<int> found;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != 0) found.push_back(static_cast<int>(i));
  }
  EXPECT_EQ(found, (std::vector<int>{7 * 8 + 2, 7 * 8 + 3, 8 * 8 + 3}));
}

// An L-shaped object of cells full of samples, and another object far away that is too small.
TEST(ObstacleRules, RectangleFollowsSides) {
  const FrameRules rules = rules_of_test();
  std::vector<OccupiedCell> cells;
  const auto put = [&](int column, int row, std::uint32_t count, std::int32_t top) {
    cells.push_back({row * rules.columns + column, {~std::uint64_t{0}, count, top}});
  };
  for (int column = 2; column < 7; ++column) put(column, 4, 10, 300);
  for (int row = 5; row < 8; ++row) put(2, row, 10, 300);
  put(7, 14, 3, 300);
  ObjectFinder finder;
  std::vector<Object> objects;
  finder.find(cells, rules, {1, 0, 20, 64, 500});
  ASSERT_EQ(finder.count(), 1U);
  EXPECT_EQ(finder.numbers()[4 * 8 + 2], 1);
  EXPECT_EQ(finder.numbers()[14 * 8 + 7], 0);
  std::vector<ObjectSamples> samples(1);
  samples[0].add_height(299, 299 / 2);
  samples[0].add_pixels(5, 0, 12);
  finder.finish(samples, rules, &objects);
  EXPECT_EQ(objects[0], (Object{2250, -1000, 2500, 2000, 299, 0, 1274, 1, 8, 0, 5, 12, 1, 1}));
  // A height step between neighbours separates them.
  cells[4].sum.top = 340;
  finder.find(cells, rules, {1, 30, 1, 64, 500});
  EXPECT_EQ(finder.count(), 3U);
}

TEST(ObstacleRules, NoGroundIsUnknown) {
  const std::vector<std::uint16_t> samples(200, 1000);
  const DepthView frame{reinterpret_cast<const std::byte*>(samples.data()), 40, 20, 10,
                        SampleType::kU16};
  MetricCamera camera;
  camera.depth.factor = 0.001;
  camera.focal_x = camera.focal_y = 20;
  camera.principal_x = 10;
  const auto ground = ground_of_mount(1, 20, 0);
  Engine engine;
  Obstacles found;
  Parameters p;
  p.object_samples = p.cell_samples = 1;
  engine.find(frame, camera, &*ground, p, &found);
  EXPECT_TRUE(found.has_ground);
  EXPECT_FALSE(found.objects.empty());
  engine.find(frame, camera, nullptr, p, &found);
  EXPECT_FALSE(found.has_ground);
  EXPECT_TRUE(found.objects.empty());
  EXPECT_EQ(found.states, std::vector<std::uint8_t>(200 * 400));
  EXPECT_EQ(found.classes, std::vector<std::uint8_t>(200));
  EXPECT_EQ(found.ranges, std::vector<std::uint32_t>(360));
}

}  // namespace
}  // namespace rdp::obstacles
