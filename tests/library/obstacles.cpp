// SPDX-License-Identifier: LGPL-2.1-or-later
// Obstacles: serialized form, refused contents; kind_row.h tests the rest.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gst/metadata/obstacles_pool.h"

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpobstacleskind.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include "tests/library/kind_row.h"
#include "tests/support/check_test.h"
#include "tests/support/obstacles_fixture.h"
#include "tests/support/segmentation_fixture.h"

static constexpr gfloat kInfinity = std::numeric_limits<gfloat>::infinity();
static const gfloat kNan = std::nanf("");

template <typename Use>
static void each_array(const ObstaclesContent& c, Use use) {
  use(c.objects, gst_rdp_obstacles_peek_objects, gst_rdp_obstacles_get_objects);
  use(c.lost, gst_rdp_obstacles_peek_lost, gst_rdp_obstacles_get_lost);
  use(c.hidden, gst_rdp_obstacles_peek_hidden, gst_rdp_obstacles_get_hidden);
  use(c.ranges, gst_rdp_obstacles_peek_ranges, gst_rdp_obstacles_get_ranges);
  use(c.free, gst_rdp_obstacles_peek_free, gst_rdp_obstacles_get_free);
  use(c.states, gst_rdp_obstacles_peek_states, gst_rdp_obstacles_get_states);
  use(c.tops, gst_rdp_obstacles_peek_tops, gst_rdp_obstacles_get_tops);
}

static const rdp::test::KindRow<rdp::meta::ObstaclesKind, ObstaclesContent> kRow = {
    gst_rdp_obstacles_get_type,
    two_obstacles(),
    {no_obstacles()},
    new_obstacles,
    gst_rdp_buffer_get_obstacles,
    gst_rdp_buffer_get_batch_obstacles,
    gst_buffer_add_rdp_obstacles_meta,
    gst_buffer_get_rdp_obstacles_meta,
    gst_buffer_get_rdp_obstacles_meta_of_batch,
    gst_rdp_obstacles_meta_get_placement};

CHECK_TEST(test_obstacles_as_all_kinds) { kRow.check(); }

CHECK_TEST(test_form) {
  const ObstaclesContent content = two_obstacles();
  const rdp::test::Bytes bytes = kRow.written();
  fail_unless_equals_int(bytes.size(), 200 + 2 * 64 + 3 * 4 + 2 * 3 * 4 + 3 + 3 * 2);
  const auto at = [&](gsize place, const void* expected, gsize size) {
    fail_unless(std::memcmp(bytes.data() + place, expected, size) == 0, "byte %zu", place);
  };
  at(0, "RDPO\1\0\0\0\7\0\0\0\0\0\0\0\3\0\0\0\12\0\0\0\1\0\0\0\2\0\0\0", 32);
  at(32, &content.info.camera_height, 24);
  at(56, &content.info.grid_x, 24);
  at(80, "\3\0\0\0\1\0\0\0", 8);
  at(88, &content.info.angle_min, 24);
  at(112, content.info.axes, 72);
  at(184, "\2\0\0\0\2\0\0\0\1\0\0\0\3\0\0\0", 16);
  at(200, content.objects.data(), 128);
  at(328, "\1\0\0\0\3\0\0\0\2\0\0\0", 12);
  at(340, content.ranges.data(), 12);
  at(364, "\2\1\3\x77\1", 5);
}

CHECK_TEST(test_refused) {
  kRow.refused("*width and height must be*", [](auto& c) { c.info.height = 16385; });
  kRow.refused("*ground must be a GstRdpGroundSource*", [](auto& c) {
    const guint beyond = 6;
    std::memcpy(&c.info.ground, &beyond, sizeof beyond);
  });
  kRow.refused("*camera_height must be 0 or more*", [](auto& c) { c.info.camera_height = -1; });
  kRow.refused("*camera_height must be 0 or more*", [](auto& c) { c.info.roll = kNan; });
  kRow.refused("*0 and refined false where there is no ground*",
               [](auto& c) { c.info.ground = GST_RDP_GROUND_NONE; });
  kRow.refused("*number 3 of axes: expected the identity's, since there is no ground, got 1*",
               [](auto& c) {
                 c = no_obstacles();
                 c.info.axes[3] = 1;
               });
  kRow.refused("*number 8 of axes: expected a finite one*",
               [](auto& c) { c.info.axes[8] = kInfinity; });
  kRow.refused("*grid_columns and grid_rows*", [](auto& c) { c.info.grid_rows = 0; });
  kRow.refused("*grid_columns and grid_rows*", [](auto& c) { c.info.grid_columns = 2049; });
  kRow.refused("*grid_x and grid_y*", [](auto& c) { c.info.grid_y = kNan; });
  kRow.refused("*cell_size must be above 0*", [](auto& c) { c.info.cell_size = 0; });
  kRow.refused("*angle_min must be a number*", [](auto& c) { c.info.angle_increment = -1; });
  kRow.refused("*range_max must be 0 or more*", [](auto& c) { c.info.range_max = kInfinity; });
  kRow.refused("*object 1, x, y, yaw: *got nan*", [](auto& c) { c.objects[1].yaw = kNan; });
  kRow.refused("*object 0, length, *0 or more, got -1*",
               [](auto& c) { c.objects[0].distance = -1; });
  kRow.refused("*object 0, flags: *got 16*", [](auto& c) { c.objects[0].flags = 16; });
  kRow.refused("*object 1, flags: *got 8*", [](auto& c) { c.objects[1].flags = 8; });
  kRow.refused("*object 1, vx, vy: expected finite*", [](auto& c) { c.objects[1].flags = 2; });
  kRow.refused("*object 0, vx, vy: expected NaN*", [](auto& c) { c.objects[0].flags = 0; });
  kRow.refused("*object 0, *a box in the 3x10 frame, got 1, 2, 2, 9*",
               [](auto& c) { c.objects[0].rows = 9; });
  kRow.refused("*range 2: *got -1*", [](auto& c) { c.ranges[2] = -1; });
  kRow.refused("*free distance 1: *got inf*", [](auto& c) { c.free[1] = kInfinity; });
  kRow.refused("*each of 3 cells, got 2*", [](auto& c) { c.states.pop_back(); });
  kRow.refused("*state 1: *got 4*", [](auto& c) { c.states[1] = 4; });
  kRow.refused("*top 2: *got 9*", [](auto& c) { c.tops[2] = 9; });
}

CHECK_TEST(test_bytes_refused) {
  kRow.refused_bytes(0, {'r'}, "*expected RDPO and a header of 200*");
  kRow.refused_bytes(24, {3}, "*no unknown flags*");
  kRow.refused_bytes(28, {6}, "*ground must be*");
  kRow.refused_bytes(82, {1}, "*grid_columns and grid_rows must be 1 to 2048*");
  kRow.refused_bytes(187, {255}, "*expected * bytes, got 373");
  kRow.refused_bytes(199, {255}, "*expected * bytes, got 373");
  kRow.refused_bytes(343, {0xBF}, "*range 0*");
  kRow.refused_bytes(364, {4}, "*state 0*");
  kRow.refused_bytes(369, {1}, "*top 1*");
}

// Objects made from an engine's result: millimetres become metres, and the memory returns to the
// pool.
CHECK_TEST(test_pool) {
  using namespace rdp;
  gst::ObstaclesPool pool;
  const obstacles::Parameters parameters{
      .range = 4.0, .scan_bins = 3, .scan_fov = 90, .free_gap = 0.5};
  const void* body = nullptr;
  for (int i = 0; i < 4; ++i) {
    const bool ground = i != 2;
    gst::ObstaclesDraft draft = pool.acquire();
    obstacles::Obstacles& found = *draft->found();
    found.has_ground = found.refined = ground;
    found.ground = {{0.0, 0.8, 0.6}, 1.25};
    found.axes = obstacles::axes_of(found.ground);
    found.grid = {50, 3, 1, 0, -50};
    found.ranges = {0, 1234, 0};
    found.free = {3500, 1000, ground ? 3499U : 4000U};
    found.states = {2, 1, 0};
    found.tops = {321, 0, 0};
    found.objects = {{1500, -250, 800, 400, 321, 256, 1234, 40, 3, 1, 2, 2, 8, 1}};
    obstacles::Tracks tracks;
    for (int frame = 0; frame <= 3 * (i % 2); ++frame) {
      const obstacles::Box box = {1500 + 100 * (frame - 3), -250, 800, 400};
      tracks.update(std::span(&box, 1), 100000000, {});
    }
    draft->set(parameters, tracks, true);
    GstRdpObstaclesInfo info = gst::obstacles_info(found, parameters, GST_RDP_GROUND_GIVEN);
    info.width = 3;
    info.height = 10;
    g_autoptr(GstRdpObstacles) made = draft.finish(info);
    if (body == nullptr) body = made;
    fail_unless(body == made);
    // Valid by the library's rules, and identical when read again.
    const auto read = kRow.read(kRow.written(made));
    fail_unless(read != nullptr);
    GstRdpObstacles* self = read.get();
    fail_unless(gst_rdp_obstacles_get_info(self)->ground ==
                (ground ? GST_RDP_GROUND_GIVEN : GST_RDP_GROUND_NONE));
    fail_unless_equals_float(info.pitch, ground ? std::asin(0.6) : 0.0);
    fail_unless_equals_float(info.axes[2], ground ? 0.8 : 0.0);
    fail_unless_equals_float(info.grid_y, -0.05);
    fail_unless_equals_float(info.angle_min * 180 / G_PI, -30);
    fail_unless_equals_float(info.angle_increment * 180 / G_PI, 30);
    gsize n = 0;
    const gfloat* ranges = gst_rdp_obstacles_peek_ranges(self, &n);
    fail_unless(n == 3 && ranges[1] == 1.234F && std::isnan(ranges[2]));
    fail_unless(ground ? ranges[0] == kInfinity : std::isnan(ranges[0]));
    fail_unless(gst_rdp_obstacles_peek_free(self, &n)[0] == 3.5F);
    fail_unless(gst_rdp_obstacles_peek_tops(self, &n)[0] == 321);
    const GstRdpObstacle& object = *gst_rdp_obstacles_peek_objects(self, &n);
    fail_unless(n == 1 && object.id == 1 && object.x == 1.5F && object.length == 0.8F);
    fail_unless(object.yaw == static_cast<gfloat>(G_PI / 2) && object.distance == 1.234F);
    fail_unless_equals_int(object.flags, i % 2 == 1 ? 7 : 1);
    if (i % 2 == 1) fail_unless(std::fabs(object.vx - 1.0F) < 1e-5F && object.vy == 0.0F);
  }
}

CHECK_CASE(obstacles)
