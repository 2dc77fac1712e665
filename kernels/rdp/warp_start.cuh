// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_WARP_START_CUH_
#define RDP_KERNELS_RDP_WARP_START_CUH_

#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/warp_nodes.cuh"
#include "kernels/rdp/warp_search.cuh"

namespace rdp::cuda {

// Where the split of a column begins.
struct SplitStart {
  // Of this thread's word of 32 rows: the ends of the segments that are to be split.
  unsigned begins = 0;
  unsigned ends = 0;
  // The first of them and how many more are on the stack, where `splits` says that there are any.
  bool splits = false;
  Node node{0, 0, 0};
  int stacked = 0;
};

// The column as a whole.
__device__ __forceinline__ SplitStart start_column(int lane, unsigned known) {
  const int row = lane * 32;
  constexpr int kNone = 0x7FFF;
  const int first = warp_min(known != 0 ? row + __ffs(static_cast<int>(known)) - 1 : kNone);
  const int last = warp_max(known != 0 ? row + 31 - __clz(static_cast<int>(known)) : -1);
  SplitStart start;
  start.splits = first <= last;
  if (start.splits && lane == first >> 5) start.begins = 1U << (first & 31);
  if (start.splits && lane == last >> 5) start.ends = 1U << (last & 31);
  start.node = {first, first, last};
  return start;
}

// The runs of a column, between which more than max_gap rows are unknown.
__device__ __forceinline__ SplitStart start_runs(const WarpColumn& column, unsigned known,
                                                 int max_gap) {
  const int lane = column.lane;
  const int row = lane * 32;
  // The last known row above this word, and the first one below it; -1 and kNone: there is none.
  constexpr int kNone = 0x7FFF;
  const unsigned some = __ballot_sync(kAll, known != 0);
  int above = warp_from_before(some, row + 31 - __clz(static_cast<int>(known)), -1);
  const int below = warp_from_after(some, row + __ffs(static_cast<int>(known)) - 1, kNone);
  SplitStart start;
  for (unsigned rest = known; rest != 0;) {
    const int first = __ffs(static_cast<int>(rest)) - 1;
    const unsigned unknown = ~rest & bits_from(first);
    const int end = unknown != 0 ? __ffs(static_cast<int>(unknown)) - 1 : 32;
    rest &= bits_from(end);
    const int next = rest != 0 ? row + __ffs(static_cast<int>(rest)) - 1 : below;
    if (above < 0 || row + first - above - 1 > max_gap) start.begins |= 1U << first;
    above = row + end - 1;
    if (next == kNone || next - above - 1 > max_gap) start.ends |= 1U << (end - 1);
  }
  // The thread that has a run's last row puts it on the stack. Its first row is the last beginning
  // at or above that.
  const int begin = warp_from_before(__ballot_sync(kAll, start.begins != 0),
                                     row + 31 - __clz(static_cast<int>(start.begins)), -1);
  const auto first_of = [&](int end) {
    const unsigned own = start.begins & ~bits_from(end + 1);
    return own != 0 ? row + 31 - __clz(static_cast<int>(own)) : begin;
  };
  // Runs of three rows and more have something to split.
  unsigned split = 0;
  for (unsigned rest = start.ends; rest != 0; rest &= rest - 1) {
    const int end = __ffs(static_cast<int>(rest)) - 1;
    if (row + end - first_of(end) >= 2) split |= 1U << end;
  }
  const auto count = static_cast<unsigned>(__popc(split));
  const unsigned up_to = warp_inclusive_sum(count);
  unsigned index = up_to - count;
  for (; split != 0; split &= split - 1) {
    const int end = __ffs(static_cast<int>(split)) - 1;
    const int first = first_of(end);
    column.stack[index++] = Node{first, first, row + end}.pack();
  }
  __syncwarp();
  start.stacked = static_cast<int>(__shfl_sync(kAll, up_to, 31)) - 1;
  start.splits = start.stacked >= 0;
  if (start.splits) start.node = Node::unpack(column.stack[start.stacked]);
  __syncwarp();
  return start;
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_WARP_START_CUH_
