// SPDX-License-Identifier: LGPL-2.1-or-later
// Replaces disparities by distances from a table of the host, which stays in the caches;
// bit-identical to the host's.
#include <cstdint>

#include "kernels/primitives/wide_samples.cuh"
#include "kernels/stereo/stereo_arguments.h"

extern "C" __global__ void __launch_bounds__(rdp::cuda::kDepthTableThreads)
    rdp_disparity_to_depth(const rdp::cuda::DepthTableArguments a) {
  using namespace rdp::cuda;
  static_assert(kDepthTableColumns == 32 * kWide);
  const int x = static_cast<int>(blockIdx.x) * kDepthTableColumns +
                static_cast<int>(threadIdx.x % 32) * kWide;
  const int y = static_cast<int>(blockIdx.y) * kDepthTableRows + static_cast<int>(threadIdx.x / 32);
  if (x >= a.width || y >= a.height) return;
  auto* const row = reinterpret_cast<std::uint16_t*>(a.samples + y * a.pitch);
  if (!is_wide<std::uint16_t>(row, 0) || x + kWide > a.width) {
    const int end = x + kWide < a.width ? x + kWide : a.width;
    for (int i = x; i < end; ++i) row[i] = __ldg(a.table + row[i]);
    return;
  }
  // Not __ldg(), because what is read here is written here.
  auto* const place = reinterpret_cast<Wide<std::uint16_t>*>(row + x);
  Wide<std::uint16_t> samples = *place;
#pragma unroll
  for (int i = 0; i < kWide / 2; ++i) {
    const std::uint32_t low = __ldg(a.table + (samples.words[i] & 0xFFFF));
    const std::uint32_t high = __ldg(a.table + (samples.words[i] >> 16));
    samples.words[i] = low | high << 16;
  }
  *place = samples;
}
