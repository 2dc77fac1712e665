// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_HEIGHTS_FIXTURE_H_
#define RDP_TESTS_SUPPORT_HEIGHTS_FIXTURE_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <limits>
#include <vector>

// Heights made by hand, for tests that need some without running heightmap.

struct HeightsContent {
  GstRdpHeightsInfo info;
  std::vector<GstRdpHead> heads;
  std::vector<GstRdpHeadTrack> tracks;  // empty, or one per head
  std::vector<guint32> lost;
};

// (transfer full), or null with a critical warning.
inline GstRdpHeights* new_heights(const HeightsContent& content) {
  return gst_rdp_heights_new_with_tracks(
      &content.info, content.heads.data(), content.tracks.empty() ? nullptr : content.tracks.data(),
      content.heads.size(), content.lost.data(), content.lost.size());
}

// Three views, the second is the reference. A third of its pixels has heights. There are two heads,
// and a ground raster with a corner at a negative x.
inline HeightsContent two_heads() {
  HeightsContent content;
  gst_rdp_heights_info_init(&content.info);
  content.info.frame = 7;
  content.info.width = 3;
  content.info.height = 10;
  content.info.views = 3;
  content.info.reference = 1;
  content.info.energy = 18189424123;
  content.info.known_pixels = 10;
  content.info.spread = 1250000;
  content.info.iterations = 40;
  content.info.ground_columns = 100;
  content.info.ground_rows = 80;
  content.info.ground_x = -2.55;
  content.info.ground_y = 1.05;
  content.info.ground_cell = 0.05;
  content.heads = {{1, 4, 6, -2.501, 1.25, 1.775}, {2, 9, 4, 0.0, 999.999, 1.9}};
  return content;
}

// The same heads with ids, one of them with a velocity, and two lost heads.
inline HeightsContent two_tracked_heads() {
  constexpr gfloat kUnknown = std::numeric_limits<gfloat>::quiet_NaN();
  HeightsContent content = two_heads();
  content.tracks = {{5, 7, 1.25F, -0.5F}, {12, 0, kUnknown, kUnknown}};
  content.lost = {3, 4000000000};
  return content;
}

#endif  // RDP_TESTS_SUPPORT_HEIGHTS_FIXTURE_H_
