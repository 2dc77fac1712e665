// SPDX-License-Identifier: LGPL-2.1-or-later
// Camera mathematics against numbers worked out by hand, against OpenCV if installed, and as round
// trips.
#include "common/image/camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "common/image/lens_reach.h"

#ifdef RDP_TEST_HAVE_CALIB3D
#include <opencv2/calib3d.hpp>
#endif

namespace rdp {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Distortion distortion_of(const std::vector<double>& k) {
  Distortion d;
  d.none = false;
  d.k1 = k[0];
  d.k2 = k[1];
  d.p1 = k[2];
  d.p2 = k[3];
  d.k3 = k[4];
  d.k4 = k[5];
  d.k5 = k[6];
  d.k6 = k[7];
  find_reach(&d);
  return d;
}

// Typical lenses, with the half diagonal of their pictures at distance 1.
struct Lens {
  const char* name;
  std::vector<double> k;
  double corner;
};
const std::vector<Lens> kLenses = {
    {"barrel", {-0.30, 0.11, 0.0007, -0.0003, -0.02, 0, 0, 0}, 0.9},
    {"pincushion", {0.12, -0.05, -0.001, 0.0005, 0.01, 0, 0, 0}, 0.8},
    {"rational", {0.42, -2.49, 0.0004, -0.0002, 1.52, 0.30, -2.31, 1.44}, 0.7},
    {"kannala", {7.8, 4.1, 0.0001, 0.0002, 0.21, 8.1, 6.6, 1.1}, 1.1},
};

TEST(Camera, DepthOfDisparity) {
  const DepthOfValue rule{true, 50.0, 0.25, 0.0};
  EXPECT_EQ(depth_of_value(40.0, rule), 5.0);
  EXPECT_EQ(depth_of_value(0.0, rule), 0.0);
  EXPECT_EQ(depth_of_value(-1.0, rule), 0.0);
  EXPECT_EQ(depth_of_value(kNan, rule), 0.0);
  const DepthOfValue shifted{true, 50.0, 0.25, -5.0};
  EXPECT_EQ(depth_of_value(40.0, shifted), 10.0);
  EXPECT_EQ(depth_of_value(20.0, shifted), 0.0) << "at no distance";
  EXPECT_EQ(depth_of_value(10.0, shifted), 0.0);
  const DepthOfValue towards{true, 50.0, 0.25, 5.0};
  EXPECT_EQ(depth_of_value(20.0, towards), 5.0);
  EXPECT_EQ(depth_of_value(0.0, towards), 0.0) << "no value, whatever the offset";
}

TEST(Camera, DepthOfDepth) {
  const DepthOfValue rule{false, 0.0, 0.001, 0.0};
  EXPECT_EQ(depth_of_value(2000.0, rule), 2.0);
  EXPECT_EQ(depth_of_value(0.0, rule), 0.0);
  EXPECT_EQ(depth_of_value(-3.0, rule), 0.0);
}

TEST(Camera, WithoutDistortion) {
  const CameraLens lens{500, 400, 319.5, 239.5, {}};
  double x, y;
  ASSERT_TRUE(ray_of_pixel(569.5, 139.5, lens, &x, &y));
  EXPECT_EQ(x, 0.5);
  EXPECT_EQ(y, -0.25);
  double column, row;
  ASSERT_TRUE(pixel_of_point(1.0, -0.5, 2.0, lens, &column, &row));
  EXPECT_EQ(column, 569.5);
  EXPECT_EQ(row, 139.5);
  EXPECT_FALSE(pixel_of_point(1.0, -0.5, -2.0, lens, &column, &row));
  EXPECT_FALSE(pixel_of_point(1.0, -0.5, 0.0, lens, &column, &row));
  EXPECT_FALSE(pixel_of_point(1.0, -0.5, kNan, lens, &column, &row));
}

// At (0.5, -0.25), r2 is 0.3125. Each coefficient alone, by the model's formula.
TEST(Camera, EachCoefficient) {
  struct Case {
    int which;
    double x, y;
  };
  const double r2 = 0.3125;
  const std::vector<Case> cases = {
      {0, 0.5 * (1 + 0.1 * r2), -0.25 * (1 + 0.1 * r2)},
      {1, 0.5 * (1 + 0.1 * r2 * r2), -0.25 * (1 + 0.1 * r2 * r2)},
      {2, 0.5 + 0.1 * 2 * 0.5 * -0.25, -0.25 + 0.1 * (r2 + 2 * 0.0625)},
      {3, 0.5 + 0.1 * (r2 + 2 * 0.25), -0.25 + 0.1 * 2 * 0.5 * -0.25},
      {4, 0.5 * (1 + 0.1 * r2 * r2 * r2), -0.25 * (1 + 0.1 * r2 * r2 * r2)},
      {5, 0.5 / (1 + 0.1 * r2), -0.25 / (1 + 0.1 * r2)},
      {6, 0.5 / (1 + 0.1 * r2 * r2), -0.25 / (1 + 0.1 * r2 * r2)},
      {7, 0.5 / (1 + 0.1 * r2 * r2 * r2), -0.25 / (1 + 0.1 * r2 * r2 * r2)},
  };
  for (const Case& expected : cases) {
    std::vector<double> k(8);
    k[expected.which] = 0.1;
    double x, y;
    ASSERT_TRUE(distort(0.5, -0.25, distortion_of(k), &x, &y));
    EXPECT_NEAR(x, expected.x, 1e-15) << expected.which;
    EXPECT_NEAR(y, expected.y, 1e-15) << expected.which;
  }
}

#ifdef RDP_TEST_HAVE_CALIB3D
TEST(Camera, AsOpenCv) {
  for (const Lens& lens : kLenses) {
    const cv::Matx33d k(500, 0, 319.5, 0, 510, 239.5, 0, 0, 1);
    const CameraLens ours{500, 510, 319.5, 239.5, distortion_of(lens.k)};
    std::mt19937 random(3);
    std::uniform_real_distribution<double> side(-lens.corner / 1.5, lens.corner / 1.5);
    for (int i = 0; i < 1000; ++i) {
      const std::vector<cv::Point3d> point{{side(random) * 3, side(random) * 3, 3}};
      std::vector<cv::Point2d> seen;
      cv::projectPoints(point, cv::Vec3d(), cv::Vec3d(), k, lens.k, seen);
      double column, row;
      ASSERT_TRUE(pixel_of_point(point[0].x, point[0].y, point[0].z, ours, &column, &row));
      ASSERT_NEAR(column, seen[0].x, 1e-9) << lens.name;
      ASSERT_NEAR(row, seen[0].y, 1e-9) << lens.name;
    }
  }
}
#endif

TEST(Camera, ThereAndBack) {
  for (const Lens& lens : kLenses) {
    const CameraLens camera{500, 510, 319.5, 239.5, distortion_of(lens.k)};
    EXPECT_GT(camera.distortion.reach, lens.corner * lens.corner) << lens.name;
    std::mt19937 random(4);
    std::uniform_real_distribution<double> angle(0, 6.283), radius(0, lens.corner);
    for (int i = 0; i < 20000; ++i) {
      const double a = angle(random);
      const double r = radius(random);
      const double z = 0.1 + 50 * radius(random);
      double column, row, x, y;
      ASSERT_TRUE(
          pixel_of_point(r * std::cos(a) * z, r * std::sin(a) * z, z, camera, &column, &row));
      ASSERT_TRUE(ray_of_pixel(column, row, camera, &x, &y)) << lens.name << " at " << r;
      ASSERT_NEAR(x, r * std::cos(a), 2e-9) << lens.name;
      ASSERT_NEAR(y, r * std::sin(a), 2e-9) << lens.name;
    }
  }
}

// Pure barrel distortion turns back at r = 1 / sqrt(3 * 0.4): points beyond are not seen, and no
// pixel has a ray there.
TEST(Camera, BeyondTheReach) {
  const Distortion d = distortion_of({-0.4, 0, 0, 0, 0, 0, 0, 0});
  const double turn = 1 / std::sqrt(1.2);
  EXPECT_NEAR(std::sqrt(d.reach), turn, 1.0 / 64);
  const CameraLens lens{100, 100, 0, 0, d};
  double column, row, x, y;
  EXPECT_TRUE(pixel_of_point(turn - 0.02, 0, 1, lens, &column, &row));
  EXPECT_FALSE(pixel_of_point(turn + 0.02, 0, 1, lens, &column, &row));
  EXPECT_FALSE(pixel_of_point(1.5, 0, 1, lens, &column, &row)) << "seen within the picture again";
  const double farthest = turn * (1 - 0.4 * turn * turn);
  EXPECT_TRUE(ray_of_pixel(100 * (farthest - 0.02), 0, lens, &x, &y));
  EXPECT_FALSE(ray_of_pixel(100 * (farthest + 0.001), 0, lens, &x, &y));
  EXPECT_FALSE(ray_of_pixel(100 * (farthest + 1), 0, lens, &x, &y));
  EXPECT_FALSE(ray_of_pixel(kNan, 0, lens, &x, &y));
}

// Rational models with a pole that a zero nearly cancels, on either side. The ring around it is a
// gap, the model continues beyond, and no point is shown twice.
TEST(Camera, PoleThatNearlyCancels) {
  struct Pole {
    std::vector<double> k;
    double from, to;
  };
  const std::vector<Pole> poles = {
      {{-9.2, 65.3, 0, 0, -87.7, -9.3, 65.6, -87.8}, 0.7536, 0.7993},
      {{-9.2, 65.3, 0.0003, -0.0002, -87.7, -9.3, 65.6, -87.8}, 0.7536, 0.7993},
      {{-9.3, 65.6, 0, 0, -87.8, -9.2, 65.3, -87.7}, 0.7530, 0.7983},
      // A barrel times (1 - r2 / 0.5005) / (1 - r2 / 0.5).
      {{-2.198, 0.4496, 0, 0, -0.0999, -2.0, 0, 0}, 0.690, 0.724},
  };
  for (const Pole& pole : poles) {
    const Distortion d = distortion_of(pole.k);
    ASSERT_EQ(d.gaps, 1);
    EXPECT_NEAR(std::sqrt(d.gap[0].from), pole.from, 1e-3);
    EXPECT_NEAR(std::sqrt(d.gap[0].to), pole.to, 1e-3);
    EXPECT_GT(d.reach, 1.0);
    double last = -1.0;
    for (int i = 0; i <= 1000; ++i) {
      const double r = i / 1000.0;
      double x, y, back_x, back_y;
      if (!distort(r * 0.8, r * 0.6, d, &x, &y)) {
        EXPECT_TRUE(r > pole.from - 1e-3 && r < pole.to + 1e-3) << r;
        continue;
      }
      const double shown = std::hypot(x, y);
      EXPECT_GT(shown, last - 1e-3) << r;
      last = shown;
      const bool at_the_edge = std::fabs(r - pole.from) < 0.003 || std::fabs(r - pole.to) < 0.003;
      const bool undone = undistort(x, y, d, &back_x, &back_y);
      if (at_the_edge && !undone) continue;
      ASSERT_TRUE(undone) << r;
      EXPECT_NEAR(back_x, r * 0.8, 1e-6) << r;
      EXPECT_NEAR(back_y, r * 0.6, 1e-6) << r;
    }
  }
}

// Models that turn back without a pole, have an uncancelled pole, or have none: no gaps.
TEST(Camera, LensesWithoutGaps) {
  for (const Lens& lens : kLenses) EXPECT_EQ(distortion_of(lens.k).gaps, 0) << lens.name;
  for (const std::vector<double>& k : {std::vector<double>{-0.5, 0.1, 0, 0, 0, 0, 0, 0},
                                       {0, 0, 0, 0, 0, -1, 0, 0},
                                       {-3, 0, 0, 0, 0, -1.5, 0, 0},
                                       {1e9, -1e9, 0, 0, 1e9, -1e9, 1e9, -1e9}}) {
    const Distortion d = distortion_of(k);
    EXPECT_EQ(d.gaps, 0);
    EXPECT_LT(d.reach, 1.0);
  }
}

TEST(Camera, ShareWithoutRay) {
  CameraLens lens{800, 800, 640, 400, {}};
  EXPECT_EQ(share_without_ray(lens, 1280, 800), 0.0);
  lens.distortion = distortion_of({-9.2, 65.3, 0, 0, -87.7, -9.3, 65.6, -87.8});
  // The ring in the picture, from 0.7331 to 0.8238, of which corners and sides cut off much.
  EXPECT_NEAR(share_without_ray(lens, 1280, 800), 0.12, 0.03);
}

TEST(Camera, PoseBetween) {
  Pose left;  // turned by 90 degrees about the vertical, at (1, 2, 3)
  const double turned[12] = {0, 0, 1, 1, 0, 1, 0, 2, -1, 0, 0, 3};
  std::copy(turned, turned + 12, left.m);
  Pose right;  // tilted by 3-4-5, elsewhere
  const double tilted[12] = {1, 0, 0, -4, 0, 0.8, -0.6, 5, 0, 0.6, 0.8, 6};
  std::copy(tilted, tilted + 12, right.m);
  const Point seen{0.5, -0.25, 4};
  const Point world = transform(left, seen);
  EXPECT_EQ(world.x, 5);
  EXPECT_EQ(world.y, 1.75);
  EXPECT_EQ(world.z, 2.5);
  const Point there = transform(pose_between(left, right), seen);
  const Point back = transform(right, there);
  EXPECT_NEAR(back.x, world.x, 1e-14);
  EXPECT_NEAR(back.y, world.y, 1e-14);
  EXPECT_NEAR(back.z, world.z, 1e-14);
  const Point same = transform(pose_between(left, left), seen);
  EXPECT_EQ(same.x, seen.x);
  EXPECT_EQ(same.y, seen.y);
  EXPECT_EQ(same.z, seen.z);
}

}  // namespace
}  // namespace rdp
