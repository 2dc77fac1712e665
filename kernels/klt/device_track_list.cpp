// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/klt/device_track_list.h"

#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"

namespace rdp::cuda {

void DeviceTrackList::prepare(int frames, std::size_t tracks, std::size_t lost, bool warps) {
  const auto slices = static_cast<std::size_t>(frames);
  frames_ = 0;
  tracks_.ensure(slices * tracks * sizeof(klt::Track));
  lost_.ensure(slices * lost * sizeof(klt::Lost));
  if (warps) warps_.ensure(slices * tracks * sizeof(klt::TrackWarp));
  counts_.ensure(slices * sizeof(TrackReport));
  report_.ensure(slices * sizeof(TrackReport));
  frames_ = frames;
  has_warps_ = warps;
  track_room_ = static_cast<std::uint32_t>(tracks);
  lost_room_ = static_cast<std::uint32_t>(lost);
}

TrackListView DeviceTrackList::view() const {
  return {tracks_.as<klt::Track>(),
          lost_.as<klt::Lost>(),
          has_warps_ ? warps_.as<klt::TrackWarp>() : nullptr,
          counts_.as<TrackReport>(),
          reinterpret_cast<TrackReport*>(report_.device_pointer()),
          track_room_,
          lost_room_,
          static_cast<std::uint32_t>(frames_)};
}

TrackReport DeviceTrackList::report(int frame) const {
  // Written by the device.
  const volatile TrackReport& report =
      reinterpret_cast<const volatile TrackReport*>(report_.get())[frame];
  return {report.tracks, report.lost, report.iterations, report.templates};
}

void DeviceTrackList::copy_to(klt::Track* tracks, klt::Lost* lost, CUstream stream, int frame,
                              klt::TrackWarp* warps) const {
  constexpr char kWhat[] = "copying tracks from the GPU";
  const TrackListView slice = view().of_frame(static_cast<std::uint32_t>(frame));
  const auto copy = [&](void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    check(driver().cuMemcpyDtoHAsync_v2(to, reinterpret_cast<CUdeviceptr>(from), bytes, stream),
          kWhat);
  };
  copy(tracks, slice.tracks, track_count(frame) * sizeof(klt::Track));
  copy(lost, slice.lost, lost_count(frame) * sizeof(klt::Lost));
  if (warps != nullptr && has_warps_) {
    copy(warps, slice.warps, track_count(frame) * sizeof(klt::TrackWarp));
  }
  check(driver().cuStreamSynchronize(stream), kWhat);
}

}  // namespace rdp::cuda
