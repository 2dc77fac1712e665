// SPDX-License-Identifier: LGPL-2.1-or-later
// The pairing helper on GstAggregator: a queue-less tee, live streams with slow branches, gaps, the
// end of each stream, rates, seeks, NULL while downstream hangs. A deadlock runs into the test
// case's time limit. The rule itself is tested in pairing_rule_test.cpp.
#include "gst/elements/base/pairing.h"

#include <atomic>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/base/pair_streams.h"
#include "tests/support/await.h"
#include "tests/support/check_test.h"
#include "tests/support/pipeline_rig.h"

using namespace rdp::gst;
using rdp::test::await;

namespace {

constexpr PairingRules kBoth{PairingRules::Unpaired::kDropped, false};
constexpr PairingRules kBothWithGaps{PairingRules::Unpaired::kDropped, false, true};
constexpr PairingRules kGoesOn{PairingRules::Unpaired::kGoesOn, false};
constexpr PairingRules kLast{PairingRules::Unpaired::kGoesOn, true};

const std::string kSmall = "video/x-raw,format=GRAY8,width=16,height=8,framerate=30/1";
// A frame rate that even a busy machine can follow.
const std::string kSlow = "video/x-raw,format=GRAY8,width=16,height=8,framerate=2/1";

// The output: the times of each frame and of its partner, in ms.
struct Met {
  std::string text;
  guint frames = 0;
  guint together = 0;  // paired with a buffer of the same time
  guint gaps = 0;
};

class Pipeline : public rdp::test::PipelineRig {
 public:
  // A launch line in which the element is `p`. Its src goes to a sink that does not wait.
  explicit Pipeline(const std::string& line, const PairingRules& rules = kBoth,
                    const PairingSettings& settings = {})
      : PipelineRig(line + " pairstreams name=p ! fakesink name=out sync=false async=false"),
        element_(get("p")) {
    pair_streams_configure(element_, rules, settings);
    g_autoptr(GstPad) src = gst_element_get_static_pad(element_, "src");
    gst_pad_add_probe(src,
                      static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER |
                                                   GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM),
                      note, this, nullptr);
  }
  ~Pipeline() override { stop(); }

  void play(GstState state = GST_STATE_PLAYING) {
    fail_if(gst_element_set_state(pipeline(), state) == GST_STATE_CHANGE_FAILURE);
  }
  void stop() {
    fail_unless_equals_int(gst_element_set_state(pipeline(), GST_STATE_NULL),
                           GST_STATE_CHANGE_SUCCESS);
  }
  // Plays to the end.
  Met run() {
    play();
    wait_for_end();
    return met();
  }
  void wait_for_end() {
    const std::string error = wait();
    fail_unless(error.empty(), "%s", error.c_str());
  }
  Met met() const {
    GST_OBJECT_LOCK(element_);
    const Met result = met_;
    GST_OBJECT_UNLOCK(element_);
    return result;
  }
  void forget() {
    GST_OBJECT_LOCK(element_);
    met_ = {};
    GST_OBJECT_UNLOCK(element_);
  }
  std::string events() const {
    GST_OBJECT_LOCK(element_);
    const std::string result = events_;
    GST_OBJECT_UNLOCK(element_);
    return result;
  }
  // The downstream of the element hangs until it is deactivated or flushed.
  void block() {
    g_autoptr(GstPad) src = gst_element_get_static_pad(element_, "src");
    gst_pad_add_probe(
        src, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM,
        [](GstPad*, GstPadProbeInfo*, gpointer) { return GST_PAD_PROBE_OK; }, nullptr, nullptr);
  }
  GstElement* element() const { return element_; }
  PairingCounts counts() const { return pair_streams_counts(element_); }

 private:
  static std::string ms(GstClockTime time) {
    return GST_CLOCK_TIME_IS_VALID(time) ? std::to_string(time / GST_MSECOND) : "-";
  }
  static GstPadProbeReturn note(GstPad*, GstPadProbeInfo* info, gpointer data) {
    auto* self = static_cast<Pipeline*>(data);
    GST_OBJECT_LOCK(self->element_);
    if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) {
      GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
      const GstClockTime time = GST_BUFFER_PTS(buffer);
      const GstClockTime other = GST_BUFFER_OFFSET(buffer);
      self->met_.text += (self->met_.text.empty() ? "" : " ") + ms(time) + ":" + ms(other);
      ++self->met_.frames;
      if (time == other) ++self->met_.together;
    } else {
      GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
      self->events_ += std::string(self->events_.empty() ? "" : " ") + GST_EVENT_TYPE_NAME(event);
      if (GST_EVENT_TYPE(event) == GST_EVENT_GAP) {
        GstClockTime time;
        gst_event_parse_gap(event, &time, nullptr);
        self->met_.text += (self->met_.text.empty() ? "gap" : " gap") + ms(time);
        ++self->met_.gaps;
      }
    }
    GST_OBJECT_UNLOCK(self->element_);
    return GST_PAD_PROBE_OK;
  }

  GstElement* element_;
  Met met_;
  std::string events_;
};

// Two sources fed by the test; each sends its given buffers, then EOS.
const std::string kFed = "appsrc format=time name=main caps=" + kSmall +
                         " ! p.main appsrc format=time name=other caps=" + kSmall + " ! p.other ";

void push(Pipeline& pipeline, const char* name, GstClockTime time) {
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, 128, nullptr);
  GST_BUFFER_PTS(buffer) = time;
  pipeline.push(name, buffer);
}

struct Given {
  std::vector<int> main;  // ms; below 0: a GAP event of a frame at that time
  std::vector<int> other;
};

void feed(Pipeline& pipeline, const char* name, const std::vector<int>& times) {
  GstElement* source = pipeline.get(name);
  for (const int time : times) {
    if (time >= 0) {
      push(pipeline, name, static_cast<GstClockTime>(time) * GST_MSECOND);
      continue;
    }
    // appsrc sends events in the order of its buffers.
    gst_element_send_event(source, gst_event_new_gap(static_cast<GstClockTime>(-time) * GST_MSECOND,
                                                     33 * GST_MSECOND));
  }
  pipeline.end({name});
}

std::string fed_with_rates(const char* main, const char* other) {
  const std::string caps = "video/x-raw,format=GRAY8,width=16,height=8,framerate=";
  return "appsrc format=time name=main caps=" + caps + main +
         " ! p.main appsrc format=time name=other caps=" + caps + other + " ! p.other ";
}

std::string with_rates(const char* main, const char* other, const Given& given,
                       const PairingRules& rules = kBoth, PairingCounts* counts = nullptr,
                       const PairingSettings& settings = {}) {
  Pipeline pipeline(fed_with_rates(main, other), rules, settings);
  feed(pipeline, "main", given.main);
  feed(pipeline, "other", given.other);
  const Met met = pipeline.run();
  if (counts != nullptr) *counts = pipeline.counts();
  return met.text;
}

std::string run(const PairingRules& rules, const Given& given, const PairingSettings& settings = {},
                PairingCounts* counts = nullptr) {
  return with_rates("30/1", "30/1", given, rules, counts, settings);
}

// Pushes to an appsrc with handle-segment-change=true.
void push_of_segment(Pipeline& pipeline, const char* name, const GstSegment& segment,
                     GstClockTime time) {
  g_autoptr(GstBuffer) buffer = gst_buffer_new_allocate(nullptr, 128, nullptr);
  GST_BUFFER_PTS(buffer) = time;
  g_autoptr(GstCaps) caps = nullptr;
  g_object_get(pipeline.get(name), "caps", &caps, nullptr);
  g_autoptr(GstSample) sample = gst_sample_new(buffer, caps, &segment, nullptr);
  GstFlowReturn flow;
  g_signal_emit_by_name(pipeline.get(name), "push-sample", sample, &flow);
}

void check(const std::string& text, const char* wanted) {
  fail_unless(text == wanted, "%s, not %s", text.c_str(), wanted);
}

}  // namespace

// A tee pushes a frame to one branch, then to the other; neither may wait for the next frame.
CHECK_TEST(test_tee_without_queues) {
  for (const PairingRules& rules : {kBoth, kGoesOn, kLast}) {
    for (const char* branches : {"t. ! p.main t. ! p.other ", "t. ! p.other t. ! p.main "}) {
      Pipeline pipeline("videotestsrc num-buffers=20 ! " + kSmall + " ! tee name=t " + branches,
                        rules);
      const Met met = pipeline.run();
      fail_unless_equals_int(met.together, 20);
      fail_unless_equals_int(met.frames, 20);
      const PairingCounts counts = pipeline.counts();
      fail_unless_equals_uint64(counts.paired, 20);
      fail_unless_equals_uint64(counts.unpaired + counts.dropped + counts.late, 0);
    }
  }
}

// Two stages of 375 ms each together exceed a frame's duration. With one frame of latency every
// frame meets its partner. The low rate leaves a busy machine 250 ms to spare.
CHECK_TEST(test_live_with_slow_branches) {
  for (const PairingRules& rules : {kBoth, kGoesOn, kLast}) {
    Pipeline pipeline(
        "videotestsrc is-live=true num-buffers=6 ! " + kSlow +
            " ! tee name=t t. ! queue ! p.main t. ! queue ! identity sleep-time=375000 "
            "! queue ! identity sleep-time=375000 ! p.other ",
        rules);
    const Met met = pipeline.run();
    fail_unless_equals_int(met.frames, 6);
    fail_unless(met.together == 6, "%s", met.text.c_str());
  }
}

// The element waits at most the latency, then frames go on without later buffers.
CHECK_TEST(test_live_deadline) {
  PairingSettings settings;
  settings.latency = 0;
  const std::string line =
      "videotestsrc is-live=true num-buffers=20 ! " + kSmall +
      " ! tee name=t t. ! queue ! p.main t. ! queue ! identity sleep-time=1000 ! "
      "identity ts-offset=0 ! queue min-threshold-buffers=5 ! p.other ";
  Pipeline goes_on(line, kGoesOn, settings);
  const Met met = goes_on.run();
  fail_unless_equals_int(met.frames, 20);
  fail_unless(met.together <= 6, "%s", met.text.c_str());
  Pipeline last(line, kLast, settings);
  const Met of_last = last.run();
  fail_unless_equals_int(of_last.frames, 20);
  // From the sixth frame on there is a previous buffer.
  fail_unless(last.counts().paired > 8, "%s", of_last.text.c_str());
}

// The reported latency includes one frame of the main stream, or the user's value.
CHECK_TEST(test_latency_is_reported) {
  for (const guint64 latency :
       {guint64{GST_CLOCK_TIME_NONE}, guint64{0}, guint64{500 * GST_MSECOND}}) {
    PairingSettings settings;
    settings.latency = latency;
    Pipeline pipeline("videotestsrc is-live=true ! " + kSmall +
                          " ! p.main videotestsrc is-live=true ! " + kSmall + " ! p.other ",
                      kBoth, settings);
    pipeline.play();
    fail_unless(await([&] { return pipeline.met().frames > 0; }));
    g_autoptr(GstPad) src = gst_element_get_static_pad(pipeline.element(), "src");
    g_autoptr(GstQuery) query = gst_query_new_latency();
    fail_unless(gst_pad_query(src, query));
    gboolean live;
    GstClockTime least;
    gst_query_parse_latency(query, &live, &least, nullptr);
    fail_unless(live);
    const GstClockTime frame = GST_SECOND / 30;
    // The sources announce one frame, too.
    fail_unless_equals_uint64(least, frame + (latency == GST_CLOCK_TIME_NONE ? frame : latency));
  }
}

CHECK_TEST(test_rules_and_counts) {
  PairingCounts counts;
  const Given given{{0, 40, 80, 120}, {20, 42, 60, 121}};
  check(run(kBoth, given, {}, &counts), "40:42 120:121");
  fail_unless_equals_uint64(counts.paired, 2);
  fail_unless_equals_uint64(counts.unpaired, 2);
  fail_unless_equals_uint64(counts.dropped, 2);
  check(run(kGoesOn, given, {}, &counts), "0:- 40:42 80:- 120:121");
  fail_unless_equals_uint64(counts.paired, 2);
  fail_unless_equals_uint64(counts.unpaired, 2);
  fail_unless_equals_uint64(counts.dropped, 2);
  check(run(kLast, given, {}, &counts), "0:- 40:42 80:60 120:121");
  fail_unless_equals_uint64(counts.paired, 3);
  fail_unless_equals_uint64(counts.unpaired, 1);
  // The buffer at 20 precedes 40, which has a partner of its own: 42.
  fail_unless_equals_uint64(counts.dropped, 1);
  PairingSettings wide;
  wide.sync_tolerance = 20 * GST_MSECOND;
  check(run(kBoth, given, wide), "0:20 40:42 80:60 120:121");
  PairingSettings narrow;
  narrow.sync_tolerance = 1 * GST_MSECOND;
  check(run(kBoth, given, narrow), "120:121");
}

// The tolerance is half a frame of the faster stream's rate. A stream without a rate counts as 20
// ms, later as 0.6 of its interval.
CHECK_TEST(test_tolerance_of_the_rate) {
  check(with_rates("20/1", "5/1", {{0, 1000, 2000, 3000}, {19, 1024, 2026, 3051}}),
        "0:19 1000:1024");
  check(with_rates("5/1", "20/1", {{0, 1000, 2000, 3000}, {19, 1024, 2026, 3051}}),
        "0:19 1000:1024");
  check(with_rates("10/1", "5/1", {{0, 1000, 2000, 3000}, {19, 1024, 2026, 3051}}),
        "0:19 1000:1024 2000:2026");
  const Given slow{{0, 100, 200, 300, 400, 500}, {19, 121, 219, 330, 458, 561}};
  check(with_rates("0/1", "0/1", slow), "0:19 200:219 300:330 400:458");
  check(with_rates("1/1", "0/1", slow), "0:19 200:219 300:330 400:458 500:561");
  check(with_rates("1/1", "1/1", slow), "0:19 100:121 200:219 300:330 400:458 500:561");
}

// One frame is lost: no other pair changes, and the loss is counted.
CHECK_TEST(test_one_frame_is_lost) {
  for (const char* rate : {"100/1", "0/1"}) {
    for (const PairingRules& rules : {kBoth, kGoesOn}) {
      PairingCounts counts;
      const bool goes_on = rules.unpaired == PairingRules::Unpaired::kGoesOn;
      const Given given{{0, 10, 20, 30, 40, 50, 60, 70, 80}, {0, 10, 20, 40, 50, 60, 70, 80}};
      check(with_rates(rate, rate, given, rules, &counts),
            goes_on ? "0:0 10:10 20:20 30:- 40:40 50:50 60:60 70:70 80:80"
                    : "0:0 10:10 20:20 40:40 50:50 60:60 70:70 80:80");
      fail_unless_equals_uint64(counts.unpaired, 1);
      fail_unless_equals_uint64(counts.paired, 8);
      fail_unless_equals_uint64(counts.dropped, 0);
    }
  }
}

// Intervals are measured in running time.
CHECK_TEST(test_tolerance_of_a_fast_segment) {
  for (const char* rate : {"30/1", "0/1"}) {
    Pipeline pipeline(fed_with_rates(rate, rate), kBoth);
    for (const char* name : {"main", "other"}) {
      GstSegment segment;
      gst_segment_init(&segment, GST_FORMAT_TIME);
      segment.rate = 4.0;
      g_object_set(pipeline.get(name), "handle-segment-change", TRUE, nullptr);
      for (guint64 i = 0; i < 8; ++i) {
        if (i == 4 && g_str_equal(name, "other")) continue;
        push_of_segment(pipeline, name, segment, i * GST_SECOND / 30);
      }
      pipeline.end({name});
    }
    check(pipeline.run().text, "0:0 33:33 66:66 100:100 166:166 200:200 233:233");
    fail_unless_equals_uint64(pipeline.counts().unpaired, 1);
  }
}

// Two free-running 30/s cameras with jittering time stamps (sigma 3 ms), one of them 10 ms late.
// Equal times give equal pairs.
CHECK_TEST(test_jitter_and_an_offset) {
  constexpr int kFrames = 300;
  constexpr unsigned kSeed = 20;
  std::mt19937 random(kSeed);
  std::normal_distribution<double> jitter(0.0, 3.0);
  Given given;
  for (int i = 0; i < kFrames; ++i) {
    const double time = 1000.0 + i * 1000.0 / 30.0;
    given.main.push_back(static_cast<int>(std::lround(time + jitter(random))));
    given.other.push_back(static_cast<int>(std::lround(time + 10.0 + jitter(random))));
  }
  PairingCounts counts;
  const std::string pairs = with_rates("0/1", "0/1", given, kBoth, &counts);
  fail_unless(counts.paired * 100 >= 95 * kFrames, "%" G_GUINT64_FORMAT " pairs", counts.paired);
  fail_unless_equals_uint64(counts.paired + counts.unpaired, kFrames);
  check(with_rates("0/1", "0/1", given), pairs.c_str());
  // With a rate half a frame is 16.7 ms: the jitter of one camera fits.
  for (int i = 0; i < kFrames; ++i) {
    given.main[static_cast<std::size_t>(i)] = static_cast<int>(std::lround(1000.0 + i / 0.03));
  }
  with_rates("30/1", "30/1", given, kBoth, &counts);
  fail_unless(counts.paired * 100 >= 95 * kFrames, "%" G_GUINT64_FORMAT " pairs", counts.paired);
}

CHECK_TEST(test_max_age) {
  const Given given{{0, 500, 1000, 1500, 2000}, {0, 1900}};
  check(run(kLast, given), "0:0 500:0 1000:0 1500:- 2000:1900");
  PairingSettings settings;
  settings.max_age = 500 * GST_MSECOND;
  check(run(kLast, given, settings), "0:0 500:0 1000:- 1500:- 2000:1900");
}

CHECK_TEST(test_gaps) {
  // A stream may start with a gap.
  check(run(kGoesOn, {{-1, 33, -67, 100}, {33, 100}}), "gap1 33:33 gap67 100:100");
  check(run(kGoesOn, {{1, 33, 67}, {1, -33, 67}}), "1:1 33:- 67:67");
  check(run(kBoth, {{1, 33, 67}, {1, -33, 67}}), "1:1 67:67");
  check(run(kLast, {{1, 33, 67}, {1, -33, 67}}), "1:1 33:1 67:67");
  // A dropped frame leaves a gap if the element requests that.
  check(run(kBothWithGaps, {{1, 33, 67}, {1, -33, 67}}), "1:1 gap33 67:67");
  check(run(kBothWithGaps, {{0, 40, 80, 120}, {20, 42, 60, 121}}), "gap0 40:42 gap80 120:121");
  Pipeline pipeline(kFed, kGoesOn);
  feed(pipeline, "main", {-1, 33});
  feed(pipeline, "other", {33});
  pipeline.run();
  const std::string events = pipeline.events();
  fail_unless(events.find("stream-start caps segment gap") == 0, "%s", events.c_str());
}

CHECK_TEST(test_end_of_each_stream) {
  check(run(kBoth, {{0, 33, 67}, {0}}), "0:0");
  check(run(kBoth, {{0}, {0, 33, 67}}), "0:0");
  check(run(kGoesOn, {{0, 33, 67}, {0}}), "0:0 33:- 67:-");
  check(run(kGoesOn, {{0}, {0, 33, 67}}), "0:0");
  check(run(kLast, {{0, 33, 67}, {0}}), "0:0 33:0 67:0");
  check(run(kLast, {{0}, {0, 33, 67}}), "0:0");
  check(run(kBoth, {{}, {0}}), "");
  check(run(kGoesOn, {{0, 33}, {}}), "0:- 33:-");
  check(run(kLast, {{0, 33}, {}}), "0:- 33:-");
}

// In a BYTES segment time stamps mean nothing: buffers are paired in order of arrival.
CHECK_TEST(test_segments_in_bytes) {
  Pipeline pipeline(
      "fakesrc num-buffers=5 format=bytes do-timestamp=true sizetype=fixed sizemax=128 ! " +
          kSmall +
          " ! p.main fakesrc num-buffers=5 format=bytes do-timestamp=true sizetype=fixed "
          "sizemax=128 ! " +
          kSmall + " ! p.other ",
      kBoth);
  const Met met = pipeline.run();
  fail_unless_equals_int(met.frames, 5);
  fail_unless_equals_uint64(pipeline.counts().paired, 5);
}

CHECK_TEST(test_without_time_stamps) {
  Pipeline pipeline(kFed, kBoth);
  for (const char* name : {"main", "other"}) {
    for (int i = 0; i < 5; ++i) push(pipeline, name, GST_CLOCK_TIME_NONE);
    pipeline.end({name});
  }
  const Met met = pipeline.run();
  fail_unless_equals_int(met.frames, 5);
  fail_unless_equals_uint64(pipeline.counts().paired, 5);
}

// Partners have equal running times, whatever their time stamps.
CHECK_TEST(test_segments) {
  Pipeline pipeline(kFed, kBoth);
  for (const auto& [name, start] : {std::pair{"main", 10}, std::pair{"other", 70}}) {
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    segment.start = static_cast<guint64>(start) * GST_SECOND;
    segment.time = 5 * GST_SECOND;
    g_object_set(pipeline.get(name), "handle-segment-change", TRUE, nullptr);
    for (int i = 0; i < 3; ++i) {
      push_of_segment(pipeline, name, segment,
                      segment.start + static_cast<guint64>(i) * 33 * GST_MSECOND);
    }
    pipeline.end({name});
  }
  check(pipeline.run().text, "10000:70000 10033:70033 10066:70066");
  // The output's segment is main's.
  g_autoptr(GstPad) src = gst_element_get_static_pad(pipeline.element(), "src");
  g_autoptr(GstEvent) event = gst_pad_get_sticky_event(src, GST_EVENT_SEGMENT, 0);
  const GstSegment* segment;
  gst_event_parse_segment(event, &segment);
  fail_unless_equals_uint64(segment->start, 10 * GST_SECOND);
  fail_unless_equals_uint64(segment->time, 5 * GST_SECOND);
}

CHECK_TEST(test_different_rates) {
  const auto sources = [](const char* main, const char* other) {
    return std::string("videotestsrc num-buffers=") + main +
           " ! p.main videotestsrc num-buffers=" + other + " ! p.other ";
  };
  Pipeline slower(
      sources("6 ! video/x-raw,width=16,framerate=30/1", "3 ! video/x-raw,width=16,framerate=10/1"),
      kLast);
  check(slower.run().text, "0:0 33:0 66:0 100:100 133:100 166:100");
  Pipeline faster(
      sources("3 ! video/x-raw,width=16,framerate=10/1", "9 ! video/x-raw,width=16,framerate=30/1"),
      kLast);
  // Half a frame of the other stream is 16.7 ms: the buffer of the same time is taken.
  check(faster.run().text, "0:0 100:100 200:200");
  fail_unless(faster.counts().dropped > 0);
}

CHECK_TEST(test_tags_come_through) {
  Pipeline pipeline("videotestsrc num-buffers=5 ! " + kSmall +
                    " ! taginject tags=title=street ! p.main videotestsrc num-buffers=5 ! " +
                    kSmall + " ! p.other ");
  pipeline.run();
  const std::string events = pipeline.events();
  fail_unless(events.find("tag") != std::string::npos, "%s", events.c_str());
  g_autoptr(GstPad) src = gst_element_get_static_pad(pipeline.element(), "src");
  g_autoptr(GstEvent) event = gst_pad_get_sticky_event(src, GST_EVENT_TAG, 0);
  fail_unless(event != nullptr);
}

// A seek flushes both streams; frames go on in pairs.
CHECK_TEST(test_flushing_seeks) {
  for (const char* line :
       {"videotestsrc ! video/x-raw,width=16 ! tee name=t t. ! p.main t. ! p.other ",
        "videotestsrc ! video/x-raw,width=16 ! p.main videotestsrc ! video/x-raw,width=16 ! "
        "p.other "}) {
    Pipeline pipeline(line, kLast);
    g_object_set(pipeline.get("out"), "sync", TRUE, nullptr);
    pipeline.play();
    for (int round = 0; round < 5; ++round) {
      fail_unless(await([&] { return pipeline.met().frames > 3; }), "round %d: %s", round,
                  pipeline.met().text.c_str());
      pipeline.forget();
      const auto time = static_cast<gint64>(round) * 7 * static_cast<gint64>(GST_SECOND);
      fail_unless(
          gst_element_seek_simple(pipeline.pipeline(), GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, time));
    }
    fail_unless(await([&] { return pipeline.met().frames > 3; }));
    // No buffer from before a seek was paired with one from after it.
    const Met met = pipeline.met();
    fail_unless(met.together + 1 >= met.frames, "%s", met.text.c_str());
  }
}

// A remembered buffer does not survive a flush of its stream.
CHECK_TEST(test_flush_forgets_the_last) {
  Pipeline pipeline(kFed, kLast);
  pipeline.play();
  for (const char* name : {"main", "other"}) push(pipeline, name, 0);
  fail_unless(await([&] { return pipeline.met().frames == 1; }));
  g_autoptr(GstPad) other = gst_element_get_static_pad(pipeline.element(), "other");
  gst_pad_send_event(other, gst_event_new_flush_start());
  gst_pad_send_event(other, gst_event_new_flush_stop(FALSE));
  push(pipeline, "main", 33 * GST_MSECOND);
  pipeline.end({"main", "other"});
  pipeline.wait_for_end();
  check(pipeline.met().text, "0:0 33:-");
}

CHECK_TEST(test_null_while_downstream_hangs) {
  const std::string source = "videotestsrc ! " + kSmall;
  for (const std::string& line : {source + " ! tee name=t t. ! p.main t. ! p.other ",
                                  source + " ! p.main " + source + " ! p.other ",
                                  source + " ! queue ! p.main " + source + " ! queue ! p.other "}) {
    for (int round = 0; round < 5; ++round) {
      Pipeline pipeline(line);
      pipeline.block();
      pipeline.play(round % 2 == 0 ? GST_STATE_PLAYING : GST_STATE_PAUSED);
      g_usleep(20000);
      pipeline.stop();
    }
  }
  // With data on one stream only, the element waits for the other.
  Pipeline pipeline(kFed);
  pipeline.play();
  push(pipeline, "main", 0);
  g_usleep(20000);
  pipeline.stop();
}

// A late sink makes a live element skip whole frames and report that; a file's frames are never
// skipped.
CHECK_TEST(test_quality_of_service) {
  for (const bool live : {true, false}) {
    Pipeline pipeline(
        "videotestsrc num-buffers=20 is-live=" + std::string(live ? "true" : "false") + " ! " +
        kSmall + " ! tee name=t t. ! queue ! p.main t. ! queue ! p.other ");
    pipeline.play(GST_STATE_PAUSED);
    GstPad* src = gst_element_get_static_pad(pipeline.element(), "src");
    // Reports a frame at 100 ms as 100 ms late: frames before 300 ms cannot be in time.
    gst_pad_send_event(
        src, gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 1.0, 100 * GST_MSECOND, 100 * GST_MSECOND));
    gst_object_unref(src);
    const Met met = pipeline.run();
    const guint64 late = pipeline.counts().late;
    fail_unless_equals_uint64(met.frames + late, 20);
    if (live) {
      // Up to 10 frames are before that; on a busy machine the first frame has a later time.
      fail_unless(late >= 1 && late <= 10, "%" G_GUINT64_FORMAT, late);
      fail_unless_equals_int(pipeline.qos_messages, static_cast<int>(late));
    } else {
      fail_unless_equals_uint64(late, 0);
    }
  }
}

CHECK_CASE(pairing, .seconds = 60, .before = pair_streams_register)
