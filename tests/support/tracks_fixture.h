// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_TRACKS_FIXTURE_H_
#define RDP_TESTS_SUPPORT_TRACKS_FIXTURE_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <vector>

// Tracks made by hand, for tests that need some without running klttrack.

struct TracksContent {
  GstRdpTracksInfo info;
  std::vector<GstRdpTrack> tracks;
  std::vector<GstRdpLostTrack> lost;
  std::vector<GstRdpTrackWarp> warps;
};

// (transfer full), or null with a critical warning.
inline GstRdpTracks* new_tracks(const TracksContent& content) {
  if (content.warps.empty()) {
    return gst_rdp_tracks_new(&content.info, content.tracks.data(), content.tracks.size(),
                              content.lost.data(), content.lost.size());
  }
  return gst_rdp_tracks_new_with_warps(&content.info, content.tracks.data(), content.tracks.size(),
                                       content.lost.data(), content.lost.size(),
                                       content.warps.data(), content.warps.size());
}

// An 8x6 frame with an old track, a new one and two lost ones.
inline TracksContent two_tracks() {
  TracksContent content;
  gst_rdp_tracks_info_init(&content.info);
  content.info.frame = 7;
  content.info.width = 8;
  content.info.height = 6;
  content.info.template_pts = 40 * GST_MSECOND;
  content.tracks = {{3, 5, 1.5F, 2.25F, -0.5F, 0.125F, 1.75F, 30.5F},
                    {9, 0, 7.0F, 5.0F, 0.0F, 0.0F, 0.0F, 2.5F}};
  content.lost = {{1, GST_RDP_LOST_OUTSIDE, 0.0F, 3.0009765625F},
                  {8, GST_RDP_LOST_CROWDED, 4.0F, 4.0F}};
  return content;
}

// The same with warps; the lost features failed the test of their patches.
inline TracksContent warped_tracks() {
  TracksContent content = two_tracks();
  for (GstRdpLostTrack& lost : content.lost) lost.reason = GST_RDP_LOST_TEMPLATE;
  content.warps = {{1.25F, -0.5F, 0.0625F, 0.75F, 3.5F, 4}, {1.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0}};
  return content;
}

#endif  // RDP_TESTS_SUPPORT_TRACKS_FIXTURE_H_
