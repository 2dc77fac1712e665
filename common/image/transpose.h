// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_TRANSPOSE_H_
#define RDP_COMMON_IMAGE_TRANSPOSE_H_

#include <cstddef>
#include <cstdint>

#include "common/image/depth_view.h"

namespace rdp {

// Some columns of a frame, each contiguous in memory and 16 bit, so that SIMD can read along them.
// Column c starts at data + c * stride.
struct ColumnBlock {
  std::uint16_t* data = nullptr;
  std::ptrdiff_t stride = 0;  // in samples
};

// The distance between columns of `rows` samples, in samples: a whole number of cache lines, with
// room for a vector's worth of reading past the end. The number of lines is odd, so that the
// columns of a block, which are written side by side, do not all compete for the same few sets of
// the cache.
inline std::ptrdiff_t column_stride(int rows) {
  constexpr std::ptrdiff_t kLine = 64 / sizeof(std::uint16_t);
  return ((rows + kLine - 1) / kLine | 1) * kLine;
}

// Copies columns [first_column, first_column + count) of `frame` into `out`, whose stride is that
// of column_stride(). Reads no byte outside the rows of the frame. Meanwhile it prefetches the
// samples from column `prefetch_column` on, which are needed next; -1: none.
void transpose_columns(const DepthView& frame, int first_column, int count, int prefetch_column,
                       const ColumnBlock& out);

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_TRANSPOSE_H_
