// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_JOINED_STREAM_H_
#define RDP_TESTS_BENCH_JOINED_STREAM_H_

#include <gst/gst.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <semaphore>
#include <string>
#include <vector>

#include "tests/bench/element_stream.h"
#include "tests/support/gst_frames.h"

namespace rdp::bench {

// The input of a pad, requested or always there: this memory, again and again.
struct JoinedInput {
  std::string pad;
  frames::Shape shape;
  GstBuffer* buffer;  // transfer full
};

struct JoinedSetup {
  const char* element;
  std::function<void(GstElement*)> set_up;  // before it starts
  std::vector<JoinedInput> inputs;
  const char* feature = nullptr;         // of the inputs' caps; null: system memory
  const char* output_feature = nullptr;  // of what follows src
  std::vector<const char*> outputs;      // request source pads, in the same memory as src
};

// From a moment until a frame comes out of src, in microseconds.
struct SetTimes {
  FrameTimes pushed;  // since the last input was pushed, which another thread then wakes up for
  FrameTimes taken;   // since the thread of the element has taken the set
};

// An element that joins inputs, between pads: each set is pushed when what came of the one before
// has come out, in the order of the inputs. What fails throws std::runtime_error with the element's
// own words.
class JoinedStream {
 public:
  explicit JoinedStream(JoinedSetup setup);
  ~JoinedStream();
  JoinedStream(const JoinedStream&) = delete;
  JoinedStream& operator=(const JoinedStream&) = delete;

  GstBuffer* input(std::size_t which) const { return setup_.inputs[which].buffer; }
  void push();  // one set, and waits for what comes of it
  // `between`, unless it is empty, comes before each set and is not measured.
  SetTimes time(int warm_ups, int count, const std::function<void()>& between = {});
  // The samples that came last, of 16 bits and the first input's size.
  std::vector<std::uint16_t> samples() const;
  // What came last.
  GstBuffer* last() const { return last_; }
  // The one that the element says it works with.
  std::string backend() const;

 private:
  using Clock = std::chrono::steady_clock;

  void link_input(std::size_t which);
  GstPad* link_output(GstPad* src, GstPadChainFunction chain);
  [[noreturn]] void fail(const std::string& what) const;
  static GstFlowReturn take(GstPad* pad, GstObject*, GstBuffer* buffer);
  static void consumed(GstElement* pad, GstBuffer* buffer, JoinedStream* self);

  JoinedSetup setup_;
  GstElement* element_;
  GstBus* bus_ = nullptr;
  std::vector<GstPad*> sources_;
  std::vector<GstPad*> sinks_;
  std::vector<GstPad*> requested_;  // or always there; the inputs' are the last
  std::vector<GstBuffer*> set_;
  std::uint64_t number_ = 0;
  Clock::time_point pushed_;
  // Written by the element's thread before `done_` is released.
  Clock::time_point taken_;
  Clock::time_point came_;
  GstBuffer* last_ = nullptr;
  std::binary_semaphore done_{0};
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_JOINED_STREAM_H_
