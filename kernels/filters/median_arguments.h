// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_FILTERS_MEDIAN_ARGUMENTS_H_
#define RDP_KERNELS_FILTERS_MEDIAN_ARGUMENTS_H_

#include <cstdint>

namespace rdp::cuda {

// What the kernels rdp_median_<side>_<sample> take. Pitches in bytes; `in` and `out` do not
// overlap.
struct MedianArguments {
  const unsigned char* in;
  std::int64_t in_pitch;
  unsigned char* out;
  std::int64_t out_pitch;
  std::int32_t width;
  std::int32_t height;
};

// The part of a frame that a block of threads works on.
constexpr int kMedianThreads = 128;
constexpr int kMedianColumns = 32 * 8;
constexpr int kMedianRowsOfThread = 4;
constexpr int kMedianRows = kMedianRowsOfThread * kMedianThreads / 32;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_FILTERS_MEDIAN_ARGUMENTS_H_
