// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_MOTION_COLUMN_MEDIANS_H_
#define RDP_COMMON_MOTION_COLUMN_MEDIANS_H_

#include <cstddef>

// Medians of the columns of a few rows, all columns at once, without data-dependent branches:
// several times as fast with SIMD as selection. Only minima, maxima and differences are used, so
// that results equal lower_median.h on every target.
namespace rdp::motion {

inline constexpr int kMedianColumns = 6;

// Aligned for any vector, with room for whole ones.
struct alignas(64) MedianRow {
  double at[8];
};

// Sorts each column, ascending. Values are neither NaN nor -0; infinity marks missing ones. K.
// Batcher's merge exchange: D. Knuth, "The Art of Computer Programming" 3, 5.2.2, algorithm M.
void sort_columns(MedianRow* rows, std::size_t count);

// Finds, for the first `count` of sorted rows (1 at least), the lower median of each column and the
// lower median of |value - median|. A non-finite value makes its column's results meaningless.
void middle_of_columns(const MedianRow* rows, std::size_t count, MedianRow* median,
                       MedianRow* deviation);

}  // namespace rdp::motion

#endif  // RDP_COMMON_MOTION_COLUMN_MEDIANS_H_
