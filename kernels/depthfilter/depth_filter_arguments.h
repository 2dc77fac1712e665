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

// Places of filter::Counts in the counters.
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
  // The frame, for rdp_depth_copy and rdp_depth_flying, else a plane: aligned, of 16 bits. Rows of
  // planes are longer than the frame's, and what is there is anything.
  DepthRows in;
  DepthRows out;     // only rdp_depth_copy may write what it reads
  DepthRows before;  // of rdp_depth_copy: `in` before the median; without data: none

  std::int32_t width;  // of `in`
  std::int32_t height;
  // The range: samples v become unknown unless v - known_first <= known_span, without a sign.
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

  // States of reference::State before and after this frame. No previous state: all are 0.
  const std::uint32_t* old_state;
  std::uint32_t* new_state;

  // See primitives/component_sizes.cuh.
  std::uint32_t* parents;
  std::uint32_t* sizes;

  // Counts of all frames so far; then the number of the last kernel's blocks that are done, which
  // is 0 before and after it.
  unsigned long long* counters;
  // The counts once more in page-locked memory. The last kernel of a frame writes them; null: not
  // the last one.
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
