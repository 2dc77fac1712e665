// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_PAPER_MESSAGES_CUH_
#define RDP_TESTS_BENCH_PAPER_MESSAGES_CUH_

#include "tests/bench/rivals_arguments.h"

// Belief propagation as described by A. Rezaei, N. Pellicano and E. Aldea in "GPU-accelerated
// height map estimation with local geometry priors in large scenes": float, one block per pixel,
// one warp per message, one lane per label, half of the pixels at a time. Every label is compared
// with every other one. This is the last of their variants: loop invariants are computed before the
// loop over labels, and repeatedly read data is in shared memory. Three instructions per pair of
// labels remain.
//
// Details that the paper omits are as in common/heightmap/reference.h: differences cost at most
// max_jump, a height beside `unknown` costs unknown_jump, and a message's minimum is 0.
namespace rdp::bench {

inline constexpr unsigned kWholeWarp = 0xFFFFFFFFU;

__device__ inline float least_of_warp(float value) {
#pragma unroll
  for (int by = kPaperLanes / 2; by > 0; by /= 2) {
    value = min(value, __shfl_xor_sync(kWholeWarp, value, by));
  }
  return value;
}

}  // namespace rdp::bench

// A block has one warp for each message: to the left, right, above and below. blockIdx.y is the
// row, blockIdx.x the pixel's index among the row's senders.
extern "C" __global__ void __launch_bounds__(rdp::bench::kPaperThreads)
    rdp_bench_paper_messages(rdp::bench::PaperArguments a) {
  using namespace rdp::bench;
  __shared__ float reached[kPaperMessages][kPaperLanes];
  __shared__ float4 known[kPaperMessages][kPaperLanes / 4];

  const int lane = static_cast<int>(threadIdx.x) % kPaperLanes;
  const int to = static_cast<int>(threadIdx.x) / kPaperLanes;
  const int y = static_cast<int>(blockIdx.y);
  const int x = 2 * static_cast<int>(blockIdx.x) + ((y + a.step) & 1);
  if (x >= a.width) return;
  const int p = y * a.width + x;
  const int pixels = a.width * a.height;
  const float cost = a.costs[p * kPaperLanes + lane];
  reached[to][lane] = a.messages[(to * pixels + p) * kPaperLanes + lane];
  const float rise = a.rises[p * kPaperMessages + to];
  __syncthreads();
  const bool inside = to == 0   ? x > 0
                      : to == 1 ? x + 1 < a.width
                      : to == 2 ? y > 0
                                : y + 1 < a.height;
  if (!inside) return;

  // The cost of a label, plus the messages of all neighbours except the receiver.
  const float sum = ((cost + reached[(to + 1) % kPaperMessages][lane]) +
                     reached[(to + 2) % kPaperMessages][lane]) +
                    reached[(to + 3) % kPaperMessages][lane];
  const bool is_height = lane < kPaperHeights;
  const float of_height = is_height ? sum : kPaperNever;
  reinterpret_cast<float*>(known[to])[lane] = of_height;
  const float unknown = __shfl_sync(kWholeWarp, sum, kPaperHeights);
  const float lowest_known = least_of_warp(of_height);
  __syncwarp();

  // The receiver's label is this lane's: (l - (lane - rise)) times the cost of a step.
  const float start = -a.smoothness * (static_cast<float>(lane) - rise);
  float least = min(lowest_known + a.max_jump, unknown + a.unknown_jump);
#pragma unroll
  for (int i = 0; i < kPaperHeights / 4; ++i) {
    const float4 four = known[to][i];
    const float l = static_cast<float>(4 * i);
    least = min(least, four.x + fabsf(fmaf(l, a.smoothness, start)));
    least = min(least, four.y + fabsf(fmaf(l + 1, a.smoothness, start)));
    least = min(least, four.z + fabsf(fmaf(l + 2, a.smoothness, start)));
    least = min(least, four.w + fabsf(fmaf(l + 3, a.smoothness, start)));
  }
  if (!is_height) least = min(unknown, lowest_known + a.unknown_jump);
  const float lowest = least_of_warp(least);
  const int q = p + (to == 0 ? -1 : to == 1 ? 1 : to == 2 ? -a.width : a.width);
  // Stored under the direction as the receiver sees it. Lanes without a label write as well, to
  // fill memory sectors.
  a.messages[((to ^ 1) * pixels + q) * kPaperLanes + lane] = least - lowest;
}

// A warp per pixel: the label with the smallest belief, the first of equal ones.
extern "C" __global__ void __launch_bounds__(rdp::bench::kPaperThreads)
    rdp_bench_paper_labels(rdp::bench::PaperArguments a) {
  using namespace rdp::bench;
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int lane = thread % kPaperLanes;
  const int p = thread / kPaperLanes;
  const int pixels = a.width * a.height;
  if (p >= pixels) return;
  float belief = a.costs[p * kPaperLanes + lane];
#pragma unroll
  for (int from = 0; from < kPaperMessages; ++from) {
    belief += a.messages[(from * pixels + p) * kPaperLanes + lane];
  }
  if (lane > kPaperHeights) belief = kPaperNever;
  const float least = least_of_warp(belief);
  const unsigned which = __ballot_sync(kWholeWarp, belief == least);
  if (lane == 0) a.labels[p] = static_cast<unsigned char>(__ffs(static_cast<int>(which)) - 1);
}

#endif  // RDP_TESTS_BENCH_PAPER_MESSAGES_CUH_
