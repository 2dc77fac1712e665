// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/gpu_goals.h"

#include <algorithm>

#include "tests/bench/median.h"

namespace rdp::bench {
namespace {

double largest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

}  // namespace

bool is_judged(const BenchFrame& frame) {
  for (const char* name :
       {"000000 scaled", "kitti2015_000046_10_3way scaled", "kitti2015_000046_10_nofilter scaled",
        "disparity scaled", "kitti2015_000046_10_3way"}) {
    if (frame.name == name) return true;
  }
  return false;
}

bool is_hard(const BenchFrame& frame) {
  return frame.name == "noise" || frame.name == "stairs" || frame.name == "alternating extremes";
}

void Goals::add_ratio(const BenchFrame& frame, int frames_a_launch, double ratio) {
  if (!is_judged(frame) && !is_hard(frame)) return;
  const auto same = [&](const Launches& l) { return l.frames == frames_a_launch; };
  auto found = std::find_if(launches_.begin(), launches_.end(), same);
  if (found == launches_.end()) {
    launches_.push_back({frames_a_launch, {}, {}});
    found = launches_.end() - 1;
  }
  (is_judged(frame) ? found->judged : found->hard).push_back(ratio);
}

void Goals::add_against_paper(const BenchFrame& frame, double times) {
  if (is_judged(frame) && frame.height == 1024) paper_.push_back(times);
}

void Goals::add_merge(const BenchFrame& frame, double ratio) {
  if (is_judged(frame)) merge_.push_back(ratio);
  if (frame.name == "noise") merge_noise_.push_back(ratio);
}

std::vector<Goal> Goals::all() const {
  std::vector<Goal> goals;
  for (const Launches& l : launches_) {
    const bool single = l.frames == 1;
    const std::string what = single ? "one frame" : std::to_string(l.frames) + " frames a launch";
    const std::string over = " over the kernel with queues: ";
    if (!l.judged.empty()) {
      goals.push_back({what + over + "median recorded frame", single ? 0.80 : 0.50, false,
                       median_of(l.judged)});
      goals.push_back(
          {what + over + "worst recorded frame", single ? 0.92 : 0.62, false, largest(l.judged)});
    }
    if (!l.hard.empty()) {
      goals.push_back(
          {what + over + "worst of noise, stairs and extremes", 1.05, false, largest(l.hard)});
    }
  }
  if (!paper_.empty()) {
    goals.push_back(
        {"Algorithm 3 over one frame: median recorded frame", 6, true, median_of(paper_)});
  }
  if (!merge_.empty()) {
    goals.push_back({"merge over split: median recorded frame", 1.6, false, median_of(merge_)});
    goals.push_back({"merge over split: worst recorded frame", 1.6, false, largest(merge_)});
  }
  if (!merge_noise_.empty()) {
    goals.push_back({"merge over split: noise", 3, false, largest(merge_noise_)});
  }
  return goals;
}

}  // namespace rdp::bench
