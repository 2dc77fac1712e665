// SPDX-License-Identifier: LGPL-2.1-or-later
// Settings of rdpsegment that are not numbers, or that make every sample invalid.
#include <cmath>
#include <cstring>
#include <string>

#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/frames.h"

using frames::Shape;

// Sets a property to a value that GLib refuses with a warning (newer versions: a critical warning).
static void set_refused(GstElement* element, const char* property, gdouble value) {
  int complaints = 0;
  const auto count = [](const gchar*, GLogLevelFlags, const gchar*, gpointer data) {
    ++*static_cast<int*>(data);
  };
  const GLogLevelFlags fatal = g_log_set_always_fatal(G_LOG_LEVEL_ERROR);
  const guint handler = g_log_set_handler(
      "GLib-GObject", static_cast<GLogLevelFlags>(G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL),
      count, &complaints);
  g_object_set(element, property, value, nullptr);
  g_log_remove_handler("GLib-GObject", handler);
  g_log_set_always_fatal(fatal);
  fail_unless_equals_int(complaints, 1);
}

// NaN is refused.
CHECK_TEST(test_nan_is_refused) {
  g_autoptr(GstElement) element = gst_element_factory_make("rdpsegment", nullptr);
  for (const char* property : {"epsilon", "sample-scale", "inverse-scale"}) {
    gdouble before = 0;
    gdouble after = 0;
    g_object_get(element, property, &before, nullptr);
    set_refused(element, property, std::nan(""));
    g_object_get(element, property, &after, nullptr);
    fail_unless(before == after);
  }
}

// A range without any possible sample gives a warning, once until corrected, and no error.
CHECK_TEST(test_nothing_known) {
  const Shape shapes[] = {{GST_VIDEO_FORMAT_GRAY16_LE, 64, 48}, {GST_VIDEO_FORMAT_GRAY8, 64, 48}};
  for (const Shape& shape : shapes) {
    const bool bytes = shape.format == GST_VIDEO_FORMAT_GRAY8;
    frames::Rig broken("auto");
    gst_harness_set_src_caps(broken.main, frames::caps(shape));
    const auto push = [&](guint min_value, guint max_value, bool expected_warning) {
      g_object_set(broken.element, "min-value", min_value, "max-value", max_value, nullptr);
      GstBuffer* output = gst_harness_push_and_pull(broken.main, frames::make(shape));
      fail_unless(output != nullptr);
      gst_buffer_unref(output);
      g_autoptr(GstMessage) message = gst_bus_pop_filtered(broken.bus, GST_MESSAGE_WARNING);
      fail_unless((message != nullptr) == expected_warning, "%u to %u", min_value, max_value);
      if (message == nullptr) return;
      const auto warning = rdp::test::text_of(message);
      fail_unless(warning.is(GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS));
      const std::string range =
          "min-value=" + std::to_string(min_value) + " and max-value=" + std::to_string(max_value);
      fail_unless(warning.has(range.c_str()), "%s", warning.text.c_str());
    };
    push(10, 10, false);
    push(11, 10, true);
    push(12, 10, false);
    push(0, 65535, false);
    push(256, 65535, bytes);
    push(255, 65535, false);
    push(65535, 0, true);
    fail_unless(gst_bus_pop_filtered(broken.bus, GST_MESSAGE_ERROR) == nullptr);
  }
}

CHECK_CASE(rdpsegment_errors)
