// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_KLT_TRACK_COPY_ARGUMENTS_H_
#define RDP_KERNELS_KLT_TRACK_COPY_ARGUMENTS_H_

#include <cstddef>
#include <cstdint>

#include "kernels/klt/track_list_view.h"

namespace rdp::cuda {

// Arguments of the kernel rdp_klt_copy. Each frame of the list has `stride` bytes of `host`: room
// for so many tracks, then for so many lost features.
struct CopyTracksArguments {
  TrackListView list;
  unsigned char* host;  // page-locked
  std::uint64_t stride;
  std::uint32_t track_room;
  std::uint32_t lost_room;
};

constexpr int kTrackCopyThreads = 256;
// Blocks of a frame: as with segments (kernels/rdp/segment_copy_arguments.h).
constexpr int kTrackCopyBlocks = 16;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_KLT_TRACK_COPY_ARGUMENTS_H_
