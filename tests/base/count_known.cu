// SPDX-License-Identifier: LGPL-2.1-or-later
// Known samples of each column, and a bar for each: one thread a column.
#include "tests/base/count_known_arguments.h"

namespace {

using namespace rdp::test;

__device__ int column_of_thread() {
  return static_cast<int>(blockIdx.x) * kCountThreads + static_cast<int>(threadIdx.x);
}

template <typename Sample>
__device__ void count_known(const CountKnownArguments& a) {
  const int column = column_of_thread();
  if (column >= a.width) return;
  std::uint32_t count = 0;
  for (int row = 0; row < a.height; ++row) {
    const std::uint32_t sample = reinterpret_cast<const Sample*>(a.frame + row * a.pitch)[column];
    if (sample >= a.first && sample <= a.last) ++count;
  }
  a.counts[column] = count;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kCountThreads)
    count_known_u8(const CountKnownArguments a) {
  count_known<std::uint8_t>(a);
}

extern "C" __global__ void __launch_bounds__(kCountThreads)
    count_known_u16(const CountKnownArguments a) {
  count_known<std::uint16_t>(a);
}

extern "C" __global__ void __launch_bounds__(kCountThreads)
    count_known_paint(const PaintCountsArguments a) {
  const int column = column_of_thread();
  if (column >= a.width) return;
  for (int row = 0; row < a.height; ++row) {
    reinterpret_cast<std::uint32_t*>(a.picture + row * a.pitch)[column] =
        bar_pixel(a.counts[column], row, a.height);
  }
}
