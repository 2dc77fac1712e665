// SPDX-License-Identifier: LGPL-2.1-or-later
// Spatial smoothing: means along rows go to shared memory, from where columns are read. Eight
// columns of a row are a thread's, then some rows of two columns.
//
// Samples are floats of 2^23 and more, whose last place is 1. So differences of two are exact. A
// mean is rounded by adding its difference from the sample to the sample. A mean of 1, 3, ... 17
// samples is never half-way: it stays at least 1/34 away, more than its error. Unknown samples are
// too large to be near a known one.
#include <cstdint>

#include "kernels/depthfilter/depth_rows.cuh"
#include "kernels/primitives/grid_order.cuh"

namespace rdp::cuda {
namespace {

constexpr int kMost = kMaxDepthRadius;

// The lower or the upper one of two samples.
__device__ __forceinline__ float lifted(unsigned pair, bool upper) {
  const float v = __uint_as_float(__byte_perm(pair, 0x4B00, upper ? 0x5432 : 0x5410));
  return v != 8388608.0F ? v : __uint_as_float(0x7E000000);
}
__device__ __forceinline__ unsigned lowered(float v) { return __float_as_uint(v) & 0xFFFF; }

// 1 / n, wrong by no more than 2^-23 of it.
__device__ __forceinline__ float reciprocal(float n) {
#ifdef RDP_EMULATED
  return 1.0F / n;
#else
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(n));
  return result;
#endif
}

// The mean around line[center]. kRadius 0: the radius is what `radius` says.
template <int kRadius>
__device__ __forceinline__ float mean(const float* line, int center, int radius,
                                      const filter::Tolerance& tolerance) {
  const float v = line[center];
  const auto tau = static_cast<float>(tolerance_at(lowered(v), tolerance));
  const float four_tau = 4.0F * tau;
  float sum = 0.0F, count = 1.0F;
#pragma unroll
  for (int d = 1; d <= (kRadius == 0 ? kMost : kRadius); ++d) {
    if (kRadius == 0 && d > radius) break;
    const float before = line[center - d] - v, behind = line[center + d] - v;
    const float both = before + behind;
    // One branch for all three.
    const bool are_near = (fabsf(before) <= four_tau) & (fabsf(behind) <= four_tau);
    if ((fabsf(both) <= tau) & are_near) {
      sum += both;
      count += 2.0F;
    }
  }
  return v + sum * reciprocal(count);
}

template <int kRadius>
__device__ __forceinline__ void smooth_rows(const DepthFilterArguments& a, int x0, int y0,
                                            float (*rows)[kDepthColumns]) {
  constexpr int kOfRow = kDepthColumns / kWide;
  const int radius = kRadius == 0 ? a.radius : kRadius;
  for (int i = static_cast<int>(threadIdx.x); i < kOfRow * (kSmoothRows + 2 * radius);
       i += kDepthThreads) {
    const int row = i / kOfRow, column = i % kOfRow * kWide;
    float line[3 * kWide];
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      const Eight eight = read_eight(a.in, true, x0 + column + (k - 1) * kWide, y0 - radius + row,
                                     a.width, a.height);
#pragma unroll
      for (int j = 0; j < kWide; ++j) {
        line[k * kWide + j] = lifted(eight.words[j / 2], j % 2 != 0);
      }
    }
#pragma unroll
    for (int j = 0; j < kWide; j += 4) {
      const auto at = [&](int k) {
        return mean<kRadius>(line, kWide + j + k, radius, a.tolerance);
      };
      *reinterpret_cast<float4*>(&rows[row][column + j]) = {at(0), at(1), at(2), at(3)};
    }
  }
  __syncthreads();
}

template <int kRadius>
__device__ __forceinline__ void smooth(const DepthFilterArguments& a) {
  pdl_wait_and_trigger();
  __shared__ __align__(16) float rows[kSmoothRows + 2 * kMost][kDepthColumns];
  const int x0 = static_cast<int>(blockIdx.x) * kDepthColumns;
  const int y0 = static_cast<int>(blockIdx.y) * kSmoothRows;
  smooth_rows<kRadius>(a, x0, y0, rows);
  constexpr int kRowsOfThread = kSmoothRows * 32 / kDepthThreads;
  constexpr int kWindow = kRadius == 0 ? kMost : kRadius;
  const int radius = kRadius == 0 ? a.radius : kRadius;
  const int column = static_cast<int>(threadIdx.x) % 32 * 2;
  const int row = static_cast<int>(threadIdx.x) / 32 * kRowsOfThread;
  const int x = x0 + column, y = y0 + row;
  const int known_rows = x < a.width ? min(kRowsOfThread, a.height - y) : 0;
  const bool pairs = has_pairs(a.out);
  unsigned before[kRowsOfThread];
#pragma unroll
  for (int i = 0; i < kRowsOfThread; ++i) {
    before[i] = i < known_rows ? *samples_at<unsigned>(a.in, x / 2, y + i) : 0U;
  }
  float first[kRowsOfThread + 2 * kWindow], second[kRowsOfThread + 2 * kWindow];
#pragma unroll
  for (int i = 0; i < kRowsOfThread + 2 * kWindow; ++i) {
    // The window of a radius that is not kWindow begins later and ends earlier.
    const int at = min(max(row + i - kWindow + radius, 0), kSmoothRows + 2 * radius - 1);
    const auto both = *reinterpret_cast<const float2*>(&rows[at][column]);
    first[i] = both.x;
    second[i] = both.y;
  }
  unsigned changed = 0;
#pragma unroll
  for (int i = 0; i < kRowsOfThread; ++i) {
    const unsigned one = lowered(mean<kRadius>(first, i + kWindow, radius, a.tolerance));
    const unsigned other = lowered(mean<kRadius>(second, i + kWindow, radius, a.tolerance));
    if (i >= known_rows) continue;
    const unsigned pair = one | other << 16;
    const unsigned differs = pair ^ before[i];
    changed += ((differs & 0xFFFF) != 0 ? 1U : 0U);
    changed += x + 1 < a.width && differs > 0xFFFF ? 1U : 0U;
    write_pair(a.out, pairs, x, y + i, a.width, pair);
  }
  add_counts(a, {kSpatialChanged}, {changed});
}

}  // namespace
}  // namespace rdp::cuda

RDP_DEPTH_KERNEL(smooth_4, smooth<4>)
RDP_DEPTH_KERNEL(smooth_any, smooth<0>)
