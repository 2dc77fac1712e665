// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/motion/moving_things.h"

#include <algorithm>

#include "common/rdp/ground_plane.h"

namespace rdp::motion {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;

// In 64 bits: a difference is at most 2^25.
std::int64_t square(std::int64_t v) { return v * v; }

bool is_alike(const Move& a, const Move& b) {
  const std::int64_t apart = square(std::int64_t{a.x} - b.x) + square(std::int64_t{a.y} - b.y) +
                             square(std::int64_t{a.z} - b.z);
  const auto speed = [](const Move& m) { return square(m.x) + square(m.y) + square(m.z); };
  return 4 * apart <= std::max(speed(a), speed(b));
}

bool is_usable(const Segment& s) {
  constexpr float kMost = 1e9F;
  return s.first_row <= s.last_row && s.last_value >= -kMost && s.last_value <= kMost;
}

}  // namespace

// The root is the first of the list, so that it does not depend on the order of joins.
std::uint32_t MovingThings::root_of(std::uint32_t segment) {
  while (parents_[segment] != segment) {
    parents_[segment] = parents_[parents_[segment]];
    segment = parents_[segment];
  }
  return segment;
}

void MovingThings::join(std::uint32_t a, std::uint32_t b, std::span<const Move> moves) {
  if (!is_alike(moves[a], moves[b])) return;
  a = root_of(a);
  b = root_of(b);
  parents_[std::max(a, b)] = std::min(a, b);
}

// Walks down both columns: the segment that ends first meets no later one. If both end in the same
// row, each may share that row with the other's successor.
void MovingThings::join_columns(int a, int b, const SegmentArrays& segments,
                                std::span<const Move> moves) {
  std::uint32_t i = starts_[static_cast<std::size_t>(a)];
  const std::uint32_t end = starts_[static_cast<std::size_t>(a) + 1];
  std::uint32_t j = starts_[static_cast<std::size_t>(b)];
  const std::uint32_t other_end = starts_[static_cast<std::size_t>(b) + 1];
  const auto meet = [&](std::uint32_t of_a, std::uint32_t of_b) {
    if (of_a >= end || of_b >= other_end) return;
    const Segment& one = segments.segments()[moving_[of_a]];
    const Segment& other = segments.segments()[moving_[of_b]];
    if (one.first_row <= other.last_row && other.first_row <= one.last_row) {
      join(moving_[of_a], moving_[of_b], moves);
    }
  };
  while (i < end && j < other_end) {
    meet(i, j);
    const int last = segments.segments()[moving_[i]].last_row;
    const int other_last = segments.segments()[moving_[j]].last_row;
    if (last == other_last) {
      meet(i + 1, j);
      meet(i, j + 1);
    }
    if (last <= other_last) ++i;
    if (other_last <= last) ++j;
  }
}

void MovingThings::find(const SegmentArrays& segments, std::span<const Move> moves, int width,
                        int height, int column_width) {
  const int columns = segments.columns();
  things_.clear();
  sums_.clear();
  moving_.clear();
  starts_.clear();
  parents_.resize(segments.segment_count());
  sums_of_.assign(segments.segment_count(), kNone);
  for (int c = 0; c < columns; ++c) {
    starts_.push_back(static_cast<std::uint32_t>(moving_.size()));
    const std::uint32_t end = segments.offsets()[static_cast<std::size_t>(c) + 1];
    for (std::uint32_t i = segments.offsets()[static_cast<std::size_t>(c)]; i < end; ++i) {
      parents_[i] = i;
      if (moves[i].moves && is_usable(segments.segments()[i])) moving_.push_back(i);
    }
  }
  starts_.push_back(static_cast<std::uint32_t>(moving_.size()));

  const int reach = 1 + (kThingGap - 1) / column_width;
  for (int c = 0; c < columns; ++c) {
    const std::uint32_t end = starts_[static_cast<std::size_t>(c) + 1];
    for (std::uint32_t i = starts_[static_cast<std::size_t>(c)]; i + 1 < end; ++i) {
      const std::uint32_t above = moving_[i];
      const std::uint32_t below = moving_[i + 1];
      if (below == above + 1 &&
          segments.segments()[below].first_row <= segments.segments()[above].last_row + 1) {
        join(above, below, moves);
      }
    }
    for (int before = std::max(c - reach, 0); before < c; ++before) {
      join_columns(before, c, segments, moves);
    }
  }

  for (int c = 0; c < columns; ++c) {
    const std::int64_t column = twice_middle(c, column_width, width);
    const std::uint32_t end = starts_[static_cast<std::size_t>(c) + 1];
    for (std::uint32_t i = starts_[static_cast<std::size_t>(c)]; i < end; ++i) {
      const std::uint32_t segment = moving_[i];
      const std::uint32_t root = root_of(segment);
      if (sums_of_[root] == kNone) {
        sums_of_[root] = static_cast<std::uint32_t>(sums_.size());
        sums_.push_back({root, 0, 0, 0, 0, 0, 0, 0, 0, 0.0});
      }
      Sums& sums = sums_[sums_of_[root]];
      const Segment& s = segments.segments()[segment];
      const Move& move = moves[segment];
      const std::int64_t rows = s.last_row - s.first_row + 1;
      sums.rows += rows;
      sums.columns += rows * column;
      sums.middles += rows * (s.first_row + s.last_row);
      sums.x += rows * move.x;
      sums.y += rows * move.y;
      sums.z += rows * move.z;
      if (i + 1 < end && root_of(moving_[i + 1]) == root) continue;
      ++sums.feet;
      sums.foot_rows += s.last_row;
      sums.foot_values += static_cast<double>(s.last_value);
    }
  }

  for (const Sums& sums : sums_) {
    if (sums.rows * column_width * kLeastThing < std::int64_t{width} * height) continue;
    const auto rows = static_cast<double>(sums.rows);
    const auto feet = static_cast<double>(sums.feet);
    const auto mean = [&](std::int64_t sum) { return static_cast<double>(sum) / rows; };
    things_.push_back({sums.first, sums.rows, mean(sums.columns) / 2.0, mean(sums.middles) / 2.0,
                       static_cast<double>(sums.foot_rows) / feet, sums.foot_values / feet,
                       mean(sums.x) / kMoveOne, mean(sums.y) / kMoveOne, mean(sums.z) / kMoveOne});
  }
  std::sort(things_.begin(), things_.end(), [](const MovingThing& a, const MovingThing& b) {
    return a.rows != b.rows ? a.rows > b.rows : a.first < b.first;
  });
}

}  // namespace rdp::motion
