// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/obstacles.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

#include "common/rdp/segment_class.h"

namespace rdp {
namespace {

constexpr int kNarrowest = 64;
constexpr int kLowest = 32;
constexpr std::uint32_t kNoThing = ~std::uint32_t{0};

bool is_upright(std::uint8_t c) { return c == static_cast<std::uint8_t>(SegmentClass::kUpright); }

double mean_value(const Segment& segment) {
  return 0.5 * (static_cast<double>(segment.first_value) + segment.last_value);
}

// The rows of a segment, without a row that it shares with the segment above.
struct Rows {
  int first, last;

  int count() const { return last - first + 1; }
};

Rows rows_of(const SegmentArrays& segments, std::uint32_t i, std::uint32_t column_begin) {
  const std::span all = segments.segments();
  const bool shared = i > column_begin && all[i - 1].last_row == all[i].first_row;
  return {all[i].first_row + (shared ? 1 : 0), all[i].last_row};
}

bool have_rows_in_common(const Rows& a, const Rows& b) {
  const int common = std::min(a.last, b.last) - std::max(a.first, b.first) + 1;
  return common > 0 && common * 2 >= std::min(a.count(), b.count());
}

bool are_as_near(const Segment& a, const Segment& b, double tolerance) {
  const double most = std::max(std::fabs(mean_value(a)), std::fabs(mean_value(b)));
  return std::fabs(mean_value(a) - mean_value(b)) <= std::max(tolerance, most / 16.0);
}

}  // namespace

void write_class_mask(const SegmentArrays& segments, std::span<const std::uint8_t> classes,
                      const FrameColumns& frame, std::uint8_t* mask, std::size_t stride) {
  const auto width = static_cast<std::size_t>(frame.width);
  for (int row = 0; row < frame.height; ++row) {
    std::memset(mask + static_cast<std::size_t>(row) * stride, 0, width);
  }
  for (int c = 0; c < segments.columns(); ++c) {
    const auto first = static_cast<std::size_t>(c) * static_cast<std::size_t>(frame.column_width);
    const std::size_t count =
        std::min<std::size_t>(static_cast<std::size_t>(frame.column_width), width - first);
    int next_row = 0;
    for (std::size_t i = segments.offsets()[static_cast<std::size_t>(c)];
         i < segments.offsets()[static_cast<std::size_t>(c) + 1]; ++i) {
      const Segment& segment = segments.segments()[i];
      for (int row = std::max<int>(segment.first_row, next_row); row <= segment.last_row; ++row) {
        std::memset(mask + static_cast<std::size_t>(row) * stride + first, classes[i] + 1, count);
      }
      next_row = segment.last_row + 1;
    }
  }
}

// The least segment of a thing, found with path halving.
std::uint32_t ObstacleFinder::root(std::uint32_t segment) {
  std::uint32_t* parents = parents_.data();
  while (parents[segment] != segment) {
    parents[segment] = parents[parents[segment]];
    segment = parents[segment];
  }
  return segment;
}

// Joins a column with the next one. Both are sorted by rows, so one walk along them finds all
// segments that have rows in common.
void ObstacleFinder::join_columns(const SegmentArrays& segments,
                                  std::span<const std::uint8_t> classes, int column,
                                  const ObstacleRules& rules) {
  const std::uint32_t* offsets = segments.offsets().data() + column;
  std::uint32_t a = offsets[0];
  std::uint32_t b = offsets[1];
  while (a < offsets[1] && b < offsets[2]) {
    const Rows left = rows_of(segments, a, offsets[0]);
    const Rows right = rows_of(segments, b, offsets[1]);
    if (is_upright(classes[a]) && is_upright(classes[b]) && have_rows_in_common(left, right) &&
        are_as_near(segments.segments()[a], segments.segments()[b], rules.tolerance)) {
      const std::uint32_t one = root(a);
      const std::uint32_t other = root(b);
      parents_.data()[std::max(one, other)] = std::min(one, other);
    }
    left.last < right.last ? ++a : ++b;
  }
}

std::span<const Obstacle> ObstacleFinder::find(const SegmentArrays& segments,
                                               std::span<const std::uint8_t> classes,
                                               const FrameColumns& frame,
                                               const ObstacleRules& rules) {
  const auto count = static_cast<std::uint32_t>(segments.segment_count());
  std::uint32_t* parents = parents_.ensure(count);
  for (std::uint32_t i = 0; i < count; ++i) parents[i] = i;
  for (int c = 0; c + 1 < segments.columns(); ++c) join_columns(segments, classes, c, rules);

  things_.clear();
  std::uint32_t* places = places_.ensure(count);
  std::fill_n(places, count, kNoThing);
  for (int c = 0; c < segments.columns(); ++c) {
    const int first = c * frame.column_width;
    const int last = std::min(first + frame.column_width, frame.width) - 1;
    const std::uint32_t* offsets = segments.offsets().data() + c;
    for (std::uint32_t i = offsets[0]; i < offsets[1]; ++i) {
      if (!is_upright(classes[i])) continue;
      const Segment& segment = segments.segments()[i];
      std::uint32_t& place = places[root(i)];
      if (place == kNoThing) {
        place = static_cast<std::uint32_t>(things_.size());
        things_.push_back({{first, last, segment.first_row, segment.last_row, 0.0}, 0.0});
      }
      Thing& thing = things_[place];
      thing.box.last_column = std::max(thing.box.last_column, last);
      thing.box.first_row = std::min<int>(thing.box.first_row, segment.first_row);
      thing.box.last_row = std::max<int>(thing.box.last_row, segment.last_row);
      const int rows = segment.last_row - segment.first_row + 1;
      thing.box.value += mean_value(segment) * rows;
      thing.rows += rows;
    }
  }

  obstacles_.clear();
  for (Thing& thing : things_) {
    const Obstacle& box = thing.box;
    if ((box.last_column - box.first_column + 1) * kNarrowest < frame.width ||
        (box.last_row - box.first_row + 1) * kLowest < frame.height) {
      continue;
    }
    thing.box.value /= thing.rows;
    obstacles_.push_back(thing.box);
  }
  std::sort(obstacles_.begin(), obstacles_.end(), [&](const Obstacle& a, const Obstacle& b) {
    if (a.value != b.value) return rules.larger_is_nearer ? a.value > b.value : a.value < b.value;
    return std::tie(a.first_column, a.first_row, a.last_column, a.last_row) <
           std::tie(b.first_column, b.first_row, b.last_column, b.last_row);
  });
  if (obstacles_.size() > rules.most) obstacles_.resize(rules.most);
  return obstacles_;
}

}  // namespace rdp
