// SPDX-License-Identifier: LGPL-2.1-or-later
// Faults of a rig of cameras, and its geometry.
#include "common/heightmap/rig.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "common/heightmap/geometry.h"
#include "tests/heightmap/heightmap_cases.h"
#include "tests/heightmap/second_definition.h"

namespace rdp::heightmap {
namespace {

// Fails unless check_rig() reports this fault of this view.
void expect_fault(const Rig& rig, RigFault fault, int view, const Parameters& parameters = {}) {
  const RigError error = check_rig(rig, parameters);
  EXPECT_EQ(static_cast<int>(error.fault), static_cast<int>(fault));
  EXPECT_EQ(error.view, view);
}

Rig crowd() { return test::crowd_rig(3, 160, 120, 350.0); }

TEST(HeightMapRig, TheCrowdsHasNoFault) { expect_fault(crowd(), RigFault::kNone, 0); }

// The sign and the scale of a matrix have no effect.
TEST(HeightMapRig, SignAndScaleDoNotMatter) {
  for (const double scale : {-1.0, 1e-6, -1e6}) {
    Rig rig = crowd();
    for (View& view : rig.views) {
      for (auto& row : view.projection) {
        for (double& value : row) value *= scale;
      }
    }
    expect_fault(rig, RigFault::kNone, 0);
    EXPECT_EQ(speckle_pixels(rig, {}), speckle_pixels(crowd(), {}));
  }
}

TEST(HeightMapRig, NotFinite) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Rig rig = crowd();
    rig.views[2].projection[1][3] = value;
    expect_fault(rig, RigFault::kNotFinite, 2);
  }
}

TEST(HeightMapRig, NoInverse) {
  Rig rig = crowd();
  for (int i = 0; i < 4; ++i) {
    rig.views[1].projection[2][i] = 0.5 * rig.views[1].projection[0][i];
  }
  expect_fault(rig, RigFault::kNoCamera, 1);
  rig = crowd();
  rig.views[0] = View{{}, 160, 120};
  expect_fault(rig, RigFault::kNoCamera, 0);
}

// The second column negated makes a left-handed world. Once the determinant is made positive, its
// ground is behind the camera.
TEST(HeightMapRig, MirroredWorld) {
  Rig rig = crowd();
  for (View& view : rig.views) {
    for (auto& row : view.projection) row[1] = -row[1];
  }
  expect_fault(rig, RigFault::kGroundBehind, 0);
}

// X and Y exchanged, as in a pose estimated from ground points in left-handed axes. The pose is
// valid, but its camera sees the ground from below.
TEST(HeightMapRig, PosesOfLeftHandedPoints) {
  Rig rig = crowd();
  for (View& view : rig.views) {
    for (auto& row : view.projection) {
      std::swap(row[0], row[1]);
      row[2] = -row[2];
    }
  }
  expect_fault(rig, RigFault::kBelow, 0);
  rig.views[0] = crowd().views[0];
  expect_fault(rig, RigFault::kBelow, 1);
}

TEST(HeightMapRig, ACameraThatLooksAtTheSky) {
  Rig rig = crowd();
  rig.views[1] = test::view_of({0.0, -11.0, 8.0}, {0.0, 0.0, 8.5}, 350.0, 160, 120);
  expect_fault(rig, RigFault::kGroundBehind, 1);
  rig.views[1] = test::view_of({0.0, -11.0, 8.0}, {0.0, 0.0, 7.5}, 350.0, 160, 120);
  EXPECT_NE(static_cast<int>(check_rig(rig, {}).fault), static_cast<int>(RigFault::kGroundBehind));
}

// The reference camera is at a label's height, at a low one, or between labels.
TEST(HeightMapRig, ACameraAtAHeight) {
  for (const double up : {1.4, 1.6, 1.975, 0.35, 0.0500001}) {
    Rig rig;
    for (const double x : {0.0, 1.0}) {
      rig.views.push_back(test::view_of({x, -3.0, up}, {0.0, 0.0, 0.0}, 200.0, 160, 120));
    }
    expect_fault(rig, RigFault::kNoGround, 0);
    rig.reference = 1;
    expect_fault(rig, RigFault::kNoGround, 1);
  }
  Rig rig;
  for (const double x : {0.0, 1.0}) {
    rig.views.push_back(test::view_of({x, -3.0, 1.41}, {0.0, 0.0, 0.0}, 100.0, 160, 120));
  }
  EXPECT_NE(static_cast<int>(check_rig(rig, {}).fault), static_cast<int>(RigFault::kNoGround));
}

TEST(HeightMapRig, ViewsApart) {
  Rig rig = crowd();
  rig.views[2] = test::view_of({100.0, -11.0, 8.0}, {100.0, 0.0, 1.0}, 350.0, 160, 120);
  expect_fault(rig, RigFault::kApart, 2);
  rig.reference = 2;
  expect_fault(rig, RigFault::kApart, 0);
}

// check_rig() reports the first fault in the order of views.
TEST(HeightMapRig, TheFirstFaultCounts) {
  Rig rig = crowd();
  rig.views[2].projection[0][0] = std::numeric_limits<double>::quiet_NaN();
  rig.views[1] = View{{}, 160, 120};
  expect_fault(rig, RigFault::kNoCamera, 1);
}

// A pixel's place in another view is where a camera sees the point that the reference sees there.
TEST(HeightMapRig, PlacesAreProjections) {
  std::mt19937 random(11);
  const Rig rig = test::crowd_rig(3, 400, 300, 800.0);
  const Geometry geometry = geometry_of(rig);
  ASSERT_EQ(geometry.others.size(), 2U);
  int inside = 0;
  for (int round = 0; round < 2000; ++round) {
    const int column = static_cast<int>(random() % 400);
    const int row = static_cast<int>(random() % 300);
    const Plane plane = geometry.plane(static_cast<double>(random() % 2000) / 1000.0);
    const Vector3 q = times(plane.to_ground, column, row);
    ASSERT_TRUE(plane.before(q.z));
    for (std::size_t i = 0; i < 2; ++i) {
      const Sight& sight = geometry.others[i];
      const std::int32_t place =
          place_of(times(sight.h0, column, row), times(sight.h1, column, row), plane.height,
                   plane.determinant < 0.0, sight.width, sight.height);
      const double(&p)[3][4] = rig.views[i + 1].projection;
      double at[3];
      for (int k = 0; k < 3; ++k) {
        at[k] = p[k][0] * q.x / q.z + p[k][1] * q.y / q.z + p[k][2] * plane.height + p[k][3];
      }
      const double u = at[0] / at[2];
      const double v = at[1] / at[2];
      if (place == kOutside) {
        EXPECT_FALSE(u > -0.49 && u < 399.49 && v > -0.49 && v < 299.49) << u << ", " << v;
      } else {
        ++inside;
        EXPECT_NEAR(place % 400, u, 0.50001);
        EXPECT_NEAR(place / 400, v, 0.50001);
      }
    }
  }
  EXPECT_GT(inside, 1000);
}

TEST(HeightMapRig, AdjugateTimesMatrixIsTheDeterminant) {
  const Matrix3 a{{{3.0, -1.0, 2.0}, {0.5, 4.0, -2.0}, {1.0, 1.0, 5.0}}};
  const Matrix3 d = adjugate(a);
  const double det = determinant(a, d);
  EXPECT_DOUBLE_EQ(det, 3.0 * (20.0 + 2.0) + 1.0 * (2.5 + 2.0) + 2.0 * (0.5 - 4.0));
  const Matrix3 one = product(a, d);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      EXPECT_NEAR(one.m[row][column], row == column ? det : 0.0, 1e-12);
    }
  }
}

// A third of a 0.2 m disc's area, with f = 350 px and the middle height 12.9 m away.
TEST(HeightMapRig, Speckle) {
  const Rig rig = test::crowd_rig(2, 161, 121, 350.0);
  const double distance = std::sqrt(11.0 * 11.0 + 7.0 * 7.0);
  // The ray meets the plane of the middle height, 1.6875 m, shortly before the target point.
  const double nearer = distance * (8.0 - 1.6875) / 7.0;
  const double metre = 350.0 / nearer;
  EXPECT_EQ(speckle_pixels(rig, {}), static_cast<int>(3.14159265 * 0.01 * metre * metre / 3.0));
  EXPECT_EQ(speckle_pixels(test::crowd_rig(2, 161, 121, 10.0), {}), 1);
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const test::HeightsCase c = test::random_case(&random, 12, 10);
    EXPECT_EQ(speckle_pixels(c.rig, c.parameters), test::slow_speckle(c.rig, c.parameters));
  }
}

}  // namespace
}  // namespace rdp::heightmap
