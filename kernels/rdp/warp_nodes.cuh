// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_RDP_WARP_NODES_CUH_
#define RDP_KERNELS_RDP_WARP_NODES_CUH_

namespace rdp::cuda {

// A segment that was split at `middle`; of a segment that has not been looked at yet, `middle` is
// `first`. Rows below 1024.
struct Node {
  int first, middle, last;

  __device__ __forceinline__ unsigned pack() const {
    return static_cast<unsigned>(first << 20 | middle << 10 | last);
  }
  __device__ __forceinline__ static Node unpack(unsigned packed) {
    return {static_cast<int>(packed >> 20), static_cast<int>(packed >> 10 & 1023),
            static_cast<int>(packed & 1023)};
  }
};

// The stack of a column's warp, in shared memory. One thread writes, all read.
class NodeStack {
 public:
  __device__ NodeStack(unsigned* memory, int count) : memory_(memory), count_(count) {}

  __device__ __forceinline__ bool empty() const { return count_ == 0; }
  __device__ __forceinline__ void push(const Node& node, int lane) {
    if (lane == 0) memory_[count_] = node.pack();
    ++count_;
  }
  __device__ __forceinline__ Node pop() {
    __syncwarp();
    const unsigned packed = memory_[--count_];
    __syncwarp();
    return Node::unpack(packed);
  }

 private:
  unsigned* memory_;
  int count_;
};

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_RDP_WARP_NODES_CUH_
