// SPDX-License-Identifier: LGPL-2.1-or-later
// The fast finder of planes has the bits of the definition, whatever the SIMD target, the number of
// threads and the memory of the frame; and the definition finds what is there.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/image/simd.h"
#include "common/planes/frame_engine.h"
#include "common/planes/reference.h"
#include "common/planes/vote_space.h"
#include "tests/planes/plane_differences.h"
#include "tests/planes/plane_patterns.h"

namespace rdp::test {
namespace {

// A frame inside of a larger one, which must not be touched.
struct PaddedFrame {
  std::vector<std::byte> bytes;
  MutableDepthView view;

  PaddedFrame(int width, int height, SampleType type, int padding) {
    const std::ptrdiff_t stride = std::ptrdiff_t{width} * bytes_per_sample(type) + padding;
    bytes.assign(static_cast<std::size_t>(stride) * height + 1, std::byte{0xa5});
    view = {bytes.data() + padding % 2, stride, width, height, type};
  }
};

struct Found {
  planes::PlaneSet set;
  std::vector<std::byte> labels;
};

template <typename Find>
Found find_with(const PlaneCase& c, int padding, const Find& find) {
  PaddedFrame frame(c.width, c.height, c.type, padding);
  draw_planes(frame.view, c.kind, c.seed);
  PaddedFrame labels(c.width, c.height, SampleType::kU8, padding);
  Found found;
  found.set = find(frame.view, plane_camera(c.width, c.height, c.type, c.disparity), c.parameters,
                   labels.view);
  for (int y = 0; y < c.height; ++y) {
    found.labels.insert(found.labels.end(), labels.view.row(y), labels.view.row(y) + c.width);
    for (int x = c.width; x < c.width + padding - 1; ++x) {
      EXPECT_EQ(labels.view.row(y)[x], std::byte{0xa5}) << "behind row " << y;
    }
  }
  return found;
}

void expect_same(const Found& found, const Found& expected, const std::string& what) {
  ASSERT_EQ(found.labels.size(), expected.labels.size()) << what;
  EXPECT_EQ(label_differences(expected.labels.data(), found.labels.data(), found.labels.size()), "")
      << what;
  EXPECT_EQ(differences(expected.set, found.set), "") << what;
}

class FrameEngine : public testing::Test {
 protected:
  void TearDown() override { use_simd_target(""); }
};

TEST_F(FrameEngine, HasTheBitsOfTheDefinition) {
  planes::FrameEngine finder(1);
  std::int64_t planes = 0;
  for (const PlaneCase& c : plane_cases(true)) {
    const Found expected = find_with(c, 0, planes::reference::find);
    planes += static_cast<std::int64_t>(expected.set.planes.size());
    const Found found =
        find_with(c, 3, [&](const auto&... arguments) { return finder.find(arguments...); });
    expect_same(found, expected, c.name);
  }
  EXPECT_GT(planes, 500);
}

TEST_F(FrameEngine, HasThemWithEachSimdTargetAndNumberOfThreads) {
  planes::FrameEngine finder(1);
  for (const PlaneCase& c : plane_cases(false)) {
    if (c.width < 200 && c.width != 17) continue;
    const Found expected = find_with(c, 0, planes::reference::find);
    for (const std::string& target : simd_targets()) {
      ASSERT_TRUE(use_simd_target(target));
      for (const unsigned threads : {1u, 3u}) {
        finder.set_threads(threads);
        const Found found =
            find_with(c, 0, [&](const auto&... arguments) { return finder.find(arguments...); });
        expect_same(found, expected, c.name + " " + target + " " + std::to_string(threads));
      }
    }
  }
}

// A wall at 2 m that the camera looks at straight: one plane with all pixels.
TEST_F(FrameEngine, FindsAWallWithoutNoise) {
  planes::FrameEngine finder(1);
  const PlaneCase c{"", 320, 240, SampleType::kU16, PlaneKind::kFlat, 0, false, {}};
  const Found found =
      find_with(c, 0, [&](const auto&... arguments) { return finder.find(arguments...); });
  ASSERT_EQ(found.set.planes.size(), 1u);
  const planes::Plane& plane = found.set.planes[0];
  EXPECT_EQ(plane.inliers, 320 * 240);
  EXPECT_DOUBLE_EQ(plane.distance, 2.0);
  EXPECT_DOUBLE_EQ(plane.normal[2], 1.0);
  EXPECT_DOUBLE_EQ(plane.rms, 0.0);
  EXPECT_EQ(plane.box[2], 320);
  EXPECT_EQ(plane.box[3], 240);
  ASSERT_EQ(plane.corners, 4u);
  const MetricCamera camera = plane_camera(320, 240, SampleType::kU16);
  EXPECT_NEAR(plane.area, 2.0 * 319 / camera.focal_x * 2.0 * 239 / camera.focal_y, 1e-9);
  EXPECT_EQ(found.set.corners[0].column, 0);
  EXPECT_EQ(found.set.corners[1].column, 319);  // clockwise
  EXPECT_EQ(found.set.corners[1].row, 0);
  EXPECT_NEAR(found.set.corners[0].point[2], 2.0, 1e-12);
}

// Neighbours of a direction are two rows away, and a ball of one direction has no such rows.
TEST_F(FrameEngine, RefusesDirectionsThatMakeNoBall) {
  planes::FrameEngine finder(1);
  const auto find = [&](const auto&... arguments) { return finder.find(arguments...); };
  PlaneCase c{"", 64, 48, SampleType::kU16, PlaneKind::kRoom, 0, false, {}};
  for (const int directions : {1, 129}) {
    c.parameters.directions = directions;
    EXPECT_THROW(find_with(c, 0, find), std::invalid_argument) << directions;
    EXPECT_THROW(find_with(c, 0, planes::reference::find), std::invalid_argument) << directions;
    planes::VoteSpace space;
    EXPECT_THROW(space.prepare(directions, 0.04), std::invalid_argument) << directions;
  }
  c.parameters.directions = 2;
  expect_same(find_with(c, 0, find), find_with(c, 0, planes::reference::find), "afterwards");
}

TEST_F(FrameEngine, TellsLayersApart) {
  planes::FrameEngine finder(1);
  const PlaneCase layers{"", 640, 480, SampleType::kU16, PlaneKind::kLayers, 0, false, {}};
  const Found found =
      find_with(layers, 0, [&](const auto&... arguments) { return finder.find(arguments...); });
  ASSERT_EQ(found.set.planes.size(), 5u);
  for (const planes::Plane& plane : found.set.planes) {
    EXPECT_EQ(plane.inliers, 128 * 480);
    const double above = (plane.distance - 1.5) / 0.130;
    EXPECT_NEAR(above, std::floor(above + 0.5), 1e-9);
  }
}

}  // namespace
}  // namespace rdp::test
