// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PRIMITIVES_COPY_WORDS_CUH_
#define RDP_KERNELS_PRIMITIVES_COPY_WORDS_CUH_

#include <cstddef>
#include <cstdint>

namespace rdp::cuda {

// Copies whole words by all blocks along x, of kThreads threads: word by word, so that a warp's
// store is 128 bytes in a row.
template <int kThreads>
__device__ __forceinline__ void copy_words(const void* from, void* to, std::size_t bytes) {
  const std::size_t words = bytes / sizeof(std::uint32_t);
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * kThreads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x; i < words;
       i += step) {
    static_cast<std::uint32_t*>(to)[i] = static_cast<const std::uint32_t*>(from)[i];
  }
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PRIMITIVES_COPY_WORDS_CUH_
