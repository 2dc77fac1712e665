// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_GPU_TEST_SCALE_H_
#define RDP_TESTS_GPU_TEST_SCALE_H_

#include <algorithm>
#include <cstdlib>

namespace rdp::test {

// Which part of the cases to run: RDP_GPU_TEST_SCALE, from 0 to 1 (all), e.g. 0.01 under
// compute-sanitizer.
inline double test_scale() {
  const char* text = std::getenv("RDP_GPU_TEST_SCALE");
  return text == nullptr ? 1 : std::clamp(std::atof(text), 0.0, 1.0);
}

// Picks that part of many cases, spread evenly, and always the first one.
class CasePicker {
 public:
  bool next() {
    due_ += scale_;
    if (due_ < 1) return false;
    due_ -= 1;
    return true;
  }

 private:
  double scale_ = test_scale();
  double due_ = 1 - scale_;
};

}  // namespace rdp::test

#endif  // RDP_TESTS_GPU_TEST_SCALE_H_
