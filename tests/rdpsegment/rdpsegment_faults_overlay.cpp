// SPDX-License-Identifier: LGPL-2.1-or-later
// A misbehaving overlay branch while the main path plays: it comes and goes thousands of times,
// blocks forever, or is slow. Every frame of the main path comes out once, in order, with the
// reference's segments. See fault_rig.h for RDPSEGMENT_FAULTS.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/support/check_test.h"
#include "tests/support/fault_rig.h"

using namespace faults;

namespace {

// Pushes the frames of a film from its own thread until stopped.
class Streaming {
 public:
  Streaming(Rig& rig, const Film& film) : rig_(rig) {
    rig.expect(film);
    fail_unless(rig.start() && rig.begin(film));
    thread_ = std::thread([this, &film] {
      while (!stop_) {
        const GstFlowReturn flow = rig_.push(film.frame(pushed_));
        if (flow != GST_FLOW_OK) {
          flow_ = flow;
          return;
        }
        ++pushed_;
      }
    });
  }
  ~Streaming() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  Streaming(const Streaming&) = delete;
  Streaming& operator=(const Streaming&) = delete;

  guint64 pushed() const { return pushed_; }
  // Waits until `frames` more frames have come out. False if nothing moves.
  bool advance(guint64 frames, int seconds = 20) const {
    const guint64 wanted = rig_.main.count() + frames;
    for (int i = 0; i < seconds * 2000 && rig_.main.count() < wanted; ++i) g_usleep(500);
    return rig_.main.count() >= wanted;
  }
  void check() {
    stop_ = true;
    thread_.join();
    fail_unless(flow_ == GST_FLOW_OK, "the main path was told %s", gst_flow_get_name(flow_));
    fail_unless_equals_uint64(rig_.main.count(), pushed_);
    fail_unless(rig_.main.complaint().empty(), "%s", rig_.main.complaint().c_str());
    const Said said = faults::listen(rig_.bus);
    fail_unless(said.errors.empty(), "%s", said.text().c_str());
  }

 private:
  Rig& rig_;
  std::atomic<bool> stop_{false};
  std::atomic<guint64> pushed_{0};
  std::atomic<GstFlowReturn> flow_{GST_FLOW_OK};
  std::thread thread_;
};

// Blocks threads in pass() until opened.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  GstFlowReturn pass(GstFlowReturn flow) {
    std::unique_lock lock(mutex_);
    waiting_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
    return flow;
  }
  void wait_for_somebody() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  bool waiting_ = false;
};

}  // namespace

// The pad is requested, linked to sinks with various answers, optionally unlinked or stopped, and
// released.
CHECK_TEST(test_comes_and_goes) {
  const Film film;
  // The sinks live until streaming ends: stopping a pad does not wait for its queries.
  std::vector<std::unique_ptr<Sink>> sinks;
  Rig rig;
  g_object_set(rig.element, "threads", 2U, nullptr);
  Streaming streaming(rig, film);
  const unsigned rounds = 1500 * faults::factor();
  guint64 pictures = 0;
  constexpr GstFlowReturn kAnswers[] = {GST_FLOW_OK, GST_FLOW_EOS, GST_FLOW_FLUSHING,
                                        GST_FLOW_NOT_LINKED};
  for (unsigned round = 0; round < rounds; ++round) {
    sinks.push_back(std::make_unique<Sink>("pictures"));
    Sink& sink = *sinks.back();
    const GstFlowReturn answer = kAnswers[round / 3 % 4];
    sink.answer = [answer](guint64 nth) { return nth == 0 ? GST_FLOW_OK : answer; };
    GstPad* pad = gst_element_request_pad_simple(rig.element, "overlay");
    fail_unless(pad != nullptr);
    const bool active_first = round % 2 == 0;
    if (active_first) gst_pad_set_active(sink.pad(), TRUE);
    if (round % 7 != 6) fail_unless_equals_int(gst_pad_link(pad, sink.pad()), GST_PAD_LINK_OK);
    if (!active_first) gst_pad_set_active(sink.pad(), TRUE);
    // Sometimes waits for frames, or pauses.
    if (round % 16 == 0) fail_unless(streaming.advance(2), "nothing moves in round %u", round);
    if (round % 5 == 4) g_usleep(round % 3 * 300);
    if (round % 3 == 1) gst_pad_set_active(sink.pad(), FALSE);
    if (round % 4 == 2) gst_pad_unlink(pad, sink.pad());
    gst_element_release_request_pad(rig.element, pad);
    gst_object_unref(pad);
    gst_pad_set_active(sink.pad(), FALSE);
    pictures += sink.count();
  }
  streaming.check();
  fail_unless(pictures > rounds / 20, "only %d pictures", static_cast<int>(pictures));
  fail_unless(streaming.pushed() > rounds / 20);
  std::printf("%u overlays came and went, %d pictures, %d frames\n", rounds,
              static_cast<int>(pictures), static_cast<int>(streaming.pushed()));
}

// A sink that blocks with a picture until flushed, like a sink that waits for a clock. Frames wait,
// and continue when the pad is released; none is lost.
CHECK_TEST(test_blocked_sink_is_released) {
  const Film film;
  for (unsigned round = 0; round < 3 * faults::factor(); ++round) {
    Rig rig("rdpsegment", true);
    Gate gate;
    rig.overlay->answer = [&](guint64 nth) {
      return nth == 2 ? gate.pass(GST_FLOW_FLUSHING) : GST_FLOW_OK;
    };
    rig.overlay->flushed = [&] { gate.open(); };
    Streaming streaming(rig, film);
    gate.wait_for_somebody();
    // One picture is being pushed, one is in the mailbox; the next has no place.
    fail_unless_equals_uint64(rig.main.count_after(4), 4);
    g_usleep(20000);
    fail_unless_equals_uint64(rig.main.count(), 4);
    GstPad* pad = gst_element_get_static_pad(rig.element, "overlay");
    gst_element_release_request_pad(rig.element, pad);
    gst_object_unref(pad);
    fail_unless(streaming.advance(10), "the main path does not go on");
    streaming.check();
  }
}

// The same with a full queue whose sink blocks.
CHECK_TEST(test_full_queue_is_released) {
  const Film film;
  for (unsigned round = 0; round < 3 * faults::factor(); ++round) {
    Rig rig;
    Gate gate;
    Sink sink("pictures");
    sink.answer = [&](guint64 nth) {
      return nth == 1 ? gate.pass(GST_FLOW_FLUSHING) : GST_FLOW_OK;
    };
    sink.flushed = [&] { gate.open(); };
    gst_pad_set_active(sink.pad(), TRUE);
    g_autoptr(GstElement) queue = gst_element_factory_make("queue", nullptr);
    gst_object_ref_sink(queue);
    g_object_set(queue, "max-size-buffers", 2U, nullptr);
    g_autoptr(GstPad) queue_src = gst_element_get_static_pad(queue, "src");
    g_autoptr(GstPad) queue_sink = gst_element_get_static_pad(queue, "sink");
    fail_unless_equals_int(gst_pad_link(queue_src, sink.pad()), GST_PAD_LINK_OK);
    gst_element_set_state(queue, GST_STATE_PLAYING);
    GstPad* pad = gst_element_request_pad_simple(rig.element, "overlay");
    fail_unless_equals_int(gst_pad_link(pad, queue_sink), GST_PAD_LINK_OK);
    Streaming streaming(rig, film);
    gate.wait_for_somebody();
    guint level = 0;
    for (int i = 0; i < 20000 && level < 2; ++i) {
      g_usleep(1000);
      g_object_get(queue, "current-level-buffers", &level, nullptr);
    }
    fail_unless_equals_int(level, 2);
    // Frames go on until the next picture has no place.
    guint64 stuck = 0;
    while (rig.main.count() != stuck) {
      stuck = rig.main.count();
      g_usleep(100000);
    }
    gst_element_release_request_pad(rig.element, pad);
    gst_object_unref(pad);
    fail_unless(streaming.advance(10), "the main path does not go on");
    streaming.check();
    gate.open();
    gst_element_set_state(queue, GST_STATE_NULL);
  }
}

CHECK_CASE(rdpsegment_faults_overlay)
