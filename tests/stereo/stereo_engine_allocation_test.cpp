// SPDX-License-Identifier: LGPL-2.1-or-later
// The matcher allocates nothing once it has seen its largest pair. A program of its own, because it
// replaces the allocation functions.
#include <gtest/gtest.h>

#include "common/stereo/engine.h"
#include "tests/stereo/stereo_patterns.h"
#include "tests/support/allocation_count.h"

namespace rdp::stereo {
namespace {

using test::PairCase;
using test::StereoPair;
using test::StereoResult;

TEST(MatcherAllocation, NoneInSteadyState) {
  if (RDP_COUNTS_ALLOCATIONS == 0) GTEST_SKIP() << "this build does not count allocations";
  PairCase large;
  large.width = 320;
  large.height = 60;
  large.parameters.paths = 8;
  large.parameters.p2 = kMostPenalty;
  large.parameters.median = 5;
  PairCase small;
  small.width = 100;
  small.height = 33;
  small.mask = test::MaskKind::kHoles;
  const StereoPair large_pair(large);
  const StereoPair small_pair(small);
  const StereoResult large_result(large);
  const StereoResult small_result(small);
  for (const unsigned threads : {1U, 2U, 4U}) {
    Engine matcher(threads);
    std::uint64_t before = 0;
    for (int i = 0; i < 20; ++i) {
      if (i == 1) before = allocation_count::count;
      matcher.match(large_pair.pair(), large.parameters, large_result.result());
      matcher.match(small_pair.pair(), small.parameters, small_result.result());
    }
    EXPECT_EQ(allocation_count::count - before, 0U) << threads << " threads";
  }
}

}  // namespace
}  // namespace rdp::stereo
