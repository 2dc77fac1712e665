// SPDX-License-Identifier: LGPL-2.1-or-later
// Poses of texts, and what is said of those that are none.
#include "common/motion/pose_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace rdp::motion {
namespace {

const char kStraight[] = "1 0 0 0 0 1 0 0 0 0 1 ";

TEST(PoseFile, ReadsKittisLines) {
  const PoseList list = PoseList::read(
      "1.0 0 0 0.5 0 1 0 -2e-1 0 0 1 3\r\n\n# turned to the right\n"
      "0 0 1 1 0 1 0 2 -1 0 0 +3",
      "poses.txt");
  EXPECT_FALSE(list.is_timed());
  ASSERT_EQ(list.size(), 2U);
  const double second[12] = {0, 0, 1, 1, 0, 1, 0, 2, -1, 0, 0, 3};
  for (int i = 0; i < 12; ++i) EXPECT_EQ(list[1].m[i], second[i]);
  EXPECT_EQ(list[0].m[7], -0.2);
  EXPECT_EQ(list.of_frame(1, 0, 0), &list[1]);
  EXPECT_EQ(list.of_frame(2, 0, 0), nullptr);
}

TEST(PoseFile, ReadsTumsLines) {
  const PoseList list = PoseList::read(
      "# timestamp tx ty tz qx qy qz qw\n"
      "0.0 1 2 3 0 0 0 1\n"
      "0.1 4 5 6 0 0.7071 0 0.7071\n"
      "0.3 0 0 0 0 0 0 -1.001\n",
      "poses.txt");
  EXPECT_TRUE(list.is_timed());
  ASSERT_EQ(list.size(), 3U);
  const double quarter[12] = {0, 0, 1, 4, 0, 1, 0, 5, -1, 0, 0, 6};  // about y
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(list[1].m[i], quarter[i], 1e-12) << i;
  for (const int i : {0, 5, 10}) EXPECT_NEAR(list[2].m[i], 1.0, 1e-12);

  struct Case {
    std::uint64_t pts, tolerance;
    int expected;  // -1: none
  };
  const Case cases[] = {{0, 0, 0},
                        {100000000, 1, 1},
                        {50000000, 60000000, 0},
                        {49999999, 60000000, 0},
                        {50000001, 60000000, 1},
                        {50000001, 40000000, -1},
                        {240000000, 100000000, 2},
                        {350000000, 50000001, 2},
                        {350000000, 49000000, -1},
                        {0xFFFFFFFFFFFFFFFFU, 1000000000, -1}};
  for (const Case& c : cases) {
    const Pose* pose = list.of_frame(7, c.pts, c.tolerance);
    EXPECT_EQ(pose, c.expected < 0 ? nullptr : &list[static_cast<std::size_t>(c.expected)])
        << c.pts;
  }
}

TEST(PoseFile, SaysWhatIsWrong) {
  struct Case {
    std::string text;
    const char* message;
  };
  const std::string straight = kStraight;
  const Case cases[] = {
      {"", "p.txt: found no poses, expected a line of 12"},
      {"# nothing\n\n", "p.txt: found no poses"},
      {"1 2 3\n", "p.txt:1: found 3 numbers, expected 12 (KITTI"},
      {straight + "0 0\n", "p.txt:1: found 13 numbers, expected 12 (KITTI"},
      {straight + "0\n\n" + straight + "\n",
       "p.txt:3: found 11 numbers, expected 12, as in the first line"},
      {straight + "0\n0.1 1 2 3 0 0 0 1\n", "p.txt:2: found 8 numbers, expected 12"},
      {straight + "zero\n", "p.txt:1: found \"zero\", expected numbers alone"},
      {straight + "nan\n", "p.txt:1: found \"nan\", expected numbers"},
      {straight + "1e10\n", "p.txt:1: found a place that is too far away, expected metres"},
      {straight + "1e13\n", "p.txt:1: found \"1e13\", expected numbers alone, up to 1e12"},
      {"P0: " + straight, "p.txt:1: found \"P0:\""},
      {"707 0 602 0 0 707 183 0 0 0 1 0\n", "p.txt:1: found three rows that are no rotation"},
      {"1 0 0 0 0 1 0 0 0 0 -1 0\n", "p.txt:1: found three rows that are no rotation"},
      {"0 1 2 3 0 0 0 0\n", "p.txt:1: found a quaternion of length 0.000000, expected one"},
      {"0 1 2 3 0 0 0 1\n0 1 2 3 0 0 0 1\n", "p.txt:2: found a time that is not after"},
  };
  for (const Case& c : cases) {
    try {
      PoseList::read(c.text, "p.txt");
      ADD_FAILURE() << "expected an error: " << c.message;
    } catch (const PoseError& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, std::string(c.message).size()), c.message);
      EXPECT_LT(std::string(error.what()).size(), 250U);
    }
  }
}

}  // namespace
}  // namespace rdp::motion
