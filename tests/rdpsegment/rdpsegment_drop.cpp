// SPDX-License-Identifier: LGPL-2.1-or-later
// overlay::drop of rdpsegment: frames do not wait for a slow picture sink in live pipelines, and
// every picture comes elsewhere. A sink that blocks stands for a slow one, so that nothing is
// timed: a frame that waited for it would never come out.
#include <thread>

#include "tests/support/await.h"
#include "tests/support/frames.h"

using rdp::test::await;

namespace {

guint64 dropped(GstElement* element) {
  GstStructure* stats = nullptr;
  g_object_get(element, "stats", &stats, nullptr);
  guint64 count = G_MAXUINT64;
  fail_unless(gst_structure_get_uint64(stats, "pictures-dropped", &count));
  gst_structure_free(stats);
  return count;
}

// rdpsegment in harnesses; the overlay's sink keeps what comes until it is let go.
struct Stream : frames::Rig {
  explicit Stream(bool live, const char* drop = "auto") : Rig("cpu", "video/x-raw") {
    gst_harness_set_live(main, live);
    pad = gst_element_get_static_pad(element, "overlay");
    gst_util_set_object_arg(G_OBJECT(pad), "drop", drop);
    gst_harness_set_src_caps(main, frames::caps({}));
    block = gst_pad_add_probe(
        overlay->sinkpad,
        static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER),
        [](GstPad*, GstPadProbeInfo*, gpointer) { return GST_PAD_PROBE_OK; }, nullptr, nullptr);
  }
  ~Stream() {
    let_go();
    gst_object_unref(pad);
  }
  void let_go() {
    if (block != 0) gst_pad_remove_probe(overlay->sinkpad, block);
    block = 0;
  }
  void push(unsigned begin, unsigned end) {
    for (unsigned number = begin; number < end; ++number) {
      fail_unless_equals_int(gst_harness_push(main, frames::make({}, 1, number)), GST_FLOW_OK);
    }
  }
  // The first picture is with the sink.
  void hold() {
    push(0, 1);
    fail_unless(await([&] { return gst_pad_is_blocking(overlay->sinkpad) != FALSE; }));
  }
  // The numbers of the pictures that come until the end of the stream.
  std::string pictures_to_the_end() {
    fail_unless(await([&] { return GST_PAD_IS_EOS(overlay->sinkpad); }));
    std::string numbers;
    while (GstBuffer* picture = gst_harness_try_pull(overlay)) {
      numbers += (numbers.empty() ? "" : " ") +
                 std::to_string((GST_BUFFER_PTS(picture) * 30 + GST_SECOND / 2) / GST_SECOND);
      gst_buffer_unref(picture);
    }
    return numbers;
  }

  GstPad* pad;
  gulong block;
};

}  // namespace

// Every frame comes out while the sink holds the first picture; the newest is shown next, and the
// end of the stream comes behind it.
GST_START_TEST(test_frames_do_not_wait) {
  for (const bool live : {true, false}) {
    Stream stream(live, live ? "auto" : "late");
    stream.hold();
    stream.push(1, 30);
    fail_unless_equals_int(gst_harness_buffers_received(stream.main), 30);
    fail_unless_equals_uint64(dropped(stream.element), 28);
    gst_harness_push_event(stream.main, gst_event_new_eos());
    stream.let_go();
    const std::string numbers = stream.pictures_to_the_end();
    fail_unless(numbers == "0 29", "%s", numbers.c_str());
    for (unsigned number = 0; number < 30; ++number) {
      GstBuffer* frame = gst_harness_pull(stream.main);
      fail_unless_equals_uint64(GST_BUFFER_PTS(frame), number * GST_SECOND / 30);
      fail_unless(gst_buffer_get_rdp_segment_meta(frame) != nullptr);
      gst_buffer_unref(frame);
    }
  }
}
GST_END_TEST

// Files and what else is not live get every picture, and so does everybody with drop=never, however
// late the sink says that it is.
GST_START_TEST(test_every_picture) {
  for (const bool live : {false, true}) {
    Stream stream(live, live ? "never" : "auto");
    stream.hold();
    if (live) {
      gst_harness_push_upstream_event(
          stream.overlay,
          gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 2.0, GST_SECOND, 10 * GST_SECOND));
    }
    std::thread streaming([&] { stream.push(1, 20); });
    fail_unless(await([&] { return gst_harness_buffers_received(stream.main) == 2; }));
    g_usleep(20000);
    fail_unless_equals_int(gst_harness_buffers_received(stream.main), 2);
    stream.let_go();
    streaming.join();
    gst_harness_push_event(stream.main, gst_event_new_eos());
    const std::string numbers = stream.pictures_to_the_end();
    fail_unless(numbers == "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19", "%s",
                numbers.c_str());
    fail_unless_equals_uint64(dropped(stream.element), 0);
  }
}
GST_END_TEST

// A stream that becomes live, or stops to be so, is asked with its next segment.
GST_START_TEST(test_live_changes) {
  Stream stream(true);
  stream.hold();
  stream.push(1, 10);
  gst_harness_set_live(stream.main, FALSE);
  stream.push(10, 20);
  fail_unless_equals_uint64(dropped(stream.element), 18);
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_harness_push_event(stream.main, gst_event_new_segment(&segment));
  std::thread streaming([&] { stream.push(20, 22); });
  g_usleep(20000);
  fail_unless_equals_int(gst_harness_buffers_received(stream.main), 20);
  stream.let_go();
  streaming.join();
  gst_harness_push_event(stream.main, gst_event_new_eos());
  const std::string numbers = stream.pictures_to_the_end();
  fail_unless(numbers == "0 19 20 21", "%s", numbers.c_str());
}
GST_END_TEST

// Counted since PAUSED, also of pads that are gone.
GST_START_TEST(test_counts) {
  Stream stream(true);
  stream.hold();
  stream.push(1, 10);
  fail_unless_equals_uint64(dropped(stream.element), 8);
  gst_element_release_request_pad(stream.element, stream.pad);
  fail_unless_equals_uint64(dropped(stream.element), 8);
  gst_element_set_state(stream.element, GST_STATE_READY);
  gst_element_set_state(stream.element, GST_STATE_PLAYING);
  fail_unless_equals_uint64(dropped(stream.element), 0);
}
GST_END_TEST

// Flushed, stopped, released while frames come and the sink holds the pad's thread.
GST_START_TEST(test_shut_down) {
  for (const int way : {0, 1, 2}) {
    Stream stream(true);
    stream.hold();
    std::atomic<bool> stop{false};
    std::atomic<GstFlowReturn> flow{GST_FLOW_OK};
    std::thread streaming([&] {
      for (unsigned number = 1; !stop; ++number) {
        const GstFlowReturn result = gst_harness_push(stream.main, frames::make({}, 1, number));
        if (result != GST_FLOW_OK) flow = result;
      }
    });
    fail_unless(await([&] { return dropped(stream.element) > 20; }));
    if (way == 0) gst_harness_push_event(stream.main, gst_event_new_flush_start());
    if (way == 1) gst_element_set_state(stream.element, GST_STATE_READY);
    if (way == 2) gst_element_release_request_pad(stream.element, stream.pad);
    stop = true;
    streaming.join();
    // The main path notices its own flush alone.
    fail_unless(way != 2 || flow == GST_FLOW_OK);
    fail_unless(gst_bus_pop_filtered(stream.bus, GST_MESSAGE_ERROR) == nullptr);
    stream.let_go();
  }
}
GST_END_TEST

namespace {

struct Played {
  guint frames = 0;
  guint pictures = 0;
  GstClockTime last_frame = 0;
  GstClockTime last_picture = 0;
  guint64 dropped = 0;
};

// Plays to the end.
Played play(const std::string& source, const std::string& overlay, const char* drop = "auto") {
  const std::string line = source +
                           " ! video/x-raw,width=32,height=24,framerate=100/1 ! rdpsegment name=s "
                           "sample-scale=0.00390625 "
                           "overlay::drop=" +
                           drop + " s.src ! fakesink name=frames sync=false s.overlay ! " +
                           overlay + " ! fakesink name=pictures sync=false";
  GError* error = nullptr;
  GstElement* pipeline = gst_parse_launch(line.c_str(), &error);
  fail_unless(error == nullptr, "%s", error != nullptr ? error->message : "");
  Played played;
  for (const char* name : {"frames", "pictures"}) {
    GstElement* sink = gst_bin_get_by_name(GST_BIN(pipeline), name);
    GstPad* pad = gst_element_get_static_pad(sink, "sink");
    const bool frames = g_str_equal(name, "frames");
    gst_pad_add_probe(
        pad, GST_PAD_PROBE_TYPE_BUFFER,
        frames ? +[](GstPad*, GstPadProbeInfo* info, gpointer data) -> GstPadProbeReturn {
          static_cast<Played*>(data)->frames++;
          static_cast<Played*>(data)->last_frame = GST_BUFFER_PTS(GST_PAD_PROBE_INFO_BUFFER(info));
          return GST_PAD_PROBE_OK;
        }
               : +[](GstPad*, GstPadProbeInfo* info, gpointer data) -> GstPadProbeReturn {
                   static_cast<Played*>(data)->pictures++;
                   static_cast<Played*>(data)->last_picture =
                       GST_BUFFER_PTS(GST_PAD_PROBE_INFO_BUFFER(info));
                   return GST_PAD_PROBE_OK;
                 },
        &played, nullptr);
    gst_object_unref(pad);
    gst_object_unref(sink);
  }
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  GstBus* bus = gst_element_get_bus(pipeline);
  GstMessage* message = gst_bus_timed_pop_filtered(
      bus, 60 * GST_SECOND,
      static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING));
  fail_unless(message != nullptr && GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS, "%s: %s",
              line.c_str(), message == nullptr ? "hangs" : GST_MESSAGE_TYPE_NAME(message));
  gst_message_unref(message);
  gst_object_unref(bus);
  GstElement* element = gst_bin_get_by_name(GST_BIN(pipeline), "s");
  played.dropped = dropped(element);
  gst_object_unref(element);
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(pipeline);
  return played;
}

}  // namespace

// Whole pipelines with a branch that takes ten times as long as a frame lasts.
GST_START_TEST(test_pipelines) {
  const std::string slow = "identity sleep-time=100000";
  const std::string source = "depthtestsrc num-buffers=30 is-live=";
  Played played = play(source + "true", slow);
  fail_unless_equals_int(played.frames, 30);
  fail_unless(played.pictures >= 2 && played.pictures < 30, "%u pictures", played.pictures);
  fail_unless_equals_uint64(played.pictures + played.dropped, 30);
  fail_unless_equals_uint64(played.last_picture, played.last_frame);
  // A queue for those who keep one.
  played = play(source + "true", "queue leaky=downstream max-size-buffers=2 ! " + slow);
  fail_unless_equals_int(played.frames, 30);
  fail_unless_equals_uint64(played.last_picture, played.last_frame);
  // Not live, or not to be dropped: all come.
  for (const bool live : {false, true}) {
    played = play(std::string("depthtestsrc num-buffers=12 is-live=") + (live ? "true" : "false"),
                  slow, live ? "never" : "auto");
    fail_unless_equals_int(played.frames, 12);
    fail_unless_equals_int(played.pictures, 12);
    fail_unless_equals_uint64(played.dropped, 0);
  }
}
GST_END_TEST

static Suite* rdpsegment_drop_suite(void) {
  Suite* suite = suite_create("rdpsegment_drop");
  TCase* tcase = tcase_create("general");
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_frames_do_not_wait);
  tcase_add_test(tcase, test_every_picture);
  tcase_add_test(tcase, test_live_changes);
  tcase_add_test(tcase, test_counts);
  tcase_add_test(tcase, test_shut_down);
  tcase_add_test(tcase, test_pipelines);
  return suite;
}

GST_CHECK_MAIN(rdpsegment_drop)
