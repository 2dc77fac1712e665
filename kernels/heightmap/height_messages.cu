// SPDX-License-Identifier: LGPL-2.1-or-later
// Belief propagation. A thread has a pixel, with all its labels in registers, a warp a group of 32
// of them in a row.
//
// Memory bandwidth is the limit: each half-iteration reads and writes costs and messages. So two
// half-iterations go together. Messages of colour 0 to colour 1 within a part of the image, which
// no other block reads, stay in shared memory. Pixels around the part compute theirs once more; the
// result is the same.
#include <cstdint>

#include "kernels/heightmap/outgoing_belief.cuh"

namespace rdp::cuda {
namespace {

enum : int { kFromLeft, kFromRight, kFromAbove, kFromBelow };

// Sends the messages of one pixel of a colour to its neighbours, anywhere in the image.
template <int kFewest, int kWords>
__device__ __forceinline__ void send_from(const HeightBeliefArguments& a,
                                          const MessageParameters& rules, int colour, int row,
                                          int number, OutgoingBelief<kWords>* known) {
  constexpr int kBytes = BeliefLayout::message_bytes(kWords);
  const BeliefLayout& layout = a.layout;
  const int odd = BeliefLayout::is_odd(row, colour);
  const int x = 2 * number + odd;
  unsigned char* const to = colour == 0 ? a.write[1] : a.write[0];
  {
    std::uint32_t(&left)[kWords] = known->words[0];
    std::uint32_t(&right)[kWords] = known->words[1];
    const std::uint32_t unknown =
        compute_messages<kFewest>(rules, known->unknown[0], known->links[0], left, right);
    if (x > 0) {
      store_message(to + layout.place(row, number - 1 + odd, kBytes), kFromRight, left, unknown);
    }
    if (x + 1 < layout.width) {
      store_message(to + layout.place(row, number + odd, kBytes), kFromLeft, right, unknown >> 16);
    }
  }
  std::uint32_t(&above)[kWords] = known->words[2];
  std::uint32_t(&below)[kWords] = known->words[3];
  const std::uint32_t unknown =
      compute_messages<kFewest>(rules, known->unknown[1], known->links[1], above, below);
  if (row > 0) {
    store_message(to + layout.place(row - 1, number, kBytes), kFromBelow, above, unknown);
  }
  if (row + 1 < layout.height) {
    store_message(to + layout.place(row + 1, number, kBytes), kFromAbove, below, unknown >> 16);
  }
}

// A half-iteration.
template <int kFewest, int kWords>
__device__ void send(const HeightBeliefArguments& a) {
  const BeliefLayout& layout = a.layout;
  const auto number = static_cast<int>(blockIdx.x * kHeightSendThreads + threadIdx.x);
  const auto row = static_cast<int>(blockIdx.y);
  if (2 * number + BeliefLayout::is_odd(row, a.colour) >= layout.width) return;
  if (a.progress->is_done != 0) return;
  const unsigned char* const costs = a.colour == 0 ? a.costs[0] : a.costs[1];
  const unsigned char* const read = a.colour == 0 ? a.read[0] : a.read[1];
  OutgoingBelief<kWords> known;
  known.load(costs + layout.place(row, number, BeliefLayout::cost_bytes(kWords)),
             read + layout.place(row, number, BeliefLayout::message_bytes(kWords)),
             read != nullptr);
  send_from<kFewest>(a, MessageParameters(a), a.colour, row, number, &known);
}

// A part of the picture: a group of each of some rows. Messages that reach its pixels of colour 1
// are in shared memory, by row.
template <int kFewest, int kWords>
class Tile {
 public:
  static constexpr int kBytes = BeliefLayout::message_bytes(kWords);

  __device__ Tile(const HeightBeliefArguments& a, unsigned char* reaching)
      : a_(a),
        rules_(a),
        reaching_(reaching),
        group_(static_cast<int>(blockIdx.x)),
        top_(static_cast<int>(blockIdx.y) * a.tile_rows),
        rows_(min(a.tile_rows, a.layout.height - top_)),
        lane_(static_cast<int>(threadIdx.x % BeliefLayout::kGroup)) {}

  // Messages of colour 0. Work is in units for a warp: rows of the part, the row above it and that
  // below it, and the pixels beside it.
  __device__ int first_units() const {
    return rows_ + 2 + (rows_ + BeliefLayout::kGroup - 1) / BeliefLayout::kGroup;
  }
  __device__ void run_first(int unit) const {
    if (unit < rows_) {
      row_of_tile(unit);
    } else if (unit < rows_ + 2) {
      row_beside(unit == rows_);
    } else {
      beside((unit - rows_ - 2) * BeliefLayout::kGroup + lane_);
    }
  }
  // Messages of colour 1: a row.
  __device__ int rows() const { return rows_; }
  __device__ void run_second(int unit) const {
    const BeliefLayout& layout = a_.layout;
    const int row = top_ + unit;
    const int number = group_ * BeliefLayout::kGroup + lane_;
    if (2 * number + BeliefLayout::is_odd(row, 1) >= layout.width) return;
    unsigned char* const messages = reaching(unit, lane_);
    if (a_.keeps != 0) {
      unsigned char* const to = a_.write[1] + layout.place(row, number, kBytes);
#pragma unroll 4
      for (int i = 0; i <= BeliefLayout::kDirections * kWords; ++i) {
        *reinterpret_cast<std::uint32_t*>(to + BeliefLayout::word(i)) =
            *reinterpret_cast<const std::uint32_t*>(messages + BeliefLayout::word(i));
      }
    }
    OutgoingBelief<kWords> known;
    known.load(a_.costs[1] + layout.place(row, number, BeliefLayout::cost_bytes(kWords)), messages,
               true);
    send_from<kFewest>(a_, rules_, 1, row, number, &known);
  }

 private:
  __device__ unsigned char* reaching(int row, int lane) const {
    return reaching_ + row * kBytes + 4 * lane;
  }

  // Loads the belief of a pixel of colour 0. False: it is outside of the image, and sends nothing.
  __device__ __forceinline__ bool load(int row, int number, OutgoingBelief<kWords>* known) const {
    const BeliefLayout& layout = a_.layout;
    const int x = 2 * number + BeliefLayout::is_odd(row, 0);
    if (row < 0 || row >= layout.height || number < 0 || x >= layout.width) return false;
    known->load(a_.costs[0] + layout.place(row, number, BeliefLayout::cost_bytes(kWords)),
                a_.read[0] + layout.place(row, number, kBytes), a_.read[0] != nullptr);
    return true;
  }
  // Computes its messages to the left and right neighbours, or to the upper and lower ones.
  __device__ __forceinline__ std::uint32_t tell_two(bool is_there, int which,
                                                    OutgoingBelief<kWords>* known) const {
    std::uint32_t(&a)[kWords] = known->words[2 * which];
    std::uint32_t(&b)[kWords] = known->words[2 * which + 1];
    if (is_there) {
      return compute_messages<kFewest>(rules_, known->unknown[which], known->links[which], a, b);
    }
#pragma unroll
    for (int i = 0; i < kWords; ++i) a[i] = b[i] = 0;
    return 0;
  }

  __device__ void row_of_tile(int unit) const {
    const int row = top_ + unit;
    const int odd = BeliefLayout::is_odd(row, 0);
    OutgoingBelief<kWords> known;
    const bool is_there = load(row, group_ * BeliefLayout::kGroup + lane_, &known);
    const std::uint32_t beside = tell_two(is_there, 0, &known);
    const int left = lane_ - 1 + odd;
    if (left >= 0) store_message(reaching(unit, left), kFromRight, known.words[0], beside);
    const int right = lane_ + odd;
    if (right < BeliefLayout::kGroup) {
      store_message(reaching(unit, right), kFromLeft, known.words[1], beside >> 16);
    }
    const std::uint32_t upright = tell_two(is_there, 1, &known);
    if (unit > 0) store_message(reaching(unit - 1, lane_), kFromBelow, known.words[2], upright);
    if (unit + 1 < rows_) {
      store_message(reaching(unit + 1, lane_), kFromAbove, known.words[3], upright >> 16);
    }
  }
  __device__ void row_beside(bool is_above) const {
    OutgoingBelief<kWords> known;
    const bool is_there =
        load(is_above ? top_ - 1 : top_ + rows_, group_ * BeliefLayout::kGroup + lane_, &known);
    const std::uint32_t unknown = tell_two(is_there, 1, &known);
    if (is_above) {
      store_message(reaching(0, lane_), kFromAbove, known.words[3], unknown >> 16);
    } else {
      store_message(reaching(rows_ - 1, lane_), kFromBelow, known.words[2], unknown);
    }
  }
  // One pixel of each row: on the left where those of colour 1 have even columns.
  __device__ void beside(int unit) const {
    if (unit >= rows_) return;
    const int row = top_ + unit;
    const bool is_left = BeliefLayout::is_odd(row, 0) != 0;
    OutgoingBelief<kWords> known;
    const bool is_there =
        load(row, is_left ? group_ * BeliefLayout::kGroup - 1 : (group_ + 1) * BeliefLayout::kGroup,
             &known);
    const std::uint32_t unknown = tell_two(is_there, 0, &known);
    if (is_left) {
      store_message(reaching(unit, 0), kFromLeft, known.words[1], unknown >> 16);
    } else {
      store_message(reaching(unit, BeliefLayout::kGroup - 1), kFromRight, known.words[0], unknown);
    }
  }

  const HeightBeliefArguments& a_;
  const MessageParameters rules_;
  unsigned char* const reaching_;
  const int group_;
  const int top_, rows_;
  const int lane_;
};

// Two half-iterations, that of colour 0 first.
template <int kFewest, int kWords, int kThreads>
__device__ void two_half_iterations(const HeightBeliefArguments& a) {
  extern __shared__ __align__(16) unsigned char memory[];
  if (a.progress->is_done != 0) return;
  const Tile<kFewest, kWords> tile(a, memory);
  constexpr int kWarps = kThreads / 32;
  const int warp = static_cast<int>(threadIdx.x / 32);
  for (int unit = warp; unit < tile.first_units(); unit += kWarps) tile.run_first(unit);
  __syncthreads();
  for (int unit = warp; unit < tile.rows(); unit += kWarps) tile.run_second(unit);
}

}  // namespace
}  // namespace rdp::cuda

#define RDP_HEIGHT_SEND(fewest, most)                                         \
  extern "C" __global__ void __launch_bounds__(rdp::cuda::kHeightSendThreads) \
      rdp_height_send_##most(const rdp::cuda::HeightBeliefArguments a) {      \
    rdp::cuda::send<fewest, most / 4>(a);                                     \
  }
RDP_HEIGHT_SEND(1, 16)
RDP_HEIGHT_SEND(24, 24)
RDP_HEIGHT_SEND(17, 32)
RDP_HEIGHT_SEND(33, 64)

#define RDP_HEIGHT_EXCHANGE(fewest, most, threads, blocks)                   \
  extern "C" __global__ void __launch_bounds__(threads, blocks)              \
      rdp_height_exchange_##most(const rdp::cuda::HeightBeliefArguments a) { \
    rdp::cuda::two_half_iterations<fewest, most / 4, threads>(a);            \
  }
RDP_HEIGHT_EXCHANGE(1, 16, rdp::cuda::kHeightExchangeThreads, 1)
#if __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ != 1100
RDP_HEIGHT_EXCHANGE(24, 24, rdp::cuda::kHeightExchangeThreads, 2)
#else
// More instructions take more registers than two blocks leave to each other.
RDP_HEIGHT_EXCHANGE(24, 24, rdp::cuda::kHeightExchangeThreads, 1)
#endif
RDP_HEIGHT_EXCHANGE(17, 32, rdp::cuda::kHeightExchangeThreads, 1)
RDP_HEIGHT_EXCHANGE(33, 64, rdp::cuda::kHeightExchangeManyThreads, 1)
