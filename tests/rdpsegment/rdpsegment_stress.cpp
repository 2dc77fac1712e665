// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpsegment under stress: pads, properties and events changed while frames flow. Every
// frame must come out once and in order.
#include <atomic>
#include <thread>

#include "tests/support/frames.h"

static constexpr gulong kStressTime = G_USEC_PER_SEC;

// Properties from one thread, events from another, frames from a third.
GST_START_TEST(test_properties_and_events) {
  GstHarness* harness = gst_harness_new("rdpsegment");
  gst_harness_set_drop_buffers(harness, TRUE);
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  GstCaps* caps = frames::caps({});
  GValue epsilon = G_VALUE_INIT;
  g_value_init(&epsilon, G_TYPE_DOUBLE);
  g_value_set_double(&epsilon, 12.5);
  GstBuffer* buffer = frames::make({});
  GstHarnessThread* pushing = gst_harness_stress_push_buffer_start(harness, caps, &segment, buffer);
  GstHarnessThread* setting = gst_harness_stress_property_start(harness, "epsilon", &epsilon);
  GstEvent* qos = gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 1.0, GST_SECOND, GST_SECOND);
  GstHarnessThread* upstream = gst_harness_stress_send_upstream_event_start(harness, qos);
  g_usleep(kStressTime);
  gst_harness_stress_thread_stop(upstream);
  gst_harness_stress_thread_stop(setting);
  fail_unless(gst_harness_stress_thread_stop(pushing) > 10);
  fail_unless(gst_harness_buffers_received(harness) > 10);
  gst_event_unref(qos);
  gst_buffer_unref(buffer);
  gst_caps_unref(caps);
  g_value_unset(&epsilon);
  gst_harness_teardown(harness);
}
GST_END_TEST

// The overlay requested, linked to a sink, shut down and released, again and again, in a different
// order each time, while the main path counts its frames.
GST_START_TEST(test_overlay_comes_and_goes) {
  GstHarness* harness = gst_harness_new("rdpsegment");
  gst_harness_set_src_caps(harness, frames::caps({}));
  std::atomic<bool> stop{false};
  std::atomic<unsigned> pushed{0};
  std::thread streaming([&] {
    while (!stop) {
      fail_unless_equals_int(gst_harness_push(harness, frames::make({}, 1, pushed)), GST_FLOW_OK);
      pushed++;
    }
  });
  unsigned rounds = 0;
  const gint64 end = g_get_monotonic_time() + 2 * static_cast<gint64>(kStressTime);
  for (; g_get_monotonic_time() < end || rounds < 50; ++rounds) {
    GstPad* pad = gst_element_request_pad_simple(harness->element, "overlay");
    fail_unless(pad != nullptr);
    GstElement* sink = gst_element_factory_make("fakesink", nullptr);
    gst_object_ref_sink(sink);
    g_object_set(sink, "async", FALSE, nullptr);
    GstPad* sinkpad = gst_element_get_static_pad(sink, "sink");
    if (rounds % 2 == 0) gst_element_set_state(sink, GST_STATE_PLAYING);
    if (rounds % 5 != 4) fail_unless_equals_int(gst_pad_link(pad, sinkpad), GST_PAD_LINK_OK);
    if (rounds % 2 == 1) gst_element_set_state(sink, GST_STATE_PLAYING);
    g_usleep(rounds % 7 * 500);
    if (rounds % 3 == 0) gst_element_set_state(sink, GST_STATE_NULL);
    if (rounds % 3 == 1) gst_pad_unlink(pad, sinkpad);
    gst_element_release_request_pad(harness->element, pad);
    gst_element_set_state(sink, GST_STATE_NULL);
    gst_object_unref(sinkpad);
    gst_object_unref(sink);
    gst_object_unref(pad);
  }
  stop = true;
  streaming.join();
  fail_unless_equals_int(gst_harness_buffers_received(harness), pushed);
  for (unsigned number = 0; number < pushed; ++number) {
    GstBuffer* buffer = gst_harness_pull(harness);
    fail_unless_equals_uint64(GST_BUFFER_PTS(buffer), number * GST_SECOND / 30);
    gst_buffer_unref(buffer);
  }
  gst_harness_teardown(harness);
}
GST_END_TEST

// However a pad is requested between two frames, its first picture comes after stream-start, caps
// and segment.
GST_START_TEST(test_late_pads_start_in_order) {
  GstHarness* harness = gst_harness_new("rdpsegment");
  gst_harness_set_live(harness, FALSE);
  gst_harness_set_drop_buffers(harness, TRUE);
  const frames::Shape shape{GST_VIDEO_FORMAT_GRAY8, 1, 1};
  gst_harness_set_src_caps(harness, frames::caps(shape));
  std::atomic<bool> stop{false};
  std::thread streaming([&] {
    for (unsigned number = 0; !stop; ++number) {
      gst_harness_push(harness, frames::make(shape, 1, number));
    }
  });
  unsigned with_picture = 0;
  const gint64 end = g_get_monotonic_time() + static_cast<gint64>(kStressTime);
  while (g_get_monotonic_time() < end || with_picture < 20) {
    GstHarness* overlay = gst_harness_new_with_element(harness->element, nullptr, "overlay");
    GstBuffer* picture = gst_harness_pull(overlay);
    fail_unless(picture != nullptr);
    gst_buffer_unref(picture);
    for (GstEventType type : {GST_EVENT_STREAM_START, GST_EVENT_CAPS, GST_EVENT_SEGMENT}) {
      GstEvent* event = gst_harness_try_pull_event(overlay);
      fail_unless(event != nullptr && GST_EVENT_TYPE(event) == type);
      gst_event_unref(event);
    }
    with_picture++;
    gst_harness_teardown(overlay);
  }
  stop = true;
  streaming.join();
  gst_harness_teardown(harness);
}
GST_END_TEST

// Several pipelines with queues and both branches, started and stopped side by side.
GST_START_TEST(test_pipelines_side_by_side) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 5; ++round) {
        GError* error = nullptr;
        GstElement* pipeline = gst_parse_launch(
            "videotestsrc num-buffers=8 pattern=snow ! video/x-raw,format=GRAY8,width=80,height=60 "
            "! "
            "rdpsegment name=s threads=2 s.overlay ! queue ! fakesink s.src ! queue ! fakesink",
            &error);
        fail_unless(error == nullptr);
        gst_element_set_state(pipeline, GST_STATE_PLAYING);
        GstBus* bus = gst_element_get_bus(pipeline);
        GstMessage* message = gst_bus_timed_pop_filtered(
            bus, 20 * GST_SECOND, static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR));
        fail_unless(message != nullptr);
        fail_unless_equals_int(GST_MESSAGE_TYPE(message), GST_MESSAGE_EOS);
        gst_message_unref(message);
        gst_object_unref(bus);
        gst_element_set_state(pipeline, GST_STATE_NULL);
        gst_object_unref(pipeline);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}
GST_END_TEST

static Suite* rdpsegment_stress_suite(void) {
  Suite* suite = suite_create("rdpsegment_stress");
  TCase* tcase = tcase_create("general");
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_properties_and_events);
  tcase_add_test(tcase, test_overlay_comes_and_goes);
  tcase_add_test(tcase, test_late_pads_start_in_order);
  tcase_add_test(tcase, test_pipelines_side_by_side);
  return suite;
}

GST_CHECK_MAIN(rdpsegment_stress)
