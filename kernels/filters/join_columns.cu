// SPDX-License-Identifier: LGPL-2.1-or-later
// The lower median of the known samples of neighbouring columns: each thread sorts one row of one
// group in registers. Neighbouring groups share cache lines, so that memory is read once.
#include <cstdint>

#include "kernels/filters/filter_rows.cuh"

namespace rdp::cuda {
namespace {

__device__ void exchange(std::uint32_t& low, std::uint32_t& high) {
  const std::uint32_t least = min(low, high);
  high = max(low, high);
  low = least;
}

// Batcher's odd-even merge sort (D. E. Knuth, The Art of Computer Programming, vol. 3, 5.3.4):
// merges runs of kRun samples, beginning with exchanges over kDistance. The comparators of a larger
// network that reach beyond the samples are left out.
template <int kCount, int kRun = 1, int kDistance = kRun>
__device__ void sort_samples(std::uint32_t* samples) {
  if constexpr (kRun < kCount) {
#pragma unroll
    for (int i = kDistance % kRun; i + kDistance < kCount; ++i) {
      const bool first_of_pair = (i - kDistance % kRun) / kDistance % 2 == 0;
      const bool same_run = i / (2 * kRun) == (i + kDistance) / (2 * kRun);
      if (first_of_pair && same_run) exchange(samples[i], samples[i + kDistance]);
    }
    if constexpr (kDistance > 1) {
      sort_samples<kCount, kRun, kDistance / 2>(samples);
    } else {
      sort_samples<kCount, 2 * kRun>(samples);
    }
  }
}

// The joined sample of up to kCount samples; `count` are there.
template <typename Sample, int kCount>
__device__ std::uint32_t join(const JoinColumnsArguments& a, const Sample* from, int count) {
  std::uint32_t samples[kCount];
  int known = 0;
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    // An unknown sample goes to the upper end.
    samples[i] = 0xFFFFFFFF;
    if (i < count) {
      const std::uint32_t sample = __ldg(from + i);
      if (sample >= a.known_first && sample <= a.known_last) {
        samples[i] = sample;
        ++known;
      }
    }
  }
  if (known == 0 || 2 * known < count) return a.unknown;
  sort_samples<kCount>(samples);
  // The lower median of n known samples is number (n - 1) / 2: number k if n > 2 * k.
  std::uint32_t joined = samples[0];
#pragma unroll
  for (int k = 1; 2 * k < kCount; ++k) {
    if (known > 2 * k) joined = samples[k];
  }
  return joined;
}

template <typename Sample>
__device__ void join_columns(const JoinColumnsArguments& a) {
  const int group =
      static_cast<int>(blockIdx.x) * kJoinColumns + static_cast<int>(threadIdx.x % 32);
  const int y = static_cast<int>(blockIdx.y) * kJoinRows + static_cast<int>(threadIdx.x / 32);
  const int first = group * a.column_width;
  if (first >= a.width || y >= a.height) return;
  const Sample* from = in_row<Sample>(a, y) + first;
  const int count = min(a.column_width, a.width - first);
  std::uint32_t joined = 0;
  switch (a.column_width) {
#define RDP_JOIN(k)                           \
  case k:                                     \
    joined = join<Sample, k>(a, from, count); \
    break;
    RDP_JOIN(1)
    RDP_JOIN(2)
    RDP_JOIN(3)
    RDP_JOIN(4)
    RDP_JOIN(5)
    RDP_JOIN(6)
    RDP_JOIN(7)
    RDP_JOIN(8)
    RDP_JOIN(9)
    RDP_JOIN(10)
    RDP_JOIN(11)
    RDP_JOIN(12)
    RDP_JOIN(13)
    RDP_JOIN(14)
    RDP_JOIN(15)
    RDP_JOIN(16)
#undef RDP_JOIN
  }
  out_row<Sample>(a, y)[group] = static_cast<Sample>(joined);
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kJoinThreads)
    rdp_join_columns_u8(const rdp::cuda::JoinColumnsArguments a) {
  rdp::cuda::join_columns<std::uint8_t>(a);
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kJoinThreads)
    rdp_join_columns_u16(const rdp::cuda::JoinColumnsArguments a) {
  rdp::cuda::join_columns<std::uint16_t>(a);
}
