// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_KLT_DEVICE_TRACK_LIST_H_
#define RDP_KERNELS_KLT_DEVICE_TRACK_LIST_H_

#include <cuda.h>

#include <cstddef>
#include <cstdint>

#include "common/klt/track.h"
#include "kernels/klt/track_list_view.h"
#include "kernels/runtime/device_memory.h"

namespace rdp::cuda {

// Tracks and lost features of one frame, or of several tracked together, in device memory. A
// frame's metadata reads them later, or never. The list is separate from KltState, so it stays
// unchanged while the next frames are tracked. Belongs to the context that is current when it is
// first used.
//
// Unlike a DeviceSegmentList it is never truncated: the maximum number of tracks of a frame is
// known before tracking.
class DeviceTrackList {
 public:
  // Makes room for `frames` slices of so many tracks and lost features, with or without warps.
  // Allocates only where there was less room before. KltEngine::track() calls it. Throws CudaError.
  void prepare(int frames, std::size_t tracks, std::size_t lost, bool warps = false);

  int frames() const { return frames_; }
  // True if each track has a warp, as with klt::Warp::kAffine.
  bool has_warps() const { return has_warps_; }
  TrackListView view() const;

  // Call the following after the stream that filled the list has finished.

  std::size_t track_count(int frame = 0) const { return report(frame).tracks; }
  std::size_t lost_count(int frame = 0) const { return report(frame).lost; }
  // The number of iterations of the frame, over all levels and both ways.
  long iterations(int frame = 0) const { return report(frame).iterations; }
  // The number of templates that tracks took in the frame.
  std::size_t templates(int frame = 0) const { return report(frame).templates; }

  // Copies a frame's slice to the host on `stream`, and waits for it. `tracks` and `warps` have
  // room for track_count() elements, `lost` for lost_count(). `warps` may be null, and is not
  // written if the list has none. Throws CudaError.
  void copy_to(klt::Track* tracks, klt::Lost* lost, CUstream stream, int frame = 0,
               klt::TrackWarp* warps = nullptr) const;

 private:
  TrackReport report(int frame) const;

  int frames_ = 0;
  bool has_warps_ = false;
  std::uint32_t track_room_ = 0;
  std::uint32_t lost_room_ = 0;
  DeviceBuffer tracks_;
  DeviceBuffer lost_;
  DeviceBuffer warps_;
  DeviceBuffer counts_;
  PinnedBuffer report_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_KLT_DEVICE_TRACK_LIST_H_
