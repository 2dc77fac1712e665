// SPDX-License-Identifier: LGPL-2.1-or-later
// The scores of height maps, on cases worked out by hand.
#include "tests/bench/accuracy/heightmap_score.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace rdp::bench {
namespace {

TEST(HeightScore, CountsTruePixelsAndOthers) {
  const heightmap::Parameters parameters;  // 1400 to 1975 by 25; 24 is unknown
  const std::vector<std::uint16_t> truth{1399, 1400, 1437, 1438, 1989, 1990, 0, 1700};
  const std::vector<std::uint8_t> labels{0, 0, 0, 0, 24, 23, 24, 12};
  const HeightScore score = score_heights(parameters, labels, truth);
  EXPECT_DOUBLE_EQ(score.found, 80.0);  // 4 of 5
  EXPECT_DOUBLE_EQ(score.right, 60.0);  // 38 mm are more than a step and a half
  EXPECT_DOUBLE_EQ(score.mistaken, 200.0 / 3.0);
  EXPECT_EQ(score_heights(parameters, {}, {}).found, 0.0);
}

TEST(HeadScore, PairsTheNearestFirst) {
  const std::vector<Person> people{{0.0, 0.0, 1.7}, {0.2, 0.0, 1.8}, {5.0, 5.0, 1.6}};
  // The first head is 90 mm from the second person, who is closer to the second head, and 110 mm
  // from the first.
  const std::vector<heightmap::Head> heads{
      {0, 0, 110, 0, 1690, 10}, {0, 0, 190, 0, 1775, 10}, {0, 0, 5000, 5151, 1600, 10}};
  const HeadScore score = score_heads(heads, people);
  EXPECT_EQ(score.people, 3);
  EXPECT_EQ(score.found, 2);
  EXPECT_EQ(score.mistaken, 1);  // 151 mm off
  EXPECT_DOUBLE_EQ(score.distance, 110.0);
  // Not exact: 1.8 is no double, and compilers may fuse its multiplication.
  EXPECT_NEAR(score.height, 25.0, 1e-9);
}

TEST(HeadScore, OneHeadIsNotTwoPeople) {
  const std::vector<Person> people{{0.0, 0.0, 1.7}, {0.1, 0.0, 1.7}};
  const HeadScore score =
      score_heads(std::vector<heightmap::Head>{{0, 0, 50, 0, 1700, 10}}, people);
  EXPECT_EQ(score.found, 1);
  EXPECT_EQ(score.mistaken, 0);
}

TEST(IdScore, CountsChangesAndVelocities) {
  heightmap::HeadTracks tracks;
  IdScore score;
  const auto add = [&](double x, std::vector<heightmap::Head> heads) {
    tracks.update(heads, 100000000, heightmap::kHeadTracks);
    score.add(heads, tracks, {{x, 0.0, 1.7}}, {{x + 0.1, 0.0, 1.7}}, 0.1);
  };
  for (int i = 0; i < 5; ++i) add(0.1 * i, {{0, 0, 100 * i, 0, 1700, 10}});
  EXPECT_EQ(score.found, 5);
  EXPECT_EQ(score.changes, 0);
  EXPECT_EQ(score.off.size(), 2U);
  EXPECT_NEAR(score.off[1], 0.0, 1e-3);
  add(0.5, {});
  EXPECT_EQ(score.missed, 1);
  // The track continues with a head that is closer to its predicted place.
  add(0.6, {{0, 0, 500, 0, 1700, 10}, {0, 0, 599, 300, 1700, 10}, {0, 0, 600, 1, 1700, 10}});
  EXPECT_EQ(score.changes, 0);
  add(0.7, {{0, 0, 700, 100, 1700, 10}, {0, 0, 701, 1, 1700, 10}});
  add(5.0, {{0, 0, 5000, 0, 1700, 10}});
  EXPECT_EQ(score.changes, 1);
}

}  // namespace
}  // namespace rdp::bench
