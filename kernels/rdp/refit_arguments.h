// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_REFIT_ARGUMENTS_H_
#define RDP_KERNELS_RDP_REFIT_ARGUMENTS_H_

#include <cstdint>

#include "kernels/primitives/frame_arguments.h"
#include "kernels/rdp/segment_list_view.h"

namespace rdp::cuda {

// Arguments of the kernels of refit.cu. Pointers are device pointers.
struct RefitArguments : FrameArguments {
  std::int32_t max_gap;  // SegmentRules of common/rdp/parameters.h
  float near;
  SegmentListView list;
};

// A warp for each column of a block, whose columns lie in shared memory.
inline constexpr int kRefitColumns = 8;
// In taller frames a block has one column.
inline constexpr int kRefitRows = 1024;

// The words of 32 rows that a column has, and the bytes that it takes: its samples, and a bit for
// each row, whether it is known.
RDP_HOST_DEVICE constexpr int refit_words(int height) { return (height + 31) / 32; }
RDP_HOST_DEVICE constexpr int refit_column_bytes(int height) { return refit_words(height) * 68; }

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_REFIT_ARGUMENTS_H_
