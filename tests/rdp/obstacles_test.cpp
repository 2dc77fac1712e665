// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/obstacles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

#include "common/rdp/segment_class.h"

namespace rdp {
namespace {

constexpr std::uint8_t kOther = static_cast<std::uint8_t>(SegmentClass::kOther);
constexpr std::uint8_t kGround = static_cast<std::uint8_t>(SegmentClass::kGround);
constexpr std::uint8_t kUpright = static_cast<std::uint8_t>(SegmentClass::kUpright);

// Columns of segments with their classes.
struct Frame {
  FrameColumns columns;
  std::vector<std::uint32_t> offsets{0};
  std::vector<Segment> segments;
  std::vector<std::uint8_t> classes;

  void add_column(const std::vector<Segment>& of, const std::vector<std::uint8_t>& their) {
    segments.insert(segments.end(), of.begin(), of.end());
    classes.insert(classes.end(), their.begin(), their.end());
    offsets.push_back(static_cast<std::uint32_t>(segments.size()));
  }
  SegmentArrays arrays() const { return {offsets, segments}; }
  std::vector<Obstacle> obstacles(const ObstacleRules& rules = {}) const {
    ObstacleFinder finder;
    finder.find(arrays(), classes, columns, rules);
    const auto found = finder.find(arrays(), classes, columns, rules);  // and once more
    return {found.begin(), found.end()};
  }
};

TEST(ClassMask, HasEachPixelOnce) {
  Frame frame{{5, 6, 2}};
  frame.add_column({{1, 3, 8, 8}, {3, 4, 8, 9}}, {kUpright, kGround});
  frame.add_column({}, {});
  frame.add_column({{0, 0, 1, 1}, {5, 5, 2, 2}}, {kOther, kGround});
  const std::size_t stride = 7;
  std::vector<std::uint8_t> mask(6 * stride, 99);
  write_class_mask(frame.arrays(), frame.classes, frame.columns, mask.data(), stride);
  const std::uint8_t u = kUpright + 1;
  const std::uint8_t g = kGround + 1;
  const std::uint8_t o = kOther + 1;
  const std::vector<std::uint8_t> expected = {0, 0, 0, 0, o, 99, 99, u, u, 0, 0, 0, 99, 99,
                                              u, u, 0, 0, 0, 99, 99, u, u, 0, 0, 0, 99, 99,
                                              g, g, 0, 0, 0, 99, 99, 0, 0, 0, 0, g, 99, 99};
  EXPECT_EQ(mask, expected);
}

// An object of two columns, and a distant one that touches it in the image.
TEST(Obstacles, AreSegmentsOfNeighbouringColumns) {
  Frame frame{{6, 40, 1}};
  frame.add_column({{0, 39, 5, 5}}, {kGround});
  frame.add_column({{4, 20, 100, 100}, {21, 39, 50, 70}}, {kUpright, kGround});
  frame.add_column({{2, 18, 104, 104}}, {kUpright});
  frame.add_column({{2, 18, 40, 40}}, {kUpright});
  frame.add_column({{2, 10, 40, 40}, {11, 30, 90, 90}}, {kOther, kUpright});
  frame.add_column({}, {});
  const std::vector<Obstacle> expected = {
      {1, 2, 2, 20, 102.0}, {4, 4, 11, 30, 90.0}, {3, 3, 2, 18, 40.0}};
  EXPECT_EQ(frame.obstacles(), expected);
  // Depth: the smaller, the nearer.
  const std::vector<Obstacle> by_depth = {expected[2], expected[1], expected[0]};
  EXPECT_EQ(frame.obstacles({.larger_is_nearer = false}), by_depth);
  EXPECT_EQ(frame.obstacles({.most = 1}), std::vector<Obstacle>{expected[0]});
  // 4 of 104 are less than a sixteenth; values further apart need the tolerance.
  EXPECT_EQ(frame.obstacles({.tolerance = 64.0}).size(), 2U);
}

// A U: two arms joined only at the bottom, found from the left.
TEST(Obstacles, JoinWhereArmsMeet) {
  Frame frame{{64, 64, 1}};
  for (int c = 0; c < 64; ++c) {
    if (c == 0) {
      frame.add_column({{0, 20, 9, 9}, {40, 60, 9, 9}}, {kUpright, kUpright});
    } else if (c < 63) {
      frame.add_column({{0, 20, 9, 9}, {21, 39, 1, 8}, {40, 60, 9, 9}},
                       {kUpright, kOther, kUpright});
    } else {
      frame.add_column({{0, 60, 9, 9}}, {kUpright});
    }
  }
  EXPECT_EQ(frame.obstacles(), (std::vector<Obstacle>{{0, 63, 0, 60, 9.0}}));
}

TEST(Obstacles, LeaveOutWhatIsSmall) {
  Frame frame{{128, 96, 1}};
  for (int c = 0; c < 128; ++c) {
    if (c == 10) {
      frame.add_column({{0, 50, 9, 9}}, {kUpright});  // one column of 128
    } else if (c == 20 || c == 21) {
      frame.add_column({{0, 2, 9, 9}}, {kUpright});
    } else if (c == 30 || c == 31) {
      frame.add_column({{0, 1, 9, 9}}, {kUpright});  // two rows of 96
    } else {
      frame.add_column({}, {});
    }
  }
  EXPECT_EQ(frame.obstacles(), (std::vector<Obstacle>{{20, 21, 0, 2, 9.0}}));
}

// The last group of columns may be narrower.
TEST(Obstacles, AreInPixels) {
  Frame frame{{7, 8, 3}};
  for (int c = 0; c < 3; ++c) frame.add_column({{1, 6, 10, 12}}, {kUpright});
  EXPECT_EQ(frame.obstacles(), (std::vector<Obstacle>{{0, 6, 1, 6, 11.0}}));
}

// The boxes equal those of a brute-force search over all pairs of segments.
TEST(Obstacles, AreThoseOfAPlainSearch) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    Frame frame{{40, 32, 1}};
    std::vector<int> column_of;
    std::vector<int> first_row;  // each segment's first unshared row
    for (int c = 0; c < 40; ++c) {
      std::vector<Segment> column;
      std::vector<std::uint8_t> classes;
      for (unsigned row = random() % 6; row + 1 < 32;) {
        const unsigned last = std::min(31U, row + static_cast<unsigned>(random() % 9));
        const auto value = static_cast<float>(1 + random() % 4 * 20);
        const bool shared = !column.empty() && column.back().last_row == row;
        first_row.push_back(static_cast<int>(row) + (shared ? 1 : 0));
        column.push_back(
            {static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(last), value, value});
        classes.push_back(random() % 3 == 0 ? kGround : kUpright);
        column_of.push_back(c);
        // The next segment may share the last row, unless this one is a single row.
        row = last + (random() % 2 == 0 && last > row ? 0 : 1);
      }
      frame.add_column(column, classes);
    }
    const std::size_t n = frame.segments.size();
    std::vector<std::size_t> label(n);
    for (std::size_t i = 0; i < n; ++i) label[i] = i;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          const Segment& a = frame.segments[i];
          const Segment& b = frame.segments[j];
          const int common =
              std::min(a.last_row, b.last_row) - std::max(first_row[i], first_row[j]) + 1;
          const int shorter = std::min(a.last_row - first_row[i], b.last_row - first_row[j]) + 1;
          if (column_of[j] != column_of[i] + 1 || frame.classes[i] != kUpright ||
              frame.classes[j] != kUpright || common < 1 || common * 2 < shorter ||
              a.first_value != b.first_value || label[i] == label[j]) {
            continue;
          }
          label[i] = label[j] = std::min(label[i], label[j]);
          changed = true;
        }
      }
    }
    std::vector<Obstacle> expected;
    for (std::size_t thing = 0; thing < n; ++thing) {
      if (label[thing] != thing || frame.classes[thing] != kUpright) continue;
      Obstacle box{40, -1, 32, -1, frame.segments[thing].first_value};
      for (std::size_t i = 0; i < n; ++i) {
        if (label[i] != thing) continue;
        box.first_column = std::min(box.first_column, column_of[i]);
        box.last_column = std::max(box.last_column, column_of[i]);
        box.first_row = std::min<int>(box.first_row, frame.segments[i].first_row);
        box.last_row = std::max<int>(box.last_row, frame.segments[i].last_row);
      }
      expected.push_back(box);
    }
    std::sort(expected.begin(), expected.end(), [](const Obstacle& a, const Obstacle& b) {
      return std::tuple(-a.value, a.first_column, a.first_row, a.last_column, a.last_row) <
             std::tuple(-b.value, b.first_column, b.first_row, b.last_column, b.last_row);
    });
    ASSERT_TRUE(frame.obstacles({.tolerance = 1.0, .most = n}) == expected) << trial;
  }
}

}  // namespace
}  // namespace rdp
