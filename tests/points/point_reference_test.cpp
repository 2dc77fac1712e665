// SPDX-License-Identifier: LGPL-2.1-or-later
// Point clouds of frames, by hand. tests/bits compares the engine with the reference.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/points/clouds.h"
#include "tests/support/test_frame.h"

namespace rdp::points {
namespace {

using rdp::test::TestFrame;

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

// The lens projects the point back to its sample's pixel.
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

}  // namespace
}  // namespace rdp::points
