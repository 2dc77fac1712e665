// SPDX-License-Identifier: LGPL-2.1-or-later
// Rooms: pixels lie on their labelled planes, and labels are as documented.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "common/scene/room_depth.h"
#include "common/scene/room_scene.h"
#include "common/scene/test_labels.h"
#include "common/scene/test_pattern.h"
#include "common/scene/test_picture.h"
#include "tests/support/test_frame.h"

namespace rdp {
namespace {

using test::TestFrame;

TestPatternOptions options_of(TestPattern pattern, std::uint32_t seed = 0,
                              TestDomain domain = TestDomain::kDepth) {
  TestPatternOptions options;
  options.pattern = pattern;
  options.domain = domain;
  options.seed = seed;
  return options;
}

struct Labelled {
  TestLabelRenderer renderer;
  TestFrame frame;

  Labelled(std::uint64_t number, const TestPatternOptions& options, int width, int height)
      : frame(width, height, SampleType::kU8) {
    renderer.draw(number, options, frame.view());
  }

  int at(int row, int column) const { return frame.view().at(row, column); }
  int most() const {
    int most = 0;
    for (int r = 0; r < frame.view().height; ++r) {
      for (int c = 0; c < frame.view().width; ++c) most = std::max(most, at(r, c));
    }
    return most;
  }
};

TEST(Room, WhatIsLabelledLiesOnItsPlane) {
  for (auto [width, height] : {std::pair{640, 480}, {321, 241}, {97, 333}, {5, 3}}) {
    const TestCamera camera = RoomScene::camera(width, height);
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
      const TestPatternOptions options = options_of(TestPattern::kRoom, seed);
      const std::uint64_t number = 100 * seed;
      const Labelled labels(number, options, width, height);
      TestFrame depth(width, height, SampleType::kU16);
      TestPatternRenderer().draw(number, options, depth.view());
      for (int r = 0; r < height; ++r) {
        for (int c = 0; c < width; ++c) {
          const int label = labels.at(r, c);
          if (label == 0) continue;
          const RoomView::SeenPlane plane = labels.renderer.seen_plane(label);
          const RoomVector ray = {(c - camera.centre_column) / camera.focal,
                                  (r - camera.centre_row) / camera.focal, 1.0};
          const double z = plane.distance / dot(plane.normal, ray);
          // Half a step, and the rounding of disparities to 2^-24 px.
          ASSERT_NEAR(depth.view().at(r, c), 1000.0 * z, 0.5 + 1e-3)
              << "seed " << seed << ", label " << label << ", " << r << " " << c;
        }
      }
    }
  }
}

// Flood fill: one connected part per label, and a label for every part that is large enough.
TEST(Room, LabelsArePartsOfPlanes) {
  constexpr int kWidth = 320;
  constexpr int kHeight = 240;
  for (std::uint32_t seed = 0; seed < 9; ++seed) {
    const RoomScene room(seed);
    RoomView view;
    view.begin(room, room.pose(0), 0.0, RoomScene::camera(kWidth, kHeight), kWidth, kHeight);
    std::vector<int> planes;
    for (int r = 0; r < kHeight; ++r) {
      const auto row = view.next_row().planes;
      planes.insert(planes.end(), row.begin(), row.end());
    }
    const Labelled labels(0, options_of(TestPattern::kRoom, seed), kWidth, kHeight);
    std::vector<bool> seen(planes.size());
    int next = 0;
    for (int start = 0; start < kWidth * kHeight; ++start) {
      if (seen[static_cast<std::size_t>(start)]) continue;
      const int plane = planes[static_cast<std::size_t>(start)];
      const int label = labels.at(start / kWidth, start % kWidth);
      std::vector<int> part = {start};
      seen[static_cast<std::size_t>(start)] = true;
      for (std::size_t i = 0; i < part.size(); ++i) {
        ASSERT_EQ(labels.at(part[i] / kWidth, part[i] % kWidth), label);
        const int x = part[i] % kWidth;
        const auto reach = [&](int pixel, bool inside) {
          const auto p = static_cast<std::size_t>(pixel);
          if (!inside || seen[p] || planes[p] != plane) return;
          seen[p] = true;
          part.push_back(pixel);
        };
        reach(part[i] - 1, x > 0);
        reach(part[i] + 1, x + 1 < kWidth);
        reach(part[i] - kWidth, part[i] >= kWidth);
        reach(part[i] + kWidth, part[i] + kWidth < kWidth * kHeight);
      }
      const bool large = static_cast<int>(part.size()) >= kWidth * kHeight / 341;
      ASSERT_EQ(label, plane >= 0 && large ? ++next : 0) << "seed " << seed;
    }
  }
}

// The faces of stair steps on one side lie in one plane and count as one.
TEST(Room, NeighboursWithTwoLabelsAreTwoPlanes) {
  for (std::uint32_t seed = 0; seed < 9; ++seed) {
    const RoomScene room(seed);
    for (int i = 0; i < room.plane_count(); ++i) {
      for (int k = 0; k < i; ++k) {
        const RoomScene::Plane& a = room.plane(i);
        const RoomScene::Plane& b = room.plane(k);
        const bool same =
            std::fabs(a.offset - b.offset) < 1e-6 && dot(a.normal, b.normal) > 1 - 1e-12;
        ASSERT_EQ(a.same == b.same, same) << seed << ": " << i << " " << k;
      }
    }
  }
}

TEST(Room, ShowsAsManyPlanesAsRoomsDo) {
  int sum = 0;
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const int planes = Labelled(0, options_of(TestPattern::kRoom, seed), 640, 480).most();
    EXPECT_GE(planes, 15) << seed;
    EXPECT_LE(planes, 30) << seed;
    sum += planes;
  }
  EXPECT_NEAR(sum / 30.0, 21.5, 1.5);
}

// The camera keeps its distance from everything, wherever it swings.
TEST(Room, NothingIsTooNear) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    for (std::uint64_t number : {0, 60, 120, 205, 1000, 99999}) {
      TestFrame depth(80, 60, SampleType::kU16);
      TestPatternRenderer().draw(number, options_of(TestPattern::kRoom, seed), depth.view());
      for (int r = 0; r < 60; ++r) {
        for (int c = 0; c < 80; ++c) {
          ASSERT_GT(depth.view().at(r, c), 500) << seed << " " << number;
          ASSERT_LT(depth.view().at(r, c), 8000) << seed << " " << number;
        }
      }
    }
  }
}

TEST(Room, TheCameraMovesGently) {
  const RoomScene room(4);
  double most = 0.0;
  double way = 0.0;
  for (std::uint64_t frame = 0; frame < 3000; ++frame) {
    const RoomPose a = room.pose(frame);
    const RoomPose b = room.pose(frame + 1);
    const RoomVector step = along(b.eye, a.eye, -1.0);
    most = std::max(most, std::sqrt(dot(step, step)));
    way += std::sqrt(dot(step, step));
    ASSERT_GT(dot(a.ahead, b.ahead), 1.0 - 1e-5);
    ASSERT_NEAR(dot(a.ahead, a.ahead), 1.0, 1e-12);
    ASSERT_NEAR(dot(a.right, a.down), 0.0, 1e-12);
  }
  EXPECT_LT(most, 0.01);
  EXPECT_GT(way, 1.0);
}

TEST(Room, SeedsAreDifferentRooms) {
  std::set<std::vector<int>> rooms;
  for (std::uint32_t seed : {0U, 1U, 2U, 3U, 4U, 4294967295U}) {
    TestFrame depth(40, 30, SampleType::kU16);
    TestPatternRenderer().draw(0, options_of(TestPattern::kRoom, seed), depth.view());
    std::vector<int> samples;
    for (int r = 0; r < 30; ++r) {
      for (int c = 0; c < 40; ++c) samples.push_back(depth.view().at(r, c));
    }
    rooms.insert(samples);
  }
  EXPECT_EQ(rooms.size(), 6U);
}

TEST(Room, NoiseDoesNotReachTheLabels) {
  TestPatternOptions options = options_of(TestPattern::kRoom, 2);
  const Labelled clean(7, options, 160, 120);
  options.noise = 0.5;
  options.bend = 0.1;
  options.unknown_ratio = 0.3;
  options.domain = TestDomain::kDisparity;
  EXPECT_TRUE(clean.frame == Labelled(7, options, 160, 120).frame);
}

TEST(Room, NoiseHasStepsAndShadows) {
  TestPatternOptions options = options_of(TestPattern::kRoom, 2, TestDomain::kDisparity);
  TestFrame exact(640, 480, SampleType::kU16);
  TestFrame noisy(640, 480, SampleType::kU16);
  TestPatternRenderer renderer;
  renderer.draw(0, options, exact.view());
  options.noise = 0.03;
  renderer.draw(0, options, noisy.view());
  int shadow = 0;
  int far_off = 0;
  for (int r = 0; r < 480; ++r) {
    for (int c = 0; c < 640; ++c) {
      const int sample = noisy.view().at(r, c);
      ASSERT_EQ(sample % 16, 0);
      shadow += sample == 0;
      far_off += sample != 0 && std::abs(sample - exact.view().at(r, c)) > 256;
    }
  }
  EXPECT_GT(shadow, 640 * 480 / 300);
  EXPECT_LT(shadow, 640 * 480 / 20);
  EXPECT_GT(far_off, 50);  // only at edges
  EXPECT_LT(far_off, 640 * 480 / 200);
}

// A picture with the plane and the disparity of each pixel.
struct Seen {
  std::vector<std::int16_t> planes;
  std::vector<double> disparities;
  TestFrame greys;

  Seen(std::uint32_t seed, std::uint64_t number, Eye eye, int width, int height)
      : greys(width, height, SampleType::kU8) {
    const TestCamera camera = RoomScene::camera(width, height);
    const RoomScene room(seed);
    RoomView view;
    view.begin(room, room.pose(number), eye == Eye::kLeft ? 0.0 : camera.baseline, camera, width,
               height);
    for (int r = 0; r < height; ++r) {
      const RoomView::Row row = view.next_row();
      planes.insert(planes.end(), row.planes.begin(), row.planes.end());
      for (const std::uint32_t d : row.disparities) disparities.push_back(d * 0x1p-24);
    }
    TestPictureRenderer().draw(number, options_of(TestPattern::kRoom, seed), eye, greys.view());
  }
};

// Like StereoViews.SurfacesLookTheSameInBoth, for pixels on the same plane in both views. At a
// crease, where disparity is continuous, the views may show different planes.
TEST(Room, PlanesLookTheSameToBothEyes) {
  constexpr int kWidth = 641;
  constexpr int kHeight = 480;
  constexpr double kOff = 1.0 / 128.0;
  for (std::uint32_t seed : {0U, 1U, 2U}) {
    const Seen left(seed, 50 * seed, Eye::kLeft, kWidth, kHeight);
    const Seen right(seed, 50 * seed, Eye::kRight, kWidth, kHeight);
    int compared = 0;
    double wrong = 0.0;
    for (int r = 0; r < kHeight; ++r) {
      for (int c = 0; c < kWidth; ++c) {
        const auto i = static_cast<std::size_t>(r * kWidth + c);
        const double place = c - left.disparities[i];
        const int nearest = static_cast<int>(std::floor(place + 0.5));
        if (nearest < 0 || std::fabs(place - nearest) > kOff) continue;
        const auto k = static_cast<std::size_t>(r * kWidth + nearest);
        if (left.planes[i] < 0 || left.planes[i] != right.planes[k]) continue;
        ++compared;
        const int grey = left.greys.view().at(r, c);
        EXPECT_LE(std::abs(grey - right.greys.view().at(r, nearest)), 3) << r << " " << c;
        wrong += std::abs(grey - right.greys.view().at(r, c));  // negative control
      }
    }
    EXPECT_GT(compared, 1500) << seed;
    EXPECT_GT(wrong / compared, 5.0) << seed;
  }
}

TEST(Labels, OfPatternsOfPlanes) {
  const Labelled ramp(5, options_of(TestPattern::kRamp), 100, 64);
  const Labelled steps(5, options_of(TestPattern::kSteps), 100, 64);
  for (int r = 0; r < 64; ++r) {
    for (int c = 0; c < 100; ++c) {
      ASSERT_EQ(ramp.at(r, c), 1);
      // Moved down by five rows: the lowest band re-enters at the top.
      ASSERT_EQ(steps.at(r, c), r < 5 ? 1 : 2 + (r - 5) / 8);
    }
  }
  EXPECT_EQ(Labelled(5, options_of(TestPattern::kNoise), 100, 64).most(), 0);
  EXPECT_EQ(Labelled(5, options_of(TestPattern::kUnknown), 100, 64).most(), 0);
  EXPECT_FALSE(has_labels(TestPattern::kStreet));
}

struct Golden {
  TestPattern pattern;
  int width, height;
  std::uint64_t number;
  std::uint32_t seed;
  std::uint64_t checksum;
};

// Detects any difference between machines, compilers or versions. After an intended change, copy
// the new checksums from the failures.
TEST(Labels, HaveTheSameBitsEverywhere) {
  using enum TestPattern;
  const Golden goldens[] = {
      {kRoom, 640, 480, 0, 0u, 0x6DDDE928E3C3678CU},
      {kRoom, 640, 480, 123, 1u, 0x55F7B982AC8A7994U},
      {kRoom, 320, 243, 1099511627776, 4294967294u, 0x5A291D54B0C6B880U},
      {kRoom, 17, 200, 3, 5u, 0x1E091FB42A4EC310U},
      {kRoom, 1, 1, 0, 0u, 0xAF63BC4C8601B62CU},
      {kSteps, 64, 49, 9, 0u, 0x11B881AA226CC1E5U},
  };
  TestLabelRenderer renderer;  // reused: must keep no state of the previous frame
  for (const Golden& golden : goldens) {
    TestFrame frame(golden.width, golden.height, SampleType::kU8);
    renderer.draw(golden.number, options_of(golden.pattern, golden.seed), frame.view());
    std::uint64_t sum = 0xCBF29CE484222325U;  // FNV-1a
    for (int r = 0; r < golden.height; ++r) {
      for (int c = 0; c < golden.width; ++c) {
        sum = (sum ^ frame.view().at(r, c)) * 0x100000001B3U;
      }
    }
    EXPECT_EQ(sum, golden.checksum)
        << "golden " << (&golden - goldens) << std::hex << ": 0x" << sum;
  }
}

}  // namespace
}  // namespace rdp
