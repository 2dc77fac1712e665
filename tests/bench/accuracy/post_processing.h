// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_POST_PROCESSING_H_
#define RDP_TESTS_BENCH_ACCURACY_POST_PROCESSING_H_

#include <cstdint>
#include <vector>

#include "common/image/reference.h"

// The post-processing of librealsense 2, depthfilter's comparison: reimplemented from a
// description, with its defaults for a depth camera with a focal length of 525 px and a baseline of
// 75 mm.
namespace rdp::bench::post {

// Disparities in 1/32 px; 0: unknown.
struct Disparities {
  int width = 0, height = 0;
  std::vector<float> values;
};
Disparities to_disparity(const reference::Frame& depth);
reference::Frame to_depth(const Disparities& disparities);

// The lower median of the known samples of each 2x2 block.
reference::Frame decimated(const reference::Frame& depth);

// Edge-preserving smoothing: recursive means along rows in both directions, then along columns;
// twice.
void smooth(Disparities* disparities, float alpha = 0.5F, float delta = 20.0F);

// Recursive means over frames. Unknown pixels keep the old value if two of the last four frames
// knew it. T: float, or 16 bits, which truncate.
template <typename T>
class Temporal {
 public:
  void filter(std::vector<T>* values, float alpha = 0.4F, float delta = 20.0F);

 private:
  std::vector<T> last_;
  std::vector<std::uint8_t> history_;  // bit 0: the previous frame
};

enum class Holes { kLeft, kFarthest, kNearest };
// Fills unknown pixels in place, from the left, above or below.
void fill(reference::Frame* depth, Holes rule);

}  // namespace rdp::bench::post

#endif  // RDP_TESTS_BENCH_ACCURACY_POST_PROCESSING_H_
