// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_TRACKS_POOL_H_
#define RDP_GST_METADATA_TRACKS_POOL_H_

#include <gst/rdpsegment/rdptrackskind.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "common/image/grow_buffer.h"
#include "common/klt/track.h"
#include "gst/metadata/result_pool.h"
#include "gst/metadata/two_arrays.h"

namespace rdp::gst {

static_assert(sizeof(GstRdpTrack) == sizeof(klt::Track));
static_assert(sizeof(GstRdpLostTrack) == sizeof(klt::Lost));
static_assert(sizeof(GstRdpTrackWarp) == sizeof(klt::TrackWarp));

// The tracks of a frame, the tracks lost in it, and the warps of the tracks, if any.
class TracksContent : public TwoArrays<klt::Track, klt::Lost> {
 public:
  using Kind = meta::TracksKind;

  // Copies them. Throws std::bad_alloc.
  void set(std::span<const klt::Track> tracks, std::span<const klt::Lost> lost,
           std::span<const klt::TrackWarp> warps) {
    clear();
    TwoArrays::set(tracks, lost);
    std::copy(warps.begin(), warps.end(), warps_.ensure(warps.size()));
    n_warps_ = warps.size();
  }
  void clear() {
    TwoArrays::clear();
    n_warps_ = 0;
  }

  std::span<const klt::Track> tracks() const { return first(); }
  std::span<const klt::Lost> lost() const { return second(); }
  std::span<const klt::TrackWarp> warps() const { return {warps_.data(), n_warps_}; }

  GstRdpTracksArrays arrays() const {
    return {reinterpret_cast<const GstRdpTrack*>(tracks().data()),    tracks().size(),
            reinterpret_cast<const GstRdpLostTrack*>(lost().data()),  lost().size(),
            reinterpret_cast<const GstRdpTrackWarp*>(warps().data()), warps().size()};
  }

 private:
  GrowBuffer<klt::TrackWarp> warps_;
  std::size_t n_warps_ = 0;
};

using TracksPool = ResultPool<TracksContent>;
using TracksDraft = TracksPool::Draft;

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_TRACKS_POOL_H_
