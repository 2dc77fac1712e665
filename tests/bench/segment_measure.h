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

// A frame with a tolerance, and its expected segmentation.
class Question {
 public:
  // Runs the scalar reference on all processors. `frame` must outlive this.
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

// A segmenter and its list, for launches with one or several frames.
class SegmentStream {
 public:
  // Throws std::runtime_error unless the results are bit-identical to the reference's. Afterwards
  // the list has enough room, and the choice of the kernel has settled.
  SegmentStream(const Question& question, const FrameRing& frames, Kernels kernels, int count,
                CUstream stream);

  void enqueue(const FrameRing& frames, int launch, CUstream stream);
  bool used_queues() const { return segmenter_.used_queues(); }

 private:
  void check(CUstream stream);

  const Question& question_;
  const int count_;  // frames per launch
  cuda::Segmenter segmenter_;
  cuda::DeviceSegmentList list_;
};

// A measured time, and how it was measured.
struct Result {
  double microseconds = 0;  // per frame; 0: not measured
  int replays = 0;
  bool used_queues = false;
};

// Measures one question after the other.
class SegmentMeasure {
 public:
  SegmentMeasure(const Rivals* rivals, const GraphTimer* timer, int replays);

  // A graph of several frames, all from memory.
  Result segmenter(const Question& question, Kernels kernels = Kernels::kChosen) const;
  // A graph with a single frame.
  Result segmenter_alone(const Question& question) const;
  // Launches with `frames` frames each, one after the other.
  Result segmenter_batch(const Question& question, int frames,
                         Kernels kernels = Kernels::kChosen) const;
  // 0 if the columns have more rows than a block has threads. `judgement`: see judge_vertices().
  // Throws std::runtime_error if the result is no segmentation.
  Result algorithm3(const Question& question, VertexJudgement* judgement) const;
  Result empty() const;
  Result empty_alone() const;
  // The fastest of all launch shapes.
  Result floor(const Question& question) const;
  Result cpu(const Question& question, Engine* engine) const;
  // Bytes read and written per second by a large copy within device memory.
  double copy_bytes_a_second() const;

 private:
  const Rivals* rivals_;
  const GraphTimer* timer_;
  int replays_;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_SEGMENT_MEASURE_H_
