// SPDX-License-Identifier: LGPL-2.1-or-later
// Clouds of frames: the reference by hand, and the engine against it, bit for bit.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <utility>

#include "common/points/engine.h"
#include "tests/points/clouds.h"
#include "tests/support/test_frame.h"

namespace rdp::points {
namespace {

using rdp::test::Layout;
using rdp::test::TestFrame;

TestFrame noise(int width, int height, SampleType type, Layout layout, std::mt19937* random) {
  TestFrame frame(width, height, type, layout);
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const std::uint32_t any = (*random)();
      // Often unknown, and often as large as can be.
      const std::uint32_t sample = any % 8 == 0 ? 0 : any % 8 == 1 ? 0xFFFF : any >> 8;
      frame.view().set(row, column, static_cast<std::uint16_t>(sample & max_sample(type)));
    }
  }
  return frame;
}

TEST(Points, ReferenceByHand) {
  MetricCamera camera;
  camera.focal_x = 2;
  camera.focal_y = 4;
  camera.principal_x = 1;
  camera.principal_y = 0;
  camera.depth = {false, 0.0, 0.5, 0.0};
  TestFrame frame(3, 2, SampleType::kU16);
  frame.view().set(0, 0, 8);
  frame.view().set(0, 1, 0);
  frame.view().set(0, 2, 1000);
  frame.view().set(1, 0, 2);
  frame.view().set(1, 1, 4);
  frame.view().set(1, 2, 1);
  const auto at = [](const std::vector<float>& cloud, int pixel) {
    const float* p = cloud.data() + 3 * pixel;
    return std::vector<float>(p, p + 3);
  };
  Parameters parameters{{2, 999}, false};
  std::vector<float> cloud = test::expected_cloud(frame.view(), &camera, parameters);
  EXPECT_EQ(at(cloud, 0), (std::vector<float>{-2, 0, 4}));
  EXPECT_EQ(at(cloud, 3), (std::vector<float>{-0.5, 0.25, 1}));
  EXPECT_EQ(at(cloud, 4), (std::vector<float>{0, 0.5, 2}));
  for (const int unknown : {1, 2, 5}) {
    for (const float value : at(cloud, unknown)) {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(value), 0x7FC00000U) << unknown;
    }
  }
  parameters.forward_left_up = true;
  cloud = test::expected_cloud(frame.view(), &camera, parameters);
  EXPECT_EQ(at(cloud, 0), (std::vector<float>{4, 2, 0}));
  EXPECT_EQ(at(cloud, 3), (std::vector<float>{1, 0.5, -0.25}));
  camera.depth = {true, 8.0, 1.0, 2.0};
  cloud = test::expected_cloud(frame.view(), &camera, Parameters{{1, 65535}, false});
  EXPECT_EQ(cloud[3 * 3 + 2], 2);  // 8 / (2 + 2)
  EXPECT_TRUE(std::isnan(cloud[3 * 1])) << "0 is no disparity, whatever the offset";
  cloud = test::expected_cloud(frame.view(), nullptr, Parameters{});
  for (const float value : cloud) EXPECT_TRUE(std::isnan(value));
}

// A lens that distorts sees the point where the sample is.
TEST(Points, DistortionIsUndone) {
  for (const test::NamedCamera& named : test::cameras(64, 48)) {
    if (named.camera.distortion.none) continue;
    TestFrame frame(64, 48, SampleType::kU16);
    for (int row = 0; row < 48; ++row) {
      for (int column = 0; column < 64; ++column) frame.view().set(row, column, 3000);
    }
    const auto cloud = test::expected_cloud(frame.view(), &named.camera, {});
    int known = 0;
    for (int i = 0; i < 64 * 48; ++i) {
      const float* p = cloud.data() + 3 * i;
      if (std::isnan(p[0])) continue;
      ++known;
      double column;
      double row;
      ASSERT_TRUE(pixel_of_point(p[0], p[1], p[2], named.camera, &column, &row));
      EXPECT_NEAR(column, i % 64, 1e-3);
      EXPECT_NEAR(row, i / 64, 1e-3);
    }
    EXPECT_GT(known, 64) << named.name;
  }
}

void expect_reference(Engine* engine, const DepthView& frame, const MetricCamera* camera,
                      const Parameters& parameters, const std::string& what) {
  const std::vector<float> expected = test::expected_cloud(frame, camera, parameters);
  rdp::test::on_every_simd_target([&] {
    constexpr std::size_t kGuard = 64;
    std::vector<float> actual(expected.size() + kGuard, 12345.0F);
    engine->make_points(frame, camera, parameters, actual.data());
    ASSERT_EQ(test::difference(expected, actual.data(), frame.width), "")
        << what << ", " << frame.width << "x" << frame.height;
    for (std::size_t i = expected.size(); i < actual.size(); ++i) ASSERT_EQ(actual[i], 12345.0F);
  });
}

TEST(Points, EngineIsTheReference) {
  std::mt19937 random(1);
  Engine engine;
  for (const auto& [width, height] : {std::pair{1, 1},
                                      {1, 9},
                                      {2, 3},
                                      {3, 2},
                                      {7, 5},
                                      {8, 4},
                                      {9, 3},
                                      {17, 4},
                                      {33, 31},
                                      {161, 120},
                                      {4099, 2}}) {
    for (const test::NamedCamera& named : test::cameras(width, height)) {
      for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
        const TestFrame frame =
            noise(width, height, type,
                  {static_cast<int>(random() % 5), static_cast<int>(random() % 3)}, &random);
        engine.set_threads(1 + random() % 4);
        for (const Parameters& parameters :
             {Parameters{}, Parameters{{0, 65535}, true}, Parameters{{100, 200}, random() % 2 == 0},
              Parameters{{70000, 80000}, false}, Parameters{{5, 4}, false},
              Parameters{{1, 0xFFFFFFFF}, true}}) {
          expect_reference(&engine, frame.view(), &named.camera, parameters, named.name);
        }
      }
    }
  }
}

TEST(Points, FramesOfOneValue) {
  Engine engine;
  for (const int value : {0, 1, 255, 65535}) {
    TestFrame frame(37, 11, SampleType::kU16);
    for (int row = 0; row < 11; ++row) {
      for (int column = 0; column < 37; ++column) {
        frame.view().set(row, column, static_cast<std::uint16_t>(value));
      }
    }
    for (const test::NamedCamera& named : test::cameras(37, 11)) {
      expect_reference(&engine, frame.view(), &named.camera, {}, named.name);
    }
    expect_reference(&engine, frame.view(), nullptr, {}, "no camera");
  }
}

// Each change of a camera is seen, also back and forth.
TEST(Points, CamerasChange) {
  std::mt19937 random(2);
  Engine engine;
  const TestFrame frame = noise(50, 20, SampleType::kU16, {}, &random);
  double Distortion::*const coefficients[] = {&Distortion::k1, &Distortion::k2, &Distortion::p1,
                                              &Distortion::p2, &Distortion::k3, &Distortion::k4,
                                              &Distortion::k5, &Distortion::k6};
  std::vector<MetricCamera> cameras;
  for (const test::NamedCamera& named : test::cameras(50, 20)) cameras.push_back(named.camera);
  double CameraLens::*const places[] = {&CameraLens::focal_x, &CameraLens::focal_y,
                                        &CameraLens::principal_x, &CameraLens::principal_y};
  for (const auto place : places) {
    cameras.push_back(cameras[0]);
    cameras.back().*place += 1.5;
  }
  for (const auto coefficient : coefficients) {
    cameras.push_back(cameras[6]);
    cameras.back().distortion.*coefficient += 0.01;
    cameras.back().distortion.reach = reach_of(cameras.back().distortion);
  }
  for (const MetricCamera& camera : cameras) {
    expect_reference(&engine, frame.view(), &camera, {}, "changed");
    expect_reference(&engine, frame.view(), &cameras[6], {}, "back");
  }
}

}  // namespace
}  // namespace rdp::points
