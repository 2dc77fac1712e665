// SPDX-License-Identifier: LGPL-2.1-or-later
// Association of objects on the ground, by hand.
#include "common/obstacles/tracks.h"

#include <gtest/gtest.h>

#include <vector>

namespace rdp::obstacles {
namespace {

using Ids = std::vector<std::uint32_t>;

constexpr std::int64_t kTenth = 100000000;  // of a second

class ObstacleTracks : public ::testing::Test {
 protected:
  Ids next(const std::vector<Box>& boxes, std::int64_t dt = kTenth) {
    tracks.update(boxes, dt, parameters);
    Ids ids;
    for (const TrackOfBox& box : tracks.boxes()) ids.push_back(box.id);
    return ids;
  }
  Ids lost() const { return {tracks.lost().begin(), tracks.lost().end()}; }
  Ids hidden() const { return {tracks.hidden().begin(), tracks.hidden().end()}; }

  Tracks tracks;
  TrackParameters parameters;
};

TEST_F(ObstacleTracks, FollowAndMeasureSpeed) {
  for (int i = 0; i < 6; ++i) {
    // One object moving left at 1 m/s, and a static one.
    EXPECT_EQ(next({{2000, 100 * i, 600, 400}, {4000, 0, 1000, 1000}}), (Ids{1, 2})) << i;
    EXPECT_EQ(tracks.boxes()[0].age, i);
  }
  EXPECT_EQ(tracks.boxes()[0].fits, 5);
  EXPECT_EQ(tracks.boxes()[0].vx, 0);
  EXPECT_EQ(tracks.boxes()[0].vy, 256000);
  EXPECT_EQ(tracks.boxes()[1].vy, 0);
  tracks.forget_speeds();
  EXPECT_EQ(next({{2000, 500, 600, 400}}), (Ids{1}));
  EXPECT_EQ(tracks.boxes()[0].age, 6);
  EXPECT_EQ(tracks.boxes()[0].fits, 1);
}

TEST_F(ObstacleTracks, GateGrowsWithLength) {
  EXPECT_EQ(next({{1000, 0, 0, 0}}), (Ids{1}));
  EXPECT_EQ(next({{1500, 0, 0, 0}}, 0), (Ids{1})) << "500 mm away, time unknown";
  EXPECT_EQ(tracks.boxes()[0].vx, 0);
  EXPECT_EQ(next({{2001, 0, 0, 0}}, 0), (Ids{2})) << "501 mm away";
  EXPECT_EQ(next({{2501, 0, 40, 0}, {1500, 0, 0, 0}}, 0), (Ids{2, 1}));
}

TEST_F(ObstacleTracks, BestPairsFirst) {
  EXPECT_EQ(next({{1000, 0, 100, 100}, {1300, 0, 100, 100}}), (Ids{1, 2}));
  EXPECT_EQ(next({{1280, 0, 100, 100}, {1290, 0, 700, 100}}, 0), (Ids{2, 1}));
}

TEST_F(ObstacleTracks, DoubtLeavesThingsToTracksThatWereSeen) {
  for (const int doubt : {0, 200}) {
    tracks.end();
    parameters.doubt = doubt;
    const std::uint32_t seen = next({{1000, 0, 0, 0}, {1400, 0, 0, 0}}, 0)[0];
    next({{1000, 0, 0, 0}}, 0);
    EXPECT_EQ(next({{1230, 0, 0, 0}}, 0), Ids{doubt == 0 ? seen + 1 : seen});
    // It does not narrow the gate.
    EXPECT_EQ(next({{1700, 0, 0, 0}}, 0), Ids{seen + 1});
  }
}

TEST_F(ObstacleTracks, MissedAreHiddenThenLost) {
  parameters.keep = 2;
  EXPECT_EQ(next({{1000, 0, 0, 0}, {3000, 0, 0, 0}}), (Ids{1, 2}));
  EXPECT_EQ(next({{3000, 0, 0, 0}}), Ids{2});
  EXPECT_EQ(hidden(), Ids{1});
  EXPECT_EQ(lost(), Ids{});
  next({});
  EXPECT_EQ(hidden(), (Ids{1, 2}));
  EXPECT_EQ(next({{3000, 0, 0, 0}}), Ids{2});
  EXPECT_EQ(lost(), Ids{1});
  EXPECT_EQ(hidden(), Ids{});
}

TEST_F(ObstacleTracks, EndWithTime) {
  EXPECT_EQ(next({{1000, 0, 0, 0}, {3000, 0, 0, 0}}), (Ids{1, 2}));
  EXPECT_EQ(next({{1000, 0, 0, 0}}, 1000000000), Ids{1});
  EXPECT_EQ(next({{1000, 0, 0, 0}}, 1000000001), Ids{3});
  EXPECT_EQ(lost(), (Ids{1, 2}));
  EXPECT_EQ(next({{1000, 0, 0, 0}}, -1), Ids{4});
  EXPECT_EQ(lost(), Ids{3});
  tracks.end();
  EXPECT_EQ(next({}), Ids{});
  EXPECT_EQ(lost(), Ids{4});
}

TEST_F(ObstacleTracks, MoveWithTheCamera) {
  for (int i = 0; i < 5; ++i) next({{2000, 100 * i, 0, 0}});
  // A quarter to the right, and half a metre: what was left is ahead.
  GroundMotion motion;
  motion.r[0][0] = motion.r[1][1] = 0.0;
  motion.r[0][1] = 1.0;
  motion.r[1][0] = -1.0;
  motion.shift[0] = 500.0;
  tracks.move(motion);
  EXPECT_EQ(next({{1000, -2000, 0, 0}}), Ids{1});
  EXPECT_EQ(tracks.boxes()[0].vx, 256000);
  EXPECT_EQ(tracks.boxes()[0].vy, 0);
}

TEST_F(ObstacleTracks, SpeedsAndNumbersAreLimited) {
  parameters.gate = 100000;
  next({{0, 0, 0, 0}});
  next({{90000, 0, 0, 0}}, 1);
  EXPECT_EQ(tracks.boxes()[0].vx, std::int64_t{1} << 32);
  parameters = {0, 8, 255};
  tracks.end();
  for (int frame = 0; frame < 20; ++frame) {
    std::vector<Box> boxes;
    for (int i = 0; i < 255; ++i) boxes.push_back({1000 * i, 1000 * frame, 0, 0});
    next(boxes);
    EXPECT_LE(tracks.hidden().size() + boxes.size(), static_cast<std::size_t>(kMaxTracks));
  }
  EXPECT_EQ(lost().size(), 255U);
  EXPECT_EQ(tracks.hidden().size() + 255, static_cast<std::size_t>(kMaxTracks));
}

}  // namespace
}  // namespace rdp::obstacles
