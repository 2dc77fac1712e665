// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_HEIGHTS_FIXTURE_H_
#define RDP_TESTS_SUPPORT_HEIGHTS_FIXTURE_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <vector>

// Heights made by hand, for tests that need some without running heightmap.

struct HeightsContent {
  GstRdpHeightsInfo info;
  std::vector<GstRdpHead> heads;
};

// (transfer full), or null with a critical warning.
inline GstRdpHeights* new_heights(const HeightsContent& content) {
  return gst_rdp_heights_new(&content.info, content.heads.data(), content.heads.size());
}

// A third of the pixels of the second of three views, two heads, and a raster on the ground whose
// corner is in the negative.
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

#endif  // RDP_TESTS_SUPPORT_HEIGHTS_FIXTURE_H_
