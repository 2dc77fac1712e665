// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_KLT_TRACK_LIST_VIEW_H_
#define RDP_KERNELS_KLT_TRACK_LIST_VIEW_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/klt/track.h"

namespace rdp::cuda {

// The device's report on a frame's tracks, in page-locked memory of the host.
struct TrackReport {
  std::uint32_t tracks;
  std::uint32_t lost;
  std::uint32_t iterations;  // over all levels and both ways
  std::uint32_t templates;   // that tracks took in this frame
};

// A DeviceTrackList as kernels see it: the tracks and lost features of one or more frames, each of
// which has a slice of its own. There is room for all of them.
struct TrackListView {
  klt::Track* tracks;     // `track_room` of them for each frame
  klt::Lost* lost;        // `lost_room` of them for each frame
  klt::TrackWarp* warps;  // `track_room` of them for each frame; null with Warp::kTranslation
  TrackReport* counts;    // one for each frame, in device memory
  TrackReport* report;    // the same in page-locked memory
  std::uint32_t track_room;
  std::uint32_t lost_room;
  std::uint32_t frames;  // 1..kMaxFrames

  // The list of one of the frames alone.
  RDP_HOST_DEVICE TrackListView of_frame(std::uint32_t frame) const {
    return {tracks + static_cast<std::uint64_t>(frame) * track_room,
            lost + static_cast<std::uint64_t>(frame) * lost_room,
            warps == nullptr ? nullptr : warps + static_cast<std::uint64_t>(frame) * track_room,
            counts + frame,
            report + frame,
            track_room,
            lost_room,
            1};
  }
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_KLT_TRACK_LIST_VIEW_H_
