// SPDX-License-Identifier: LGPL-2.1-or-later
// State that the engine keeps between frames. tests/bits compares every result with the scalar
// reference.
#include "common/klt/engine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/klt/klt_frames.h"

namespace rdp::klt {
namespace {

using test::klt_picture;
using test::PictureKind;
using test::TestFrame;

// Ensures that the other tests have features to compare.
TEST(KltEngine, FollowsATexture) {
  Parameters parameters;
  parameters.cell = 8;
  Engine engine(1);
  State camera;
  for (int i = 0; i < 6; ++i) {
    const TestFrame frame = klt_picture(PictureKind::kTexture, 160, 120, 4, 2 * i, -i);
    const Result result = engine.track({frame.view(), {}, {}}, parameters, &camera);
    camera.commit();
    const auto old = std::count_if(result.tracks.begin(), result.tracks.end(),
                                   [](const Track& track) { return track.age > 0; });
    EXPECT_TRUE(i == 0 ? old == 0 : old > 50) << old << " in frame " << i;
  }
}

TEST(KltEngine, FlushAndRestart) {
  const TestFrame frame = klt_picture(PictureKind::kTexture, 80, 60, 6);
  Engine engine(1);
  State camera;
  const auto next = [&] {
    const Result result = engine.track({frame.view(), {}, {}}, {}, &camera);
    camera.commit();
    return result;
  };
  const std::size_t count = next().tracks.size();
  ASSERT_GT(count, 4U);
  EXPECT_EQ(next().tracks[0].age, 1U);
  camera.end_tracks();
  Result result = next();
  EXPECT_TRUE(result.lost.empty());
  EXPECT_EQ(result.tracks[0].age, 0U);
  EXPECT_EQ(result.tracks[0].id, count + 1);
  camera.restart();
  result = next();
  EXPECT_EQ(result.tracks[0].id, 1U);
  // Uncommitted results are dropped.
  engine.track({frame.view(), {}, {}}, {}, &camera);
  camera.end_tracks();
  camera.commit();
  EXPECT_EQ(next().tracks[0].id, count + 1);
}

}  // namespace
}  // namespace rdp::klt
