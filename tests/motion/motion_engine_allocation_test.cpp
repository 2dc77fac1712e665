// SPDX-License-Identifier: LGPL-2.1-or-later
// The engine allocates nothing after its largest frame. A separate program, because it replaces the
// allocation functions.
#include <gtest/gtest.h>

#include <vector>

#include "common/motion/engine.h"
#include "tests/motion/motion_stream.h"
#include "tests/support/allocation_count.h"

namespace rdp::motion {
namespace {

TEST(MotionEngineAllocation, NoneAfterTheLargestFrame) {
  if (RDP_COUNTS_ALLOCATIONS == 0) GTEST_SKIP() << "this build does not count allocations";
  for (const EgoMotion ego : {EgoMotion::kNone, EgoMotion::kGiven, EgoMotion::kEstimate}) {
    Parameters parameters;
    parameters.ego_motion = ego;
    test::Stream stream({}, 1);
    Engine engine;
    int known = 0;
    for (int k = 0; k < 20; ++k) {
      Input in = stream.next();
      if (k % 5 == 4) in.tracks = in.tracks.first(in.tracks.size() / 2);
      if (k == 12) engine.reset();
      const std::uint64_t before = allocation_count::count;
      known += engine.advance(in, parameters).counts.known;
      // Two frames, because track states are double-buffered.
      if (k >= 2) {
        EXPECT_EQ(allocation_count::count - before, 0U) << "frame " << k;
      }
    }
    EXPECT_GT(known, 100);
  }
}

}  // namespace
}  // namespace rdp::motion
