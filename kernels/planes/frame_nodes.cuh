// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_PLANES_FRAME_NODES_CUH_
#define RDP_KERNELS_PLANES_FRAME_NODES_CUH_

#include <cstdint>

#include "kernels/planes/frame_planes_arguments.h"

// Nodes, cells and pixels of a frame, as all kernels of planes look at them.
namespace rdp::cuda {

struct NodePlace {
  int level;
  int column;
  int row;
};

__device__ __forceinline__ NodePlace place_of(const FramePlanesArguments& a, int node) {
  int level = planes::kLevels - 1;
#pragma unroll
  for (int l = planes::kLevels - 2; l >= 0; --l) {
    if (node >= a.level_start[l]) level = l;
  }
  int columns = a.level_columns[0], start = a.level_start[0];
#pragma unroll
  for (int l = 1; l < planes::kLevels; ++l) {
    if (level != l) continue;
    columns = a.level_columns[l];
    start = a.level_start[l];
  }
  const int i = node - start;
  return {level, i % columns, i / columns};
}

__device__ __forceinline__ double slope_of(const FramePlanesArguments& a) {
  return a.counters->noise * a.rules.noise_scale;
}

__device__ __forceinline__ const planes::Statistics& cell_statistics(const FramePlanesArguments& a,
                                                                     const PlaneCells& cells,
                                                                     int cell) {
  return cells.nodes[a.level_start[0] + cell].statistics;
}
__device__ __forceinline__ const planes::Moments& cell_moments(const FramePlanesArguments& a,
                                                               const PlaneCells& cells, int cell) {
  return cells.moments[a.level_start[0] + cell];
}

// Fewest pixels of a part.
__device__ __forceinline__ std::uint32_t fewest_pixels(std::int64_t wanted) {
  return wanted > 1 ? static_cast<std::uint32_t>(wanted) : 1U;
}

// The least number of pixels of a new plane.
__device__ __forceinline__ std::uint32_t least_pixels(const FramePlanesArguments& a) {
  return fewest_pixels(a.rules.min_inliers / 2);
}

// True if an owner of a cell is a part that owns it once a round is over. Parts that lost too many
// cells to others are gone, and so are planes without a part.
__device__ __forceinline__ bool is_settled(const FramePlanesArguments& a, const PlaneCells& cells,
                                           int owner) {
  return owner >= 0 && owner < kNewPlanes &&
         cells.part_pixels[owner] >= fewest_pixels(a.rules.min_part);
}

// The part that owns a cell once a round is over; -1: none.
__device__ __forceinline__ int settled_owner(const FramePlanesArguments& a, const PlaneCells& cells,
                                             int cell) {
  const int owner = cells.grown[cell];
  return is_settled(a, cells, owner) ? owner : -1;
}

// True if this round takes place: it is the first one, or the previous one found planes.
__device__ __forceinline__ bool round_is_on(const FramePlanesArguments& a) {
  return a.round == a.first_round || a.round_counters[a.round - 1].kept > 0;
}

__device__ __forceinline__ std::int32_t depth_at(const FramePlanesArguments& a, int x, int y) {
  const unsigned char* const row = a.frame + y * a.frame_pitch;
  const unsigned sample =
      a.sample_bytes == 1 ? row[x] : reinterpret_cast<const std::uint16_t*>(row)[x];
  return a.depth[sample];
}
__device__ __forceinline__ std::uint32_t number_of(const FramePlanesArguments& a, int x, int y) {
  return static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(a.rules.width) +
         static_cast<std::uint32_t>(x);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_PLANES_FRAME_NODES_CUH_
