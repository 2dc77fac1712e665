// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_RDPMETACONVERT_CONVERT_RIG_H_
#define RDP_TESTS_RDPMETACONVERT_CONVERT_RIG_H_

#include <initializer_list>
#include <stdexcept>
#include <string>

#include "tests/support/ply_file.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/rdpsegment/rdpsegment.h>

#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"

// rdpmetaconvert in a harness, and readers for its text and PLY output.
namespace convert_rig {

inline GstHarness* new_harness(const std::string& properties, const char* caps) {
  GstHarness* harness = gst_harness_new_parse(("rdpmetaconvert " + properties).c_str());
  gst_harness_set_src_caps_str(harness, caps);
  return harness;
}

// A frame with this segmentation (transfer full). rdpmetaconvert ignores its two bytes.
inline GstBuffer* new_frame(GstRdpSegmentation* segmentation, GstClockTime pts = 0) {
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, 2, nullptr);
  GST_BUFFER_PTS(buffer) = pts;
  if (segmentation != nullptr) {
    gst_buffer_add_rdp_segment_meta(buffer, segmentation);
    gst_rdp_segmentation_unref(segmentation);
  }
  return buffer;
}

// Returns the content of a buffer (transfer full).
inline std::string text_of(GstBuffer* buffer) {
  fail_unless(buffer != nullptr);
  std::string text(gst_buffer_get_size(buffer), '\0');
  gst_buffer_extract(buffer, 0, text.data(), text.size());
  gst_buffer_unref(buffer);
  return text;
}

inline std::string convert(const std::string& properties, GstBuffer* frame, const char* caps) {
  GstHarness* harness = new_harness(properties, caps);
  std::string text = text_of(gst_harness_push_and_pull(harness, frame));
  gst_harness_teardown(harness);
  return text;
}

inline void check_text(const std::string& text, const std::string& expected) {
  fail_unless(text == expected, "got\n%s, not\n%s", text.c_str(), expected.c_str());
}

inline PlyFile read_ply(const std::string& file) {
  std::string why;
  try {
    return PlyReader(file).read();
  } catch (const std::runtime_error& error) {
    why = error.what();
  }
  fail_unless(false, "%s", why.c_str());
  return {};
}

// Checks that a frame causes exactly one error, whose text contains `words`.
inline void check_refused(GstHarness* harness, GstBuffer* frame,
                          std::initializer_list<const char*> words) {
  g_autoptr(GstBus) bus = gst_bus_new();
  gst_element_set_bus(harness->element, bus);
  fail_unless_equals_int(gst_harness_push(harness, frame), GST_FLOW_ERROR);
  const auto error = rdp::test::next_text(bus, GST_MESSAGE_ERROR);
  fail_unless(error.is(GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT));
  for (const char* word : words) rdp::test::check_has(error.text, word);
  rdp::test::check_has(error.debug, "skip-missing");
  fail_unless(gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR) == nullptr);
  fail_unless(gst_harness_try_pull(harness) == nullptr);
  gst_element_set_bus(harness->element, nullptr);
  gst_harness_teardown(harness);
}

}  // namespace convert_rig

#endif  // RDP_TESTS_RDPMETACONVERT_CONVERT_RIG_H_
