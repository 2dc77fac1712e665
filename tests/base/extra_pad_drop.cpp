// SPDX-License-Identifier: LGPL-2.1-or-later
// Extra source pads that may drop: the thread that brings buffers never waits for the sink. Nothing
// here is timed. The sink blocks the pad's thread until released, and the test itself brings the
// buffers. A wait would run into the test case's time limit.
#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "tests/base/extra_pad_rig.h"
#include "tests/support/allocation_count.h"
#include "tests/support/check_test.h"

using rdp::test::await;
using rdp::test::ExtraPadRig;

namespace {

// A pad whose thread the sink blocks with buffer 0.
struct HeldRig : ExtraPadRig {
  explicit HeldRig(GstRdpDrop drop, GType type = GST_TYPE_RDP_EXTRA_PAD) : ExtraPadRig(type) {
    gst_rdp_extra_pad_set_drop(pad, drop);
    close();
    begin();
  }
  void hold() {
    fail_unless_equals_int(push(0), GST_FLOW_OK);
    fail_unless(holds());
  }
  gboolean gap() { return gst_rdp_extra_pad_push_event(pad, gst_event_new_gap(0, 1)); }
  void tag(const char* title) {
    GstTagList* tags = gst_tag_list_new(GST_TAG_TITLE, title, nullptr);
    fail_unless(gst_rdp_extra_pad_push_event(pad, gst_event_new_tag(tags)));
  }
  // The next stream, as after a concat.
  void begin_again() {
    fail_unless(gst_rdp_extra_pad_push_event(pad, gst_event_new_stream_start("next")));
    segment();
  }
  void end() { fail_unless(gst_rdp_extra_pad_push_event(pad, gst_event_new_eos())); }
  guint64 dropped() const { return gst_rdp_extra_pad_get_dropped(pad); }
  // True if the sink got exactly `expected` after the start of the stream.
  bool sends(const std::string& expected) const {
    const bool right = says(" stream-start caps segment tag" + expected);
    if (!right) g_printerr("%s\n", log().c_str());
    return right;
  }
};

// The same with acquired pictures.
struct PictureRig : HeldRig {
  explicit PictureRig(GstRdpDrop drop = GST_RDP_DROP_LATE)
      : HeldRig(drop, GST_TYPE_RDP_PICTURE_PAD) {
    g_object_set(pad, "drop", drop, nullptr);
  }
  GstRdpPicturePad* pictures() const { return GST_RDP_PICTURE_PAD(pad); }
  // True if a picture was acquired for the frame; it is pushed.
  bool picture(unsigned number) {
    gboolean gap;
    fail_unless(gst_rdp_picture_pad_wants(pictures(), GST_CLOCK_TIME_NONE, &gap));
    GstFlowReturn flow;
    GstBuffer* picture = gst_rdp_extra_pad_acquire(pad, &flow);
    fail_unless_equals_int(flow, GST_FLOW_OK);
    if (picture == nullptr) return false;
    fail_unless_equals_uint64(gst_buffer_get_size(picture),
                              GST_VIDEO_INFO_SIZE(gst_rdp_picture_pad_get_info(pictures())));
    GST_BUFFER_PTS(picture) = number * GST_SECOND / 30;
    fail_unless_equals_int(gst_rdp_extra_pad_push(pad, picture), GST_FLOW_OK);
    return true;
  }
  // Brings frames until the sink holds a picture, and returns that frame's number. Dropping pads
  // wait only briefly for the first negotiation, and a busy machine needs longer.
  unsigned hold_picture() {
    const unsigned number = first_picture(0);
    fail_unless(holds());
    return number;
  }
  // The sink's log entry: DISCONT unless it is the very first picture.
  static std::string noted(unsigned number) {
    return " " + std::to_string(number) + (number == 0 ? "" : "!");
  }
  // The first frame from `number` on that gets a picture; the pad's thread negotiates meanwhile.
  unsigned first_picture(unsigned number) {
    fail_unless(await([&] { return picture(number++); }));
    return number - 1;
  }
};

}  // namespace

// The newest buffer goes out as soon as the sink accepts it, marked DISCONT.
CHECK_TEST(test_newest) {
  for (const guint capacity : {1U, 2U}) {
    HeldRig rig(GST_RDP_DROP_LATE);
    gst_rdp_extra_pad_set_capacity(rig.pad, capacity);
    rig.hold();
    for (unsigned number = 1; number < 20; ++number) {
      fail_unless_equals_int(rig.push(number), GST_FLOW_OK);
      fail_unless_equals_uint64(rig.dropped(), number <= capacity ? 0 : number - capacity);
    }
    rig.end();
    rig.open();
    fail_unless(rig.sends(capacity == 1 ? " 0 19! eos" : " 0 18! 19! eos"));
    // Nothing is dropped while the sink is fast enough.
    fail_unless_equals_uint64(rig.dropped(), 19 - capacity);
  }
}

// Events keep their order when buffers between them are dropped.
CHECK_TEST(test_events_stay) {
  HeldRig rig(GST_RDP_DROP_LATE);
  rig.hold();
  rig.push(1);
  rig.tag("b");
  rig.push(2);
  rig.segment();
  rig.push(3);
  rig.end();
  rig.open();
  fail_unless(rig.sends(" 0 tag segment 3! eos"));
  fail_unless_equals_uint64(rig.dropped(), 2);
}

// A GAP is sent only to an idle sink; it makes room for a buffer.
CHECK_TEST(test_gaps) {
  {
    HeldRig rig(GST_RDP_DROP_LATE);
    rig.hold();
    rig.push(1);
    for (int i = 0; i < 10; ++i) fail_unless(rig.gap());
    rig.open();
    rig.end();
    fail_unless(rig.sends(" 0 1 eos"));
  }
  HeldRig rig(GST_RDP_DROP_LATE);
  rig.hold();
  rig.gap();
  rig.gap();
  rig.push(1);
  rig.open();
  rig.end();
  fail_unless(rig.sends(" 0 1 eos"));
  rig.begin_again();
  rig.gap();
  fail_unless(await([&] { return rig.log().ends_with(" gap"); }));
  fail_unless_equals_uint64(rig.dropped(), 0);
}

// More events than the pad keeps: each sticky event remains once, with its last value.
CHECK_TEST(test_many_events) {
  HeldRig rig(GST_RDP_DROP_LATE);
  rig.hold();
  rig.push(1);
  for (int i = 0; i < 1000; ++i) {
    rig.tag("a");
    rig.segment();
    GstStructure* structure = gst_structure_new_empty("any");
    fail_unless(gst_rdp_extra_pad_push_event(
        rig.pad, gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM, structure)));
  }
  rig.tag("last");
  rig.push(2);
  rig.end();
  rig.open();
  fail_unless(await([&] { return rig.log().ends_with(" 2! eos"); }), "%s", rig.log().c_str());
  const std::string log = rig.log();
  fail_unless(std::count(log.begin(), log.end(), ' ') < 80, "%s", log.c_str());
  g_autoptr(GstEvent) tag = gst_pad_get_sticky_event(rig.sink, GST_EVENT_TAG, 0);
  GstTagList* tags;
  gst_event_parse_tag(tag, &tags);
  gchar* title = nullptr;
  fail_unless(gst_tag_list_get_string(tags, GST_TAG_TITLE, &title));
  fail_unless_equals_string(title, "last");
  g_free(title);
}

// drop=auto queries upstream's latency after each SEGMENT, and again when the latency or the link
// has changed. It drops only if upstream is live; no answer counts as not live.
CHECK_TEST(test_auto) {
  for (const int live : {-1, 0, 1}) {
    HeldRig rig(GST_RDP_DROP_AUTO);
    rig.live = live;
    rig.hold();
    rig.push(1);
    std::atomic<unsigned> pushed{2};
    std::thread streaming([&] {
      for (; pushed < 5; ++pushed) rig.push(pushed);
    });
    if (live != 1) {
      g_usleep(20000);
      fail_unless_equals_int(pushed, 2);
      rig.open();
    }
    streaming.join();
    rig.open();
    rig.end();
    fail_unless(rig.sends(live == 1 ? " 0 4! eos" : " 0 1 2 3 4 eos"));
    fail_unless_equals_uint64(rig.dropped(), live == 1 ? 3 : 0);
    fail_unless_equals_int(rig.latency_queries, 1);
  }
}

CHECK_TEST(test_asks_again) {
  HeldRig rig(GST_RDP_DROP_AUTO);
  rig.live = 1;
  rig.open();
  for (unsigned number = 0; number < 5; ++number) rig.push(number);
  fail_unless_equals_int(rig.latency_queries, 1);
  rig.segment();
  for (unsigned number = 5; number < 9; ++number) rig.push(number);
  fail_unless_equals_int(rig.latency_queries, 2);
  for (GstEvent* event : {gst_event_new_latency(0), gst_event_new_reconfigure()}) {
    const unsigned before = rig.latency_queries;
    gst_pad_push_event(rig.sink, event);
    rig.push(9);
    rig.push(10);
    fail_unless_equals_int(rig.latency_queries, before + 1);
  }
  // A new answer replaces the previous one.
  rig.end();
  fail_unless(await([&] { return rig.log().ends_with(" eos"); }));
  rig.close();
  rig.live = 0;
  rig.begin_again();
  rig.hold();
  rig.push(1);
  std::atomic<bool> free{false};
  std::thread streaming([&] {
    rig.push(2);
    free = true;
  });
  g_usleep(20000);
  fail_if(free);
  // The user's setting also releases a thread that already waits.
  gst_rdp_extra_pad_set_drop(rig.pad, GST_RDP_DROP_LATE);
  streaming.join();
  rig.open();
  // Fixed modes send no query.
  const unsigned before = rig.latency_queries;
  for (const GstRdpDrop drop : {GST_RDP_DROP_LATE, GST_RDP_DROP_NEVER}) {
    gst_rdp_extra_pad_set_drop(rig.pad, drop);
    rig.segment();
    rig.push(3);
  }
  fail_unless_equals_int(rig.latency_queries, before);
}

// Pool of two buffers: the waiting one is reclaimed for the next picture, so that the newest comes
// next. If downstream holds both, the picture is dropped and counted.
CHECK_TEST(test_pool_has_no_more) {
  PictureRig rig;
  rig.offered = gst_video_buffer_pool_new();
  const unsigned held = rig.hold_picture();
  const auto then = [&](unsigned number) { return held + number; };
  for (unsigned number = 1; number < 10; ++number) fail_unless(rig.picture(then(number)));
  fail_unless_equals_uint64(rig.dropped(), then(8));
  std::vector<GstBuffer*> kept;
  gst_pad_add_probe(
      rig.sink, GST_PAD_PROBE_TYPE_BUFFER,
      [](GstPad*, GstPadProbeInfo* info, gpointer list) -> GstPadProbeReturn {
        static_cast<std::vector<GstBuffer*>*>(list)->push_back(
            gst_buffer_ref(GST_PAD_PROBE_INFO_BUFFER(info)));
        return GST_PAD_PROBE_OK;
      },
      &kept, nullptr);
  rig.open();
  std::string sent = rig.noted(held) + " " + std::to_string(then(9)) + "!";
  fail_unless(rig.sends(sent));
  fail_unless(rig.picture(then(10)));
  sent += " " + std::to_string(then(10));
  fail_unless(rig.sends(sent));
  for (unsigned number = 11; number < 15; ++number) fail_if(rig.picture(then(number)));
  fail_unless_equals_uint64(rig.dropped(), then(12));
  for (GstBuffer* buffer : kept) gst_buffer_unref(buffer);
  kept.clear();
  fail_unless(rig.picture(then(15)));
  fail_unless(rig.sends(sent + " " + std::to_string(then(15)) + "!"));
  for (GstBuffer* buffer : kept) gst_buffer_unref(buffer);
  gst_object_unref(std::exchange(rig.offered, nullptr));
}

// The allocation query waits behind the blocked sink, but the caller does not wait for it. Pictures
// come again afterwards.
CHECK_TEST(test_negotiation_is_not_waited_for) {
  PictureRig rig;
  const unsigned held = rig.hold_picture();
  gst_pad_mark_reconfigure(GST_PAD(rig.pad));
  for (unsigned number = 1; number < 10; ++number) fail_if(rig.picture(held + number));
  fail_unless_equals_uint64(rig.dropped(), held + 9);
  fail_unless_equals_int(rig.allocation_queries, 1);
  rig.open();
  const unsigned next = rig.first_picture(held + 10);
  fail_unless(rig.sends(rig.noted(held) + " " + std::to_string(next) + "!"));
  fail_unless_equals_int(rig.allocation_queries, 2);
}

// A sink that does not answer the first allocation query delays only the first frame, briefly.
CHECK_TEST(test_first_negotiation) {
  PictureRig rig;
  rig.queries_closed = true;
  for (unsigned number = 0; number < 1000; ++number) fail_if(rig.picture(number));
  fail_unless_equals_uint64(rig.dropped(), 1000);
  rig.open();
  const unsigned next = rig.first_picture(1000);
  fail_unless(rig.sends(" " + std::to_string(next) + "!"));
  fail_unless_equals_int(rig.allocation_queries, 1);
}

// Caps set during a negotiation in the background apply to the next picture: it has the new size.
CHECK_TEST(test_caps_change_during_negotiation) {
  PictureRig rig;
  rig.queries_closed = true;
  fail_if(rig.picture(0));
  fail_unless(await([&] {
    const std::lock_guard lock(rig.mutex);
    return rig.allocation_queries == 1;
  }));
  GstCaps* caps = frames::caps({GST_VIDEO_FORMAT_GRAY8, 16, 6});
  gst_rdp_extra_pad_set_caps(rig.pad, caps);
  gst_caps_unref(caps);
  fail_if(rig.picture(1));
  // The negotiation is over, the new caps are on their way.
  {
    const std::lock_guard lock(rig.mutex);
    rig.caps_closed = true;
    rig.queries_closed = false;
    rig.changed.notify_all();
  }
  fail_unless(rig.holds());
  for (unsigned number = 2; number < 50; ++number) fail_if(rig.picture(number));
  rig.open();
  rig.first_picture(50);
  fail_unless_equals_int(GST_VIDEO_INFO_WIDTH(gst_rdp_picture_pad_get_info(rig.pictures())), 16);
  fail_unless(await([&] {
    GstCaps* now = gst_pad_get_current_caps(rig.sink);
    GstVideoInfo info;
    const bool right = now != nullptr && gst_video_info_from_caps(&info, now) && info.width == 16;
    gst_clear_caps(&now);
    return right;
  }));
}

// A later acquire returns the result of a background negotiation.
CHECK_TEST(test_negotiation_fails) {
  PictureRig rig;
  rig.hold_picture();
  gst_pad_set_query_function(rig.sink,
                             [](GstPad* pad, GstObject* parent, GstQuery* query) -> gboolean {
                               if (GST_QUERY_TYPE(query) != GST_QUERY_CAPS)
                                 return gst_pad_query_default(pad, parent, query);
                               GstCaps* caps = gst_caps_from_string("video/x-raw, format=I420");
                               gst_query_set_caps_result(query, caps);
                               gst_caps_unref(caps);
                               return TRUE;
                             });
  gst_pad_mark_reconfigure(GST_PAD(rig.pad));
  fail_if(rig.picture(1));
  rig.open();
  GstFlowReturn flow = GST_FLOW_OK;
  fail_unless(await([&] {
    GstBuffer* picture = gst_rdp_extra_pad_acquire(rig.pad, &flow);
    fail_unless(picture == nullptr);
    return flow != GST_FLOW_OK;
  }));
  fail_unless_equals_int(flow, GST_FLOW_NOT_NEGOTIATED);
  g_autoptr(GstMessage) message = gst_bus_pop_filtered(rig.bus, GST_MESSAGE_ERROR);
  fail_unless(message != nullptr);
}

// For a late sink, pictures are skipped and counted; with drop=never all of them come.
CHECK_TEST(test_qos) {
  for (const GstRdpDrop drop : {GST_RDP_DROP_AUTO, GST_RDP_DROP_NEVER, GST_RDP_DROP_LATE}) {
    PictureRig rig(drop);
    rig.live = 1;
    rig.open();
    gst_pad_push_event(rig.sink, gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 2.0, GST_SECOND, 0));
    gboolean gap;
    const bool wants = gst_rdp_picture_pad_wants(rig.pictures(), GST_SECOND, &gap) != FALSE;
    fail_unless_equals_int(wants, drop == GST_RDP_DROP_NEVER);
    fail_unless_equals_int(gap, !wants);
    fail_unless_equals_uint64(rig.dropped(), wants ? 0 : 1);
    fail_unless(gst_rdp_picture_pad_wants(rig.pictures(), 3 * GST_SECOND, &gap));
  }
}

// While the sink holds the thread and buffers are dropped, a flush, going to READY and a release
// work as ever, and the next stream is whole.
CHECK_TEST(test_flush) {
  HeldRig rig(GST_RDP_DROP_LATE);
  rig.hold();
  for (unsigned number = 1; number < 4; ++number) rig.push(number);
  gst_rdp_extra_pad_push_event(rig.pad, gst_event_new_flush_start());
  fail_unless_equals_int(rig.push(4), GST_FLOW_NOT_LINKED);
  rig.open();
  gst_rdp_extra_pad_push_event(rig.pad, gst_event_new_flush_stop(TRUE));
  rig.segment();
  rig.push(5);
  fail_unless(await([&] { return rig.log().ends_with(" segment 5"); }), "%s", rig.log().c_str());
}

CHECK_TEST(test_shut_down) {
  for (const int way : {0, 1, 2}) {
    HeldRig rig(GST_RDP_DROP_LATE);
    rig.hold();
    std::atomic<bool> stop{false};
    std::thread streaming([&] {
      while (!stop) {
        rig.push(1);
        rig.gap();
      }
    });
    fail_unless(await([&] { return rig.dropped() > 100; }));
    if (way == 0) gst_rdp_extra_pad_interrupt(rig.pad);
    if (way == 1) gst_pad_set_active(GST_PAD(rig.pad), FALSE);
    if (way == 2) gst_rdp_extra_pad_release(rig.pad, rig.element);
    stop = true;
    streaming.join();
    fail_unless_equals_int(rig.push(2), GST_FLOW_NOT_LINKED);
    if (way == 2) continue;
    rig.open();
    gst_pad_set_active(GST_PAD(rig.pad), FALSE);
    gst_pad_set_active(GST_PAD(rig.pad), TRUE);
    fail_unless_equals_uint64(rig.dropped(), 0);
    rig.begin();
    rig.push(7);
    fail_unless(await([&] { return rig.log().ends_with(" tag 7"); }), "%s", rig.log().c_str());
  }
}

// A sequence of pictures allocates nothing.
CHECK_TEST(test_no_allocation, RDP_COUNTS_ALLOCATIONS != 0) {
  PictureRig rig;
  const unsigned held = rig.hold_picture();
  for (unsigned number = 1; number < 10; ++number) fail_unless(rig.picture(held + number));
  // Checks allocate.
  const std::uint64_t before = allocation_count::count;
  for (unsigned number = 10; number < 50; ++number) {
    gboolean gap;
    GstFlowReturn flow;
    gst_rdp_picture_pad_wants(rig.pictures(), GST_CLOCK_TIME_NONE, &gap);
    gst_rdp_extra_pad_push(rig.pad, gst_rdp_extra_pad_acquire(rig.pad, &flow));
  }
  const std::uint64_t made = allocation_count::count - before;
  fail_unless_equals_uint64(rig.dropped(), held + 48);
  fail_unless(made == 0, "%d allocations", static_cast<int>(made));
}

CHECK_CASE(extra_pad_drop, .seconds = 30)
