// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_SEGMENT_MEASURE_H_
#define RDP_TESTS_BENCH_SEGMENT_MEASURE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/rdp/engine.h"
#include "common/rdp/segment_list.h"
#include "kernels/rdp/device_segment_list.h"
#include "kernels/rdp/segmenter.h"
#include "kernels/runtime/device_memory.h"
#include "tests/bench/bench_frames.h"
#include "tests/bench/frame_ring.h"
#include "tests/bench/graph_timer.h"
#include "tests/bench/rivals.h"

namespace rdp::bench {

// One frame with one tolerance, and what the segmentation of it must give.
class Question {
 public:
  // Runs the scalar reference, on all processors. The frame stays where it is.
  Question(const BenchFrame& frame, double epsilon, bool merge = false, Fit fit = Fit::kSquares,
           bool bounded = false);

  const BenchFrame& frame;
  double epsilon;
  KnownRange known;
  std::int64_t eps256;
  SegmentRules rules;
  SegmentList expected;

  std::size_t frame_bytes() const { return frame.samples.size() * sizeof(std::uint16_t); }
  std::size_t result_bytes() const {
    return expected.offsets().size_bytes() + expected.segments().size_bytes();
  }
  double segments_a_column() const {
    return static_cast<double>(expected.segment_count()) / frame.width;
  }
};

using Kernels = cuda::Segmenter::Kernels;

// A segmenter with its list, for launches of one or several frames.
class SegmentStream {
 public:
  // Checks that the results are the reference's, bit for bit; throws std::runtime_error where they
  // are not. The list has room then, and the choice of the kernels has settled.
  SegmentStream(const Question& question, const FrameRing& frames, Kernels kernels, int count,
                CUstream stream);

  void enqueue(const FrameRing& frames, int launch, CUstream stream);
  bool used_queues() const { return segmenter_.used_queues(); }

 private:
  void check(CUstream stream);

  const Question& question_;
  const int count_;  // frames of a launch
  cuda::Segmenter segmenter_;
  cuda::DeviceSegmentList list_;
};

// How a number came about.
struct Result {
  double microseconds = 0;  // a frame; 0 where it was not measured
  int replays = 0;
  bool used_queues = false;
};

// Measures one question after the other.
class SegmentMeasure {
 public:
  SegmentMeasure(const Rivals* rivals, const GraphTimer* timer, int replays);

  // Frames one after the other in one graph, from memory.
  Result segmenter(const Question& question, Kernels kernels = Kernels::kChosen) const;
  // A graph of a single frame.
  Result segmenter_alone(const Question& question) const;
  // `frames` frames a launch, launch after launch.
  Result segmenter_batch(const Question& question, int frames,
                         Kernels kernels = Kernels::kChosen) const;
  // 0 where a block has too few threads for the columns. `judgement`: see judge_vertices(); throws
  // std::runtime_error where the result is no segmentation.
  Result algorithm3(const Question& question, VertexJudgement* judgement) const;
  Result empty() const;
  Result empty_alone() const;
  // The fastest of all ways to start it.
  Result floor(const Question& question) const;
  Result cpu(const Question& question, Engine* engine) const;
  // Bytes read and written in a second, of a large copy within the device's memory.
  double copy_bytes_a_second() const;

 private:
  const Rivals* rivals_;
  const GraphTimer* timer_;
  int replays_;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_SEGMENT_MEASURE_H_
