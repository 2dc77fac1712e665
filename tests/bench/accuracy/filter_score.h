// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_FILTER_SCORE_H_
#define RDP_TESTS_BENCH_ACCURACY_FILTER_SCORE_H_

#include <cstdint>
#include <map>
#include <vector>

#include "tests/bench/accuracy/filter_scenes.h"

namespace rdp::bench {

// Errors of filtered depths, 1e6 / z - 1e6 / truth in 1/km, pooled over a set of frames. More than
// 10/km counts as wrong. Means exclude wrong pixels; shares are percentages of a class's known
// pixels.
class FilterScore {
 public:
  // `filtered` may be smaller by an integer factor. A sample's truth is then the closest one of its
  // block.
  void add(const FilterScene& scene, const reference::Frame& filtered);

  double rms(PixelClass of) const;
  double rms_off_edges() const { return rms(kOff); }
  double mean(PixelClass of) const;
  double median(PixelClass of) const;
  double over(PixelClass of, double limit = 10.0) const;
  double unknown() const;             // of all pixels
  double known(PixelClass of) const;  // of all pixels of the class
  double filled_wrong() const;        // among pixels that only the filter knows

 private:
  static constexpr PixelClass kOff = PixelClass{0};

  const std::vector<double>& errors(PixelClass of) const;

  std::map<int, std::vector<double>> errors_;
  std::map<int, std::int64_t> sizes_;
  std::int64_t pixels_ = 0, unknown_ = 0, filled_ = 0, filled_wrong_ = 0;
};

// The share of a class's pixels that the filter removed, of those known in the input.
struct RemovedShare {
  std::int64_t removed = 0, known = 0;

  void add(const FilterScene& scene, const reference::Frame& filtered, PixelClass of);
  double percent() const;
};

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ACCURACY_FILTER_SCORE_H_
