// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_DEPTHFILTER_DEPTH_FILTER_ARGUMENTS_H_
#define RDP_KERNELS_DEPTHFILTER_DEPTH_FILTER_ARGUMENTS_H_

#include <cstdint>

#include "common/filter/rules.h"

namespace rdp::cuda {

struct DepthRows {
  unsigned char* data;
  std::int64_t pitch;         // bytes
  std::int32_t sample_bytes;  // 1 or 2
};

// Indices of filter::Counts in the counters.
enum DepthCount {
  kRangeRemoved,
  kMedianChanged,
  kFlyingRemoved,
  kSpeckleRemoved,
  kSpatialChanged,
  kTemporalChanged,
  kTemporalFilled,
  kHoleFilled,
  kDepthCounts
};

// Arguments of all kernels rdp_depth_*.
struct DepthFilterArguments {
  // The frame, for rdp_depth_copy and rdp_depth_flying, else a plane of aligned 16-bit samples.
  // Rows of planes end in padding with undefined content.
  DepthRows in;
  DepthRows out;     // only rdp_depth_copy may write what it reads
  DepthRows before;  // for rdp_depth_copy: `in` before the median; null data: none

  std::int32_t width;  // of `in`
  std::int32_t height;
  // Range: a sample v becomes unknown unless v - known_first <= known_span, in unsigned arithmetic.
  std::uint32_t known_first;
  std::uint32_t known_span;
  bool has_range;  // some sample may be removed

  // Members of filter::Parameters.
  filter::Tolerance tolerance;
  std::int32_t speckle_size;
  std::int32_t decimation;
  std::int32_t radius;
  std::int32_t temporal_frames;
  filter::HistoryRule history;
  bool keeps_state;  // the mean of a pixel with an empty history
  bool motion_check;
  filter::HoleRule holes;

  // reference::State before and after this frame; all 0 without a previous frame.
  const std::uint32_t* old_state;
  std::uint32_t* new_state;

  // See primitives/component_sizes.cuh.
  std::uint32_t* parents;
  std::uint32_t* sizes;

  // Counts of all frames so far, then the number of finished blocks of the last kernel, which is 0
  // before and after it.
  unsigned long long* counters;
  // Copy of the counts in page-locked memory, written by the last kernel of a frame; null for all
  // other kernels.
  unsigned long long* counts;
};

// Columns of a block that has a tile in shared memory, or works on pairs or eights of columns.
constexpr int kDepthColumns = 64;
constexpr int kDepthThreads = 256;
constexpr int kFlyingRows = 32;
constexpr int kSmoothRows = 56;
constexpr int kMaxDepthRadius = 8;  // filter::kMaxRadius
constexpr int kTemporalRows = 16;
constexpr int kCopyRows = 32;
constexpr int kPixelRows = 4;  // of a block with a pixel a thread

constexpr int kDepthLabelRows = 8;
constexpr int kDepthStripRows = 8;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_DEPTHFILTER_DEPTH_FILTER_ARGUMENTS_H_
