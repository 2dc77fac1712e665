// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_JOIN_COLUMNS_H_
#define RDP_COMMON_IMAGE_JOIN_COLUMNS_H_

#include <cstdint>

#include "common/image/known_range.h"

namespace rdp {

// The widest group of columns.
inline constexpr int kMaxColumnWidth = 16;

// Joins `count` (1..kMaxColumnWidth) neighbouring columns of `rows` samples into one: in each row
// the lower median of the known samples, or unknown_sample(known) where fewer than half are known.
// The bits of reference::join_columns.
//
// A column here is contiguous in memory, one row after the other: the frame is transposed. Columns
// and `out` are 64-byte aligned and have room for `rows` rounded up to a multiple of 32 samples.
// This padding is read and written, too, with arbitrary values. `out` may be one of the columns.
void join_columns(const std::uint16_t* const* columns, int count, int rows, const KnownRange& known,
                  std::uint16_t* out);

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_JOIN_COLUMNS_H_
