// SPDX-License-Identifier: LGPL-2.1-or-later
// The range alone, decimation, holes, speckles.
#include <cstdint>

#include "kernels/depthfilter/depth_rows.cuh"
#include "kernels/primitives/component_sizes.cuh"
#include "kernels/primitives/grid_order.cuh"

namespace rdp::cuda {
namespace {

// Copies the samples in the range, eight columns a thread, and counts those that the median has
// changed.
__device__ void copy(const DepthFilterArguments& a) {
  pdl_wait_and_trigger();
  constexpr int kOfRow = kDepthColumns / kWide;
  static_assert(kCopyRows == kDepthThreads / kOfRow);
  const auto thread = static_cast<int>(threadIdx.x);
  const int x = static_cast<int>(blockIdx.x) * kDepthColumns + thread % kOfRow * kWide;
  const int y = static_cast<int>(blockIdx.y) * kCopyRows + thread / kOfRow;
  Eight eight = read_eight(a.in, has_eights(a.in), x, y, a.width, a.height);
  const unsigned removed = apply_range(a, &eight);
  unsigned changed = 0;
  if (a.before.data != nullptr) {
    const Eight before = read_eight(a.before, has_eights(a.before), x, y, a.width, a.height);
#pragma unroll
    for (int i = 0; i < kWide / 2; ++i) {
      const unsigned differs = eight.words[i] ^ before.words[i];
      changed += ((differs & 0xFFFF) != 0 ? 1U : 0U) + (differs > 0xFFFF ? 1U : 0U);
    }
  }
  if (y < a.height) {
    if (a.out.sample_bytes == 2) {
      store_wide(eight, samples_at<std::uint16_t>(a.out, 0, y), x, a.width, has_eights(a.out));
    } else {
#pragma unroll
      for (int i = 0; i < kWide; ++i) {
        if (x + i < a.width) write_sample(a.out, x + i, y, eight.words[i / 2] >> (i % 2 * 16));
      }
    }
  }
  add_counts(a, {kRangeRemoved, kMedianChanged}, {removed, changed});
}

struct Pixel {
  int x, y;
};
__device__ __forceinline__ Pixel pixel_of_thread() {
  static_assert(kPixelRows == kDepthThreads / kDepthColumns);
  const auto thread = static_cast<int>(threadIdx.x);
  return {static_cast<int>(blockIdx.x) * kDepthColumns + thread % kDepthColumns,
          static_cast<int>(blockIdx.y) * kPixelRows + thread / kDepthColumns};
}

// The lower median of the known samples of a block, bit by bit. It is the largest number with no
// more known samples below it than come before the median.
__device__ unsigned median_of_block(const DepthFilterArguments& a, int x0, int y0) {
  const int side = a.decimation;
  int known = 0;
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      known += sample_at(a, x0 + j, y0 + i) != 0 ? 1 : 0;
    }
  }
  if (known == 0 || 4 * known < side * side) return 0;
  unsigned median = 0;
  for (unsigned bit = 0x8000; bit != 0; bit /= 2) {
    int smaller = 0;
    for (int i = 0; i < side; ++i) {
      for (int j = 0; j < side; ++j) {
        const int v = sample_at(a, x0 + j, y0 + i);
        smaller += v != 0 && v < static_cast<int>(median | bit) ? 1 : 0;
      }
    }
    if (smaller <= (known - 1) / 2) median |= bit;
  }
  return median;
}

__device__ void decimate(const DepthFilterArguments& a) {
  pdl_wait_and_trigger();
  const Pixel to = pixel_of_thread();
  const int side = a.decimation;
  if (to.x < a.width / side && to.y < a.height / side) {
    write_sample(a.out, to.x, to.y, median_of_block(a, to.x * side, to.y * side));
  }
  add_counts(a, {kRangeRemoved}, {0U});
}

// The first known sample in a direction, within `reach` pixels.
__device__ __forceinline__ filter::Side look(const DepthFilterArguments& a, int x, int y, int dx,
                                             int dy, int reach) {
  const int most = min(a.holes.size, reach);
  for (int d = 1; d <= most; ++d) {
    const int v = sample_at(a, x + d * dx, y + d * dy);
    if (v != 0) return {v, d};
  }
  return {};
}

__device__ void fill(const DepthFilterArguments& a) {
  pdl_wait_and_trigger();
  const Pixel pixel = pixel_of_thread();
  const int x = pixel.x, y = pixel.y;
  unsigned filled = 0;
  if (x < a.width && y < a.height) {
    int v = sample_at(a, x, y);
    if (v == 0) {
      filter::Hole hole;
      hole.left = look(a, x, y, -1, 0, x);
      if (a.holes.filling != filter::HoleFilling::kLeft) {
        hole.right = look(a, x, y, 1, 0, a.width - 1 - x);
        hole.above = look(a, x, y, 0, -1, y);
        hole.below = look(a, x, y, 0, 1, a.height - 1 - y);
      }
      v = filter::filled(hole, a.holes);
      filled = v != 0 ? 1 : 0;
    }
    write_sample(a.out, x, y, static_cast<unsigned>(v));
  }
  add_counts(a, {kHoleFilled}, {filled});
}

// Components of pixels whose samples are alike (primitives/component_sizes.cuh); small ones become
// unknown.
struct Alike {
  const filter::Tolerance& tolerance;
  __device__ bool operator()(int one, int other) const {
    return one != 0 && other != 0 && filter::are_alike(one, other, tolerance);
  }
};

__device__ void label(const DepthFilterArguments& a) {
  static_assert(kDepthThreads == 32 * kDepthLabelRows);
  pdl_wait_and_trigger();
  label_tile<kDepthLabelRows>(
      a, [&](int x, int y) { return sample_at(a, x, y); }, Alike{a.tolerance});
}

// A thread for each pair of neighbours in different tiles.
__device__ void unite_tiles(const DepthFilterArguments& a) {
  pdl_wait_and_trigger();
  unite_tile_pair<32, kDepthLabelRows>(
      static_cast<std::int64_t>(blockIdx.x) * kDepthThreads + threadIdx.x, a.width, a.height,
      a.parents, [&](int x, int y) { return sample_at(a, x, y); }, Alike{a.tolerance});
}

__device__ void gather(const DepthFilterArguments& a) {
  pdl_wait_and_trigger();
  gather_sizes<kDepthThreads, kDepthStripRows>(a);
}

__device__ void speckles(const DepthFilterArguments& a) {
  pdl_wait_and_trigger();
  const Strip strip = strip_of<kDepthThreads, kDepthStripRows>(a);
  int values[kDepthStripRows];
  unsigned removed = 0;
#pragma unroll
  for (int i = 0; i < kDepthStripRows; ++i) {
    values[i] = i < strip.rows ? sample_at(a, strip.x, strip.y + i) : 0;
  }
  std::uint32_t roots[kDepthStripRows];
#pragma unroll
  for (int i = 0; i < kDepthStripRows; ++i) {
    roots[i] = values[i] != 0 ? a.parents[pixel_number(a, strip.x, strip.y + i)] : 0U;
  }
#pragma unroll
  for (int i = 0; i < kDepthStripRows; ++i) roots[i] = values[i] != 0 ? a.parents[roots[i]] : 0U;
#pragma unroll
  for (int i = 0; i < kDepthStripRows; ++i) {
    const bool small =
        values[i] != 0 && a.sizes[roots[i]] < static_cast<std::uint32_t>(a.speckle_size);
    removed += small ? 1U : 0U;
    if (i < strip.rows)
      write_sample(a.out, strip.x, strip.y + i, small ? 0U : static_cast<unsigned>(values[i]));
  }
  add_counts(a, {kSpeckleRemoved}, {removed});
}

}  // namespace
}  // namespace rdp::cuda

RDP_DEPTH_KERNEL(copy, copy)
RDP_DEPTH_KERNEL(decimate, decimate)
RDP_DEPTH_KERNEL(fill, fill)
RDP_DEPTH_KERNEL(label, label)
RDP_DEPTH_KERNEL(unite, unite_tiles)
RDP_DEPTH_KERNEL(gather, gather)
RDP_DEPTH_KERNEL(speckles, speckles)
