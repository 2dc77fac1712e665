// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_HEIGHTMAP_OUTGOING_BELIEF_CUH_
#define RDP_KERNELS_HEIGHTMAP_OUTGOING_BELIEF_CUH_

#include <cstdint>

#include "kernels/heightmap/height_arguments.h"
#include "kernels/primitives/pairs.cuh"

// Messages of pixels to their neighbours: reference::message() of common/heightmap/reference.h, two
// neighbours at once. Labels lie in words of four, one in each byte. The messages to two neighbours
// about a label are the halves of a word (primitives/pairs.cuh).
//
// A kernel takes kFewest to 4 * kWords heights. Beyond the last height, costs are kHeightBeyond and
// incoming messages 0, so no sum needs more than a byte. Smoothness then turns these labels into
// the values beyond the end of a shifted message.
namespace rdp::cuda {

// Constants of all pixels, in both halves.
struct MessageParameters {
  std::uint32_t step;  // smoothness
  std::uint32_t max_jump;
  std::uint32_t unknown_jump;
  std::uint32_t edge_less;  // edge_jump less unknown_jump, to be added once for each edge
  int heights;

  __device__ explicit MessageParameters(const HeightBeliefArguments& a)
      : step(both_halves(static_cast<std::uint32_t>(a.smoothness))),
        max_jump(both_halves(static_cast<std::uint32_t>(a.max_jump))),
        unknown_jump(both_halves(static_cast<std::uint32_t>(a.unknown_jump))),
        edge_less(static_cast<std::uint32_t>(a.edge_jump - a.unknown_jump)),
        heights(a.layout.heights) {}
};

// A pixel's belief for each neighbour, without that neighbour's message.
template <int kWords>
struct OutgoingBelief {
  std::uint32_t words[BeliefLayout::kDirections][kWords];
  std::uint32_t unknown[2];  // left and right, above and below
  std::uint32_t links[2];    // the same

  // costs, messages: start of the pixel's own; are_messages false: all messages are zero.
  __device__ __forceinline__ void load(const unsigned char* costs, const unsigned char* messages,
                                       bool are_messages) {
    const auto word_at = [](const unsigned char* from, int word) {
      return *reinterpret_cast<const std::uint32_t*>(from + BeliefLayout::word(word));
    };
    const std::uint32_t last = word_at(costs, kWords);
    const std::uint32_t unknown_cost = last >> 16;
    const auto links_of = [](std::uint32_t byte) { return (byte * 0x1001U) & 0x000F000FU; };
    links[0] = links_of(last & 0xFFU);
    links[1] = links_of((last >> 8) & 0xFFU);
    if (!are_messages) {
#pragma unroll
      for (int i = 0; i < kWords; ++i) {
        words[0][i] = words[1][i] = words[2][i] = words[3][i] = word_at(costs, i);
      }
      unknown[0] = unknown[1] = both_halves(unknown_cost & 0xFFU);
      return;
    }
    const std::uint32_t told = word_at(messages, BeliefLayout::kDirections * kWords);
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      const std::uint32_t cost = word_at(costs, i);
      std::uint32_t from[BeliefLayout::kDirections];
#pragma unroll
      for (int d = 0; d < BeliefLayout::kDirections; ++d) {
        from[d] = word_at(messages, d * kWords + i);
      }
      const std::uint32_t beside = cost + from[0] + from[1];
      const std::uint32_t upright = cost + from[2] + from[3];
      words[0][i] = upright + from[1];
      words[1][i] = upright + from[0];
      words[2][i] = beside + from[3];
      words[3][i] = beside + from[2];
    }
    const std::uint32_t beside = __byte_perm(told, 0, 0x4140);
    const std::uint32_t upright = __byte_perm(told, 0, 0x4342);
    const std::uint32_t sums = beside + upright;
    const std::uint32_t all = both_halves((unknown_cost & 0xFFU) + (sums & 0xFFFFU) + (sums >> 16));
    unknown[0] = all - beside;
    unknown[1] = all - upright;
  }
};

// Added cost of a label that a shifted message drops, above any cost; else 0. `moved`:
// kHeightSteepest minus the shift in labels.
constexpr std::uint32_t kDropped = 0x2000;
// The first labels are dropped if the shift down exceeds their number.
__device__ __forceinline__ std::uint32_t dropped_below(std::uint32_t moved, int label) {
  const auto to_eight = static_cast<std::uint32_t>(8 - (kHeightSteepest + 1 + label));
  return ((moved + both_halves(to_eight)) & both_halves(8)) * (kDropped / 8);
}
// The last labels are dropped if the shift moves them beyond the last height.
__device__ __forceinline__ std::uint32_t dropped_above(std::uint32_t moved, int label,
                                                       int heights) {
  const int beyond = min(max(label - heights + kHeightSteepest, -1), 2 * kHeightSteepest);
  return ((both_halves(static_cast<std::uint32_t>(beyond + 8)) - moved) & both_halves(8)) *
         (kDropped / 8);
}

// Turns a pixel's belief for two neighbours, a and b, into its messages to them, in place. Returns
// the messages about `unknown`. unknown, links: those of OutgoingBelief.
template <int kFewest, int kWords>
__device__ __forceinline__ std::uint32_t compute_messages(const MessageParameters& rules,
                                                          std::uint32_t unknown,
                                                          std::uint32_t links,
                                                          std::uint32_t (&a)[kWords],
                                                          std::uint32_t (&b)[kWords]) {
  constexpr int kLabels = 4 * kWords;
  const std::uint32_t moved = links & both_halves(kHeightEdge - 1);
  const std::uint32_t jump = rules.unknown_jump + ((links >> 3) & both_halves(1)) * rules.edge_less;

  // At each height, the minimum over all heights of cost plus steps between them.
  std::uint32_t e[kLabels];
#pragma unroll
  for (int i = 0; i < kWords; ++i) {
    constexpr std::uint32_t kEven = 0x00FF00FFU;
    const std::uint32_t even_a = a[i] & kEven, odd_a = a[i] & ~kEven;
    const std::uint32_t even_b = b[i] & kEven, odd_b = b[i] & ~kEven;
    e[4 * i] = __byte_perm(even_a, even_b, 0x5410);
    e[4 * i + 1] = __byte_perm(odd_a, odd_b, 0x4501);
    e[4 * i + 2] = __byte_perm(even_a, even_b, 0x7632);
    e[4 * i + 3] = __byte_perm(odd_a, odd_b, 0x6723);
  }
#pragma unroll
  for (int l = 1; l < kLabels; ++l) e[l] = smaller_of_sum(e[l - 1], rules.step, e[l]);
#pragma unroll
  for (int l = kLabels - 1; l > 0; --l) e[l - 1] = smaller_of_sum(e[l], rules.step, e[l - 1]);

  // Minimum of all labels, and of those that remain in the shifted message.
  std::uint32_t ends = smaller_pair(e[0], e[1]);
  std::uint32_t kept = smaller_pair(e[0] + dropped_below(moved, 0), e[1] + dropped_below(moved, 1));
  if (kFewest <= 2 * kHeightSteepest) {
    // The first labels are among the last ones, too; there may be only what is before the first.
    const auto keep = [&](int label, std::uint32_t cost) {
      return cost + dropped_below(moved, label) + dropped_above(moved, label, rules.heights);
    };
    kept = smaller_pair(keep(0, e[0]), keep(1, e[1]));
    kept = smallest_pair(keep(-1, e[0] + rules.step), keep(-2, e[0] + 2 * rules.step), kept);
  }
  constexpr int kSure = kFewest - kHeightSteepest;  // labels that are never among the last ones
#pragma unroll
  for (int l = kHeightSteepest; l < kLabels; ++l) {
    if (l < kSure) continue;
    ends = smaller_pair(ends, e[l]);
    kept = smaller_of_sum(e[l], dropped_above(moved, l, rules.heights), kept);
  }
  std::uint32_t inner = both_halves(kDropped);
#pragma unroll
  for (int l = kHeightSteepest; l < kSure; l += 2) {
    inner = l + 1 < kSure ? smallest_pair(inner, e[l], e[l + 1]) : smaller_pair(inner, e[l]);
  }
  const std::uint32_t least = smaller_pair(ends, inner);
  kept = smaller_pair(kept, inner);

  const std::uint32_t told_unknown = smaller_of_sum(least, jump, unknown);
  const std::uint32_t farthest = least + rules.max_jump;
  const std::uint32_t lowest = smallest_pair(kept, farthest, told_unknown);
  // Labels that are dropped may be below the lowest one: 256 more keep them from being negative.
  const std::uint32_t base = both_halves(256) - lowest;
  const std::uint32_t most = smaller_of_sum(unknown, jump, farthest) + base;

  // From label -kHeightSteepest on.
  static_assert(kHeightSteepest == 2);
  const auto moved_label = [&](int l) {
    const std::uint32_t at =
        l < 0          ? e[0] + static_cast<std::uint32_t>(-l) * rules.step
        : l >= kLabels ? e[kLabels - 1] + static_cast<std::uint32_t>(l - kLabels + 1) * rules.step
                       : e[l];
    return smaller_of_sum(at, base, most);
  };
  const std::uint32_t bits_a = 8 * (moved & 0xFFU), bits_b = 8 * (moved >> 16);
  std::uint32_t last_a = 0, last_b = 0;
#pragma unroll
  for (int i = 0; i <= kWords; ++i) {
    const int l = 4 * i - kHeightSteepest;
    const std::uint32_t first = __byte_perm(moved_label(l), moved_label(l + 1), 0x6240);
    const std::uint32_t second = __byte_perm(moved_label(l + 2), moved_label(l + 3), 0x6240);
    const std::uint32_t next_a = __byte_perm(first, second, 0x5410);
    const std::uint32_t next_b = __byte_perm(first, second, 0x7632);
    if (i > 0) {
      a[i - 1] = __funnelshift_rc(last_a, next_a, bits_a);
      b[i - 1] = __funnelshift_rc(last_b, next_b, bits_b);
    }
    last_a = next_a;
    last_b = next_b;
  }
  // Messages beyond the last height are 0.
#pragma unroll
  for (int i = kFewest / 4; i < kWords; ++i) {
    const std::uint32_t mask = ~__funnelshift_lc(
        0U, 0xFFFFFFFFU, static_cast<std::uint32_t>(max(rules.heights - 4 * i, 0)) * 8);
    a[i] &= mask;
    b[i] &= mask;
  }
  return told_unknown - lowest;
}

// Writes a pixel's message from a direction; `messages`: start of its incoming messages.
template <int kWords>
__device__ __forceinline__ void store_message(unsigned char* messages, int direction,
                                              const std::uint32_t (&words)[kWords],
                                              std::uint32_t unknown) {
#pragma unroll
  for (int i = 0; i < kWords; ++i) {
    *reinterpret_cast<std::uint32_t*>(messages + BeliefLayout::word(direction * kWords + i)) =
        words[i];
  }
  messages[BeliefLayout::word(BeliefLayout::kDirections * kWords) + direction] =
      static_cast<unsigned char>(unknown);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_HEIGHTMAP_OUTGOING_BELIEF_CUH_
