// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpsegment under stress: properties and events changed while frames flow, pipelines side by side.
#include <thread>

#include "tests/support/check_test.h"
#include "tests/support/frames.h"

static constexpr gulong kStressTime = G_USEC_PER_SEC;

// Properties from one thread, events from another, frames from a third.
CHECK_TEST(test_properties_and_events) {
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

// Several pipelines with queues and both branches, started and stopped side by side.
CHECK_TEST(test_pipelines_side_by_side) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 5; ++round) {
        GError* error = nullptr;
        g_autoptr(GstElement) pipeline = gst_parse_launch(
            "videotestsrc num-buffers=8 pattern=snow ! video/x-raw,format=GRAY8,width=80,height=60 "
            "! "
            "rdpsegment name=s threads=2 s.overlay ! queue ! fakesink s.src ! queue ! fakesink",
            &error);
        fail_unless(error == nullptr);
        gst_element_set_state(pipeline, GST_STATE_PLAYING);
        g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
        g_autoptr(GstMessage) message = gst_bus_timed_pop_filtered(
            bus, 20 * GST_SECOND, static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR));
        fail_unless(message != nullptr);
        fail_unless_equals_int(GST_MESSAGE_TYPE(message), GST_MESSAGE_EOS);
        gst_element_set_state(pipeline, GST_STATE_NULL);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

CHECK_CASE(rdpsegment_stress)
