// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/content_change.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "kernels/rdp/device_segment_list.h"
#include "kernels/rdp/segmenter.h"
#include "tests/bench/frame_ring.h"
#include "tests/bench/median.h"

namespace rdp::bench {
namespace {

// More frames than the kernel choice needs.
constexpr int kSettled = 6;

// A segmenter, used as in an element.
class Stream {
 public:
  Stream(const BenchFrame& frame, const GraphTimer& timer) : timer_(timer) {
    segmenter_.prepare(frame.width, frame.height);
    list_.prepare(frame.width, frame.height);
  }

  // Segments the next copy of the frame.
  ChangedFrame show(const Question& question, const FrameRing& frames) {
    const cuda::DeviceDepthView view = frames.at(next_++);
    const double time = timer_.once([&] {
      segmenter_.segment(std::span<const cuda::DeviceDepthView>(&view, 1), question.known,
                         question.rules, &list_, timer_.stream());
    });
    return {time, segmenter_.used_queues()};
  }

  // Runs until the list has enough room and the choice has settled; then compares with the
  // reference.
  void settle(const Question& question, const FrameRing& frames) {
    for (int i = 0; i < kSettled; ++i) {
      do {
        show(question, frames);
      } while (list_.grow_if_truncated());
    }
    SegmentList actual;
    list_.copy_to(&actual, timer_.stream());
    if (!std::ranges::equal(actual.segments(), question.expected.segments())) {
      throw std::runtime_error("the GPU's segments of \"" + question.frame.name +
                               "\" are not those of the reference: nothing is timed");
    }
  }

 private:
  const GraphTimer& timer_;
  cuda::Segmenter segmenter_;
  cuda::DeviceSegmentList list_;
  int next_ = 0;
};

}  // namespace

std::vector<ChangedFrame> measure_change(const Question& before, const Question& after,
                                         const GraphTimer& timer, int frames, int changes) {
  const FrameRing old_frames(before.frame.view(), timer.stream());
  const FrameRing new_frames(after.frame.view(), timer.stream());
  Stream stream(before.frame, timer);
  stream.settle(after, new_frames);
  std::vector<ChangedFrame> result(static_cast<std::size_t>(frames));
  std::vector<std::vector<double>> times(result.size());
  for (int change = 0; change < changes; ++change) {
    stream.settle(before, old_frames);
    for (std::size_t i = 0; i < result.size(); ++i) {
      const ChangedFrame frame = stream.show(after, new_frames);
      times[i].push_back(frame.microseconds);
      result[i].used_queues = frame.used_queues;
    }
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i].microseconds = median_of(std::move(times[i]));
  }
  return result;
}

}  // namespace rdp::bench
