// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_KLT_TRACK_COPY_H_
#define RDP_KERNELS_KLT_TRACK_COPY_H_

#include <cuda.h>

#include <cstddef>
#include <span>

#include "common/klt/track.h"
#include "kernels/klt/device_track_list.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/kernel_module.h"

namespace rdp::cuda {

// Copy of a DeviceTrackList's tracks in page-locked memory, which the host reads in place. Belongs
// to the context that is current when it is first used.
class TrackCopy {
 public:
  // Makes room for `frames` frames of so many tracks and lost features, with or without warps.
  // Allocates only if there was less room, and then 1.5 times the need. Throws CudaError.
  void prepare(int frames, std::size_t tracks, std::size_t lost, bool warps = false);

  // Room of a frame, in tracks and lost features. Frames with more of either are not copied.
  std::size_t track_room() const { return track_room_; }
  std::size_t lost_room() const { return lost_room_; }
  // The `count` copied tracks of a frame, at most track_room(). Wait for the copy first. Valid
  // until the memory is written to again.
  std::span<const klt::Track> tracks(int frame, std::size_t count) const;
  std::span<const klt::Lost> lost(int frame, std::size_t count) const;
  // Their warps, if the list has some.
  std::span<const klt::TrackWarp> warps(int frame, std::size_t count) const;

 private:
  friend class TrackCopier;

  std::size_t stride() const;

  int frames_ = 0;
  bool has_warps_ = false;  // room for them
  std::size_t track_room_ = 0;
  std::size_t lost_room_ = 0;
  PinnedBuffer memory_;
};

// Kernel that fills a TrackCopy. Belongs to the context that was current when it was made. Throws
// CudaError.
class TrackCopier {
 public:
  TrackCopier();

  // Starts the copy; `stream` is the one that fills the list. Asynchronous.
  void run(const DeviceTrackList& list, const TrackCopy& copy, CUstream stream) const;

 private:
  KernelModule module_;
  Kernel kernel_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_KLT_TRACK_COPY_H_
