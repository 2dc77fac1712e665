// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes a list to page-locked memory of the host. A kernel rather than the copy engine: it starts
// right behind the one before it, and it knows how many segments there are.
#include "kernels/rdp/segment_copy_arguments.h"

namespace rdp::cuda {
namespace {

// Word by word: slices start at multiples of a word, and a warp's store is 128 bytes in a row.
__device__ __forceinline__ void copy_words(const std::uint32_t* from, std::uint32_t* to,
                                           std::size_t words) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * kCopyThreads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kCopyThreads + threadIdx.x; i < words;
       i += step) {
    to[i] = from[i];
  }
}

}  // namespace

// Leaves a frame out that has more segments than there is room for: the host sees their number.
extern "C" __global__ void __launch_bounds__(kCopyThreads)
    rdp_copy_segments(const __grid_constant__ CopySegmentsArguments a) {
  const SegmentListView list = a.list.of_frame(blockIdx.y);
  const std::uint32_t count = list.offsets[list.columns];
  if (count > a.room || count > list.capacity) return;
  unsigned char* const to = a.host + blockIdx.y * a.stride;
  copy_words(list.offsets, reinterpret_cast<std::uint32_t*>(to), list.columns + std::size_t{1});
  constexpr std::size_t kWords = sizeof(DeviceSegment) / sizeof(std::uint32_t);
  copy_words(reinterpret_cast<const std::uint32_t*>(list.segments),
             reinterpret_cast<std::uint32_t*>(to + copied_offset_bytes(list.columns)),
             count * kWords);
}

}  // namespace rdp::cuda
