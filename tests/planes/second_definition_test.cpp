// SPDX-License-Identifier: LGPL-2.1-or-later
// The definition of planes of frames against a second one that was written from its page. SEED=N
// repeats the cases that are drawn by lot.
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

#include "common/planes/reference.h"
#include "tests/planes/plane_differences.h"
#include "tests/planes/plane_patterns.h"
#include "tests/support/guarded_frame.h"

namespace rdp::test {
namespace {

// What the cases were worth.
struct Seen {
  int frames = 0, with_planes = 0, with_two = 0, merged = 0, grounds = 0, dropped = 0;
};

void compare(const PlaneCase& c, const MetricCamera& camera, const TestFrame& frame, Seen* seen) {
  const auto pixels = static_cast<std::size_t>(c.width) * static_cast<std::size_t>(c.height);
  std::vector<std::uint8_t> expected_labels;
  const planes::PlaneSet expected =
      second_planes(frame.view(), camera, c.parameters, &expected_labels);
  std::vector<std::uint8_t> labels(pixels, 0xEE);
  const planes::PlaneSet got = planes::reference::find(
      frame.view(), camera, c.parameters,
      {reinterpret_cast<std::byte*>(labels.data()), c.width, c.width, c.height, SampleType::kU8});
  EXPECT_EQ(differences(expected, got), "") << c.name << ", seed " << c.seed;
  EXPECT_EQ(label_differences(expected_labels.data(), labels.data(), pixels), "")
      << c.name << ", seed " << c.seed;
  seen->frames += 1;
  seen->with_planes += got.planes.empty() ? 0 : 1;
  seen->with_two += got.planes.size() < 2 ? 0 : 1;
  seen->merged += got.counts.merged > 0 ? 1 : 0;
  seen->grounds += got.ground.plane >= 0 ? 1 : 0;
  seen->dropped += got.counts.small + got.counts.thick + got.counts.surplus > 0 ? 1 : 0;
}

TEST(SecondDefinition, OfTheUsualCases) {
  Seen seen;
  for (const PlaneCase& c : plane_cases(false)) {
    const MetricCamera camera = plane_camera(c.width, c.height, c.type, c.disparity);
    const TestFrame frame(c.width, c.height, c.type);
    draw_planes(frame.view(), c.kind, c.seed);
    compare(c, camera, frame, &seen);
  }
  std::printf("%d frames, with planes %d, two %d, merged %d, ground %d, dropped %d\n", seen.frames,
              seen.with_planes, seen.with_two, seen.merged, seen.grounds, seen.dropped);
}

}  // namespace
}  // namespace rdp::test
