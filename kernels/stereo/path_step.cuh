// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_STEREO_PATH_STEP_CUH_
#define RDP_KERNELS_STEREO_PATH_STEP_CUH_

#include <cstdint>

#include "common/stereo/limits.h"
#include "kernels/primitives/pairs.cuh"
#include "kernels/primitives/warp.cuh"

// One pixel of a path. The lanes of a warp share the disparities: four neighbouring ones, or kWords
// times as many, in each lane.
namespace rdp::cuda {

// Returns v by way of the warp, which hides its origin from the compiler. So v stays in a register,
// and is not computed again in every step of a loop. All threads of the warp take part.
__device__ __forceinline__ std::uint32_t opaque(std::uint32_t v) {
  return __shfl_sync(kAll, v, static_cast<int>(threadIdx.x % 32));
}
// An address that is made before a loop, not partly in it.
template <typename T>
__device__ __forceinline__ T* as_one(T* address) {
#ifndef RDP_EMULATED
  asm volatile("" : "+l"(address));
#endif
  return address;
}

// More than any cost of a path, and so small that sums with it fit a pair.
constexpr std::uint32_t kNever = 0x40004000U;

// Disparities 4 w and 4 w + 2 of a lane are the lower and the upper half of even[w], 4 w + 1 and
// 4 w + 3 those of odd[w]: so even and odd are neighbours of each other, and one shift makes bytes
// of them in the order of the disparities.
template <int kWords>
struct Disparities {
  std::uint32_t even[kWords];
  std::uint32_t odd[kWords];
};

// The state of a path, and its inputs to the next step: the least cost, in both halves. All zeros
// at a path's start.
template <int kWords>
struct Path {
  Disparities<kWords> cost;
  std::uint32_t least;
};

// Above the least cost of any path. It is added before that cost is subtracted, so that no half of
// a word becomes negative.
constexpr std::uint32_t kLift = 0x01000100U;

// Constants of all steps of all paths, in registers.
struct Steady {
  std::uint32_t p1;    // in both halves
  std::uint32_t p2;    // in both halves, lifted
  std::uint32_t rest;  // undoes the lift; kNever more in lanes beyond the last disparity
  // Selectors with which __byte_perm() takes from the neighbouring lanes. The first and last lane
  // take the neighbour at the other side, which stands for both.
  std::uint32_t from_below;
  std::uint32_t from_above;
  bool stores;  // the lane has disparities
};

template <int kWords>
__device__ __forceinline__ Steady steady(int p1, int p2, int disparities) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  Steady s;
  s.stores = 4 * kWords * lane < disparities;
  s.p1 = opaque(both_halves(static_cast<std::uint32_t>(p1)));
  s.p2 = opaque(both_halves(static_cast<std::uint32_t>(p2)) + kLift);
  s.rest = opaque((s.stores ? 0U : kNever) - kLift);
  s.from_below = opaque(lane == 0 ? 0x5454U : 0x5432U);
  s.from_above = opaque(lane == 31 ? 0x3232U : 0x5432U);
  return s;
}

// Hamming distances, at most kMaxCost, between the left view's census word and the right view's
// words for the lane's disparities. The word of the first disparity comes last. A word with its
// highest bit set differs in all bits.
template <int kWords, bool kMasked>
__device__ __forceinline__ Disparities<kWords> matching_costs(std::uint32_t left,
                                                              const std::uint32_t* right) {
  Disparities<kWords> result;
  const auto differ = [&](int d) {
    const std::uint32_t word = right[4 * kWords - 1 - d];
    if (!kMasked) return static_cast<std::uint32_t>(__popc(left ^ word));
    const auto unseen = static_cast<std::uint32_t>(static_cast<std::int32_t>(word) >> 31);
    return static_cast<std::uint32_t>(__popc((left ^ word) | unseen));
  };
#pragma unroll
  for (int w = 0; w < kWords; ++w) {
    const std::uint32_t most = both_halves(static_cast<std::uint32_t>(stereo::kMaxCost));
    result.even[w] = smaller_pair(differ(4 * w) + (differ(4 * w + 2) << 16), most);
    result.odd[w] = smaller_pair(differ(4 * w + 1) + (differ(4 * w + 3) << 16), most);
  }
  return result;
}

// Goes on by one pixel. All lanes take part.
//
// A step waits for the least cost of the step before, on which the lanes have to agree. All other
// work is done meanwhile, so that only three instructions depend on it.
template <int kWords>
__device__ __forceinline__ void advance_path(const Disparities<kWords>& costs, const Steady& s,
                                             Path<kWords>* path) {
  const Disparities<kWords> before = path->cost;
  // The nearest disparities of the lanes beside this one.
  const std::uint32_t below = __shfl_up_sync(kAll, before.odd[kWords - 1], 1);
  const std::uint32_t above = __shfl_down_sync(kAll, before.even[0], 1);
  const std::uint32_t lower = kLift - path->least;
  std::uint32_t least = 0;
#pragma unroll
  for (int w = 0; w < kWords; ++w) {
    const std::uint32_t odd_below =
        w == 0 ? __byte_perm(below, before.odd[0], s.from_below)
               : __byte_perm(before.odd[w == 0 ? 0 : w - 1], before.odd[w], 0x5432);
    const std::uint32_t even_above =
        w == kWords - 1 ? __byte_perm(before.even[w], above, s.from_above)
                        : __byte_perm(before.even[w], before.even[(w + 1) % kWords], 0x5432);
    const std::uint32_t even =
        smaller_of_sum(smaller_pair(odd_below, before.odd[w]), s.p1, before.even[w]);
    const std::uint32_t odd =
        smaller_of_sum(smaller_pair(before.even[w], even_above), s.p1, before.odd[w]);
    path->cost.even[w] = smaller_of_sum(even, lower, s.p2) + (costs.even[w] + s.rest);
    path->cost.odd[w] = smaller_of_sum(odd, lower, s.p2) + (costs.odd[w] + s.rest);
    const std::uint32_t both = smaller_pair(path->cost.even[w], path->cost.odd[w]);
    least = w == 0 ? both : smaller_pair(least, both);
  }
  // With the lane's least cost in both halves of a word, words have the order of costs.
  path->least = warp_min_unsigned(smaller_pair(least, __byte_perm(least, least, 0x1032)));
}

// Starts a path afresh: all that came before costs nothing.
template <int kWords>
__device__ __forceinline__ void start_path(Path<kWords>* path) {
#pragma unroll
  for (int w = 0; w < kWords; ++w) path->cost.even[w] = path->cost.odd[w] = 0;
  path->least = 0;
}

// The costs of a lane as bytes. `to` is aligned to as many.
template <int kWords>
__device__ __forceinline__ void store_costs(const Path<kWords>& path, unsigned char* to) {
  std::uint32_t bytes[kWords];
#pragma unroll
  for (int w = 0; w < kWords; ++w) bytes[w] = path.cost.even[w] + (path.cost.odd[w] << 8);
  if constexpr (kWords == 1) {
    *reinterpret_cast<std::uint32_t*>(to) = bytes[0];
  } else {
    *reinterpret_cast<uint2*>(to) = make_uint2(bytes[0], bytes[1]);
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_STEREO_PATH_STEP_CUH_
