// SPDX-License-Identifier: LGPL-2.1-or-later
// depthstereo while it plays: pairing of buffers, new caps, live sources, pads that come and go,
// states. tests/conformance covers EOS, gaps, flushes and seeks.
#include <atomic>

#include "tests/depthstereo/stereo_rig.h"
#include "tests/support/check_test.h"

using rdp::stereo::Parameters;
using rdp::test::await;
using namespace stereo_rig;

namespace {

constexpr int kWidth = 96;
constexpr int kHeight = 40;
constexpr GstClockTime kFrame = GST_SECOND / 30;

Parameters small_range() {
  Parameters parameters;
  parameters.disparities = 32;
  return parameters;
}

// The rig plays, and one pair went through it.
void play_one_pair(Rig* rig, const Views& views) {
  rig->set_all_caps(caps("GRAY8", kWidth, kHeight));
  rig->play();
  rig->push_pair(views, 0);
  fail_unless(rdp::test::await([&] { return rig->stat("pairs") == 1; }));
}

// Releases a view's pad. Returns its peer (transfer full).
GstPad* release_view(Rig* rig, const char* name) {
  GstPad* pad = gst_element_get_static_pad(rig->element(), name);
  GstPad* peer = gst_pad_get_peer(pad);
  gst_pad_unlink(peer, pad);
  gst_element_release_request_pad(rig->element(), pad);
  gst_object_unref(pad);
  return peer;
}

}  // namespace

// A buffer without a partner is dropped, in either view.
CHECK_TEST(test_pairs) {
  const Views one = draw(kWidth, kHeight, small_range(), 1);
  const Views another = draw(kWidth, kHeight, small_range(), 2);
  Rig rig("disparities=32", " left right rectified");
  rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
  rig.push("left", buffer(one.left, 0));
  rig.push("left", buffer(one.left, 1 * kFrame));
  rig.push("left", buffer(another.left, 3 * kFrame));
  rig.push("left", buffer(one.left, 4 * kFrame));
  rig.push("right", buffer(one.right, 0 + GST_MSECOND));
  rig.push("right", buffer(one.right, 2 * kFrame));
  rig.push("right", buffer(another.right, 3 * kFrame - GST_MSECOND));
  rig.push("right", buffer(one.right, 4 * kFrame));
  rig.check_runs();
  const std::vector<GstBuffer*>& got = rig.received().buffers;
  fail_unless_equals_int(got.size(), 3);
  fail_unless_equals_uint64(GST_BUFFER_PTS(got[0]), 0);
  fail_unless_equals_uint64(GST_BUFFER_PTS(got[1]), 3 * kFrame);
  fail_unless_equals_uint64(GST_BUFFER_PTS(got[2]), 4 * kFrame);
  fail_unless_equals_uint64(GST_BUFFER_DURATION(got[2]), GST_SECOND / 30);
  check_same(samples<std::uint16_t>(got[1], kWidth, kHeight),
             match(another, small_range()).disparity, kWidth, "another");
  fail_unless_equals_int(rig.received("rectified").buffers.size(), 3);
  fail_unless_equals_uint64(rig.stat("pairs"), 3);
  fail_unless_equals_uint64(rig.stat("unpaired"), 1);
  fail_unless_equals_uint64(rig.stat("dropped"), 1);
  fail_unless_equals_uint64(rig.stat("largest-distance"), GST_MSECOND);
}

// A gap before the first pair, with only the caps known, does not affect later pairs.
CHECK_TEST(test_gap_first) {
  const Views views = draw(kWidth, kHeight, small_range());
  Rig rig("disparities=32", " left right rectified");
  rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
  for (const char* name : {"left", "right"}) {
    GstBuffer* gap = gst_buffer_new();
    GST_BUFFER_FLAG_SET(gap, GST_BUFFER_FLAG_GAP);
    GST_BUFFER_PTS(gap) = 0;
    GST_BUFFER_DURATION(gap) = kFrame;
    rig.push(name, gap);
  }
  rig.push_pair(views, 2 * kFrame);
  rig.check_runs();
  fail_unless_equals_int(rig.received().buffers.size(), 1);
  fail_unless_equals_int(rig.received("rectified").buffers.size(), 1);
}

// Both views, and so the output, change their size in mid-stream.
CHECK_TEST(test_new_caps) {
  const Views small = draw(kWidth, kHeight, small_range());
  const Views large = draw(120, 50, small_range());
  Rig rig("disparities=32", " left right overlay rectified confidence");
  rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
  rig.play();
  rig.push_pair(small, 0);
  fail_unless(rdp::test::await([&] { return rig.stat("pairs") == 1; }));
  rig.set_all_caps(caps("NV12", 120, 50));
  rig.push_pair(large, kFrame, "NV12");
  rig.check_runs();
  check_same(samples<std::uint16_t>(rig.received().buffers.at(0), kWidth, kHeight),
             match(small, small_range()).disparity, kWidth, "small");
  check_same(samples<std::uint16_t>(rig.received().buffers.at(1), 120, 50),
             match(large, small_range()).disparity, 120, "large");
  for (const char* pad : {"src", "overlay", "rectified", "confidence"}) {
    check_has(rig.received(pad).caps(), "width=(int)120, height=(int)50");
    fail_unless_equals_int(rig.received(pad).buffers.size(), 2);
  }
}

// Only one of them changes.
CHECK_TEST(test_new_caps_of_one) {
  const Views small = draw(kWidth, kHeight, small_range());
  const Views large = draw(120, 50, small_range());
  Rig rig("disparities=32");
  rig.set_all_caps(caps("GRAY8", kWidth, kHeight));
  rig.play();
  rig.push_pair(small, 0);
  fail_unless(rdp::test::await([&] { return rig.stat("pairs") == 1; }));
  rig.set_caps("right", caps("GRAY8", 120, 50));
  rig.push("left", buffer(small.left, kFrame));
  rig.push("right", buffer(large.right, kFrame));
  check_has(rig.run(), "different sizes");
}

CHECK_TEST(test_live) {
  rdp::test::PipelineRig rig(
      "depthtestsrc view=left is-live=true num-buffers=8 ! "
      "video/x-raw,width=96,height=40,framerate=50/1 ! d.left "
      "depthtestsrc view=right is-live=true num-buffers=8 ! "
      "video/x-raw,width=96,height=40,framerate=50/1 ! d.right "
      "depthstereo name=d disparities=32 ! fakesink name=out sync=true");
  rdp::test::Received received(rig.get("out"));
  rig.play();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless(received.buffers.size() >= 6, "%zu", received.buffers.size());
  g_autoptr(GstQuery) query = gst_query_new_latency();
  fail_unless(gst_element_query(rig.pipeline(), query));
  gboolean live;
  GstClockTime least;
  gst_query_parse_latency(query, &live, &least, nullptr);
  fail_unless(live);
  fail_unless(least >= GST_SECOND / 50, "%" GST_TIME_FORMAT, GST_TIME_ARGS(least));
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
}

// One camera stops: the other's buffers are dropped, and the user is told.
CHECK_TEST(test_live_without_the_other) {
  rdp::test::PipelineRig rig(
      "depthtestsrc view=left is-live=true num-buffers=15 ! "
      "video/x-raw,width=96,height=40,framerate=100/1 ! d.left "
      "appsrc name=right is-live=true format=time min-latency=0 max-latency=1000000000 ! d.right "
      "depthstereo name=d disparities=32 ! fakesink name=out async=false");
  rig.set_caps("right", caps("GRAY8", kWidth, kHeight));
  rig.play();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless_equals_int(rig.warnings.size(), 1);
  check_has(rig.warnings[0], "the other view delivered none");
}

// Releasing one view leaves the other one unaffected.
CHECK_TEST(test_view_is_released) {
  const Views views = draw(kWidth, kHeight, small_range());
  for (const char* name : {"left", "right"}) {
    Rig rig("disparities=32");
    play_one_pair(&rig, views);
    gst_object_unref(release_view(&rig, name));
    const char* rest = g_str_equal(name, "left") ? "right" : "left";
    rig.push(rest, buffer(views.left, kFrame));
    const std::string error = rig.wait();
    check_has(error, "is used alone");
    check_has(error, rest);
  }
}

// The source of a view is exchanged while both are blocked and the other view has a waiting frame.
// Only that pair is lost, and earlier state causes no error.
CHECK_TEST(test_view_is_exchanged) {
  const Views views = draw(kWidth, kHeight, small_range());
  for (const char* name : {"left", "right"}) {
    const char* rest = g_str_equal(name, "left") ? "right" : "left";
    Rig rig("disparities=32");
    play_one_pair(&rig, views);
    rig.push(rest, buffer(g_str_equal(rest, "left") ? views.left : views.right, kFrame));
    fail_unless(rdp::test::await([&] {
      guint64 bytes = 1;
      g_object_get(rig.get(rest), "current-level-bytes", &bytes, nullptr);
      return bytes == 0;
    }));
    g_usleep(50000);  // from appsrc to the pad
    GstPad* peer = release_view(&rig, name);
    g_usleep(50000);  // for whoever takes the view that waits for a packed one
    GstPad* pad = gst_element_request_pad_simple(rig.element(), name);
    fail_unless_equals_int(gst_pad_link(peer, pad), GST_PAD_LINK_OK);
    gst_object_unref(pad);
    gst_object_unref(peer);
    for (const GstClockTime time : {kFrame, 2 * kFrame, 3 * kFrame}) {
      rig.push(name, buffer(g_str_equal(name, "left") ? views.left : views.right, time));
      if (time == kFrame) continue;
      rig.push(rest, buffer(g_str_equal(rest, "left") ? views.left : views.right, time));
    }
    rig.end({"left", "right"});
    const std::string error = rig.wait();
    fail_unless(error.empty(), "%s: %s", name, error.c_str());
    fail_unless_equals_int(rig.received().buffers.size(), 3);
  }
}

// A view is released for good while the other view's source is blocked: the next frame is used
// alone.
CHECK_TEST(test_view_is_gone) {
  const Views views = draw(kWidth, kHeight, small_range());
  Rig rig("disparities=32");
  play_one_pair(&rig, views);
  for (GstClockTime i : {1, 2, 3}) rig.push("left", buffer(views.left, i * kFrame));
  g_usleep(50000);  // from appsrc to the pad
  gst_object_unref(release_view(&rig, "right"));
  const std::string error = rig.wait();
  fail_unless(error.find("alone") != std::string::npos, "%s", error.c_str());
}

CHECK_TEST(test_states_in_a_loop) {
  for (int i = 0; i < 20; ++i) {
    // A sink that blocks on one of the pads must not keep the element from stopping.
    rdp::test::PipelineRig rig(
        "depthtestsrc view=left ! video/x-raw,width=64,height=24 ! d.left "
        "depthtestsrc view=right ! video/x-raw,width=64,height=24 ! d.right "
        "depthstereo name=d disparities=16 ! fakesink sync=" +
        std::string(i % 2 == 0 ? "true" : "false") +
        " d.rectified ! fakesink sync=true d.confidence ! fakesink sync=true d.overlay ! fakesink");
    rig.play();
    if (i % 3 != 0) {
      gst_element_get_state(rig.pipeline(), nullptr, nullptr, 5 * GST_SECOND);
      g_usleep(2000);
    }
    gst_element_set_state(rig.pipeline(), GST_STATE_READY);
    rig.play();
    gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
  }
}

// Core's message about the start of a pad's thread holds a reference to the element in that thread.
// It may be the last one, before the pad's task has run.
CHECK_TEST(test_let_go_by_a_pad) {
  struct Started {
    std::atomic<bool> armed{false};
    std::atomic<bool> here{false};
    std::atomic<bool> go_on{false};
    std::atomic<bool> gone{false};
  };
  for (const char* name : {"overlay", "rectified", "confidence"}) {
    Started started;
    GstElement* element = gst_element_factory_make("depthstereo", nullptr);
    gst_object_ref_sink(element);
    g_autoptr(GstBus) bus = gst_bus_new();
    gst_bus_set_sync_handler(
        bus,
        [](GstBus*, GstMessage* message, gpointer data) {
          auto* of = static_cast<Started*>(data);
          GstStreamStatusType type = GST_STREAM_STATUS_TYPE_CREATE;
          if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_STREAM_STATUS) {
            gst_message_parse_stream_status(message, &type, nullptr);
          }
          if (type == GST_STREAM_STATUS_TYPE_ENTER && of->armed.exchange(false)) {
            of->here = true;
            await([&] { return of->go_on.load(); });
          }
          gst_message_unref(message);
          return GST_BUS_DROP;
        },
        &started, nullptr);
    gst_element_set_bus(element, bus);
    g_object_weak_ref(
        G_OBJECT(element),
        [](gpointer data, GObject*) { static_cast<Started*>(data)->gone = true; }, &started);
    GstPad* pad = gst_element_request_pad_simple(element, name);
    gst_pad_set_active(pad, FALSE);  // it may have begun before the element had it
    started.armed = true;
    gst_pad_set_active(pad, TRUE);
    gst_object_unref(pad);
    fail_unless(await([&] { return started.here.load(); }), "%s", name);
    gst_object_unref(element);
    started.go_on = true;
    fail_unless(await([&] { return started.gone.load(); }), "%s", name);
    gst_bus_set_sync_handler(bus, nullptr, nullptr, nullptr);
  }
}

CHECK_CASE(depthstereo_stream)
