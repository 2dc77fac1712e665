// SPDX-License-Identifier: LGPL-2.1-or-later
// heightmap while it plays: matching frames to sets, dropped frames, cameras that are not
// synchronous or stop, live sources, gaps.
#include <cstring>

#include "tests/heightmap/heights_rig.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"

using namespace heights_rig;
using rdp::test::await;
using rdp::test::BlockCamera;

namespace {

constexpr GstClockTime kMs = GST_MSECOND;

// The result of `sets` sets of three cameras. `later`: the constant delay of each camera.
struct Played {
  std::size_t sets = 0;
  guint gaps = 0;
  guint64 wide = 0, unpaired = 0, dropped = 0, spread = 0, largest = 0;
  std::vector<std::string> warnings;
};
Played play(const std::vector<GstClockTimeDiff>& later, unsigned sets,
            const std::string& settings = "") {
  rdp::test::Folder folder;
  Rig rig(kQuick + calibration_of(&folder, three()) + settings, {0, 1, 2});
  const Gaps gaps(rig.received().pad());
  rig.set_caps_of(draw(three()));
  // The first one is a set: the stream has begun.
  rig.push_set(draw(three()), GST_SECOND);
  for (unsigned set = 1; set <= sets; ++set) {
    rig.push_set(draw(three()), GST_SECOND + set * 100 * kMs, later);
  }
  rig.check_runs();
  return {rig.received().buffers.size() - 1,
          gaps.count,
          rig.stat("wide"),
          rig.stat("unpaired"),
          rig.stat("dropped"),
          rig.stat("spread"),
          rig.stat("largest-spread"),
          rig.warnings};
}

CHECK_TEST(test_sets_within_the_tolerance) {
  const Played played = play({0, 5 * GST_MSECOND, 1 * GST_MSECOND}, 3);
  fail_unless_equals_int(played.sets, 3);
  fail_unless_equals_uint64(played.spread, 5 * kMs);
  fail_unless_equals_uint64(played.wide + played.unpaired + played.dropped, 0);
  fail_unless(played.warnings.empty(), "%s", played.warnings[0].c_str());
}

// Each view is within 5 ms of the reference, but they are 8 ms apart.
CHECK_TEST(test_wide_sets_are_dropped_whole) {
  const Played played = play({0, -4 * GST_MSECOND, 4 * GST_MSECOND}, 3);
  fail_unless_equals_int(played.sets, 0);
  fail_unless_equals_uint64(played.wide, 3);
  fail_unless_equals_uint64(played.unpaired, 3);
  fail_unless_equals_uint64(played.dropped, 6);
  fail_unless_equals_uint64(played.largest, 0);
  fail_unless_equals_int(played.gaps, 3);
  fail_unless_equals_int(played.warnings.size(), 1);
  check_says(played.warnings[0], {"Dropped a set: its views", "8 ms apart",
                                  "from pad sink_1 to pad sink_2", "sync-tolerance is 5 ms"});
}

// A larger sync-tolerance lets wide sets pass; one warning states the consequence.
CHECK_TEST(test_wide_sets_that_are_wanted) {
  const Played played = play({0, -4 * GST_MSECOND, 4 * GST_MSECOND}, 3, "sync-tolerance=8000000");
  fail_unless_equals_int(played.sets, 3);
  fail_unless_equals_uint64(played.wide, 0);
  fail_unless_equals_uint64(played.largest, 8 * kMs);
  fail_unless_equals_int(played.warnings.size(), 1);
  check_says(played.warnings[0],
             {"The views of a set are 8 ms apart", "Synchronise the cameras to 5 ms", "11 mm"});
}

// Cameras that are always too far apart: a warning explains why there is no output.
CHECK_TEST(test_cameras_that_never_meet) {
  const Played played = play({0, 0, 20 * GST_MSECOND}, 40);
  fail_unless_equals_int(played.sets, 0);
  fail_unless_equals_uint64(played.wide, 0);
  fail_unless_equals_int(played.warnings.size(), 1);
  check_says(played.warnings[0], {"No complete set in ", "those of pad sink_2",
                                  "20 ms apart or more", "sync-tolerance is 5 ms"});
}

// One frame of the reference has no partner, and another view has one frame too many.
CHECK_TEST(test_counts_by_pad) {
  rdp::test::Folder folder;
  Rig rig(kQuick + calibration_of(&folder, two()) + "reference=1", {0, 1});
  const std::vector<Content> pictures = draw(two());
  rig.set_caps_of(pictures);
  for (const GstClockTime time : {0, 33, 66, 80, 100}) rig.push_view(0, pictures[0], time * kMs);
  for (const GstClockTime time : {2, 50, 68, 101}) rig.push_view(1, pictures[1], time * kMs);
  rig.check_runs();
  fail_unless_equals_int(rig.received().buffers.size(), 3);
  fail_unless_equals_uint64(GST_BUFFER_PTS(rig.received().buffers[1]), 68 * kMs);
  fail_unless_equals_uint64(rig.stat_of(0, "used"), 3);
  fail_unless_equals_uint64(rig.stat_of(0, "dropped"), 2);
  fail_unless_equals_uint64(rig.stat_of(1, "used"), 3);
  fail_unless_equals_uint64(rig.stat_of(1, "dropped"), 1);
  fail_unless_equals_uint64(rig.stat("unpaired"), 1);
  fail_unless_equals_uint64(rig.stat("dropped"), 2);
}

// Non-live input waits for a camera that sent no EOS.
CHECK_TEST(test_a_camera_that_stops) {
  rdp::test::Folder folder;
  const std::vector<Content> pictures = draw(two());
  Rig rig(kQuick + calibration_of(&folder, two()), {0, 1});
  rig.set_caps_of(pictures);
  rig.play();
  rig.push_set(pictures, 0);
  for (const GstClockTime time : {33, 66, 100}) rig.push_view(0, pictures[0], time * kMs);
  fail_unless(await([&] { return rig.received().count == 1; }));
  g_usleep(300000);
  fail_unless_equals_int(rig.received().count, 1);
  fail_unless_equals_uint64(rig.stat("unpaired"), 0);
  for (const GstClockTime time : {33, 66, 100}) rig.push_view(1, pictures[1], time * kMs);
  rig.end_all();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless_equals_int(rig.received().count, 4);
}

// Live input does not wait: the other cameras' frames are dropped and counted, and GAP events
// replace the reference's frames. A warning names the pad and its last time. Sets resume when
// frames do.
CHECK_TEST(test_a_live_camera_that_stops) {
  rdp::test::Folder folder;
  const std::vector<Content> pictures = draw(two());
  Rig rig(kQuick + calibration_of(&folder, two()), {0, 1}, "",
          "is-live=true do-timestamp=true min-latency=0 max-latency=1000000000");
  const Gaps gaps(rig.received().pad());
  rig.set_caps_of(pictures);
  rig.play();
  const auto frame = [&](int pad) {
    rig.push(Rig::source(pad).c_str(), frames::new_buffer(pictures[static_cast<std::size_t>(pad)]));
  };
  // Frames of both come together, however busy the machine is, with a tolerance to match.
  g_object_set(rig.element(), "sync-tolerance", GST_SECOND / 4, nullptr);
  const auto await_set = [&] {
    const std::size_t before = rig.received().count;
    return await([&] {
      frame(0);
      frame(1);
      return rig.received().count > before;
    });
  };
  fail_unless(await_set());
  g_autoptr(GstBus) bus = gst_element_get_bus(rig.pipeline());
  std::string warning;
  const gint64 begin = g_get_monotonic_time();
  while (warning.empty() && g_get_monotonic_time() < begin + 20 * G_USEC_PER_SEC) {
    frame(0);
    const rdp::test::MessageText said = rdp::test::next_text(bus, GST_MESSAGE_WARNING, 50 * kMs);
    if (said.has("has come to the pad")) warning = said.both();
  }
  check_says(warning, {"No view has come to the pad sink_1 for 1 s", "the last one was at 0:00:0"});
  fail_unless(await([&] { return rig.stat("unpaired") > 3; }));
  fail_unless(await([&] { return gaps.count > 3; }));
  fail_unless(await([&] { return rig.stat_of(0, "dropped") == rig.stat("unpaired"); }));
  fail_unless(await_set());
}

// The second of three live cameras never delivers. The warning names it, not the third, whose
// frames match the reference's and are dropped with them.
CHECK_TEST(test_a_live_camera_that_never_comes) {
  rdp::test::Folder folder;
  const std::vector<Content> pictures = draw(three());
  Rig rig(kQuick + calibration_of(&folder, three()), {0, 1, 2}, "",
          "is-live=true do-timestamp=true min-latency=0 max-latency=1000000000");
  g_object_set(rig.element(), "sync-tolerance", GST_SECOND / 100, nullptr);
  rig.set_caps_of(pictures);
  rig.play();
  g_autoptr(GstBus) bus = gst_element_get_bus(rig.pipeline());
  std::string warning;
  const gint64 begin = g_get_monotonic_time();
  while (warning.empty() && g_get_monotonic_time() < begin + 20 * G_USEC_PER_SEC) {
    for (const int pad : {0, 2}) {
      rig.push(Rig::source(pad).c_str(),
               frames::new_buffer(pictures[static_cast<std::size_t>(pad)]));
    }
    const rdp::test::MessageText said = rdp::test::next_text(bus, GST_MESSAGE_WARNING, 40 * kMs);
    if (said.has("No complete set in")) warning = said.text;
  }
  check_says(warning, {"pad sink_1 delivered nothing", "Check its source", "increase latency"});
}

// Frames on a single pad wait, with a warning; a second view lets them be processed.
CHECK_TEST(test_one_pad) {
  const std::string source = "depthtestsrc pattern=crowd view=left num-buffers=2 view-index=";
  const std::string size = " ! video/x-raw,width=78,height=62 ! h.sink_";
  g_autoptr(GstElement) pipeline = gst_parse_launch(
      ("heightmap name=h iterations=2 ! fakesink " + source + "0" + size + "0").c_str(), nullptr);
  fail_unless(pipeline != nullptr);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
  check_says(rdp::test::next_text(bus, GST_MESSAGE_WARNING, 20 * GST_SECOND).text,
             {"Data waits on 1 sink pad, expected 2 or more", "link another view",
              "or send batches in memory:NVMM"});

  GstElement* other = gst_parse_bin_from_description(
      (source + "1 ! video/x-raw,width=78,height=62 ! identity").c_str(), TRUE, nullptr);
  fail_unless(other != nullptr);
  gst_bin_add(GST_BIN(pipeline), other);
  g_autoptr(GstElement) heightmap = gst_bin_get_by_name(GST_BIN(pipeline), "h");
  fail_unless(gst_element_link_pads(other, "src", heightmap, "sink_1"));
  gst_element_sync_state_with_parent(other);
  g_autoptr(GstMessage) message = gst_bus_timed_pop_filtered(
      bus, 20 * GST_SECOND, static_cast<GstMessageType>(GST_MESSAGE_ERROR | GST_MESSAGE_EOS));
  fail_unless(message != nullptr && GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS, "%s",
              message == nullptr ? "nothing" : GST_MESSAGE_TYPE_NAME(message));
  gst_element_set_state(pipeline, GST_STATE_NULL);
}

// A GAP event on the reference pad is forwarded.
CHECK_TEST(test_gaps) {
  rdp::test::Folder folder;
  const std::vector<Content> pictures = draw(two());
  Rig rig(kQuick + calibration_of(&folder, two()) + "reference=1", {0, 1});
  const Gaps gaps(rig.received().pad());
  rig.set_caps_of(pictures);
  rig.play();
  rig.push_set(pictures, 0);
  fail_unless(await([&] { return rig.received().count == 1; }));
  for (const int pad : {0, 1}) {
    g_autoptr(GstPad) src = gst_element_get_static_pad(rig.get(Rig::source(pad).c_str()), "src");
    gst_pad_push_event(src, gst_event_new_gap(kFrame + static_cast<GstClockTime>(pad), kFrame));
  }
  rig.push_set(pictures, 2 * kFrame);
  rig.end_all();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  fail_unless_equals_int(rig.received().count, 2);
  fail_unless_equals_int(gaps.count, 1);
  fail_unless_equals_uint64(gaps.last, kFrame + 1);
}

// Ids, ages and velocities equal the association's over the heads of each set. track-heads=false
// removes them; later tracks start again with new ids.
CHECK_TEST(test_tracks) {
  const std::vector<BlockCamera> cameras = two();
  rdp::test::Folder folder;
  Rig rig(kQuick + calibration_of(&folder, cameras) + "track-heads=true track-memory=5", {0, 1});
  rig.set_caps_of(draw(cameras));
  rig.play();
  // Scene, time in ms, and the settings applied before it.
  struct Step {
    unsigned scene;
    GstClockTime time;
    gboolean on = TRUE;
    double gate = 0.5;
    guint keep = 10;
  };
  const std::vector<Step> steps = {
      {0, 0},    {0, 100},        {1, 200},       {0, 300},
      {0, 400},  {2, 500},        {0, 600, TRUE}, {0, 700, TRUE, 0.001, 0},
      {1, 800},  {1, 900, FALSE}, {1, 1000},      {1, 1100},
      {1, 2200}, {0, 2300}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    g_object_set(rig.element(), "track-heads", step.on, "gate", step.gate, "track-keep", step.keep,
                 nullptr);
    rig.push_set(draw(cameras, step.scene), step.time * kMs);
    fail_unless(await([&] { return rig.received().count == i + 1; }));
  }
  rig.end_all();
  const std::string error = rig.wait();
  fail_unless(error.empty(), "%s", error.c_str());
  rdp::heightmap::HeadTracks tracks;
  rdp::obstacles::TrackParameters parameters = rdp::heightmap::kHeadTracks;
  parameters.memory = 5;
  GstClockTime last = steps[0].time;
  gsize lost = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    GstBuffer* const buffer = rig.received().buffers[i];
    const auto of = heights_rig::expected(cameras, draw(cameras, step.scene));
    heights_rig::check_heights(buffer, of, "set " + std::to_string(i));
    fail_unless(!of.map.heads.empty());
    rdp::heightmap::HeadTracks expected;
    if (step.on) {
      parameters.gate = static_cast<int>(std::lround(1000 * step.gate));
      parameters.keep = static_cast<int>(step.keep);
      tracks.update(of.map.heads, static_cast<std::int64_t>((step.time - last) * kMs), parameters);
      last = step.time;
      expected = tracks;
    } else {
      tracks.end();
    }
    lost += expected.lost().size();
    const std::string wrong = rdp::test::difference_of_tracks(expected, buffer);
    fail_unless(wrong.empty(), "set %zu: %s", i, wrong.c_str());
  }
  fail_unless(lost > 0);
}

// A flush ends all tracks, even after a short time. Ids continue.
CHECK_TEST(test_tracks_and_flushes) {
  std::string views;
  for (int i = 0; i < 3; ++i) {
    views +=
        " depthtestsrc pattern=crowd view=left num-buffers=20 view-index=" + std::to_string(i) +
        " ! video/x-raw,width=195,height=155,framerate=10/1 ! h.sink_" + std::to_string(i);
  }
  rdp::test::PipelineRig rig("heightmap name=h track-heads=true ! appsink name=out sync=false" +
                             views);
  std::vector<guint32> ids[2];
  for (const int turn : {0, 1}) {
    if (turn == 1) {
      fail_unless(
          gst_element_seek_simple(rig.pipeline(), GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 100 * kMs));
    }
    fail_unless(gst_element_set_state(rig.pipeline(), GST_STATE_PAUSED) !=
                GST_STATE_CHANGE_FAILURE);
    g_autoptr(GstSample) sample = nullptr;
    g_signal_emit_by_name(rig.get("out"), "pull-preroll", &sample);
    fail_unless(sample != nullptr);
    GstRdpHeights* heights = gst_rdp_buffer_get_heights(gst_sample_get_buffer(sample));
    gsize n = 0;
    const GstRdpHeadTrack* tracks = gst_rdp_heights_peek_head_tracks(heights, &n);
    for (gsize i = 0; i < n; ++i) {
      ids[turn].push_back(tracks[i].id);
      fail_unless_equals_int(tracks[i].age, 0);
    }
    const guint32* lost = gst_rdp_heights_peek_lost_heads(heights, &n);
    fail_unless(turn == 0 ? n == 0 : std::vector<guint32>(lost, lost + n) == ids[0]);
  }
  fail_unless(ids[0].size() > 5 && ids[1].front() == ids[0].back() + 1);
  gst_element_set_state(rig.pipeline(), GST_STATE_NULL);
}

}  // namespace

CHECK_CASE(heightmap_element_stream, .seconds = 120)
