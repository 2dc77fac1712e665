// SPDX-License-Identifier: LGPL-2.1-or-later
// The serialised form of planes.
#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/check_test.h"
#include "tests/support/odd_bytes.h"
#include "tests/support/planes_fixture.h"

using Bytes = std::vector<guint8>;

static Bytes serialized(GstRdpPlanes* self) {
  g_autoptr(GBytes) bytes = gst_rdp_planes_to_bytes(self);
  gsize size = 0;
  const auto* data = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
  return {data, data + size};
}

static Bytes serialized(const PlanesContent& content) {
  g_autoptr(GstRdpPlanes) self = new_planes(content);
  return serialized(self);
}

// Reads `data`, which must give an object that is serialised as the same bytes, or an error. The
// bytes are given at an odd address, and as an allocation of their exact size.
static bool reads(const Bytes& data, int* code = nullptr) {
  const rdp::test::OddBytes odd(data);
  g_autoptr(GBytes) bytes = g_bytes_new_static(odd.data(), odd.size());
  g_autoptr(GError) error = nullptr;
  g_autoptr(GstRdpPlanes) self = gst_rdp_planes_new_from_bytes(bytes, &error);
  if (self == nullptr) {
    fail_unless(error != nullptr && error->domain == G_IO_ERROR && error->message[0] != '\0');
    if (code != nullptr) *code = error->code;
    return false;
  }
  fail_unless(error == nullptr);
  fail_unless(serialized(self) == data);
  return true;
}

static void append(Bytes* bytes, std::initializer_list<guint8> more) {
  bytes->insert(bytes->end(), more);
}

CHECK_TEST(test_serialized_form) {
  // Written down here byte by byte: what is stored today must be readable for ever.
  PlanesContent content;
  gst_rdp_planes_info_init(&content.info);
  content.info.frame = 0x0102030405060708;
  content.info.width = 2;
  content.info.height = 1;
  content.info.n_points = 2;
  content.info.calibrated = TRUE;
  content.info.focal_length = 1;
  content.info.focal_length_y = 2;
  content.info.principal_x = 4;
  content.info.principal_y = -1;
  content.info.noise = 0.5;
  content.info.tolerance = 0.25;
  content.info.min_inliers = 0x0a0b0c0d0e0f1011;
  content.info.ground = 0;
  content.info.camera_height = 8;
  content.info.pitch = -0.5;
  content.info.roll = 0.125;
  GstRdpPlane plane = {};
  plane.normal_z = 1;
  plane.distance = 2;
  plane.centroid_x = 4;
  plane.centroid_y = 8;
  plane.centroid_z = 16;
  plane.rms = 0.5F;
  plane.area = 0.25F;
  plane.inliers = 2;
  plane.votes = 0x01020304;
  plane.box_x = 1;
  plane.box_width = 1;
  plane.box_height = 1;
  plane.n_corners = 1;
  content.planes = {plane};
  content.corners = {{1, 0, 2, 4, 8}};
  content.labels = {0, 1};
  Bytes expected{'R', 'D', 'P', 'P', 1, 0, 0, 0};                                   // version
  append(&expected, {8, 7, 6, 5, 4, 3, 2, 1});                                      // frame
  append(&expected, {2, 0, 0, 0, 1, 0, 0, 0});                                      // width, height
  append(&expected, {2, 0, 0, 0, 0, 0, 0, 0});                                      // points
  append(&expected, {2, 0, 0, 0, 0, 0, 0, 0});                                      // flags, ground
  append(&expected, {0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x40});     // focal lengths
  append(&expected, {0, 0, 0, 0, 0, 0, 0x10, 0x40, 0, 0, 0, 0, 0, 0, 0xf0, 0xbf});  // centre
  append(&expected, {0, 0, 0, 0, 0, 0, 0xe0, 0x3f, 0, 0, 0, 0, 0, 0, 0xd0, 0x3f});  // tolerances
  append(&expected, {0x11, 0x10, 0xf, 0xe, 0xd, 0xc, 0xb, 0xa});                    // min inliers
  append(&expected, {0, 0, 0, 0, 0, 0, 0x20, 0x40, 0, 0, 0, 0, 0, 0, 0xe0, 0xbf});  // height, pitch
  append(&expected, {0, 0, 0, 0, 0, 0, 0xc0, 0x3f});                                // roll
  append(&expected, {1, 0, 0, 0, 1, 0, 0, 0});                                   // planes, corners
  append(&expected, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40});  // normal, distance
  append(&expected, {0, 0, 0x80, 0x40, 0, 0, 0, 0x41, 0, 0, 0x80, 0x41});        // centroid
  append(&expected, {0, 0, 0, 0x3f, 0, 0, 0x80, 0x3e});                          // rms, area
  append(&expected, {2, 0, 0, 0, 4, 3, 2, 1});                                   // inliers, votes
  append(&expected, {1, 0, 0, 0, 1, 0, 1, 0});                                   // box
  append(&expected, {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0});                       // corners
  append(&expected, {1, 0, 0, 0, 0, 0, 0, 0});                                   // column, row
  append(&expected, {0, 0, 0, 0x40, 0, 0, 0x80, 0x40, 0, 0, 0, 0x41});           // point
  append(&expected, {0, 1});                                                     // labels
  fail_unless(serialized(content) == expected);
  fail_unless(reads(expected));
}

CHECK_TEST(test_round_trip) {
  PlanesContent empty = triangle_in_cloud();
  empty.planes.clear();
  empty.corners.clear();
  empty.labels.clear();
  empty.info.n_points = 0;
  for (const PlanesContent& content : {wall_and_floor(), triangle_in_cloud(), empty}) {
    g_autoptr(GstRdpPlanes) self = new_planes(content);
    g_autoptr(GBytes) bytes = gst_rdp_planes_to_bytes(self);
    // At any address: what comes from elsewhere is not aligned.
    gsize size = 0;
    const auto* data = static_cast<const guint8*>(g_bytes_get_data(bytes, &size));
    Bytes shifted(size + 1);
    std::copy(data, data + size, shifted.begin() + 1);
    g_autoptr(GBytes) odd = g_bytes_new_static(shifted.data() + 1, size);
    g_autoptr(GError) error = nullptr;
    g_autoptr(GstRdpPlanes) other = gst_rdp_planes_new_from_bytes(odd, &error);
    g_assert_no_error(error);
    std::fill(shifted.begin(), shifted.end(), 0xee);  // nothing points there any more
    const GstRdpPlanesInfo* info = gst_rdp_planes_get_info(other);
    fail_unless(std::memcmp(info, &content.info, sizeof *info) == 0);
    g_autoptr(GBytes) again = gst_rdp_planes_to_bytes(other);
    fail_unless(g_bytes_equal(bytes, again));
  }
}

CHECK_TEST(test_corrupt) {
  const Bytes good = serialized(wall_and_floor());
  fail_unless(reads(good));
  int code = -1;
  for (gsize size = 0; size < good.size(); ++size) {
    fail_if(reads({good.begin(), good.begin() + size}, &code), "%" G_GSIZE_FORMAT " bytes", size);
    fail_unless_equals_int(code, G_IO_ERROR_INVALID_DATA);
  }
  Bytes longer = good;
  longer.push_back(0);
  fail_if(reads(longer));

  // Any one to four bits, anywhere.
  std::mt19937 random(1);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    Bytes data = good;
    for (unsigned n = 1 + random() % 4; n > 0; --n) {
      data[random() % data.size()] ^= static_cast<guint8>(1U << random() % 8);
    }
    accepted += reads(data) ? 1 : 0;
  }
  // Lengths may be anything, sizes and labels may not.
  fail_unless(accepted > 1000 && accepted < 19000, "%d accepted", accepted);
}

CHECK_TEST(test_refused) {
  const Bytes good = serialized(wall_and_floor());
  const auto refused = [&](gsize at, std::initializer_list<guint8> bytes,
                           int expected = G_IO_ERROR_INVALID_DATA) {
    Bytes data = good;
    std::copy(bytes.begin(), bytes.end(), data.begin() + at);
    int code = -1;
    fail_if(reads(data, &code), "at %" G_GSIZE_FORMAT, at);
    fail_unless_equals_int(code, expected);
  };
  refused(3, {'S'});
  refused(4, {0}, G_IO_ERROR_NOT_SUPPORTED);
  refused(4, {2}, G_IO_ERROR_NOT_SUPPORTED);
  {
    Bytes newer = good;
    newer[4] = 2;
    g_autoptr(GBytes) bytes = g_bytes_new(newer.data(), newer.size());
    g_autoptr(GError) error = nullptr;
    fail_unless(gst_rdp_planes_new_from_bytes(bytes, &error) == nullptr);
    fail_unless_equals_string(error->message,
                              "planes of format version 2; this library reads version 1");
  }
  refused(16, {7});   // width
  refused(18, {1});   // width 65544
  refused(24, {49});  // points
  refused(24, {0, 0, 0, 0, 0, 0, 0, 0x80});
  refused(32, {4});     // a flag that nobody knows
  refused(35, {0x80});  // another
  refused(32, {3});     // a cloud, whose corners are no pixels
  refused(36, {2});     // ground
  refused(36, {0xfe, 0xff, 0xff, 0xff});
  refused(46, {0xf8, 0x7f});   // focal length NaN
  refused(79, {0xbf});         // noise below 0
  refused(118, {0xf0, 0x7f});  // roll infinite
  refused(120, {3});           // planes
  refused(120, {0xff, 0xff, 0xff, 0xff});
  refused(124, {5});  // corners
  refused(124, {0xff, 0xff, 0xff, 0xff});
  // Planes that take the place of the labels: the size is right.
  refused(120, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff});
  refused(128 + 10, {0, 0x40});  // normal of length 2
  refused(128 + 52, {5});        // first corner
  refused(128 + 56, {5});        // number of corners
  refused(128 + 60, {1});        // what means nothing yet
  refused(128 + 128, {8});       // column of a corner
  refused(128 + 128 + 4, {0xff, 0xff, 0xff, 0xff});
  refused(good.size() - 1, {3});  // a label without a plane
}

CHECK_CASE(planes_bytes)
