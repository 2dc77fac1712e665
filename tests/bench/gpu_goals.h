// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_GPU_GOALS_H_
#define RDP_TESTS_BENCH_GPU_GOALS_H_

#include <string>
#include <vector>

#include "tests/bench/bench_frames.h"

namespace rdp::bench {

// True for the frames of the goals: recorded ones at 1024 rows, and one at its native height.
bool is_judged(const BenchFrame& frame);

// True for content that suits the kernel with queues.
bool is_hard(const BenchFrame& frame);

// A goal and the measured value.
struct Goal {
  std::string text;
  double limit = 0;
  bool at_least = false;  // otherwise: at most
  double measured = 0;

  bool is_reached() const { return at_least ? measured >= limit : measured <= limit; }
};

// Collects the measured values of goals.
class Goals {
 public:
  // A frame's time divided by the time with queues, at this number of frames per launch.
  void add_ratio(const BenchFrame& frame, int frames_a_launch, double ratio);
  // The speed-up over Algorithm 3, with one frame per launch.
  void add_against_paper(const BenchFrame& frame, double times);
  // The time with merge=true divided by the split's.
  void add_merge(const BenchFrame& frame, double ratio);

  // The goals with measured values.
  std::vector<Goal> all() const;

 private:
  struct Launches {
    int frames;
    std::vector<double> judged;
    std::vector<double> hard;
  };
  std::vector<Launches> launches_;
  std::vector<double> paper_;
  std::vector<double> merge_;
  std::vector<double> merge_noise_;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_GPU_GOALS_H_
