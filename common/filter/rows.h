// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_FILTER_ROWS_H_
#define RDP_COMMON_FILTER_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "common/filter/parameters.h"
#include "common/image/depth_view.h"
#include "common/image/known_range.h"

namespace rdp::filter {

// Counts of pixels that differ between two rows: known in both, known in the first only, and known
// in the second only.
struct Changes {
  std::int64_t changed = 0;
  std::int64_t removed = 0;
  std::int64_t filled = 0;

  void add(const Changes& more) {
    changed += more.changed;
    removed += more.removed;
    filled += more.filled;
  }
};

// Rows on either side of a pixel that decide whether it is a flying pixel, and whether it moves.
constexpr int kFlyingReach = 3;
constexpr int kMotionReach = 3;
constexpr int kMotionRows = 2 * kMotionReach + 1;

// Differences of a row from the state, pixel by pixel; 0 if either is unknown.
struct MotionRow {
  std::int32_t* difference;  // from the mean, cut off at the tolerance
  std::uint16_t* known;      // 1: both are known
  std::uint16_t* moved;      // 1: by more than the tolerance
};

struct TemporalRow {
  const std::uint16_t* above;
  const std::uint16_t* row;
  const std::uint16_t* below;
  const std::uint32_t* state;
  std::uint32_t* next_state;
  // The row, kMotionReach rows on either side, and two rows to work in; null: motion is
  // not checked.
  const MotionRow* motion;
  MotionRow sums;
  std::uint16_t* out;
};

// The reference's steps row by row, with SIMD. Rows are those of BorderedRows.
struct RowSteps {
  // Reads a row of a frame. Samples outside `known` become 0, as do columns behind the last one.
  // Returns the number of removed samples other than 0.
  int (*read)(const std::byte* from, SampleType type, const KnownRange& known, int width,
              std::uint16_t* to);
  Changes (*compare)(const std::uint16_t* before, const std::uint16_t* now, int width);
  // rows[kFlyingReach] is the row itself. Works in two rows.
  void (*flying)(const std::uint16_t* const* rows, const Tolerance& tolerance, int width,
                 std::uint16_t* scratch, std::uint16_t* out);
  // `width` blocks of side * side pixels of `rows`. Works in side * side rows.
  void (*decimate)(const std::uint16_t* const* rows, int side, int width, std::uint16_t* scratch,
                   std::uint16_t* out);
  // One direction: before[d - 1] and behind[d - 1] begin at distance d from the row. Works in a
  // row.
  void (*smooth)(const std::uint16_t* row, const std::uint16_t* const* before,
                 const std::uint16_t* const* behind, int radius, const Tolerance& tolerance,
                 int width, std::uint16_t* scratch, std::uint16_t* out);
  void (*find_motion)(const std::uint16_t* row, const std::uint32_t* state,
                      const Tolerance& tolerance, int width, const MotionRow& to);
  void (*temporal)(const TemporalRow& rows, const Parameters& parameters, int width);
  // The distance of each pixel from the next known one on one side: 0 if it is known, else one more
  // than that of its neighbour there, at most `most`. May be done in place.
  void (*distance)(const std::uint16_t* row, const std::uint16_t* neighbours, int most, int width,
                   std::uint16_t* out);
};

// The functions of the SIMD target in use.
const RowSteps& row_steps();

}  // namespace rdp::filter

#endif  // RDP_COMMON_FILTER_ROWS_H_
