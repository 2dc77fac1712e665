// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_DEPTHFILTER_OVERLAY_ARGUMENTS_H_
#define RDP_KERNELS_DEPTHFILTER_OVERLAY_ARGUMENTS_H_

#include <cstdint>

#include "common/rdp/overlay_pixels.h"
#include "kernels/depthfilter/depth_filter_arguments.h"

namespace rdp::cuda {

// Arguments of the kernel rdp_depth_changes: see common/filter/overlay.cpp.
struct DepthChangesArguments {
  DepthRows before;
  DepthRows after;
  std::int32_t width;  // of the picture, and of `before`
  std::int32_t height;
  std::int32_t decimation;
  std::int32_t columns;  // columns that `after` covers; the rest is unchanged
  std::int32_t rows;
  const PaletteRange* range;
  unsigned char* picture;
  std::int64_t picture_pitch;
};

// The part of a picture that a block of kDepthThreads threads paints.
constexpr int kChangesColumns = 32;
constexpr int kChangesRowsOfThread = 4;
constexpr int kChangesRows = kChangesRowsOfThread * kDepthThreads / kChangesColumns;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_DEPTHFILTER_OVERLAY_ARGUMENTS_H_
