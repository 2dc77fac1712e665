// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_SEGMENT_ARGUMENTS_H_
#define RDP_KERNELS_RDP_SEGMENT_ARGUMENTS_H_

#include <cstddef>
#include <cstdint>

#include "common/host_device.h"
#include "kernels/primitives/frame_arguments.h"
#include "kernels/primitives/frame_list.h"
#include "kernels/rdp/segment_list_view.h"
#include "kernels/rdp/segment_work.h"

namespace rdp::cuda {

// Arguments of the kernels of segment_warps.cu and segment_queues.cu. Pointers are device pointers.
struct SegmentArguments : FrameArguments {
  std::uint32_t eps256;
  // Largest gap: longer sequences of unknown rows divide a column into runs, which are split
  // separately. 0: a column is one run.
  std::int32_t max_gap;
  // The rest of SegmentRules in common/rdp/parameters.h, for the kernels of segment_warps.cu.
  std::uint32_t refine;  // 0 or 1
  std::uint32_t merge;   // 0 or 1
  float truncation2;
  float price;
  float margin;
  float near;
  // The vertices for fit.cu, instead of a list: for each column of each frame a bit for each row,
  // in words of 32 rows. Null: write the list.
  std::uint32_t* vertices;
  // Scratch of the segmenter, zero before the first launch: a word, a TileTotal, for each tile of
  // each frame. A word always belongs to the same frame number, whatever the width.
  unsigned long long* tiles;
  std::int32_t tile_stride;  // from a frame's words to those of the next
  // Number of earlier launches, for each frame number.
  std::uint32_t* launches;
  SegmentWork* work;  // page-locked host memory: for each frame
  SegmentListView list;
};

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

// Words of 32 rows of a column, and its bytes: samples, and a bit per row for known ones.
RDP_HOST_DEVICE constexpr int refit_words(int height) { return (height + 31) / 32; }
RDP_HOST_DEVICE constexpr int refit_column_bytes(int height) { return refit_words(height) * 68; }

// Arguments of the kernel rdp_reconstruct. Frame i is written by the blocks whose blockIdx.z is i.
struct ReconstructArguments {
  // The segmented frames: width / column_width columns, rounded up. May be the frames themselves.
  // 16-bit samples if the segments are those of inverse depths, else samples like the frames'.
  FrameList filtered;
  FrameList frames;
  std::int32_t width;  // of each frame
  std::int32_t height;
  std::int32_t column_width;
  std::uint32_t sample_bytes;  // of the frames: 1 or 2
  std::uint32_t known_first;   // known samples of `filtered`
  std::uint32_t known_last;
  std::uint32_t inverse;  // 1: the segments are those of inverse depths
  double inverse_scale;
  double depth_first;  // limits of inverse_scale / value
  double depth_last;
  SegmentListView list;  // a slice for each frame
};

// The part of a frame that a block of threads works on.
constexpr int kReconstructThreads = 128;
constexpr int kReconstructColumns = 32;
constexpr int kReconstructRowsOfThread = 16;
constexpr int kReconstructRows = kReconstructRowsOfThread * kReconstructThreads / 32;

// Arguments of the kernel rdp_copy_segments. Each frame of the list has `stride` bytes of `host`:
// its offsets, then room for `room` segments.
struct CopySegmentsArguments {
  SegmentListView list;
  unsigned char* host;  // page-locked
  std::uint64_t stride;
  std::uint32_t room;
};

// The start of a frame's segments in its part of the host's memory.
RDP_HOST_DEVICE inline std::size_t copied_offset_bytes(std::size_t columns) {
  return (columns + 1) * sizeof(std::uint32_t);
}

constexpr int kCopyThreads = 256;
// Blocks of a frame: enough for the full write rate to system memory, and few enough to run beside
// other kernels.
constexpr int kCopyBlocks = 16;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_SEGMENT_ARGUMENTS_H_
