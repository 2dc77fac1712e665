// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_GPU_GOALS_H_
#define RDP_TESTS_BENCH_GPU_GOALS_H_

#include <string>
#include <vector>

#include "tests/bench/bench_frames.h"

namespace rdp::bench {

// One of the frames that goals are about: recorded ones, at 1024 rows and one at its native height.
bool is_judged(const BenchFrame& frame);

// Content that the kernel with queues is made for.
bool is_hard(const BenchFrame& frame);

// A number to be reached, and what was measured.
struct Goal {
  std::string text;
  double limit = 0;
  bool at_least = false;  // otherwise: at most
  double measured = 0;

  bool is_reached() const { return at_least ? measured >= limit : measured <= limit; }
};

// Collects what goals are about while it is measured.
class Goals {
 public:
  // A frame's time over that with queues, at so many frames a launch.
  void add_ratio(const BenchFrame& frame, int frames_a_launch, double ratio);
  // How many times as fast as Algorithm 3, one frame a launch.
  void add_against_paper(const BenchFrame& frame, double times);
  // How often the time with merge=true goes into that of the split.
  void add_merge(const BenchFrame& frame, double ratio);

  // Those about which something was measured.
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
