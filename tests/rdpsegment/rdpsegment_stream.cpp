// SPDX-License-Identifier: LGPL-2.1-or-later
// Events and queries through rdpsegment: flush, gap, EOS, renegotiation, seeks, QoS, latency,
// allocation, caps.
#include "tests/support/await.h"
#include "tests/support/check_text.h"
#include "tests/support/frames.h"

using frames::Shape;

// A harness on src, with a linked overlay beside it when asked for.
struct Stream {
  explicit Stream(bool with_overlay) {
    main = gst_harness_new("rdpsegment");
    gst_harness_set_live(main, FALSE);  // no picture is dropped
    if (with_overlay) overlay = gst_harness_new_with_element(main->element, nullptr, "overlay");
    gst_harness_set_src_caps(main, frames::caps({}));
  }
  ~Stream() {
    if (overlay != nullptr) gst_harness_teardown(overlay);
    gst_harness_teardown(main);
  }
  Stream(const Stream&) = delete;

  GstHarness* main;
  GstHarness* overlay = nullptr;
};

// The events of a harness, as their types' names, without those that are there from the start.
static std::string events(GstHarness* harness) {
  std::string names;
  while (GstEvent* event = gst_harness_try_pull_event(harness)) {
    names += std::string(names.empty() ? "" : " ") + GST_EVENT_TYPE_NAME(event);
    gst_event_unref(event);
  }
  return names;
}

static void check_events(GstHarness* harness, const char* expected) {
  const std::string names = events(harness);
  fail_unless_equals_text(names, expected);
}

GST_START_TEST(test_events_reach_both) {
  Stream stream(true);
  gst_harness_push(stream.main, frames::make({}));
  check_events(stream.main, "stream-start caps segment");
  rdp::test::await_events(stream.overlay, 3);
  check_events(stream.overlay, "stream-start caps segment");
  gst_harness_push_event(stream.main,
                         gst_event_new_tag(gst_tag_list_new(GST_TAG_TITLE, "a", nullptr)));
  gst_harness_push_event(stream.main, gst_event_new_gap(GST_SECOND, GST_SECOND));
  gst_harness_push_event(stream.main,
                         gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM,
                                              gst_structure_new_empty("application/x-test")));
  // A flush drops what has not been sent yet.
  rdp::test::await_events(stream.overlay, 6);
  gst_harness_push_event(stream.main, gst_event_new_flush_start());
  gst_harness_push_event(stream.main, gst_event_new_flush_stop(TRUE));
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_harness_push_event(stream.main, gst_event_new_segment(&segment));
  gst_harness_push_event(stream.main, gst_event_new_eos());
  const char* expected = "tag gap custom-downstream flush-start flush-stop segment eos";
  check_events(stream.main, expected);
  rdp::test::await_events(stream.overlay, 10);
  check_events(stream.overlay, expected);
  fail_unless_equals_int(gst_harness_push(stream.main, frames::make({})), GST_FLOW_EOS);
}
GST_END_TEST

// A flush in mid-stream loses what was before it and nothing else.
GST_START_TEST(test_flush) {
  for (bool with_overlay : {false, true}) {
    Stream stream(with_overlay);
    for (guint round = 0; round < 5; ++round) {
      fail_unless_equals_int(gst_harness_push(stream.main, frames::make({}, 1, 0)), GST_FLOW_OK);
      if (with_overlay) rdp::test::check_received(stream.overlay, 2 * round + 1);
      gst_harness_push_event(stream.main, gst_event_new_flush_start());
      fail_unless_equals_int(gst_harness_push(stream.main, frames::make({}, 1, 1)),
                             GST_FLOW_FLUSHING);
      gst_harness_push_event(stream.main, gst_event_new_flush_stop(TRUE));
      GstSegment segment;
      gst_segment_init(&segment, GST_FORMAT_TIME);
      gst_harness_push_event(stream.main, gst_event_new_segment(&segment));
      fail_unless_equals_int(gst_harness_push(stream.main, frames::make({}, 1, 2)), GST_FLOW_OK);
      if (with_overlay) rdp::test::check_received(stream.overlay, 2 * round + 2);
    }
    fail_unless_equals_int(gst_harness_buffers_received(stream.main), 10);
    if (with_overlay) rdp::test::check_received(stream.overlay, 10);
  }
}
GST_END_TEST

// A segment that runs backwards and has no end, or one before the place where it goes on, tells no
// times, which GStreamer asserts when asked.
GST_START_TEST(test_backwards_from_nowhere) {
  for (const guint64 stop : {GST_CLOCK_TIME_NONE, GstClockTime{GST_SECOND}}) {
    Stream stream(true);
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    segment.rate = -1.0;
    segment.stop = stop;
    segment.offset = GST_SECOND + 1;
    gst_harness_push_event(stream.main, gst_event_new_segment(&segment));
    fail_unless_equals_int(gst_harness_push(stream.main, frames::make({})), GST_FLOW_OK);
    fail_unless_equals_int(gst_harness_buffers_received(stream.main), 1);
    rdp::test::check_received(stream.overlay, 1);
  }
}
GST_END_TEST

// Formats and sizes that change in mid-stream: each frame is read as its own caps say.
GST_START_TEST(test_renegotiation) {
  Stream stream(false);
  const Shape shapes[] = {{},
                          {GST_VIDEO_FORMAT_GRAY8, 31, 77},
                          {GST_VIDEO_FORMAT_GRAY16_LE, 1, 1},
                          {GST_VIDEO_FORMAT_GRAY8, 640, 3},
                          {GST_VIDEO_FORMAT_GRAY16_LE, 320, 200},
                          {}};
  for (const Shape& shape : shapes) {
    gst_harness_set_src_caps(stream.main, frames::caps(shape));
    for (unsigned number = 0; number < 3; ++number) {
      GstBuffer* input = frames::make(shape, number);
      const std::vector<std::uint8_t> content = frames::bytes(input);
      GstBuffer* output = gst_harness_push_and_pull(stream.main, input);
      frames::check_segmentation(gst_rdp_buffer_get_segmentation(output), shape, content, {});
      gst_buffer_unref(output);
    }
    GstCaps* caps = gst_pad_get_current_caps(stream.main->sinkpad);
    GstCaps* expected = frames::caps(shape);
    fail_unless(gst_caps_is_subset(caps, expected));
    gst_caps_unref(expected);
    gst_caps_unref(caps);
  }
}
GST_END_TEST

// The same seek comes from every sink of a pipeline; upstream sees it once.
GST_START_TEST(test_seek_once) {
  Stream stream(true);
  GstEvent* seek = gst_event_new_seek(1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET,
                                      0, GST_SEEK_TYPE_NONE, 0);
  const guint before = gst_harness_upstream_events_received(stream.main);
  gst_event_ref(seek);
  gst_event_ref(seek);
  fail_unless(gst_harness_push_upstream_event(stream.overlay, seek));
  fail_unless(gst_harness_push_upstream_event(stream.main, seek));
  fail_unless_equals_int(gst_harness_upstream_events_received(stream.main), before + 1);
  // An application that loops sends the same event again.
  fail_unless(gst_harness_push_upstream_event(stream.main, seek));
  fail_unless_equals_int(gst_harness_upstream_events_received(stream.main), before + 2);
  gst_harness_push_upstream_event(
      stream.main, gst_event_new_seek(1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET,
                                      5, GST_SEEK_TYPE_NONE, 0));
  fail_unless_equals_int(gst_harness_upstream_events_received(stream.main), before + 3);
}
GST_END_TEST

// QoS of the main sink concerns upstream; rdpsegment itself drops no frame.
GST_START_TEST(test_qos_of_main) {
  Stream stream(false);
  gst_harness_push(stream.main, frames::make({}, 1, 0));
  const guint before = gst_harness_upstream_events_received(stream.main);
  gst_harness_push_upstream_event(stream.main,
                                  gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 9.0, GST_SECOND, 0));
  fail_unless_equals_int(gst_harness_upstream_events_received(stream.main), before + 1);
  for (unsigned number = 1; number < 5; ++number) {
    fail_unless_equals_int(gst_harness_push(stream.main, frames::make({}, 1, number)), GST_FLOW_OK);
  }
  fail_unless_equals_int(gst_harness_buffers_received(stream.main), 5);
}
GST_END_TEST

// No frame is held back, so the latency is the source's, on both pads.
GST_START_TEST(test_latency) {
  Stream stream(true);
  gst_harness_set_live(stream.main, TRUE);
  gst_harness_set_upstream_latency(stream.main, 7 * GST_MSECOND);
  fail_unless_equals_uint64(gst_harness_query_latency(stream.main), 7 * GST_MSECOND);
  GstQuery* query = gst_query_new_latency();
  fail_unless(gst_pad_peer_query(stream.overlay->sinkpad, query));
  gboolean live;
  GstClockTime min;
  GstClockTime max;
  gst_query_parse_latency(query, &live, &min, &max);
  fail_unless(live);
  fail_unless_equals_uint64(min, 7 * GST_MSECOND);
  gst_query_unref(query);
}
GST_END_TEST

// Frames pass through, so downstream answers for the buffers it can take; and where it takes a
// GstVideoMeta, upstream may use it.
GST_START_TEST(test_allocation) {
  for (bool offered : {false, true}) {
    Stream stream(true);
    if (offered) {
      gst_harness_add_propose_allocation_meta(stream.main, GST_VIDEO_META_API_TYPE, nullptr);
    }
    GstCaps* caps = frames::caps({});
    GstQuery* query = gst_query_new_allocation(caps, TRUE);
    gst_pad_peer_query(stream.main->srcpad, query);
    fail_unless_equals_int(gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr),
                           offered);
    gst_query_unref(query);
    gst_caps_unref(caps);
  }
}
GST_END_TEST

static std::string query_caps(GstPad* pad) {
  GstCaps* caps = gst_pad_query_caps(pad, nullptr);
  gchar* text = gst_caps_to_string(caps);
  std::string result(text);
  g_free(text);
  gst_caps_unref(caps);
  return result;
}

// What sink takes is what downstream of src takes; the overlay's RGBA has no say.
GST_START_TEST(test_caps_query) {
  Stream stream(true);
  gst_harness_set_sink_caps_str(stream.main, "video/x-raw,format={GRAY8,RGBA},width=32");
  GstPad* sink = gst_element_get_static_pad(stream.main->element, "sink");
  GstCaps* caps = gst_pad_query_caps(sink, nullptr);
  GstCaps* expected = gst_caps_from_string("video/x-raw,format=GRAY8,width=32,height=[1,16384]");
  fail_unless(gst_caps_is_equal(caps, expected), "%s", query_caps(sink).c_str());
  gst_caps_unref(expected);
  gst_caps_unref(caps);
  gst_object_unref(sink);
}
GST_END_TEST

// src alone: NOT_LINKED is the stream's end only when no pad is linked.
GST_START_TEST(test_flow_not_linked) {
  GstHarness* sink_only = gst_harness_new_with_padnames("rdpsegment", "sink", nullptr);
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
  gst_harness_teardown(sink_only);
}
GST_END_TEST

// Stopped and started again, the frame count starts anew and everything works as before.
GST_START_TEST(test_play_twice) {
  GstHarness* harness = gst_harness_new("rdpsegment");
  for (int round = 0; round < 3; ++round) {
    gst_harness_set_src_caps(harness, frames::caps({}));
    for (unsigned number = 0; number < 2; ++number) {
      GstBuffer* output = gst_harness_push_and_pull(harness, frames::make({}, 1, number));
      const auto* info = gst_rdp_segmentation_get_info(gst_rdp_buffer_get_segmentation(output));
      fail_unless_equals_uint64(info->frame, number);
      gst_buffer_unref(output);
    }
    GstStructure* stats = nullptr;
    guint64 frames_seen = 0;
    g_object_get(harness->element, "stats", &stats, nullptr);
    fail_unless(gst_structure_get_uint64(stats, "frames", &frames_seen));
    fail_unless_equals_uint64(frames_seen, 2);
    gst_structure_free(stats);
    gst_element_set_state(harness->element, GST_STATE_NULL);
    gst_element_set_state(harness->element, GST_STATE_PLAYING);
    gst_harness_push_event(harness, gst_event_new_stream_start("again"));
    GstCaps* caps = frames::caps({});
    gst_harness_push_event(harness, gst_event_new_caps(caps));
    gst_caps_unref(caps);
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    gst_harness_push_event(harness, gst_event_new_segment(&segment));
  }
  gst_harness_teardown(harness);
}
GST_END_TEST

static Suite* rdpsegment_stream_suite(void) {
  Suite* suite = suite_create("rdpsegment_stream");
  TCase* tcase = tcase_create("general");
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_events_reach_both);
  tcase_add_test(tcase, test_flush);
  tcase_add_test(tcase, test_backwards_from_nowhere);
  tcase_add_test(tcase, test_renegotiation);
  tcase_add_test(tcase, test_seek_once);
  tcase_add_test(tcase, test_qos_of_main);
  tcase_add_test(tcase, test_latency);
  tcase_add_test(tcase, test_allocation);
  tcase_add_test(tcase, test_caps_query);
  tcase_add_test(tcase, test_flow_not_linked);
  tcase_add_test(tcase, test_play_twice);
  return suite;
}

GST_CHECK_MAIN(rdpsegment_stream)
