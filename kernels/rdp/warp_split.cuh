// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_WARP_SPLIT_CUH_
#define RDP_KERNELS_RDP_WARP_SPLIT_CUH_

#include "kernels/primitives/warp.cuh"
#include "kernels/rdp/warp_nodes.cuh"
#include "kernels/rdp/warp_search.cuh"
#include "kernels/rdp/warp_start.cuh"

// The split of one column of at most kWarpRows rows by one warp.
//
// A node is a segment (first, last) with the vertex `middle` at which it was split. A round looks
// at both of its parts at once: threads that have a chunk of 8 rows of the upper part and threads
// that have one of the lower part. The chunk of `middle` itself belongs to both and is taken twice.
// Of long nodes a thread has pairs of chunks: what it works out for each line counts for more rows.
// Each part gives its farthest sample, and where that is too far, a vertex. The warp goes on with
// one part and puts the other on its stack: there is nobody to wait for.
namespace rdp::cuda {

// Splits the nodes of the stack and `node`, and adds the vertices to those of this thread's word.
__device__ __forceinline__ unsigned split_nodes(const WarpColumn& column, unsigned eps256,
                                                Node node, NodeStack stack, unsigned vertices) {
  const int lane = column.lane;
  const int eps = static_cast<int>(min(eps256, (1U << 24) - 1));
  const auto limit = [eps](int length) {
    return (eps >> 8) * length + ((eps & 255) * length >> 8);
  };
  int first_value = column.samples[node.first];
  int middle_value = column.samples[node.middle];
  int last_value = column.samples[node.last];
  for (;;) {
    Farthest upper, lower;
    const Part above{node.first, node.middle, first_value, middle_value};
    const Part below{node.middle, node.last, middle_value, last_value};
    if ((node.last >> 3) - (node.first >> 3) < 31) {
      look_at_few(column, above, below, &upper, &lower);
    } else {
      look_at_many(column, above, below, &upper, &lower);
    }
    const bool splits_upper = upper.max_distance > limit(node.middle - node.first);
    const bool splits_lower = lower.max_distance > limit(node.last - node.middle);
    if (splits_upper && lane == upper.row >> 5) vertices |= 1U << (upper.row & 31);
    if (splits_lower && lane == lower.row >> 5) vertices |= 1U << (lower.row & 31);
    // Parts of two rows have no sample between their ends.
    const bool goes_up = splits_upper && node.middle - node.first > 2;
    const bool goes_down = splits_lower && node.last - node.middle > 2;
    if (goes_up || goes_down) {
      if (goes_up && goes_down) stack.push({node.middle, lower.row, node.last}, lane);
      if (goes_up) {
        node = {node.first, upper.row, node.middle};
        last_value = middle_value;
      } else {
        node = {node.middle, lower.row, node.last};
        first_value = middle_value;
      }
      middle_value = column.samples[node.middle];
    } else {
      if (stack.empty()) return vertices;
      node = stack.pop();
      first_value = column.samples[node.first];
      middle_value = column.samples[node.middle];
      last_value = column.samples[node.last];
    }
  }
}

// The vertices of a column, a word of 32 rows in each thread.
__device__ __forceinline__ unsigned split_column(const WarpColumn& column, unsigned eps256,
                                                 const SplitStart& start) {
  const unsigned vertices = start.begins | start.ends;
  if (!start.splits) return vertices;
  return split_nodes(column, eps256, start.node, NodeStack(column.stack, start.stacked), vertices);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_WARP_SPLIT_CUH_
