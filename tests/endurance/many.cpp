// SPDX-License-Identifier: LGPL-2.1-or-later
// Elements in several pipelines run at the same time, while another thread changes their properties
// and overlays.
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "common/scene/hash_random.h"
#include "tests/endurance/device.h"
#include "tests/endurance/run.h"
#include "tests/endurance/taps.h"

namespace rdp::endurance {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kInFlight = 6;  // frames of an element between its source and its sink
constexpr std::size_t kTimes = 16;      // ring size, above kInFlight
constexpr int kFeeders = 2;
constexpr auto kPatience = std::chrono::seconds(60);

// appsrc ! rdpsegment ! queue ! appsink, which is one of many in its pipeline.
class Branch {
 public:
  Branch(const Setup& setup, GstBin* pipeline, std::size_t number);
  ~Branch();
  Branch(const Branch&) = delete;
  Branch& operator=(const Branch&) = delete;

  GstElement* element() const { return element_; }
  std::uint64_t pushed() const { return pushed_.load(std::memory_order_acquire); }
  std::uint64_t received() const { return received_.load(std::memory_order_acquire); }
  std::uint64_t compared() const { return compared_.load(std::memory_order_relaxed); }

  // Selects the next frames. Call only while no frame is in flight.
  void use(const CaseGroup& group, Latency* latency);
  std::size_t settings() const { return group_->settings().size(); }
  void set(std::size_t setting) { apply(element_, group_->settings()[setting]); }
  // The setting that gives the most segments for a frame.
  std::size_t fullest_setting(std::size_t frame) const;
  bool has_room() const { return pushed() - received() < kInFlight; }
  void push() { push(pushed() % group_->frames().size()); }
  void push(std::size_t content);
  // While `holding`, output frames are kept.
  void hold(bool holding);

 private:
  static GstFlowReturn new_sample(GstAppSink*, gpointer branch);
  void receive(GstBuffer* buffer);
  std::string check(GstBuffer* buffer, std::uint64_t frame) const;

  const Setup& setup_;
  std::size_t number_;
  GstElement* element_;
  GstAppSrc* in_;
  GstAppSink* out_;
  const CaseGroup* group_ = nullptr;
  Latency* latency_ = nullptr;
  std::atomic<std::uint64_t> pushed_{0};
  std::atomic<std::uint64_t> received_{0};
  std::atomic<std::uint64_t> compared_{0};
  std::array<std::atomic<std::int64_t>, kTimes> pushed_at_{};
  std::array<std::atomic<std::size_t>, kTimes> contents_{};
  std::atomic<bool> holding_{false};
  std::vector<GstBuffer*> held_;  // sink's thread; any thread while no frame is in flight
};

GstElement* add(GstBin* bin, const char* factory) {
  GstElement* element = gst_element_factory_make(factory, nullptr);
  if (element == nullptr) throw std::runtime_error(std::string("there is no ") + factory);
  gst_bin_add(bin, element);
  return element;
}

Branch::Branch(const Setup& setup, GstBin* pipeline, std::size_t number)
    : setup_(setup), number_(number) {
  in_ = GST_APP_SRC(gst_object_ref(add(pipeline, "appsrc")));
  element_ = GST_ELEMENT(gst_object_ref(add(pipeline, "rdpsegment")));
  GstElement* queue = add(pipeline, "queue");
  out_ = GST_APP_SINK(gst_object_ref(add(pipeline, "appsink")));
  g_object_set(in_, "format", GST_FORMAT_TIME, nullptr);
  gst_util_set_object_arg(G_OBJECT(element_), "backend", setup.options.backend.c_str());
  g_object_set(element_, "threads", setup.options.threads, nullptr);
  g_object_set(queue, "max-size-buffers", 2, nullptr);
  g_object_set(out_, "sync", FALSE, nullptr);
  GstAppSinkCallbacks callbacks = {};
  callbacks.new_sample = new_sample;
  gst_app_sink_set_callbacks(out_, &callbacks, this, nullptr);
  if (!gst_element_link_many(GST_ELEMENT(in_), element_, queue, out_, nullptr)) {
    throw std::runtime_error("rdpsegment cannot be linked");
  }
}

Branch::~Branch() {
  hold(false);
  gst_object_unref(out_);
  gst_object_unref(element_);
  gst_object_unref(in_);
}

void Branch::use(const CaseGroup& group, Latency* latency) {
  latency_ = latency;
  if (group_ == &group) return;
  group_ = &group;
  g_autoptr(GstCaps) caps = frames::caps(group.shape(), setup_.memory.feature());
  gst_app_src_set_caps(in_, caps);
}

std::size_t Branch::fullest_setting(std::size_t frame) const {
  std::size_t fullest = 0;
  for (std::size_t i = 1; i < group_->settings().size(); ++i) {
    if (group_->expected(frame, i).segments.segment_count() >
        group_->expected(frame, fullest).segments.segment_count()) {
      fullest = i;
    }
  }
  return fullest;
}

void Branch::hold(bool holding) {
  holding_ = holding;
  for (GstBuffer* buffer : held_) gst_buffer_unref(buffer);
  held_.clear();
}

void Branch::push(std::size_t content) {
  const std::uint64_t frame = pushed();
  pushed_at_[frame % kTimes] = Clock::now().time_since_epoch().count();
  contents_[frame % kTimes] = content;
  GstBuffer* buffer = group_->copy(content, pts_of(frame));
  pushed_.store(frame + 1, std::memory_order_release);
  if (gst_app_src_push_buffer(in_, buffer) != GST_FLOW_OK) {
    setup_.failures.add("appsrc " + std::to_string(number_) + " takes no frame");
  }
}

GstFlowReturn Branch::new_sample(GstAppSink* sink, gpointer branch) {
  GstSample* sample = gst_app_sink_pull_sample(sink);
  if (sample == nullptr) return GST_FLOW_EOS;
  // Release the sample first: once the frame counts as received, no reference to it may exist.
  GstBuffer* buffer = gst_buffer_ref(gst_sample_get_buffer(sample));
  gst_sample_unref(sample);
  static_cast<Branch*>(branch)->receive(buffer);
  return GST_FLOW_OK;
}

void Branch::receive(GstBuffer* buffer) {
  const std::uint64_t frame = received();
  latency_->record(Clock::now().time_since_epoch() -
                   Clock::duration(pushed_at_[frame % kTimes].load()));
  std::string wrong;
  if (GST_BUFFER_PTS(buffer) != pts_of(frame)) {
    wrong = "another frame came out in its place";
  } else if (frame % setup_.options.check_every == 0) {
    wrong = check(buffer, frame);
    ++compared_;
  }
  if (holding_) {
    held_.push_back(buffer);
  } else {
    gst_buffer_unref(buffer);
  }
  if (!wrong.empty()) {
    setup_.failures.add("element " + std::to_string(number_) + ", frame " + std::to_string(frame) +
                        ": " + wrong);
  }
  received_.store(frame + 1, std::memory_order_release);
}

// The frame's segmentation states the properties that were set when the frame arrived.
std::string Branch::check(GstBuffer* buffer, std::uint64_t frame) const {
  GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(buffer);
  if (segmentation == nullptr) return "it came without its segments";
  const GstRdpSegmentationInfo& info = *gst_rdp_segmentation_get_info(segmentation);
  const std::size_t content = contents_[frame % kTimes];
  for (std::size_t i = 0; i < group_->settings().size(); ++i) {
    const Setting& setting = group_->settings()[i];
    if (!made_with(info, setting.parameters)) continue;
    const Expected& expected = group_->expected(content, i);
    const std::string wrong =
        check_segments(buffer, group_->frames()[content].content, setting, expected, frame);
    return wrong.empty() ? check_samples(buffer, group_->shape(), expected) : wrong;
  }
  return "its segmentation says that it was made with parameters that were never set";
}

class Many final : public Run {
 public:
  explicit Many(const Setup& setup);
  ~Many() override;
  bool batch(std::uint64_t amount, Latency* latency) override;
  std::uint64_t done() const override { return received() - before_; }
  std::string report() const override;
  std::string summary() const override {
    return std::to_string(branches_.size()) + " elements in " + std::to_string(pipelines_.size()) +
           " pipelines, " + grouped(done()) + " frames";
  }

 private:
  void grow_to_the_largest();
  bool push_to_all(std::size_t content);
  void feed(std::size_t first, std::uint64_t share);
  void change_things();
  void change_property(GstElement* element, std::uint64_t random);
  bool wait_for_all();
  std::uint64_t received() const;

  const Setup& setup_;
  Latency start_;  // of the frames before the first batch
  GstObject* shared_context_ = nullptr;
  std::vector<GstElement*> pipelines_;
  std::vector<std::unique_ptr<Branch>> branches_;
  std::vector<std::unique_ptr<Overlay>> overlays_;  // of the branches; the thread that changes them
  std::atomic<bool> stop_{false};
  std::atomic<bool> broken_{false};
  std::uint64_t before_ = 0;  // frames before the first batch
  std::uint64_t batches_ = 0;
  std::uint64_t changes_ = 0;
  std::uint64_t overlay_changes_ = 0;
  std::uint64_t pictures_ = 0;
};

Many::Many(const Setup& setup) : setup_(setup) {
  const auto elements = static_cast<std::size_t>(setup.options.elements);
  const auto pipelines = static_cast<std::size_t>(setup.options.pipelines);
  if (setup.options.share_context) shared_context_ = shared_device_context(setup);
  for (std::size_t i = 0; i < pipelines; ++i) {
    pipelines_.push_back(GST_ELEMENT(gst_object_ref_sink(gst_pipeline_new(nullptr))));
    if (shared_context_ != nullptr) share_context(pipelines_.back(), shared_context_);
  }
  for (std::size_t i = 0; i < elements; ++i) {
    branches_.push_back(std::make_unique<Branch>(setup, GST_BIN(pipelines_[i % pipelines]), i));
  }
  overlays_.resize(elements);
  for (GstElement* pipeline : pipelines_) {
    if (gst_element_set_state(pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
      GstBus* bus = gst_element_get_bus(pipeline);
      const std::string error = take_error(bus);
      gst_object_unref(bus);
      throw std::runtime_error("a pipeline does not start: " + error);
    }
  }
  grow_to_the_largest();
  before_ = received();
}

// Elements keep the memory of their largest frame and of each segmentation in flight, so they would
// grow at random times. This makes all of them grow at once.
void Many::grow_to_the_largest() {
  for (const auto& group : setup_.cases) {
    for (const auto& branch : branches_) branch->use(*group, &start_);
    for (std::size_t frame = 0; frame < group->frames().size(); ++frame) {
      for (std::size_t setting = 0; setting < group->settings().size(); ++setting) {
        for (const auto& branch : branches_) branch->set(setting);
        if (!push_to_all(frame)) return;
      }
      for (const char* feature : {setup_.memory.feature(), static_cast<const char*>(nullptr)}) {
        for (std::size_t i = 0; i < branches_.size(); ++i) {
          overlays_[i] = std::make_unique<Overlay>(branches_[i]->element(), feature, 0);
        }
        if (!push_to_all(frame)) return;
        for (auto& overlay : overlays_) overlay.reset();
      }
      for (const auto& branch : branches_) {
        branch->set(branch->fullest_setting(frame));
        branch->hold(true);
      }
      for (std::uint64_t i = 0; i < kInFlight; ++i) {
        if (!push_to_all(frame)) return;
      }
      for (const auto& branch : branches_) branch->hold(false);
    }
  }
}

bool Many::push_to_all(std::size_t content) {
  for (const auto& branch : branches_) branch->push(content);
  if (!wait_for_all()) broken_ = true;
  return !broken_;
}

Many::~Many() {
  overlays_.clear();
  for (GstElement* pipeline : pipelines_) gst_element_set_state(pipeline, GST_STATE_NULL);
  branches_.clear();
  for (GstElement* pipeline : pipelines_) gst_object_unref(pipeline);
  gst_clear_object(&shared_context_);
}

// Each element gets its share of the frames; the next batch has other frames.
bool Many::batch(std::uint64_t amount, Latency* latency) {
  const std::uint64_t share = (amount + branches_.size() - 1) / branches_.size();
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    branches_[i]->use(*setup_.cases[(i + batches_) % setup_.cases.size()], latency);
    branches_[i]->set(batches_ % branches_[i]->settings());
  }
  ++batches_;
  stop_ = false;
  std::thread changing([this] { change_things(); });
  std::vector<std::thread> feeders;
  for (std::size_t i = 0; i < kFeeders; ++i) {
    feeders.emplace_back([this, i, share] { feed(i, share); });
  }
  for (std::thread& feeder : feeders) feeder.join();
  stop_ = true;
  changing.join();
  if (!wait_for_all()) broken_ = true;
  for (const auto& group : setup_.cases) setup_.failures.add_if(group->check_untouched());
  for (GstElement* pipeline : pipelines_) {
    g_autoptr(GstBus) bus = gst_element_get_bus(pipeline);
    setup_.failures.add_if(take_error(bus));
  }
  return !broken_;
}

// Feeds `share` frames to every kFeeders-th element, beginning with number `first`.
void Many::feed(std::size_t first, std::uint64_t share) {
  std::vector<std::uint64_t> left(branches_.size(), 0);
  std::uint64_t all_left = 0;
  for (std::size_t i = first; i < branches_.size(); i += kFeeders) {
    left[i] = share;
    all_left += share;
  }
  Clock::time_point last_push = Clock::now();
  while (all_left > 0) {
    bool any = false;
    for (std::size_t i = first; i < branches_.size(); i += kFeeders) {
      if (left[i] == 0 || !branches_[i]->has_room()) continue;
      branches_[i]->push();
      --left[i];
      --all_left;
      any = true;
    }
    if (any) {
      last_push = Clock::now();
    } else if (Clock::now() - last_push > kPatience) {
      setup_.failures.add("no element takes a frame any more");
      broken_ = true;
      return;
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
}

void Many::change_things() {
  HashSequence random(sub_key(11, batches_));
  while (!stop_) {
    const std::size_t which = random.bits() % branches_.size();
    GstElement* element = branches_[which]->element();
    if (random.bits() % 3 != 0) {
      change_property(element, random.bits());
      ++changes_;
    } else {
      std::unique_ptr<Overlay>& overlay = overlays_[which];
      if (overlay) {
        if (overlay->tap().out_of_order()) setup_.failures.add("pictures came out of order");
        pictures_ += overlay->tap().count();
        overlay.reset();
      } else {
        const bool in_device = random.bits() % 2 == 0;
        overlay = std::make_unique<Overlay>(element, in_device ? setup_.memory.feature() : nullptr,
                                            static_cast<unsigned>(random.bits() % 3));
        setup_.failures.add_if(overlay->complaint());
      }
      ++overlay_changes_;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
  for (std::unique_ptr<Overlay>& overlay : overlays_) {
    if (overlay) pictures_ += overlay->tap().count();
    overlay.reset();
  }
}

// Changes one property at a time, so that the table holds every possible result.
void Many::change_property(GstElement* element, std::uint64_t random) {
  const bool on = (random & 8) != 0;
  switch (random % 4) {
    case 0:
      g_object_set(element, "merge", on ? TRUE : FALSE, nullptr);
      break;
    case 1:
      g_object_set(element, "median", on ? 3 : 0, nullptr);
      break;
    case 2:
      g_object_set(element, "column-width", on ? 3U : 1U, nullptr);
      break;
    case 3:
      g_object_set(element, "max-gap", on ? 4U : 0U, nullptr);
      break;
  }
}

bool Many::wait_for_all() {
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const Branch& branch = *branches_[i];
    while (branch.received() < branch.pushed()) {
      if (Clock::now() - start > kPatience) {
        setup_.failures.add("element " + std::to_string(i) + ": " +
                            std::to_string(branch.pushed()) + " frames in, " +
                            std::to_string(branch.received()) + " out");
        return false;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
  return true;
}

std::uint64_t Many::received() const {
  std::uint64_t sum = 0;
  for (const auto& branch : branches_) sum += branch->received();
  return sum;
}

std::string Many::report() const {
  std::uint64_t pushed = 0;
  std::uint64_t compared = 0;
  for (const auto& branch : branches_) {
    pushed += branch->pushed();
    compared += branch->compared();
  }
  return "  frames: " + grouped(pushed) + " in, " + grouped(received()) + " out of " +
         std::to_string(branches_.size()) + " elements, " + grouped(compared) +
         " compared with the reference\n  changes: " + grouped(batches_) +
         " times the caps of all elements, " + grouped(changes_) +
         " of a property\n  overlay: " + grouped(overlay_changes_) +
         " times requested or released, " + grouped(pictures_) + " pictures\n";
}

}  // namespace

std::unique_ptr<Run> make_many(const Setup& setup) { return std::make_unique<Many>(setup); }

}  // namespace rdp::endurance
