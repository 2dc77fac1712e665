// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes: serialized form, refused contents, remote labels, the camera; kind_row.h tests the rest.
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/allocation_count.h"

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpplaneskind.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/library/kind_row.h"
#include "tests/support/check_test.h"
#include "tests/support/planes_fixture.h"
#include "tests/support/segmentation_fixture.h"

static PlanesContent nothing_found() {
  PlanesContent content = triangle_in_cloud();
  content.planes.clear();
  content.corners.clear();
  content.labels.clear();
  content.info.n_points = 0;
  return content;
}

template <typename Use>
static void each_array(const PlanesContent& c, Use use) {
  use(c.planes, gst_rdp_planes_peek_planes, gst_rdp_planes_get_planes);
  use(c.corners, gst_rdp_planes_peek_corners, gst_rdp_planes_get_corners);
  use(c.labels, gst_rdp_planes_peek_labels, gst_rdp_planes_get_labels);
}

static const rdp::test::KindRow<rdp::meta::PlanesKind, PlanesContent> kRow = {
    gst_rdp_planes_get_type,
    wall_and_floor(),
    {triangle_in_cloud(), nothing_found()},
    new_planes,
    gst_rdp_buffer_get_planes,
    gst_rdp_buffer_get_batch_planes,
    gst_buffer_add_rdp_planes_meta,
    gst_buffer_get_rdp_planes_meta,
    gst_buffer_get_rdp_planes_meta_of_batch,
    gst_rdp_planes_meta_get_placement};

CHECK_TEST(test_planes_as_all_kinds) { kRow.check(); }

CHECK_TEST(test_counts) {
  const auto self = kRow.make();
  fail_unless_equals_int(gst_rdp_planes_get_n_planes(self.get()), 2);
  fail_unless_equals_int(gst_rdp_planes_get_n_corners(self.get()), 4);
  fail_unless(gst_rdp_planes_fetch_labels(self.get(), nullptr));
  fail_unless(gst_rdp_planes_fetch_labels(kRow.make(nothing_found()).get(), nullptr));
}

CHECK_TEST(test_boxed) {
  const PlanesContent content = wall_and_floor();
  rdp::test::expect_boxed(GST_TYPE_RDP_PLANE, content.planes[0]);
  rdp::test::expect_boxed(GST_TYPE_RDP_PLANE_CORNER, content.corners[2]);
  rdp::test::expect_boxed(GST_TYPE_RDP_PLANES_INFO, content.info);
  GstRdpPlanesInfo fresh;
  gst_rdp_planes_info_init(&fresh);
  fail_unless_equals_int(fresh.ground, -1);
  fail_unless(fresh.cloud == FALSE && fresh.calibrated == FALSE && fresh.n_points == 0);
}

CHECK_TEST(test_refused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  kRow.refused("*1 to 16384*", [](auto& c) { c.info.width = 0; });
  kRow.refused("*1 to 16384*", [](auto& c) { c.info.height = 16385; });
  kRow.refused("*n_points*", [](auto& c) { c.info.n_points = 47; });
  kRow.refused("*focal_length*", [=](auto& c) { c.info.focal_length_y = nan; });
  kRow.refused("*principal_x*", [=](auto& c) { c.info.principal_x = nan; });
  kRow.refused("*noise*", [](auto& c) { c.info.noise = -1; });
  kRow.refused("*tolerance*", [=](auto& c) { c.info.tolerance = nan; });
  kRow.refused("*pitch*", [=](auto& c) { c.info.roll = nan; });
  kRow.refused("*ground*", [](auto& c) { c.info.ground = 2; });
  kRow.refused("*ground*", [](auto& c) { c.info.ground = -2; });
  kRow.refused("*normal*", [](auto& c) { c.planes[1].normal_x = 0.1F; });
  kRow.refused("*normal*", [=](auto& c) { c.planes[1].normal_x = inf; });
  kRow.refused("*distance*", [](auto& c) { c.planes[0].distance = -1; });
  kRow.refused("*centroid*", [=](auto& c) { c.planes[0].centroid_z = inf; });
  kRow.refused("*rms*", [](auto& c) { c.planes[0].rms = -1; });
  kRow.refused("*area*", [=](auto& c) { c.planes[0].area = inf; });
  kRow.refused("*inliers*", [](auto& c) { c.planes[0].inliers = 49; });
  kRow.refused("*box*", [](auto& c) { c.planes[0].box_x = 1; });
  kRow.refused("*box*", [](auto& c) { c.planes[1].box_height = 65535; });
  kRow.refused("*beyond the last*", [](auto& c) { c.planes[0].n_corners = 5; });
  kRow.refused("*beyond the last*", [](auto& c) { c.planes[0].first_corner = G_MAXUINT32; });
  kRow.refused("*must follow*", [](auto& c) {
    c.planes[1].first_corner = 3;
    c.planes[1].n_corners = 1;
  });
  kRow.refused("*corner must be of numbers*", [=](auto& c) { c.corners[0].y = inf; });
  kRow.refused("*pixel of the frame*", [](auto& c) { c.corners[0].column = 8; });
  kRow.refused("*pixel of the frame*", [](auto& c) { c.corners[0].row = -1; });
  kRow.refused("*n_points labels*", [](auto& c) { c.labels.pop_back(); });
  kRow.refused("*label must be*", [](auto& c) { c.labels[47] = 3; });
  kRow.refused("*at most 255*", [](auto& c) { c.planes.resize(256, c.planes[1]); });
  const PlanesContent cloud = triangle_in_cloud();
  kRow.refused("*must be -1*", cloud, [](auto& c) { c.corners[0].row = 0; });
  kRow.refused("*box*", cloud, [](auto& c) { c.planes[0].box_width = 1; });
  kRow.refused("*with width and height*", cloud, [](auto& c) { c.info.width = c.info.height = 2; });
  // An organised point cloud.
  PlanesContent organised = cloud;
  organised.info.width = 5;
  organised.info.height = 1;
  organised.planes[0].box_width = 5;
  kRow.make(organised);
}

using rdp::test::Bytes;

static void append(Bytes* bytes, std::initializer_list<guint8> more) {
  bytes->insert(bytes->end(), more);
}

CHECK_TEST(test_serialized_form) {
  // The format byte by byte: data stored today must stay readable forever.
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
  fail_unless(kRow.written(kRow.make(content).get()) == expected);
  kRow.expect_same(kRow.read(expected).get(), content);
}

CHECK_TEST(test_bytes_refused) {
  const auto refused = [](gsize at, const Bytes& with) { kRow.refused_bytes(at, with, "*"); };
  kRow.refused_bytes(3, {'S'}, "*expected RDPP and a header of 128*");
  kRow.refused_bytes(4, {2}, "planes of format version 2; this library reads version 1",
                     G_IO_ERROR_NOT_SUPPORTED);
  refused(16, {7});   // width
  refused(18, {1});   // width 65544
  refused(24, {49});  // points
  refused(24, {0, 0, 0, 0, 0, 0, 0, 0x80});
  refused(32, {4});     // an unknown flag
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
  // More planes in place of the labels: the total size is right.
  refused(120, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff});
  refused(128 + 10, {0, 0x40});  // normal of length 2
  refused(128 + 52, {5});        // first corner
  refused(128 + 56, {5});        // number of corners
  refused(128 + 60, {1});        // reserved bytes
  refused(128 + 128, {8});       // column of a corner
  refused(128 + 128 + 4, {0xff, 0xff, 0xff, 0xff});
  refused(kRow.written().size() - 1, {3});  // a label without a plane
}

namespace {

// The owner of planes whose labels are fetched on the first read.
struct Owner {
  PlanesContent content = wall_and_floor();
  std::atomic<int> fetched = 0;
  const char* broken = nullptr;
  bool silent = false;
  GstRdpPlanes* blank = nullptr;  // what came back

  static gboolean fetch(gpointer owner, gpointer arrays, const gchar** why) noexcept {
    auto* self = static_cast<Owner*>(owner);
    ++self->fetched;
    if (self->broken != nullptr) {
      if (!self->silent) *why = self->broken;
      return FALSE;
    }
    static_cast<GstRdpPlanesArrays*>(arrays)->labels = self->content.labels.data();
    return TRUE;
  }
  static void recycle(gpointer owner, gpointer blank) noexcept {
    static_cast<Owner*>(owner)->blank = static_cast<GstRdpPlanes*>(blank);
  }

  void fill(GstRdpPlanes* memory) {
    static constexpr GstRdpOwnerClass kClass = {fetch, recycle, nullptr};
    const GstRdpPlanesArrays arrays = {content.planes.data(),
                                       content.planes.size(),
                                       content.corners.data(),
                                       content.corners.size(),
                                       nullptr,
                                       content.labels.size()};
    gst_rdp_planes_blank_fill(memory, &content.info, &arrays, &kClass, this);
  }
};

void expect_lost(GstRdpPlanes* self, const char* why) {
  g_autoptr(GError) error = nullptr;
  fail_if(gst_rdp_planes_fetch_labels(self, &error));
  fail_unless(g_error_matches(error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ));
  g_autofree gchar* expected = g_strdup_printf("the labels of frame 7 are lost: %s", why);
  fail_unless_equals_string(error->message, expected);
}

}  // namespace

CHECK_TEST(test_labels_elsewhere) {
  Owner owner;
  GstRdpPlanes* self = gst_rdp_planes_blank_new();
  owner.fill(self);
  // Reading planes and corners fetches no labels.
  gsize n = 0;
  fail_unless(gst_rdp_planes_peek_planes(self, &n) == owner.content.planes.data());
  fail_unless_equals_int(n, 2);
  fail_unless(gst_rdp_planes_peek_corners(self, &n) == owner.content.corners.data());
  g_bytes_unref(gst_rdp_planes_to_ply(self));
  fail_unless_equals_int(owner.fetched, 0);
  // Several concurrent readers fetch them once.
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      gsize n_labels = 0;
      const guint8* labels = gst_rdp_planes_peek_labels(self, &n_labels);
      fail_unless(labels == owner.content.labels.data() && n_labels == 48);
    });
  }
  for (std::thread& thread : threads) thread.join();
  fail_unless_equals_int(owner.fetched, 1);
  fail_unless(gst_rdp_planes_peek_planes(self, &n) == owner.content.planes.data());
  gst_rdp_planes_unref(self);
  fail_unless(owner.blank == self);

  // The object's memory, reused for another frame.
  owner.content.info.frame = 8;
  owner.fill(self);
  fail_unless_equals_int(gst_rdp_planes_get_info(self)->frame, 8);
  g_autoptr(GBytes) bytes = gst_rdp_planes_get_labels(self);
  fail_unless_equals_int(owner.fetched, 2);
  fail_unless_equals_int(g_bytes_get_size(bytes), 48);
  gst_rdp_planes_unref(self);
  g_clear_pointer(&bytes, g_bytes_unref);
  gst_rdp_planes_blank_free(owner.blank);
}

CHECK_TEST(test_labels_lost) {
  Owner owner;
  owner.broken = "the wire is cut";
  GstRdpPlanes* self = gst_rdp_planes_blank_new();
  owner.fill(self);
  gsize n = 1;
  fail_unless(gst_rdp_planes_peek_labels(self, &n) == nullptr);
  fail_unless_equals_int(n, 0);
  expect_lost(self, "the wire is cut");
  expect_lost(self, "the wire is cut");
  fail_unless(gst_rdp_planes_get_labels(self) == nullptr);
  fail_unless(gst_rdp_planes_to_bytes(self) == nullptr, "nobody could be told");
  fail_unless_equals_int(owner.fetched, 1);
  // The planes stay readable.
  fail_unless(gst_rdp_planes_peek_planes(self, &n) == owner.content.planes.data());
  fail_unless_equals_int(n, 2);
  fail_unless_equals_int(gst_rdp_planes_get_n_corners(self), 4);
  gst_rdp_planes_unref(self);

  owner.silent = true;
  owner.fill(owner.blank);
  expect_lost(owner.blank, "no reason is known");
  gst_rdp_planes_unref(owner.blank);
  owner.broken = nullptr;
  owner.fill(owner.blank);
  fail_unless(gst_rdp_planes_fetch_labels(owner.blank, nullptr), "lost for ever");
  gst_rdp_planes_unref(owner.blank);
  gst_rdp_planes_blank_free(owner.blank);
}

// An owner without recycle() is notified when the arrays are no longer needed.
CHECK_TEST(test_destroyed_with_its_planes) {
  PlanesContent content = wall_and_floor();
  static constexpr GstRdpOwnerClass kClass = {
      nullptr, nullptr, [](gpointer owner) noexcept { ++*static_cast<int*>(owner); }};
  int destroyed = 0;
  const GstRdpPlanesArrays arrays = {content.planes.data(),  content.planes.size(),
                                     content.corners.data(), content.corners.size(),
                                     content.labels.data(),  content.labels.size()};
  GstRdpPlanes* self = gst_rdp_planes_blank_new();
  gst_rdp_planes_blank_fill(self, &content.info, &arrays, &kClass, &destroyed);
  gsize n = 0;
  fail_unless(gst_rdp_planes_peek_labels(self, &n) == content.labels.data());
  gst_rdp_planes_unref(self);
  fail_unless_equals_int(destroyed, 1);
}

// In steady state a frame's planes allocate nothing.
CHECK_TEST(test_allocations) {
#if RDP_COUNTS_ALLOCATIONS
  Owner owner;
  GstRdpPlanes* self = gst_rdp_planes_blank_new();
  const std::uint64_t start = allocation_count::count;
  g_free(g_malloc(1));
  fail_unless(allocation_count::count > start, "allocations are not counted");
  std::uint64_t before = 0;
  for (int i = 0; i < 20; ++i) {
    if (i == 10) before = allocation_count::count;  // GStreamer's own, once in a process
    owner.fill(self);
    gsize n = 0;
    gst_rdp_planes_peek_labels(self, &n);
    gst_rdp_planes_unref(self);
  }
  const std::uint64_t after = allocation_count::count;
  fail_unless_equals_int(owner.fetched, 20);
  fail_unless_equals_uint64(after, before);
  gst_rdp_planes_blank_free(self);
#endif
}

// The camera of the frame in which planes were found, whatever happened to its picture since.
CHECK_TEST(test_camera) {
  GstRdpCameraInfo info;
  gst_rdp_camera_info_init(&info);
  info.width = 8;
  info.height = 6;
  info.focal_length = info.focal_length_y = 4;
  info.principal_x = 3.5;
  info.principal_y = 2.5;
  info.rectified = TRUE;
  info.measures = GST_RDP_MEASURE_DEPTH;
  info.depth_unit = 0.001;
  g_autoptr(GstRdpCamera) camera = gst_rdp_camera_new(&info, nullptr);
  g_autoptr(GstRdpPlanes) planes = new_planes(wall_and_floor());
  g_autoptr(GstBuffer) buffer = gst_buffer_new();
  GstRdpPlanesMeta* meta = gst_buffer_add_rdp_planes_meta(buffer, planes);
  g_autoptr(GError) error = nullptr;
  fail_unless(gst_rdp_planes_meta_get_camera(buffer, meta, &error) == nullptr && error == nullptr);
  gst_buffer_add_rdp_camera_meta(buffer, camera);
  // As if the picture was halved after the planes were found.
  meta->scale_x = meta->scale_y = 0.5;
  g_autoptr(GstRdpCamera) found = gst_rdp_planes_meta_get_camera(buffer, meta, &error);
  g_assert_no_error(error);
  fail_unless_equals_float(gst_rdp_camera_get_info(found)->focal_length, 8);
  fail_unless_equals_float(gst_rdp_camera_get_info(found)->principal_x, 7.5);
  fail_unless_equals_int(gst_rdp_camera_get_info(found)->width, 8);
  meta->scale_x = -1;
  fail_unless(gst_rdp_planes_meta_get_camera(buffer, meta, &error) == nullptr);
  fail_unless(g_error_matches(error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS));
  // A point cloud has no camera.
  g_autoptr(GstRdpPlanes) cloud = new_planes(triangle_in_cloud());
  g_autoptr(GError) none = nullptr;
  GstRdpPlanesMeta* of_cloud = gst_buffer_add_rdp_planes_meta(buffer, cloud);
  fail_unless(gst_rdp_planes_meta_get_camera(buffer, of_cloud, &none) == nullptr);
  fail_unless(none == nullptr);
}

CHECK_CASE(planes)
