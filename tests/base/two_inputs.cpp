// SPDX-License-Identifier: LGPL-2.1-or-later
// An element on GstAggregator with two inputs, a picture pad and an extra source pad: it streams,
// and it goes to NULL, flushes, seeks and lets pads go while sinks that do not return hang on all
// of its pads. What hangs here runs into the time limit of the test case.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/base/two_inputs_element.h"
#include "tests/support/await.h"
#include "tests/support/bus_texts.h"
#include "tests/support/check_test.h"
#include "tests/support/check_text.h"

using rdp::test::await;

namespace {

constexpr frames::Shape kShape{GST_VIDEO_FORMAT_GRAY8, 16, 12};

// A pad downstream of the element. While closed it blocks the pushing thread until it is opened,
// flushed or deactivated.
class Sink {
 public:
  explicit Sink(const char* name) : pad_(gst_pad_new(name, GST_PAD_SINK)) {
    gst_object_ref_sink(pad_);
    gst_pad_set_element_private(pad_, this);
    gst_pad_set_chain_function(pad_, [](GstPad* pad, GstObject*, GstBuffer* buffer) {
      return static_cast<Sink*>(gst_pad_get_element_private(pad))->take(buffer);
    });
    gst_pad_set_event_function(pad_, [](GstPad* pad, GstObject*, GstEvent* event) -> gboolean {
      static_cast<Sink*>(gst_pad_get_element_private(pad))->note(event);
      gst_event_unref(event);
      return TRUE;
    });
    gst_pad_set_active(pad_, TRUE);
  }
  ~Sink() {
    stop();
    gst_object_unref(pad_);
  }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  GstPad* pad() const { return pad_; }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    closed_ = false;
    changed_.notify_all();
  }
  // Stops like an element going to READY.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      changed_.notify_all();
    }
    gst_pad_set_active(pad_, FALSE);
  }
  guint64 count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  bool holds_somebody() const {
    const std::lock_guard lock(mutex_);
    return waiting_;
  }
  std::string events() const {
    const std::lock_guard lock(mutex_);
    return events_;
  }
  std::string stream_id() const {
    const std::lock_guard lock(mutex_);
    return stream_id_;
  }
  GstClockTime last_pts() const {
    const std::lock_guard lock(mutex_);
    return last_pts_;
  }

 private:
  GstFlowReturn take(GstBuffer* buffer) {
    std::unique_lock lock(mutex_);
    ++count_;
    last_pts_ = GST_BUFFER_PTS(buffer);
    gst_buffer_unref(buffer);
    waiting_ = true;
    changed_.wait(lock, [this] { return !closed_ || flushing_ || stopped_; });
    waiting_ = false;
    return flushing_ || stopped_ ? GST_FLOW_FLUSHING : GST_FLOW_OK;
  }
  void note(GstEvent* event) {
    const std::lock_guard lock(mutex_);
    events_ += std::string(events_.empty() ? "" : " ") + GST_EVENT_TYPE_NAME(event);
    if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_START) flushing_ = true;
    if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) flushing_ = false;
    if (GST_EVENT_TYPE(event) == GST_EVENT_STREAM_START) {
      const gchar* id;
      gst_event_parse_stream_start(event, &id);
      stream_id_ = id;
    }
    changed_.notify_all();
  }

  GstPad* pad_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
  bool flushing_ = false;
  bool stopped_ = false;
  bool waiting_ = false;
  guint64 count_ = 0;
  GstClockTime last_pts_ = GST_CLOCK_TIME_NONE;
  std::string events_;
  std::string stream_id_;
};

// The source of one input, with its own thread. It counts the seeks that it receives and flushes
// like a seeking source.
class Source {
 public:
  Source(GstElement* element, const char* sink_name, const char* id) : id_(id) {
    pad_ = gst_pad_new("source", GST_PAD_SRC);
    gst_object_ref_sink(pad_);
    gst_pad_set_element_private(pad_, this);
    gst_pad_set_event_function(pad_, [](GstPad* pad, GstObject*, GstEvent* event) -> gboolean {
      auto* self = static_cast<Source*>(gst_pad_get_element_private(pad));
      const bool seek = GST_EVENT_TYPE(event) == GST_EVENT_SEEK;
      if (seek && self->ignores_seeks) ++self->seeks_;
      if (seek && !self->ignores_seeks) self->seek(gst_event_get_seqnum(event));
      gst_event_unref(event);
      return seek;
    });
    gst_pad_set_query_function(pad_, [](GstPad* pad, GstObject* parent, GstQuery* query) {
      auto* self = static_cast<Source*>(gst_pad_get_element_private(pad));
      if (GST_QUERY_TYPE(query) != GST_QUERY_LATENCY || !self->is_live) {
        return gst_pad_query_default(pad, parent, query);
      }
      gst_query_set_latency(query, TRUE, 0, GST_CLOCK_TIME_NONE);
      return gboolean{TRUE};
    });
    gst_pad_set_active(pad_, TRUE);
    g_autoptr(GstPad) sink = gst_element_request_pad_simple(element, sink_name);
    fail_unless_equals_int(gst_pad_link(pad_, sink), GST_PAD_LINK_OK);
  }
  ~Source() {
    finish();
    gst_pad_set_active(pad_, FALSE);
    gst_object_unref(pad_);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  void start(guint64 frames = G_MAXUINT64) {
    thread_ = std::thread([this, frames] { run(frames); });
  }
  void finish() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  unsigned seeks() const { return seeks_; }
  GstPad* pad() const { return pad_; }

  std::atomic<bool> is_live{false};
  std::atomic<bool> ignores_seeks{false};  // accepts seeks without acting on them

 private:
  void begin() {
    gst_pad_push_event(pad_, gst_event_new_stream_start(id_));
    GstCaps* caps = frames::caps(kShape);
    gst_pad_push_event(pad_, gst_event_new_caps(caps));
    gst_caps_unref(caps);
    segment();
  }
  void segment() {
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    gst_pad_push_event(pad_, gst_event_new_segment(&segment));
  }
  GstFlowReturn push(unsigned number) {
    // A seek: the stream lock keeps the thread out while it flushes.
    const std::lock_guard lock(streaming_);
    if (restart_.exchange(false)) segment();
    return gst_pad_push(pad_, frames::make(kShape, 1, number));
  }
  void run(guint64 frames) {
    begin();
    for (guint64 number = 0; number < frames && !stop_; ++number) {
      const GstFlowReturn flow = push(static_cast<unsigned>(number));
      if (flow == GST_FLOW_FLUSHING && !flushes_) return;
      if (flow == GST_FLOW_EOS) return;
      // Sleeps without the lock, so that a seeking thread can take it; a mere new turn would starve
      // it.
      if (flow == GST_FLOW_FLUSHING) g_usleep(100);
    }
    if (!stop_) gst_pad_push_event(pad_, gst_event_new_eos());
  }
  void seek(guint32 seqnum) {
    ++seeks_;
    flushes_ = true;
    GstEvent* event = gst_event_new_flush_start();
    gst_event_set_seqnum(event, seqnum);
    gst_pad_push_event(pad_, event);
    const std::lock_guard lock(streaming_);
    event = gst_event_new_flush_stop(TRUE);
    gst_event_set_seqnum(event, seqnum);
    gst_pad_push_event(pad_, event);
    restart_ = true;
  }

  const char* id_;
  GstPad* pad_;
  std::thread thread_;
  std::mutex streaming_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> flushes_{false};
  std::atomic<bool> restart_{false};
  std::atomic<unsigned> seeks_{0};
};

struct Rig {
  explicit Rig(bool right_first = false)
      : element(GST_ELEMENT(g_object_new(rdp_two_inputs_get_type(), nullptr))) {
    gst_object_ref_sink(element);
    if (right_first) right = std::make_unique<Source>(element, "sink_1", "right");
    left = std::make_unique<Source>(element, "sink_0", "left");
    if (!right_first) right = std::make_unique<Source>(element, "sink_1", "right");
    GstPad* src = gst_element_get_static_pad(element, "src");
    fail_unless_equals_int(gst_pad_link(src, main.pad()), GST_PAD_LINK_OK);
    gst_object_unref(src);
    request("overlay", overlay);
    request("data", data);
  }
  ~Rig() {
    main.stop();
    gst_element_set_state(element, GST_STATE_NULL);
    left.reset();
    right.reset();
    gst_object_unref(element);
  }
  void request(const char* name, const Sink& sink) {
    g_autoptr(GstPad) pad = gst_element_request_pad_simple(element, name);
    fail_unless(pad != nullptr);
    fail_unless_equals_int(gst_pad_link(pad, sink.pad()), GST_PAD_LINK_OK);
  }
  void release(const char* name) {
    g_autoptr(GstPad) pad = gst_element_get_static_pad(element, name);
    gst_element_release_request_pad(element, pad);
  }
  void close_all() {
    for (Sink* sink : {&main, &overlay, &data}) sink->close();
  }
  void open_all() {
    for (Sink* sink : {&main, &overlay, &data}) sink->open();
  }
  void play(guint64 frames = G_MAXUINT64) {
    fail_if(gst_element_set_state(element, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
    left->start(frames);
    right->start(frames);
  }
  // Waits until the sinks block the pushing threads and nothing moves.
  void hang() {
    fail_unless(await([&] { return overlay.holds_somebody() && data.holds_somebody(); }));
    g_usleep(20000);
  }
  bool flows(Sink& sink) {
    const guint64 before = sink.count();
    return await([&] { return sink.count() > before + 3; });
  }

  GstElement* element;
  std::unique_ptr<Source> left;
  std::unique_ptr<Source> right;
  Sink main{"main"};
  Sink overlay{"pictures"};
  Sink data{"others"};
};

}  // namespace

// The names of the pads determine the main input, not the order of requests.
CHECK_TEST(test_streams) {
  for (const bool right_first : {false, true}) {
    Rig rig(right_first);
    rig.play(20);
    for (const Sink* sink : {&rig.main, &rig.overlay, &rig.data}) {
      fail_unless(await([&] { return sink->events() == "stream-start caps segment eos"; }), "%s",
                  sink->events().c_str());
      fail_unless_equals_uint64(sink->count(), 20);
      fail_unless_equals_uint64(sink->last_pts(), 19 * GST_SECOND / 30);
    }
    fail_unless(rig.overlay.stream_id() == "left/overlay", "%s", rig.overlay.stream_id().c_str());
    fail_unless(rig.data.stream_id() == "left/data", "%s", rig.data.stream_id().c_str());
  }
}

// One input too many, and one that is released while the stream runs: its source is replaced while
// the other one's waits.
CHECK_TEST(test_inputs_come_and_go) {
  Rig rig;
  g_autoptr(GstBus) bus = gst_bus_new();
  gst_element_set_bus(rig.element, bus);
  fail_unless(gst_element_request_pad_simple(rig.element, "sink_2") == nullptr);
  fail_unless_equals_text(rdp::test::next_text(bus, GST_MESSAGE_WARNING).text,
                          "There are 2 pads sink_%u already, which is the maximum.");
  rig.play();
  for (int round = 0; round < 6; ++round) {
    fail_unless(rig.flows(rig.main) && rig.flows(rig.overlay) && rig.flows(rig.data));
    std::unique_ptr<Source>& source = round % 2 == 0 ? rig.right : rig.left;
    const char* name = round % 2 == 0 ? "sink_1" : "sink_0";
    rig.release(name);
    if (round > 3) g_usleep(1100000);  // longer than the element waits
    source = std::make_unique<Source>(rig.element, name, round % 2 == 0 ? "right" : "left");
    source->start();
  }
  fail_unless(rig.flows(rig.main) && rig.flows(rig.overlay) && rig.flows(rig.data));
  gst_element_set_bus(rig.element, nullptr);
}

// With too few inputs frames wait for another input; EOS passes all the same.
CHECK_TEST(test_one_input) {
  for (const guint64 frames : {0, 1}) {
    Rig rig;
    rig.release("sink_1");
    rig.play(frames);
    if (frames > 0) {
      g_usleep(50000);
      fail_unless(rig.main.events().find("eos") == std::string::npos);
      rig.right = std::make_unique<Source>(rig.element, "sink_1", "right");
      rig.right->start(frames);
    }
    for (const Sink* sink : {&rig.main, &rig.overlay, &rig.data}) {
      fail_unless(await([&] { return sink->events().find("eos") != std::string::npos; }));
      fail_unless_equals_uint64(sink->count(), frames);
    }
  }
}

// The main sink is stopped first, as a bin does; the others hang until they are flushed.
CHECK_TEST(test_null_while_sinks_hang) {
  for (const bool main_hangs : {false, true}) {
    Rig rig;
    for (int round = 0; round < 3; ++round) {
      if (round > 0) break;
      rig.overlay.close();
      rig.data.close();
      if (main_hangs) rig.main.close();
      rig.play();
      rig.hang();
      rig.main.stop();
      fail_unless_equals_int(gst_element_set_state(rig.element, GST_STATE_NULL),
                             GST_STATE_CHANGE_SUCCESS);
    }
  }
}

// The same in a pipeline whose sinks wait for a clock or for preroll.
CHECK_TEST(test_pipeline_to_null) {
  for (const GstState state : {GST_STATE_PAUSED, GST_STATE_PLAYING}) {
    g_autoptr(GstElement) pipeline = gst_pipeline_new(nullptr);
    GstElement* element = GST_ELEMENT(g_object_new(rdp_two_inputs_get_type(), nullptr));
    gst_bin_add(GST_BIN(pipeline), element);
    for (const char* name : {"sink_0", "sink_1"}) {
      GstElement* source = gst_element_factory_make("videotestsrc", nullptr);
      gst_bin_add(GST_BIN(pipeline), source);
      fail_unless(gst_element_link_pads(source, "src", element, name));
    }
    for (const char* name : {"src", "overlay", "data"}) {
      GstElement* sink = gst_element_factory_make("fakesink", nullptr);
      g_object_set(sink, "sync", TRUE, nullptr);
      gst_bin_add(GST_BIN(pipeline), sink);
      fail_unless(gst_element_link_pads(element, name, sink, "sink"));
    }
    gst_element_set_state(pipeline, state);
    // Two source pads and no queue: the threads of the pads preroll the sinks.
    fail_unless_equals_int(gst_element_get_state(pipeline, nullptr, nullptr, 10 * GST_SECOND),
                           GST_STATE_CHANGE_SUCCESS);
    g_usleep(50000);
    fail_unless_equals_int(gst_element_set_state(pipeline, GST_STATE_NULL),
                           GST_STATE_CHANGE_SUCCESS);
  }
}

// All source pads send the same seek; each input sees it once, and after the flush the stream
// continues.
CHECK_TEST(test_seeks_while_sinks_hang) {
  Rig rig;
  rig.close_all();
  rig.play();
  rig.hang();
  for (unsigned round = 1; round <= 5; ++round) {
    GstEvent* seek = gst_event_new_seek(1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
                                        GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, 0);
    for (Sink* sink : {&rig.overlay, &rig.main, &rig.data}) {
      fail_unless(gst_pad_push_event(sink->pad(), gst_event_ref(seek)));
    }
    gst_event_unref(seek);
    fail_unless_equals_int(rig.left->seeks(), round);
    fail_unless_equals_int(rig.right->seeks(), round);
    if (round < 5) rig.hang();
  }
  rig.open_all();
  for (Sink* sink : {&rig.main, &rig.overlay, &rig.data}) fail_unless(rig.flows(*sink));
  for (const Sink* sink : {&rig.main, &rig.overlay, &rig.data}) {
    const std::string events = sink->events();
    std::size_t flushes = 0;
    for (std::size_t at = 0; (at = events.find("flush-stop segment", at)) != std::string::npos;
         ++at) {
      ++flushes;
    }
    fail_unless(flushes == 5, "%s", events.c_str());
  }
}

// A flushing seek concurrent with a flush from upstream, while a buffer waits for another input:
// both finish.
CHECK_TEST(test_seeks_beside_flushes) {
  constexpr unsigned kRounds = 200;
  Rig rig;
  rig.release("sink_1");
  rig.right.reset();
  fail_if(gst_element_set_state(rig.element, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  rig.left->ignores_seeks = true;
  GstPad* pad = rig.left->pad();
  gst_pad_push_event(pad, gst_event_new_stream_start("left"));
  g_autoptr(GstCaps) caps = frames::caps(kShape);
  gst_pad_push_event(pad, gst_event_new_caps(caps));
  g_autoptr(GstPad) src = gst_element_get_static_pad(rig.element, "src");
  for (unsigned round = 0; round < kRounds; ++round) {
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    gst_pad_push_event(pad, gst_event_new_segment(&segment));
    fail_unless_equals_int(gst_pad_push(pad, frames::make(kShape, 1, round)), GST_FLOW_OK);
    g_usleep(round % 4 * 500);
    std::thread upstream([&] {
      g_usleep(round * 53 % 800);
      gst_pad_push_event(pad, gst_event_new_flush_start());
      gst_pad_push_event(pad, gst_event_new_flush_stop(TRUE));
    });
    gst_pad_send_event(src, gst_event_new_seek(1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
                                               GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, 0));
    upstream.join();
  }
}

CHECK_TEST(test_releases_while_sinks_hang) {
  for (int round = 0; round < 5; ++round) {
    Rig rig;
    rig.overlay.close();
    rig.data.close();
    rig.play();
    rig.hang();
    rig.release(round % 2 == 0 ? "overlay" : "data");
    rig.release(round % 2 == 0 ? "data" : "overlay");
    fail_unless(rig.flows(rig.main));
    // The pad is requested again in mid-stream.
    Sink late("late");
    rig.request("overlay", late);
    fail_unless(rig.flows(late));
    fail_unless(late.events().find("stream-start caps segment") == 0, "%s", late.events().c_str());
    rig.release("overlay");
  }
}

// An input that is flushed by itself, without a seek, while everything hangs.
CHECK_TEST(test_main_goes_on_behind_a_full_pad) {
  Rig rig;
  rig.overlay.close();
  rig.play();
  fail_unless(await([&] { return rig.overlay.holds_somebody() && rig.main.count() >= 2; }));
  g_usleep(20000);
  // One picture is being pushed, one is in the mailbox; the third waits.
  fail_unless_equals_uint64(rig.overlay.count(), 1);
  fail_unless_equals_uint64(rig.main.count(), 2);
  rig.overlay.open();
  fail_unless(rig.flows(rig.main));
}

// In live pipelines, or with drop set, pictures are dropped and frames do not wait. Data is never
// dropped, and blocks the frames.
CHECK_TEST(test_overlay_drops) {
  for (const bool live : {true, false}) {
    Rig rig;
    rig.left->is_live = rig.right->is_live = live;
    if (!live) {
      g_autoptr(GstPad) pad = gst_element_get_static_pad(rig.element, "overlay");
      gst_util_set_object_arg(G_OBJECT(pad), "drop", "late");
    }
    rig.overlay.close();
    rig.play();
    fail_unless(await([&] { return rig.overlay.holds_somebody(); }));
    fail_unless(rig.flows(rig.main) && rig.flows(rig.main));
    fail_unless_equals_uint64(rig.overlay.count(), 1);
    rig.data.close();
    fail_unless(await([&] { return rig.data.holds_somebody(); }));
    guint64 before = 0;
    fail_unless(await([&] {
      g_usleep(20000);
      return std::exchange(before, rig.main.count()) == rig.main.count();
    }));
    rig.data.open();
    rig.overlay.open();
    fail_unless(rig.flows(rig.main) && rig.flows(rig.overlay));
  }
}

CHECK_CASE(two_inputs, .seconds = 30)
