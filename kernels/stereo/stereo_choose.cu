// SPDX-License-Identifier: LGPL-2.1-or-later
// The disparity of every pixel from the costs of all paths, which are read once: their sums, the
// winner and its fraction, the checks. A block takes a row: the right view's disparities come from
// the same sums, and those of a row depend on all of its pixels. A warp takes neighbouring pixels
// one after the other; a lane has four or eight neighbouring disparities. The rest of the work is
// done for 32 pixels at a time, by a lane each.
//
// A right pixel's sums lie on a diagonal: where x grows by one, so does the disparity. So the least
// of them moves from one disparity of a lane to the next, and from lane to lane, as the warp goes
// on; only what leaves the last lane, and what is left at the end, goes into shared memory.
#include <cstdint>

#include "kernels/stereo/path_step.cuh"
#include "kernels/stereo/seen.cuh"
#include "kernels/stereo/stereo_arguments.h"

namespace rdp::cuda {
namespace {

constexpr std::uint32_t kNoKey = 0xFFFFFFFFU;
constexpr int kPixels = 32;  // of a warp, which then finishes them, a lane each
constexpr int kUnrolled = 4;
constexpr int kFar = 1 << 30;

// Pixels whose loads are on their way.
template <int kWords, int kPaths>
constexpr int kPixelsAhead = kWords* kPaths <= 4 ? 4 : 2;

// A lane's costs of a pixel, of each path, as the paths have stored them.
template <int kWords, int kPaths>
struct Loaded {
  std::uint32_t bytes[kPaths][kWords];
};

// `row` is that of the first path, the same for all lanes.
template <int kWords, int kPaths>
__device__ __forceinline__ Loaded<kWords, kPaths> load_costs(const unsigned char* row,
                                                             std::int64_t stride,
                                                             std::uint32_t offset) {
  Loaded<kWords, kPaths> result;
#pragma unroll
  for (int path = 0; path < kPaths; ++path) {
    const unsigned char* const here = row + path * stride + offset;
    if constexpr (kWords == 1) {
      result.bytes[path][0] = __ldg(reinterpret_cast<const unsigned*>(here));
    } else {
      const uint2 both = __ldg(reinterpret_cast<const uint2*>(here));
      result.bytes[path][0] = both.x;
      result.bytes[path][1] = both.y;
    }
  }
  return result;
}

// `outside` is added: kNever in lanes without disparities.
template <int kWords, int kPaths>
__device__ __forceinline__ Disparities<kWords> sums_of(const Loaded<kWords, kPaths>& loaded,
                                                       std::uint32_t outside) {
  Disparities<kWords> sums;
#pragma unroll
  for (int w = 0; w < kWords; ++w) {
    sums.even[w] = sums.odd[w] = outside;
#pragma unroll
    for (int path = 0; path < kPaths; ++path) {
      sums.even[w] += loaded.bytes[path][w] & 0x00FF00FFU;
      sums.odd[w] += __byte_perm(loaded.bytes[path][w], 0, 0x4341);
    }
  }
  return sums;
}

// The smallest sum of those farther than 1 from the disparity `best`.
template <int kWords>
__device__ __forceinline__ std::uint32_t second_sum(const Disparities<kWords>& sums, int best,
                                                    int first) {
  // The even disparities of all lanes are numbered 0, 1, 2 ..., and so are the odd ones. Left out
  // are number best / 2 of both, and the next even or the previous odd one, or the same again.
  // Setting kNever's bit makes a half too large.
  const int number = 16 * (best / 2 - first / 2);
  const int even_too = number + best % 2 * 16;
  const int odd_too = even_too - 16;
  const auto half = [](int shift) {  // none where the half belongs to another lane
    return __funnelshift_lc(0U, kNever & 0xFFFFU, static_cast<unsigned>(shift));
  };
  std::uint32_t least = 0;
#pragma unroll
  for (int w = 0; w < kWords; ++w) {
    const std::uint32_t out = half(number - 32 * w);
    const std::uint32_t both = smaller_pair(sums.even[w] | out | half(even_too - 32 * w),
                                            sums.odd[w] | out | half(odd_too - 32 * w));
    least = w == 0 ? both : smaller_pair(least, both);
  }
  least = smaller_pair(least, __byte_perm(least, least, 0x1032));
  return warp_min_unsigned(least) & 0xFFFFU;
}

// The pair of sums that has disparity `d`, from the lane that has it; any pair if none has. `odd`:
// d is odd.
template <int kWords>
__device__ __forceinline__ std::uint32_t pair_of(const Disparities<kWords>& sums, int d, bool odd) {
  std::uint32_t pair = odd ? sums.odd[0] : sums.even[0];
  if (kWords == 2 && (d & 4) != 0) pair = odd ? sums.odd[kWords - 1] : sums.even[kWords - 1];
  return __shfl_sync(kAll, pair, static_cast<unsigned>(d) / (4 * kWords) % 32);
}
__device__ __forceinline__ int sum_in(std::uint32_t pair, int d) {
  return static_cast<int>(pair >> (d / 2 % 2 * 16) & 0xFFFFU);
}

// The winner among a pixel's sums.
struct Winner {
  std::uint32_t key;     // the smallest sum above its disparity's 8 bits
  std::uint32_t second;  // the smallest sum farther than 1 from it
  std::uint32_t before;  // the pairs with the sums beside it, or any where there is none
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
    const int below = sum_in(winner.before, best - 1) - sum;
    const int above = sum_in(winner.after, best + 1) - sum;
    const int both = below + above;
    if (both > 0) value += (256 * below + both / 2) / both - 128;
  }
  const int margin = 255 * (second - sum) / max(1, second);
  *confidence = static_cast<std::uint32_t>(margin);
  const int in_right = x - a.min_disparity - (value + 128) / 256;
  bool known = in_right >= 0 && in_right < a.width && was_seen(a.left_mask, x, row) &&
               was_seen(a.right_mask, min(max(in_right, 0), a.width - 1), row);
  if (a.uniqueness > 0 && (second * (100 - a.uniqueness) < sum * 100 || second == sum)) {
    known = false;
  }
  if (margin < a.min_confidence) known = false;
  const int stored = max(1, 256 * stereo::first_sample(a.min_disparity) + value);
  return known ? static_cast<std::uint32_t>(stored) : 0U;
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
  constexpr int kAhead = kPixelsAhead<kWords, kPaths>;
  static_assert(kUnrolled % kAhead == 0);
  const int first = kOfLane * lane;  // disparity
  const bool takes_part = first < a.disparities;
  // True if there is such a pixel in the right view: one comparison.
  const auto is_column = [&](int column) {
    return static_cast<unsigned>(column) < static_cast<unsigned>(a.width);
  };
  for (int x = static_cast<int>(threadIdx.x); x < a.width; x += kChooseThreads) right[x] = kNoKey;
  __syncthreads();

  auto* const checked = reinterpret_cast<std::uint16_t*>(a.checked.data + row * a.checked.pitch);
  // A warp's pixels, from `begin` on.
  const int share = (a.width + kUnrolled * kWarps - 1) / (kUnrolled * kWarps) * kUnrolled;
  const int begin = warp * share, end = min(begin + share, a.width);
  if (begin < end) {
    const unsigned char* const costs =
        a.volumes + static_cast<std::int64_t>(row) * a.width * a.disparities;
    const auto disparities = static_cast<std::uint32_t>(a.disparities);
    // A lane without disparities reads those of the first one.
    std::uint32_t offset = static_cast<std::uint32_t>(begin) * disparities +
                           static_cast<std::uint32_t>(takes_part ? first : 0);
    const std::uint32_t last = offset + static_cast<std::uint32_t>(end - 1 - begin) * disparities;
    const auto read = [&] {
      const auto costs_there = load_costs<kWords, kPaths>(costs, a.volume_stride, offset);
      offset = min(offset + disparities, last);
      return costs_there;
    };
    Loaded<kWords, kPaths> ahead[kAhead];
#pragma unroll
    for (Loaded<kWords, kPaths>& loaded : ahead) loaded = read();

    const std::uint32_t outside = opaque(takes_part ? 0U : kNever);
    // Two disparities each that come below the sums of a pair, and a byte of zeros.
    std::uint32_t even_numbers[kWords], odd_numbers[kWords];
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      const auto d = static_cast<std::uint32_t>(first + 4 * w);
      even_numbers[w] = opaque(d | (d + 2) << 8);
      odd_numbers[w] = opaque((d + 1) | (d + 3) << 8);
    }
    const std::uint32_t no_lane_before = opaque(lane == 0 ? kNoKey : 0U);
    // The right pixel that has come to the last disparity of all; none in the other lanes.
    int seen = lane == 31 ? begin - 1 - a.min_disparity - first - (kOfLane - 1) : -kFar;
    // The keys of the right pixels that this lane's disparities belong to.
    std::uint32_t of_right[kOfLane];
#pragma unroll
    for (int d = 0; d < kOfLane; ++d) of_right[d] = kNoKey;
    Winner mine{};

    // Takes pixel `i` of those that the lanes will finish.
    const auto take = [&](const Loaded<kWords, kPaths>& loaded, int i) {
      const Disparities<kWords> sums = sums_of(loaded, outside);
      std::uint32_t keys[kOfLane];
#pragma unroll
      for (int w = 0; w < kWords; ++w) {
        keys[4 * w] = __byte_perm(sums.even[w], even_numbers[w], 0x6104);
        keys[4 * w + 1] = __byte_perm(sums.odd[w], odd_numbers[w], 0x6104);
        keys[4 * w + 2] = __byte_perm(sums.even[w], even_numbers[w], 0x6325);
        keys[4 * w + 3] = __byte_perm(sums.odd[w], odd_numbers[w], 0x6325);
      }
      std::uint32_t key = keys[0];
#pragma unroll
      for (int d = 1; d < kOfLane; ++d) key = min(key, keys[d]);
      key = warp_min_unsigned(key);
      const int best = static_cast<int>(key & 0xFFU);
      const std::uint32_t second = second_sum(sums, best, first);
      const bool odd_beside = best % 2 == 0;
      const std::uint32_t before = pair_of(sums, best - 1, odd_beside);
      const std::uint32_t after = pair_of(sums, best + 1, odd_beside);
      if (lane == i) mine = {key, second, before, after};

      // The right pixel of the last disparity has been seen with all of them.
      const std::uint32_t from_lane = __shfl_up_sync(kAll, of_right[kOfLane - 1], 1);
      if (is_column(seen)) atomicMin(&right[seen], of_right[kOfLane - 1]);
      ++seen;
#pragma unroll
      for (int d = kOfLane - 1; d > 0; --d) of_right[d] = min(of_right[d - 1], keys[d]);
      of_right[0] = min(from_lane | no_lane_before, keys[0]);
    };

    for (int x0 = begin; x0 < end; x0 += kPixels) {
      const int count = min(kPixels, end - x0);
      int i = 0;
      for (; i + kUnrolled <= count; i += kUnrolled) {
#pragma unroll
        for (int j = 0; j < kUnrolled; ++j) {
          const Loaded<kWords, kPaths> loaded = ahead[j % kAhead];
          ahead[j % kAhead] = read();
          take(loaded, i + j);
        }
      }
      // For the last pixels of a row.
      for (; i < count; ++i) {
        take(ahead[0], i);
#pragma unroll
        for (int j = 1; j < kAhead; ++j) ahead[j - 1] = ahead[j];
        ahead[kAhead - 1] = read();
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
#pragma unroll
    for (int d = 0; d < kOfLane; ++d) {
      const int still = end - 1 - a.min_disparity - first - d;
      if (is_column(still)) atomicMin(&right[still], of_right[d]);
    }
  }
  if (a.max_left_right < 0) return;
  __syncthreads();
  for (int x = static_cast<int>(threadIdx.x); x < a.width; x += kChooseThreads) {
    const int stored = checked[x];
    if (stored == 0) continue;
    // A value of 0 is stored as 1, which is rounded to the same.
    const int whole = (stored - 256 * stereo::first_sample(a.min_disparity) + 128) / 256;
    const int of_right = static_cast<int>(right[x - a.min_disparity - whole] & 0xFFU);
    if (abs(of_right - whole) > a.max_left_right) checked[x] = 0;
  }
}

}  // namespace
}  // namespace rdp::cuda

// A kernel per number of disparities and of paths, with so many blocks on a multiprocessor. More
// blocks hide memory latency, as long as their registers suffice; newer devices want some more.
#if __CUDA_ARCH__ >= 1000
#define RDP_STEREO_FEW_8_BLOCKS 2
#else
#define RDP_STEREO_FEW_8_BLOCKS 3
#endif
#define RDP_STEREO_CHOOSE(disparities, words, paths, blocks)                          \
  extern "C" __global__ void __launch_bounds__(rdp::cuda::kChooseThreads, blocks)     \
      rdp_stereo_choose_##disparities##_##paths(const rdp::cuda::StereoArguments a) { \
    rdp::cuda::choose<words, paths>(a);                                               \
  }
RDP_STEREO_CHOOSE(128, 1, 4, 3)
RDP_STEREO_CHOOSE(128, 1, 8, RDP_STEREO_FEW_8_BLOCKS)
RDP_STEREO_CHOOSE(256, 2, 4, 2)
RDP_STEREO_CHOOSE(256, 2, 8, 2)
