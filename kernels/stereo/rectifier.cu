// SPDX-License-Identifier: LGPL-2.1-or-later
// A rectified view, as stereo::reference::rectify() defines it. Neighbouring pixels come from
// neighbouring places, so that the caches serve three of the four samples of each.
#include <cstdint>

#include "kernels/stereo/stereo_arguments.h"

extern "C" __global__ void __launch_bounds__(rdp::cuda::kRectifyThreads)
    rdp_rectify(const rdp::cuda::RectifyArguments a) {
  using namespace rdp::cuda;
  const int column = static_cast<int>(blockIdx.x) * kRectifyColumns +
                     static_cast<int>(threadIdx.x) % kRectifyColumns;
  const int row =
      static_cast<int>(blockIdx.y) * kRectifyRows + static_cast<int>(threadIdx.x) / kRectifyColumns;
  if (column >= a.width || row >= a.height) return;
  const DeviceMapPoint point = a.points[static_cast<std::int64_t>(row) * a.width + column];
  unsigned char* const to = a.out + row * a.out_pitch + column;
  if (point.x == kMapNotSeen) {
    *to = 0;
    return;
  }
  const std::int32_t x = point.x >> 5;
  const std::int32_t y = point.y >> 5;
  const std::int32_t to_right = point.x & 31;
  const std::int32_t down = point.y & 31;
  const unsigned char* const upper = a.picture + y * a.picture_pitch + x;
  // A neighbour of weight 0 may be outside.
  const unsigned char* const lower = upper + (y + 1 < a.height ? a.picture_pitch : 0);
  const int next = x + 1 < a.width ? 1 : 0;
  const std::int32_t above = upper[0] * (32 - to_right) + upper[next] * to_right;
  const std::int32_t below = lower[0] * (32 - to_right) + lower[next] * to_right;
  *to = static_cast<unsigned char>((above * (32 - down) + below * down + 512) >> 10);
}
