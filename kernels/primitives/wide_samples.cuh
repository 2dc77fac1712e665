// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_WIDE_SAMPLES_CUH_
#define RDP_KERNELS_PRIMITIVES_WIDE_SAMPLES_CUH_

#include <cstdint>

namespace rdp::cuda {

// The number of neighbouring samples of a row for a thread of the filters.
constexpr int kWide = 8;

// That many samples: one load or store where they are aligned to their size.
template <typename Sample>
struct Wide;
template <>
struct alignas(8) Wide<std::uint8_t> {
  std::uint32_t words[2];
};
template <>
struct alignas(16) Wide<std::uint16_t> {
  std::uint32_t words[4];
};

// True where every row of a frame may be read and written in whole Wides.
template <typename Sample>
__device__ bool is_wide(const void* data, std::int64_t pitch) {
  const auto bits = reinterpret_cast<std::uintptr_t>(data) | static_cast<std::uintptr_t>(pitch);
  return bits % sizeof(Wide<Sample>) == 0;
}

template <typename Sample>
__device__ Wide<Sample> load_wide_aligned(const Sample* from);
template <>
__device__ inline Wide<std::uint8_t> load_wide_aligned(const std::uint8_t* from) {
  const uint2 v = __ldg(reinterpret_cast<const uint2*>(from));
  return {{v.x, v.y}};
}
template <>
__device__ inline Wide<std::uint16_t> load_wide_aligned(const std::uint16_t* from) {
  const uint4 v = __ldg(reinterpret_cast<const uint4*>(from));
  return {{v.x, v.y, v.z, v.w}};
}

// Samples of `row` from column x on; the last column repeats beyond the end. The kernel must not
// write what this reads.
template <typename Sample>
__device__ Wide<Sample> load_wide_clamped(const Sample* row, int x, int width) {
  constexpr int kInWord = 4 / static_cast<int>(sizeof(Sample));
  Wide<Sample> result{};
#pragma unroll
  for (int i = 0; i < kWide; ++i) {
    const std::uint32_t sample = __ldg(row + min(x + i, width - 1));
    result.words[i / kInWord] |= sample << (i % kInWord * 8 * sizeof(Sample));
  }
  return result;
}

// Writes those of the samples that are within the row.
template <typename Sample>
__device__ void store_wide(const Wide<Sample>& samples, Sample* row, int x, int width, bool wide) {
  if (wide && x + kWide <= width) {
    *reinterpret_cast<Wide<Sample>*>(row + x) = samples;
    return;
  }
  constexpr int kInWord = 4 / static_cast<int>(sizeof(Sample));
#pragma unroll
  for (int i = 0; i < kWide; ++i) {
    const std::uint32_t word = samples.words[i / kInWord];
    if (x + i < width) {
      row[x + i] = static_cast<Sample>(word >> (i % kInWord * 8 * sizeof(Sample)));
    }
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_WIDE_SAMPLES_CUH_
