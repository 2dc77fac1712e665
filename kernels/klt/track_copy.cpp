// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/klt/track_copy.h"

#include "kernels/klt/klt_arguments.h"

extern "C" const unsigned char rdp_klt_copy_fatbin[];

namespace rdp::cuda {

void TrackCopy::prepare(int frames, std::size_t tracks, std::size_t lost, bool warps) {
  if (frames_ == frames && tracks <= track_room_ && lost <= lost_room_ && has_warps_ >= warps) {
    return;
  }
  const auto more = [](std::size_t count, std::size_t room) {
    return count <= room ? room : count + count / 2 + 1;
  };
  frames_ = 0;
  track_room_ = more(tracks, track_room_);
  lost_room_ = more(lost, lost_room_);
  has_warps_ = has_warps_ || warps;
  memory_.ensure(static_cast<std::size_t>(frames) * stride());
  frames_ = frames;
}

std::size_t TrackCopy::stride() const {
  const std::size_t of_track = sizeof(klt::Track) + (has_warps_ ? sizeof(klt::TrackWarp) : 0);
  return track_room_ * of_track + lost_room_ * sizeof(klt::Lost);
}

std::span<const klt::Track> TrackCopy::tracks(int frame, std::size_t count) const {
  const std::byte* const at = memory_.get() + static_cast<std::size_t>(frame) * stride();
  return {reinterpret_cast<const klt::Track*>(at), count};
}

std::span<const klt::Lost> TrackCopy::lost(int frame, std::size_t count) const {
  const std::byte* const at =
      memory_.get() + static_cast<std::size_t>(frame) * stride() + track_room_ * sizeof(klt::Track);
  return {reinterpret_cast<const klt::Lost*>(at), count};
}

std::span<const klt::TrackWarp> TrackCopy::warps(int frame, std::size_t count) const {
  const std::byte* const at = memory_.get() + static_cast<std::size_t>(frame) * stride() +
                              track_room_ * sizeof(klt::Track) + lost_room_ * sizeof(klt::Lost);
  return {reinterpret_cast<const klt::TrackWarp*>(at), has_warps_ ? count : 0};
}

TrackCopier::TrackCopier() : module_(rdp_klt_copy_fatbin), kernel_(module_, "rdp_klt_copy") {}

void TrackCopier::run(const DeviceTrackList& list, const TrackCopy& copy, CUstream stream) const {
  CopyTracksArguments arguments{};
  arguments.list = list.view();
  if (!copy.has_warps_) arguments.list.warps = nullptr;
  arguments.host = reinterpret_cast<unsigned char*>(copy.memory_.device_pointer());
  arguments.stride = copy.stride();
  arguments.track_room = static_cast<std::uint32_t>(copy.track_room());
  arguments.lost_room = static_cast<std::uint32_t>(copy.lost_room());
  LaunchShape shape;
  shape.blocks_x = kTrackCopyBlocks;
  shape.blocks_y = static_cast<unsigned>(list.frames());
  shape.threads = kTrackCopyThreads;
  kernel_.start(shape, stream, arguments);
}

}  // namespace rdp::cuda
