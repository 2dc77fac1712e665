// SPDX-License-Identifier: LGPL-2.1-or-later
// Makes, starts, stops and disposes of pipelines, several at the same time.
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/endurance/device.h"
#include "tests/endurance/run.h"
#include "tests/endurance/taps.h"

namespace rdp::endurance {
namespace {

constexpr std::uint64_t kFramesOfRound = 6;
constexpr std::uint64_t kKinds = 6;
constexpr GstClockTime kPatience = 60 * GST_SECOND;

// Life of a pipeline in a round.
enum class Kind {
  kPlain,      // plays to its end
  kBranches,   // has an overlay branch, with queues
  kCutOff,     // is stopped while frames are in flight
  kTwice,      // plays to its end twice
  kOverlay,    // gets and loses an overlay while it plays
  kElsewhere,  // frames go to the GPU and come back; without one, a single frame has several
               // threads
};

struct Unref {
  void operator()(gpointer object) const { gst_object_unref(object); }
};
template <typename T>
using Owned = std::unique_ptr<T, Unref>;

// One pipeline, from its making to its end.
class Round {
 public:
  Round(const Setup& setup, std::uint64_t number, GstObject* context);
  ~Round() { gst_element_set_state(pipeline_.get(), GST_STATE_NULL); }
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

  // Returns an error text; empty: no error.
  std::string play();
  std::uint64_t pushed() const { return pushed_; }
  std::uint64_t received() const { return received_; }
  std::uint64_t compared() const { return compared_; }
  // Frames in flight when the pipeline was stopped.
  std::uint64_t cut_off() const { return cut_off_; }

 private:
  std::string launch_line() const;
  std::string play_once();
  std::string pull(std::uint64_t frame);
  std::string check(GstBuffer* buffer, std::uint64_t frame) const;
  std::string error() const;

  const Setup& setup_;
  Kind kind_;
  const CaseGroup& group_;
  std::size_t setting_;
  Owned<GstElement> pipeline_;
  Owned<GstElement> in_;
  Owned<GstElement> element_;
  Owned<GstElement> out_;
  std::uint64_t pushed_ = 0;
  std::uint64_t received_ = 0;
  std::uint64_t compared_ = 0;
  std::uint64_t cut_off_ = 0;
};

Round::Round(const Setup& setup, std::uint64_t number, GstObject* context)
    : setup_(setup),
      kind_(static_cast<Kind>(number % kKinds)),
      group_(*setup.cases[number / kKinds % setup.cases.size()]),
      setting_(number % group_.settings().size()) {
  GError* failure = nullptr;
  pipeline_.reset(gst_parse_launch(launch_line().c_str(), &failure));
  if (failure != nullptr) {
    const std::string text = failure->message;
    g_error_free(failure);
    throw std::runtime_error("no pipeline can be made: " + text);
  }
  if (context != nullptr) share_context(pipeline_.get(), context);
  const auto find = [&](const char* name) {
    return Owned<GstElement>(gst_bin_get_by_name(GST_BIN(pipeline_.get()), name));
  };
  in_ = find("in");
  element_ = find("s");
  out_ = find("out");
  gst_util_set_object_arg(G_OBJECT(element_.get()), "backend", setup.options.backend.c_str());
  apply(element_.get(), group_.settings()[setting_]);
  g_autoptr(GstCaps) caps = frames::caps(group_.shape(), setup.memory.feature());
  gst_app_src_set_caps(GST_APP_SRC(in_.get()), caps);
}

std::string Round::launch_line() const {
  const bool to_gpu = kind_ == Kind::kElsewhere && setup_.options.backend != "cpu" &&
                      setup_.options.memory == Memory::kSystem;
  const unsigned threads = kind_ == Kind::kElsewhere ? 4 : setup_.options.threads;
  std::string line = "appsrc name=in format=time ! ";
  if (to_gpu) line += "depthupload ! ";
  line += "rdpsegment name=s threads=" + std::to_string(threads) + " ";
  if (kind_ == Kind::kBranches)
    line += "s.overlay ! queue ! fakesink async=false sync=false s.src ";
  line += "! ";
  if (kind_ == Kind::kBranches || kind_ == Kind::kCutOff) line += "queue ! ";
  if (to_gpu) line += "depthdownload ! ";
  return line + "appsink name=out sync=false";
}

std::string Round::play() {
  std::string wrong = play_once();
  if (!wrong.empty() || kind_ != Kind::kTwice) return wrong;
  if (gst_element_set_state(pipeline_.get(), GST_STATE_READY) == GST_STATE_CHANGE_FAILURE) {
    return "it cannot be stopped: " + error();
  }
  // Source and sink leave the end-of-stream state only in NULL.
  gst_element_set_state(in_.get(), GST_STATE_NULL);
  gst_element_set_state(out_.get(), GST_STATE_NULL);
  return play_once();
}

std::string Round::play_once() {
  if (gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    return "it does not start: " + error();
  }
  std::optional<Overlay> overlay;
  for (std::uint64_t frame = 0; frame < kFramesOfRound; ++frame) {
    GstBuffer* buffer = group_.copy(frame % group_.frames().size(), pts_of(frame));
    if (gst_app_src_push_buffer(GST_APP_SRC(in_.get()), buffer) != GST_FLOW_OK) {
      return "it takes no frame: " + error();
    }
    ++pushed_;
    if (kind_ == Kind::kOverlay && frame % 3 == 0) {
      overlay.emplace(element_.get(), frame == 0 ? setup_.memory.feature() : nullptr,
                      static_cast<unsigned>(pushed_));
      if (!overlay->complaint().empty()) return overlay->complaint();
    } else if (kind_ == Kind::kOverlay && frame % 3 == 2) {
      overlay.reset();
    }
  }
  if (kind_ == Kind::kCutOff) {
    constexpr std::uint64_t kPulled = 2;
    for (std::uint64_t frame = 0; frame < kPulled; ++frame) {
      const std::string wrong = pull(frame);
      if (!wrong.empty()) return wrong;
    }
    cut_off_ += kFramesOfRound - kPulled;
    return {};
  }
  gst_app_src_end_of_stream(GST_APP_SRC(in_.get()));
  for (std::uint64_t frame = 0; frame < kFramesOfRound; ++frame) {
    const std::string wrong = pull(frame);
    if (!wrong.empty()) return wrong;
  }
  GstSample* more = gst_app_sink_try_pull_sample(GST_APP_SINK(out_.get()), kPatience);
  if (more == nullptr && gst_app_sink_is_eos(GST_APP_SINK(out_.get()))) return {};
  if (more != nullptr) gst_sample_unref(more);
  return more != nullptr ? "more frames came out than went in" : "it does not end: " + error();
}

std::string Round::pull(std::uint64_t frame) {
  GstSample* sample = gst_app_sink_try_pull_sample(GST_APP_SINK(out_.get()), kPatience);
  if (sample == nullptr) return "frame " + std::to_string(frame) + " does not come out: " + error();
  const std::string wrong = check(gst_sample_get_buffer(sample), frame);
  gst_sample_unref(sample);
  ++received_;
  ++compared_;
  return wrong.empty() ? wrong : "frame " + std::to_string(frame) + ": " + wrong;
}

std::string Round::check(GstBuffer* buffer, std::uint64_t frame) const {
  if (GST_BUFFER_PTS(buffer) != pts_of(frame)) return "another one came out in its place";
  const std::size_t content = frame % group_.frames().size();
  const Expected& expected = group_.expected(content, setting_);
  const std::string wrong = check_segments(buffer, group_.frames()[content].content,
                                           group_.settings()[setting_], expected, frame);
  return wrong.empty() ? check_samples(buffer, group_.shape(), expected) : wrong;
}

std::string Round::error() const {
  GstBus* bus = gst_element_get_bus(pipeline_.get());
  const std::string text = take_error(bus);
  gst_object_unref(bus);
  return text.empty() ? "no error was posted" : text;
}

class Restart final : public Run {
 public:
  explicit Restart(const Setup& setup) : setup_(setup) {
    if (setup.options.share_context) context_ = shared_device_context(setup);
  }
  ~Restart() override { gst_clear_object(&context_); }
  bool batch(std::uint64_t amount, Latency* latency) override;
  std::uint64_t done() const override { return rounds_; }
  std::string report() const override;
  std::string summary() const override {
    return grouped(rounds_) + " pipelines, " + std::to_string(setup_.options.pipelines) +
           " at a time, " + grouped(received_) + " frames";
  }

 private:
  void work(std::uint64_t until, Latency* latency);
  void play(std::uint64_t number, Latency* latency);

  const Setup& setup_;
  GstObject* context_ = nullptr;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> rounds_{0};
  std::atomic<std::uint64_t> pushed_{0};
  std::atomic<std::uint64_t> received_{0};
  std::atomic<std::uint64_t> compared_{0};
  std::atomic<std::uint64_t> cut_off_{0};
};

bool Restart::batch(std::uint64_t amount, Latency* latency) {
  const std::uint64_t until = next_ + amount;
  std::vector<std::thread> threads;
  for (int i = 0; i < setup_.options.pipelines; ++i) {
    threads.emplace_back([this, until, latency] { work(until, latency); });
  }
  for (std::thread& thread : threads) thread.join();
  next_ = until;
  for (const auto& group : setup_.cases) setup_.failures.add_if(group->check_untouched());
  return true;
}

void Restart::work(std::uint64_t until, Latency* latency) {
  for (;;) {
    const std::uint64_t number = next_.fetch_add(1);
    if (number >= until) return;
    play(number, latency);
  }
}

void Restart::play(std::uint64_t number, Latency* latency) {
  const auto start = std::chrono::steady_clock::now();
  try {
    Round round(setup_, number, context_);
    const std::string wrong = round.play();
    if (!wrong.empty()) {
      setup_.failures.add("pipeline " + std::to_string(number) + " (kind " +
                          std::to_string(number % kKinds) + "): " + wrong);
    }
    pushed_ += round.pushed();
    received_ += round.received();
    compared_ += round.compared();
    cut_off_ += round.cut_off();
  } catch (const std::exception& error) {
    setup_.failures.add("pipeline " + std::to_string(number) + ": " + error.what());
  }
  latency->record(std::chrono::steady_clock::now() - start);
  ++rounds_;
}

std::string Restart::report() const {
  return "  pipelines: " + grouped(rounds_) + " made, started, stopped and thrown away, " +
         std::to_string(setup_.options.pipelines) + " at a time\n  frames: " + grouped(pushed_) +
         " in, " + grouped(received_) + " out, " + grouped(cut_off_) +
         " on their way when a pipeline was stopped; " + grouped(compared_) +
         " compared with the reference\n";
}

}  // namespace

std::unique_ptr<Run> make_restart(const Setup& setup) { return std::make_unique<Restart>(setup); }

}  // namespace rdp::endurance
