// SPDX-License-Identifier: LGPL-2.1-or-later
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/lost_arrays.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/rdpsegment/rdpsegment.h>
#include <gst/video/video.h>

#include "tests/rdpmetaconvert/convert_rig.h"
#include "tests/support/frames.h"
#include "tests/support/segmentation_fixture.h"
#include "tests/support/unmappable_memory.h"

using namespace convert_rig;

static GstHarness* new_harness(const char* caps = "video/x-raw,format=GRAY8,width=3,height=10") {
  GstHarness* harness = gst_harness_new("rdpmetaconvert");
  gst_harness_set_src_caps_str(harness, caps);
  return harness;
}

static std::string convert(GstRdpSegmentation* segmentation, GstClockTime pts = 0) {
  return convert_rig::convert("", new_frame(segmentation, pts),
                              "video/x-raw,format=GRAY8,width=3,height=10");
}

CHECK_TEST(test_text) {
  check_text(
      convert(new_three_columns()),
      "{\"frame\":0,\"pts\":0,\"width\":3,\"height\":10,\"epsilon\":4.0,\"sample-scale\":1.0,"
      "\"domain\":\"linear\",\"column-width\":1,"
      "\"columns\":[[[0,4,10,20],[4,9,20,7]],[],[[3,3,65535,65535]]]}\n");
}

CHECK_TEST(test_text_parameters) {
  GstRdpSegmentationInfo info = info_of(5, 16384);
  info.frame = G_MAXUINT64;
  info.epsilon = 0.1;
  info.sample_scale = 1.0 / 256;
  info.domain = GST_RDP_DOMAIN_INVERSE;
  info.inverse_scale = 123456.5;
  info.median = GST_RDP_MEDIAN_3X3;
  info.column_width = 4;
  check_text(
      convert(new_segmentation(info, {{}, {{16382, 16383, 1, 2}}}), G_MAXUINT64 - 1),
      "{\"frame\":18446744073709551615,\"pts\":18446744073709551614,\"width\":5,\"height\":16384,"
      "\"epsilon\":0.1,\"sample-scale\":0.00390625,\"domain\":\"inverse\",\"column-width\":4,"
      "\"columns\":[[],[[16382,16383,1,2]]],\"inverse-scale\":123456.5}\n");
}

// File names are arbitrary bytes; the output is one line of UTF-8.
CHECK_TEST(test_file_names) {
  const struct {
    const char* name;  // null: no file name
    const char* text;
  } cases[] = {{"depth 7.png", "\"depth 7.png\""},
               {"a\"b\\c\n\x1f/\x7f", "\"a\\\"b\\\\c\\u000a\\u001f/\x7f\""},
               {"\xc3\xa4.png", "\"\xc3\xa4.png\""},
               {"\xe4.png", "\"\xef\xbf\xbd.png\""},
               {nullptr, "null"}};
  g_autoptr(GstHarness) harness = new_harness();
  for (const bool names : {true, false}) {
    g_object_set(harness->element, "file-names", names, nullptr);
    for (const auto& c : cases) {
      GstBuffer* frame = new_frame(new_three_columns(), 5);
      if (c.name != nullptr) gst_buffer_add_rdp_file_meta(frame, c.name);
      const std::string text = text_of(gst_harness_push_and_pull(harness, frame));
      const std::string start = "{\"frame\":0,\"pts\":5," +
                                (names ? "\"file\":" + std::string(c.text) + "," : "") +
                                "\"width\":3,";
      check_text(text.substr(0, start.size()), start);
    }
  }
}

CHECK_TEST(test_text_of_classes) {
  GstRdpSegmentationInfo info = info_of(2, 100);
  info.classify = TRUE;
  info.sample_scale = 0.5;
  info.ground_slope = 0.25;
  const std::string head =
      "{\"frame\":0,\"pts\":0,\"width\":2,\"height\":100,\"epsilon\":4.0,\"sample-scale\":0.5,"
      "\"domain\":\"linear\",\"column-width\":1,\"columns\":";
  check_text(convert(new_segmentation(info, {{{0, 50, 40, 40}, {51, 99, 25.5F, 49.5F}}, {}})),
             head +
                 "[[[0,50,40,40],[51,99,25.5,49.5]],[]],\"ground-slope\":0.25,\"horizon\":0.5,"
                 "\"classes\":[[2,1],[]]}\n");
  // No horizon: no segment of column 0 is as steep as the ground, and column 1 has no segments.
  check_text(convert(new_segmentation(info, {{{0, 50, 40, 40}}, {}})),
             head +
                 "[[[0,50,40,40]],[]],\"ground-slope\":0.25,\"horizon\":null,"
                 "\"classes\":[[2],[]]}\n");
  info.ground_slope = 0;
  // A ground plane is written as its numbers, in steps, and as its line at the middle column.
  info.ground_offset = -(G_GINT64_CONSTANT(1) << 31);
  info.ground_per_column = G_GINT64_CONSTANT(1) << 32;
  info.ground_per_row = G_GINT64_CONSTANT(1) << 31;
  check_text(convert(new_segmentation(info, {{{0, 50, 40, 40}}, {}})),
             head +
                 "[[[0,50,40,40]],[]],\"ground-slope\":0.25,\"horizon\":0.0,"
                 "\"ground-plane\":[-0.5,1.0,0.5],\"classes\":[[2],[]]}\n");
  info.ground_offset = info.ground_per_column = info.ground_per_row = 0;
  check_text(convert(new_segmentation(info, {{}, {}})),
             head + "[[],[]],\"ground-slope\":null,\"horizon\":null,\"classes\":[[],[]]}\n");
}

// A batch gives one line per frame.
CHECK_TEST(test_text_of_a_batch) {
  GstRdpSegmentationInfo info = info_of(1, 4);
  info.domain = GST_RDP_DOMAIN_INVERSE;
  GstBuffer* frame = new_frame(new_segmentation(info, {{{0, 3, 1, 2}}}), 7);
  for (guint index = 1; index < 3; ++index) {
    g_autoptr(GstRdpSegmentation) segmentation = new_segmentation(info, {{{1, 2, 5, 6}}});
    gst_buffer_add_rdp_segment_meta(frame, segmentation)->batch_index = index;
  }
  GstHarness* harness = new_harness();
  const std::string text = text_of(gst_harness_push_and_pull(harness, frame));
  gst_harness_teardown(harness);
  const std::string head =
      "{\"frame\":0,\"pts\":7,\"width\":1,\"height\":4,\"epsilon\":4.0,\"sample-scale\":1.0,"
      "\"domain\":\"inverse\",\"column-width\":1,\"columns\":";
  const std::string tail = ",\"inverse-scale\":1e+06,\"batch-index\":";
  check_text(text, head + "[[[0,3,1,2]]]" + tail + "0}\n" + head + "[[[1,2,5,6]]]" + tail + "1}\n" +
                       head + "[[[1,2,5,6]]]" + tail + "2}\n");
}

// Empty metas, which pools leave on their buffers, make no batch.
CHECK_TEST(test_text_beside_empty_metadata) {
  const std::string expected = convert(new_three_columns());
  GstBuffer* frame = new_frame(nullptr);
  gst_buffer_add_meta(frame, GST_RDP_SEGMENT_META_INFO, nullptr);
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  gst_buffer_add_rdp_segment_meta(frame, segmentation);
  gst_buffer_add_meta(frame, GST_RDP_SEGMENT_META_INFO, nullptr);
  g_autoptr(GstHarness) harness = new_harness();
  check_text(text_of(gst_harness_push_and_pull(harness, frame)), expected);
}

// The number after `key` in the output for these parameters.
static std::string written(double epsilon, double inverse_scale, const char* key) {
  GstRdpSegmentationInfo info = info_of(1, 1);
  info.epsilon = epsilon;
  info.domain = GST_RDP_DOMAIN_INVERSE;
  info.inverse_scale = inverse_scale;
  const std::string text = convert(new_segmentation(info, {{}}));
  const std::size_t start = text.find(key) + std::strlen(key);
  return text.substr(start, text.find_first_of(",}", start) - start);
}

CHECK_TEST(test_text_doubles) {
  const auto epsilon = [](double value) { return written(value, 1, "\"epsilon\":"); };
  check_text(epsilon(0), "0.0");
  check_text(epsilon(8), "8.0");
  check_text(epsilon(12345), "12345.0");
  check_text(epsilon(1.0 / 3), "0.3333333333333333");
  check_text(epsilon(1e6), "1e+06");
  check_text(epsilon(1e-7), "1e-07");
  check_text(epsilon(2.2250738585072014e-308), "2.2250738585072014e-308");
  const auto scale = [](double value) { return written(1, value, "\"inverse-scale\":"); };
  check_text(scale(1000), "1000.0");
  check_text(scale(1.7976931348623157e308), "1.7976931348623157e+308");
}

static std::string written_values(float first, float last) {
  const std::string text = convert(new_segmentation(info_of(1, 2), {{{0, 1, first, last}}}));
  const std::size_t start = text.find("[[[0,1,") + 7;
  return text.substr(start, text.find(']') - start);
}

CHECK_TEST(test_text_values) {
  check_text(written_values(0, 65535), "0,65535");
  check_text(written_values(9999, 10000), "9999,10000");
  check_text(written_values(60000, 50000), "60000,50000");
  check_text(written_values(0.5F, 65535.5F), "0.5,65535.5");
  check_text(written_values(0.1F, 1e-30F), "0.1,1e-30");
  check_text(written_values(-1.17549435e-38F, 3.40282347e+38F), "-1.1754944e-38,3.4028235e+38");
  check_text(written_values(65536, -3), "65536,-3");
}

CHECK_TEST(test_text_without_pts) {
  const std::string text = convert(new_three_columns(), GST_CLOCK_TIME_NONE);
  fail_unless(text.find("{\"frame\":0,\"pts\":null,\"width\":3,") == 0, "%s", text.c_str());
}

// Every frame has its own line, also a short one after a long one.
CHECK_TEST(test_frames) {
  g_autoptr(GstHarness) harness = new_harness();
  std::vector<std::string> expected;
  for (guint64 frame = 0; frame < 20; ++frame) {
    const guint height = frame % 3 == 0 ? 10000 : 10;
    GstRdpSegmentationInfo info = info_of(1, height);
    info.frame = 100 + frame;
    std::vector<GstRdpSegment> column;
    std::string columns;
    for (guint16 row = 0; row + 1U < height; ++row) {
      const guint16 next = row + 1;
      column.push_back({row, next, static_cast<float>(row * 3 % 1000), 5});
      columns += (row > 0 ? ",[" : "[") + std::to_string(row) + "," + std::to_string(next) + "," +
                 std::to_string(row * 3 % 1000) + ",5]";
    }
    expected.push_back("{\"frame\":" + std::to_string(100 + frame) +
                       ",\"pts\":" + std::to_string(frame * GST_SECOND) +
                       ",\"width\":1,\"height\":" + std::to_string(height) +
                       ",\"epsilon\":4.0,\"sample-scale\":1.0,\"domain\":\"linear\","
                       "\"column-width\":1,\"columns\":[[" +
                       columns + "]]}\n");
    fail_unless_equals_int(
        gst_harness_push(harness, new_frame(new_segmentation(info, {column}), frame * GST_SECOND)),
        GST_FLOW_OK);
  }
  for (const std::string& line : expected) check_text(text_of(gst_harness_pull(harness)), line);
}

CHECK_TEST(test_caps) {
  g_autoptr(GstHarness) harness = new_harness();
  text_of(gst_harness_push_and_pull(harness, new_frame(new_three_columns())));
  GstCaps* caps = gst_pad_get_current_caps(harness->sinkpad);
  g_autoptr(GstCaps) expected = gst_caps_from_string("application/x-json");
  fail_unless(gst_caps_is_strictly_equal(caps, expected));
  gst_caps_unref(caps);

  caps = gst_pad_peer_query_caps(harness->sinkpad, nullptr);
  fail_unless(gst_caps_is_strictly_equal(caps, expected));
  gst_caps_unref(caps);
}

// All carriers of segments: every format, every memory, no pixels at all.
CHECK_TEST(test_every_format) {
  guint n_formats = 0;
  const GstVideoFormat* formats = gst_video_formats_raw(&n_formats);
  fail_unless(n_formats > 20);
  for (guint i = 0; i < n_formats; ++i) {
    for (const char* feature : {"", "(memory:CUDAMemory)", "(memory:NVMM)", "(memory:GLMemory)"}) {
      const std::string caps = std::string("video/x-raw") + feature +
                               ",format=" + gst_video_format_to_string(formats[i]) +
                               ",width=3,height=10";
      g_autoptr(GstHarness) harness = new_harness(caps.c_str());
      GstBuffer* frame = gst_buffer_new();
      GstRdpSegmentation* segmentation = new_three_columns();
      gst_buffer_add_rdp_segment_meta(frame, segmentation);
      gst_rdp_segmentation_unref(segmentation);
      fail_unless_equals_int(gst_harness_push(harness, frame), GST_FLOW_OK);
      const std::string text = text_of(gst_harness_pull(harness));
      fail_unless(text.find("\"width\":3") != std::string::npos);
    }
  }
}

CHECK_TEST(test_other_caps_refused) {
  g_autoptr(GstHarness) harness = gst_harness_new("rdpmetaconvert");
  for (const char* text : {"audio/x-raw", "application/x-json", "video/x-h264"}) {
    g_autoptr(GstCaps) caps = gst_caps_from_string(text);
    fail_if(gst_pad_peer_query_accept_caps(harness->srcpad, caps), "%s", text);
  }
  GstBus* bus = frames::attach_bus(harness->element);
  gst_harness_push_event(harness, gst_event_new_stream_start("sound"));
  g_autoptr(GstCaps) sound = gst_caps_new_empty_simple("audio/x-raw");
  gst_harness_push_event(harness, gst_event_new_caps(sound));
  frames::check_error(
      bus, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
      "rdpmetaconvert takes video/x-raw in any memory, and application/x-points, "
      "with the segments of rdpsegment or the planes of depthplanes on them; it was "
      "given audio/x-raw. | ");
  frames::detach_bus(harness->element, bus);
}

CHECK_TEST(test_pixels_untouched) {
  g_autoptr(GstHarness) harness = new_harness();
  GstBuffer* frame = gst_buffer_new();
  gst_buffer_append_memory(frame, new_unmappable_memory(30));
  GstMapInfo map;
  fail_if(gst_buffer_map(frame, &map, GST_MAP_READ));
  g_autoptr(GstRdpSegmentation) segmentation = new_three_columns();
  gst_buffer_add_rdp_segment_meta(frame, segmentation);
  GstBuffer* result = gst_harness_push_and_pull(harness, frame);
  fail_unless_equals_int(gst_buffer_n_memory(result), 1);
  text_of(result);
}

CHECK_TEST(test_buffer_metadata) {
  g_autoptr(GstHarness) harness = new_harness();
  GstBuffer* frame = new_frame(new_three_columns(), 5 * GST_SECOND);
  GST_BUFFER_DTS(frame) = 4 * GST_SECOND;
  GST_BUFFER_DURATION(frame) = GST_SECOND / 25;
  GST_BUFFER_FLAG_SET(frame, GST_BUFFER_FLAG_DISCONT);
  GST_BUFFER_FLAG_SET(frame, GST_BUFFER_FLAG_MARKER);
  gst_buffer_add_video_meta(frame, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, 1, 1);
  g_autoptr(GstBuffer) result = gst_harness_push_and_pull(harness, frame);
  fail_unless_equals_uint64(GST_BUFFER_PTS(result), 5 * GST_SECOND);
  fail_unless_equals_uint64(GST_BUFFER_DTS(result), 4 * GST_SECOND);
  fail_unless_equals_uint64(GST_BUFFER_DURATION(result), GST_SECOND / 25);
  fail_unless(GST_BUFFER_FLAG_IS_SET(result, GST_BUFFER_FLAG_DISCONT));
  fail_unless(GST_BUFFER_FLAG_IS_SET(result, GST_BUFFER_FLAG_MARKER));
  // Text output carries no segment metadata.
  fail_unless(gst_buffer_get_rdp_segment_meta(result) == nullptr);
  fail_unless(gst_buffer_get_video_meta(result) == nullptr);
}

// The next event of `type`, and its time.
static GstClockTime pull_event(GstHarness* harness, GstEventType type) {
  while (GstEvent* event = gst_harness_try_pull_event(harness)) {
    GstClockTime time = 0;
    if (GST_EVENT_TYPE(event) == GST_EVENT_GAP) gst_event_parse_gap(event, &time, nullptr);
    const bool found = GST_EVENT_TYPE(event) == type;
    gst_event_unref(event);
    if (found) return time;
  }
  ck_abort_msg("no %s", gst_event_type_get_name(type));
  return GST_CLOCK_TIME_NONE;
}

CHECK_TEST(test_events) {
  g_autoptr(GstHarness) harness = new_harness();
  text_of(gst_harness_push_and_pull(harness, new_frame(new_three_columns())));
  pull_event(harness, GST_EVENT_SEGMENT);
  fail_unless(gst_harness_push_event(harness, gst_event_new_gap(GST_SECOND, GST_SECOND)));
  fail_unless_equals_uint64(pull_event(harness, GST_EVENT_GAP), GST_SECOND);

  fail_unless(gst_harness_push_event(harness, gst_event_new_flush_start()));
  pull_event(harness, GST_EVENT_FLUSH_START);
  fail_unless_equals_int(gst_harness_push(harness, new_frame(new_three_columns())),
                         GST_FLOW_FLUSHING);
  fail_unless(gst_harness_push_event(harness, gst_event_new_flush_stop(TRUE)));
  pull_event(harness, GST_EVENT_FLUSH_STOP);
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  fail_unless(gst_harness_push_event(harness, gst_event_new_segment(&segment)));
  text_of(gst_harness_push_and_pull(harness, new_frame(new_three_columns())));

  fail_unless(gst_harness_push_event(harness, gst_event_new_eos()));
  pull_event(harness, GST_EVENT_EOS);
  fail_unless_equals_int(gst_harness_push(harness, new_frame(new_three_columns())), GST_FLOW_EOS);
}

CHECK_TEST(test_renegotiation) {
  g_autoptr(GstHarness) harness = new_harness();
  text_of(gst_harness_push_and_pull(harness, new_frame(new_three_columns(1))));
  gst_harness_set_src_caps_str(harness,
                               "video/x-raw(memory:CUDAMemory),format=GRAY16_LE,width=33,height=4");
  GstRdpSegmentationInfo info = info_of(33, 4);
  info.frame = 2;
  const std::string text =
      text_of(gst_harness_push_and_pull(harness, new_frame(new_segmentation(info, Columns(33)))));
  fail_unless(text.find("{\"frame\":2,\"pts\":0,\"width\":33,\"height\":4,") == 0);
}

CHECK_TEST(test_start_again) {
  g_autoptr(GstHarness) harness = new_harness();
  for (int i = 0; i < 3; ++i) {
    text_of(gst_harness_push_and_pull(harness, new_frame(new_three_columns())));
    fail_unless_equals_int(gst_element_set_state(harness->element, GST_STATE_NULL),
                           GST_STATE_CHANGE_SUCCESS);
    gst_harness_play(harness);
    gst_harness_set_src_caps_str(harness, "video/x-raw,format=GRAY8,width=3,height=10");
  }
}

CHECK_TEST(test_queries) {
  g_autoptr(GstHarness) harness = new_harness();
  GstCaps* caps = gst_pad_get_current_caps(harness->srcpad);
  GstQuery* query = gst_query_new_allocation(caps, TRUE);
  fail_unless(gst_pad_peer_query(harness->srcpad, query));
  fail_unless(gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr));
  fail_unless_equals_int(gst_query_get_n_allocation_pools(query), 0);
  gst_query_unref(query);
  gst_caps_unref(caps);

  gst_harness_set_upstream_latency(harness, 7 * GST_MSECOND);
  gst_harness_set_live(harness, TRUE);
  fail_unless_equals_uint64(gst_harness_query_latency(harness), 7 * GST_MSECOND);
}

// Checks the next error on the bus: `text` in its message, `details` in its debug text.
static void check_error(GstBus* bus, GQuark domain, int code, const char* text,
                        const char* details) {
  const auto error = rdp::test::next_text(bus, GST_MESSAGE_ERROR);
  fail_unless(error.is(domain, code), "%s", error.text.c_str());
  rdp::test::check_has(error.text, text);
  rdp::test::check_has(error.debug, details);
}

CHECK_TEST(test_missing) {
  g_autoptr(GstHarness) harness = new_harness();
  g_autoptr(GstBus) bus = gst_bus_new();
  gst_element_set_bus(harness->element, bus);
  fail_unless_equals_int(gst_harness_push(harness, new_frame(nullptr)), GST_FLOW_ERROR);
  check_error(bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "rdpsegment", "skip-missing");
  fail_unless(gst_harness_try_pull(harness) == nullptr);
  gst_element_set_bus(harness->element, nullptr);
}

// Segments lost in a GPU failure are an error, not an empty frame, with or without skip-missing; in
// a batch, any lost frame is enough.
CHECK_TEST(test_lost_segments) {
  for (const bool skip : {false, true}) {
    for (const bool of_batch : {false, true}) {
      g_autoptr(GstHarness) harness = new_harness();
      g_object_set(harness->element, "skip-missing", static_cast<gboolean>(skip), nullptr);
      g_autoptr(GstBus) bus = gst_bus_new();
      gst_element_set_bus(harness->element, bus);
      rdp::gst::SegmentationPool pool;
      rdp::gst::SegmentationDraft draft = pool.acquire();
      GstRdpSegmentationInfo info = info_of(3, 10);
      info.frame = 17;
      LostArrays::put_into(&draft, 3, "the card has left the slot");
      GstRdpSegmentation* lost = draft.finish(info);
      GstBuffer* frame = new_frame(of_batch ? new_three_columns(16) : nullptr);
      gst_buffer_add_rdp_segment_meta(frame, lost)->batch_index = of_batch ? 1 : 0;
      gst_rdp_segmentation_unref(lost);
      fail_unless_equals_int(gst_harness_push(harness, frame), GST_FLOW_ERROR);
      fail_unless(gst_harness_try_pull(harness) == nullptr);

      check_error(bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ, "GPU",
                  "frame 17 are lost: the card has left the slot");
      fail_unless(gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR) == nullptr);

      // The element continues with the next frame.
      text_of(gst_harness_push_and_pull(harness, new_frame(new_three_columns(18))));
      gst_element_set_bus(harness->element, nullptr);
    }
  }
}

CHECK_TEST(test_skip_missing) {
  g_autoptr(GstHarness) harness = new_harness();
  g_autoptr(GstBus) bus = gst_bus_new();
  gst_element_set_bus(harness->element, bus);
  gboolean skip = TRUE;
  g_object_get(harness->element, "skip-missing", &skip, nullptr);
  fail_if(skip);
  g_object_set(harness->element, "skip-missing", TRUE, nullptr);
  g_object_get(harness->element, "skip-missing", &skip, nullptr);
  fail_unless(skip);

  text_of(gst_harness_push_and_pull(harness, new_frame(new_three_columns(0))));
  fail_unless_equals_int(gst_harness_push(harness, new_frame(nullptr)), GST_FLOW_OK);
  fail_unless(gst_harness_try_pull(harness) == nullptr);
  fail_unless(gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR) == nullptr);
  GstBuffer* result = gst_harness_push_and_pull(harness, new_frame(new_three_columns(2)));
  fail_unless(GST_BUFFER_FLAG_IS_SET(result, GST_BUFFER_FLAG_DISCONT));
  fail_unless(text_of(result).find("{\"frame\":2,") == 0);

  // The property takes effect with the next frame.
  g_object_set(harness->element, "skip-missing", FALSE, nullptr);
  fail_unless_equals_int(gst_harness_push(harness, new_frame(nullptr)), GST_FLOW_ERROR);
  gst_element_set_bus(harness->element, nullptr);
}

// Every kind of metadata is registered, because a buffer from another process may need it first.
CHECK_TEST(test_kinds_known) {
  g_autoptr(GstHarness) harness = new_harness();
  for (const char* kind : {"Segment", "Planes", "Tracks", "Motion", "Heights", "Camera"}) {
    g_autofree gchar* name = g_strdup_printf("GstRdp%sMeta", kind);
    fail_unless(gst_meta_get_info(name) != nullptr, "%s is not known", name);
  }
}

CHECK_CASE(rdpmetaconvert)
