// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes as objects: what they hold, what is refused, whose their arrays are.
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "tests/support/allocation_count.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpplaneskind.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/check_test.h"
#include "tests/support/planes_fixture.h"
#include "tests/support/segmentation_fixture.h"

CHECK_TEST(test_content) {
  const PlanesContent content = wall_and_floor();
  g_autoptr(GstRdpPlanes) self = new_planes(content);
  fail_unless(GST_IS_RDP_PLANES(self));
  fail_unless(std::memcmp(gst_rdp_planes_get_info(self), &content.info, sizeof content.info) == 0);
  fail_unless_equals_int(gst_rdp_planes_get_n_planes(self), 2);
  fail_unless_equals_int(gst_rdp_planes_get_n_corners(self), 4);
  gsize n = 0;
  const GstRdpPlane* planes = gst_rdp_planes_peek_planes(self, &n);
  fail_unless_equals_int(n, 2);
  fail_unless(std::memcmp(planes, content.planes.data(), 2 * sizeof *planes) == 0);
  fail_if(planes == content.planes.data(), "not a copy");
  const GstRdpPlaneCorner* corners = gst_rdp_planes_peek_corners(self, &n);
  fail_unless_equals_int(n, 4);
  fail_unless(std::memcmp(corners, content.corners.data(), 4 * sizeof *corners) == 0);
  const guint8* labels = gst_rdp_planes_peek_labels(self, &n);
  fail_unless_equals_int(n, 48);
  fail_unless(std::memcmp(labels, content.labels.data(), 48) == 0);
  fail_unless(gst_rdp_planes_fetch_labels(self, nullptr));
  // A copy is another reference.
  GstMiniObject* copy = gst_mini_object_copy(GST_MINI_OBJECT_CAST(self));
  fail_unless(copy == GST_MINI_OBJECT_CAST(self));
  gst_mini_object_unref(copy);
}

CHECK_TEST(test_nothing_found) {
  PlanesContent content = triangle_in_cloud();
  content.planes.clear();
  content.corners.clear();
  content.labels.clear();
  content.info.n_points = 0;
  g_autoptr(GstRdpPlanes) self = new_planes(content);
  fail_unless(self != nullptr);
  gsize n = 1;
  gst_rdp_planes_peek_planes(self, &n);
  fail_unless_equals_int(n, 0);
  n = 1;
  gst_rdp_planes_peek_labels(self, &n);
  fail_unless_equals_int(n, 0);
  fail_unless(gst_rdp_planes_fetch_labels(self, nullptr));
  g_autoptr(GBytes) labels = gst_rdp_planes_get_labels(self);
  fail_unless(labels != nullptr && g_bytes_get_size(labels) == 0);
}

// Bytes are the object's own memory, and keep it.
CHECK_TEST(test_bytes) {
  const PlanesContent content = wall_and_floor();
  GstRdpPlanes* self = new_planes(content);
  gsize n = 0;
  const void* memory[] = {gst_rdp_planes_peek_planes(self, &n),
                          gst_rdp_planes_peek_corners(self, &n),
                          gst_rdp_planes_peek_labels(self, &n)};
  GBytes* bytes[] = {gst_rdp_planes_get_planes(self), gst_rdp_planes_get_corners(self),
                     gst_rdp_planes_get_labels(self)};
  const gsize sizes[] = {128, 80, 48};
  ASSERT_MINI_OBJECT_REFCOUNT(self, "planes", 4);
  gst_rdp_planes_unref(self);
  for (int i = 0; i < 3; ++i) {
    gsize size = 0;
    fail_unless(g_bytes_get_data(bytes[i], &size) == memory[i]);
    fail_unless_equals_int(size, sizes[i]);
  }
  fail_unless(std::memcmp(memory[2], content.labels.data(), 48) == 0);
  for (GBytes* one : bytes) g_bytes_unref(one);
}

CHECK_TEST(test_boxed) {
  PlanesContent content = wall_and_floor();
  auto* plane = static_cast<GstRdpPlane*>(g_boxed_copy(GST_TYPE_RDP_PLANE, &content.planes[0]));
  fail_unless(std::memcmp(plane, &content.planes[0], sizeof *plane) == 0);
  g_boxed_free(GST_TYPE_RDP_PLANE, plane);
  auto* corner =
      static_cast<GstRdpPlaneCorner*>(g_boxed_copy(GST_TYPE_RDP_PLANE_CORNER, &content.corners[2]));
  fail_unless(std::memcmp(corner, &content.corners[2], sizeof *corner) == 0);
  g_boxed_free(GST_TYPE_RDP_PLANE_CORNER, corner);
  auto* info =
      static_cast<GstRdpPlanesInfo*>(g_boxed_copy(GST_TYPE_RDP_PLANES_INFO, &content.info));
  fail_unless(std::memcmp(info, &content.info, sizeof *info) == 0);
  g_boxed_free(GST_TYPE_RDP_PLANES_INFO, info);
  GstRdpPlanesInfo fresh;
  gst_rdp_planes_info_init(&fresh);
  fail_unless_equals_int(fresh.ground, -1);
  fail_unless(fresh.cloud == FALSE && fresh.calibrated == FALSE && fresh.n_points == 0);
}

template <typename Change>
static void refused(const char* pattern, Change change, PlanesContent content = wall_and_floor()) {
  change(content);
  expect_critical(pattern, [&] { fail_unless(new_planes(content) == nullptr); });
}

CHECK_TEST(test_refused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  refused("*1 to 16384*", [](auto& c) { c.info.width = 0; });
  refused("*1 to 16384*", [](auto& c) { c.info.height = 16385; });
  refused("*n_points*", [](auto& c) { c.info.n_points = 47; });
  refused("*focal_length*", [=](auto& c) { c.info.focal_length_y = nan; });
  refused("*principal_x*", [=](auto& c) { c.info.principal_x = nan; });
  refused("*noise*", [](auto& c) { c.info.noise = -1; });
  refused("*tolerance*", [=](auto& c) { c.info.tolerance = nan; });
  refused("*pitch*", [=](auto& c) { c.info.roll = nan; });
  refused("*ground*", [](auto& c) { c.info.ground = 2; });
  refused("*ground*", [](auto& c) { c.info.ground = -2; });
  refused("*normal*", [](auto& c) { c.planes[1].normal_x = 0.1F; });
  refused("*normal*", [=](auto& c) { c.planes[1].normal_x = inf; });
  refused("*distance*", [](auto& c) { c.planes[0].distance = -1; });
  refused("*centroid*", [=](auto& c) { c.planes[0].centroid_z = inf; });
  refused("*rms*", [](auto& c) { c.planes[0].rms = -1; });
  refused("*area*", [=](auto& c) { c.planes[0].area = inf; });
  refused("*inliers*", [](auto& c) { c.planes[0].inliers = 49; });
  refused("*box*", [](auto& c) { c.planes[0].box_x = 1; });
  refused("*box*", [](auto& c) { c.planes[1].box_height = 65535; });
  refused("*beyond the last*", [](auto& c) { c.planes[0].n_corners = 5; });
  refused("*beyond the last*", [](auto& c) { c.planes[0].first_corner = G_MAXUINT32; });
  refused("*must follow*", [](auto& c) {
    c.planes[1].first_corner = 3;
    c.planes[1].n_corners = 1;
  });
  refused("*corner must be of numbers*", [=](auto& c) { c.corners[0].y = inf; });
  refused("*pixel of the frame*", [](auto& c) { c.corners[0].column = 8; });
  refused("*pixel of the frame*", [](auto& c) { c.corners[0].row = -1; });
  refused("*n_points labels*", [](auto& c) { c.labels.pop_back(); });
  refused("*label must be*", [](auto& c) { c.labels[47] = 3; });
  refused("*at most 255*", [](auto& c) { c.planes.resize(256, c.planes[1]); });
  const PlanesContent cloud = triangle_in_cloud();
  refused(
      "*must be -1*", [](auto& c) { c.corners[0].row = 0; }, cloud);
  refused(
      "*box*", [](auto& c) { c.planes[0].box_width = 1; }, cloud);
  refused(
      "*with width and height*", [](auto& c) { c.info.width = c.info.height = 2; }, cloud);
  // An organised one.
  PlanesContent organised = cloud;
  organised.info.width = 5;
  organised.info.height = 1;
  organised.planes[0].box_width = 5;
  g_autoptr(GstRdpPlanes) self = new_planes(organised);
  fail_unless(self != nullptr);
}

namespace {

// Whose labels are elsewhere until they are read.
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
  // Planes and corners do not need them.
  gsize n = 0;
  fail_unless(gst_rdp_planes_peek_planes(self, &n) == owner.content.planes.data());
  fail_unless_equals_int(n, 2);
  fail_unless(gst_rdp_planes_peek_corners(self, &n) == owner.content.corners.data());
  g_bytes_unref(gst_rdp_planes_to_ply(self));
  fail_unless_equals_int(owner.fetched, 0);
  // Several readers at once bring them once.
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

  // The memory of the object for another frame.
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
  // The planes are as good as before.
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

// An owner without recycle() is told when nobody needs the arrays any more.
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

// In steady state a frame's planes take no memory.
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

CHECK_CASE(planes)
