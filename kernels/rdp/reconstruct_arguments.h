// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_RECONSTRUCT_ARGUMENTS_H_
#define RDP_KERNELS_RDP_RECONSTRUCT_ARGUMENTS_H_

#include <cstdint>

#include "kernels/primitives/frame_list.h"
#include "kernels/rdp/segment_list_view.h"

namespace rdp::cuda {

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
  double depth_first;  // what inverse_scale / value is limited to
  double depth_last;
  SegmentListView list;  // a slice for each frame
};

// The part of a frame that a block of threads works on.
constexpr int kReconstructThreads = 128;
constexpr int kReconstructColumns = 32;
constexpr int kReconstructRowsOfThread = 16;
constexpr int kReconstructRows = kReconstructRowsOfThread * kReconstructThreads / 32;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_RECONSTRUCT_ARGUMENTS_H_
