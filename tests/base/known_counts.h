// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BASE_KNOWN_COUNTS_H_
#define RDP_TESTS_BASE_KNOWN_COUNTS_H_

#include <numeric>
#include <vector>

#include "common/image/known_range.h"
#include "tests/base/count_known.h"
#include "tests/support/frames.h"

// The expected result of countknown for a frame of frames::make().
namespace known_counts {

struct Expected {
  Expected(const frames::Shape& of, unsigned seed, const rdp::KnownRange& known) : shape(of) {
    const frames::Content content = frames::draw(of, frames::Scene::kSurface, seed);
    for (int column = 0; column < of.width; ++column) {
      std::uint32_t count = 0;
      for (int row = 0; row < of.height; ++row) {
        if (known.contains(content.view().at(row, column))) ++count;
      }
      columns.push_back(count);
    }
  }

  guint64 total() const { return std::accumulate(columns.begin(), columns.end(), guint64{0}); }
  // White bars that stand on the lowest row, on black.
  std::vector<std::uint8_t> picture() const {
    std::vector<std::uint8_t> pixels;
    for (int row = 0; row < shape.height; ++row) {
      for (const std::uint32_t count : columns) {
        const bool bar = row >= shape.height - static_cast<int>(count);
        const std::uint8_t gray = bar ? 255 : 0;
        pixels.insert(pixels.end(), {gray, gray, gray, 255});
      }
    }
    return pixels;
  }

  frames::Shape shape;
  std::vector<std::uint32_t> columns;
};

// Fails unless the buffer has these counts.
inline void check(GstBuffer* buffer, const Expected& expected, guint surface = 0) {
  const std::span<const std::uint32_t> counts = count_known_get(buffer, surface);
  fail_unless_equals_int(counts.size(), expected.columns.size());
  for (std::size_t column = 0; column < counts.size(); ++column) {
    fail_unless_equals_int(counts[column], expected.columns[column]);
  }
}

}  // namespace known_counts

#endif  // RDP_TESTS_BASE_KNOWN_COUNTS_H_
