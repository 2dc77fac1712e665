// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_STEREO_PATH_ROWS_H_
#define RDP_COMMON_STEREO_PATH_ROWS_H_

#include <cstddef>
#include <cstdint>

namespace rdp::stereo {

// The layout of numbers for the disparities of one pixel: in `stripes` vectors of `lanes` bytes,
// disparity d in lane d / stripes of stripe d % stripes. So a path's neighbours d - 1 and d + 1 are
// the same lanes of other stripes, and only two vectors of a pixel have to be moved by a lane.
// Disparities beyond the last one fill up the last lanes; they cost 255 and never win.
//
// Sums, which have 16 bits, have twice as many stripes, of half as many lanes.
struct StripeLayout {
  int lanes = 0;
  int stripes = 0;

  int bytes() const { return lanes * stripes; }
};

// The layout of the SIMD target in use.
StripeLayout stripe_layout(int disparities);

// Columns of a row processed at a time: intermediate results stay in the L1 cache.
inline constexpr int kPathColumns = 32;

// One row of one of the two passes over a frame. The second pass sees the frame rotated by 180
// degrees, so that the same code follows the opposite paths. In it, `column` below counts from the
// right.
struct PathRow {
  StripeLayout layout;
  int width = 0;
  int disparities = 0;
  int min_disparity = 0;
  int paths = 4;
  std::uint8_t p1 = 0;
  std::uint8_t p2 = 0;
  bool wide = false;  // two paths' sum may not fit a byte
  bool second = false;
  bool masked = false;  // the right view has a mask

  // See census_row.h.
  const std::uint8_t* left = nullptr;
  std::ptrdiff_t left_part = 0;
  const std::uint8_t* right = nullptr;
  std::ptrdiff_t right_phase = 0;
  int right_ahead = 0;
  const std::uint8_t* padding = nullptr;  // 255 for padding disparities, else 0

  // The paths' costs at their previous pixels, minus the minimum; 0 where a path starts.
  std::uint8_t* horizontal = nullptr;  // of the previous column
  std::uint8_t* vertical = nullptr;    // by column, of the previous row
  std::uint8_t* falling = nullptr;     // by column, of the previous row and column
  std::uint8_t* rising = nullptr;      // by column, of the previous row and the next column

  // The first pass's result for the second, by column from the left: sums of pairs of paths, or
  // each path where `wide`.
  std::uint8_t* sums = nullptr;

  // The second pass's scratch and results, by column from the left.
  std::int16_t* scratch = nullptr;  // of kPathColumns pixels
  const std::int16_t* disparity_numbers = nullptr;
  std::int16_t* right_sums = nullptr;  // smallest sums so far of the right view's pixels,
  std::int16_t* right_best = nullptr;  // and their disparities: 2 * stripes vectors each
  std::int16_t* best = nullptr;        // the disparity of the smallest sum
  std::int16_t* best_sum = nullptr;
  std::int16_t* sum_before = nullptr;       // at disparity best - 1; best_sum at either end
  std::int16_t* sum_after = nullptr;        // at disparity best + 1; best_sum at either end
  std::int16_t* second_sum = nullptr;       // the smallest sum not next to the best
  std::int32_t* right_disparity = nullptr;  // of the right view's pixels
};

// Bytes of PathRow::sums for each column.
inline std::size_t sum_bytes(const StripeLayout& layout, int paths, bool wide) {
  return static_cast<std::size_t>(layout.bytes()) * static_cast<std::size_t>(paths / 4) *
         (wide ? 2U : 1U);
}

// Columns [first, end) of a row, at most kPathColumns. They must come in order.
void path_columns(const PathRow& row, int first, int end);

}  // namespace rdp::stereo

#endif  // RDP_COMMON_STEREO_PATH_ROWS_H_
