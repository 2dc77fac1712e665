// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_METADATA_TRACKS_POOL_H_
#define RDP_GST_METADATA_TRACKS_POOL_H_

#include <gst/rdpsegment/rdptrackskind.h>

#include <span>

#include "common/klt/track.h"
#include "gst/metadata/result_pool.h"
#include "gst/metadata/two_arrays.h"

namespace rdp::gst {

static_assert(sizeof(GstRdpTrack) == sizeof(klt::Track));
static_assert(sizeof(GstRdpLostTrack) == sizeof(klt::Lost));

// The tracks of a frame, and those that were lost with it.
class TracksContent : public TwoArrays<klt::Track, klt::Lost> {
 public:
  using Kind = meta::TracksKind;

  std::span<const klt::Track> tracks() const { return first(); }
  std::span<const klt::Lost> lost() const { return second(); }

  GstRdpTracksArrays arrays() const {
    return {reinterpret_cast<const GstRdpTrack*>(tracks().data()),
            tracks().size(),
            reinterpret_cast<const GstRdpLostTrack*>(lost().data()),
            lost().size(),
            nullptr,
            0};
  }
};

using TracksPool = ResultPool<TracksContent>;
using TracksDraft = TracksPool::Draft;

}  // namespace rdp::gst

#endif  // RDP_GST_METADATA_TRACKS_POOL_H_
