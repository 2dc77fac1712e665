// SPDX-License-Identifier: LGPL-2.1-or-later
// Heights: contents, serialized form, refused contents; kind_row.h tests the rest.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gst/metadata/heights_pool.h"

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpheightskind.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include "tests/library/kind_row.h"
#include "tests/support/check_test.h"
#include "tests/support/heights_fixture.h"
#include "tests/support/segmentation_fixture.h"

static constexpr gdouble kInfinity = std::numeric_limits<gdouble>::infinity();

// No known height, no head, no ground.
static HeightsContent nothing() {
  HeightsContent content;
  gst_rdp_heights_info_init(&content.info);
  content.info.width = content.info.height = 1;
  return content;
}

template <typename Use>
static void each_array(const HeightsContent& c, Use use) {
  use(c.heads, gst_rdp_heights_peek_heads, gst_rdp_heights_get_heads);
  use(c.tracks, gst_rdp_heights_peek_head_tracks, gst_rdp_heights_get_head_tracks);
  use(c.lost, gst_rdp_heights_peek_lost_heads, gst_rdp_heights_get_lost_heads);
}

static HeightsContent only_lost() {
  HeightsContent content = nothing();
  content.lost = {1};
  return content;
}

static const rdp::test::KindRow<rdp::meta::HeightsKind, HeightsContent> kRow = {
    gst_rdp_heights_get_type,
    two_heads(),
    {nothing(), two_tracked_heads(), only_lost()},
    new_heights,
    gst_rdp_buffer_get_heights,
    gst_rdp_buffer_get_batch_heights,
    gst_buffer_add_rdp_heights_meta,
    gst_buffer_get_rdp_heights_meta,
    gst_buffer_get_rdp_heights_meta_of_batch,
    gst_rdp_heights_meta_get_placement};

CHECK_TEST(test_heights_as_all_kinds) { kRow.check(); }

CHECK_TEST(test_known) {
  fail_unless(gst_rdp_heights_get_known(kRow.make().get()) == 1.0 / 3.0);
  fail_unless(gst_rdp_heights_get_known(kRow.make(nothing()).get()) == 0.0);
}

CHECK_TEST(test_types) {
  const HeightsContent content = two_heads();
  rdp::test::expect_boxed(GST_TYPE_RDP_HEAD, content.heads[0]);
  rdp::test::expect_boxed(GST_TYPE_RDP_HEAD_TRACK, two_tracked_heads().tracks[0]);
  rdp::test::expect_boxed(GST_TYPE_RDP_HEIGHTS_INFO, content.info);
}

CHECK_TEST(test_info_refused) {
  kRow.refused("*width and height must be 1 to 16384*", [](auto& c) { c.info.width = 0; });
  kRow.refused("*width and height must be 1 to 16384*", [](auto& c) { c.info.height = 16385; });
  kRow.refused("*views must be 2 to 16*", [](auto& c) { c.info.views = 1; });
  kRow.refused("*views must be 2 to 16*", [](auto& c) { c.info.views = 17; });
  kRow.refused("*reference must be the number of a view*", [](auto& c) { c.info.reference = 3; });
  kRow.refused("*energy must be 0 or more*", [](auto& c) { c.info.energy = -1; });
  kRow.refused("*known_pixels must be at most*", [](auto& c) { c.info.known_pixels = 31; });
  kRow.refused("*spread must be a time*", [](auto& c) { c.info.spread = GST_CLOCK_TIME_NONE; });
  kRow.refused("*ground_columns and ground_rows*", [](auto& c) { c.info.ground_columns = 0; });
  kRow.refused("*ground_columns and ground_rows*", [](auto& c) { c.info.ground_rows = 0; });
  kRow.refused("*ground_columns and ground_rows*", [](auto& c) { c.info.ground_rows = 16385; });
  kRow.refused("*ground_x and ground_y*", [](auto& c) { c.info.ground_x = kInfinity; });
  kRow.refused("*ground_x and ground_y*", [](auto& c) { c.info.ground_y = std::nan(""); });
  kRow.refused("*ground_cell must be above 0*", [](auto& c) { c.info.ground_cell = 0; });
  kRow.refused("*ground_cell must be above 0*", [](auto& c) { c.info.ground_cell = -0.05; });
  kRow.refused("*ground_cell must be above 0*", [](auto& c) { c.info.ground_cell = kInfinity; });
  // Fields of an absent raster.
  const auto no_ground = [](auto& info) {
    info.ground_columns = info.ground_rows = 0;
    info.ground_x = info.ground_y = info.ground_cell = 0;
  };
  kRow.refused("*0 where there is no ground*", [&](auto& c) {
    no_ground(c.info);
    c.info.ground_x = 1;
  });
  kRow.refused("*0 where there is no ground*", [&](auto& c) {
    no_ground(c.info);
    c.info.ground_y = -1;
  });
  kRow.refused("*0 where there is no ground*", [&](auto& c) {
    no_ground(c.info);
    c.info.ground_cell = 0.05;
  });
}

CHECK_TEST(test_heads_refused) {
  kRow.refused("*head 0, expected a pixel of the 3x10 picture, got column 3 and row 4",
               [](auto& c) { c.heads[0].column = 3; });
  kRow.refused("*head 1, expected a pixel of the 3x10 picture, got column 2 and row 10",
               [](auto& c) { c.heads[1].row = 10; });
  kRow.refused("*head 0, x: expected a finite number, got inf*",
               [](auto& c) { c.heads[0].x = kInfinity; });
  kRow.refused("*head 1, y: expected a finite number, got nan*",
               [](auto& c) { c.heads[1].y = std::nan(""); });
  kRow.refused("*head 1, height: expected a finite number, 0 or more, got -0.5*",
               [](auto& c) { c.heads[1].height = -0.5; });
  kRow.refused("*head 0, height: *nan*", [](auto& c) { c.heads[0].height = std::nan(""); });
  kRow.refused("*head 0, votes: expected 1 to known_pixels, 10, got 0",
               [](auto& c) { c.heads[0].votes = 0; });
  kRow.refused("*head 1, votes: expected 1 to known_pixels, 10, got 11",
               [](auto& c) { c.heads[1].votes = 11; });
}

CHECK_TEST(test_tracks_refused) {
  const auto refused = [](const char* pattern, auto change) {
    kRow.refused(pattern, two_tracked_heads(), change);
  };
  refused("*track of head 1, id: expected 1 or more, got 0", [](auto& c) { c.tracks[1].id = 0; });
  refused("*track of head 0, vx, vy: expected two finite numbers*",
          [](auto& c) { c.tracks[0].vy = std::nanf(""); });
  refused("*track of head 1, vx, vy: expected two finite numbers*",
          [](auto& c) { c.tracks[1].vx = static_cast<gfloat>(kInfinity); });
}

// Heights without tracks are written as version 1.
CHECK_TEST(test_versions) {
  const HeightsContent content = two_tracked_heads();
  const rdp::test::Bytes bytes = kRow.written(kRow.make(content).get());
  fail_unless_equals_int(bytes.size(), 104 + 2 * 32 + 2 * 16 + 2 * 4);
  const auto at = [&](gsize place, const void* expected, gsize size) {
    fail_unless(std::memcmp(bytes.data() + place, expected, size) == 0, "byte %zu", place);
  };
  at(4, "\2\0\0\0", 4);
  at(96, "\2\0\0\0\2\0\0\0\1\0\4\0", 12);
  at(104 + 64, content.tracks.data(), 32);
  at(104 + 96, content.lost.data(), 8);
  rdp::test::Bytes fewer = bytes;
  fewer[96] = 1;
  fewer[100] = 6;
  std::string error;
  fail_unless(kRow.read(fewer, &error) == nullptr);
  fail_unless(error.find("expected a track for each of 2 heads, or none, got 1") !=
              std::string::npos);
  rdp::test::Bytes none = kRow.written(kRow.make(nothing()).get());
  const rdp::test::Bytes first = none;
  none.resize(104);
  none[4] = 2;
  fail_unless(kRow.written(kRow.read(none).get()) == first);
}

CHECK_TEST(test_form) {
  const HeightsContent content = two_heads();
  const rdp::test::Bytes bytes = kRow.written();
  fail_unless_equals_int(bytes.size(), 96 + 2 * 32);
  const auto at = [&](gsize place, const void* expected, gsize size) {
    fail_unless(std::memcmp(bytes.data() + place, expected, size) == 0, "byte %zu", place);
  };
  at(0, "RDPH\1\0\0\0\7\0\0\0\0\0\0\0\3\0\0\0\12\0\0\0\3\0\0\0\1\0\0\0", 32);
  at(32, &content.info.energy, 8);
  at(40, "\12\0\0\0\0\0\0\0", 8);
  at(48, &content.info.spread, 8);
  at(56, "\50\0\0\0\2\0\0\0\144\0\0\0\120\0\0\0", 16);
  at(72, &content.info.ground_x, 24);
  at(96, "\1\0\4\0\6\0\0\0", 8);
  at(104, &content.heads[0].x, 24);
}

CHECK_TEST(test_bytes_refused) {
  kRow.refused_bytes(0, {'r'}, "*expected RDPH and a header of 96*");
  kRow.refused_bytes(16, {0}, "*1 to 16384*");
  kRow.refused_bytes(28, {3}, "*reference must be the number of a view*");
  kRow.refused_bytes(39, {0x80}, "*energy must be 0 or more*");
  kRow.refused_bytes(40, {31}, "*known_pixels must be at most*");
  kRow.refused_bytes(48, {255, 255, 255, 255, 255, 255, 255, 255}, "*spread must be a time*");
  kRow.refused_bytes(60, {1}, "*expected 128 bytes, got 160");
  kRow.refused_bytes(63, {255}, "*expected * bytes, got 160");
  kRow.refused_bytes(68, {0}, "*ground_columns and ground_rows*");
  kRow.refused_bytes(78, {0xF0, 0x7F}, "*ground_x and ground_y*");
  kRow.refused_bytes(96, {3}, "*head 0, expected a pixel*");
  kRow.refused_bytes(96 + 32 + 14, {0xF0, 0x7F}, "*head 1, x: *");
}

// The memory returns to the element's pool. Millimetres become metres, and convert back exactly.
CHECK_TEST(test_pool) {
  rdp::gst::HeightsPool pool;
  HeightsContent content = two_heads();
  const std::vector<rdp::heightmap::Head> found = {{1, 4, -2501, 1250, 1775, 6},
                                                   {2, 9, 0, 999999, 1900, 4}};
  const void* body = nullptr;
  for (int i = 0; i < 3; ++i) {
    rdp::gst::HeightsDraft draft = pool.acquire();
    if (i != 1) draft->set(found);
    g_autoptr(GstRdpHeights) self = draft.finish(content.info);
    if (body == nullptr) body = self;
    fail_unless(body == self);
    HeightsContent expected = content;
    if (i == 1) expected.heads.clear();
    kRow.expect_same(self, expected);
  }
  // With tracks, and without them again.
  rdp::heightmap::HeadTracks tracks;
  for (int i = 0; i < 4; ++i) tracks.update(found, 100000000, {});
  tracks.update(std::span(found).first(1), 100000000, {.keep = 0});
  for (const bool tracked : {true, false}) {
    rdp::gst::HeightsDraft draft = pool.acquire();
    draft->set(std::span(found).first(1));
    if (tracked) draft->set_tracks(tracks);
    g_autoptr(GstRdpHeights) self = draft.finish(content.info);
    HeightsContent expected = content;
    expected.heads.resize(1);
    if (tracked) expected.tracks = {{1, 4, 0, 0}};
    if (tracked) expected.lost = {2};
    kRow.expect_same(self, expected);
  }
  int others = 0;
  for (int mm = -1000000; mm <= 1000000; ++mm) {
    others += std::lround(rdp::heightmap::metres(mm) * 1000) != mm;
  }
  fail_unless_equals_int(others, 0);
}

CHECK_TEST(test_info_of_result) {
  rdp::heightmap::Rig rig;
  rig.views.resize(3);
  rig.views[1].width = 3;
  rig.views[1].height = 10;
  rig.reference = 1;
  rdp::heightmap::Result result;
  result.energy = 18189424123;
  result.iterations = 40;
  result.known = 10;
  GstRdpHeightsInfo info = rdp::gst::heights_info(rig, result);
  info.frame = 7;
  info.spread = 1250000;
  rdp::heightmap::GroundGrid grid = {-2550, 1050, 50, 100, 80};
  rdp::gst::set_ground(grid, &info);
  const GstRdpHeightsInfo expected = two_heads().info;
  fail_unless(std::memcmp(&info, &expected, sizeof info) == 0);
  // An absent raster leaves no field that would be refused.
  grid.rows = 0;
  rdp::gst::set_ground(grid, &info);
  g_autoptr(GstRdpHeights) self = new_heights({info, {}});
  fail_unless(gst_rdp_heights_get_info(self)->ground_cell == 0.0);
}

CHECK_CASE(heights)
