// SPDX-License-Identifier: LGPL-2.1-or-later
// C++ allocation failures for planes, tracks, motion, heights and obstacles become errors in C:
// each allocation fails once, in turn.
#include <iterator>
#include <limits>
#include <vector>

#include "tests/support/failing_new.h"

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpheightskind.h>
#include <gst/rdpsegment/rdpmotionkind.h>
#include <gst/rdpsegment/rdpobstacleskind.h>
#include <gst/rdpsegment/rdpplaneskind.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/rdpsegment/rdptrackskind.h>

#include "tests/support/check_test.h"
#include "tests/support/heights_fixture.h"
#include "tests/support/motion_fixture.h"
#include "tests/support/obstacles_fixture.h"
#include "tests/support/planes_fixture.h"
#include "tests/support/tracks_fixture.h"

// Calls make() with the first allocation failing, then the second, and so on, until none fails.
// make() must return null exactly when one failed. Returns the number of failures.
template <typename Make>
static int failed_of(Make make) {
  for (int nth = 1; nth < 100; ++nth) {
    failing_new::fail_at(nth);
    auto* made = make();
    const bool reached = failing_new::reached();
    fail_unless_equals_int(made == nullptr, reached);
    if (!reached) {
      gst_mini_object_unref(GST_MINI_OBJECT_CAST(made));
      return nth - 1;
    }
  }
  fail_unless(false, "there is no end of allocations");
  return 0;
}

template <typename Kind, typename Make>
static void test_kind(Make make) {
  fail_unless_equals_int(failed_of(make), 3);
  auto* object = make();
  g_autoptr(GBytes) bytes = Kind::to_bytes(object);
  gst_mini_object_unref(GST_MINI_OBJECT_CAST(object));
  const auto read = [&] {
    g_autoptr(GError) error = nullptr;
    auto* made = Kind::from_bytes(bytes, &error);
    fail_unless_equals_int(error != nullptr, made == nullptr);
    if (error != nullptr) fail_unless(g_error_matches(error, G_IO_ERROR, G_IO_ERROR_FAILED));
    return made;
  };
  fail_unless_equals_int(failed_of(read), 3);
  failing_new::fail_at(1);
  fail_unless(Kind::blank_new() == nullptr);
  fail_unless(failing_new::reached());
  auto* blank = Kind::blank_new();
  fail_unless(blank != nullptr);
  Kind::blank_free(blank);
}

CHECK_TEST(test_planes) {
  const PlanesContent content = wall_and_floor();
  test_kind<rdp::meta::PlanesKind>([&] { return new_planes(content); });
}

CHECK_TEST(test_tracks) {
  const TracksContent content = two_tracks();
  test_kind<rdp::meta::TracksKind>([&] { return new_tracks(content); });
}

CHECK_TEST(test_motion) {
  const MotionContent content = two_of_three();
  test_kind<rdp::meta::MotionKind>([&] { return new_motion(content); });
}

CHECK_TEST(test_heights) {
  const HeightsContent content = two_heads();
  test_kind<rdp::meta::HeightsKind>([&] { return new_heights(content); });
}

CHECK_TEST(test_obstacles) {
  const ObstaclesContent content = two_obstacles();
  test_kind<rdp::meta::ObstaclesKind>([&] { return new_obstacles(content); });
}

CHECK_CASE(objects_out_of_memory)
