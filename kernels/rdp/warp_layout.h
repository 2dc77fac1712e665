// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_WARP_LAYOUT_H_
#define RDP_KERNELS_RDP_WARP_LAYOUT_H_

#include "common/host_device.h"

// The layout of the shared memory of a block of segment_warps.cu, for the kernel and for the host
// code that starts it.
namespace rdp::cuda {

// Most rows: 32 for each thread of a warp. In taller frames the vertices would not fit the warp's
// registers, nor a node its word of the stack.
inline constexpr int kWarpRows = 1024;

struct WarpLayout {
  int words;  // of 32 rows, of a column
  // From the samples of a column to those of the next, in samples: 8 more than rows keep the
  // columns out of each other's banks.
  int sample_stride;
  // Stack of a column's nodes, never more than disjoint parts of three rows; later the rows of its
  // vertices, as 16-bit numbers.
  int stack_bytes;

  int samples;  // the offsets of the arrays, in bytes
  int known;
  int stacks;
  int bytes;

  RDP_HOST_DEVICE constexpr WarpLayout(int height, int columns)
      : words((height + 31) / 32),
        sample_stride(words * 32 + 8),
        stack_bytes(words * 32 * 2 + 16),
        samples(0),
        known(samples + columns * sample_stride * 2),
        stacks(known + columns * words * 4),
        bytes(stacks + columns * stack_bytes) {}
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_WARP_LAYOUT_H_
