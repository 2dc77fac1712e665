// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ELEMENT_STREAM_H_
#define RDP_TESTS_BENCH_ELEMENT_STREAM_H_

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "common/image/depth_view.h"
#include "common/rdp/parameters.h"

namespace rdp::bench {

// Wall time in microseconds a frame.
struct FrameTimes {
  double median = 0;
  double mean = 0;
};

FrameTimes summarize(const std::vector<double>& microseconds);

// Runs `step` some times unmeasured, then `count` times measured: `prepare`, which is not measured,
// comes before each.
FrameTimes time_steps(int warm_ups, int count, const std::function<void()>& prepare,
                      const std::function<void()>& step);

struct StreamSetup {
  bool cuda_memory = false;
  const char* backend = "auto";
  bool reconstruct = false;
  const char* overlay_caps = nullptr;  // what the overlay's sink takes; null: no overlay
  bool read_segments = false;          // the sink looks at the segments, which brings them here
  bool page_locked = false;            // system memory of the allocator that the element proposes
  GstContext* context = nullptr;       // what the element is told to work in; null: one of its own
};

// rdpsegment with something that throws frames away linked to its pads, and a few buffers that go
// round in it: those of the pool that the element proposes, where it proposes one. Each holds the
// same GRAY16_LE frame. What fails throws std::runtime_error with the element's own words.
class ElementStream {
 public:
  static constexpr int kBuffers = 8;

  ElementStream(const DepthView& frame, const Parameters& parameters, const StreamSetup& setup);
  ~ElementStream();
  ElementStream(const ElementStream&) = delete;
  ElementStream& operator=(const ElementStream&) = delete;

  const GstVideoInfo& info() const { return info_; }
  // Calls `visit` with each of the buffers, all of which are at rest.
  void for_each_buffer(const std::function<void(GstBuffer*)>& visit);
  // Pushes one frame and returns how many segments it has.
  std::size_t count_segments();
  // The time from pushing a frame until that returns. `prepare` gets the buffer before, unmeasured.
  FrameTimes time(int warm_ups, int count, const std::function<void(GstBuffer*)>& prepare = {});
  // Pushes frames, and counts each once it has gone through, until `stop` is true.
  void run(const std::atomic<bool>& stop, std::atomic<long>* pushed);
  // The one that the element says it works with.
  std::string backend() const;

 private:
  void make_pool(GstCaps* caps, bool page_locked);
  void fill(GstBuffer* buffer, const DepthView& frame) const;
  GstBuffer* acquire();
  void push(GstBuffer* buffer);

  GstElement* element_;
  GstBus* bus_;
  GstHarness* main_;
  GstHarness* overlay_ = nullptr;
  GstBufferPool* pool_ = nullptr;
  GstVideoInfo info_;
  GstClockTime pts_ = 0;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ELEMENT_STREAM_H_
