// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_GPU_TEST_SCALE_H_
#define RDP_TESTS_GPU_TEST_SCALE_H_

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace rdp::test {

// The fraction of cases to run: RDP_GPU_TEST_SCALE, from 0 to 1 (default: all), e.g. 0.01 under
// compute-sanitizer.
inline double test_scale() {
  const char* text = std::getenv("RDP_GPU_TEST_SCALE");
  return text == nullptr ? 1 : std::clamp(std::atof(text), 0.0, 1.0);
}

// The random seed that selects cases: SEED, or another number in each run. Printed once.
inline unsigned case_seed() {
  static const unsigned seed = [] {
    const char* text = std::getenv("SEED");
    const auto value = text == nullptr ? std::random_device{}()
                                       : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
    std::printf("Of the cases a part of %g: SEED=%u\n", test_scale(), value);
    return value;
  }();
  return seed;
}

// Selects the fraction test_scale() of many cases, at least `least`, and always the first case.
// Selects at random: cases at regular intervals would resemble each other.
class CasePicker {
 public:
  explicit CasePicker(double least = 0) : scale_(std::max(test_scale(), least)) {}

  bool next() {
    const bool first = !started_;
    started_ = true;
    return random_() < scale_ * 4294967296.0 || first;
  }

 private:
  double scale_;
  std::mt19937 random_{scale_ < 1 ? case_seed() : 0};
  bool started_ = false;
};

}  // namespace rdp::test

#endif  // RDP_TESTS_GPU_TEST_SCALE_H_
