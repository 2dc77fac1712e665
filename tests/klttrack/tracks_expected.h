// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_KLTTRACK_TRACKS_EXPECTED_H_
#define RDP_TESTS_KLTTRACK_TRACKS_EXPECTED_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "common/klt/reference.h"
#include "tests/klt/klt_frames.h"

// Comparison of klttrack's tracks with the scalar reference.
namespace tracks_rig {

struct Found {
  std::vector<rdp::klt::Track> tracks;
  std::vector<rdp::klt::Lost> lost;
  std::vector<rdp::klt::TrackWarp> warps;
};

inline Found found_in(GstRdpTracks* self) {
  Found found;
  gsize n = 0;
  const auto* tracks =
      reinterpret_cast<const rdp::klt::Track*>(gst_rdp_tracks_peek_tracks(self, &n));
  found.tracks.assign(tracks, tracks + n);
  const auto* lost = reinterpret_cast<const rdp::klt::Lost*>(gst_rdp_tracks_peek_lost(self, &n));
  found.lost.assign(lost, lost + n);
  const auto* warps =
      reinterpret_cast<const rdp::klt::TrackWarp*>(gst_rdp_tracks_peek_warps(self, &n));
  found.warps.assign(warps, warps + n);
  return found;
}

// The first difference from the reference; "" if equal.
inline std::string difference(GstRdpTracks* self, const rdp::klt::reference::Result& expected) {
  if (self == nullptr) return "no tracks";
  const Found found = found_in(self);
  const std::string wrong = rdp::test::first_difference(expected, found.tracks, found.lost);
  if (!wrong.empty()) return wrong;
  const std::vector<rdp::klt::TrackWarp>& warps = expected.warps;
  if (found.warps.size() != warps.size()) {
    return std::to_string(found.warps.size()) + " warps, expected " + std::to_string(warps.size());
  }
  for (std::size_t i = 0; i < warps.size(); ++i) {
    if (std::memcmp(&found.warps[i], &warps[i], sizeof warps[i]) != 0) {
      return "another warp of track " + std::to_string(i);
    }
  }
  return {};
}

// Reconstructs the state before a frame from its result. A track was at (x - dx, y - dy); a lost
// track holds its last position. Ids ascend, so they give the order, and the first new id is
// next_id. Valid only for predict=false, where no search depends on earlier motion.
inline rdp::klt::reference::State before(const Found& found, const rdp::DepthView* of_template) {
  rdp::klt::reference::State state;
  if (of_template != nullptr) state.picture = rdp::klt::reference::pyramid_of(*of_template);
  for (const rdp::klt::Track& track : found.tracks) {
    if (track.age == 0) {
      state.next_id = track.id;
      break;
    }
    state.tracks.push_back(
        {track.id, track.age - 1, track.x - track.dx, track.y - track.dy, 0.0F, 0.0F, 0.0F, 0.0F});
  }
  for (const rdp::klt::Lost& lost : found.lost) {
    state.tracks.push_back({lost.id, 1, lost.x, lost.y, 0.0F, 0.0F, 0.0F, 0.0F});
  }
  std::sort(state.tracks.begin(), state.tracks.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  state.starts.resize(state.tracks.size());
  return state;
}

}  // namespace tracks_rig

#endif  // RDP_TESTS_KLTTRACK_TRACKS_EXPECTED_H_
