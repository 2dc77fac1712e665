// SPDX-License-Identifier: LGPL-2.1-or-later
// Detection in frames with few planes, and refused arguments. tests/bits compares the engine with
// the definition.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "common/planes/frames/engine.h"
#include "common/planes/frames/reference.h"
#include "common/planes/vote_space.h"
#include "tests/planes/failing_engine.h"
#include "tests/planes/plane_differences.h"
#include "tests/planes/plane_patterns.h"
#include "tests/support/test_frame.h"

namespace rdp::test {
namespace {

struct Found {
  planes::PlaneSet set;
  std::vector<std::byte> labels;
};

template <typename Find>
Found find_with(const PlaneCase& c, const Find& find) {
  const TestFrame frame(c.width, c.height, c.type);
  draw_planes(frame.view(), c.kind, c.seed);
  Found found;
  found.labels.resize(static_cast<std::size_t>(c.width) * static_cast<std::size_t>(c.height));
  found.set =
      find(frame.view(), plane_camera(c.width, c.height, c.type, c.disparity), c.parameters,
           MutableDepthView{found.labels.data(), c.width, c.width, c.height, SampleType::kU8});
  return found;
}

// A wall at 2 m, perpendicular to the optical axis: one plane with all pixels.
TEST(FrameEngine, FindsAWallWithoutNoise) {
  planes::FrameEngine finder(1);
  const PlaneCase c{"", 320, 240, SampleType::kU16, PlaneKind::kFlat, 0, false, {}};
  const Found found =
      find_with(c, [&](const auto&... arguments) { return finder.find(arguments...); });
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

// A direction's neighbours are two rows away; a ball with one direction has no such rows.
TEST(FrameEngine, RefusesDirectionsThatMakeNoBall) {
  planes::FrameEngine finder(1);
  const auto find = [&](const auto&... arguments) { return finder.find(arguments...); };
  PlaneCase c{"", 64, 48, SampleType::kU16, PlaneKind::kRoom, 0, false, {}};
  for (const int directions : {1, 129}) {
    c.parameters.directions = directions;
    EXPECT_THROW(find_with(c, find), std::invalid_argument) << directions;
    EXPECT_THROW(find_with(c, planes::reference::find), std::invalid_argument) << directions;
    planes::VoteSpace space;
    EXPECT_THROW(space.prepare(directions, 0.04), std::invalid_argument) << directions;
  }
  c.parameters.directions = 2;
  const Found found = find_with(c, find);
  const Found expected = find_with(c, planes::reference::find);
  EXPECT_EQ(differences(expected.set, found.set), "") << "afterwards";
  EXPECT_EQ(found.labels, expected.labels) << "afterwards";
}

TEST(FrameEngine, IsUsableAfterAllocationsThatFail) {
  const PlaneCase before{"", 64, 48, SampleType::kU16, PlaneKind::kFlat, 0, false, {}};
  const PlaneCase c{"", 160, 120, SampleType::kU16, PlaneKind::kRoom, 0, false, {}};
  expect_usable_after_failures<planes::FrameEngine>(
      before, c, find_with(c, planes::reference::find),
      [](const PlaneCase& of, const auto& find) { return find_with(of, find); });
}

TEST(FrameEngine, TellsLayersApart) {
  planes::FrameEngine finder(1);
  const PlaneCase layers{"", 640, 480, SampleType::kU16, PlaneKind::kLayers, 0, false, {}};
  const Found found =
      find_with(layers, [&](const auto&... arguments) { return finder.find(arguments...); });
  ASSERT_EQ(found.set.planes.size(), 5u);
  for (const planes::Plane& plane : found.set.planes) {
    EXPECT_EQ(plane.inliers, 128 * 480);
    const double above = (plane.distance - 1.5) / 0.130;
    EXPECT_NEAR(above, std::floor(above + 0.5), 1e-9);
  }
}

}  // namespace
}  // namespace rdp::test
