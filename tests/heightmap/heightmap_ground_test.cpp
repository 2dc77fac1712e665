// SPDX-License-Identifier: LGPL-2.1-or-later
// Areas, the raster on the ground, and labels as lengths.
#include "common/heightmap/ground.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "common/heightmap/area.h"
#include "common/heightmap/geometry.h"
#include "common/heightmap/reference.h"
#include "tests/heightmap/heightmap_cases.h"
#include "tests/support/guarded_frame.h"

namespace rdp::heightmap {
namespace {

const Area kSquare{{0, 0}, {100, 0}, {100, 50}, {0, 50}};

TEST(HeightMapArea, EdgesAreHalfOpen) {
  EXPECT_TRUE(contains({}, 123456, -5));
  EXPECT_TRUE(contains(kSquare, 0, 0));
  EXPECT_TRUE(contains(kSquare, 99, 49));
  EXPECT_FALSE(contains(kSquare, 100, 20));
  EXPECT_FALSE(contains(kSquare, 20, 50));
  EXPECT_FALSE(contains(kSquare, -1, 20));
  EXPECT_FALSE(contains(kSquare, 20, -1));
  Area backwards = kSquare;
  std::reverse(backwards.begin(), backwards.end());
  EXPECT_TRUE(contains(backwards, 0, 0));
  EXPECT_FALSE(contains(backwards, 100, 20));
}

TEST(HeightMapArea, IsEvenOdd) {
  // A square within a square, as one polygon: a ring.
  const Area ring{{0, 0},   {90, 0},  {90, 90}, {0, 90},  {0, 0},
                  {30, 30}, {60, 30}, {60, 60}, {30, 60}, {30, 30}};
  EXPECT_TRUE(contains(ring, 10, 45));
  EXPECT_FALSE(contains(ring, 45, 45));
  EXPECT_TRUE(contains(ring, 75, 45));
  EXPECT_FALSE(contains(ring, 95, 45));
}

// Products of the largest coordinates fit into 64 bits.
TEST(HeightMapArea, MayBeWide) {
  const Area wide{{-1000000000, -1000000000}, {1000000000, -1000000000}, {0, 1000000000}};
  EXPECT_TRUE(contains(wide, 0, 999999));
  EXPECT_FALSE(contains(wide, 1000000, 999999999));
}

// In a triangulated plane each place, corners included, belongs to exactly one triangle.
TEST(HeightMapArea, NeighboursCountEachPlaceOnce) {
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    const auto coordinate = [&] { return static_cast<int>(random() % 21) - 10; };
    const GroundPoint middle{coordinate(), coordinate()};
    const std::vector<GroundPoint> around{{-20, -20}, {20, -20}, {20, 20}, {-20, 20}};
    for (int y = -20; y < 20; ++y) {
      for (int x = -20; x < 20; ++x) {
        int inside = 0;
        for (std::size_t i = 0; i < 4; ++i) {
          inside += contains({middle, around[i], around[(i + 1) % 4]}, x, y) ? 1 : 0;
        }
        ASSERT_EQ(inside, 1) << x << ", " << y << " of " << middle.x << ", " << middle.y;
      }
    }
  }
}

// A picture of a few people with known places of their heads.
struct People {
  Rig rig = test::crowd_rig(2, 240, 180, 500.0);
  Parameters parameters;
  Geometry geometry = geometry_of(rig);
  std::vector<std::uint8_t> labels;

  People() {
    labels.assign(240 * 180, static_cast<std::uint8_t>(parameters.heights()));
    for (const auto& [column, row] : {std::pair{60, 60}, {120, 90}, {180, 130}, {124, 40}}) {
      for (int dy = -3; dy <= 3; ++dy) {
        for (int dx = -3; dx <= 3; ++dx) {
          labels[static_cast<std::size_t>((row + dy) * 240 + column + dx)] = 12;
        }
      }
    }
  }
  std::vector<Head> heads(const Area& area) const {
    return reference::heads(geometry, parameters, 5, area, labels);
  }
};

TEST(HeightMapHeads, StandWhereTheirPixelsDo) {
  const People people;
  const std::vector<Head> all = people.heads({});
  ASSERT_EQ(all.size(), 4U);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LT(all[i - 1].y, all[i].y + 50);
  const Plane plane = people.geometry.plane(1.7);
  int x = 0;
  int y = 0;
  ASSERT_TRUE(ground_of(plane, 120, 90, &x, &y));
  const auto found = std::find_if(all.begin(), all.end(), [](const Head& head) {
    return std::abs(head.column - 120) < 10 && std::abs(head.row - 90) < 10;
  });
  ASSERT_NE(found, all.end());
  EXPECT_NEAR(found->x, x, 60);  // a cell or so
  EXPECT_NEAR(found->y, y, 60);
  EXPECT_EQ(found->height, 1700);
  EXPECT_LE(found->votes, 49);
  EXPECT_GT(found->votes, 20);
}

// A head on the shared edge of two areas is listed once, for any direction of the edge.
TEST(HeightMapHeads, AreasShareThemOut) {
  const People people;
  const std::vector<Head> all = people.heads({});
  for (const Head& head : all) {
    const int far = 100000;
    const Area west{{-far, -far}, {head.x, -far}, {head.x, far}, {-far, far}};
    const Area east{{head.x, -far}, {far, -far}, {far, far}, {head.x, far}};
    const Area south{{-far, -far}, {far, -far}, {far, head.y}, {-far, head.y}};
    const Area north{{-far, head.y}, {far, head.y}, {far, far}, {-far, far}};
    for (const auto& [one, other] : {std::pair{west, east}, std::pair{south, north}}) {
      std::vector<Head> parts = people.heads(one);
      EXPECT_EQ(std::count(parts.begin(), parts.end(), head), 0);
      const std::vector<Head> more = people.heads(other);
      EXPECT_EQ(std::count(more.begin(), more.end(), head), 1);
      parts.insert(parts.end(), more.begin(), more.end());
      EXPECT_EQ(parts.size(), all.size());
    }
  }
}

// The shift is 57 mm times the ray's horizontal part: 57 / sqrt(2) mm at 45 degrees, 0 below the
// camera.
TEST(HeightMapHeads, StandBehindTheirFront) {
  const auto moved = [](const Vector3& eye, int x, int y) {
    move_behind_front(eye, 1700, &x, &y);
    return GroundPoint{x, y};
  };
  EXPECT_EQ(moved({0.0, 0.0, 8.0}, 0, 0), (GroundPoint{0, 0}));
  EXPECT_EQ(moved({0.0, -6.3, 8.0}, 0, 0), (GroundPoint{0, 40}));
  EXPECT_EQ(moved({6.3, 0.0, 8.0}, 0, 0), (GroundPoint{-40, 0}));
  EXPECT_EQ(moved({1.0, 2.0, 1.7}, 31000, 42000), (GroundPoint{31034, 42046}));
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(moved({none, 0.0, 8.0}, 5, 6), (GroundPoint{5, 6}));
  EXPECT_EQ(moved({0.0, std::numeric_limits<double>::infinity(), 8.0}, 5, 6), (GroundPoint{5, 6}));
  EXPECT_EQ(moved({0.0, 0.0, 1.7}, 0, 0), (GroundPoint{0, 0}));
}

// A head's height is the highest after discarding 1/32 of the votes; its pixel is the first with
// it.
TEST(HeightMapHeads, HeightIsARankOfTheVotes) {
  People people;
  std::fill(people.labels.begin(), people.labels.end(),
            static_cast<std::uint8_t>(people.parameters.heights()));
  // 8x8 pixels around one cell, two of them higher.
  for (int row = 90; row < 98; ++row) {
    for (int column = 120; column < 128; ++column) {
      people.labels[static_cast<std::size_t>(row * 240 + column)] = 12;
    }
  }
  people.labels[90 * 240 + 123] = 13;
  people.labels[92 * 240 + 122] = 13;
  const std::vector<Head> heads = people.heads({});
  ASSERT_EQ(heads.size(), 1U);
  ASSERT_LT(heads[0].votes, 64);
  EXPECT_EQ(heads[0].height, 1725);
  EXPECT_EQ(heads[0].column, 123);
  EXPECT_EQ(heads[0].row, 90);
}

TEST(HeightMapGround, GridHoldsTheArea) {
  EXPECT_EQ(ground_grid(kSquare, 50), (GroundGrid{0, 0, 50, 2, 1}));
  EXPECT_EQ(ground_grid({{-1, -51}, {101, 0}, {7, 7}}, 50), (GroundGrid{-50, -100, 50, 4, 3}));
  EXPECT_EQ(ground_grid({{-2000000, 0}, {2000000, 1}, {0, 1}}, 1),
            (GroundGrid{-2000000, 0, 1, 4000000, 1}));
  EXPECT_EQ(ground_grid({{-1000000000, -1000000000}, {1000000000, 0}, {0, 1000000000}}, 7).rows,
            285714286);
}

TEST(HeightMapGround, HoldsTheHighestOfEachCell) {
  std::mt19937 random(9);
  int stands = 0;
  for (int round = 0; round < 60; ++round) {
    test::HeightsCase c = test::random_case(&random, 30, 24);
    std::vector<std::uint8_t> labels;
    for (int i = 0; i < 30 * 24; ++i) {
      labels.push_back(
          static_cast<std::uint8_t>(random() % static_cast<unsigned>(c.parameters.heights() + 1)));
    }
    const Area area{{-900, -700}, {1200, -700}, {300, 1333}};
    const GroundGrid grid = ground_grid(area, static_cast<int>(20 + random() % 200));
    const auto columns = static_cast<int>(grid.columns);
    const auto rows = static_cast<int>(grid.rows);
    test::GuardedRows samples(2 * columns, rows, {3, 1, 5});
    draw_ground(c.rig, c.parameters, labels, grid,
                {samples.row(0), samples.stride(), columns, rows, SampleType::kU16});

    // By projection: the pixel that sees a point of the ground.
    const Geometry geometry = geometry_of(c.rig);
    std::map<std::pair<int, int>, int> highest;
    for (int i = 0; i < 30 * 24; ++i) {
      const int label = labels[static_cast<std::size_t>(i)];
      if (label == c.parameters.heights()) continue;
      const int height = c.parameters.height_of(label);
      int x = 0;
      int y = 0;
      if (!ground_of(geometry.plane(height / 1000.0), i % 30, i / 30, &x, &y)) continue;
      int& cell = highest[{static_cast<int>(std::floor(1.0 * (y - grid.y) / grid.cell)),
                           static_cast<int>(std::floor(1.0 * (x - grid.x) / grid.cell))}];
      cell = std::max({cell, height, 1});
    }
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        const DepthView view{samples.row(0), samples.stride(), columns, rows, SampleType::kU16};
        const auto found = highest.find({row, column});
        ASSERT_EQ(view.at(row, column), found == highest.end() ? 0 : found->second);
        stands += found == highest.end() ? 0 : 1;
      }
    }
    EXPECT_TRUE(samples.intact());
  }
  EXPECT_GT(stands, 1000);
}

TEST(HeightMapGround, LabelsAsHeights) {
  Parameters parameters;
  parameters.min_height = 0;
  parameters.max_height = 75;
  const std::vector<std::uint8_t> labels{0, 1, 2, 3, 4, 0};
  test::GuardedRows rows(6, 2, {1, 1, 0});
  write_heights(parameters, labels, {rows.row(0), rows.stride(), 3, 2, SampleType::kU16});
  const DepthView view{rows.row(0), rows.stride(), 3, 2, SampleType::kU16};
  const int expected[] = {1, 25, 50, 75, 0, 1};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(view.at(i / 3, i % 3), expected[i]);
  EXPECT_TRUE(rows.intact());
}

// A label's depth is the depth of the point at its height on the pixel's ray.
TEST(HeightMapGround, LabelsAsDepths) {
  const Rig rig = test::crowd_rig(2, 41, 31, 90.0);
  const Parameters parameters;
  std::vector<std::uint8_t> labels;
  for (int i = 0; i < 41 * 31; ++i) labels.push_back(static_cast<std::uint8_t>(i % 25));
  test::GuardedRows rows(82, 31, {7, 1, 0});
  write_depths(rig, parameters, labels, {rows.row(0), rows.stride(), 41, 31, SampleType::kU16});
  EXPECT_TRUE(rows.intact());
  const DepthView view{rows.row(0), rows.stride(), 41, 31, SampleType::kU16};
  // The camera is at (0, -11, 8), and looks along z at (0, 0, 1).
  const double norm = std::sqrt(11.0 * 11.0 + 7.0 * 7.0);
  const double z[2] = {11.0 / norm, -7.0 / norm};  // along Y and Z
  for (int row = 0; row < 31; ++row) {
    for (int column = 0; column < 41; ++column) {
      const int label = labels[static_cast<std::size_t>(row * 41 + column)];
      // Descent of the ray per unit of depth.
      const double v = (row - 15) / 90.0;
      const double falls = -(z[1] + v * -z[0]);
      const double depth = (8.0 - parameters.height_of(label) / 1000.0) / falls;
      ASSERT_NEAR(view.at(row, column), label == 24 || depth > 65.535 ? 0.0 : 1000.0 * depth, 0.51);
    }
  }
}

// Above the horizon, and far away.
TEST(HeightMapGround, NoDepthBeyondSixtyFiveMetres) {
  Rig rig;
  rig.views.push_back(test::view_of({0.0, -6.0, 3.0}, {0.0, 0.0, 1.7}, 100.0, 3, 201));
  const Parameters parameters;
  const std::vector<std::uint8_t> labels(3 * 201, 12);
  std::vector<std::uint16_t> samples(3 * 201, 7);
  write_depths(rig, parameters, labels,
               {reinterpret_cast<std::byte*>(samples.data()), 6, 3, 201, SampleType::kU16});
  EXPECT_EQ(samples[0], 0);
  EXPECT_NEAR(samples[3 * 100 + 1], 1000.0 * std::sqrt(36.0 + 1.3 * 1.3), 1.0);
  int far = 0;
  for (std::size_t row = 1; row < 201; ++row) {
    const int above = samples[3 * row - 2];
    const int below = samples[3 * row + 1];
    if (above == 0) continue;
    ASSERT_LT(below, above);
    far = std::max(far, above);
  }
  EXPECT_GT(far, 30000);
}

}  // namespace
}  // namespace rdp::heightmap
