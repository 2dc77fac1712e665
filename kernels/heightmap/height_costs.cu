// SPDX-License-Identifier: LGPL-2.1-or-later
// Costs of the labels, for a band of rows: census Hamming distances at each plane, then sums over
// windows. At its pixel q, an upright window around p takes the label l + F(q) - F(p), where F is
// the potential. With j = l - F(p) that is j + F(q) for all windows: a plain box.
#include <cstdint>

#include "common/heightmap/rules.h"
#include "kernels/heightmap/height_arguments.h"
#include "kernels/heightmap/places.cuh"
#include "kernels/heightmap/windows.cuh"

namespace rdp::cuda {
namespace {

using heightmap::clamp_to;

// Hamming distances between the census of a pixel and of another view, at planes.
struct Bits {
  const HeightCostArguments& a;
  const HeightSight& sight;
  Places places;
  std::uint32_t census;  // of the pixel

  __device__ std::uint32_t at(std::int32_t place) const {
    if (place == heightmap::kOutside) return heightmap::kOutsideBits;
    return static_cast<std::uint32_t>(__popc(census ^ __ldg(sight.census + place)));
  }
  // The bits of planes [first, end), the first one in the lowest byte; those behind are as the last
  // one.
  __device__ std::uint32_t of_word(int first, int end) const {
    std::uint32_t word = 0, unsure = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (first + i >= end) break;
      const std::int32_t place = places.roughly(a.planes[first + i]);
      if (place == Places::kUnsure) {
        unsure |= 1U << i;
      } else {
        word |= at(place) << (8 * i);
      }
    }
    for (; unsure != 0; unsure &= unsure - 1) {
      const int i = __ffs(static_cast<int>(unsure)) - 1;
      word |= at(places.exactly(a.planes[first + i])) << (8 * i);
    }
    const int count = end - first;
    if (count >= 4) return word;
    const std::uint32_t last = word >> (8 * (count - 1));
    return word | (last * 0x01010101U) << (8 * (count - 1));
  }
};

__device__ void find_differences(const HeightCostArguments& a) {
  const int x = static_cast<int>(blockIdx.x * kHeightDifferencesThreads + threadIdx.x);
  const int y = a.bits.first_row + static_cast<int>(blockIdx.y);
  if (x >= a.layout.width) return;
  const HeightSight& sight = a.sights[blockIdx.z];
  const Bits bits{a, sight, Places(sight, a.horizon, a.highest, x, y),
                  __ldg(a.picture.census + static_cast<std::int64_t>(y) * a.layout.width + x)};
  std::uint32_t* out = a.bits.words + blockIdx.z * a.bits.view_stride +
                       static_cast<std::int64_t>(blockIdx.y) * a.layout.width + x;
  const auto store = [&](std::uint32_t word) {
    *out = word;
    out += a.bits.plane_stride;
  };
  if (a.with_labels != 0) {
    const int heights = a.layout.heights;
    std::uint32_t word = 0;
    for (int first = 0; first < heights; first += 4) {
      word = bits.of_word(first, heights);
      if (first == 0) store(__byte_perm(word, 0, 0));
      store(word);
    }
    store(__byte_perm(word, 0, 0x3333));
  }
  for (int first = a.first_low; first < a.end_low; first += 4) {
    store(bits.of_word(a.layout.heights + first, a.layout.heights + a.end_low));
  }
}

// The start of a pixel's costs, and that of `unknown`.
__device__ unsigned char* costs_of(const HeightCostArguments& a, int x, int y) {
  return ((x + y) & 1) == 0 ? a.costs[0] + a.layout.costs(y, x >> 1)
                            : a.costs[1] + a.layout.costs(y, x >> 1);
}
__device__ unsigned char* cost_of_unknown(const HeightCostArguments& a, int x, int y) {
  return costs_of(a, x, y) + BeliefLayout::word(a.layout.words) + BeliefLayout::kUnknownByte;
}

template <int kWindow>
__device__ void find_label_costs(const HeightCostArguments& a, Windows<kWindow>* windows,
                                 const typename Windows<kWindow>::Memory& memory) {
  const int last_word = (a.layout.heights + 3) / 4 + 1;  // has the last label in all bytes
  // Costs of the first two pixels; the third one's follow the first one's, and so on.
  unsigned char* const costs[] = {costs_of(a, windows->x(0), windows->y()),
                                  costs_of(a, windows->x(1), windows->y())};
  static_assert(BeliefLayout::kGroup % kWindowPixels == 0 && kWindowPixels == 4);
  for (int j = windows->first(); j < windows->end(); j += 4) {
    const auto word_of = [&](const std::uint32_t* words, int offset, int row, int column) {
      const int from = clamp_to(j + memory.potential[row][column], -4, 4 * (last_word - 1)) + 4;
      const int word = from >> 2;
      const int next = min(word + 1, last_word);
      return __funnelshift_r(__ldg(words + (word * a.bits.plane_stride + offset)),
                             __ldg(words + (next * a.bits.plane_stride + offset)),
                             static_cast<unsigned>(from & 3) * 8);
    };
    const WindowSums sums = windows->sum(word_of);
#pragma unroll
    for (int pixel = 0; pixel < kWindowPixels; ++pixel) {
      if (!windows->has(pixel)) continue;
      const int first = j + windows->potential(pixel);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int label = first + i;
        if (label < 0 || label >= a.layout.heights) continue;
        costs[pixel % 2][pixel / 2 * 4 + BeliefLayout::word(label >> 2) + (label & 3)] =
            static_cast<unsigned char>(windows->cost(sums, pixel, i));
      }
    }
  }
}

// True if all pixels up to `reach` columns and rows away have one grey level. Nearly all threads
// stop after a few pixels.
__device__ bool is_plain(const HeightPicture& picture, int x, int y, int reach) {
  const unsigned char grey = __ldg(picture.samples + y * picture.pitch + x);
  const int left = max(x - reach, 0), right = min(x + reach, picture.width - 1);
  const int bottom = min(y + reach, picture.height - 1);
  for (int row = max(y - reach, 0); row <= bottom; ++row) {
    const unsigned char* const samples = picture.samples + row * picture.pitch;
    for (int column = left; column <= right; ++column) {
      if (__ldg(samples + column) != grey) return false;
    }
  }
  return true;
}

// Changes the costs, which this thread has written, where the image is textureless.
__device__ void fix_textureless_costs(const HeightCostArguments& a, int x, int y) {
  unsigned char* const costs = costs_of(a, x, y);
  int least = heightmap::kMaxCost;
  for (int label = 0; label < a.layout.heights; ++label) {
    unsigned char* const cost = costs + BeliefLayout::word(label >> 2) + (label & 3);
    const unsigned char settled = max(*cost, heightmap::kPlainCost);
    *cost = settled;
    least = min(least, static_cast<int>(settled));
  }
  unsigned char* const unknown = cost_of_unknown(a, x, y);
  *unknown = static_cast<unsigned char>(heightmap::plain_unknown_cost(*unknown, least));
}

template <int kWindow>
__device__ void find_costs_of_unknown(const HeightCostArguments& a, Windows<kWindow>* windows) {
  int low[kWindowPixels];
#pragma unroll
  for (int pixel = 0; pixel < kWindowPixels; ++pixel) {
    low[pixel] = heightmap::kMaxCost + 1;
    if (a.first_low > 0 && windows->has(pixel)) {
      low[pixel] = *cost_of_unknown(a, windows->x(pixel), windows->y());
    }
  }
  const int before = a.with_labels != 0 ? (a.layout.heights + 3) / 4 + 2 : 0;
  for (int first = a.first_low; first < a.end_low; first += 4) {
    const int plane = (before + (first - a.first_low) / 4) * a.bits.plane_stride;
    const WindowSums sums = windows->sum([&](const std::uint32_t* words, int offset, int, int) {
      return __ldg(words + (plane + offset));
    });
#pragma unroll
    for (int pixel = 0; pixel < kWindowPixels; ++pixel) {
#pragma unroll
      for (int i = 0; i < 4; ++i) low[pixel] = min(low[pixel], windows->cost(sums, pixel, i));
    }
  }
#pragma unroll
  for (int pixel = 0; pixel < kWindowPixels; ++pixel) {
    if (!windows->has(pixel)) continue;
    *cost_of_unknown(a, windows->x(pixel), windows->y()) = static_cast<unsigned char>(
        a.end_low == a.lows ? heightmap::unknown_cost(low[pixel], a.constant, a.bias) : low[pixel]);
  }
  if (a.end_low < a.lows) return;
#pragma unroll 1
  for (int pixel = 0; pixel < kWindowPixels; ++pixel) {
    if (!windows->has(pixel)) continue;
    const int x = windows->x(pixel), y = windows->y();
    if (is_plain(a.picture, x, y, heightmap::plain_reach(kWindow))) fix_textureless_costs(a, x, y);
  }
}

template <int kWindow>
__device__ void find_costs(const HeightCostArguments& a) {
  __shared__ typename Windows<kWindow>::Memory memory;
  Windows<kWindow> windows(a, &memory);
  windows.load();
  if (a.with_labels != 0) find_label_costs(a, &windows, memory);
  find_costs_of_unknown(a, &windows);
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kHeightDifferencesThreads)
    rdp_height_differences(const rdp::cuda::HeightCostArguments a) {
  rdp::cuda::find_differences(a);
}

// By the side of windows.
#define RDP_HEIGHT_COSTS(window)                                                 \
  extern "C" __global__ void __launch_bounds__(rdp::cuda::kHeightCostThreads, 6) \
      rdp_height_costs_##window(const rdp::cuda::HeightCostArguments a) {        \
    rdp::cuda::find_costs<window>(a);                                            \
  }
RDP_HEIGHT_COSTS(1)
RDP_HEIGHT_COSTS(3)
RDP_HEIGHT_COSTS(5)
RDP_HEIGHT_COSTS(7)
RDP_HEIGHT_COSTS(9)
RDP_HEIGHT_COSTS(11)
