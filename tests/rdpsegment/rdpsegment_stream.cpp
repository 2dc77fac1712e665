// SPDX-License-Identifier: LGPL-2.1-or-later
// Queries through rdpsegment: latency, caps; a source pad that is not linked.
#include "tests/support/await.h"
#include "tests/support/check_test.h"
#include "tests/support/frames.h"

// No frame is held back, so the latency is the source's, on both pads.
CHECK_TEST(test_latency) {
  frames::Rig stream("auto", "video/x-raw");
  gst_harness_set_src_caps(stream.main, frames::caps({}));
  gst_harness_set_live(stream.main, TRUE);
  gst_harness_set_upstream_latency(stream.main, 7 * GST_MSECOND);
  fail_unless_equals_uint64(gst_harness_query_latency(stream.main), 7 * GST_MSECOND);
  g_autoptr(GstQuery) query = gst_query_new_latency();
  fail_unless(gst_pad_peer_query(stream.overlay->sinkpad, query));
  gboolean live;
  GstClockTime min;
  GstClockTime max;
  gst_query_parse_latency(query, &live, &min, &max);
  fail_unless(live);
  fail_unless_equals_uint64(min, 7 * GST_MSECOND);
}

static std::string query_caps(GstPad* pad) {
  g_autoptr(GstCaps) caps = gst_pad_query_caps(pad, nullptr);
  g_autofree gchar* text = gst_caps_to_string(caps);
  return text;
}

// sink accepts the caps that downstream of src accepts; the overlay's RGBA has no influence.
CHECK_TEST(test_caps_query) {
  frames::Rig stream("auto", "video/x-raw");
  gst_harness_set_src_caps(stream.main, frames::caps({}));
  gst_harness_set_sink_caps_str(stream.main, "video/x-raw,format={GRAY8,RGBA},width=32");
  g_autoptr(GstPad) sink = gst_element_get_static_pad(stream.element, "sink");
  g_autoptr(GstCaps) caps = gst_pad_query_caps(sink, nullptr);
  g_autoptr(GstCaps) expected =
      gst_caps_from_string("video/x-raw,format=GRAY8,width=32,height=[1,16384]");
  fail_unless(gst_caps_is_equal(caps, expected), "%s", query_caps(sink).c_str());
}

// NOT_LINKED ends the stream only if no source pad is linked; here src is alone.
CHECK_TEST(test_flow_not_linked) {
  g_autoptr(GstHarness) sink_only = gst_harness_new_with_padnames("rdpsegment", "sink", nullptr);
  gst_harness_set_live(sink_only, FALSE);
  gst_harness_set_src_caps(sink_only, frames::caps({}));
  fail_unless_equals_int(gst_harness_push(sink_only, frames::make({})), GST_FLOW_NOT_LINKED);
  GstHarness* overlay = gst_harness_new_with_element(sink_only->element, nullptr, "overlay");
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  fail_unless_equals_int(gst_harness_push(sink_only, frames::make({})), GST_FLOW_OK);
  rdp::test::check_received(overlay, 1);
  gst_harness_teardown(overlay);
  fail_unless_equals_int(gst_harness_push(sink_only, frames::make({})), GST_FLOW_NOT_LINKED);
}

CHECK_CASE(rdpsegment_stream)
