// SPDX-License-Identifier: LGPL-2.1-or-later
// Rectification compared with OpenCV, if installed, and with world points that two cameras see; the
// fast sampling compared with the reference.
#include "common/stereo/rectification.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "tests/stereo/raw_pair.h"

#ifdef RDP_TEST_HAVE_CALIB3D
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#endif

namespace rdp::stereo {
namespace {

using test::Picture;
using test::RawPair;

Picture noise(int width, int height, std::mt19937* random, int padding = 0) {
  Picture picture(width, height, padding);
  for (auto& sample : picture.samples) sample = static_cast<std::byte>((*random)());
  return picture;
}

// For the comparison with OpenCV, if available.
[[maybe_unused]] Picture smooth(int width, int height) {
  Picture picture(width, height);
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const double value = 128 + 60 * std::sin(column * 0.11) + 60 * std::cos(row * 0.07);
      picture.view().set(row, column, static_cast<std::uint16_t>(value));
    }
  }
  return picture;
}

ViewRectification identity(int width, int height) {
  ViewRectification view;
  view.camera = test::lens(300, 310, (width - 1) / 2.0, (height - 1) / 2.0);
  view.rectified = view.camera;
  return view;
}

int seen_in(const RectificationMap& map) {
  int seen = 0;
  for (const std::uint8_t mask : map.mask) seen += mask == 255;
  return seen;
}

// Compares the fast sampling with the reference bit by bit; both must leave row padding unchanged.
void expect_same_bits(const DepthView& picture, const RectificationMap& map, const char* what) {
  Picture expected(map.width, map.height, 7);
  Picture fast(map.width, map.height, 7);
  reference::rectify(picture, map, expected.view());
  // In two bands.
  const int middle = map.height / 2;
  rectify_rows(picture, map, middle, map.height, fast.view());
  rectify_rows(picture, map, 0, middle, fast.view());
  EXPECT_EQ(fast.samples, expected.samples) << what;
}

TEST(Rectification, AMapThatMovesNothingShowsThePicture) {
  std::mt19937 random(1);
  for (const auto& [width, height] :
       {std::pair{1, 1}, {1, 9}, {9, 1}, {2, 2}, {33, 17}, {64, 48}}) {
    SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height));
    const RectificationMap map = rectification_map(identity(width, height), width, height);
    EXPECT_EQ(seen_in(map), width * height);
    const Picture picture = noise(width, height, &random);
    Picture out(width, height);
    reference::rectify(picture.view(), map, out.view());
    EXPECT_EQ(out.samples, picture.samples);
    expect_same_bits(picture.view(), map, "identity");
  }
}

TEST(Rectification, MovedByAFractionTakesFourNeighbours) {
  // Half a pixel to the right and a quarter down, worked out by hand.
  ViewRectification view = identity(3, 3);
  view.camera.principal_x += 0.5;
  view.camera.principal_y += 0.25;
  const RectificationMap map = rectification_map(view, 3, 3);
  EXPECT_EQ(map.points[0].x, 16);
  EXPECT_EQ(map.points[0].y, 8);
  Picture picture(3, 3);
  const int samples[9] = {10, 20, 40, 50, 61, 80, 200, 0, 255};
  for (int i = 0; i < 9; ++i) picture.samples[i] = static_cast<std::byte>(samples[i]);
  Picture out(3, 3);
  reference::rectify(picture.view(), map, out.view());
  // (3 (10 + 20) + 50 + 61) / 8 = 25.125; (3 (20 + 40) + 61 + 80) / 8 = 40.125;
  // (3 (50 + 61) + 200) / 8 = 66.625; (3 (61 + 80) + 255) / 8 = 84.75
  const int expected[9] = {25, 40, 0, 67, 85, 0, 0, 0, 0};
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(std::to_integer<int>(out.samples[i]), expected[i]) << i;
    EXPECT_EQ(map.mask[i], expected[i] == 0 ? 0 : 255) << i;
    EXPECT_EQ(map.points[i].x == kNotSeen, expected[i] == 0) << i;
  }
  // Halves are rounded up: (10 + 13) / 2.
  view = identity(2, 1);
  view.camera.principal_x += 0.5;
  Picture pair(2, 1);
  pair.samples = {std::byte{10}, std::byte{13}};
  Picture one(2, 1);
  reference::rectify(pair.view(), rectification_map(view, 2, 1), one.view());
  EXPECT_EQ(std::to_integer<int>(one.samples[0]), 12);
}

TEST(Rectification, TheFastWayHasTheBitsOfTheReference) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> turn(-0.3, 0.3);
  for (int i = 0; i < 200; ++i) {
    const int width = 1 + static_cast<int>(random() % 90);
    const int height = 1 + static_cast<int>(random() % 40);
    ViewRectification view = identity(width, height);
    view.camera.focal_x = view.camera.focal_y = width;
    view.rectified = view.camera;
    view.camera.distortion = test::distortion(
        {turn(random), turn(random) * 0.2, turn(random) * 0.01, turn(random) * 0.01, 0, 0, 0, 0});
    view.rotation = test::rotation(turn(random), turn(random), turn(random));
    const RectificationMap map = rectification_map(view, width, height);
    Picture picture = noise(width, height, &random, static_cast<int>(random() % 5));
    expect_same_bits(picture.view(), map, "noise");
    for (auto& sample : picture.samples) sample = std::byte{255};
    expect_same_bits(picture.view(), map, "saturated");
    Picture out(width, height);
    reference::rectify(picture.view(), map, out.view());
    for (std::size_t pixel = 0; pixel < map.mask.size(); ++pixel) {
      ASSERT_EQ(std::to_integer<int>(out.samples[pixel]), map.mask[pixel]);
    }
  }
}

TEST(Rectification, PixelsThatTheLensDoesNotSeeAreMasked) {
  // Behind the camera, and outside the valid range of the distortion polynomial.
  ViewRectification view = identity(64, 48);
  view.rotation = {-1, 0, 0, 0, 1, 0, 0, 0, -1};
  EXPECT_EQ(seen_in(rectification_map(view, 64, 48)), 0);
  view = identity(64, 48);
  view.camera.focal_x = view.camera.focal_y = 20;
  view.rectified = view.camera;
  view.camera.distortion = test::distortion({-0.9, 0, 0, 0, 0, 0, 0, 0});
  const RectificationMap map = rectification_map(view, 64, 48);
  EXPECT_GT(seen_in(map), 0);
  EXPECT_EQ(map.mask[0], 0) << "the polynomial has turned back there";
  for (int row = 0; row < 48; ++row) {
    for (int column = 0; column < 64; ++column) {
      const double x = (column - view.rectified.principal_x) / view.rectified.focal_x;
      const double y = (row - view.rectified.principal_y) / view.rectified.focal_y;
      if (x * x + y * y > view.camera.distortion.reach) {
        EXPECT_EQ(map.mask[row * 64 + column], 0);
      }
    }
  }
  // A focal length of 0 gives no finite map points.
  view = identity(8, 8);
  view.rectified.focal_x = 0.0;
  EXPECT_EQ(seen_in(rectification_map(view, 8, 8)), 0);
}

// Counts the pixels in the picture that the model excludes.
TEST(Rectification, CountsWhatTheLensCuts) {
  ViewRectification view = identity(128, 80);
  view.camera.focal_x = view.camera.focal_y = 80;
  view.rectified = view.camera;
  EXPECT_EQ(rectification_map(view, 128, 80).cut, 0U);
  // A pole: only its ring is black.
  view.camera.distortion = test::distortion({-9.2, 65.3, 0, 0, -87.7, -9.3, 65.6, -87.8});
  const RectificationMap map = rectification_map(view, 128, 80);
  std::size_t ring = 0;
  for (int row = 0; row < 80; ++row) {
    for (int column = 0; column < 128; ++column) {
      const double r =
          std::hypot(column - view.rectified.principal_x, row - view.rectified.principal_y) / 80;
      const bool inside = r > 0.7535 && r < 0.7993;
      ring += inside;
      // At the picture's edges the lens shows a little more than the picture has.
      if (!inside && (row < 2 || column < 2 || row > 77 || column > 125)) continue;
      EXPECT_EQ(map.mask[static_cast<std::size_t>(row * 128 + column)], inside ? 0 : 255)
          << row << " " << column;
    }
  }
  EXPECT_EQ(map.cut, ring);
  EXPECT_NEAR(static_cast<double>(ring) / (128 * 80), 0.062, 0.005);
  // A distortion that folds back within the picture, and one that does so beyond its corners.
  view.camera.distortion = test::distortion({-0.9, 0, 0, 0, 0, 0, 0, 0});
  const RectificationMap back = rectification_map(view, 128, 80);
  EXPECT_EQ(static_cast<int>(back.cut), 128 * 80 - seen_in(back));
  view.camera.distortion = test::distortion({-0.15, 0, 0, 0, 0, 0, 0, 0});
  view.rectified.focal_x = view.rectified.focal_y = 40;
  const RectificationMap wide = rectification_map(view, 128, 80);
  EXPECT_LT(seen_in(wide), 128 * 80);
  EXPECT_EQ(wide.cut, 0U);
}

// --- two cameras --------------------------------------------------------------------------------

class Pairs : public testing::TestWithParam<int> {};

TEST_P(Pairs, SeeAPointInOneRowAndTellItsDistance) {
  const RawPair raw = test::raw_pairs()[static_cast<std::size_t>(GetParam())];
  SCOPED_TRACE(raw.name);
  PairRectification pair;
  ASSERT_TRUE(rectify_cameras(raw.left, raw.right, raw.rotation, raw.translation, raw.width,
                              raw.height, &pair));
  EXPECT_NEAR(pair.baseline, test::length(raw.translation), 1e-12);
  EXPECT_EQ(pair.left.rectified.focal_x, pair.right.rectified.focal_x);
  EXPECT_EQ(pair.left.rectified.focal_y, pair.right.rectified.focal_x);
  EXPECT_EQ(pair.left.rectified.principal_x, pair.right.rectified.principal_x);
  EXPECT_EQ(pair.left.rectified.principal_y, pair.right.rectified.principal_y);
  const RectificationMap left = rectification_map(pair.left, raw.width, raw.height);
  const RectificationMap right = rectification_map(pair.right, raw.width, raw.height);

  std::mt19937 random(3);
  std::uniform_real_distribution<double> side(-4, 4);
  std::uniform_real_distribution<double> ahead(1, 20);
  int tried = 0;
  for (int i = 0; i < 20000 && tried < 500; ++i) {
    // In the rectified left camera's axes.
    const std::array<double, 3> point{side(random), side(random), ahead(random)};
    const double u =
        point[0] / point[2] * pair.left.rectified.focal_x + pair.left.rectified.principal_x;
    const double v =
        point[1] / point[2] * pair.left.rectified.focal_y + pair.left.rectified.principal_y;
    const double disparity = pair.left.rectified.focal_x * pair.baseline / point[2];
    if (u - disparity < 0 || u > raw.width - 1 || v < 0 || v > raw.height - 1) continue;
    // Its place in the raw views, by the calibration alone.
    const std::array<double, 3> in_left = test::apply(test::transposed(pair.left.rotation), point);
    const std::array<double, 3> in_right =
        test::plus(test::apply(raw.rotation, in_left), raw.translation);
    double left_x, left_y, right_x, right_y;
    ASSERT_TRUE(pixel_of_point(in_left[0], in_left[1], in_left[2], raw.left, &left_x, &left_y));
    ASSERT_TRUE(
        pixel_of_point(in_right[0], in_right[1], in_right[2], raw.right, &right_x, &right_y));
    // Its place by the maps, interpolated between four map points, in one row of both views.
    double map_x, map_y;
    if (test::map_at(left, u, v, &map_x, &map_y)) {
      EXPECT_NEAR(map_x, left_x, 0.05);
      EXPECT_NEAR(map_y, left_y, 0.05);
      ++tried;
    }
    if (test::map_at(right, u - disparity, v, &map_x, &map_y)) {
      EXPECT_NEAR(map_x, right_x, 0.05);
      EXPECT_NEAR(map_y, right_y, 0.05);
    }
  }
  EXPECT_GE(tried, 300);
}

TEST_P(Pairs, ShowOnlyWhatWasSeen) {
  const RawPair raw = test::raw_pairs()[static_cast<std::size_t>(GetParam())];
  SCOPED_TRACE(raw.name);
  PairRectification pair;
  ASSERT_TRUE(rectify_cameras(raw.left, raw.right, raw.rotation, raw.translation, raw.width,
                              raw.height, &pair));
  const int left = seen_in(rectification_map(pair.left, raw.width, raw.height));
  const int right = seen_in(rectification_map(pair.right, raw.width, raw.height));
  EXPECT_EQ(left, raw.width * raw.height);
  EXPECT_EQ(right, raw.width * raw.height);
  // The zoom is nearly the widest: wider ones show invalid pixels. In a strongly rotated view the
  // largest upright rectangle omits more.
  for (ViewRectification* view : {&pair.left, &pair.right}) {
    view->rectified.focal_x *= raw.wider;
    view->rectified.focal_y *= raw.wider;
  }
  EXPECT_LT(seen_in(rectification_map(pair.left, raw.width, raw.height)) +
                seen_in(rectification_map(pair.right, raw.width, raw.height)),
            2 * raw.width * raw.height);
}

INSTANTIATE_TEST_SUITE_P(Rectification, Pairs,
                         testing::Range(0, static_cast<int>(test::raw_pairs().size())));

TEST(Rectification, RefusesViewsThatAreNotSideBySide) {
  const CameraLens lens = test::lens(300, 300, 160, 120);
  const Matrix3 none{1, 0, 0, 0, 1, 0, 0, 0, 1};
  PairRectification pair;
  EXPECT_TRUE(rectify_cameras(lens, lens, none, {-0.1, 0.02, 0.01}, 320, 240, &pair));
  EXPECT_GT(pair.baseline, 0.0);
  EXPECT_FALSE(rectify_cameras(lens, lens, none, {-0.1, 0.2, 0.0}, 320, 240, &pair));
  EXPECT_FALSE(rectify_cameras(lens, lens, none, {-0.1, 0.0, 0.2}, 320, 240, &pair));
  EXPECT_FALSE(rectify_cameras(lens, lens, none, {0.0, 0.0, 0.0}, 320, 240, &pair));
  EXPECT_FALSE(rectify_cameras(lens, lens, none, {std::nan(""), 0.0, 0.0}, 320, 240, &pair));
  EXPECT_TRUE(rectify_cameras(lens, lens, none, {0.1, 0.0, 0.0}, 320, 240, &pair));
  EXPECT_LT(pair.baseline, 0.0) << "left and right exchanged";
}

TEST(Rectification, CamerasThatAreAlignedStayAsTheyAre) {
  const CameraLens lens = test::lens(300, 300, 159.5, 119.5);
  const Matrix3 none{1, 0, 0, 0, 1, 0, 0, 0, 1};
  PairRectification pair;
  ASSERT_TRUE(rectify_cameras(lens, lens, none, {-0.1, 0.0, 0.0}, 320, 240, &pair));
  EXPECT_EQ(pair.left.rotation, none);
  EXPECT_EQ(pair.right.rotation, none);
  EXPECT_NEAR(pair.left.rectified.focal_x, 300, 1e-9);
  EXPECT_NEAR(pair.left.rectified.principal_x, 159.5, 1e-9);
  EXPECT_EQ(seen_in(rectification_map(pair.left, 320, 240)), 320 * 240);
}

TEST(Rectification, ExtremeCalibrationsGiveMapsAllTheSame) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int i = 0; i < 100; ++i) {
    RawPair raw = test::raw_pairs()[0];
    raw.width = 1 + static_cast<int>(random() % 40);
    raw.height = 1 + static_cast<int>(random() % 40);
    const double size = std::pow(10.0, 6 * any(random));
    for (CameraLens* lens : {&raw.left, &raw.right}) {
      lens->distortion = test::distortion({any(random) * size, any(random) * size, any(random),
                                           any(random), any(random) * size, any(random), 0, 0});
    }
    raw.rotation = test::rotation(3 * any(random), 3 * any(random), 3 * any(random));
    PairRectification pair;
    if (!rectify_cameras(raw.left, raw.right, raw.rotation, raw.translation, raw.width, raw.height,
                         &pair)) {
      continue;
    }
    const RectificationMap map = rectification_map(pair.left, raw.width, raw.height);
    for (std::size_t p = 0; p < map.points.size(); ++p) {
      const MapPoint& point = map.points[p];
      ASSERT_EQ(point.x != kNotSeen, map.mask[p] == 255);
      if (point.x == kNotSeen) continue;
      ASSERT_TRUE(point.x >= 0 && point.x <= kMapOne * (raw.width - 1));
      ASSERT_TRUE(point.y >= 0 && point.y <= kMapOne * (raw.height - 1));
    }
    const Picture picture = noise(raw.width, raw.height, &random);
    expect_same_bits(picture.view(), map, "extreme");
  }
}

#ifdef RDP_TEST_HAVE_CALIB3D

cv::Mat camera_matrix(const CameraLens& lens) {
  return (cv::Mat_<double>(3, 3) << lens.focal_x, 0, lens.principal_x, 0, lens.focal_y,
          lens.principal_y, 0, 0, 1);
}
cv::Mat coefficients(const Distortion& d) {
  return (cv::Mat_<double>(1, 8) << d.k1, d.k2, d.p1, d.p2, d.k3, d.k4, d.k5, d.k6);
}
cv::Mat matrix(const Matrix3& m) { return cv::Mat(3, 3, CV_64F, const_cast<double*>(m.data())); }

TEST_P(Pairs, AreOpenCvs) {
  const RawPair raw = test::raw_pairs()[static_cast<std::size_t>(GetParam())];
  SCOPED_TRACE(raw.name);
  PairRectification pair;
  ASSERT_TRUE(rectify_cameras(raw.left, raw.right, raw.rotation, raw.translation, raw.width,
                              raw.height, &pair));
  cv::Mat r1, r2, p1, p2, q;
  const cv::Mat t =
      (cv::Mat_<double>(3, 1) << raw.translation[0], raw.translation[1], raw.translation[2]);
  cv::stereoRectify(camera_matrix(raw.left), coefficients(raw.left.distortion),
                    camera_matrix(raw.right), coefficients(raw.right.distortion),
                    cv::Size(raw.width, raw.height), matrix(raw.rotation), t, r1, r2, p1, p2, q,
                    cv::CALIB_ZERO_DISPARITY, 0);
  for (int i = 0; i < 9; ++i) {
    EXPECT_NEAR(pair.left.rotation[i], r1.at<double>(i / 3, i % 3), 1e-9) << i;
    EXPECT_NEAR(pair.right.rotation[i], r2.at<double>(i / 3, i % 3), 1e-9) << i;
  }
  EXPECT_NEAR(pair.left.rectified.focal_x, p1.at<double>(0, 0), raw.tolerance);
  EXPECT_NEAR(pair.left.rectified.principal_x, p1.at<double>(0, 2), raw.tolerance);
  EXPECT_NEAR(pair.left.rectified.principal_y, p1.at<double>(1, 2), raw.tolerance);
  EXPECT_NEAR(-pair.baseline * pair.left.rectified.focal_x, p2.at<double>(0, 3),
              raw.tolerance * pair.baseline + 1e-9);
}

// OpenCV's stereoRectify() undistorts by five iterations in float, and takes nine points of each
// border for the zoom. It ends the picture at its width, although the last pixel is at the width
// minus one. So the projections differ by pixels under strong distortion. Therefore the test also
// applies its method to points that OpenCV has undistorted to convergence.
TEST_P(Pairs, HaveTheProjectionOfOpenCvsMethodFollowedToTheEnd) {
  const RawPair raw = test::raw_pairs()[static_cast<std::size_t>(GetParam())];
  SCOPED_TRACE(raw.name);
  PairRectification pair;
  ASSERT_TRUE(rectify_cameras(raw.left, raw.right, raw.rotation, raw.translation, raw.width,
                              raw.height, &pair));
  const double w = raw.width - 1;
  const double h = raw.height - 1;
  const ViewRectification* views[2] = {&pair.left, &pair.right};
  double first = 1e9;
  for (const ViewRectification* view : views) {
    const double f = view->camera.focal_y;
    const double k1 = std::min(view->camera.distortion.k1, 0.0);
    first = std::min(first, f + k1 * (raw.width * raw.width + raw.height * raw.height) / (4 * f));
  }
  const auto undistorted = [](const ViewRectification& view, const std::vector<cv::Point2d>& at) {
    std::vector<cv::Point2d> to;
    cv::undistortPoints(at, to, camera_matrix(view.camera), coefficients(view.camera.distortion),
                        matrix(view.rotation), cv::noArray(),
                        cv::TermCriteria(cv::TermCriteria::COUNT, 1000, 0));
    return to;
  };
  double x = 0.0;
  double y = 0.0;
  for (const ViewRectification* view : views) {
    const auto corners = undistorted(*view, {{0, 0}, {w, 0}, {0, h}, {w, h}});
    double sum_x = 0.0;
    double sum_y = 0.0;
    for (const auto& corner : corners) {
      sum_x += corner.x / 4;
      sum_y += corner.y / 4;
    }
    x += (w / 2 - first * sum_x) / 2;
    y += (h / 2 - first * sum_y) / 2;
  }
  double focal = 0.0;
  for (const ViewRectification* view : views) {
    for (int row = 0; row < raw.height; ++row) {
      const auto ends = undistorted(*view, {{0.0, 1.0 * row}, {w, 1.0 * row}});
      // The innermost border point decides.
      focal = std::max({focal, x / -ends[0].x, (w - x) / ends[1].x});
    }
    for (int column = 0; column < raw.width; ++column) {
      const auto ends = undistorted(*view, {{1.0 * column, 0.0}, {1.0 * column, h}});
      focal = std::max({focal, y / -ends[0].y, (h - y) / ends[1].y});
    }
  }
  EXPECT_NEAR(pair.left.rectified.principal_x, x, 1e-4);
  EXPECT_NEAR(pair.left.rectified.principal_y, y, 1e-4);
  EXPECT_NEAR(pair.left.rectified.focal_x, focal, 1e-4);
}

TEST_P(Pairs, AreSampledAsOpenCvDoes) {
  const RawPair raw = test::raw_pairs()[static_cast<std::size_t>(GetParam())];
  SCOPED_TRACE(raw.name);
  PairRectification pair;
  ASSERT_TRUE(rectify_cameras(raw.left, raw.right, raw.rotation, raw.translation, raw.width,
                              raw.height, &pair));
  std::mt19937 random(5);
  for (const ViewRectification* view : {&pair.left, &pair.right}) {
    const RectificationMap map = rectification_map(*view, raw.width, raw.height);
    cv::Mat map1, map2;
    cv::initUndistortRectifyMap(camera_matrix(view->camera), coefficients(view->camera.distortion),
                                matrix(view->rotation), camera_matrix(view->rectified),
                                cv::Size(raw.width, raw.height), CV_32FC1, map1, map2);
    int apart = 0;
    for (int row = 0; row < raw.height; ++row) {
      for (int column = 0; column < raw.width; ++column) {
        const MapPoint& point = map.points[static_cast<std::size_t>(row) * raw.width + column];
        ASSERT_NE(point.x, kNotSeen);
        // Half a step plus float rounding.
        EXPECT_NEAR(point.x / 32.0, map1.at<float>(row, column), 0.5 / 32 + 1e-3);
        EXPECT_NEAR(point.y / 32.0, map2.at<float>(row, column), 0.5 / 32 + 1e-3);
        apart += point.x != std::floor(map1.at<float>(row, column) * 32 + 0.5f);
        apart += point.y != std::floor(map2.at<float>(row, column) * 32 + 0.5f);
      }
    }
    // Float rounds to another step only near a half.
    EXPECT_LT(apart, raw.width * raw.height / 100);
    Picture picture = smooth(raw.width, raw.height);
    Picture out(raw.width, raw.height);
    rectify_rows(picture.view(), map, 0, raw.height, out.view());
    cv::Mat expected;
    cv::remap(cv::Mat(raw.height, raw.width, CV_8U, picture.samples.data()), expected, map1, map2,
              cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    for (int row = 0; row < raw.height; ++row) {
      for (int column = 0; column < raw.width; ++column) {
        ASSERT_NEAR(out.view().at(row, column), expected.at<std::uint8_t>(row, column), 1)
            << row << " " << column;
      }
    }
  }
}

// On the same map, both differ only by rounding, less than a grey level, for any picture.
TEST(Rectification, SamplesNoiseAsOpenCvDoes) {
  const RawPair raw = test::raw_pairs()[0];
  PairRectification pair;
  ASSERT_TRUE(rectify_cameras(raw.left, raw.right, raw.rotation, raw.translation, raw.width,
                              raw.height, &pair));
  const RectificationMap map = rectification_map(pair.left, raw.width, raw.height);
  cv::Mat map1(raw.height, raw.width, CV_32F);
  cv::Mat map2(raw.height, raw.width, CV_32F);
  for (int i = 0; i < raw.width * raw.height; ++i) {
    const MapPoint& point = map.points[static_cast<std::size_t>(i)];
    map1.at<float>(i / raw.width, i % raw.width) = point.x / 32.0f;
    map2.at<float>(i / raw.width, i % raw.width) = point.y / 32.0f;
  }
  std::mt19937 random(6);
  Picture picture = noise(raw.width, raw.height, &random);
  Picture out(raw.width, raw.height);
  rectify_rows(picture.view(), map, 0, raw.height, out.view());
  cv::Mat expected;
  cv::remap(cv::Mat(raw.height, raw.width, CV_8U, picture.samples.data()), expected, map1, map2,
            cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  for (int row = 0; row < raw.height; ++row) {
    for (int column = 0; column < raw.width; ++column) {
      ASSERT_NEAR(out.view().at(row, column), expected.at<std::uint8_t>(row, column), 1);
    }
  }
}

#endif  // RDP_TEST_HAVE_CALIB3D

// Prints the time of a view; it has no pass limit.
TEST(Rectification, TakesLittleTime) {
  const RawPair raw = test::raw_pairs()[1];
  PairRectification pair;
  ASSERT_TRUE(rectify_cameras(raw.left, raw.right, raw.rotation, raw.translation, raw.width,
                              raw.height, &pair));
  using Clock = std::chrono::steady_clock;
  const auto before = Clock::now();
  const RectificationMap map = rectification_map(pair.left, raw.width, raw.height);
  const auto between = Clock::now();
  std::mt19937 random(7);
  const Picture picture = noise(raw.width, raw.height, &random);
  Picture out(raw.width, raw.height);
  double least = 1e9;
  for (int i = 0; i < 10; ++i) {
    const auto start = Clock::now();
    rectify_rows(picture.view(), map, 0, raw.height, out.view());
    least =
        std::min(least, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  std::printf("%dx%d: a map in %.1f ms, a view in %.2f ms\n", raw.width, raw.height,
              std::chrono::duration<double, std::milli>(between - before).count(), least);
  EXPECT_EQ(seen_in(map), raw.width * raw.height);
}

}  // namespace
}  // namespace rdp::stereo
