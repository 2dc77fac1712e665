// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_STEREO_STREAM_H_
#define RDP_TESTS_BENCH_STEREO_STREAM_H_

#include <gst/gst.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <semaphore>
#include <string>
#include <vector>

#include "common/stereo/parameters.h"
#include "tests/bench/element_stream.h"
#include "tests/support/gst_frames.h"

namespace rdp::bench {

// Two views of 8 bits of a textured scene.
struct StereoViews {
  StereoViews(int width, int height, const stereo::Parameters& parameters);
  frames::Content left;
  frames::Content right;
};
// What the CPU makes of them: the samples, row after row.
std::vector<std::uint16_t> match_views(const StereoViews& views,
                                       const stereo::Parameters& parameters);

struct StereoSetup {
  const char* backend = "cpu";
  unsigned threads = 1;
  const char* feature = nullptr;         // of the views' caps; null: system memory
  const char* output_feature = nullptr;  // of what follows src
  bool data_pads = false;                // `rectified` and `confidence`, in the same memory as src
};

// From a moment until the disparity comes out of src, in microseconds.
struct PairTimes {
  FrameTimes pushed;  // since the second view was pushed, which another thread then wakes up for
  FrameTimes taken;   // since the thread of the element has taken the pair
};

// depthstereo between pads: each pair is pushed when the one before has come out, left before
// right. What fails throws std::runtime_error with the element's own words.
class StereoStream {
 public:
  using NewBuffer = std::function<GstBuffer*(const frames::Content&)>;

  StereoStream(const StereoViews& views, const stereo::Parameters& parameters,
               const StereoSetup& setup, const NewBuffer& new_buffer);
  ~StereoStream();
  StereoStream(const StereoStream&) = delete;
  StereoStream& operator=(const StereoStream&) = delete;

  // The buffers whose memory is pushed again and again.
  GstBuffer* left() const { return views_[0]; }
  GstBuffer* right() const { return views_[1]; }
  void push();  // one pair, and waits for what comes of it
  // `between`, unless it is empty, comes before each pair and is not measured.
  PairTimes time(int warm_ups, int count, const std::function<void()>& between = {});
  // The samples that came last.
  std::vector<std::uint16_t> samples() const;
  // The one that the element says it works with.
  std::string backend() const;

 private:
  using Clock = std::chrono::steady_clock;

  void link_input(int which, const StereoSetup& setup);
  GstPad* link_output(GstPad* src, const char* feature, GstPadChainFunction chain);
  GstBuffer* copy(int which) const;
  [[noreturn]] void fail(const std::string& what) const;
  static GstFlowReturn take(GstPad* pad, GstObject*, GstBuffer* buffer);
  static void consumed(GstElement* pad, GstBuffer* buffer, StereoStream* self);

  frames::Shape shape_;
  GstElement* element_;
  GstBus* bus_;
  GstBuffer* views_[2]{};
  GstPad* sources_[2]{};
  std::vector<GstPad*> sinks_;
  std::vector<GstPad*> requested_;
  std::uint64_t number_ = 0;
  Clock::time_point pushed_;
  // Written by the element's thread before `done_` is released.
  Clock::time_point taken_;
  Clock::time_point came_;
  GstBuffer* last_ = nullptr;
  std::binary_semaphore done_{0};
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_STEREO_STREAM_H_
