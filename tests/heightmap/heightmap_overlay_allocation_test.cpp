// SPDX-License-Identifier: LGPL-2.1-or-later
// The painter of height maps allocates nothing after its first sets. A separate program, because it
// replaces the allocation functions.
#include <gtest/gtest.h>

#include <vector>

#include "common/heightmap/overlay.h"
#include "tests/heightmap/heights_picture.h"
#include "tests/support/allocation_count.h"

namespace rdp::heightmap {
namespace {

TEST(HeightmapOverlayAllocation, NoneAfterTheFirstSets) {
  if (RDP_COUNTS_ALLOCATIONS == 0) GTEST_SKIP() << "this build does not count allocations";
  const Rig rig = test::rig_of(test::kTilted, 700, 320, 240);
  std::vector<test::HeightsSet> sets;
  for (std::uint64_t seed = 0; seed < 4; ++seed) sets.push_back(test::random_set(rig, seed));
  for (const unsigned threads : {1U, 2U}) {
    OverlayPainter painter(threads);
    test::Picture picture(320, 240, 0U);
    std::uint64_t before = 0;
    std::size_t heads = 0;
    // Paints each set in each style once, then all of them again.
    for (std::size_t i = 0; i < 36; ++i) {
      if (i == 12) before = allocation_count::count;
      const OverlayScene scene = sets[i % 4].scene();
      heads += scene.heads.size();
      painter.paint(scene, {static_cast<OverlayStyle>(i / 4 % 3), true}, picture.view);
    }
    EXPECT_EQ(allocation_count::count - before, 0U) << threads << " threads";
    EXPECT_GT(heads, 100U);
  }
}

}  // namespace
}  // namespace rdp::heightmap
