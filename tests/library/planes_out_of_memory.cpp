// SPDX-License-Identifier: LGPL-2.1-or-later
// Where C++ finds no memory for planes, C is told: each allocation fails once, in turn.
#include "tests/support/failing_new.h"

// After the standard library: check.h defines a macro named fail.
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpplaneskind.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/planes_fixture.h"

// Calls make() with the first allocation failing, with the second, and so on, until none does. How
// often one failed: null is what it must give then, and only then.
template <typename Make>
static int failed_of(Make make) {
  for (int nth = 1; nth < 100; ++nth) {
    failing_new::fail_at(nth);
    g_autoptr(GstRdpPlanes) made = make();
    const bool reached = failing_new::reached();
    fail_unless_equals_int(made == nullptr, reached);
    if (!reached) return nth - 1;
  }
  fail_unless(false, "there is no end of allocations");
  return 0;
}

GST_START_TEST(test_new) {
  const PlanesContent content = wall_and_floor();
  fail_unless_equals_int(failed_of([&] { return new_planes(content); }), 3);
}
GST_END_TEST;

GST_START_TEST(test_from_bytes) {
  g_autoptr(GstRdpPlanes) planes = new_planes(wall_and_floor());
  g_autoptr(GBytes) bytes = gst_rdp_planes_to_bytes(planes);
  const auto read = [&] {
    g_autoptr(GError) error = nullptr;
    GstRdpPlanes* made = gst_rdp_planes_new_from_bytes(bytes, &error);
    fail_unless_equals_int(error != nullptr, made == nullptr);
    if (error != nullptr) fail_unless(g_error_matches(error, G_IO_ERROR, G_IO_ERROR_FAILED));
    return made;
  };
  fail_unless_equals_int(failed_of(read), 3);
}
GST_END_TEST;

GST_START_TEST(test_blank) {
  failing_new::fail_at(1);
  fail_unless(gst_rdp_planes_blank_new() == nullptr);
  fail_unless(failing_new::reached());
  GstRdpPlanes* blank = gst_rdp_planes_blank_new();
  fail_unless(blank != nullptr);
  gst_rdp_planes_blank_free(blank);
}
GST_END_TEST;

static Suite* planes_out_of_memory_suite(void) {
  Suite* suite = suite_create("planes_out_of_memory");
  TCase* tcase = tcase_create("planes");
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_new);
  tcase_add_test(tcase, test_from_bytes);
  tcase_add_test(tcase, test_blank);
  return suite;
}

GST_CHECK_MAIN(planes_out_of_memory)
