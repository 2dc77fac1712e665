// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_TRACKS_POOL_H_
#define RDP_GST_METADATA_TRACKS_POOL_H_

#include <gst/rdpsegment/rdptrackskind.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include "common/image/grow_buffer.h"
#include "common/klt/track.h"
#include "gst/metadata/result_pool.h"

namespace rdp::gst {

static_assert(sizeof(GstRdpTrack) == sizeof(klt::Track));
static_assert(sizeof(GstRdpLostTrack) == sizeof(klt::Lost));

// The tracks of a frame.
class TracksContent {
 public:
  using Kind = meta::TracksKind;

  // Copies them. Throws std::bad_alloc.
  void set(std::span<const klt::Track> tracks, std::span<const klt::Lost> lost) {
    clear();
    std::copy(tracks.begin(), tracks.end(), tracks_.ensure(tracks.size() + 1));
    std::copy(lost.begin(), lost.end(), lost_.ensure(lost.size() + 1));
    n_tracks_ = tracks.size();
    n_lost_ = lost.size();
  }

  std::span<const klt::Track> tracks() const { return {tracks_.data(), n_tracks_}; }
  std::span<const klt::Lost> lost() const { return {lost_.data(), n_lost_}; }

  bool fetch(std::string*) noexcept { return true; }
  GstRdpTracksArrays arrays() const {
    return {reinterpret_cast<const GstRdpTrack*>(tracks_.data()), n_tracks_,
            reinterpret_cast<const GstRdpLostTrack*>(lost_.data()), n_lost_};
  }
  void clear() {
    n_tracks_ = n_lost_ = 0;
    tracks_.ensure(1);  // here, they are never null
  }
  void recycled() noexcept {}

 private:
  GrowBuffer<klt::Track> tracks_;
  GrowBuffer<klt::Lost> lost_;
  std::size_t n_tracks_ = 0;
  std::size_t n_lost_ = 0;
};

using TracksPool = ResultPool<TracksContent>;
using TracksDraft = TracksPool::Draft;

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_TRACKS_POOL_H_
