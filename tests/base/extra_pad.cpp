// SPDX-License-Identifier: LGPL-2.1-or-later
// Extra source pads and picture pads on an otherwise empty element.
#include <atomic>
#include <thread>

#include "gst/elements/base/buffer_metas.h"
#include "gst/elements/base/seek_filter.h"
#include "tests/base/extra_pad_rig.h"
#include "tests/support/check_test.h"

using rdp::test::await;
using rdp::test::ExtraPadRig;

CHECK_TEST(test_stream) {
  ExtraPadRig rig;
  rig.begin();
  fail_unless_equals_int(rig.push(0), GST_FLOW_OK);
  gst_rdp_extra_pad_push_event(rig.pad, gst_event_new_gap(GST_SECOND, GST_SECOND));
  fail_unless_equals_int(rig.push(1), GST_FLOW_OK);
  gst_rdp_extra_pad_push_event(rig.pad, gst_event_new_eos());
  fail_unless(rig.says(" stream-start caps segment tag 0 gap 1 eos"), "%s", rig.log().c_str());
  const gchar* id;
  guint group = 0;
  GstStreamFlags flags;
  gst_event_parse_stream_start(rig.start, &id);
  gst_event_parse_group_id(rig.start, &group);
  gst_event_parse_stream_flags(rig.start, &flags);
  fail_unless_equals_string(id, "upstream/extra");
  fail_unless_equals_int(group, 77);
  fail_unless_equals_int(flags, GST_STREAM_FLAG_SPARSE);
  fail_unless_equals_int(gst_event_get_seqnum(rig.start), 4711);
  fail_unless(rig.pushed_by != g_thread_self());
}

// If the sink blocks, one buffer is being pushed, `capacity` buffers wait, and the next push
// blocks.
CHECK_TEST(test_capacity) {
  for (guint capacity : {1U, 2U}) {
    ExtraPadRig rig;
    gst_rdp_extra_pad_set_capacity(rig.pad, capacity);
    rig.close();
    rig.begin();
    std::atomic<unsigned> pushed{0};
    std::thread streaming([&] {
      for (unsigned number = 0; number < 6; ++number, ++pushed) rig.push(number);
    });
    fail_unless(await([&] { return pushed == capacity + 1; }));
    g_usleep(20000);
    fail_unless_equals_int(pushed, capacity + 1);
    rig.open();
    streaming.join();
    fail_unless(rig.says(" stream-start caps segment tag 0 1 2 3 4 5"), "%s", rig.log().c_str());
  }
}

// Downstream's flow return comes back with one of the next two buffers, but never as FLUSHING.
CHECK_TEST(test_flows) {
  for (const GstFlowReturn answer :
       {GST_FLOW_ERROR, GST_FLOW_NOT_NEGOTIATED, GST_FLOW_CUSTOM_ERROR_1, GST_FLOW_FLUSHING,
        GST_FLOW_NOT_LINKED, GST_FLOW_EOS}) {
    ExtraPadRig rig;
    rig.begin();
    rig.answer = answer;
    fail_unless_equals_int(rig.push(0), GST_FLOW_OK);
    GstFlowReturn flow = rig.push(1);
    if (flow == GST_FLOW_OK) {
      fail_unless(await([&] { return gst_rdp_extra_pad_get_last_flow(rig.pad) != GST_FLOW_OK; }));
      flow = rig.push(2);
    }
    // A branch at EOS or shut down counts as not linked.
    const bool gone = answer == GST_FLOW_FLUSHING || answer == GST_FLOW_EOS;
    fail_unless(flow == answer || (gone && flow == GST_FLOW_NOT_LINKED), "%s after %s",
                gst_flow_get_name(flow), gst_flow_get_name(answer));
  }
  const auto combined = gst_rdp_extra_pad_combine_flow;
  fail_unless_equals_int(combined(GST_FLOW_OK, GST_FLOW_FLUSHING), GST_FLOW_OK);
  fail_unless_equals_int(combined(GST_FLOW_OK, GST_FLOW_ERROR), GST_FLOW_ERROR);
  fail_unless_equals_int(combined(GST_FLOW_EOS, GST_FLOW_OK), GST_FLOW_OK);
  fail_unless_equals_int(combined(GST_FLOW_EOS, GST_FLOW_EOS), GST_FLOW_EOS);
  fail_unless_equals_int(combined(GST_FLOW_EOS, GST_FLOW_NOT_LINKED), GST_FLOW_EOS);
  fail_unless_equals_int(combined(GST_FLOW_NOT_LINKED, GST_FLOW_OK), GST_FLOW_OK);
  fail_unless_equals_int(combined(GST_FLOW_NOT_LINKED, GST_FLOW_FLUSHING), GST_FLOW_NOT_LINKED);
  fail_unless_equals_int(combined(GST_FLOW_FLUSHING, GST_FLOW_ERROR), GST_FLOW_FLUSHING);
}

// A flush releases threads blocked in push, drops buffers, and keeps the events that survive a
// flush.
CHECK_TEST(test_flush) {
  ExtraPadRig rig;
  rig.close();
  rig.begin();
  std::atomic<unsigned> pushed{0};
  std::thread streaming([&] {
    for (unsigned number = 0; number < 2; ++number, ++pushed) rig.push(number);
    gst_rdp_extra_pad_push_event(rig.pad,
                                 gst_event_new_tag(gst_tag_list_new(GST_TAG_TITLE, "b", nullptr)));
    fail_unless_equals_int(rig.push(2), GST_FLOW_NOT_LINKED);
    ++pushed;
  });
  fail_unless(rig.holds() && await([&] { return pushed == 2; }));
  g_usleep(20000);
  gst_rdp_extra_pad_push_event(rig.pad, gst_event_new_flush_start());
  fail_unless(await([&] { return pushed == 3; }));
  streaming.join();
  rig.open();
  gst_rdp_extra_pad_push_event(rig.pad, gst_event_new_flush_stop(TRUE));
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_rdp_extra_pad_push_event(rig.pad, gst_event_new_segment(&segment));
  fail_unless_equals_int(rig.push(3), GST_FLOW_OK);
  fail_unless(rig.says(" stream-start caps segment tag 0 flush-start flush-stop tag segment 3"),
              "%s", rig.log().c_str());
}

// interrupt releases a thread blocked in push or acquire, and so does deactivation alone.
CHECK_TEST(test_interrupt) {
  for (const bool acquires : {false, true}) {
    for (const bool deactivates : {false, true}) {
      ExtraPadRig rig;
      rig.close();
      rig.begin();
      std::atomic<bool> free{false};
      std::thread streaming([&] {
        rig.push(0);
        rig.push(1);
        GstFlowReturn flow = GST_FLOW_OK;
        if (acquires) {
          fail_unless(gst_rdp_extra_pad_acquire(rig.pad, &flow) == nullptr);
        } else {
          flow = rig.push(2);
        }
        fail_unless_equals_int(flow, GST_FLOW_NOT_LINKED);
        free = true;
      });
      fail_unless(rig.holds());
      g_usleep(20000);
      fail_if(free);
      if (deactivates) {
        gst_pad_set_active(GST_PAD(rig.pad), FALSE);
      } else {
        gst_rdp_extra_pad_interrupt(rig.pad);
      }
      streaming.join();
      // It starts again with a new stream.
      rig.open();
      gst_pad_set_active(GST_PAD(rig.pad), FALSE);
      gst_pad_set_active(GST_PAD(rig.pad), TRUE);
      rig.begin();
      fail_unless_equals_int(rig.push(7), GST_FLOW_OK);
      fail_unless(await([&] { return rig.log().ends_with(" tag 7"); }), "%s", rig.log().c_str());
    }
  }
}

// The pad's own thread releases it, from a probe.
CHECK_TEST(test_released_by_itself) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> gone{false};
    {
      ExtraPadRig rig;
      g_object_weak_ref(
          G_OBJECT(rig.pad),
          [](gpointer flag, GObject*) { *static_cast<std::atomic<bool>*>(flag) = true; }, &gone);
      gst_pad_add_probe(
          GST_PAD(rig.pad), GST_PAD_PROBE_TYPE_BUFFER,
          [](GstPad* pad, GstPadProbeInfo*, gpointer element) -> GstPadProbeReturn {
            gst_rdp_extra_pad_release(GST_RDP_EXTRA_PAD(pad), GST_ELEMENT(element));
            return GST_PAD_PROBE_REMOVE;
          },
          rig.element, nullptr);
      rig.begin();
      rig.push(0);
      fail_unless(await([&] { return GST_OBJECT_PARENT(rig.pad) == nullptr; }));
      fail_unless_equals_int(rig.push(1), GST_FLOW_NOT_LINKED);
    }
    fail_unless(await([&] { return gone.load(); }), "the pad stays in round %d", round);
  }
}

// A sink that was stopped gets the sticky events again before the next buffer.
CHECK_TEST(test_peer_comes_back) {
  ExtraPadRig rig;
  rig.begin();
  rig.push(0);
  fail_unless(rig.says(" stream-start caps segment tag 0"));
  gst_pad_set_active(rig.sink, FALSE);
  fail_unless_equals_int(rig.push(1), GST_FLOW_NOT_LINKED);
  gst_pad_set_active(rig.sink, TRUE);
  fail_unless_equals_int(rig.push(2), GST_FLOW_OK);
  fail_unless(rig.says(" stream-start caps segment tag 0 stream-start caps segment tag 2"), "%s",
              rig.log().c_str());
}

// So does a sink flushed from its own side, of which GStreamer core does not know.
CHECK_TEST(test_peer_was_flushed) {
  ExtraPadRig rig;
  rig.begin();
  rig.push(0);
  fail_unless(rig.says(" stream-start caps segment tag 0"));
  gst_pad_send_event(rig.sink, gst_event_new_flush_start());
  fail_unless_equals_int(rig.push(1), GST_FLOW_NOT_LINKED);
  gst_pad_send_event(rig.sink, gst_event_new_flush_stop(TRUE));
  fail_unless_equals_int(rig.push(2), GST_FLOW_OK);
  const char* again = " flush-start flush-stop stream-start caps segment tag 2";
  fail_unless(await([&] { return rig.log().ends_with(again); }), "%s", rig.log().c_str());
}

// The same while the sink has not yet returned from a buffer.
CHECK_TEST(test_peer_was_flushed_meanwhile) {
  ExtraPadRig rig;
  rig.begin();
  rig.deaf = true;
  rig.close();
  rig.push(0);
  fail_unless(rig.holds());
  gst_pad_send_event(rig.sink, gst_event_new_flush_start());
  fail_unless_equals_int(rig.push(1), GST_FLOW_NOT_LINKED);
  rig.open();
  gst_pad_send_event(rig.sink, gst_event_new_flush_stop(TRUE));
  g_usleep(5000);  // until the pad's thread has the answer
  fail_unless_equals_int(rig.push(2), GST_FLOW_OK);
  const char* again = " flush-start flush-stop stream-start caps segment tag 2";
  fail_unless(await([&] { return rig.log().ends_with(again); }), "%s", rig.log().c_str());
}

// The thread that pushes buffers sends the allocation query, and only when needed.
CHECK_TEST(test_negotiation) {
  ExtraPadRig rig(GST_TYPE_RDP_PICTURE_PAD);
  rig.begin();
  auto* pictures = GST_RDP_PICTURE_PAD(rig.pad);
  for (unsigned number = 0; number < 5; ++number) {
    if (number == 3) gst_pad_mark_reconfigure(GST_PAD(rig.pad));
    if (number == 4) gst_rdp_extra_pad_renew_pool(rig.pad);
    gboolean gap;
    fail_unless(gst_rdp_picture_pad_wants(pictures, GST_CLOCK_TIME_NONE, &gap));
    GstFlowReturn flow;
    GstBuffer* picture = gst_rdp_extra_pad_acquire(rig.pad, &flow);
    fail_unless(picture != nullptr);
    fail_unless_equals_int(GST_VIDEO_INFO_WIDTH(gst_rdp_picture_pad_get_info(pictures)), 8);
    fail_unless_equals_uint64(gst_buffer_get_size(picture), 8 * 4 * 4);
    GST_BUFFER_PTS(picture) = number * GST_SECOND / 30;
    fail_unless_equals_int(gst_rdp_extra_pad_push(rig.pad, picture), GST_FLOW_OK);
  }
  fail_unless(rig.says(" stream-start caps segment tag 0 1 2 3 4"), "%s", rig.log().c_str());
  fail_unless_equals_int(rig.allocation_queries, 3);
  fail_unless(rig.queried_by == rig.pushed_by && rig.queried_by != g_thread_self());
  // The possible caps: RGBA of this size in either memory.
  g_autoptr(GstCaps) caps = gst_pad_query_caps(GST_PAD(rig.pad), nullptr);
  fail_unless_equals_int(gst_caps_get_size(caps), 2);
}

// A picture carries the properties of its frame, except those that concern memory.
CHECK_TEST(test_picture_is_described) {
  const frames::Shape shape{GST_VIDEO_FORMAT_GRAY8, 8, 4};
  GstBuffer* frame = frames::make(shape, 1, 3);
  GST_BUFFER_OFFSET(frame) = 3;
  GST_BUFFER_FLAG_SET(frame, GST_BUFFER_FLAG_DISCONT);
  GstCaps* reference = gst_caps_new_empty_simple("timestamp/x-ntp");
  gst_buffer_add_reference_timestamp_meta(frame, reference, 99, GST_CLOCK_TIME_NONE);
  gst_buffer_add_video_meta(frame, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, 8, 4);
  gst_buffer_add_video_crop_meta(frame)->width = 5;
  gst_buffer_add_video_region_of_interest_meta(frame, "car", 1, 1, 2, 2);
  GstBuffer* parent = gst_buffer_new();
  gst_buffer_add_parent_buffer_meta(frame, parent);
  GstRdpSegmentationInfo info = {};
  info.width = 8;
  info.height = 4;
  info.column_width = 1;
  info.epsilon = info.sample_scale = info.inverse_scale = 1;
  info.max_value = 255;
  const guint32 offsets[9] = {};
  GstRdpSegmentation* segmentation = gst_rdp_segmentation_new(&info, offsets, 9, nullptr, 0);
  fail_unless(segmentation != nullptr);
  gst_buffer_add_rdp_segment_meta(frame, segmentation);
  gst_rdp_segmentation_unref(segmentation);
  GstBuffer* picture = gst_buffer_new_allocate(nullptr, 8 * 4 * 4, nullptr);
  rdp::gst::describe_picture(picture, frame);
  fail_unless_equals_uint64(GST_BUFFER_PTS(picture), GST_BUFFER_PTS(frame));
  fail_unless_equals_uint64(GST_BUFFER_DURATION(picture), GST_BUFFER_DURATION(frame));
  fail_unless_equals_uint64(GST_BUFFER_OFFSET(picture), 3);
  fail_unless(GST_BUFFER_FLAG_IS_SET(picture, GST_BUFFER_FLAG_DISCONT));
  const GstReferenceTimestampMeta* copy =
      gst_buffer_get_reference_timestamp_meta(picture, reference);
  fail_unless(copy != nullptr && copy->timestamp == 99);
  fail_unless(gst_buffer_get_video_region_of_interest_meta_id(picture, 0) != nullptr);
  fail_unless(gst_buffer_get_video_meta(picture) == nullptr);
  fail_unless(gst_buffer_get_video_crop_meta(picture) == nullptr);
  fail_unless(gst_buffer_get_parent_buffer_meta(picture) == nullptr);
  fail_unless(gst_buffer_get_rdp_segment_meta(picture) == nullptr);
  gst_caps_unref(reference);
  for (GstBuffer* buffer : {frame, picture, parent}) gst_buffer_unref(buffer);
}

CHECK_TEST(test_seek_filter) {
  rdp::gst::SeekFilter seeks;
  const auto new_seek = [] {
    return gst_event_new_seek(1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, 0,
                              GST_SEEK_TYPE_NONE, 0);
  };
  g_autoptr(GstEvent) first = new_seek();
  g_autoptr(GstEvent) second = new_seek();
  GstPad* pads[3] = {};
  for (GstPad*& pad : pads) pad = gst_pad_new(nullptr, GST_PAD_SRC);
  fail_unless(seeks.passes(pads[0], first));
  fail_if(seeks.passes(pads[1], first));
  fail_if(seeks.passes(pads[2], first));
  // From the same pad again it is a new seek, for all pads.
  fail_unless(seeks.passes(pads[1], first));
  fail_if(seeks.passes(pads[0], first));
  fail_unless(seeks.passes(pads[0], second));
  seeks.failed(second);
  fail_unless(seeks.passes(pads[1], second));
  // A released pad is forgotten.
  seeks.released(pads[1]);
  fail_if(seeks.passes(pads[1], second));
  seeks.failed(first);
  fail_unless(seeks.passes(pads[1], second));
  for (GstPad* pad : pads) gst_object_unref(pad);
}

CHECK_CASE(extra_pad, .seconds = 30)
