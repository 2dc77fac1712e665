// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ELEMENT_STREAM_H_
#define RDP_TESTS_BENCH_ELEMENT_STREAM_H_

#include <gst/gst.h>
#include <gst/video/video.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/gst_frames.h"

namespace rdp::bench {

// The input of a request pad or a static pad.
struct StreamInput {
  std::string pad;
  std::vector<frames::Content> contents;  // pushed in order, repeatedly
};

struct StreamSetup {
  std::string element;  // with its properties, as for gst-launch-1.0
  std::vector<StreamInput> inputs;
  const char* feature = nullptr;  // of the inputs' caps; null: system memory
  const char* output_caps = "video/x-raw(ANY)";
  std::vector<std::pair<const char*, const char*>> outputs = {};  // request pads with their caps
  guint buffers = 2;                                              // per input
  bool page_locked = false;                   // system memory from the element's proposed allocator
  GstContext* context = nullptr;              // the element's context; null: its own
  std::function<void(GstBuffer*)> look = {};  // called for each buffer at src, before it is timed
};

// An element between pads, with a few reused buffers per input, from the pool that the element
// proposes, if any. A set is one buffer of each input, in order; it is pushed once the previous one
// has come out. Errors throw std::runtime_error with the element's message.
class ElementStream {
 public:
  explicit ElementStream(StreamSetup setup);
  ~ElementStream();
  ElementStream(const ElementStream&) = delete;
  ElementStream& operator=(const ElementStream&) = delete;

  GstElement* element() const { return element_; }
  // The buffers of an input, unused until the first push.
  const std::vector<GstBuffer*>& buffers(std::size_t input = 0) const {
    return inputs_[input].buffers;
  }
  frames::Shape shape(std::size_t input = 0) const;
  std::size_t inputs() const { return inputs_.size(); }

  // Takes the next set from the pools, and returns the index of its buffers.
  std::size_t next();
  void push();  // pushes that set, and waits for its frame
  // Pushes sets and counts the finished ones until `stop` is true.
  void run(const std::atomic<bool>& stop, std::atomic<long>* pushed);

  // The time of the latest set in microseconds, from pushing its last buffer until its frame came
  // out. For elements that work in the pushing thread: until the push returned.
  double pushed_us() const { return pushed_us_; }
  // The time since the element's own thread took the set; only for elements with such a thread.
  double taken_us() const { return taken_us_; }

  GstBuffer* last() const { return last_; }    // the latest output frame
  std::vector<std::uint16_t> samples() const;  // its 16-bit samples, in the first input's size
  std::string backend() const;                 // the one that the element reports

 private:
  using Clock = std::chrono::steady_clock;
  struct Input {
    GstPad* pad = nullptr;
    GstPad* source = nullptr;
    GstBufferPool* pool = nullptr;
    std::vector<GstBuffer*> buffers = {};  // owned by the pool
    GstBuffer* next = nullptr;
  };

  void link(Input* input, const StreamInput& what);
  void fill(Input* input, const StreamInput& what);
  void make_pool(Input* input, GstCaps* caps, const GstVideoInfo& info);
  GstBuffer* acquire(Input* input);
  void link_output(GstPad* src, const char* caps, GstPadChainFunction chain);
  [[noreturn]] void fail(const std::string& what) const;
  static GstFlowReturn take(GstPad* pad, GstObject*, GstBuffer* buffer);
  static void consumed(GstElement* pad, GstBuffer* buffer, ElementStream* self);

  StreamSetup setup_;
  GstElement* element_ = nullptr;
  GstBus* bus_ = nullptr;
  std::vector<Input> inputs_;
  std::vector<GstPad*> outputs_;
  std::vector<GstPad*> sinks_;
  GstClockTime pts_ = 0;
  double pushed_us_ = 0;
  double taken_us_ = 0;
  // Written by the thread that pushes out of the element, before it releases `done_`.
  Clock::time_point taken_;
  Clock::time_point came_;
  std::thread::id came_by_;
  GstBuffer* last_ = nullptr;
  std::binary_semaphore done_{0};
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ELEMENT_STREAM_H_
