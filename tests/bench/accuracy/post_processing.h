// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ACCURACY_POST_PROCESSING_H_
#define RDP_TESTS_BENCH_ACCURACY_POST_PROCESSING_H_

#include <cstdint>
#include <vector>

#include "common/image/reference.h"

// The post-processing of librealsense 2, written anew from a description of what it does, with its
// defaults for a depth camera of focal length 525 px and baseline 75 mm: the peer of depthfilter.
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

// Edge-preserving: recursive means along rows, forth and back, then along columns; all of it twice.
void smooth(Disparities* disparities, float alpha = 0.5F, float delta = 20.0F);

// Recursive means over frames. Unknown pixels take the old value if two of the last four frames
// knew them. Of floats, or of 16 bits, which are cut off.
template <typename T>
class Temporal {
 public:
  void filter(std::vector<T>* values, float alpha = 0.4F, float delta = 20.0F);

 private:
  std::vector<T> last_;
  std::vector<std::uint8_t> history_;  // bit 0: the frame before
};

enum class Holes { kLeft, kFarthest, kNearest };
// Unknown pixels take a sample to the left, above or below, in place.
void fill(reference::Frame* depth, Holes rule);

}  // namespace rdp::bench::post

#endif  // RDP_TESTS_BENCH_ACCURACY_POST_PROCESSING_H_
