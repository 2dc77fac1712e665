// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_COMPARE_H_
#define RDP_TESTS_SUPPORT_COMPARE_H_

#include <cstdio>
#include <cstring>
#include <ostream>
#include <span>
#include <string>

#include "common/image/depth_view.h"
#include "common/rdp/segment_list.h"

// Descriptions of the first difference of two results; empty: none. The comparison is bit by bit:
// -0 and 0 differ.
namespace rdp::test {

inline bool same_bits(const Segment& a, const Segment& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

inline std::string text_of(const Segment& segment) {
  char text[80];
  std::snprintf(text, sizeof text, "[%u, %u, %.9g, %.9g]", unsigned{segment.first_row},
                unsigned{segment.last_row}, static_cast<double>(segment.first_value),
                static_cast<double>(segment.last_value));
  return text;
}

}  // namespace rdp::test

namespace rdp {
// GoogleTest's printer for a segment.
inline void PrintTo(const Segment& segment, std::ostream* out) { *out << test::text_of(segment); }
}  // namespace rdp

namespace rdp::test {

// Compares lists of segments. column(c) returns the segments of column c of the tested list.
template <typename Column>
std::string difference(const SegmentList& expected, int columns, const Column& column) {
  if (columns != expected.columns()) {
    return std::to_string(columns) + " columns, expected " + std::to_string(expected.columns());
  }
  for (int c = 0; c < columns; ++c) {
    const std::span<const Segment> want = expected.column(c);
    const std::span<const Segment> got = column(c);
    const auto place = [c] { return "column " + std::to_string(c); };
    if (got.size() != want.size()) {
      return place() + " has " + std::to_string(got.size()) + " segments, expected " +
             std::to_string(want.size());
    }
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (same_bits(want[i], got[i])) continue;
      return place() + ", segment " + std::to_string(i) + " is " + text_of(got[i]) + ", expected " +
             text_of(want[i]);
    }
  }
  return {};
}

inline std::string difference(const SegmentList& expected, const SegmentList& actual) {
  return difference(expected, actual.columns(), [&](int c) { return actual.column(c); });
}

// Describes the first sample in which two frames differ.
inline std::string first_difference(const DepthView& expected, const DepthView& actual) {
  if (expected.width != actual.width || expected.height != actual.height) {
    return "a frame of " + std::to_string(actual.width) + "x" + std::to_string(actual.height);
  }
  for (int row = 0; row < expected.height; ++row) {
    for (int column = 0; column < expected.width; ++column) {
      const int want = expected.at(row, column);
      const int got = actual.at(row, column);
      if (want == got) continue;
      return "row " + std::to_string(row) + ", column " + std::to_string(column) + ": expected " +
             std::to_string(want) + ", got " + std::to_string(got);
    }
  }
  return {};
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_COMPARE_H_
