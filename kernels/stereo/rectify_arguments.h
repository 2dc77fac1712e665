// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_STEREO_RECTIFY_ARGUMENTS_H_
#define RDP_KERNELS_STEREO_RECTIFY_ARGUMENTS_H_

#include <cstdint>

namespace rdp::cuda {

// A point of stereo::RectificationMap, as kernels read it: in one load.
struct alignas(8) DeviceMapPoint {
  std::int32_t x;
  std::int32_t y;
};
constexpr std::int32_t kMapNotSeen = INT32_MIN;

// Arguments of the kernel rdp_rectify. Picture, map and result have one size; samples of 8 bits.
struct RectifyArguments {
  const unsigned char* picture;
  unsigned char* out;
  const DeviceMapPoint* points;  // row by row
  std::int64_t picture_pitch;
  std::int64_t out_pitch;
  std::int32_t width;
  std::int32_t height;
};

// The part of a picture that a block of threads works on, a pixel a thread.
constexpr int kRectifyThreads = 256;
constexpr int kRectifyColumns = 32;
constexpr int kRectifyRows = kRectifyThreads / kRectifyColumns;

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_STEREO_RECTIFY_ARGUMENTS_H_
