// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares both plane definitions (frames, point clouds) with second implementations written from
// their pages. SEED=N repeats the random cases.
#include "tests/planes/second_definition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "common/planes/clouds/reference.h"
#include "common/planes/frames/reference.h"
#include "tests/planes/cloud_cases.h"
#include "tests/planes/plane_differences.h"
#include "tests/planes/plane_patterns.h"
#include "tests/planes/second_cloud.h"
#include "tests/support/guarded_frame.h"

namespace rdp::test {
namespace {

std::uint32_t seed() {
  static const std::uint32_t value = [] {
    const char* text = std::getenv("SEED");
    const auto drawn = text == nullptr
                           ? std::random_device{}()
                           : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
    std::printf("SEED=%u\n", drawn);
    return drawn;
  }();
  return value;
}

// Coverage of the cases.
struct Seen {
  int with_planes = 0, with_two = 0;
};

void compare(const PlaneCase& c, const MetricCamera& camera, Seen* seen) {
  const TestFrame frame(c.width, c.height, c.type);
  draw_planes(frame.view(), c.kind, c.seed);
  const auto pixels = static_cast<std::size_t>(c.width) * static_cast<std::size_t>(c.height);
  std::vector<std::uint8_t> expected_labels;
  const planes::PlaneSet expected =
      second_planes(frame.view(), camera, c.parameters, &expected_labels);
  std::vector<std::uint8_t> labels(pixels, 0xEE);
  const planes::PlaneSet got = planes::reference::find(
      frame.view(), camera, c.parameters,
      {reinterpret_cast<std::byte*>(labels.data()), c.width, c.width, c.height, SampleType::kU8});
  EXPECT_EQ(differences(expected, got), "") << c.name;
  EXPECT_EQ(label_differences(expected_labels.data(), labels.data(), pixels), "") << c.name;
  seen->with_planes += got.planes.empty() ? 0 : 1;
  seen->with_two += got.planes.size() < 2 ? 0 : 1;
}

// All kinds, sizes and settings; frames too large for this slow definition are sampled randomly.
TEST(SecondDefinition, OfUsualCases) {
  std::mt19937 random(seed());
  Seen seen;
  for (const PlaneCase& c : plane_cases(false)) {
    if (c.width * c.height > 6000 && random() % 30 != 0) continue;
    compare(c, plane_camera(c.width, c.height, c.type, c.disparity), &seen);
  }
  EXPECT_GT(seen.with_planes, 10);
}

// Any property, over its range.
planes::Parameters any_parameters(std::mt19937* random) {
  const auto one_in = [&](unsigned n) { return (*random)() % n == 0; };
  const auto of = [&](std::initializer_list<double> values) {
    return values.begin()[(*random)() % values.size()];
  };
  // Log-uniform between the two.
  const auto between = [&](double least, double most) {
    return least * std::pow(most / least, std::uniform_real_distribution<>(0.0, 1.0)(*random));
  };
  planes::Parameters p;
  p.min_inliers = static_cast<std::int64_t>(of({0, 1, 2, 20, 200, 1e9}));
  if (one_in(8)) p.min_value = static_cast<int>(of({0, 2, 40, 1500, 65535}));
  if (one_in(8)) p.max_value = static_cast<int>(of({0, 1, 100, 2500, 65534}));
  if (one_in(4)) p.noise = between(1e-5, 1.0);
  if (one_in(4)) p.noise_floor = one_in(3) ? 0.0 : between(1e-5, 10.0);
  if (one_in(4)) p.bend = one_in(3) ? 0.0 : between(1e-4, 1.0);
  if (one_in(4)) p.tolerance = between(1e-4, 100.0);
  if (one_in(4)) p.tolerance_z2 = one_in(3) ? 0.0 : between(1e-5, 1.0);
  // Bend and tolerance such that only one of the two merge rules applies.
  if (one_in(5)) p.bend = 0.05, p.tolerance = 1e-4, p.tolerance_z2 = 0.0;
  if (one_in(4)) p.fill = of({0.0, 0.1, 0.51, 0.9, 1.0});
  if (one_in(4)) p.directions = static_cast<int>(one_in(3) ? of({2, 3, 128}) : between(2, 128));
  if (one_in(4)) p.distance_step = between(1e-3, 100.0);
  if (one_in(4)) p.rounds = static_cast<int>(of({1, 2, 3, 5, 16}));
  if (one_in(4)) p.max_thickness = one_in(3) ? 0.0 : between(1e-3, 10.0);
  if (one_in(4)) p.max_planes = static_cast<int>(of({1, 2, 5, 255}));
  p.connected = !one_in(3);
  p.hull = !one_in(4);
  if (one_in(3)) {
    for (double& u : p.up) u = of({0.0, 1.0, -1.0, -0.5, -7.25});
  }
  if (one_in(3)) p.ground_tilt = of({0.0, 10.0, 60.0, 89.9, 90.0});
  return p;
}

TEST(SecondDefinition, OfAnyProperties) {
  Seen seen;
  for (std::uint32_t number = 0; number < 50; ++number) {
    std::mt19937 random(seed() + number * 7919);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    PlaneCase c;
    c.kind = static_cast<PlaneKind>(below(2) == 0 ? 0 : below(kPlaneKinds));
    c.width = 1 + below(below(4) == 0 ? 160 : 70);
    c.height = 1 + below(below(4) == 0 ? 120 : 60);
    if (below(12) == 0) (below(2) == 0 ? c.width : c.height) = 1;
    c.type = below(3) == 0 ? SampleType::kU8 : SampleType::kU16;
    c.disparity = below(3) == 0;
    c.seed = static_cast<std::uint32_t>(random());
    c.parameters = any_parameters(&random);
    MetricCamera camera = plane_camera(c.width, c.height, c.type, c.disparity);
    // Sample units of 2^-6 to 2^5 times the usual one: from points that reach nowhere to points
    // beyond all coordinates.
    if (below(4) == 0) camera.depth.factor *= std::ldexp(1.0, below(12) - 6);
    // A wide view, and one that is cropped far from the middle.
    if (below(4) == 0) {
      const bool wide = below(2) == 0;
      camera.focal_x = camera.focal_y = (wide ? 0.55 : 3.0) * std::max(c.width, c.height);
      camera.principal_x = (wide ? 0.0 : -1.5) * c.width;
      camera.principal_y = (wide ? 0.9 : 2.5) * c.height;
    }
    c.name = std::string(name_of(c.kind)) + " " + std::to_string(c.width) + "x" +
             std::to_string(c.height) + ", number " + std::to_string(number);
    compare(c, camera, &seen);
  }
  EXPECT_GT(seen.with_planes, 5);
  EXPECT_GT(seen.with_two, 0);
}

bool compare_clouds(const CloudCase& c) {
  const PaddedCloud cloud = c.draw();
  std::vector<std::uint8_t> expected_labels;
  const planes::PlaneSet expected = second_cloud_planes(cloud.view, c.parameters, &expected_labels);
  std::vector<std::uint8_t> labels(cloud.view.points + 1, 0xEE);
  const planes::PlaneSet got =
      planes::reference::find_in_cloud(cloud.view, c.parameters, labels.data());
  EXPECT_EQ(differences(expected, got), "") << c.name << ", " << c.points << " points";
  EXPECT_EQ(label_differences(expected_labels.data(), labels.data(), cloud.view.points), "")
      << c.name << ", " << c.points << " points";
  return !got.planes.empty();
}

// All kinds of point clouds and settings; large ones are sampled randomly.
TEST(SecondDefinition, OfUsualClouds) {
  std::mt19937 random(seed());
  int with_planes = 0;
  for (const CloudCase& c : cloud_cases(false)) {
    if (c.points > 1000 && random() % 25 != 0) continue;
    with_planes += compare_clouds(c) ? 1 : 0;
  }
  EXPECT_GT(with_planes, 0);
}

TEST(SecondDefinition, OfCloudsAndAnyProperties) {
  int with_planes = 0;
  // 30 of them, and more in the 1 of 250 times that none of these has a plane.
  for (std::uint32_t number = 0; number < (with_planes > 0 ? 30U : 300U); ++number) {
    std::mt19937 random(seed() + number * 7907);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    CloudCase c{};
    c.kind = static_cast<CloudKind>(below(2) == 0 ? 0 : below(kCloudKinds));
    c.points = static_cast<std::size_t>(below(4) == 0 ? below(100) : 1000 + below(1500));
    c.seed = static_cast<std::uint32_t>(random());
    c.step = 12 + static_cast<std::size_t>(below(5));
    c.unit = below(2) == 0 ? 1.0 : 0.001;
    c.forward_left_up = below(2) == 0;
    if (below(2) == 0) c.parameters = any_parameters(&random);
    if (below(2) == 0) c.parameters.min_level = below(9);
    if (below(2) == 0) c.parameters.max_depth = below(9);
    c.parameters.min_points = below(3) == 0 ? 1 + below(100) : 30;
    if (below(3) == 0) c.parameters.resolution = std::ldexp(1.0, below(24) - 20);
    c.parameters.zero_is_unknown = below(2) == 0;
    c.name = std::string(name_of(c.kind)) + ", number " + std::to_string(number);
    with_planes += compare_clouds(c) ? 1 : 0;
  }
  EXPECT_GT(with_planes, 0);
}

}  // namespace
}  // namespace rdp::test
