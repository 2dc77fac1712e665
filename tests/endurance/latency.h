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

// Histograms of frame latencies, one for each tenth of a run, for any thread. They allocate nothing
// during the run: times are counted in steps of 2 %.
class Latency {
 public:
  using Duration = std::chrono::nanoseconds;

  // Progress of the run, from 0 to 1; selects the tenth in which later times count.
  void set_progress(double progress);
  void record(Duration time);

  // Compares the second tenth (memory is allocated in the first) with the last. A median that grew
  // more than `most`-fold is a failure (0: never). The speed of a shared machine varies, too.
  // Tenths of few frames are not judged, because they hold different frames.
  std::string report(double most, Failures* failures) const;
  // The medians, for one table cell.
  std::string summary() const;

 private:
  static constexpr int kTenths = 10;
  static constexpr int kStepsPerOctave = 32;
  static constexpr int kOctaves = 40;
  static constexpr std::uint64_t kJudged = 500;

  struct Histogram {
    std::array<std::atomic<std::uint32_t>, kStepsPerOctave * kOctaves> counts{};
    std::uint64_t total() const;
    // In microseconds; 0 if empty.
    double quantile(double share) const;
  };

  std::array<Histogram, kTenths> tenths_;
  std::atomic<int> tenth_{0};
};

}  // namespace rdp::endurance

#endif  // RDP_TESTS_ENDURANCE_LATENCY_H_
