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

// The input of a pad, requested or always there.
struct StreamInput {
  std::string pad;
  std::vector<frames::Content> contents;  // buffer after buffer, and from the first one again
};

struct StreamSetup {
  std::string element;  // and its properties, as gst-launch-1.0 has them
  std::vector<StreamInput> inputs;
  const char* feature = nullptr;  // of the inputs' caps; null: system memory
  const char* output_caps = "video/x-raw(ANY)";
  std::vector<std::pair<const char*, const char*>> outputs = {};  // request pads, and their caps
  guint buffers = 2;                                              // of each input
  bool page_locked = false;       // system memory of the allocator that the element proposes
  GstContext* context = nullptr;  // what the element is told to work in; null: one of its own
  std::function<void(GstBuffer*)> look = {};  // at each buffer that leaves src, before it has come
};

// An element between pads, and a few buffers of each input that go round in it: those of the pool
// that the element proposes, where it proposes one. A set, a buffer of each input in their order,
// is pushed once the one before has come out. Errors throw std::runtime_error with the element's
// own words.
class ElementStream {
 public:
  explicit ElementStream(StreamSetup setup);
  ~ElementStream();
  ElementStream(const ElementStream&) = delete;
  ElementStream& operator=(const ElementStream&) = delete;

  GstElement* element() const { return element_; }
  // The buffers of an input, which are at rest until the first push.
  const std::vector<GstBuffer*>& buffers(std::size_t input = 0) const {
    return inputs_[input].buffers;
  }
  frames::Shape shape(std::size_t input = 0) const;
  std::size_t inputs() const { return inputs_.size(); }

  // Takes the next set from its pools and gives the number of its buffers.
  std::size_t next();
  void push();  // the next set; returns when its frame has come out
  // Pushes sets, and counts each once it has gone through, until `stop` is true.
  void run(const std::atomic<bool>& stop, std::atomic<long>* pushed);

  // Time of the last set, in microseconds: from pushing its last buffer until its frame came out,
  // or, where the element works in the thread that pushes, until that returned.
  double pushed_us() const { return pushed_us_; }
  // The same since the element's thread took the set; only of elements with such a thread.
  double taken_us() const { return taken_us_; }

  GstBuffer* last() const { return last_; }    // the frame that came last
  std::vector<std::uint16_t> samples() const;  // its, of 16 bits and the first input's size
  std::string backend() const;                 // the one that the element says it works with

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
  // Written by the thread that pushes out of the element, before `done_` is released.
  Clock::time_point taken_;
  Clock::time_point came_;
  std::thread::id came_by_;
  GstBuffer* last_ = nullptr;
  std::binary_semaphore done_{0};
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ELEMENT_STREAM_H_
