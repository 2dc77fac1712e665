// SPDX-License-Identifier: LGPL-2.1-or-later
// depthtestsrc: its frames are those of common/test_pattern.h, at the right time and place.
#include <cstring>
#include <string>
#include <vector>

#include "common/test_pattern.h"

// After the standard library: check.h defines a macro named fail.
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/check/gsttestclock.h>
#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>
#include <gst/video/video.h>

namespace {

using Options = rdp::TestPatternOptions;

std::string caps_of(const char* format, int width, int height, const char* framerate = "30/1") {
  return std::string("video/x-raw,format=") + format + ",width=" + std::to_string(width) +
         ",height=" + std::to_string(height) + ",framerate=" + framerate;
}

// The samples of `buffer` are those of this frame number and these options.
void check_frame(GstBuffer* buffer, GstCaps* caps, guint64 number, const Options& options) {
  GstVideoInfo info;
  fail_unless(gst_video_info_from_caps(&info, caps));
  GstVideoFrame frame;
  fail_unless(gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ));
  const bool bytes = GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_GRAY8;
  const int width = GST_VIDEO_INFO_WIDTH(&info);
  const int height = GST_VIDEO_INFO_HEIGHT(&info);
  const std::ptrdiff_t stride = width * (bytes ? 1 : 2);
  std::vector<std::byte> samples(static_cast<std::size_t>(stride * height));
  rdp::TestPatternRenderer().draw(number, options,
                                  {samples.data(), stride, width, height,
                                   bytes ? rdp::SampleType::kU8 : rdp::SampleType::kU16});
  for (int row = 0; row < height; ++row) {
    const auto* data = static_cast<const std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)) +
                       row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0);
    fail_unless(std::memcmp(data, samples.data() + row * stride, static_cast<gsize>(stride)) == 0,
                "row %d of frame %" G_GUINT64_FORMAT " differs", row, number);
  }
  gst_video_frame_unmap(&frame);
}

// A harness whose source makes `buffers` frames of these caps, not playing yet.
GstHarness* harness_for(const std::string& caps, int buffers) {
  GstHarness* harness = gst_harness_new("depthtestsrc");
  g_object_set(harness->element, "num-buffers", buffers, nullptr);
  gst_harness_set_sink_caps_str(harness, caps.c_str());
  return harness;
}

GstCaps* current_caps(GstHarness* harness) { return gst_pad_get_current_caps(harness->sinkpad); }

void wait_for_eos(GstHarness* harness) {
  for (;;) {
    GstEvent* event = gst_harness_pull_event(harness);
    fail_unless(event != nullptr, "no EOS");
    const GstEventType type = GST_EVENT_TYPE(event);
    gst_event_unref(event);
    if (type == GST_EVENT_EOS) return;
  }
}

}  // namespace

GST_START_TEST(test_frames_of_every_kind) {
  for (const char* format : {"GRAY16_LE", "GRAY8"}) {
    for (auto [width, height] : {std::pair{1, 1}, {2, 3}, {641, 5}, {3, 479}, {320, 240}}) {
      for (int pattern = 0; pattern <= static_cast<int>(rdp::TestPattern::kUnknown); ++pattern) {
        for (int domain = 0; domain <= 1; ++domain) {
          GstHarness* harness = harness_for(caps_of(format, width, height), 2);
          Options options;
          options.pattern = static_cast<rdp::TestPattern>(pattern);
          options.domain = static_cast<rdp::TestDomain>(domain);
          options.seed = 4000000000U;
          options.noise = 0.75;
          options.unknown_ratio = 0.125;
          g_object_set(harness->element, "pattern", pattern, "domain", domain, "seed", options.seed,
                       "noise", options.noise, "unknown-ratio", options.unknown_ratio, nullptr);
          gst_harness_play(harness);
          for (guint64 number = 0; number < 2; ++number) {
            GstBuffer* buffer = gst_harness_pull(harness);
            fail_unless(buffer != nullptr);
            GstCaps* caps = current_caps(harness);
            check_frame(buffer, caps, number, options);
            gst_caps_unref(caps);
            gst_buffer_unref(buffer);
          }
          gst_harness_teardown(harness);
        }
      }
    }
  }
}
GST_END_TEST

GST_START_TEST(test_defaults) {
  GstHarness* harness = harness_for("video/x-raw", 1);
  gst_harness_play(harness);
  GstBuffer* buffer = gst_harness_pull(harness);
  GstCaps* caps = current_caps(harness);
  GstCaps* expected = gst_caps_from_string(
      "video/x-raw,format=GRAY16_LE,width=1242,height=376,framerate=30/1,pixel-aspect-ratio=1/1,"
      "interlace-mode=progressive");
  fail_unless(gst_caps_is_subset(caps, expected), "%s", gst_caps_to_string(caps));
  gst_caps_unref(expected);
  check_frame(buffer, caps, 0, Options{});
  gst_caps_unref(caps);
  gst_buffer_unref(buffer);
  gst_harness_teardown(harness);
}
GST_END_TEST

GST_START_TEST(test_fixation_keeps_within_what_downstream_takes) {
  GstHarness* harness = harness_for(
      "video/x-raw,format=GRAY8,width=[1,640],height=[700,800],framerate=[1/1,15/1]", 1);
  gst_harness_play(harness);
  gst_buffer_unref(gst_harness_pull(harness));
  GstCaps* caps = current_caps(harness);
  GstCaps* expected =
      gst_caps_from_string("video/x-raw,format=GRAY8,width=640,height=700,framerate=15/1");
  fail_unless(gst_caps_is_subset(caps, expected));
  gst_caps_unref(expected);
  gst_caps_unref(caps);
  gst_harness_teardown(harness);
}
GST_END_TEST

// Runs a launch line until its end, an error or a while; returns the kind of the last message.
static GstMessageType run(const char* description) {
  GstElement* pipeline = gst_parse_launch(description, nullptr);
  fail_unless(pipeline != nullptr);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  GstBus* bus = gst_element_get_bus(pipeline);
  GstMessage* message = gst_bus_timed_pop_filtered(
      bus, 20 * GST_SECOND, static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR));
  fail_unless(message != nullptr, "%s came to no end", description);
  const GstMessageType type = GST_MESSAGE_TYPE(message);
  gst_message_unref(message);
  gst_object_unref(bus);
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(pipeline);
  return type;
}

GST_START_TEST(test_other_caps_are_refused) {
  for (const char* caps :
       {"video/x-raw,format=I420", "video/x-raw,format=GRAY16_BE", "video/x-raw,width=16385",
        "video/x-raw,format=GRAY8,height=20000", "audio/x-raw"}) {
    const std::string line =
        std::string("depthtestsrc num-buffers=1 ! capsfilter caps=") + caps + " ! fakesink";
    GstElement* pipeline = gst_parse_launch(line.c_str(), nullptr);
    if (pipeline == nullptr) continue;  // refused when linked
    gst_object_unref(pipeline);
    fail_unless_equals_int(run(line.c_str()), GST_MESSAGE_ERROR);
  }
}
GST_END_TEST

GST_START_TEST(test_timestamps) {
  struct Rate {
    const char* text;
    guint64 n, d;
  };
  for (const Rate& rate : {Rate{"30/1", 30, 1},
                           {"30000/1001", 30000, 1001},
                           {"1/7", 1, 7},
                           {"2147483647/1", 2147483647, 1}}) {
    GstHarness* harness = harness_for(caps_of("GRAY8", 8, 4, rate.text), 100);
    gst_harness_play(harness);
    GstClockTime next = 0;
    for (guint64 number = 0; number < 100; ++number) {
      GstBuffer* buffer = gst_harness_pull(harness);
      const GstClockTime exact = gst_util_uint64_scale(number, rate.d * GST_SECOND, rate.n);
      fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), exact);
      // Each frame lasts until the next: no gaps however long it goes on.
      fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), next);
      next = GST_BUFFER_PTS(buffer) + GST_BUFFER_DURATION(buffer);
      fail_if(GST_BUFFER_DTS_IS_VALID(buffer));
      fail_unless_equals_uint64(GST_BUFFER_OFFSET(buffer), number);
      fail_unless_equals_uint64(GST_BUFFER_OFFSET_END(buffer), number + 1);
      fail_unless_equals_int(GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_DISCONT), number == 0);
      gst_buffer_unref(buffer);
    }
    wait_for_eos(harness);
    fail_unless(gst_harness_try_pull(harness) == nullptr);
    gst_harness_teardown(harness);
  }
}
GST_END_TEST

GST_START_TEST(test_timestamp_offset) {
  GstHarness* harness = harness_for(caps_of("GRAY8", 8, 4, "10/1"), 2);
  g_object_set(harness->element, "timestamp-offset", G_GINT64_CONSTANT(5000000000), nullptr);
  gst_harness_play(harness);
  for (guint64 number = 0; number < 2; ++number) {
    GstBuffer* buffer = gst_harness_pull(harness);
    fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), 5 * GST_SECOND + number * GST_SECOND / 10);
    gst_buffer_unref(buffer);
  }
  gst_harness_teardown(harness);
}
GST_END_TEST

GST_START_TEST(test_without_a_rate_there_is_one_picture) {
  GstHarness* harness = harness_for(caps_of("GRAY16_LE", 33, 22, "0/1"), -1);
  gst_harness_play(harness);
  GstBuffer* buffer = gst_harness_pull(harness);
  fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), 0);
  fail_if(GST_BUFFER_DURATION_IS_VALID(buffer));
  GstCaps* caps = current_caps(harness);
  check_frame(buffer, caps, 0, Options{});
  gst_caps_unref(caps);
  gst_buffer_unref(buffer);
  wait_for_eos(harness);
  gst_harness_teardown(harness);
}
GST_END_TEST

GST_START_TEST(test_properties_change_with_the_next_frame) {
  GstHarness* harness = harness_for(caps_of("GRAY16_LE", 60, 40), -1);
  gst_harness_set_blocking_push_mode(harness);
  gst_harness_play(harness);
  Options options;
  guint64 number = 0;
  // The source waits with one frame that it drew before the change.
  const auto skip_and_check = [&] {
    gst_buffer_unref(gst_harness_pull(harness));
    ++number;
    gst_buffer_unref(gst_harness_pull(harness));
    ++number;
    GstBuffer* buffer = gst_harness_pull(harness);
    GstCaps* caps = current_caps(harness);
    check_frame(buffer, caps, number++, options);
    gst_caps_unref(caps);
    gst_buffer_unref(buffer);
  };
  skip_and_check();
  g_object_set(harness->element, "seed", 3, nullptr);
  options.seed = 3;
  skip_and_check();
  gst_util_set_object_arg(G_OBJECT(harness->element), "pattern", "ramp");
  options.pattern = rdp::TestPattern::kRamp;
  skip_and_check();
  gst_util_set_object_arg(G_OBJECT(harness->element), "domain", "depth");
  options.domain = rdp::TestDomain::kDepth;
  skip_and_check();
  g_object_set(harness->element, "noise", 2.5, "unknown-ratio", 0.5, nullptr);
  options.noise = 2.5;
  options.unknown_ratio = 0.5;
  skip_and_check();

  gint pattern, domain;
  guint seed;
  gdouble noise, ratio;
  g_object_get(harness->element, "pattern", &pattern, "domain", &domain, "seed", &seed, "noise",
               &noise, "unknown-ratio", &ratio, nullptr);
  fail_unless_equals_int(pattern, static_cast<gint>(rdp::TestPattern::kRamp));
  fail_unless_equals_int(domain, static_cast<gint>(rdp::TestDomain::kDepth));
  fail_unless_equals_int(seed, 3);
  fail_unless_equals_float(noise, 2.5);
  fail_unless_equals_float(ratio, 0.5);
  gst_harness_teardown(harness);
}
GST_END_TEST

// Noise under a controller: each frame has the value of its own time.
GST_START_TEST(test_controlled_noise) {
  GstHarness* harness = harness_for(caps_of("GRAY16_LE", 60, 40, "10/1"), 5);
  GstControlSource* source = gst_interpolation_control_source_new();
  g_object_set(source, "mode", GST_INTERPOLATION_MODE_LINEAR, nullptr);
  gst_timed_value_control_source_set(GST_TIMED_VALUE_CONTROL_SOURCE(source), 0, 0.0);
  gst_timed_value_control_source_set(GST_TIMED_VALUE_CONTROL_SOURCE(source), GST_SECOND, 8.0);
  gst_object_add_control_binding(
      GST_OBJECT(harness->element),
      gst_direct_control_binding_new_absolute(GST_OBJECT(harness->element), "noise", source));
  gst_object_unref(source);
  gst_harness_play(harness);
  for (guint64 number = 0; number < 5; ++number) {
    GstBuffer* buffer = gst_harness_pull(harness);
    Options options;
    gdouble value = 0.0;
    fail_unless(gst_control_source_get_value(source, GST_BUFFER_PTS(buffer), &value));
    options.noise = value;
    fail_unless(number == 0 ? value == 0.0 : value > 0.5);
    GstCaps* caps = current_caps(harness);
    check_frame(buffer, caps, number, options);
    gst_caps_unref(caps);
    gst_buffer_unref(buffer);
  }
  gst_harness_teardown(harness);
}
GST_END_TEST

// Notes the number of the first buffer after each flush.
static GstPadProbeReturn note_first(GstPad*, GstPadProbeInfo* info, gpointer user_data) {
  auto* first = static_cast<guint64*>(user_data);
  if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_EVENT_FLUSH) {
    *first = G_MAXUINT64;
  } else if (*first == G_MAXUINT64) {
    *first = GST_BUFFER_OFFSET(GST_PAD_PROBE_INFO_BUFFER(info));
  }
  return GST_PAD_PROBE_OK;
}

// A source before a sink that shows its last sample.
struct Player {
  GstElement* pipeline;
  GstElement* source;
  GstElement* sink;
  // The first frame that left the source after the last seek. What a sink gets may begin later:
  // frames outside of the segment are dropped on the way.
  guint64 first_frame = G_MAXUINT64;

  explicit Player(const char* source_properties, const char* caps) {
    const std::string line = std::string("depthtestsrc name=source ") + source_properties + " ! " +
                             caps + " ! appsink name=sink sync=false max-buffers=2";
    pipeline = gst_parse_launch(line.c_str(), nullptr);
    fail_unless(pipeline != nullptr);
    source = gst_bin_get_by_name(GST_BIN(pipeline), "source");
    sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
    GstPad* pad = gst_element_get_static_pad(source, "src");
    gst_pad_add_probe(
        pad,
        static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_FLUSH),
        note_first, &first_frame, nullptr);
    gst_object_unref(pad);
  }
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;
  ~Player() {
    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(source);
    gst_object_unref(sink);
    gst_object_unref(pipeline);
  }

  void go(GstState state) {
    gst_element_set_state(pipeline, state);
    fail_unless(gst_element_get_state(pipeline, nullptr, nullptr, 20 * GST_SECOND) !=
                GST_STATE_CHANGE_FAILURE);
  }
  // The next frame; nullptr at the end.
  GstSample* pull(const char* signal = "pull-sample") {
    GstSample* sample = nullptr;
    g_signal_emit_by_name(sink, signal, &sample);
    return sample;
  }
  void expect(guint64 number, GstClockTime pts, const Options& options = {}) {
    GstSample* sample = pull();
    fail_unless(sample != nullptr, "no frame %" G_GUINT64_FORMAT, number);
    GstBuffer* buffer = gst_sample_get_buffer(sample);
    fail_unless_equals_uint64(GST_BUFFER_OFFSET(buffer), number);
    fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), pts);
    check_frame(buffer, gst_sample_get_caps(sample), number, options);
    gst_sample_unref(sample);
  }
  void expect_end() {
    GstSample* sample = pull();
    fail_unless(sample == nullptr);
  }
  bool seek(gdouble rate, GstClockTime from, GstClockTime to) {
    return gst_element_seek(pipeline, rate, GST_FORMAT_TIME,
                            static_cast<GstSeekFlags>(GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE),
                            GST_SEEK_TYPE_SET, static_cast<gint64>(from), GST_SEEK_TYPE_SET,
                            static_cast<gint64>(to));
  }
};

static GstClockTime frame_time(guint64 number, guint64 n, guint64 d) {
  return gst_util_uint64_scale(number, d * GST_SECOND, n);
}

GST_START_TEST(test_seek) {
  Player player("", "video/x-raw,width=40,height=30,framerate=30000/1001");
  player.go(GST_STATE_PLAYING);
  player.expect(0, 0);
  // To the time of each frame exactly, which is rounded, and to just before the next one.
  for (guint64 number : {guint64{1}, guint64{2}, guint64{7}, guint64{100}, guint64{123456789}}) {
    for (GstClockTime time :
         {frame_time(number, 30000, 1001), frame_time(number + 1, 30000, 1001) - 1}) {
      fail_unless(player.seek(1.0, time, GST_CLOCK_TIME_NONE));
      player.expect(number, frame_time(number, 30000, 1001));
      fail_unless_equals_uint64(player.first_frame, number);
      player.expect(number + 1, frame_time(number + 1, 30000, 1001));
    }
  }
  // And back, up to a stop.
  fail_unless(player.seek(1.0, 0, frame_time(3, 30000, 1001)));
  for (guint64 number = 0; number < 3; ++number) {
    player.expect(number, frame_time(number, 30000, 1001));
  }
  player.expect_end();
}
GST_END_TEST

GST_START_TEST(test_backwards) {
  Player player("", "video/x-raw,width=40,height=30,framerate=10/1");
  player.go(GST_STATE_PLAYING);
  player.expect(0, 0);
  fail_unless(player.seek(-1.0, 0, GST_SECOND / 2));
  for (guint64 number = 5; number-- > 0;) player.expect(number, number * GST_SECOND / 10);
  player.expect_end();
  fail_unless_equals_uint64(player.first_frame, 4);
  // Between two frames, the one that is shown there is the first.
  fail_unless(player.seek(-1.0, 0, GST_SECOND / 2 + 1));
  player.expect(5, GST_SECOND / 2);
  // Nothing comes before the beginning, and an endless stream has no last frame to begin with.
  fail_unless(player.seek(-1.0, 0, 0));
  player.expect_end();
  player.seek(-1.0, 0, GST_CLOCK_TIME_NONE);
}
GST_END_TEST

GST_START_TEST(test_seek_in_pause_and_play_again) {
  Player player("", "video/x-raw,width=40,height=30,framerate=10/1");
  for (int round = 0; round < 3; ++round) {
    player.go(GST_STATE_PAUSED);
    fail_unless(player.seek(1.0, 3 * GST_SECOND, GST_CLOCK_TIME_NONE));
    player.go(GST_STATE_PLAYING);
    for (guint64 number = 30; number < 34; ++number) {
      player.expect(number, number * GST_SECOND / 10);
    }
    // From the beginning. The sink may still hold frames of before, so only what it prerolls
    // counts.
    player.go(GST_STATE_READY);
    player.go(GST_STATE_PAUSED);
    GstSample* sample = player.pull("pull-preroll");
    fail_unless(sample != nullptr);
    fail_unless_equals_uint64(GST_BUFFER_OFFSET(gst_sample_get_buffer(sample)), 0);
    fail_unless_equals_clocktime(GST_BUFFER_PTS(gst_sample_get_buffer(sample)), 0);
    gst_sample_unref(sample);
    player.go(GST_STATE_NULL);
  }
}
GST_END_TEST

GST_START_TEST(test_caps_change_while_playing) {
  Player player("", "capsfilter name=filter caps=video/x-raw,width=40,height=30,framerate=10/1");
  GstElement* filter = gst_bin_get_by_name(GST_BIN(player.pipeline), "filter");
  player.go(GST_STATE_PLAYING);
  player.expect(0, 0);
  gst_util_set_object_arg(G_OBJECT(filter), "caps",
                          "video/x-raw,format=GRAY8,width=17,height=9,framerate=50/1");
  // A few frames of the old caps are under way. Numbers and times go on without a gap.
  GstClockTime next = GST_SECOND / 10;
  bool changed = false;
  for (guint64 number = 1, after = 0; after < 5; ++number) {
    fail_unless(number < 100, "the caps never change");
    GstSample* sample = player.pull();
    GstBuffer* buffer = gst_sample_get_buffer(sample);
    GstVideoInfo info;
    fail_unless(gst_video_info_from_caps(&info, gst_sample_get_caps(sample)));
    changed = GST_VIDEO_INFO_WIDTH(&info) == 17;
    after += changed;
    fail_unless_equals_uint64(GST_BUFFER_OFFSET(buffer), number);
    fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), next);
    next += changed ? GST_SECOND / 50 : GST_SECOND / 10;
    check_frame(buffer, gst_sample_get_caps(sample), number, {});
    gst_sample_unref(sample);
  }
  gst_object_unref(filter);
}
GST_END_TEST

GST_START_TEST(test_live) {
  GstHarness* harness = harness_for(caps_of("GRAY8", 8, 4, "10/1"), 4);
  g_object_set(harness->element, "is-live", TRUE, nullptr);
  gboolean live = FALSE;
  g_object_get(harness->element, "is-live", &live, nullptr);
  fail_unless(live);
  gst_harness_use_testclock(harness);
  gst_harness_play(harness);
  GstTestClock* clock = gst_harness_get_testclock(harness);
  // Each frame waits for the clock.
  for (guint64 number = 0; number < 4; ++number) {
    GstClockID waiting = nullptr;
    gst_test_clock_wait_for_next_pending_id(clock, &waiting);
    fail_unless_equals_clocktime(gst_clock_id_get_time(waiting), number * GST_SECOND / 10);
    gst_clock_id_unref(waiting);
    fail_unless_equals_int(gst_harness_buffers_in_queue(harness), 0);
    fail_unless(gst_harness_crank_single_clock_wait(harness));
    GstBuffer* buffer = gst_harness_pull(harness);
    fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), number * GST_SECOND / 10);
    gst_buffer_unref(buffer);
  }
  gst_object_unref(clock);
  gst_harness_teardown(harness);
}
GST_END_TEST

GST_START_TEST(test_queries) {
  for (gboolean live = FALSE; live <= TRUE; ++live) {
    Player player("num-buffers=25", "video/x-raw,format=GRAY8,width=40,height=30,framerate=10/1");
    g_object_set(player.source, "is-live", live, nullptr);
    player.go(live ? GST_STATE_PLAYING : GST_STATE_PAUSED);
    if (live) gst_sample_unref(player.pull());

    GstQuery* query = gst_query_new_latency();
    fail_unless(gst_element_query(player.source, query));
    gboolean is_live = !live;
    GstClockTime min = 0, max = 0;
    gst_query_parse_latency(query, &is_live, &min, &max);
    fail_unless_equals_int(is_live, live);
    fail_unless_equals_clocktime(min, GST_SECOND / 10);
    fail_unless_equals_clocktime(max, GST_CLOCK_TIME_NONE);
    gst_query_unref(query);

    gint64 duration = 0;
    fail_unless(gst_element_query_duration(player.source, GST_FORMAT_TIME, &duration));
    fail_unless_equals_int64(duration, 2500 * GST_MSECOND);
    fail_unless(gst_element_query_duration(player.source, GST_FORMAT_DEFAULT, &duration));
    fail_unless_equals_int64(duration, 25);

    gint64 value = 0;
    fail_unless(
        gst_element_query_convert(player.source, GST_FORMAT_DEFAULT, 7, GST_FORMAT_TIME, &value));
    fail_unless_equals_int64(value, 700 * GST_MSECOND);
    fail_unless(gst_element_query_convert(player.source, GST_FORMAT_BYTES, 40 * 30 * 3,
                                          GST_FORMAT_DEFAULT, &value));
    fail_unless_equals_int64(value, 3);

    query = gst_query_new_seeking(GST_FORMAT_TIME);
    gboolean seekable = FALSE;
    fail_unless(gst_element_query(player.source, query));
    gst_query_parse_seeking(query, nullptr, &seekable, nullptr, nullptr);
    fail_unless_equals_int(seekable, TRUE);
    gst_query_unref(query);
  }
}
GST_END_TEST

// Before caps are known, questions about frames have no answer, and none crashes.
GST_START_TEST(test_queries_before_caps) {
  GstElement* source = gst_element_factory_make("depthtestsrc", nullptr);
  gint64 value = 0;
  fail_if(gst_element_query_convert(source, GST_FORMAT_DEFAULT, 7, GST_FORMAT_TIME, &value));
  gst_element_query_duration(source, GST_FORMAT_TIME, &value);
  GstQuery* query = gst_query_new_latency();
  gst_element_query(source, query);
  gst_query_unref(query);
  gst_object_unref(source);
}
GST_END_TEST

// What downstream asks for in the allocation query, played by a pad that answers.
struct Downstream {
  GstBufferPool* pool = nullptr;
  GstStructure* wish = nullptr;
  GstAllocationParams params = {static_cast<GstMemoryFlags>(0), 0, 0, 0, {}};
};

static GstPadProbeReturn answer_allocation(GstPad*, GstPadProbeInfo* info, gpointer user_data) {
  GstQuery* query = GST_PAD_PROBE_INFO_QUERY(info);
  auto* downstream = static_cast<Downstream*>(user_data);
  if (GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION) return GST_PAD_PROBE_OK;
  GstCaps* caps = nullptr;
  gst_query_parse_allocation(query, &caps, nullptr);
  if (downstream->pool != nullptr) {
    GstVideoInfo info_of_caps;
    fail_unless(gst_video_info_from_caps(&info_of_caps, caps));
    gst_query_add_allocation_pool(query, downstream->pool,
                                  static_cast<guint>(GST_VIDEO_INFO_SIZE(&info_of_caps)), 2, 3);
  }
  gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, downstream->wish);
  gst_query_add_allocation_param(query, nullptr, &downstream->params);
  return GST_PAD_PROBE_HANDLED;
}

static GstSample* sample_with(Downstream* downstream, Player* player) {
  GstPad* pad = gst_element_get_static_pad(player->sink, "sink");
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, answer_allocation, downstream,
                    nullptr);
  gst_object_unref(pad);
  player->go(GST_STATE_PLAYING);
  GstSample* sample = player->pull();
  fail_unless(sample != nullptr);
  check_frame(gst_sample_get_buffer(sample), gst_sample_get_caps(sample), 0, {});
  return sample;
}

GST_START_TEST(test_downstream_pool) {
  Player player("num-buffers=20", "video/x-raw,width=41,height=30");
  Downstream downstream;
  downstream.pool = gst_video_buffer_pool_new();
  GstSample* sample = sample_with(&downstream, &player);
  fail_unless(gst_sample_get_buffer(sample)->pool == downstream.pool);
  gst_sample_unref(sample);
  // The pool's three buffers go round.
  while ((sample = player.pull()) != nullptr) {
    fail_unless(gst_sample_get_buffer(sample)->pool == downstream.pool);
    gst_sample_unref(sample);
  }
  player.go(GST_STATE_NULL);
  gst_object_unref(downstream.pool);
}
GST_END_TEST

GST_START_TEST(test_downstream_layout) {
  Player player("num-buffers=2", "video/x-raw,format=GRAY16_LE,width=41,height=30");
  Downstream downstream;
  downstream.wish = gst_structure_new(
      "video-meta", "padding-top", G_TYPE_UINT, 3, "padding-left", G_TYPE_UINT, 8, "padding-right",
      G_TYPE_UINT, 5, "padding-bottom", G_TYPE_UINT, 2, "stride-align0", G_TYPE_UINT, 63, nullptr);
  downstream.params.align = 127;
  GstSample* sample = sample_with(&downstream, &player);
  const GstVideoMeta* meta = gst_buffer_get_video_meta(gst_sample_get_buffer(sample));
  fail_unless(meta != nullptr);
  fail_unless_equals_int(meta->stride[0] % 64, 0);
  fail_unless(meta->stride[0] >= 2 * (8 + 41 + 5));
  fail_unless(meta->offset[0] >= static_cast<gsize>(3 * meta->stride[0] + 8 * 2));
  GstMapInfo map;
  fail_unless(gst_buffer_map(gst_sample_get_buffer(sample), &map, GST_MAP_READ));
  fail_unless_equals_uint64(reinterpret_cast<guintptr>(map.data) % 128, 0);
  gst_buffer_unmap(gst_sample_get_buffer(sample), &map);
  gst_sample_unref(sample);
  player.go(GST_STATE_NULL);
  gst_structure_free(downstream.wish);
}
GST_END_TEST

// A pool that takes no configuration at all.
typedef struct {
  GstBufferPool parent;
} RefusingPool;
typedef struct {
  GstBufferPoolClass parent;
} RefusingPoolClass;
static GType refusing_pool_get_type();
G_DEFINE_TYPE(RefusingPool, refusing_pool, GST_TYPE_BUFFER_POOL)
static gboolean refuse(GstBufferPool*, GstStructure*) { return FALSE; }
static void refusing_pool_class_init(RefusingPoolClass* klass) {
  GST_BUFFER_POOL_CLASS(klass)->set_config = refuse;
}
static void refusing_pool_init(RefusingPool*) {}

GST_START_TEST(test_a_pool_that_refuses_is_replaced) {
  Player player("num-buffers=2", "video/x-raw,width=41,height=30");
  Downstream downstream;
  downstream.pool =
      GST_BUFFER_POOL(gst_object_ref_sink(g_object_new(refusing_pool_get_type(), nullptr)));
  GstSample* sample = sample_with(&downstream, &player);
  fail_unless(gst_sample_get_buffer(sample)->pool != nullptr);
  fail_if(gst_sample_get_buffer(sample)->pool == downstream.pool);
  gst_sample_unref(sample);
  player.go(GST_STATE_NULL);
  gst_object_unref(downstream.pool);
}
GST_END_TEST

// Buffers come back to the pool: a stream that is consumed uses the same few again.
GST_START_TEST(test_buffers_are_used_again) {
  GstHarness* harness = harness_for(caps_of("GRAY16_LE", 64, 48), -1);
  gst_harness_set_blocking_push_mode(harness);
  gst_harness_play(harness);
  std::vector<gpointer> seen;
  for (int i = 0; i < 200; ++i) {
    GstBuffer* buffer = gst_harness_pull(harness);
    fail_unless(buffer->pool != nullptr);
    gpointer memory = gst_buffer_peek_memory(buffer, 0);
    bool known = false;
    for (gpointer other : seen) known = known || other == memory;
    if (!known) seen.push_back(memory);
    gst_buffer_unref(buffer);
  }
  fail_unless(seen.size() <= 6, "%u buffers for 200 frames", static_cast<guint>(seen.size()));
  gst_harness_teardown(harness);
}
GST_END_TEST

GST_START_TEST(test_states) {
  for (const char* live : {"is-live=false", "is-live=true"}) {
    Player player(live, "video/x-raw,width=16,height=8");
    for (int round = 0; round < 10; ++round) {
      for (GstState state : {GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING, GST_STATE_PAUSED,
                             GST_STATE_READY, GST_STATE_PLAYING, GST_STATE_NULL}) {
        fail_unless(gst_element_set_state(player.pipeline, state) != GST_STATE_CHANGE_FAILURE);
      }
    }
  }
}
GST_END_TEST

GST_START_TEST(test_properties_under_stress) {
  GstHarness* harness = harness_for(caps_of("GRAY16_LE", 64, 48), -1);
  gst_harness_set_drop_buffers(harness, TRUE);
  gst_harness_play(harness);
  std::vector<GstHarnessThread*> threads;
  for (const char* name : {"noise", "unknown-ratio"}) {
    GValue value = G_VALUE_INIT;
    g_value_init(&value, G_TYPE_DOUBLE);
    g_value_set_double(&value, 0.25);
    threads.push_back(gst_harness_stress_property_start_full(harness, name, &value, 10));
    g_value_unset(&value);
  }
  g_usleep(G_USEC_PER_SEC / 2);
  for (GstHarnessThread* thread : threads) gst_harness_stress_thread_stop(thread);
  fail_unless(gst_harness_buffers_received(harness) > 10);
  gst_harness_teardown(harness);
}
GST_END_TEST

// A picture that other elements can show.
GST_START_TEST(test_conversion) {
  fail_unless_equals_int(run("depthtestsrc num-buffers=2 ! video/x-raw,width=64,height=48 ! "
                             "videoconvert ! video/x-raw,format=RGB ! fakesink"),
                         GST_MESSAGE_EOS);
}
GST_END_TEST

static Suite* depthtestsrc_suite(void) {
  Suite* suite = suite_create("depthtestsrc");
  TCase* tcase = tcase_create("general");
  suite_add_tcase(suite, tcase);
  tcase_add_test(tcase, test_frames_of_every_kind);
  tcase_add_test(tcase, test_defaults);
  tcase_add_test(tcase, test_fixation_keeps_within_what_downstream_takes);
  tcase_add_test(tcase, test_other_caps_are_refused);
  tcase_add_test(tcase, test_timestamps);
  tcase_add_test(tcase, test_timestamp_offset);
  tcase_add_test(tcase, test_without_a_rate_there_is_one_picture);
  tcase_add_test(tcase, test_properties_change_with_the_next_frame);
  tcase_add_test(tcase, test_controlled_noise);
  tcase_add_test(tcase, test_seek);
  tcase_add_test(tcase, test_backwards);
  tcase_add_test(tcase, test_seek_in_pause_and_play_again);
  tcase_add_test(tcase, test_caps_change_while_playing);
  tcase_add_test(tcase, test_live);
  tcase_add_test(tcase, test_queries);
  tcase_add_test(tcase, test_queries_before_caps);
  tcase_add_test(tcase, test_downstream_pool);
  tcase_add_test(tcase, test_downstream_layout);
  tcase_add_test(tcase, test_a_pool_that_refuses_is_replaced);
  tcase_add_test(tcase, test_buffers_are_used_again);
  tcase_add_test(tcase, test_states);
  tcase_add_test(tcase, test_properties_under_stress);
  tcase_add_test(tcase, test_conversion);
  return suite;
}

GST_CHECK_MAIN(depthtestsrc)
