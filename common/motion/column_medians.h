// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_COLUMN_MEDIANS_H_
#define RDP_COMMON_MOTION_COLUMN_MEDIANS_H_

#include <cstddef>

// Medians of a few rows of numbers, of each column for itself and of all columns at once, without a
// branch that depends on the numbers: the SIMD target of the machine does them several times as
// fast as selections. It only takes minima, maxima and differences, so that the results are those
// of lower_median.h, on every target.
namespace rdp::motion {

inline constexpr int kMedianColumns = 6;

// Aligned for any vector, with room for whole ones.
struct alignas(64) MedianRow {
  double at[8];
};

// Sorts each column, ascending. There are no NaN, and no -0; infinity is for what is not there.
// K. Batcher's merge exchange: D. Knuth, "The Art of Computer Programming" 3, 5.2.2, algorithm M.
void sort_columns(MedianRow* rows, std::size_t count);

// Finds, for the first `count` of sorted rows (1 at least), the lower median of each column and the
// lower median of |value - median|. A value that is not finite makes nonsense of its column.
void middle_of_columns(const MedianRow* rows, std::size_t count, MedianRow* median,
                       MedianRow* deviation);

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_COLUMN_MEDIANS_H_
