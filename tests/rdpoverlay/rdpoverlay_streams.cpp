// SPDX-License-Identifier: LGPL-2.1-or-later
// rdpoverlay in streams: caps that change, live sources, states.
#include "tests/rdpoverlay/overlay_rig.h"
#include "tests/support/await.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"

using namespace overlay_rig;

// A change of either stream's caps takes effect with its first buffer.
CHECK_TEST(test_new_caps) {
  const PictureShape shape;
  const PictureShape wide{"RGBA", 16, 6};
  const DepthFrame frame = two_columns();
  Rig rig(kOpaque, shape.caps(), depth_caps(frame));
  rig.play();
  rig.push("video", picture_buffer(shape));
  rig.push("segments", depth_buffer(frame));
  fail_unless(rdp::test::await([&] {
    GST_OBJECT_LOCK(rig.element());
    const std::size_t count = rig.received.size();
    GST_OBJECT_UNLOCK(rig.element());
    return count == 1;
  }));
  rig.set_caps("video", wide.caps());
  rig.push("video", picture_buffer(wide, GST_SECOND / 30));
  rig.push("segments", depth_buffer(frame, GST_SECOND / 30));
  rig.end();
  check(rig.wait(), "");
  check(drawing(rig.received[0], shape), kTwoColumns);
  check(drawing(rig.received[1], wide),
        "................ ......####...... ......####...... ......####...... ......####...... "
        "................ ");
}

// A frame keeps the placement of its own caps, even if waiting later frames have another size.
CHECK_TEST(test_last_frame_of_other_caps) {
  const PictureShape shape;
  DepthFrame frame = two_columns();
  Rig rig(kOpaque, shape.caps(), depth_caps(frame));
  for (guint i = 0; i < 3; ++i) rig.push("video", picture_buffer(shape, i * 40 * GST_MSECOND));
  rig.push("segments", depth_buffer(frame));
  frame.width = 16;
  frame.height = 12;
  frame.columns = {};
  rig.set_caps("segments", depth_caps(frame));
  rig.push("segments", depth_buffer(frame, 200 * GST_MSECOND));
  check(rig.run(), "");
  fail_unless_equals_int(static_cast<int>(rig.received.size()), 3);
  for (GstBuffer* picture : rig.received) check(drawing(picture, shape), kTwoColumns);
}

// Downstream renegotiates while pictures with new caps are queued: the first picture keeps its own
// caps.
CHECK_TEST(test_negotiation_before_new_caps) {
  const PictureShape first;
  const PictureShape second{"RGBA", 16, 12};
  const DepthFrame frame = two_columns();
  Rig rig(kOpaque, first.caps(), depth_caps(frame));
  std::string widths;
  g_autoptr(GstPad) sink = gst_element_get_static_pad(rig.get("out"), "sink");
  gst_pad_add_probe(
      sink, GST_PAD_PROBE_TYPE_BUFFER,
      [](GstPad* pad, GstPadProbeInfo*, gpointer data) -> GstPadProbeReturn {
        GstCaps* caps = gst_pad_get_current_caps(pad);
        gint width = 0;
        gst_structure_get_int(gst_caps_get_structure(caps, 0), "width", &width);
        *static_cast<std::string*>(data) += std::to_string(width) + " ";
        gst_caps_unref(caps);
        return GST_PAD_PROBE_OK;
      },
      &widths, nullptr);
  rig.push("video", picture_buffer(first));
  rig.play();
  rig.set_caps("video", second.caps());
  rig.push("video", picture_buffer(second, 40 * GST_MSECOND));
  GstPad* video = gst_element_get_static_pad(rig.element(), "video");
  fail_unless(rdp::test::await([&] {
    GstCaps* caps = gst_pad_get_current_caps(video);
    gint width = 0;
    if (caps != nullptr) {
      gst_structure_get_int(gst_caps_get_structure(caps, 0), "width", &width);
      gst_caps_unref(caps);
    }
    return width == second.width;
  }));
  gst_object_unref(video);
  gst_pad_push_event(sink, gst_event_new_reconfigure());
  rig.push("segments", depth_buffer(frame));
  rig.end();
  check(rig.wait(), "");
  check(widths, "8 16 ");
}

// Segmentation lags by two stages of 120 ms, more than a frame. With the reported latency, every
// picture gets the segments of its own frame.
CHECK_TEST(test_live_with_slow_segments) {
  GError* error = nullptr;
  g_autoptr(GstElement) pipeline = gst_parse_launch(
      "rdpoverlay name=o max-age=0 ! fakesink sync=true depthtestsrc is-live=true num-buffers=12 ! "
      "video/x-raw,width=64,height=48,framerate=5/1 ! tee name=t t. ! queue ! identity "
      "sleep-time=120000 ! queue ! identity sleep-time=120000 ! rdpsegment ! o.segments t. ! queue "
      "! "
      "videoconvert ! video/x-raw,format=I420 ! o.video",
      &error);
  fail_unless(error == nullptr, "%s", error == nullptr ? "" : error->message);
  g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
  fail_if(gst_element_set_state(pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  bool ended = false;
  while (!ended) {
    g_autoptr(GstMessage) message = gst_bus_timed_pop_filtered(
        bus, 20 * GST_SECOND,
        static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_LATENCY));
    fail_unless(message != nullptr && GST_MESSAGE_TYPE(message) != GST_MESSAGE_ERROR);
    ended = GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS;
    if (!ended) gst_bin_recalculate_latency(GST_BIN(pipeline));
  }
  g_autoptr(GstElement) overlay = gst_bin_get_by_name(GST_BIN(pipeline), "o");
  GstStructure* stats = nullptr;
  g_object_get(overlay, "stats", &stats, nullptr);
  guint64 paired = 0;
  fail_unless(gst_structure_get_uint64(stats, "paired", &paired));
  fail_unless_equals_uint64(paired, 12);
  gst_structure_free(stats);
  gst_element_set_state(pipeline, GST_STATE_NULL);
}

// The element reaches NULL although its src pad is blocked, as by a hanging sink.
CHECK_TEST(test_null_while_downstream_hangs) {
  const PictureShape shape;
  const DepthFrame frame = two_columns();
  for (int round = 0; round < 5; ++round) {
    Rig rig(kOpaque, shape.caps(), depth_caps(frame));
    GstPad* src = gst_element_get_static_pad(rig.element(), "src");
    gst_pad_add_probe(
        src, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM,
        [](GstPad*, GstPadProbeInfo*, gpointer) { return GST_PAD_PROBE_OK; }, nullptr, nullptr);
    gst_object_unref(src);
    for (guint i = 0; i < 4; ++i) {
      rig.push("video", picture_buffer(shape, i * GST_SECOND / 30));
      rig.push("segments", depth_buffer(frame, i * GST_SECOND / 30));
    }
    rig.play();
    g_usleep(20000);
    fail_unless_equals_int(gst_element_set_state(rig.pipeline(), GST_STATE_NULL),
                           GST_STATE_CHANGE_SUCCESS);
  }
}

// With backend=cuda and no device, the element reports the cause before it starts.
CHECK_TEST(test_no_device) {
  g_autoptr(GstElement) element = gst_element_factory_make("rdpoverlay", nullptr);
  gst_object_ref_sink(element);
  gst_util_set_object_arg(G_OBJECT(element), "backend", "cuda");
  g_object_set(element, "cuda-device-id", 4711, nullptr);
  g_autoptr(GstBus) bus = gst_bus_new();
  gst_element_set_bus(element, bus);
  fail_unless_equals_int(gst_element_set_state(element, GST_STATE_READY), GST_STATE_CHANGE_FAILURE);
  const auto error = rdp::test::next_text(bus, GST_MESSAGE_ERROR);
  fail_unless(error.is(GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND));
  check_has(error.text, "backend=cuda is not available");
  gst_element_set_state(element, GST_STATE_NULL);
  gst_element_set_bus(element, nullptr);
}

// Pipelines run repeatedly; some are stopped before their end.
CHECK_TEST(test_states_in_a_loop) {
  GError* error = nullptr;
  g_autoptr(GstElement) pipeline = gst_parse_launch(
      "rdpoverlay name=o ! fakesink sync=false depthtestsrc num-buffers=5 ! "
      "video/x-raw,width=64,height=48,framerate=30/1 ! rdpsegment ! o.segments videotestsrc "
      "num-buffers=5 ! video/x-raw,width=80,height=60,framerate=30/1 ! o.video",
      &error);
  fail_unless(error == nullptr);
  g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
  for (int round = 0; round < 12; ++round) {
    const GstState state = round % 4 == 1 ? GST_STATE_PAUSED : GST_STATE_PLAYING;
    fail_if(gst_element_set_state(pipeline, state) == GST_STATE_CHANGE_FAILURE);
    if (round % 4 == 0) {
      g_autoptr(GstMessage) message = gst_bus_timed_pop_filtered(
          bus, 10 * GST_SECOND, static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR));
      fail_unless(message != nullptr && GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS);
    }
    fail_unless_equals_int(gst_element_set_state(pipeline, GST_STATE_NULL),
                           GST_STATE_CHANGE_SUCCESS);
    gst_bus_set_flushing(bus, FALSE);
  }
}

CHECK_CASE(rdpoverlay_streams, .seconds = 60)
