// SPDX-License-Identifier: LGPL-2.1-or-later
// The disparity of every pixel from the costs of all paths, which are read once: their sums, the
// winner and its fraction, the checks. A block takes a row, because the right view's disparities
// are found from the same sums, and those of a row depend on all of its pixels. A warp takes 32
// neighbouring pixels one after the other, its lanes four neighbouring disparities each, or eight;
// what is left to do for a pixel once its sums have been looked at is done by one lane for each.
//
// A right pixel's sums lie on a diagonal: where x grows by one, so does the disparity. So the least
// of them moves from one disparity of a lane to the next, and from lane to lane, as the warp goes
// on; only what leaves the last lane, and what is left at the end, goes into shared memory.
#include <cstdint>

#include "kernels/stereo/path_step.cuh"
#include "kernels/stereo/stereo_arguments.h"

namespace rdp::cuda {
namespace {

constexpr std::uint32_t kNoKey = 0xFFFFFFFFU;
constexpr int kPixels = 32;  // of a warp at a time
constexpr int kPixelsAhead = 2;

// A lane's costs of a pixel, of each path, as the paths have stored them.
template <int kWords, int kPaths>
struct Loaded {
  std::uint32_t bytes[kPaths][kWords];
};

template <int kWords, int kPaths>
__device__ __forceinline__ Loaded<kWords, kPaths> load_costs(const unsigned char* from,
                                                             std::int64_t stride, bool takes_part) {
  Loaded<kWords, kPaths> result;
#pragma unroll
  for (int path = 0; path < kPaths; ++path) {
    const unsigned char* const here = from + path * stride;
    if constexpr (kWords == 1) {
      result.bytes[path][0] = takes_part ? __ldg(reinterpret_cast<const unsigned*>(here)) : 0U;
    } else {
      const uint2 both =
          takes_part ? __ldg(reinterpret_cast<const uint2*>(here)) : make_uint2(0, 0);
      result.bytes[path][0] = both.x;
      result.bytes[path][1] = both.y;
    }
  }
  return result;
}

template <int kWords, int kPaths>
__device__ __forceinline__ Disparities<kWords> sums_of(const Loaded<kWords, kPaths>& loaded) {
  constexpr std::uint32_t kLow = 0x00FF00FFU;
  Disparities<kWords> sums;
#pragma unroll
  for (int w = 0; w < kWords; ++w) {
    sums.even[w] = sums.odd[w] = 0;
#pragma unroll
    for (int path = 0; path < kPaths; ++path) {
      sums.even[w] += loaded.bytes[path][w] & kLow;
      sums.odd[w] += loaded.bytes[path][w] >> 8 & kLow;
    }
  }
  return sums;
}

// The sum of disparity `d`, from whichever lane has it.
template <int kWords>
__device__ __forceinline__ std::uint32_t sum_of(const Disparities<kWords>& sums, int d) {
  const int place = d % (4 * kWords);
  std::uint32_t pair = place % 2 == 0 ? sums.even[0] : sums.odd[0];
  if (kWords == 2 && place >= 4)
    pair = place % 2 == 0 ? sums.even[1 % kWords] : sums.odd[1 % kWords];
  return __shfl_sync(kAll, pair, d / (4 * kWords)) >> (place / 2 % 2 * 16) & 0xFFFFU;
}

// What is known of a pixel when its sums have been looked at.
struct Winner {
  std::uint32_t key;     // the smallest sum above its disparity's 8 bits
  std::uint32_t second;  // the smallest sum farther than 1 from it
  std::uint32_t before;  // the sums beside the smallest one, or any where there is none
  std::uint32_t after;
};

// The disparity, as it is stored, without the check against the right view; and the confidence.
__device__ std::uint32_t judge(const StereoArguments& a, const Winner& winner, int row, int x,
                               std::uint32_t* confidence) {
  const int best = static_cast<int>(winner.key & 0xFFU);
  const auto sum = static_cast<int>(winner.key >> 8);
  const auto second = static_cast<int>(winner.second);
  int value = 256 * best;
  if (best > 0 && best < a.disparities - 1) {
    const int below = static_cast<int>(winner.before) - sum;
    const int above = static_cast<int>(winner.after) - sum;
    const int both = below + above;
    if (both > 0) value += (256 * below + both / 2) / both - 128;
  }
  const int margin = 255 * (second - sum) / max(1, second);
  *confidence = static_cast<std::uint32_t>(margin);
  bool known = x - a.min_disparity - (value + 128) / 256 >= 0;
  if (a.left_mask.data != nullptr && __ldg(a.left_mask.data + row * a.left_mask.pitch + x) == 0) {
    known = false;
  }
  if (a.uniqueness > 0 && (second * (100 - a.uniqueness) < sum * 100 || second == sum)) {
    known = false;
  }
  if (margin < a.min_confidence) known = false;
  return known ? static_cast<std::uint32_t>(max(1, 256 * a.min_disparity + value)) : 0U;
}

template <int kWords, int kPaths>
__device__ void choose(const StereoArguments& a) {
  extern __shared__ __align__(16) unsigned char memory[];
  // For each pixel of the right view's row the smallest sum above its disparity's 8 bits.
  auto* const right = reinterpret_cast<std::uint32_t*>(memory);
  constexpr int kOfLane = 4 * kWords;
  const int row = static_cast<int>(blockIdx.x);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  constexpr int kWarps = kChooseThreads / 32;
  const int first = kOfLane * lane;  // disparity
  const bool takes_part = first < a.disparities;
  for (int x = static_cast<int>(threadIdx.x); x < a.width; x += kChooseThreads) right[x] = kNoKey;
  __syncthreads();

  auto* const checked = reinterpret_cast<std::uint16_t*>(a.checked.data + row * a.checked.pitch);
  const unsigned char* const costs =
      a.volumes + static_cast<std::int64_t>(row) * a.width * a.disparities + first;
  for (int x0 = warp * kPixels; x0 < a.width; x0 += kWarps * kPixels) {
    const int count = min(kPixels, a.width - x0);
    const unsigned char* from = costs + static_cast<std::int64_t>(x0) * a.disparities;
    // Of this pixel and of those that follow: as many as are on their way from memory.
    Loaded<kWords, kPaths> ahead[kPixelsAhead];
    const unsigned char* const last = from + static_cast<std::int64_t>(count - 1) * a.disparities;
    const auto read = [&] {
      const auto costs_there = load_costs<kWords, kPaths>(from, a.volume_stride, takes_part);
      if (from != last) from += a.disparities;
      return costs_there;
    };
#pragma unroll
    for (int i = 0; i < kPixelsAhead; ++i) ahead[i] = read();
    Winner mine{};
    // Of the right pixels that this lane's disparities belong to.
    std::uint32_t of_right[kOfLane];
#pragma unroll
    for (int d = 0; d < kOfLane; ++d) of_right[d] = kNoKey;
#pragma unroll 2
    for (int i = 0; i < count; ++i) {
      Disparities<kWords> sums = sums_of(ahead[0]);
#pragma unroll
      for (int j = 1; j < kPixelsAhead; ++j) ahead[j - 1] = ahead[j];
      ahead[kPixelsAhead - 1] = read();

      std::uint32_t keys[kOfLane];
#pragma unroll
      for (int w = 0; w < kWords; ++w) {
        if (!takes_part) sums.even[w] = sums.odd[w] = 0xFFFFFFFFU;
        const auto d = static_cast<std::uint32_t>(first + 4 * w);
        keys[4 * w] = (sums.even[w] & 0xFFFFU) << 8 | d;
        keys[4 * w + 1] = (sums.odd[w] & 0xFFFFU) << 8 | (d + 1);
        keys[4 * w + 2] = sums.even[w] >> 16 << 8 | (d + 2);
        keys[4 * w + 3] = sums.odd[w] >> 16 << 8 | (d + 3);
      }
      std::uint32_t key = keys[0];
#pragma unroll
      for (int d = 1; d < kOfLane; ++d) key = min(key, keys[d]);
      key = warp_min_unsigned(key);
      const int best = static_cast<int>(key & 0xFFU);
      std::uint32_t second = kNoKey;
#pragma unroll
      for (int d = 0; d < kOfLane; ++d) {
        if (static_cast<unsigned>(first + d - best + 1) > 2U) second = min(second, keys[d]);
      }
      second = warp_min_unsigned(second) >> 8;
      const std::uint32_t before = sum_of(sums, max(best - 1, 0));
      const std::uint32_t after = sum_of(sums, min(best + 1, a.disparities - 1));
      if (lane == i) mine = {key, second, before, after};

      // The right pixel of the last disparity has been seen with all of them.
      std::uint32_t from_lane = __shfl_up_sync(kAll, of_right[kOfLane - 1], 1);
      const int seen = x0 + i - 1 - a.min_disparity - (32 * kOfLane - 1);
      if (lane == 31 && i > 0 && seen >= 0) atomicMin(&right[seen], of_right[kOfLane - 1]);
      if (lane == 0) from_lane = kNoKey;
#pragma unroll
      for (int d = kOfLane - 1; d > 0; --d) of_right[d] = min(of_right[d - 1], keys[d]);
      of_right[0] = min(from_lane, keys[0]);
    }
#pragma unroll
    for (int d = 0; d < kOfLane; ++d) {
      const int seen = x0 + count - 1 - a.min_disparity - first - d;
      if (seen >= 0) atomicMin(&right[seen], of_right[d]);
    }
    if (lane < count) {
      const int x = x0 + lane;
      std::uint32_t confidence;
      checked[x] = static_cast<std::uint16_t>(judge(a, mine, row, x, &confidence));
      if (a.confidence.data != nullptr) {
        a.confidence.data[row * a.confidence.pitch + x] = static_cast<unsigned char>(confidence);
      }
    }
  }
  if (a.max_left_right < 0) return;
  __syncthreads();
  for (int x = static_cast<int>(threadIdx.x); x < a.width; x += kChooseThreads) {
    const int stored = checked[x];
    if (stored == 0) continue;
    // A value of 0 is stored as 1, which is rounded to the same.
    const int whole = (stored - 256 * a.min_disparity + 128) / 256;
    const int of_right = static_cast<int>(right[x - a.min_disparity - whole] & 0xFFU);
    if (abs(of_right - whole) > a.max_left_right) checked[x] = 0;
  }
}

}  // namespace
}  // namespace rdp::cuda

// For as many disparities and paths, with so many blocks on a multiprocessor: more hide the way to
// memory, as long as their registers suffice.
#define RDP_STEREO_CHOOSE(disparities, words, paths, blocks)                          \
  extern "C" __global__ void __launch_bounds__(rdp::cuda::kChooseThreads, blocks)     \
      rdp_stereo_choose_##disparities##_##paths(const rdp::cuda::StereoArguments a) { \
    rdp::cuda::choose<words, paths>(a);                                               \
  }
RDP_STEREO_CHOOSE(128, 1, 4, 3)
RDP_STEREO_CHOOSE(128, 1, 8, 3)
RDP_STEREO_CHOOSE(256, 2, 4, 2)
RDP_STEREO_CHOOSE(256, 2, 8, 2)
