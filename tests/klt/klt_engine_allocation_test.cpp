// SPDX-License-Identifier: LGPL-2.1-or-later
// The engine allocates nothing after a camera's first frame. A separate program, because it
// replaces the allocation functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/klt/engine.h"
#include "tests/klt/klt_frames.h"
#include "tests/support/allocation_count.h"

namespace rdp::klt {
namespace {

TEST(KltEngineAllocation, NoneAfterTheFirstFrame) {
  if (RDP_COUNTS_ALLOCATIONS == 0) GTEST_SKIP() << "this build does not count allocations";
  std::vector<test::TestFrame> frames;
  frames.push_back(test::klt_picture(test::PictureKind::kFlat, 200, 120, 1));
  for (int i = 0; i < 3; ++i) {
    frames.push_back(test::klt_picture(test::PictureKind::kTexture, 200, 120, 1, i, i));
    frames.push_back(test::klt_picture(test::PictureKind::kNoise, 200, 120, 2));
  }
  for (const unsigned threads : {1U, 2U, 3U, 4U}) {
    Engine engine(threads);
    State camera;
    std::uint64_t before = 0;
    std::size_t most = 0;
    for (int i = 0; i < 30; ++i) {
      if (i == 1) before = allocation_count::count;
      Parameters parameters;
      parameters.max_features = i % 3 == 0 ? 20 : 0;
      parameters.levels = 1 + i % 4;
      if (threads > 2) parameters.warp = Warp::kAffine;
      const DepthView frame = frames[static_cast<std::size_t>(i) % frames.size()].view();
      most = std::max(most, engine.track({frame, {}, {}}, parameters, &camera).tracks.size());
      camera.commit();
    }
    EXPECT_EQ(allocation_count::count - before, 0U) << threads << " threads";
    EXPECT_GT(most, 50U);
  }
}

}  // namespace
}  // namespace rdp::klt
