// SPDX-License-Identifier: LGPL-2.1-or-later
// Poses from texts, and the errors for invalid ones.
#include "common/motion/pose_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace rdp::motion {
namespace {

// Index of a frame's pose; -1: none, -2: a pose that is not in the list.
int pose_of(const PoseList& list, std::uint64_t number, std::uint64_t pts, std::uint64_t tolerance,
            double origin = 0.0) {
  Pose pose;
  if (!list.of_frame(number, pts, tolerance, origin, &pose)) return -1;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (std::equal(pose.m, pose.m + 12, list[i].m)) return static_cast<int>(i);
  }
  return -2;
}

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
  EXPECT_EQ(pose_of(list, 1, 0, 0), 1);
  EXPECT_EQ(pose_of(list, 2, 0, 0), -1);
}

TEST(PoseFile, ReadsTumsLines) {
  const PoseList list = PoseList::read(
      "# timestamp tx ty tz qx qy qz qw\n"
      "0.0 1 2 3 0 0 0 1\n"
      "0.1 4 5 6 0 0.7071 0 0.7071\n"
      "0.4 0 0 0 0 0 0 -1.001\n",
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
  // Between the last two poses, 0.3 s apart, the nearest one is used.
  const Case cases[] = {{0, 0, 0},
                        {100000000, 0, 1},
                        {250000000, 150000000, 1},
                        {250000001, 150000000, 2},
                        {250000001, 140000000, -1},
                        {50000001, 0, -2},
                        {450000000, 50000001, 2},
                        {450000000, 49000000, -1},
                        {0xFFFFFFFFFFFFFFFFU, 1000000000, -1}};
  for (const Case& c : cases) {
    EXPECT_EQ(pose_of(list, 7, c.pts, c.tolerance), c.expected) << c.pts;
  }
  // The first one is after time 0, or before it.
  EXPECT_EQ(pose_of(list, 7, 300000000, 1000000, 0.1), 2);
  EXPECT_EQ(pose_of(list, 7, 0, 1000000, 0.1), 1);
  EXPECT_EQ(pose_of(list, 7, 0, 1000000, 0.5), -1);
}

// Interpolates between neighbours: position linearly, rotation at constant speed the shorter way.
TEST(PoseFile, InterpolatesTumsLines) {
  const double turn = 1.1;  // rad, about an axis that is none of the camera's
  const double axis[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3};
  const double start = 1305031102.25;
  const auto line = [&](double time, double angle, int sign) {
    std::string text = std::to_string(time) + " " + std::to_string(4 * (time - start)) + " -1 " +
                       std::to_string(-2 * (time - start));
    for (const double a : axis) {
      text += " " + std::to_string(sign * a * std::sin(angle / 2));
    }
    return text + " " + std::to_string(sign * std::cos(angle / 2)) + "\n";
  };
  // The other sign of a quaternion is the same rotation.
  const PoseList list =
      PoseList::read(line(start, 0, 1) + line(start + 0.25, turn, -1), "poses.txt");
  for (int step = 0; step <= 250; ++step) {
    Pose pose;
    ASSERT_TRUE(list.of_frame(0, static_cast<std::uint64_t>(step) * 1000000, 0, start, &pose));
    EXPECT_NEAR(pose.m[3], 0.004 * step, 1e-6) << step;
    EXPECT_NEAR(pose.m[7], -1.0, 1e-12) << step;
    EXPECT_NEAR(pose.m[11], -0.002 * step, 1e-6) << step;
    const double angle = turn * step / 250;
    EXPECT_NEAR(std::acos((pose.m[0] + pose.m[5] + pose.m[10] - 1) / 2), angle, 3e-6) << step;
    // The axis, from the rotation's antisymmetric part.
    const double s = 2 * std::sin(angle);
    EXPECT_NEAR(pose.m[9] - pose.m[6], s * axis[0], 3e-6) << step;
    EXPECT_NEAR(pose.m[2] - pose.m[8], s * axis[1], 3e-6) << step;
    EXPECT_NEAR(pose.m[4] - pose.m[1], s * axis[2], 3e-6) << step;
  }
}

TEST(PoseFile, TurnsAtConstantSpeed) {
  for (const double turn : {1e-9, 0.02, 1.0, 3.0, 3.14159265}) {
    const Quaternion from{0, 0, 0, 1};
    const Quaternion to{0, std::sin(turn / 2), 0, std::cos(turn / 2)};
    for (int step = 0; step <= 1000; ++step) {
      const double part = step / 1000.0;
      const Quaternion q = between(from, to, part);
      EXPECT_NEAR(q.y, std::sin(turn / 2 * part), 1e-14) << turn << " " << step;
      EXPECT_NEAR(q.w, std::cos(turn / 2 * part), 1e-14) << turn << " " << step;
    }
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
      {"1403636579763555584 1 2 3 0 0 0 1\n",
       "p.txt:1: found \"1403636579763555584\", expected numbers up to 1e12. Divide times in nano"},
      {"1403636579763555584,1,2,3,1,0,0,0,1,1,1\n",
       "p.txt:1: found \"1403636579763555584,1,2,3,1,0,0,0,1,1,1\", expected numbers with blanks"},
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
