// SPDX-License-Identifier: LGPL-2.1-or-later
// The frame's ground, then the classes of its samples and their counts by cell and bearing
// (rdp_obstacles_place). Then their counts by the host's objects (rdp_obstacles_objects). A thread
// has some rows of a column, in which samples of one cell or object follow each other. It adds them
// up before any atomic operation.
#include <cmath>
#include <cstdint>

#include "kernels/obstacles/obstacle_arguments.h"
#include "kernels/primitives/grid_order.cuh"
#include "kernels/primitives/warp.cuh"

namespace rdp::cuda {
namespace {

using obstacles::Attempt;
using obstacles::FrameRules;
using obstacles::Placed;

// The column of a thread, and its first row.
struct Pixels {
  int x, y;
};
__device__ __forceinline__ Pixels pixels_of_thread() {
  const int thread = static_cast<int>(threadIdx.x);
  return {static_cast<int>(blockIdx.x) * kObstacleColumns + thread % kObstacleColumns,
          static_cast<int>(blockIdx.y) * kObstacleBlockRows +
              thread / kObstacleColumns * kObstacleRows};
}
__device__ __forceinline__ std::size_t pixel_number(const FrameRules& rules, int x, int y) {
  return static_cast<std::size_t>(y) * static_cast<unsigned>(rules.width) +
         static_cast<unsigned>(x);
}

__device__ __forceinline__ void add(std::uint64_t* to, unsigned long long value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(to), value);
}

// Samples of one cell.
struct CellRun {
  std::int32_t place = -1;
  obstacles::CellSum sum;

  __device__ __forceinline__ void add(const obstacles::CellSum& more) {
    sum.parts |= more.parts;
    sum.count += more.count;
    sum.top = max(sum.top, more.top);
  }
  __device__ __forceinline__ void flush(obstacles::CellSum* cells) const {
    if (place < 0) return;
    obstacles::CellSum& cell = cells[place];
    atomicAdd(&cell.count, sum.count);
    if (sum.top == 0) return;
    // Most samples change nothing in their cell: a read tells.
    const auto top = *static_cast<volatile std::int32_t*>(&cell.top);
    const auto parts = *static_cast<volatile std::uint64_t*>(&cell.parts);
    if (top < sum.top) atomicMax(&cell.top, sum.top);
    if ((sum.parts & ~parts) != 0) {
      atomicOr(reinterpret_cast<unsigned long long*>(&cell.parts),
               static_cast<unsigned long long>(sum.parts));
    }
  }
};

// Samples of a ring of a bearing. Distances of a warp's samples fit.
struct RingRun {
  struct Sum {
    std::uint32_t count = 0;
    std::uint32_t sum = 0;
  };
  static_assert(std::int64_t{32} * kObstacleRows * obstacles::kMaxRange <= UINT32_MAX);
  std::int32_t place = -1;
  Sum sum;

  __device__ __forceinline__ void add(const Sum& more) {
    sum.count += more.count;
    sum.sum += more.sum;
  }
  __device__ __forceinline__ void flush(obstacles::RingSum* rings) const {
    if (place < 0) return;
    atomicAdd(&rings[place].count, sum.count);
    cuda::add(&rings[place].sum, sum.sum);
  }
};

// Ends the runs of a warp. The first of neighbours with the same place gets all of their sums; the
// others let the place go.
template <typename Run>
__device__ __forceinline__ void join_neighbours(Run* run) {
  if (__ballot_sync(kAll, run->place >= 0) == 0) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int before = __shfl_up_sync(kAll, run->place, 1);
  const bool is_first = lane == 0 || before != run->place;
  const unsigned after = __ballot_sync(kAll, is_first) & bits_from(lane + 1);
  const int end = after != 0 ? __ffs(static_cast<int>(after)) - 1 : 32;
#pragma unroll
  for (int by = 1; by < 32; by *= 2) {
    const auto more = warp_shuffle(run->sum, lane + by);
    if (lane + by < end) run->add(more);
  }
  if (!is_first) run->place = -1;
}

// The ground that the attempts come to, as refine_ground() takes it.
__device__ __forceinline__ FoundGround choose_ground(const ObstacleArguments& a) {
  if (a.refine == 0) return {a.start, 0, 0, 0};
  const Attempt first = a.attempts[0];
  if (first.stands && 8 * first.below <= first.used) return {first.ground, first.used, 1, 0};
  const int chosen = obstacles::choose_attempt(a.attempts);
  if (chosen < 0) return {a.start, 0, 0, 0};
  return {a.attempts[chosen].ground, a.attempts[chosen].used, 1, 0};
}

// The ground of a block's samples, and what their columns and rows add to coordinates.
struct BlockGround {
  double r[3][3];
  std::int32_t height;
  bool steep;
  std::int32_t columns[3][kObstacleColumns];
  std::int32_t rows[3][kObstacleBlockRows];
};

// Loads the ground; the first block also stores its rules for the following launches.
__device__ __forceinline__ FrameRules load_ground(const ObstacleArguments& a, BlockGround* ground) {
  obstacles::Axes axes;
  if (threadIdx.x == 0) {
    const FoundGround found = choose_ground(a);
    axes = obstacles::axes_of(found.ground);
    for (int i = 0; i < 9; ++i) ground->r[i / 3][i % 3] = axes.r[i / 3][i % 3];
    ground->height = axes.height;
    ground->steep = axes.steep;
    if (blockIdx.x == 0 && blockIdx.y == 0) {
      *a.now = {found, obstacles::rules_over(a.rules, axes), obstacles::view_of(axes, a.lens),
                a.inside[axes.steep ? 1 : 0]};
    }
  }
  __syncthreads();
  constexpr int kRays = kObstacleColumns + kObstacleBlockRows;
  for (int i = static_cast<int>(threadIdx.x); i < 3 * kRays; i += kObstacleThreads) {
    const int k = i / kRays, row = i % kRays - kObstacleColumns;
    if (row < 0) {
      const int x = static_cast<int>(blockIdx.x) * kObstacleColumns + i % kRays;
      ground->columns[k][i % kRays] =
          obstacles::column_ray(ground->r[k], a.ray_x[min(x, a.rules.width - 1)]);
    } else {
      const int y = static_cast<int>(blockIdx.y) * kObstacleBlockRows + row;
      ground->rows[k][row] = obstacles::row_ray(ground->r[k], a.ray_y[min(y, a.rules.height - 1)]);
    }
  }
  axes.height = ground->height;
  axes.steep = ground->steep;
  __syncthreads();
  return obstacles::rules_over(a.rules, axes);
}

// bin_of(): tries the previous sample's bearing, then searches from a guess.
__device__ __forceinline__ int bin_of_sample(const ObstacleArguments& a, const FrameRules& rules,
                                             const Placed& p, int before) {
  if (before >= 0 && obstacles::is_left_of(p.x, p.y, a.edges[before]) &&
      !obstacles::is_left_of(p.x, p.y, a.edges[before + 1])) {
    return before;
  }
  if (!obstacles::is_left_of(p.x, p.y, a.edges[0]) ||
      obstacles::is_left_of(p.x, p.y, a.edges[rules.bins])) {
    return -1;
  }
  const float turn = atan2f(static_cast<float>(p.y), static_cast<float>(p.x));
  int bin = static_cast<int>(turn * a.bins_of_radian + 0.5F * static_cast<float>(rules.bins));
  bin = min(max(bin, 0), rules.bins - 1);
  while (!obstacles::is_left_of(p.x, p.y, a.edges[bin])) --bin;
  while (obstacles::is_left_of(p.x, p.y, a.edges[bin + 1])) ++bin;
  return bin;
}

__device__ void place(const ObstacleArguments& a) {
  const Pixels pixels = pixels_of_thread();
  const int x = pixels.x;
  __shared__ BlockGround ground;
  std::int32_t z[kObstacleRows];
#pragma unroll
  for (int i = 0; i < kObstacleRows; ++i) {
    z[i] = static_cast<std::int32_t>(sample_at(a, x, pixels.y + i));
  }
#pragma unroll
  for (int i = 0; i < kObstacleRows; ++i) z[i] = a.depth[z[i]];
  // Samples and tables were there before the launch; all else comes from the launch before.
  pdl_wait_and_trigger();
  const FrameRules rules = load_ground(a, &ground);
  const std::uint8_t* const inside = a.inside[ground.steep ? 1 : 0];
  const int column = static_cast<int>(threadIdx.x) % kObstacleColumns;
  const std::int32_t ray_x = ground.columns[0][column], ray_y = ground.columns[1][column],
                     ray_h = ground.columns[2][column];
  Placed placed[kObstacleRows];
#pragma unroll
  for (int i = 0; i < kObstacleRows; ++i) {
    const int row = static_cast<int>(threadIdx.x) / kObstacleColumns * kObstacleRows + i;
    placed[i] =
        obstacles::place_sample(z[i], ray_x + ground.rows[0][row], ray_y + ground.rows[1][row],
                                ray_h + ground.rows[2][row], rules, inside);
  }
  CellRun cell;
  RingRun ring;
  int bin = -1;
#pragma unroll
  for (int i = 0; i < kObstacleRows; ++i) {
    const int y = pixels.y + i;
    if (x >= rules.width || y >= rules.height) break;
    const Placed& p = placed[i];
    a.classes[y * a.classes_pitch + x] = p.kind;
    if (p.kind == obstacles::kGround) a.ground[p.cell] = 1;
    if (p.kind != obstacles::kObstacle && p.kind != obstacles::kDrop) continue;
    if (p.cell != cell.place) {
      cell.flush(a.cells);
      cell = {p.cell, {}};
    }
    ++cell.sum.count;
    if (p.kind == obstacles::kObstacle) {
      cell.sum.top = max(cell.sum.top, p.h);
      cell.sum.parts |= std::uint64_t{1} << obstacles::part_of_cell(p, rules);
      a.pixels[pixel_number(rules, x, y)] = {p.cell, p.h};
    }
    if (p.x <= 0) continue;
    bin = bin_of_sample(a, rules, p, bin);
    if (bin < 0) continue;
    const int place = bin * obstacles::kRings + obstacles::ring_of(p.rho);
    if (place != ring.place) {
      ring.flush(a.rings);
      ring = {place, {}};
    }
    ring.add({1, static_cast<std::uint32_t>(p.rho)});
  }
  __syncwarp();
  join_neighbours(&cell);
  join_neighbours(&ring);
  cell.flush(a.cells);
  ring.flush(a.rings);
}

// Rows of a column that show one object.
struct ObjectRun {
  unsigned number = 0;
  int first = 0, last = 0;

  __device__ __forceinline__ void flush(obstacles::ObjectSamples* objects, int x) const {
    if (number == 0) return;
    obstacles::ObjectSamples& object = objects[number - 1];
    const auto raise = [](std::int32_t* most, std::int32_t value) {
      if (*static_cast<volatile std::int32_t*>(most) < value) atomicMax(most, value);
    };
    raise(&object.first_column, INT32_MAX - x);
    raise(&object.end_column, x + 1);
    raise(&object.first_row, INT32_MAX - first);
    raise(&object.end_row, last + 1);
  }
};

// Counts samples of objects; a warp adds up its threads' counts for the same bin of an object.
__device__ void count_objects(const ObstacleArguments& a) {
  constexpr unsigned kNone = ~0U;
  const Pixels pixels = pixels_of_thread();
  const int x = pixels.x, lane = static_cast<int>(threadIdx.x) % 32;
  const float inverse = obstacles::ObjectSamples::inverse_bin(a.rules.max_height);
  ObjectRun run;
  for (int i = 0; i < kObstacleRows; ++i) {
    const int y = pixels.y + i;
    if (y >= a.rules.height) break;
    unsigned key = kNone, h = 0;
    if (x < a.rules.width && a.classes[y * a.classes_pitch + x] == obstacles::kObstacle) {
      const ObstaclePixel pixel = a.pixels[pixel_number(a.rules, x, y)];
      const std::uint32_t place = a.places[pixel.cell];
      const unsigned number = place != 0 ? a.numbers[place - 1] : 0U;
      if (number != 0) {
        h = static_cast<unsigned>(pixel.h);
        const int bin = obstacles::ObjectSamples::bin_of(pixel.h, inverse);
        key = number << 8 | static_cast<unsigned>(bin);
        if (number != run.number) {
          run.flush(a.objects, x);
          run = {number, y, y};
        }
        run.last = y;
      }
    }
    unsigned left = __ballot_sync(kAll, key != kNone);
    while (left != 0) {
      const int leader = __ffs(static_cast<int>(left)) - 1;
      const unsigned wanted = __shfl_sync(kAll, key, leader);
      const unsigned same = __ballot_sync(kAll, key == wanted);
      const unsigned sum = warp_sum(key == wanted ? h : 0U);
      if (lane == leader) {
        obstacles::ObjectSamples& object = a.objects[(wanted >> 8) - 1];
        atomicAdd(&object.counts[wanted & 255], static_cast<unsigned>(__popc(same)));
        add(&object.sums[wanted & 255], sum);
      }
      left &= ~same;
    }
  }
  run.flush(a.objects, x);
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(rdp::cuda::kObstacleThreads)
    rdp_obstacles_place(const rdp::cuda::ObstacleArguments a) {
  rdp::cuda::place(a);
}
extern "C" __global__ void __launch_bounds__(rdp::cuda::kObstacleThreads)
    rdp_obstacles_objects(const rdp::cuda::ObstacleArguments a) {
  rdp::cuda::count_objects(a);
}
