// SPDX-License-Identifier: LGPL-2.1-or-later
// Heads. Pixels that belong to no speckle vote for the cells where they stand, which are the keys
// of a table (rdp_heads_vote). A block takes a tile of cells, and finds the few cells with the
// highest score around (rdp_heads_find). A cell belongs to one head at most, so each pixel knows by
// its cell for which head it counts (rdp_heads_sum). Then each head is computed (rdp_heads_finish).
// Counts, sums, minima and maxima are integers, so only the order of the list varies: the host
// sorts it.
#include <cstdint>

#include "kernels/heightmap/ground_arguments.h"
#include "kernels/primitives/component_sizes.cuh"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/key_table.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

using heightmap::head_cell;
using heightmap::head_cell_column;
using heightmap::head_cell_row;
using heightmap::head_reach;
using heightmap::kHeadApart;
using heightmap::kHeadLook;
using heightmap::kHeadReach;

// The thread's pixel.
struct PixelAt {
  int x, y;
  bool is_inside;
  std::uint32_t number;
};
__device__ __forceinline__ PixelAt pixel_of_thread(const GroundArguments& a) {
  PixelAt at;
  at.x = static_cast<int>(blockIdx.x * kGroundColumns + threadIdx.x % kGroundColumns);
  at.y = static_cast<int>(blockIdx.y * kGroundRows + threadIdx.x / kGroundColumns);
  at.is_inside = at.x < a.width && at.y < a.height;
  at.number = pixel_number(a, at.x, at.y);
  return at;
}

// Neighbouring lanes of the warp that have the same key, this one among them.
struct Run {
  int first, end;
};
template <typename Key>
__device__ __forceinline__ Run run_of(Key key) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const Key before = __shfl_up_sync(kAll, key, 1);
  const unsigned starts = __ballot_sync(kAll, lane == 0 || key != before);
  const unsigned up_to_here = 0xFFFFFFFFU >> (31 - lane);
  const unsigned after = starts & ~up_to_here;
  return {31 - __clz(static_cast<int>(starts & up_to_here)),
          after == 0 ? 32 : __ffs(static_cast<int>(after)) - 1};
}
// The sum of v from this lane to the end of its run.
__device__ __forceinline__ int sum_to_end(const Run& run, int v) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int i = 1; i < 32; i *= 2) {
    const int other = __shfl_down_sync(kAll, v, static_cast<unsigned>(i));
    if (lane + i < run.end) v += other;
  }
  return v;
}

__device__ __forceinline__ bool is_speckle(const GroundArguments& a, std::uint32_t pixel) {
  return a.speckle > 0 &&
         a.sizes[a.parents[a.parents[pixel]]] <= static_cast<std::uint32_t>(a.speckle);
}

// A warp has a piece of a row, in which neighbours often vote for the same cell: the first of them
// does it for all.
__device__ void vote(const GroundArguments& a) {
  __shared__ unsigned block_known;
  if (threadIdx.x == 0) block_known = 0;
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const PixelAt at = pixel_of_thread(a);
  int label = at.is_inside ? a.labels[at.number] : a.unknown;
  if (label != a.unknown && is_speckle(a, at.number)) {
    label = a.unknown;
    a.labels[at.number] = static_cast<unsigned char>(label);
  }
  const unsigned known = __ballot_sync(kAll, label != a.unknown);
  if (lane == 0 && known != 0) atomicAdd(&block_known, static_cast<unsigned>(__popc(known)));

  std::uint32_t cell = kNoKey;
  int x = 0, y = 0;
  if (label != a.unknown && heightmap::ground_of(a.planes[label], at.x, at.y, &x, &y)) {
    cell = heightmap::head_cell_at(x, y);
  }
  const Run run = run_of(cell);
  std::uint32_t place = kNoPlace;
  if (cell != kNoKey && run.first == lane) {
    bool is_new;
    place = put_key(a.cells, cell, &is_new);
    atomicAdd(&a.cell_votes[place], static_cast<std::uint32_t>(run.end - run.first));
    if (is_new) {
      a.cell_heads[place] = 0;
      const std::uint32_t tile =
          head_cell(head_cell_row(cell) >> kHeadTileBits, head_cell_column(cell) >> kHeadTileBits);
      put_key(a.tiles, tile, &is_new);
      if (is_new) a.tile_list[atomicAdd(&a.counters->tiles, 1U)] = tile;
    }
  }
  place = __shfl_sync(kAll, place, run.first);
  if (at.is_inside) a.places[at.number] = place;
  __syncthreads();
  if (threadIdx.x == 0 && block_known != 0) {
    atomicAdd(&a.counters->known, static_cast<unsigned long long>(block_known));
  }
}

// A block's tile of scores. A cell near a vote of the tile may be a head. Its score is compared
// with the scores around it, which count the votes around them.
constexpr int kNear = head_reach(0, kHeadReach);
constexpr int kScoreBorder = kNear + kHeadLook;
constexpr int kVoteBorder = kScoreBorder + kNear;
constexpr int kScoreSide = kHeadTile + 2 * kScoreBorder;
constexpr int kVoteSide = kHeadTile + 2 * kVoteBorder;
// The first cells there are belong to tile 1, so that no tile is kNoKey, and none is at the border.
static_assert(4 * kHeadLook >= kHeadTile && kHeadTile >= kVoteBorder);

struct TileScores {
  std::uint32_t votes[kVoteSide * kVoteSide];
  std::uint32_t scores[kScoreSide * kScoreSide];
  int row, column;  // of the first cell of the tile

  __device__ __forceinline__ std::uint32_t votes_at(int v, int u) const {
    return votes[(v + kVoteBorder) * kVoteSide + u + kVoteBorder];
  }
  __device__ __forceinline__ std::uint32_t score_at(int v, int u) const {
    return scores[(v + kScoreBorder) * kScoreSide + u + kScoreBorder];
  }
  __device__ __forceinline__ std::uint32_t cell_at(int v, int u) const {
    return head_cell(row + v, column + u);
  }
};

// Calls visit(dv, du) for the cells around one, row by row.
template <int kSquared, typename Visit>
__device__ __forceinline__ void visit_around(const Visit& visit) {
  constexpr int kRows = head_reach(0, kSquared);
#pragma unroll
  for (int dv = -kRows; dv <= kRows; ++dv) {
    const int reach = head_reach(dv, kSquared);
#pragma unroll
    for (int du = -reach; du <= reach; ++du) visit(dv, du);
  }
}

__device__ void load_votes(const GroundArguments& a, TileScores* tile) {
  constexpr int kCells = kVoteSide * kVoteSide;
  constexpr int kOfThread = (kCells + kFindThreads - 1) / kFindThreads;
  std::uint32_t keys[kOfThread], places[kOfThread], there[kOfThread];
#pragma unroll
  for (int k = 0; k < kOfThread; ++k) {
    const int i = min(static_cast<int>(threadIdx.x) + k * kFindThreads, kCells - 1);
    keys[k] = tile->cell_at(i / kVoteSide - kVoteBorder, i % kVoteSide - kVoteBorder);
    places[k] = first_place(a.cells, keys[k]);
    there[k] = a.cells.keys[places[k]];
  }
#pragma unroll
  for (int k = 0; k < kOfThread; ++k) places[k] = find_key(a.cells, keys[k], places[k], there[k]);
#pragma unroll
  for (int k = 0; k < kOfThread; ++k) {
    const int i = static_cast<int>(threadIdx.x) + k * kFindThreads;
    if (i < kCells) tile->votes[i] = places[k] == kNoPlace ? 0U : a.cell_votes[places[k]];
  }
}

__device__ __forceinline__ bool is_head(const TileScores& tile, int v, int u, std::uint32_t score) {
  for (int dv = -kHeadLook; dv <= kHeadLook; ++dv) {
    const int reach = head_reach(dv, kHeadApart);
    for (int du = -reach; du <= reach; ++du) {
      const std::uint32_t other = tile.score_at(v + dv, u + du);
      if (other > score || (other == score && (dv < 0 || (dv == 0 && du < 0)))) return false;
    }
  }
  return true;
}

// True if the tile has the first cell that votes for a head: exactly one tile of all that look at
// the head.
__device__ __forceinline__ bool is_of_tile(const TileScores& tile, int v, int u) {
  bool is_found = false;
  bool is = false;
  visit_around<kHeadReach>([&](int dv, int du) {
    if (is_found || tile.votes_at(v + dv, u + du) == 0) return;
    is_found = true;
    is = v + dv >= 0 && v + dv < kHeadTile && u + du >= 0 && u + du < kHeadTile;
  });
  return is;
}

__device__ void add_head(const GroundArguments& a, const TileScores& tile, int v, int u,
                         std::uint32_t score) {
  const std::uint32_t number = atomicAdd(&a.counters->heads, 1U);
  HeadSums head{tile.cell_at(v, u), score, kNotCounted, 0, 0, 0, 0};
  if (heightmap::head_rank(score) > 1) {
    head.counts = atomicAdd(&a.counters->counted, 1U);
    LabelVotes* const votes = a.label_votes + static_cast<std::int64_t>(head.counts) * a.unknown;
    for (int label = 0; label < a.unknown; ++label) votes[label] = {0, 0xFFFFFFFFU};
  }
  a.heads[number] = head;
  for (int dv = -kNear; dv <= kNear; ++dv) {
    const int reach = head_reach(dv, kHeadReach);
    for (int du = -reach; du <= reach; ++du) {
      if (tile.votes_at(v + dv, u + du) == 0) continue;
      a.cell_heads[find_key(a.cells, tile.cell_at(v + dv, u + du))] = number + 1;
    }
  }
}

// A block takes one tile after the other.
__device__ void find(const GroundArguments& a) {
  __shared__ TileScores tile;
  const std::uint32_t tiles = a.counters->tiles;
  for (std::uint32_t number = blockIdx.x; number < tiles; number += gridDim.x) {
    const std::uint32_t key = a.tile_list[number];
    __syncthreads();  // all are done with the one before
    if (threadIdx.x == 0) {
      tile.row = head_cell_row(key) << kHeadTileBits;
      tile.column = head_cell_column(key) << kHeadTileBits;
    }
    __syncthreads();
    load_votes(a, &tile);
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < kScoreSide * kScoreSide; i += kFindThreads) {
      const int v = i / kScoreSide - kScoreBorder, u = i % kScoreSide - kScoreBorder;
      std::uint32_t score = 0;
      visit_around<kHeadReach>([&](int dv, int du) { score += tile.votes_at(v + dv, u + du); });
      tile.scores[i] = score;
    }
    __syncthreads();
    constexpr int kSide = kHeadTile + 2 * kNear;
    for (int i = static_cast<int>(threadIdx.x); i < kSide * kSide; i += kFindThreads) {
      const int v = i / kSide - kNear, u = i % kSide - kNear;
      const std::uint32_t score = tile.score_at(v, u);
      if (score < static_cast<std::uint32_t>(a.least) || !is_head(tile, v, u, score)) continue;
      if (is_of_tile(tile, v, u)) add_head(a, tile, v, u, score);
    }
  }
}

// Adds pixels to their heads. Neighbours with the same label and head do it together.
__device__ void sum(const GroundArguments& a) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const PixelAt at = pixel_of_thread(a);
  const std::uint32_t place = at.is_inside ? a.places[at.number] : kNoPlace;
  const std::uint32_t head_number = place == kNoPlace ? 0U : a.cell_heads[place];
  if (__any_sync(kAll, head_number != 0) == 0) return;
  int label = 0, x = 0, y = 0;
  if (head_number != 0) {
    label = a.labels[at.number];
    heightmap::ground_of(a.planes[label], at.x, at.y, &x, &y);
  }
  const Run run =
      run_of(static_cast<unsigned long long>(head_number) << 32 | static_cast<unsigned>(label));
  // At most 32 times a kilometre.
  const int sum_x = sum_to_end(run, x);
  const int sum_y = sum_to_end(run, y);
  if (head_number == 0 || lane != run.first) return;
  HeadSums& head = a.heads[head_number - 1];
  const auto wide = [](int v) {
    return static_cast<unsigned long long>(static_cast<long long>(v));
  };
  atomicAdd(&head.x, wide(sum_x));
  atomicAdd(&head.y, wide(sum_y));
  if (head.counts == kNotCounted) {
    atomicMax(&head.best, best_vote(static_cast<std::uint32_t>(label), at.number));
    return;
  }
  LabelVotes& votes = a.label_votes[static_cast<std::int64_t>(head.counts) * a.unknown + label];
  atomicAdd(&votes.votes, static_cast<std::uint32_t>(run.end - run.first));
  atomicMin(&votes.first, at.number);
}

// The label of a head's height, and the first pixel that has it.
struct BestVote {
  int label;
  std::uint32_t pixel;
};
__device__ __forceinline__ BestVote best_vote_of(const GroundArguments& a, const HeadSums& head) {
  if (head.counts == kNotCounted) {
    return {static_cast<int>(head.best >> 32), 0xFFFFFFFFU - static_cast<std::uint32_t>(head.best)};
  }
  const LabelVotes* const votes =
      a.label_votes + static_cast<std::int64_t>(head.counts) * a.unknown;
  const std::int64_t rank = heightmap::head_rank(head.votes);
  int label = a.unknown - 1;
  for (std::int64_t above = votes[label].votes; above < rank; above += votes[label].votes) --label;
  return {label, votes[label].first};
}

// A thread takes one head after the other.
__device__ void finish(const GroundArguments& a) {
  const std::uint32_t thread = blockIdx.x * kGroundThreads + threadIdx.x;
  const std::uint32_t heads = a.counters->heads;
  for (std::uint32_t i = thread; i < heads; i += gridDim.x * kGroundThreads) {
    const HeadSums& head = a.heads[i];
    const BestVote best = best_vote_of(a, head);
    const auto width = static_cast<std::uint32_t>(a.width);
    FoundHead found;
    found.cell = head.cell;
    found.column = static_cast<std::int32_t>(best.pixel % width);
    found.row = static_cast<std::int32_t>(best.pixel / width);
    found.x = heightmap::mean_place(static_cast<std::int64_t>(head.x), head.votes);
    found.y = heightmap::mean_place(static_cast<std::int64_t>(head.y), head.votes);
    found.height = a.min_height + best.label * a.height_step;
    found.votes = static_cast<std::int32_t>(head.votes);
    a.found[i] = found;
  }
  if (thread == 0) *a.report = {a.counters->known, heads};
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kGroundThreads)
    rdp_heads_vote(const GroundArguments a) {
  pdl_wait_and_trigger();
  vote(a);
}
// Without the number of blocks, registers spill on some devices.
extern "C" __global__ void __launch_bounds__(kFindThreads, 4)
    rdp_heads_find(const GroundArguments a) {
  pdl_wait_and_trigger();
  find(a);
}
extern "C" __global__ void __launch_bounds__(kGroundThreads)
    rdp_heads_sum(const GroundArguments a) {
  pdl_wait_and_trigger();
  sum(a);
}
extern "C" __global__ void __launch_bounds__(kGroundThreads)
    rdp_heads_finish(const GroundArguments a) {
  pdl_wait_and_trigger();
  finish(a);
}

}  // namespace rdp::cuda
