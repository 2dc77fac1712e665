// SPDX-License-Identifier: LGPL-2.1-or-later
// depthtestsrc in a stream: seeks, new caps, live mode, queries, state changes, and the buffers and
// layouts that downstream requests.
#include "tests/support/check_test.h"
#include "tests/support/depthtestsrc_frames.h"

#include <gst/check/gsttestclock.h>

using namespace depthtestsrc_frames;

// Records the number of the first buffer after each flush.
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
  // The first frame that left the source after the last seek. The sink may start later: frames
  // outside of the segment are clipped on the way.
  guint64 first_frame = G_MAXUINT64;

  explicit Player(const char* source_properties, const char* caps) {
    const std::string line = std::string("depthtestsrc name=source ") + source_properties + " ! " +
                             caps + " ! appsink name=sink sync=false max-buffers=2";
    pipeline = gst_parse_launch(line.c_str(), nullptr);
    fail_unless(pipeline != nullptr);
    source = gst_bin_get_by_name(GST_BIN(pipeline), "source");
    sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
    g_autoptr(GstPad) pad = gst_element_get_static_pad(source, "src");
    gst_pad_add_probe(
        pad,
        static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_FLUSH),
        note_first, &first_frame, nullptr);
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
    g_autoptr(GstSample) sample = pull();
    fail_unless(sample != nullptr, "no frame %" G_GUINT64_FORMAT, number);
    GstBuffer* buffer = gst_sample_get_buffer(sample);
    fail_unless_equals_uint64(GST_BUFFER_OFFSET(buffer), number);
    fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), pts);
    check_frame(buffer, gst_sample_get_caps(sample), number, options);
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

CHECK_TEST(test_seek) {
  Player player("", "video/x-raw,width=40,height=30,framerate=30000/1001");
  player.go(GST_STATE_PLAYING);
  player.expect(0, 0);
  // Seek exactly to each frame's rounded time, and to just before the next frame.
  for (guint64 number : {guint64{1}, guint64{2}, guint64{7}, guint64{100}, guint64{123456789}}) {
    for (GstClockTime time :
         {frame_time(number, 30000, 1001), frame_time(number + 1, 30000, 1001) - 1}) {
      fail_unless(player.seek(1.0, time, GST_CLOCK_TIME_NONE));
      player.expect(number, frame_time(number, 30000, 1001));
      fail_unless_equals_uint64(player.first_frame, number);
      player.expect(number + 1, frame_time(number + 1, 30000, 1001));
    }
  }
  // Seek back, with a stop.
  fail_unless(player.seek(1.0, 0, frame_time(3, 30000, 1001)));
  for (guint64 number = 0; number < 3; ++number) {
    player.expect(number, frame_time(number, 30000, 1001));
  }
  player.expect_end();
}

CHECK_TEST(test_backwards) {
  Player player("", "video/x-raw,width=40,height=30,framerate=10/1");
  player.go(GST_STATE_PLAYING);
  player.expect(0, 0);
  fail_unless(player.seek(-1.0, 0, GST_SECOND / 2));
  for (guint64 number = 5; number-- > 0;) player.expect(number, number * GST_SECOND / 10);
  player.expect_end();
  fail_unless_equals_uint64(player.first_frame, 4);
  // A reverse seek between two frames starts with the frame shown there.
  fail_unless(player.seek(-1.0, 0, GST_SECOND / 2 + 1));
  player.expect(5, GST_SECOND / 2);
  // There is no frame before 0, and an endless stream has no last frame for a reverse start.
  fail_unless(player.seek(-1.0, 0, 0));
  player.expect_end();
  player.seek(-1.0, 0, GST_CLOCK_TIME_NONE);
}

// A seek before the caps are known, as in READY, leads to the same frame.
CHECK_TEST(test_seek_before_caps) {
  Player player("", "video/x-raw,width=40,height=30,framerate=10/1");
  player.go(GST_STATE_READY);
  fail_unless(gst_element_send_event(
      player.source, gst_event_new_seek(-1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
                                        GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_SET, GST_SECOND / 2)));
  player.go(GST_STATE_PLAYING);
  for (guint64 number = 5; number-- > 0;) player.expect(number, number * GST_SECOND / 10);
  player.expect_end();
}

CHECK_TEST(test_seek_in_pause_and_play_again) {
  Player player("", "video/x-raw,width=40,height=30,framerate=10/1");
  for (int round = 0; round < 3; ++round) {
    player.go(GST_STATE_PAUSED);
    fail_unless(player.seek(1.0, 3 * GST_SECOND, GST_CLOCK_TIME_NONE));
    player.go(GST_STATE_PLAYING);
    for (guint64 number = 30; number < 34; ++number) {
      player.expect(number, number * GST_SECOND / 10);
    }
    // From the beginning. The sink may still hold earlier frames, so only its preroll counts.
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

CHECK_TEST(test_caps_change_while_playing) {
  Player player("", "capsfilter name=filter caps=video/x-raw,width=40,height=30,framerate=10/1");
  g_autoptr(GstElement) filter = gst_bin_get_by_name(GST_BIN(player.pipeline), "filter");
  player.go(GST_STATE_PLAYING);
  player.expect(0, 0);
  gst_util_set_object_arg(G_OBJECT(filter), "caps",
                          "video/x-raw,format=GRAY8,width=17,height=9,framerate=50/1");
  // Some frames with the old caps are in flight. Numbers and times continue without a gap.
  GstClockTime next = GST_SECOND / 10;
  bool changed = false;
  for (guint64 number = 1, after = 0; after < 5; ++number) {
    fail_unless(number < 100, "the caps never change");
    g_autoptr(GstSample) sample = player.pull();
    GstBuffer* buffer = gst_sample_get_buffer(sample);
    GstVideoInfo info;
    fail_unless(gst_video_info_from_caps(&info, gst_sample_get_caps(sample)));
    changed = GST_VIDEO_INFO_WIDTH(&info) == 17;
    after += changed;
    fail_unless_equals_uint64(GST_BUFFER_OFFSET(buffer), number);
    fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), next);
    next += changed ? GST_SECOND / 50 : GST_SECOND / 10;
    check_frame(buffer, gst_sample_get_caps(sample), number, {});
  }
}

CHECK_TEST(test_live) {
  g_autoptr(GstHarness) harness = harness_for(caps_of("GRAY8", 8, 4, "10/1"), 4);
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
    g_autoptr(GstBuffer) buffer = gst_harness_pull(harness);
    fail_unless_equals_clocktime(GST_BUFFER_PTS(buffer), number * GST_SECOND / 10);
  }
  gst_object_unref(clock);
}

CHECK_TEST(test_queries) {
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

// Before caps are known, queries about frames fail without a crash.
CHECK_TEST(test_queries_before_caps) {
  g_autoptr(GstElement) source = gst_element_factory_make("depthtestsrc", nullptr);
  gint64 value = 0;
  fail_if(gst_element_query_convert(source, GST_FORMAT_DEFAULT, 7, GST_FORMAT_TIME, &value));
  gst_element_query_duration(source, GST_FORMAT_TIME, &value);
  // An early latency query must not report a maximum that limits other sources.
  g_object_set(source, "is-live", TRUE, nullptr);
  g_autoptr(GstQuery) query = gst_query_new_latency();
  fail_unless(gst_element_query(source, query));
  gboolean live = FALSE;
  GstClockTime min = 0, max = 0;
  gst_query_parse_latency(query, &live, &min, &max);
  fail_unless_equals_int(live, TRUE);
  fail_unless_equals_clocktime(min, 0);
  fail_unless_equals_clocktime(max, GST_CLOCK_TIME_NONE);
}

// Requests of downstream in the allocation query, answered by a pad.
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

CHECK_TEST(test_downstream_pool) {
  Player player("num-buffers=20", "video/x-raw,width=41,height=30");
  Downstream downstream;
  downstream.pool = gst_video_buffer_pool_new();
  GstSample* sample = sample_with(&downstream, &player);
  fail_unless(gst_sample_get_buffer(sample)->pool == downstream.pool);
  gst_sample_unref(sample);
  // The three buffers of the pool circulate.
  while ((sample = player.pull()) != nullptr) {
    fail_unless(gst_sample_get_buffer(sample)->pool == downstream.pool);
    gst_sample_unref(sample);
  }
  player.go(GST_STATE_NULL);
  gst_object_unref(downstream.pool);
}

CHECK_TEST(test_downstream_layout) {
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

// A pool that refuses every configuration.
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

CHECK_TEST(test_a_pool_that_refuses_is_replaced) {
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

// Consumed buffers return to the pool: the stream reuses a few.
CHECK_TEST(test_buffers_are_used_again) {
  g_autoptr(GstHarness) harness = harness_for(caps_of("GRAY16_LE", 64, 48), -1);
  gst_harness_set_blocking_push_mode(harness);
  gst_harness_play(harness);
  std::vector<gpointer> seen;
  for (int i = 0; i < 200; ++i) {
    g_autoptr(GstBuffer) buffer = gst_harness_pull(harness);
    fail_unless(buffer->pool != nullptr);
    gpointer memory = gst_buffer_peek_memory(buffer, 0);
    bool known = false;
    for (gpointer other : seen) known = known || other == memory;
    if (!known) seen.push_back(memory);
  }
  fail_unless(seen.size() <= 6, "%u buffers for 200 frames", static_cast<guint>(seen.size()));
}

CHECK_TEST(test_states) {
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

CHECK_CASE(depthtestsrc_stream)
