// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_FAULT_RIG_H_
#define RDP_TESTS_SUPPORT_FAULT_RIG_H_

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/await.h"
#include "tests/support/frames.h"

// rdpsegment between pads that a test controls, for tests of failures. Every frame has a number, is
// counted at input and output, and must have the reference's segments.
//
// RDPSEGMENT_FAULTS=N in the environment repeats repeated tests N times as often. Tests that skip
// cases (two of three, say) skip none if N is above 1. `meson test` uses 1.
namespace faults {

using frames::Shape;

inline unsigned factor() {
  const char* text = std::getenv("RDPSEGMENT_FAULTS");
  const int number = text == nullptr ? 1 : std::atoi(text);
  return number < 1 ? 1U : static_cast<unsigned>(number);
}

// A random number from 0 to n - 1, to select among too many cases. SEED=N repeats a run; the seed
// is printed.
inline int any_below(int n) {
  static std::mt19937 engine = [] {
    const char* text = std::getenv("SEED");
    const auto seed = text == nullptr ? std::random_device{}()
                                      : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
    std::printf("SEED=%u\n", seed);
    std::fflush(stdout);
    return std::mt19937(seed);
  }();
  return static_cast<int>(engine() % static_cast<unsigned>(n));
}

// True while the element under test runs, as far as a test with one streaming thread can tell.
inline std::atomic<bool> at_work{false};
// True while the calling thread is in the test's own code, such as a sink pad of the rig.
inline thread_local bool in_test = false;
inline bool is_at_work() { return at_work && !in_test; }

class AtWork {
 public:
  explicit AtWork(bool is) : before_(at_work.exchange(is)) {}
  ~AtWork() { at_work = before_; }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

 private:
  bool before_;
};

class InTest {
 public:
  InTest() : before_(std::exchange(in_test, true)) {}
  ~InTest() { in_test = before_; }
  InTest(const InTest&) = delete;
  InTest& operator=(const InTest&) = delete;

 private:
  bool before_;
};

// Numbered frames, and the expected results.
class Film {
 public:
  explicit Film(const Shape& shape = {GST_VIDEO_FORMAT_GRAY16_LE, 24, 16},
                const rdp::Parameters& parameters = {})
      : shape_(shape) {
    for (unsigned scene = 0; scene < kScenes; ++scene) {
      const frames::Content content = frames::draw(shape_, frames::Scene::kSurface, scene);
      rdp::reference::segment_filtered(content.view(), parameters, &expected_[scene]);
    }
  }

  const Shape& shape() const { return shape_; }
  // The seed of frames::make() for frame `number`.
  static unsigned scene(guint64 number) { return static_cast<unsigned>(number % kScenes); }

  GstBuffer* frame(guint64 number) const {
    GstBuffer* buffer = frames::make(shape_, scene(number), static_cast<unsigned>(number));
    GST_BUFFER_OFFSET(buffer) = number;
    return buffer;
  }

  // The fault of output frame `number`; empty: none.
  std::string complaint(GstBuffer* buffer, guint64 number) const {
    const std::string frame = "frame " + std::to_string(number);
    if (GST_BUFFER_OFFSET(buffer) != number) {
      return frame + " has offset " + std::to_string(GST_BUFFER_OFFSET(buffer));
    }
    if (GST_BUFFER_PTS(buffer) != number * GST_SECOND / 30) {
      return frame + " has another time";
    }
    GstRdpSegmentation* segmentation = gst_rdp_buffer_get_segmentation(buffer);
    if (segmentation == nullptr) return frame + " has no segments";
    const std::string wrong = frames::difference(expected_[scene(number)], segmentation);
    return wrong.empty() ? wrong : frame + ": " + wrong;
  }

 private:
  static constexpr unsigned kScenes = 5;

  Shape shape_;
  std::array<rdp::SegmentList, kScenes> expected_;
};

// A peer for one of the element's source pads. Any thread may push to it.
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
    gst_pad_set_query_function(
        pad_, [](GstPad* pad, GstObject* parent, GstQuery* asked) -> gboolean {
          auto* self = static_cast<Sink*>(gst_pad_get_element_private(pad));
          const InTest test;
          if (self->query != nullptr && self->query(asked)) return TRUE;
          if (self->reads_device_rows && GST_QUERY_TYPE(asked) == GST_QUERY_ALLOCATION &&
              is_of_device(asked)) {
            gst_query_add_allocation_meta(asked, GST_VIDEO_META_API_TYPE, nullptr);
            return TRUE;
          }
          if (GST_QUERY_TYPE(asked) != GST_QUERY_CAPS) {
            return gst_pad_query_default(pad, parent, asked);
          }
          // Accepts all caps, whatever the present ones.
          GstCaps* filter;
          gst_query_parse_caps(asked, &filter);
          GstCaps* any = filter == nullptr ? gst_caps_new_any() : gst_caps_ref(filter);
          gst_query_set_caps_result(asked, any);
          gst_caps_unref(any);
          return TRUE;
        });
  }
  ~Sink() {
    gst_pad_set_active(pad_, FALSE);
    gst_object_unref(pad_);
  }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  GstPad* pad() const { return pad_; }

  // The return value for the nth buffer, from 0; null: OK. Set it while no data flows.
  std::function<GstFlowReturn(guint64 nth)> answer;
  // Checks each buffer before that, and returns its fault.
  std::function<std::string(GstBuffer* buffer, guint64 nth)> look;
  // Called at FLUSH_START.
  std::function<void()> flushed;
  // Announces support for GstVideoMeta with frames in CUDA memory.
  bool reads_device_rows = true;
  // Answers a query; false: the default handler answers.
  std::function<bool(GstQuery* query)> query;

  guint64 count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  // The number of buffers, once it has reached `wanted` or the wait has timed out.
  guint64 count_after(guint64 wanted) const {
    rdp::test::await([&] { return count() >= wanted; });
    return count();
  }
  guint64 ends() const {
    const std::lock_guard lock(mutex_);
    return ends_;
  }
  // True if a buffer got another return value than OK.
  bool refused() const {
    const std::lock_guard lock(mutex_);
    return refused_;
  }
  // The first fault; empty: none.
  std::string complaint() const {
    const std::lock_guard lock(mutex_);
    return complaint_;
  }
  // Resets all counts and faults.
  void forget() {
    const std::lock_guard lock(mutex_);
    count_ = 0;
    ends_ = 0;
    refused_ = false;
    complaint_.clear();
  }

 private:
  // True if an allocation query is for CUDA memory.
  static bool is_of_device(GstQuery* query) {
    GstCaps* caps = nullptr;
    gst_query_parse_allocation(query, &caps, nullptr);
    return caps != nullptr && gst_caps_get_size(caps) > 0 &&
           gst_caps_features_contains(gst_caps_get_features(caps, 0), "memory:CUDAMemory");
  }
  GstFlowReturn take(GstBuffer* buffer) {
    const InTest test;
    guint64 nth;
    {
      const std::lock_guard lock(mutex_);
      nth = count_++;
      if (look != nullptr && complaint_.empty()) complaint_ = look(buffer, nth);
    }
    gst_buffer_unref(buffer);
    const GstFlowReturn flow = answer == nullptr ? GST_FLOW_OK : answer(nth);
    if (flow != GST_FLOW_OK) {
      const std::lock_guard lock(mutex_);
      refused_ = true;
    }
    return flow;
  }
  void note(GstEvent* event) {
    if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_START && flushed != nullptr) flushed();
    const std::lock_guard lock(mutex_);
    if (GST_EVENT_TYPE(event) == GST_EVENT_EOS) ++ends_;
  }

  GstPad* pad_;
  mutable std::mutex mutex_;
  guint64 count_ = 0;
  guint64 ends_ = 0;
  bool refused_ = false;
  std::string complaint_;
};

// The errors and warnings on an element's bus.
struct Said {
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
  // All of them, for a failure text.
  std::string text() const {
    std::string all;
    for (const auto* list : {&errors, &warnings}) {
      for (const std::string& one : *list) all += one + "\n";
    }
    return all.empty() ? "nothing" : all;
  }
};

inline Said listen(GstBus* bus) {
  Said said;
  while (GstMessage* message = gst_bus_pop(bus)) {
    GError* error = nullptr;
    gchar* debug = nullptr;
    std::vector<std::string>* list = nullptr;
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
      gst_message_parse_error(message, &error, &debug);
      list = &said.errors;
    } else if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_WARNING) {
      gst_message_parse_warning(message, &error, &debug);
      list = &said.warnings;
    }
    if (list != nullptr) {
      list->push_back(std::string(GST_MESSAGE_SRC_NAME(message)) + ": " +
                      g_quark_to_string(error->domain) + " " + std::to_string(error->code) + ": " +
                      error->message + " | " + (debug == nullptr ? "" : debug));
      g_error_free(error);
      g_free(debug);
    }
    gst_message_unref(message);
  }
  return said;
}

// An element with a source pad before it and a sink behind it, and one behind rdpsegment's overlay.
class Rig {
 public:
  explicit Rig(const char* factory = "rdpsegment", bool with_overlay = false)
      : element(gst_element_factory_make(factory, nullptr)), main("main") {
    gst_object_ref_sink(element);
    // One thread, because tests make hundreds of rigs, and threads are slow under a sanitizer.
    if (g_str_equal(factory, "rdpsegment")) g_object_set(element, "threads", 1U, nullptr);
    bus = frames::attach_bus(element);
    GstPad* sink = gst_element_get_static_pad(element, "sink");
    if (sink != nullptr) {
      source = gst_pad_new("source", GST_PAD_SRC);
      gst_object_ref_sink(source);
      gst_pad_set_active(source, TRUE);
      fail_unless_equals_int(gst_pad_link(source, sink), GST_PAD_LINK_OK);
      gst_object_unref(sink);
    }
    gst_pad_set_active(main.pad(), TRUE);
    GstPad* src = gst_element_get_static_pad(element, "src");
    fail_unless_equals_int(gst_pad_link(src, main.pad()), GST_PAD_LINK_OK);
    gst_object_unref(src);
    if (with_overlay) {
      overlay = std::make_unique<Sink>("pictures");
      gst_pad_set_active(overlay->pad(), TRUE);
      g_autoptr(GstPad) pad = gst_element_request_pad_simple(element, "overlay");
      fail_unless_equals_int(gst_pad_link(pad, overlay->pad()), GST_PAD_LINK_OK);
    }
  }
  ~Rig() {
    stop();
    if (source != nullptr) {
      gst_pad_set_active(source, FALSE);
      gst_object_unref(source);
    }
    frames::detach_bus(element, bus);
    gst_object_unref(element);
  }
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  bool start() {
    const AtWork now(true);
    return gst_element_set_state(element, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE;
  }
  void stop() {
    const AtWork now(true);
    gst_element_set_state(element, GST_STATE_NULL);
  }

  // Sends the events before the first frame. Takes ownership of `caps`.
  bool begin(GstCaps* caps) {
    return event(gst_event_new_stream_start("faults")) && set_caps(caps) && segment();
  }
  bool begin(const Film& film) { return begin(frames::caps(film.shape())); }
  // (transfer full): `caps`
  bool set_caps(GstCaps* caps) {
    const bool taken = event(gst_event_new_caps(caps));
    gst_caps_unref(caps);
    return taken;
  }
  bool segment() {
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    return event(gst_event_new_segment(&segment));
  }
  bool event(GstEvent* event) {
    const AtWork now(true);
    return gst_pad_push_event(source, event) != FALSE;
  }
  GstFlowReturn push(GstBuffer* buffer) {
    const AtWork now(true);
    return gst_pad_push(source, buffer);
  }

  // Expects the frames of `film` in order, from `first` on.
  void expect(const Film& film, guint64 first = 0) {
    main.look = [&film, first](GstBuffer* buffer, guint64 nth) {
      return film.complaint(buffer, first + nth);
    };
  }

  // Checks that a stream from NULL works after any failure. `caps`: (transfer full); frame(n) makes
  // the nth frame, which main.look checks.
  void check_fresh_start(const std::string& after, GstCaps* caps,
                         const std::function<GstBuffer*(guint64)>& frame) {
    stop();
    listen(bus);
    for (Sink* sink : {&main, overlay.get()}) {
      if (sink == nullptr) continue;
      sink->answer = nullptr;
      sink->forget();
      // Deactivation also clears the pad's sticky events.
      gst_pad_set_active(sink->pad(), FALSE);
      gst_pad_set_active(sink->pad(), TRUE);
    }
    bool well = start();
    if (well) {
      well = begin(caps);
    } else {
      gst_caps_unref(caps);
    }
    for (guint64 number = 0; well && number < kFreshFrames; ++number) {
      well = push(frame(number)) == GST_FLOW_OK;
    }
    const std::string said = well ? "" : listen(bus).text();
    fail_unless(well, "after %s: a fresh start fails: %s", after.c_str(), said.c_str());
    fail_unless(main.complaint().empty(), "after %s: %s", after.c_str(), main.complaint().c_str());
    fail_unless_equals_uint64(main.count(), kFreshFrames);
    if (overlay != nullptr)
      fail_unless_equals_uint64(overlay->count_after(kFreshFrames), kFreshFrames);
    stop();
  }
  void check_fresh_start(const Film& film, const std::string& after) {
    expect(film);
    check_fresh_start(after, frames::caps(film.shape()),
                      [&](guint64 number) { return film.frame(number); });
  }

  static constexpr guint64 kFreshFrames = 3;

  GstElement* element;
  GstBus* bus = nullptr;
  GstPad* source = nullptr;
  Sink main;
  std::unique_ptr<Sink> overlay;
};

}  // namespace faults

#endif  // RDP_TESTS_SUPPORT_FAULT_RIG_H_
