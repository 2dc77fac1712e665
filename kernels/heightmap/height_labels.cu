// SPDX-License-Identifier: LGPL-2.1-or-later
// Labels of the smallest beliefs, their energy, and the end of the schedule.
#include <cstdint>
#include <cstdlib>

#include "kernels/heightmap/height_arguments.h"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

// Adds the numbers of a block's threads to the energy. All of them take part.
template <int kThreads>
__device__ void add_energy(HeightProgress* progress, unsigned cost) {
  __shared__ unsigned sums[kThreads / 32];
  const unsigned sum = warp_sum(cost);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned long long all = 0;
    for (const unsigned each : sums) all += each;
    atomicAdd(&progress->energy, all);
  }
}

__device__ unsigned find_label(const HeightBeliefArguments& a, int number, int row, int colour) {
  constexpr int kDirections = BeliefLayout::kDirections;
  const BeliefLayout& layout = a.layout;
  const auto word_at = [](const unsigned char* from, int word) {
    return __ldg(reinterpret_cast<const std::uint32_t*>(from + BeliefLayout::word(word)));
  };
  const unsigned char* const costs =
      (colour == 0 ? a.costs[0] : a.costs[1]) + layout.costs(row, number);
  const unsigned char* const read = colour == 0 ? a.read[0] : a.read[1];
  const unsigned char* const messages = read + layout.messages(row, number);
  // Belief, label and cost, from the upper byte down.
  unsigned best = ~0U;
  const auto look_at = [&](unsigned belief, int label, unsigned cost) {
    best = min(best, belief << 16 | static_cast<unsigned>(label) << 8 | cost);
  };
  for (int word = 0; 4 * word < layout.heights; ++word) {
    const std::uint32_t cost = word_at(costs, word);
    std::uint32_t belief = cost;
    if (read != nullptr) {
#pragma unroll
      for (int i = 0; i < kDirections; ++i) belief += word_at(messages, i * layout.words + word);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (4 * word + i >= layout.heights) break;
      look_at(belief >> (8 * i) & 0xFFU, 4 * word + i, cost >> (8 * i) & 0xFFU);
    }
  }
  const unsigned cost = word_at(costs, layout.words) >> (8 * BeliefLayout::kUnknownByte) & 0xFFU;
  unsigned belief = cost;
  if (read != nullptr) {
    const std::uint32_t told = word_at(messages, kDirections * layout.words);
#pragma unroll
    for (int i = 0; i < kDirections; ++i) belief += told >> (8 * i) & 0xFFU;
  }
  look_at(belief, layout.heights, cost);
  const int x = 2 * number + BeliefLayout::is_odd(row, colour);
  a.labels[static_cast<std::int64_t>(row) * layout.width + x] =
      static_cast<unsigned char>(best >> 8 & 0xFFU);
  return best & 0xFFU;
}

// Colours are blockIdx.z.
__device__ void find_labels(const HeightBeliefArguments& a) {
  if (a.progress->is_done != 0) return;
  const auto number = static_cast<int>(blockIdx.x * kHeightLabelThreads + threadIdx.x);
  const auto row = static_cast<int>(blockIdx.y);
  const auto colour = static_cast<int>(blockIdx.z);
  unsigned cost = 0;
  if (2 * number + BeliefLayout::is_odd(row, colour) < a.layout.width) {
    cost = find_label(a, number, row, colour);
  }
  add_energy<kHeightLabelThreads>(a.progress, cost);
}

// The cost of a neighbour's label `other` beside `label`: see reference::edge_cost().
__device__ int edge_cost(const HeightBeliefArguments& a, int label, int other, unsigned link) {
  const int unknown = a.layout.heights;
  if (label == unknown && other == unknown) return 0;
  if (label == unknown || other == unknown) {
    return (link & kHeightEdge) != 0 ? a.edge_jump : a.unknown_jump;
  }
  const int rise = kHeightSteepest - static_cast<int>(link & (kHeightEdge - 1));
  return min(a.max_jump, a.smoothness * abs(other - label - rise));
}

// The last block decides, after all have added their energy.
__device__ void decide(const HeightBeliefArguments& a) {
  HeightProgress* const progress = a.progress;
  __threadfence();
  const unsigned blocks = gridDim.x * gridDim.y;
  if (atomicAdd(&progress->blocks, 1U) + 1 != blocks) return;
  __threadfence();
  const auto energy = static_cast<long long>(atomicExch(&progress->energy, 0ULL));
  progress->blocks = 0;
  if (a.decides != 0) {
    const long long before = progress->before;
    progress->is_done =
        before >= 0 && (before - energy) * 1000000 <= a.tolerance * before ? 1U : 0U;
    progress->before = energy;
  }
  a.report->energy = energy;
  a.report->iterations = a.done;
}

// Adds the costs of edges between the labels that have been found.
__device__ void find_energy(const HeightBeliefArguments& a) {
  if (a.progress->is_done != 0) return;
  const BeliefLayout& layout = a.layout;
  const auto x = static_cast<int>(blockIdx.x * kHeightEnergyColumns + threadIdx.x);
  unsigned cost = 0;
  for (int i = 0; i < kHeightEnergyRows && x < layout.width; ++i) {
    const int y = static_cast<int>(blockIdx.y) * kHeightEnergyRows + i;
    if (y >= layout.height) break;
    const unsigned char* const label = a.labels + static_cast<std::int64_t>(y) * layout.width + x;
    const unsigned char* const costs = ((x + y) & 1) == 0 ? a.costs[0] : a.costs[1];
    const unsigned links = __ldg(reinterpret_cast<const std::uint16_t*>(
        costs + layout.costs(y, x >> 1) + BeliefLayout::word(layout.words)));
    const int here = __ldg(label);
    if (x + 1 < layout.width) {
      const unsigned link = links >> kHeightLinkBits & 0xFU;
      cost += static_cast<unsigned>(edge_cost(a, here, __ldg(label + 1), link));
    }
    if (y + 1 < layout.height) {
      const unsigned link = links >> (3 * kHeightLinkBits) & 0xFU;
      cost += static_cast<unsigned>(edge_cost(a, here, __ldg(label + layout.width), link));
    }
  }
  add_energy<kHeightEnergyColumns>(a.progress, cost);
  if (threadIdx.x == 0) decide(a);
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kHeightLabelThreads)
    rdp_height_labels(const rdp::cuda::HeightBeliefArguments a) {
  rdp::cuda::find_labels(a);
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kHeightEnergyColumns)
    rdp_height_energy(const rdp::cuda::HeightBeliefArguments a) {
  rdp::cuda::find_energy(a);
}
