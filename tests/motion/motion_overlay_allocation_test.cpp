// SPDX-License-Identifier: LGPL-2.1-or-later
// The motion painter allocates nothing after its first frames. A separate program, because it
// replaces the allocation functions.
#include <gtest/gtest.h>

#include <vector>

#include "common/motion/overlay.h"
#include "tests/motion/motion_picture.h"
#include "tests/support/allocation_count.h"

namespace rdp::motion {
namespace {

TEST(MotionOverlayAllocation, NoneAfterTheFirstFrames) {
  if (RDP_COUNTS_ALLOCATIONS == 0) GTEST_SKIP() << "this build does not count allocations";
  std::vector<test::MotionFrameLists> frames;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    frames.push_back(test::random_frame(320, 240, 1, seed));
  }
  for (const unsigned threads : {1U, 2U}) {
    OverlayPainter painter(threads);
    test::Picture picture(320, 240, 0U);
    MotionMarks marks;
    std::uint64_t before = 0;
    std::size_t arrows = 0;
    // Paints each frame in each way once, then all of them again.
    for (int i = 0; i < 40; ++i) {
      if (i == 16) before = allocation_count::count;
      const OverlayScene scene = frames[static_cast<std::size_t>(i) % 4].scene(i / 4 % 2 == 0);
      const OverlayStyle style = i / 8 % 2 == 0 ? OverlayStyle::kMotion : OverlayStyle::kBirdsEye;
      painter.paint(scene, {style, true}, picture.view);
      marks.look(scene, {}, 320, 240, MotionMarks::Shown::kMovingOnly);
      marks.paint(picture.view, 99, PixelOrder::kBgra, 0, 240);
      arrows += marks.arrows();
    }
    EXPECT_EQ(allocation_count::count - before, 0U) << threads << " threads";
    EXPECT_GT(arrows, 40U);
  }
}

}  // namespace
}  // namespace rdp::motion
