// SPDX-License-Identifier: LGPL-2.1-or-later
// Heights as objects and as bytes: what they hold, what is refused, whose their array is; and on
// buffers. What metadata does there all kinds have in common, and segmentmeta tests it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

#include "gst/metadata/heights_pool.h"

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpheightskind.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include "tests/library/kind_on_buffer.h"
#include "tests/support/check_test.h"
#include "tests/support/heights_fixture.h"
#include "tests/support/segmentation_fixture.h"

static constexpr gdouble kInfinity = std::numeric_limits<gdouble>::infinity();

static void expect_same(GstRdpHeights* self, const HeightsContent& content) {
  fail_unless(std::memcmp(gst_rdp_heights_get_info(self), &content.info, sizeof content.info) == 0);
  gsize n = 0;
  const GstRdpHead* heads = gst_rdp_heights_peek_heads(self, &n);
  fail_unless_equals_int(n, content.heads.size());
  if (n > 0) fail_unless(std::memcmp(heads, content.heads.data(), n * sizeof *heads) == 0);
}

// Nothing known, nobody, no ground.
static HeightsContent nothing() {
  HeightsContent content;
  gst_rdp_heights_info_init(&content.info);
  content.info.width = content.info.height = 1;
  return content;
}

CHECK_TEST(test_content) {
  const HeightsContent content = two_heads();
  g_autoptr(GstRdpHeights) self = new_heights(content);
  fail_unless(GST_IS_RDP_HEIGHTS(self));
  expect_same(self, content);
  fail_unless(gst_rdp_heights_get_known(self) == 1.0 / 3.0);
  gsize n = 0;
  fail_if(gst_rdp_heights_peek_heads(self, &n) == content.heads.data(), "not a copy");
  g_autoptr(GstRdpHeights) empty = new_heights(nothing());
  expect_same(empty, nothing());
  fail_unless(gst_rdp_heights_get_known(empty) == 0.0);
  g_autoptr(GBytes) bytes = gst_rdp_heights_get_heads(empty);
  fail_unless_equals_int(g_bytes_get_size(bytes), 0);
}

// Bytes are the object's own memory, and keep it.
CHECK_TEST(test_array_as_bytes) {
  GstRdpHeights* self = new_heights(two_heads());
  gsize n = 0;
  const void* heads = gst_rdp_heights_peek_heads(self, &n);
  g_autoptr(GBytes) bytes = gst_rdp_heights_get_heads(self);
  ASSERT_MINI_OBJECT_REFCOUNT(self, "heights", 2);
  gst_rdp_heights_unref(self);
  gsize size = 0;
  fail_unless(g_bytes_get_data(bytes, &size) == heads);
  fail_unless_equals_int(size, 64);
}

template <typename Plain>
static void expect_boxed(GType type, const Plain& plain) {
  gpointer copy = g_boxed_copy(type, &plain);
  fail_unless(std::memcmp(copy, &plain, sizeof plain) == 0);
  g_boxed_free(type, copy);
}

CHECK_TEST(test_types) {
  const HeightsContent content = two_heads();
  expect_boxed(GST_TYPE_RDP_HEAD, content.heads[0]);
  expect_boxed(GST_TYPE_RDP_HEIGHTS_INFO, content.info);
}

template <typename Change>
static void refused(const char* pattern, Change change) {
  HeightsContent content = two_heads();
  change(content);
  expect_critical(pattern, [&] { fail_unless(new_heights(content) == nullptr); });
}

CHECK_TEST(test_info_refused) {
  refused("*width and height must be 1 to 16384*", [](auto& c) { c.info.width = 0; });
  refused("*width and height must be 1 to 16384*", [](auto& c) { c.info.height = 16385; });
  refused("*views must be 2 to 16*", [](auto& c) { c.info.views = 1; });
  refused("*views must be 2 to 16*", [](auto& c) { c.info.views = 17; });
  refused("*reference must be the number of a view*", [](auto& c) { c.info.reference = 3; });
  refused("*energy must be 0 or more*", [](auto& c) { c.info.energy = -1; });
  refused("*known_pixels must be at most*", [](auto& c) { c.info.known_pixels = 31; });
  refused("*spread must be a time*", [](auto& c) { c.info.spread = GST_CLOCK_TIME_NONE; });
  refused("*ground_columns and ground_rows*", [](auto& c) { c.info.ground_columns = 0; });
  refused("*ground_columns and ground_rows*", [](auto& c) { c.info.ground_rows = 0; });
  refused("*ground_columns and ground_rows*", [](auto& c) { c.info.ground_rows = 16385; });
  refused("*ground_x and ground_y*", [](auto& c) { c.info.ground_x = kInfinity; });
  refused("*ground_x and ground_y*", [](auto& c) { c.info.ground_y = std::nan(""); });
  refused("*ground_cell must be above 0*", [](auto& c) { c.info.ground_cell = 0; });
  refused("*ground_cell must be above 0*", [](auto& c) { c.info.ground_cell = -0.05; });
  refused("*ground_cell must be above 0*", [](auto& c) { c.info.ground_cell = kInfinity; });
  // What a raster that is not there would have.
  const auto no_ground = [](auto& info) {
    info.ground_columns = info.ground_rows = 0;
    info.ground_x = info.ground_y = info.ground_cell = 0;
  };
  refused("*0 where there is no ground*", [&](auto& c) {
    no_ground(c.info);
    c.info.ground_x = 1;
  });
  refused("*0 where there is no ground*", [&](auto& c) {
    no_ground(c.info);
    c.info.ground_y = -1;
  });
  refused("*0 where there is no ground*", [&](auto& c) {
    no_ground(c.info);
    c.info.ground_cell = 0.05;
  });
}

CHECK_TEST(test_heads_refused) {
  refused("*head 0, expected a pixel of the 3x10 picture, got column 3 and row 4",
          [](auto& c) { c.heads[0].column = 3; });
  refused("*head 1, expected a pixel of the 3x10 picture, got column 2 and row 10",
          [](auto& c) { c.heads[1].row = 10; });
  refused("*head 0, x: expected a finite number, got inf*",
          [](auto& c) { c.heads[0].x = kInfinity; });
  refused("*head 1, y: expected a finite number, got nan*",
          [](auto& c) { c.heads[1].y = std::nan(""); });
  refused("*head 1, height: expected a finite number, 0 or more, got -0.5*",
          [](auto& c) { c.heads[1].height = -0.5; });
  refused("*head 0, height: *nan*", [](auto& c) { c.heads[0].height = std::nan(""); });
  refused("*head 0, votes: expected 1 to known_pixels, 10, got 0",
          [](auto& c) { c.heads[0].votes = 0; });
  refused("*head 1, votes: expected 1 to known_pixels, 10, got 11",
          [](auto& c) { c.heads[1].votes = 11; });
}

static GstRdpHeights* read(const std::vector<guint8>& data, GError** error) {
  g_autoptr(GBytes) bytes = g_bytes_new_static(data.data(), data.size());
  return gst_rdp_heights_new_from_bytes(bytes, error);
}

static std::vector<guint8> written(GstRdpHeights* self) {
  g_autoptr(GBytes) bytes = gst_rdp_heights_to_bytes(self);
  gsize size = 0;
  const auto* data = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
  return {data, data + size};
}

CHECK_TEST(test_form) {
  const HeightsContent content = two_heads();
  g_autoptr(GstRdpHeights) self = new_heights(content);
  const std::vector<guint8> bytes = written(self);
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
  for (const HeightsContent& one : {content, nothing()}) {
    g_autoptr(GstRdpHeights) made = new_heights(one);
    g_autoptr(GError) error = nullptr;
    g_autoptr(GstRdpHeights) again = read(written(made), &error);
    g_assert_no_error(error);
    expect_same(again, one);
  }
}

static void refused_bytes(gsize at, std::vector<guint8> with, const char* pattern) {
  g_autoptr(GstRdpHeights) self = new_heights(two_heads());
  std::vector<guint8> bytes = written(self);
  std::copy(with.begin(), with.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
  g_autoptr(GError) error = nullptr;
  fail_unless(read(bytes, &error) == nullptr, "byte %zu", at);
  fail_unless(error->domain == G_IO_ERROR);
  fail_unless(g_pattern_match_simple(pattern, error->message), "%s", error->message);
}

CHECK_TEST(test_bytes_refused) {
  refused_bytes(0, {'r'}, "*expected RDPH and a header of 96*");
  refused_bytes(4, {2}, "*version 2*");
  refused_bytes(16, {0}, "*1 to 16384*");
  refused_bytes(28, {3}, "*reference must be the number of a view*");
  refused_bytes(39, {0x80}, "*energy must be 0 or more*");
  refused_bytes(40, {31}, "*known_pixels must be at most*");
  refused_bytes(48, {255, 255, 255, 255, 255, 255, 255, 255}, "*spread must be a time*");
  refused_bytes(60, {1}, "*expected 128 bytes, got 160");
  refused_bytes(63, {255}, "*expected * bytes, got 160");
  refused_bytes(68, {0}, "*ground_columns and ground_rows*");
  refused_bytes(78, {0xF0, 0x7F}, "*ground_x and ground_y*");
  refused_bytes(96, {3}, "*head 0, expected a pixel*");
  refused_bytes(96 + 32 + 14, {0xF0, 0x7F}, "*head 1, x: *");
}

// What an element makes them in goes back to where it came from. Millimetres become metres, and
// come back as they were.
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
    expect_same(self, expected);
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
  // Of no raster nothing is left that would be refused.
  grid.rows = 0;
  rdp::gst::set_ground(grid, &info);
  g_autoptr(GstRdpHeights) self = new_heights({info, {}});
  fail_unless(gst_rdp_heights_get_info(self)->ground_cell == 0.0);
}

CHECK_TEST(test_on_buffer) {
  g_autoptr(GstRdpHeights) heights = new_heights(two_heads());
  rdp::test::KindOnBuffer<GstRdpHeights, GstRdpHeightsMeta>{
      "GstRdpHeightsMeta",
      gst_rdp_buffer_get_heights,
      gst_rdp_buffer_get_batch_heights,
      gst_buffer_add_rdp_heights_meta,
      [](GstBuffer* buffer) -> const GstRdpHeightsMeta* {
        return gst_buffer_get_rdp_heights_meta(buffer);
      },
      gst_rdp_heights_meta_get_placement}
      .check(heights);
}

CHECK_CASE(heights)
