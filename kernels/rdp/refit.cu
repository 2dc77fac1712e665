// SPDX-License-Identifier: LGPL-2.1-or-later
// Fit::kAbsolute in the list that the segmentation has left: a warp for each column. Where the
// device has room for all columns at once, segment_warps.cu does it instead.
#include <cstdint>
#include <cstring>

#include "kernels/primitives/grid_order.cuh"
#include "kernels/rdp/refit_column.cuh"
#include "kernels/rdp/segment_arguments.h"

namespace rdp::cuda {
namespace {

__device__ __forceinline__ RefitColumn column_of_block(unsigned char* memory, int height,
                                                       int index) {
  auto* const known = reinterpret_cast<unsigned*>(memory + index * refit_column_bytes(height));
  return {known, reinterpret_cast<std::uint16_t*>(known + refit_words(height))};
}

// Neighbouring samples of a row, in one access, for which they have to be aligned together.
template <typename Sample>
struct alignas(kRefitColumns * sizeof(Sample)) RefitRow {
  Sample samples[kRefitColumns];
};
template <typename Sample>
__device__ __forceinline__ RefitRow<Sample> load_row(const unsigned char* from) {
  RefitRow<Sample> result;
  if constexpr (sizeof(Sample) == 2) {
    const uint4 v = __ldg(reinterpret_cast<const uint4*>(from));
    memcpy(&result, &v, sizeof v);
  } else {
    const uint2 v = __ldg(reinterpret_cast<const uint2*>(from));
    memcpy(&result, &v, sizeof v);
  }
  return result;
}

// Brings the block's columns into shared memory: a thread takes a row of all of them.
template <typename Sample>
__device__ __forceinline__ void load(const RefitArguments& a, unsigned char* memory, int columns,
                                     int first_x) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t pitch = a.frames.pitch[blockIdx.y];
  const unsigned char* const top = a.frames.data[blockIdx.y] + first_x * sizeof(Sample);
  const bool together =
      columns == kRefitColumns && first_x + kRefitColumns <= a.width &&
      ((reinterpret_cast<std::uintptr_t>(top) | static_cast<std::uintptr_t>(pitch)) &
       (sizeof(RefitRow<Sample>) - 1)) == 0;
  const unsigned range = a.known_last - a.known_first;
  const bool empty = a.known_first > a.known_last;
#pragma unroll 1
  for (int first = static_cast<int>(threadIdx.x) - lane; first < a.height;
       first += static_cast<int>(blockDim.x)) {
    const int row = first + lane;
    const unsigned char* const from = top + row * pitch;
    RefitRow<Sample> loaded = {};
    if (together && row < a.height) {
      loaded = load_row<Sample>(from);
    } else if (row < a.height) {
#pragma unroll
      for (int c = 0; c < kRefitColumns; ++c) {
        if (c < columns && first_x + c < a.width) {
          loaded.samples[c] = __ldg(reinterpret_cast<const Sample*>(from) + c);
        }
      }
    }
#pragma unroll
    for (int c = 0; c < kRefitColumns; ++c) {
      if (c >= columns) break;
      const unsigned sample = loaded.samples[c];
      const RefitColumn column = column_of_block(memory, a.height, c);
      column.samples[row] = static_cast<std::uint16_t>(sample);
      const unsigned word =
          __ballot_sync(kAll, row < a.height && !empty && sample - a.known_first <= range);
      if (lane == 0) column.known[first / 32] = word;
    }
  }
}

template <typename Sample>
__device__ void refit(const RefitArguments& a) {
  extern __shared__ __align__(16) unsigned char memory[];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int columns = static_cast<int>(blockDim.x) / 32;
  const int first_x = static_cast<int>(blockIdx.x) * columns;
  const int x = first_x + warp;
  const SegmentListView list = a.list.of_frame(blockIdx.y);
  // Overlaps the previous kernel, which writes no frame.
  load<Sample>(a, memory, columns, first_x);
  pdl_wait_and_trigger();
  __syncthreads();
  if (x >= a.width || list.offsets[list.columns] > list.capacity) return;
  const int count = static_cast<int>(list.offsets[x + 1] - list.offsets[x]);
  if (count == 0) return;
  refit_segments(column_of_block(memory, a.height, warp), list.segments + list.offsets[x], count,
                 a.max_gap, a.near, lane);
}

}  // namespace

#define RDP_REFIT_KERNEL(name, Sample)                                \
  extern "C" __global__ void __launch_bounds__(kRefitColumns * 32, 2) \
      rdp_refit_##name(const __grid_constant__ RefitArguments a) {    \
    refit<Sample>(a);                                                 \
  }
RDP_REFIT_KERNEL(u8, std::uint8_t)
RDP_REFIT_KERNEL(u16, std::uint16_t)

}  // namespace rdp::cuda
