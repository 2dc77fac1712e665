// SPDX-License-Identifier: LGPL-2.1-or-later
// Grouping of moving segments into things: hand-made cases, and a comparison with the definition.
#include "common/motion/moving_things.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

namespace rdp::motion {
namespace {

struct Columns {
  std::vector<std::uint32_t> offsets = {0};
  std::vector<Segment> segments;
  std::vector<Move> moves;

  void add(int first, int last, int x, int z, bool is_moving = true) {
    segments.push_back(
        {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(last), 7.0F, 9.0F});
    moves.push_back({x * kMoveOne, 0, z * kMoveOne, is_moving});
  }
  void end() { offsets.push_back(static_cast<std::uint32_t>(segments.size())); }
  int width(int column_width) const { return static_cast<int>(offsets.size() - 1) * column_width; }
  std::vector<MovingThing> find(int column_width = 1, int height = 40) const {
    MovingThings things;
    things.find({offsets, segments}, moves, width(column_width), height, column_width);
    return {things.things().begin(), things.things().end()};
  }
};

TEST(MovingThings, ByHand) {
  Columns columns;
  columns.add(10, 19, 4, 0);
  columns.add(20, 29, 4, 0);
  columns.end();
  columns.add(0, 9, 4, 0);  // shares no row with the column before
  columns.add(9, 14, 0, 0, false);
  columns.add(15, 24, 8, 0);
  columns.add(30, 39, 4, 0);
  columns.end();
  const std::vector<MovingThing> found = columns.find();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].first, 0U);
  EXPECT_EQ(found[0].rows, 30);
  EXPECT_EQ(found[0].column, 10.0 / 30);
  EXPECT_EQ(found[0].row, (14.5 * 10 + 24.5 * 10 + 19.5 * 10) / 30);
  EXPECT_EQ(found[0].foot_row, (29 + 24) / 2.0);
  EXPECT_EQ(found[0].foot_value, 9.0);
  EXPECT_EQ(found[0].x, (4 * 20 + 8 * 10) / 30.0);
  EXPECT_EQ(found[1].first, 2U);
  EXPECT_EQ(found[2].first, 5U);
  EXPECT_EQ(found[1].rows, 10);
}

// A car that passes before another one is a separate thing; a gap of a few columns does not split
// one.
TEST(MovingThings, Apart) {
  const auto count = [](int apart, int x, int z, int column_width) {
    Columns columns;
    columns.add(0, 30, 10, 0);
    columns.end();
    for (int i = 0; i < apart; ++i) columns.end();
    columns.add(20, 35, x, z);
    columns.end();
    return columns.find(column_width).size();
  };
  EXPECT_EQ(count(0, 10, 0, 1), 1U);
  EXPECT_EQ(count(0, 5, 0, 1), 1U);
  EXPECT_EQ(count(0, 4, 0, 1), 2U);
  EXPECT_EQ(count(0, 20, 0, 1), 1U);
  EXPECT_EQ(count(0, -10, 0, 1), 2U);
  EXPECT_EQ(count(0, 10, 5, 1), 1U);
  EXPECT_EQ(count(0, 10, 20, 1), 2U);
  EXPECT_EQ(count(15, 10, 0, 1), 1U);
  EXPECT_EQ(count(16, 10, 0, 1), 2U);
  EXPECT_EQ(count(3, 10, 0, 4), 1U);
  EXPECT_EQ(count(4, 10, 0, 4), 2U);
  EXPECT_EQ(count(0, 10, 0, 16), 1U);
  EXPECT_EQ(count(1, 10, 0, 16), 2U);
}

TEST(MovingThings, SmallOnesAreLeftOut) {
  Columns columns;
  columns.add(0, 1, 10, 0);
  columns.end();
  for (int c = 1; c < 100; ++c) columns.end();
  EXPECT_EQ(columns.find(1, 81).size(), 1U);
  EXPECT_EQ(columns.find(1, 82).size(), 0U);  // 2 * 4096 < 8200
}

// Tests all pairs, as the definition states, in any order.
TEST(MovingThings, EqualTheDefinition) {
  std::mt19937 random(5);
  std::size_t several = 0;
  for (int round = 0; round < 300; ++round) {
    const int column_width = 1 + static_cast<int>(random() % 5);
    Columns columns;
    std::vector<int> column_of;
    for (int c = 0; c < 30; ++c) {
      for (int row = static_cast<int>(random() % 9); row < 40;) {
        const bool shared = !columns.segments.empty() && column_of.back() == c &&
                            columns.segments.back().last_row == row;
        const int last = std::min(row + (shared ? 1 : 0) + static_cast<int>(random() % 7), 39);
        columns.add(row, last, static_cast<int>(random() % 7) - 3, static_cast<int>(random() % 3),
                    random() % 3 > 0);
        column_of.push_back(c);
        // A segment of a single row shares none with the next one.
        const int longer = last > row && random() % 7 > 0 ? 0 : 1;
        row = last + longer + static_cast<int>(random() % 2);
        if (row == 39 && longer == 0) ++row;
      }
      columns.end();
    }
    const std::size_t n = columns.segments.size();
    std::vector<std::size_t> label(n);
    for (std::size_t i = 0; i < n; ++i) label[i] = i;
    const auto linked = [&](std::size_t a, std::size_t b) {
      const Move& m = columns.moves[a];
      const Move& o = columns.moves[b];
      if (!m.moves || !o.moves) return false;
      // In metres a second these are small whole numbers.
      const auto squared = [](int x, int z) {
        return x / kMoveOne * (x / kMoveOne) + z / kMoveOne * (z / kMoveOne);
      };
      const int apart = squared(m.x - o.x, m.z - o.z);
      if (4 * apart > squared(m.x, m.z) && 4 * apart > squared(o.x, o.z)) return false;
      const Segment& s = columns.segments[a];
      const Segment& t = columns.segments[b];
      const int columns_apart = column_of[b] - column_of[a];
      if (columns_apart == 0) return b == a + 1 && t.first_row <= s.last_row + 1;
      return (columns_apart - 1) * column_width < kThingGap && s.first_row <= t.last_row &&
             t.first_row <= s.last_row;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = a + 1; b < n; ++b) {
          if (label[a] == label[b] || !linked(a, b)) continue;
          label[a] = label[b] = std::min(label[a], label[b]);
          changed = true;
        }
      }
    }
    std::map<std::size_t, std::int64_t> rows;
    for (std::size_t i = 0; i < n; ++i) {
      if (!columns.moves[i].moves) continue;
      rows[label[i]] += columns.segments[i].last_row - columns.segments[i].first_row + 1;
    }
    const std::vector<MovingThing> found = columns.find(column_width);
    ASSERT_EQ(found.size(), rows.size()) << "round " << round;
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].rows, rows[found[i].first]) << "round " << round;
      if (i == 0) continue;
      ASSERT_TRUE(found[i - 1].rows > found[i].rows ||
                  (found[i - 1].rows == found[i].rows && found[i - 1].first < found[i].first));
    }
    several += found.size() > 3 ? 1U : 0U;
  }
  EXPECT_GT(several, 200U);
}

// Arbitrary lists that no segmentation produces.
TEST(MovingThings, Anything) {
  Columns columns;
  columns.add(30, 10, 4, 0);
  columns.add(0, 65535, 4, 0);
  columns.add(0, 65535, 4, 0);
  columns.end();
  columns.add(5, 5, 16384, -16384);
  columns.segments.back().last_value = std::numeric_limits<float>::quiet_NaN();
  columns.end();
  const std::vector<MovingThing> found = columns.find();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].first, 1U);
  EXPECT_TRUE(MovingThings().things().empty());
  MovingThings none;
  none.find({}, {}, 1, 1, 1);
  EXPECT_TRUE(none.things().empty());
}

}  // namespace
}  // namespace rdp::motion
