// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_ENDURANCE_LATENCY_H_
#define RDP_TESTS_ENDURANCE_LATENCY_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/endurance/failures.h"

namespace rdp::endurance {

// How long frames took, from any thread, in each tenth of a run. Takes no memory while it goes on:
// times are counted in steps of 2 %.
class Latency {
 public:
  using Duration = std::chrono::nanoseconds;

  // How much of the run is done, from 0 to 1: where what is recorded from now on counts.
  void set_progress(double progress);
  void record(Duration time);

  // The second tenth (in the first, memory is allocated) against the last. A median that has become
  // more than `most` times what it was is a failure; 0: none is. How fast a shared machine is
  // changes, too, and tenths of few frames, which are not judged, hold different ones.
  std::string report(double most, Failures* failures) const;
  // In one cell of a table: the medians.
  std::string summary() const;

 private:
  static constexpr int kTenths = 10;
  static constexpr int kStepsPerOctave = 32;
  static constexpr int kOctaves = 40;
  static constexpr std::uint64_t kJudged = 500;

  struct Histogram {
    std::array<std::atomic<std::uint32_t>, kStepsPerOctave * kOctaves> counts{};
    std::uint64_t total() const;
    // In microseconds; 0 without any.
    double quantile(double share) const;
  };

  std::array<Histogram, kTenths> tenths_;
  std::atomic<int> tenth_{0};
};

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_LATENCY_H_
