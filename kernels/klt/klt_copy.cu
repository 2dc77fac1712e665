// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes a list of tracks to page-locked memory of the host: see kernels/rdp/segment_copy.cu.
#include "kernels/klt/klt_arguments.h"
#include "kernels/primitives/copy_words.cuh"

namespace rdp::cuda {

// Leaves a frame out that has more of either than there is room for: the host sees how many.
extern "C" __global__ void __launch_bounds__(kTrackCopyThreads)
    rdp_klt_copy(const __grid_constant__ CopyTracksArguments a) {
  const TrackListView list = a.list.of_frame(blockIdx.y);
  const TrackReport counts = *list.counts;
  if (counts.tracks > a.track_room || counts.lost > a.lost_room) return;
  unsigned char* const to = a.host + blockIdx.y * a.stride;
  copy_words<kTrackCopyThreads>(list.tracks, to, counts.tracks * sizeof(klt::Track));
  copy_words<kTrackCopyThreads>(list.lost, to + a.track_room * sizeof(klt::Track),
                                counts.lost * sizeof(klt::Lost));
  if (list.warps == nullptr) return;
  copy_words<kTrackCopyThreads>(
      list.warps, to + a.track_room * sizeof(klt::Track) + a.lost_room * sizeof(klt::Lost),
      counts.tracks * sizeof(klt::TrackWarp));
}

}  // namespace rdp::cuda
