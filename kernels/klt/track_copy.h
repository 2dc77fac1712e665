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

// The tracks of a DeviceTrackList once more, in page-locked memory, where the host reads them in
// place. Belongs to the context that is current when it is first used.
class TrackCopy {
 public:
  // Makes room for `frames` frames of so many tracks and lost features, with or without warps.
  // Allocates only where there was less room before, then half as much again as is needed. Throws
  // CudaError.
  void prepare(int frames, std::size_t tracks, std::size_t lost, bool warps = false);

  // The room for tracks and lost features of a frame. A frame with more of either is left out.
  std::size_t track_room() const { return track_room_; }
  std::size_t lost_room() const { return lost_room_; }
  // The tracks that the device has written of a frame with so many, no more than there is room for,
  // once it has been waited for. Valid until the memory is written to again.
  std::span<const klt::Track> tracks(int frame, std::size_t count) const;
  std::span<const klt::Lost> lost(int frame, std::size_t count) const;
  // The same of the tracks' warps, where the list has some.
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

// The kernel that fills them. Belongs to the context that was current when it was made. Throws
// CudaError.
class TrackCopier {
 public:
  TrackCopier();

  // Starts it behind what fills the list, on the same stream. Asynchronous.
  void run(const DeviceTrackList& list, const TrackCopy& copy, CUstream stream) const;

 private:
  KernelModule module_;
  Kernel kernel_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_KLT_TRACK_COPY_H_
