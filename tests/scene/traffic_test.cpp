// SPDX-License-Identifier: LGPL-2.1-or-later
// The traffic scene: cars are and move where documented, do not overlap in the recommended frames,
// and have labels; the same bits everywhere.
#include "common/scene/traffic_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/scene/test_flow.h"
#include "common/scene/test_labels.h"
#include "common/scene/test_picture.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::TestFrame;

TestPatternOptions options_of(std::uint32_t seed, std::uint32_t drive, std::uint32_t turn = 0) {
  TestPatternOptions options;
  options.pattern = TestPattern::kTraffic;
  options.seed = seed;
  options.drive = drive;
  options.turn = turn;
  return options;
}

TEST(Traffic, CarsAreWhereTheyAreSaidToBe) {
  for (const std::uint32_t drive : {0U, 1U, 400U, kMaxTestDrive}) {
    for (int number : {1, 2}) {
      const TrafficCar car = traffic_car(number, 7, drive, kTrafficMoment);
      EXPECT_EQ(car.near, 15000);
      EXPECT_EQ(std::abs(car.across) + std::abs(car.along), 333);
    }
    for (int number = 1; number <= kTrafficCars; ++number) {
      for (const std::uint64_t first :
           {std::uint64_t{0}, std::uint64_t{89900}, std::uint64_t{1} << 54}) {
        for (std::uint64_t frame = first; frame < first + 300; ++frame) {
          const TrafficCar now = traffic_car(number, 3, drive, frame);
          const TrafficCar next = traffic_car(number, 3, drive, frame + 1);
          ASSERT_EQ(now.right - now.left, next.right - next.left);
          ASSERT_EQ(now.far - now.near, next.far - next.near);
          ASSERT_EQ(now.height, next.height);
          // Positions wrap around at the end of the loop.
          ASSERT_EQ((next.left - now.left - now.across) % 44955, 0);
          ASSERT_EQ((next.near - now.near - now.along + static_cast<std::int64_t>(drive)) % 89910,
                    0);
        }
      }
    }
  }
}

TEST(Traffic, CarsNeverMeet) {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    for (const std::uint32_t drive : {0U, 400U, 777U}) {
      for (std::uint64_t frame = 0; frame < 540; ++frame) {
        for (int a = 1; a <= kTrafficCars; ++a) {
          const TrafficCar one = traffic_car(a, seed, drive, frame);
          for (int b = a + 1; b <= kTrafficCars; ++b) {
            const TrafficCar other = traffic_car(b, seed, drive, frame);
            ASSERT_TRUE(one.right < other.left || other.right < one.left || one.far < other.near ||
                        other.far < one.near)
                << a << " meets " << b << " in frame " << frame << ", drive " << drive;
          }
        }
      }
    }
  }
}

// From 1 s to 2 s at 30 frames/s, only cars 1 and 2 are visible, side by side.
TEST(Traffic, NoCarCrossesAnotherOneFrom30To60) {
  constexpr int kWidth = 310;
  constexpr int kHeight = 94;
  TestLabelRenderer renderer;
  TestFrame labels(kWidth, kHeight, SampleType::kU8);
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    for (const std::uint32_t drive : {0U, 100U, 200U, 300U, 400U}) {
      for (std::uint64_t frame = 30; frame <= 60; ++frame) {
        for (const double eye : {0.0, 540.0}) {
          // The right end of car 2 is left of the left end of car 1.
          const TrafficCar along = traffic_car(1, seed, drive, frame);
          const TrafficCar across = traffic_car(2, seed, drive, frame);
          const double begins = (static_cast<double>(along.left) - eye) / along.far;
          const double ends = std::max((static_cast<double>(across.right) - eye) / across.near,
                                       (static_cast<double>(across.right) - eye) / across.far);
          ASSERT_LT(ends, begins) << "seed " << seed << ", drive " << drive << ", frame " << frame;
        }
        renderer.draw(frame, options_of(seed, drive), labels.view());
        int pixels[256] = {};
        for (int r = 0; r < kHeight; ++r) {
          for (int c = 0; c < kWidth; ++c) ++pixels[labels.view().at(r, c)];
        }
        ASSERT_GT(pixels[1], 100) << drive << " " << frame;
        ASSERT_GT(pixels[2], 100) << drive << " " << frame;
        ASSERT_EQ(pixels[0] + pixels[1] + pixels[2], kWidth * kHeight) << drive << " " << frame;
      }
    }
  }
}

// Pixels with the label of a car lie on that car and move with it. All others move with the ground.
TEST(Traffic, PointsMoveWithWhatTheyAreOn) {
  constexpr int kWidth = 621;
  constexpr int kHeight = 188;
  const TestCamera camera = TestCamera::of_size(kWidth, kHeight);
  int seen[1 + kTrafficCars] = {}, known[1 + kTrafficCars] = {};
  for (const auto& [drive, turn] :
       {std::pair{0U, 0U}, {400U, 0U}, {400U, 10U}, {0U, kMaxTestTurn}}) {
    for (const std::uint64_t frame : {20U, 45U, 46U, 60U, 90U, 110U, 140U, 200U}) {
      const TestPatternOptions options = options_of(2, drive, turn);
      const double step = 2.0 * std::atan(turn / 2000.0);
      const double angle = step * (static_cast<double>(frame) - kTrafficMoment);
      TestFrame labels(kWidth, kHeight, SampleType::kU8);
      TestFrame flow(kWidth, 2 * kHeight, SampleType::kU16);
      TestLabelRenderer().draw(frame, options, labels.view());
      TestFlowRenderer().draw(frame, options, flow.view());
      TestPictureRenderer left;
      left.begin(frame, options, Eye::kLeft, kWidth, kHeight);
      for (int r = 0; r < kHeight; ++r) {
        const std::span<const std::uint32_t> disparities = left.next_row().disparities;
        for (int c = 0; c < kWidth; ++c) {
          const double d = disparities[static_cast<std::size_t>(c)] * 0x1p-24;
          const int label = labels.view().at(r, c);
          const int u = flow.view().at(r, c);
          const int v = flow.view().at(kHeight + r, c);
          if (d == 0.0) {
            ASSERT_EQ(label, 0);
            ASSERT_TRUE(u == 0 || turn != 0 || (u == 512 * 64 && v == 512 * 64));
            continue;
          }
          const double ahead = camera.disparity(1.0) / d;
          const double aside = (c - camera.centre_column) / camera.focal * ahead;
          const double z = std::cos(angle) * ahead - std::sin(angle) * aside;
          const double x = std::sin(angle) * ahead + std::cos(angle) * aside;
          const double y = (r - camera.centre_row) / camera.focal * ahead;
          double across = 0.0;
          double along = -static_cast<double>(drive);
          if (label != 0) {
            const TrafficCar car = traffic_car(label, 2, drive, frame);
            constexpr double kPrecise = 0.01;  // mm: a disparity has steps of 2^-24 px
            ASSERT_GE(1000.0 * x, car.left - kPrecise);
            ASSERT_LE(1000.0 * x, car.right + kPrecise);
            ASSERT_GE(1000.0 * z, car.near - kPrecise);
            ASSERT_LE(1000.0 * z, car.far + kPrecise);
            ASSERT_LE(1000.0 * (TestCamera::kHeight - y), car.height + kPrecise);
            across = car.across;
            along += car.along;
          }
          ++seen[label];
          if (u == 0) continue;
          ++known[label];
          const double next_z = z + along / 1000.0;
          const double next_x = x + across / 1000.0;
          const double next = std::cos(angle + step) * next_z + std::sin(angle + step) * next_x;
          const double beside = std::cos(angle + step) * next_x - std::sin(angle + step) * next_z;
          const double right = camera.focal * (beside / next - aside / ahead);
          const double down = camera.focal * (y / next - y / ahead);
          ASSERT_NEAR(u / 64.0 - 512.0, right, 0.5 / 64 + 1e-4) << frame << ": " << r << " " << c;
          ASSERT_NEAR(v / 64.0 - 512.0, down, 0.5 / 64 + 1e-4) << frame << ": " << r << " " << c;
        }
      }
    }
  }
  for (int label = 0; label <= kTrafficCars; ++label) {
    EXPECT_GT(seen[label], 1000) << label;
    EXPECT_GT(known[label], seen[label] / 2) << label;
  }
}

TEST(Traffic, FitsAtAnySize) {
  for (auto [width, height] : {std::pair{1, 1},
                               {1, 9},
                               {9, 1},
                               {2048, 1024},
                               {4096, 300},
                               {300, 4096},
                               {kMaxSide, 40},
                               {40, kMaxSide}}) {
    for (const std::uint64_t frame : {0, 45, 75, 300, 601}) {
      TestFrame depth(width, height, SampleType::kU16);
      const std::uint32_t turn = frame == 601 ? 30 : 0;
      TestPatternRenderer().draw(frame, options_of(1, 400, turn), depth.view());
      for (int r = 0; r < height; ++r) {
        // 3 m, where the camera has 213 px at most
        for (int c = 0; c < width; ++c) ASSERT_LT(depth.view().at(r, c), 220 * 256);
      }
    }
  }
}

struct Golden {
  int width, height;
  std::uint64_t number;
  std::uint32_t seed, drive;
  std::uint64_t depth, left, right, labels, flow;
};

std::uint64_t checksum(const DepthView& frame) {
  std::uint64_t sum = 0xCBF29CE484222325U;  // FNV-1a
  for (int r = 0; r < frame.height; ++r) {
    for (int c = 0; c < frame.width; ++c) {
      sum = (sum ^ (frame.at(r, c) & 255U)) * 0x100000001B3U;
      sum = (sum ^ (frame.at(r, c) >> 8U)) * 0x100000001B3U;
    }
  }
  return sum;
}

// Detects any difference between machines, compilers or versions. After an intended change, copy
// the new checksums from the failures.
TEST(Traffic, HasTheSameBitsEverywhere) {
  const Golden goldens[] = {
      {1242, 376, 45, 0, 400, 0x7FB0B76A0C3A782DU, 0xC41B526E864A0FB3U, 0xBF264A65AF57F604U,
       0x2380247EEB5124B7U, 0x86014AA2F2BE9A5BU},
      {321, 240, 75, 4294967295U, 0, 0xE0EEF05BE8128BCBU, 0x43907FC3774F6172U, 0xE933F783B18E3DD6U,
       0xC655DC222347194DU, 0xEFBBBB0C7AC46B1BU},
      {64, 48, 1099511627776, 5, 1000, 0x8C0CA0D5D43F4216U, 0xF7451CC2A251FA85U, 0x717DDF6E736AFB6U,
       0x62511A2CD620426CU, 0x28A7B54A8D01D9FAU},
  };
  for (const Golden& golden : goldens) {
    const auto [width, height, number, seed, drive, depth, left, right, labels, flow] = golden;
    const TestPatternOptions options = options_of(seed, drive);
    TestFrame samples(width, height, SampleType::kU16);
    TestFrame bytes(width, height, SampleType::kU8);
    TestFrame both(width, 2 * height, SampleType::kU16);
    TestPatternRenderer().draw(number, options, samples.view());
    EXPECT_EQ(checksum(samples.view()), depth) << std::hex << checksum(samples.view());
    TestPictureRenderer().draw(number, options, Eye::kLeft, bytes.view());
    EXPECT_EQ(checksum(bytes.view()), left) << std::hex << checksum(bytes.view());
    TestPictureRenderer().draw(number, options, Eye::kRight, bytes.view());
    EXPECT_EQ(checksum(bytes.view()), right) << std::hex << checksum(bytes.view());
    TestLabelRenderer().draw(number, options, bytes.view());
    EXPECT_EQ(checksum(bytes.view()), labels) << std::hex << checksum(bytes.view());
    TestFlowRenderer().draw(number, options, both.view());
    EXPECT_EQ(checksum(both.view()), flow) << std::hex << checksum(both.view());
  }
}

}  // namespace
}  // namespace rdp
