// SPDX-License-Identifier: LGPL-2.1-or-later
// The definition's results on recorded sets, if present. The first bits come from two programs
// written independently from a text, without edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "common/heightmap/engine.h"
#include "common/heightmap/ground.h"
#include "common/heightmap/potential.h"
#include "common/heightmap/reference.h"
#include "tests/support/crc32.h"
#ifdef RDP_TEST_HAVE_PNG
#include "tests/bench/crowd_sets.h"
#endif

namespace rdp::heightmap {
namespace {

#ifdef RDP_TEST_HAVE_PNG

using test::crc_of;

// The largest difference of a window of 9 from its middle: along rows, then along columns.
int steepest_window(const std::vector<std::int32_t>& potential, int width, int height) {
  const auto at = [&](int row, int column) {
    return static_cast<std::size_t>(std::clamp(row, 0, height - 1) * width +
                                    std::clamp(column, 0, width - 1));
  };
  std::vector<std::int32_t> low = potential;
  std::vector<std::int32_t> high = potential;
  int steepest = 0;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const std::size_t i = at(row, column);
      for (int d = -4; d <= 4; ++d) {
        low[i] = std::min(low[i], potential[at(row, column + d)]);
        high[i] = std::max(high[i], potential[at(row, column + d)]);
      }
    }
  }
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const std::int32_t middle = potential[at(row, column)];
      for (int d = -4; d <= 4; ++d) {
        const std::size_t i = at(row + d, column);
        steepest = std::max({steepest, high[i] - middle, middle - low[i]});
      }
    }
  }
  return steepest;
}

TEST(HeightMapRecorded, BitsOfTheCrowd) {
  EXPECT_EQ(crc_of(std::vector<std::uint8_t>{'1', '2', '3', '4', '5', '6', '7', '8', '9'}),
            0xCBF43926U);
  const auto set = bench::recorded_crowd();
  if (!set.has_value()) GTEST_SKIP() << "RDPSEGMENT_TEST_DATA has no stereo/crowd-synthetic";
  Parameters parameters;
  ASSERT_EQ(static_cast<int>(check_rig(set->rig, parameters).fault), 0);
  EXPECT_EQ(speckle_pixels(set->rig, parameters), 222);
  parameters.edge_contrast = 0;
  parameters.speckle = 200;
  parameters.iterations = 40;

  const Geometry geometry = geometry_of(set->rig);
  reference::Field field{
      geometry.width, geometry.height, potential_of(geometry, parameters), {}, {}};
  EXPECT_EQ(crc_of(field.potential), 0x63D96986U);
  EXPECT_EQ(steepest_window(field.potential, field.width, field.height), 2);

  field.costs = reference::costs(geometry, set->rig, parameters, field.potential, set->pictures());
  EXPECT_EQ(crc_of(field.costs), 0x2FBA5836U);
  reference::Labelling found = reference::propagate(field, parameters);
  EXPECT_EQ(found.energy, 18189424);
  EXPECT_EQ(crc_of(found.labels), 0x37171B69U);
  reference::remove_speckles(field.width, field.height, parameters.heights(), parameters.speckle,
                             &found.labels);
  EXPECT_EQ(crc_of(found.labels), 0x60A86E98U);
  for (const std::uint64_t most_table : {std::uint64_t{0}, UINT64_MAX}) {
    Engine engine(2);
    engine.prepare(set->rig, parameters, {}, most_table);
    const Result result = engine.run(set->pictures());
    EXPECT_EQ(result.energy, found.energy);
    EXPECT_EQ(std::vector<std::uint8_t>(result.labels.begin(), result.labels.end()), found.labels);
  }
  std::vector<std::uint16_t> heights(found.labels.size());
  write_heights(parameters, found.labels,
                {reinterpret_cast<std::byte*>(heights.data()), 2 * field.width, field.width,
                 field.height, SampleType::kU16});
  EXPECT_EQ(crc_of(heights), 0xAAEE2EC1U);
}

// Results with the current defaults. Other tests compare the engine with the reference.
TEST(HeightMapRecorded, BitsOfTheDefaults) {
  const auto set = bench::recorded_crowd();
  if (!set.has_value()) GTEST_SKIP() << "RDPSEGMENT_TEST_DATA has no stereo/crowd-synthetic";
  Engine engine;
  engine.prepare(set->rig, {}, {}, 0);
  const Result found = engine.run(set->pictures());
  EXPECT_EQ(found.energy, 18156884);
  EXPECT_EQ(crc_of(std::vector<std::uint8_t>(found.labels.begin(), found.labels.end())),
            0x664A60EFU);
  EXPECT_EQ(found.heads.size(), 42U);
}

// The stored MultiviewX is valid. With the second columns negated, as published, its ground is
// behind the cameras.
TEST(HeightMapRecorded, MirroredMultiviewX) {
  const auto folder = bench::crowd_folder("multiviewx");
  if (!folder.has_value()) GTEST_SKIP() << "RDPSEGMENT_TEST_DATA has no stereo/multiviewx";
  Rig rig = bench::read_rig(*folder / "calibration.json");
  ASSERT_EQ(rig.views.size(), 6U);
  EXPECT_EQ(static_cast<int>(check_rig(rig, {}).fault), static_cast<int>(RigFault::kNone));
  for (View& view : rig.views) {
    for (auto& row : view.projection) row[1] = -row[1];
  }
  EXPECT_EQ(static_cast<int>(check_rig(rig, {}).fault), static_cast<int>(RigFault::kGroundBehind));

  // The steepest windows, at a horizon.
  int steepest = 0;
  rig = bench::read_rig(*folder / "calibration.json");
  for (rig.reference = 0; rig.reference < 6; ++rig.reference) {
    steepest = std::max(steepest, steepest_window(potential_of(geometry_of(rig), {}), 960, 540));
  }
  EXPECT_EQ(steepest, 17);
}

#else

TEST(HeightMapRecorded, NeedsLibpng) { GTEST_SKIP() << "built without libpng"; }

#endif

}  // namespace
}  // namespace rdp::heightmap
