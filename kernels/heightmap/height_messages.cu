// SPDX-License-Identifier: LGPL-2.1-or-later
// Belief propagation: the messages of a half-iteration. A thread has a pixel, with all its labels
// in registers.
#include <cstdint>

#include "kernels/heightmap/told.cuh"

namespace rdp::cuda {
namespace {

// Where costs or messages of a pixel lie, of planes that begin at `first`.
template <int kWords>
struct Place {
  std::int64_t plane;     // numbers
  std::int64_t number;

  __device__ Place(const HeightLayout& layout, int row, int index)
      : plane(layout.height * layout.pitch), number(row * layout.pitch + index) {}

  __device__ Told<kWords> load(const unsigned char* first) const {
    Told<kWords> told;
    const auto* const words = reinterpret_cast<const std::uint32_t*>(first) + number;
#pragma unroll
    for (int i = 0; i < kWords; ++i) told.words[i] = __ldg(words + i * plane);
    told.unknown = __ldg(first + 4 * kWords * plane + number);
    return told;
  }
  __device__ void store(unsigned char* first, const Told<kWords>& told) const {
    auto* const words = reinterpret_cast<std::uint32_t*>(first) + number;
#pragma unroll
    for (int i = 0; i < kWords; ++i) words[i * plane] = told.words[i];
    first[4 * kWords * plane + number] = static_cast<unsigned char>(told.unknown);
  }
};

template <int kFewest, int kWords>
__device__ void send(const HeightBeliefArguments& a) {
  const HeightLayout& layout = a.layout;
  const auto index = static_cast<int>(blockIdx.x * kHeightSendThreads + threadIdx.x);
  const auto row = static_cast<int>(blockIdx.y);
  const int odd = (row + a.colour) & 1;
  const int x = 2 * index + odd;
  if (x >= layout.width || a.progress->is_done != 0) return;

  const Place<kWords> place(layout, row, index);
  Told<kWords> beside = place.load(a.costs[a.colour]);
  Told<kWords> above = beside;
  Told<kWords> right = beside;
  Told<kWords> below = beside;
  Told<kWords> left = beside;
  if (a.read[a.colour] != nullptr) {
    const unsigned char* const from = a.read[a.colour];
    const Told<kWords> from_left = place.load(from);
    const Told<kWords> from_right = place.load(from + a.direction_stride);
    const Told<kWords> from_above = place.load(from + 2 * a.direction_stride);
    const Told<kWords> from_below = place.load(from + 3 * a.direction_stride);
    beside.add(from_left);
    beside.add(from_right);
    left.add(from_above);
    left.add(from_below);
    right = left;
    left.add(from_right);
    right.add(from_left);
    above = below = beside;
    above.add(from_below);
    below.add(from_above);
  }

  const TellRules rules(a);
  const std::uint32_t links = __ldg(a.links[a.colour] + place.number);
  const auto links_to = [&](int direction) {
    return (links >> (kHeightLinkBits * direction) & ((1U << kHeightLinkBits) - 1)) |
           (links >> (kHeightEdgeShift + direction) & 1) << kHeightEdgeShift;
  };
  unsigned char* const to = a.write[a.colour ^ 1];
  tell<kFewest>(rules, links_to(0), links_to(1), &left, &right);
  if (x > 0) Place<kWords>(layout, row, index - 1 + odd).store(to + a.direction_stride, left);
  if (x + 1 < layout.width) Place<kWords>(layout, row, index + odd).store(to, right);
  tell<kFewest>(rules, links_to(2), links_to(3), &above, &below);
  if (row > 0) {
    Place<kWords>(layout, row - 1, index).store(to + 3 * a.direction_stride, above);
  }
  if (row + 1 < layout.height) {
    Place<kWords>(layout, row + 1, index).store(to + 2 * a.direction_stride, below);
  }
}

}  // namespace
}  // namespace rdp::cuda

#define RDP_HEIGHT_SEND(fewest, most)                                                      \
  extern "C" __global__ void __launch_bounds__(rdp::cuda::kHeightSendThreads)              \
      rdp_height_send_##most(const rdp::cuda::HeightBeliefArguments a) {                   \
    rdp::cuda::send<fewest, most / 4>(a);                                                  \
  }
RDP_HEIGHT_SEND(1, 16)
RDP_HEIGHT_SEND(24, 24)
RDP_HEIGHT_SEND(17, 32)
RDP_HEIGHT_SEND(33, 64)
