// SPDX-License-Identifier: LGPL-2.1-or-later
// The engine allocates nothing after prepare(), for any pictures, and prepare() allocates nothing
// if nothing changed. A separate program, because it replaces the allocation functions.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "common/heightmap/engine.h"
#include "tests/heightmap/heightmap_cases.h"
#include "tests/support/allocation_count.h"

namespace rdp::heightmap {
namespace {

TEST(HeightmapEngineAllocation, NoneAfterPrepare) {
  if (RDP_COUNTS_ALLOCATIONS == 0) GTEST_SKIP() << "this build does not count allocations";
  std::mt19937 random(1);
  std::size_t heads = 0;
  std::int64_t known = 0;
  for (const unsigned threads : {1U, 2U, 4U}) {
    for (const std::uint64_t most_table : {std::uint64_t{0}, UINT64_MAX}) {
      for (int number = 0; number < 4; ++number) {
        const test::HeightsCase made = test::random_case(&random, 70, 50);
        const std::vector<DepthView> pictures = made.pictures();
        std::vector<DepthView> others = pictures;
        // Uniform pictures give other labels.
        const std::vector<std::uint8_t> flat(70 * 50, 7);
        for (DepthView& each : others) {
          if (each.width * each.height > 70 * 50) continue;
          each.data = reinterpret_cast<const std::byte*>(flat.data());
        }
        Engine engine(threads);
        engine.prepare(made.rig, made.parameters, made.area, most_table);
        const std::uint64_t before = allocation_count::count;
        for (int i = 0; i < 4; ++i) {
          const Result result = engine.run(i % 2 == 0 ? pictures : others);
          heads += result.heads.size();
          known += result.known;
          engine.prepare(made.rig, made.parameters, made.area, most_table);
        }
        EXPECT_EQ(allocation_count::count - before, 0U) << threads << " threads, " << made.text();
      }
    }
  }
  EXPECT_GT(heads, 50U);
  EXPECT_GT(known, 1000);
}

}  // namespace
}  // namespace rdp::heightmap
