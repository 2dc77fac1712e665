// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_GPU_EXPERIMENTS_H_
#define RDP_TESTS_BENCH_GPU_EXPERIMENTS_H_

#include <string>
#include <utility>
#include <vector>

#include "tests/bench/bench_frames.h"
#include "tests/bench/energy.h"
#include "tests/bench/gpu_frames.h"
#include "tests/bench/gpu_goals.h"
#include "tests/bench/gpu_options.h"
#include "tests/bench/gpu_report.h"
#include "tests/bench/median_measure.h"
#include "tests/bench/segment_measure.h"

namespace rdp::bench {

// The experiments of gpu_bench, described in gpu_bench.cpp: each prints a table and writes its
// numbers to a file. The segmentation is in gpu_segmenting.cpp, energy in gpu_energy.cpp, the
// others in gpu_merging.cpp.
class Experiments {
 public:
  Experiments(const GpuOptions& options, const std::vector<std::string>& remarks);

  // Runs all selected experiments.
  void run();

 private:
  // --- what they share, in gpu_bench.cpp --------------------------------------------------------

  bool wanted(const char* experiment) const { return options_.wanted(experiment); }
  bool chosen(const BenchFrame& frame) const;
  void record(const char* experiment, const std::string& name, const Question* q,
              const std::string& rival, Result result, double value = 0);
  static std::string size_of(const BenchFrame& frame) {
    return std::to_string(frame.width) + "x" + std::to_string(frame.height);
  }
  void goals();

  // --- the segmentation -------------------------------------------------------------------------

  // Frames of the paper's size with easy or usual content, by name.
  std::vector<const BenchFrame*> typical() const;
  // Frames of 1024 rows, the street at all heights, and one recorded frame at its native size.
  std::vector<const BenchFrame*> batched() const;
  // The selected frame with this name and height; null: none.
  const BenchFrame* find(const std::string& name, int height) const;
  // The bandwidth in percent of a large copy's.
  double bandwidth_share(const Question& q, const Result& result) const;
  void frames();
  void growth();
  void batches();
  void changes();
  void hard();

  // --- merging, fitting, filtering --------------------------------------------------------------

  void fits();
  void merges();
  void medians();
  void median_row(const Table& table, const BenchFrame& frame, const MedianTimes& t);

  // --- energy -----------------------------------------------------------------------------------

  void energy();
  void add_side(const char* name, int frames, const std::function<void(int)>& enqueue,
                std::vector<EnergySide>* sides);
  void add_segments(std::vector<EnergySide>* sides);
  void add_others(std::vector<EnergySide>* sides);

  const GpuOptions options_;
  CsvFile csv_;
  const Rivals rivals_;
  const GraphTimer timer_;
  const SegmentMeasure measure_;
  Engine engine_;
  Goals goals_;
  std::vector<BenchFrame> frames_;
  std::size_t recorded_ = 0;
  double copy_bandwidth_ = 0;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_GPU_EXPERIMENTS_H_
