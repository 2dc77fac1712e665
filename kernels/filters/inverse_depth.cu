// SPDX-License-Identifier: LGPL-2.1-or-later
// Inverse depths from a table of the host, which stays in the caches: as fast as copying, and
// bit-identical to the host's.
#include <cstdint>

#include "kernels/filters/filter_rows.cuh"
#include "kernels/primitives/wide_samples.cuh"

namespace rdp::cuda {
namespace {

template <typename Sample>
__device__ void inverse_depth(const InverseDepthArguments& a) {
  static_assert(kInverseDepthColumns == 32 * kWide);
  const int x = static_cast<int>(blockIdx.x) * kInverseDepthColumns +
                static_cast<int>(threadIdx.x % 32) * kWide;
  const int y =
      static_cast<int>(blockIdx.y) * kInverseDepthRows + static_cast<int>(threadIdx.x / 32);
  if (x >= a.width || y >= a.height) return;
  const auto* const row = in_row<Sample>(a, y);
  const bool whole = is_wide<Sample>(row, 0) && x + kWide <= a.width;
  const Wide<Sample> in = whole ? load_wide_aligned(row + x) : load_wide_clamped(row, x, a.width);
  Wide<std::uint16_t> out;
#pragma unroll
  for (int i = 0; i < kWide; i += 2) {
    constexpr int kInWord = 4 / static_cast<int>(sizeof(Sample));
    constexpr std::uint32_t kMask = sizeof(Sample) == 1 ? 0xFF : 0xFFFF;
    const std::uint32_t both = in.words[i / kInWord] >> (i % kInWord * 8 * sizeof(Sample));
    const std::uint32_t low = __ldg(a.table + (both & kMask));
    const std::uint32_t high = __ldg(a.table + (both >> 8 * sizeof(Sample) & kMask));
    out.words[i / 2] = low | high << 16;
  }
  auto* const to = out_row<std::uint16_t>(a, y);
  store_wide(out, to, x, a.width, is_wide<std::uint16_t>(to, 0));
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kInverseDepthThreads)
    rdp_inverse_depth_u8(const rdp::cuda::InverseDepthArguments a) {
  rdp::cuda::inverse_depth<std::uint8_t>(a);
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kInverseDepthThreads)
    rdp_inverse_depth_u16(const rdp::cuda::InverseDepthArguments a) {
  rdp::cuda::inverse_depth<std::uint16_t>(a);
}
