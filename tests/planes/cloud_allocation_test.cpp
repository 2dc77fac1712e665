// SPDX-License-Identifier: LGPL-2.1-or-later
// The finder of planes of clouds allocates nothing once it has seen its largest cloud. A program of
// its own, because it replaces the allocation functions.
#include <gtest/gtest.h>

#include <vector>

#include "common/planes/cloud_engine.h"
#include "tests/planes/cloud_cases.h"
#include "tests/support/allocation_count.h"

namespace rdp::test {
namespace {

TEST(CloudAllocation, NoneInSteadyState) {
  if (RDP_COUNTS_ALLOCATIONS == 0) GTEST_SKIP() << "this build does not count allocations";
  std::vector<PaddedCloud> clouds;
  for (const CloudKind kind : {CloudKind::kRoom, CloudKind::kTiles, CloudKind::kStrewn}) {
    clouds.emplace_back(draw_cloud(kind, 100000, 1), 12, 0, 0);
    clouds.emplace_back(draw_cloud(kind, 5000, 1), 16, 0, 0);
  }
  std::vector<std::uint8_t> labels(100000);
  for (const unsigned threads : {1U, 2U, 4U}) {
    planes::CloudEngine finder(threads);
    std::uint64_t before = 0;
    for (int i = 0; i < 10; ++i) {
      if (i == 1) before = allocation_count::count;
      for (const PaddedCloud& cloud : clouds) finder.find(cloud.view, {}, labels.data());
    }
    EXPECT_EQ(allocation_count::count - before, 0U) << threads << " threads";
  }
}

}  // namespace
}  // namespace rdp::test
