// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_CLUSTER_CUH_
#define RDP_KERNELS_PRIMITIVES_CLUSTER_CUH_

// Blocks that run at the same time and write to each other's shared memory, from compute capability
// 9.0 on; elsewhere a cluster is a block. RDP_CLUSTER stands before the name of a kernel.
#if __CUDA_ARCH__ >= 900 && !defined(RDP_EMULATED)
#define RDP_HAS_CLUSTERS 1
#define RDP_CLUSTER __cluster_dims__(8, 1, 1)
#else
#define RDP_HAS_CLUSTERS 0
#define RDP_CLUSTER
#endif

namespace rdp::cuda {

constexpr int kClusterBlocks = RDP_HAS_CLUSTERS != 0 ? 8 : 1;

// Barrier of a cluster in two halves, which all threads call in turn. No thread leaves
// wait_for_cluster() before all have called arrive_at_cluster(); what they wrote before can then be
// read.
__device__ __forceinline__ void arrive_at_cluster() {
#if RDP_HAS_CLUSTERS
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
#endif
}
__device__ __forceinline__ void wait_for_cluster() {
#if RDP_HAS_CLUSTERS
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#endif
}

// Stores a number in the shared memory of a block of the cluster, at the place that `to` has in
// this block's.
__device__ __forceinline__ void store_in_block(unsigned long long* to, int block,
                                               unsigned long long value) {
#if RDP_HAS_CLUSTERS
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(there)
      : "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "r"(block));
  asm volatile("st.shared::cluster.u64 [%0], %1;" ::"r"(there), "l"(value) : "memory");
#else
  (void)block;
  *to = value;
#endif
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_CLUSTER_CUH_
