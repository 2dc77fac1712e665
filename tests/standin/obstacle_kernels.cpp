// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/standin/obstacle_kernels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "common/image/depth_view.h"
#include "common/obstacles/refinement.h"
#include "kernels/obstacles/obstacle_arguments.h"

namespace {

using namespace rdp;
using namespace rdp::obstacles;
using cuda::ObstacleArguments;

void run_ground(const ObstacleArguments& a) {
  const DepthView frame{reinterpret_cast<const std::byte*>(a.frame), a.frame_pitch, a.rules.width,
                        a.rules.height, a.sample_bytes == 1 ? SampleType::kU8 : SampleType::kU16};
  Refined refined{a.start, false, 0};
  if (a.refine != 0) {
    CameraTables tables;
    const std::size_t values = std::size_t{max_sample(frame.type)} + 1;
    tables.depth.assign(a.depth, a.depth + values);
    tables.inverse.assign(a.inverse, a.inverse + values);
    tables.ray_x.assign(a.ray_x, a.ray_x + frame.width);
    tables.ray_y.assign(a.ray_y, a.ray_y + frame.height);
    tables.rules = a.rules;
    tables.lens = a.lens;
    refined = Refinement().refine(frame, tables, a.start);
  }
  const Axes axes = axes_of(refined.ground);
  *a.now = {{refined.ground, refined.inliers, refined.refined ? 1 : 0, 0},
            rules_over(a.rules, axes),
            view_of(axes, a.lens),
            a.inside[axes.steep ? 1 : 0]};
}

void run_place(const ObstacleArguments& a) {
  const FrameRules& rules = a.now->rules;
  for (int y = 0; y < rules.height; ++y) {
    for (int x = 0; x < rules.width; ++x) {
      const auto ray = [&](int k) {
        const double* const r = a.now->view.r[k];
        return column_ray(r, a.ray_x[x]) + row_ray(r, a.ray_y[y]);
      };
      const Placed p = place_sample(a.depth[cuda::sample_at(a, x, y)], ray(0), ray(1), ray(2),
                                    rules, a.now->inside);
      a.classes[y * a.classes_pitch + x] = p.kind;
      if (p.kind == kGround) a.ground[p.cell] = 1;
      if (p.kind != kObstacle && p.kind != kDrop) continue;
      CellSum& cell = a.cells[p.cell];
      ++cell.count;
      if (p.kind == kObstacle) {
        cell.top = std::max(cell.top, p.h);
        cell.parts |= std::uint64_t{1} << part_of_cell(p, rules);
        a.pixels[std::ptrdiff_t{y} * rules.width + x] = {p.cell, p.h};
      }
      const int bin = p.x > 0 ? bin_of(p.x, p.y, a.edges, rules.bins) : -1;
      if (bin < 0) continue;
      RingSum& ring = a.rings[ring_place(ring_of(p.rho), bin, rules.bins)];
      ++ring.count;
      ring.sum += static_cast<std::uint64_t>(p.rho);
    }
  }
}

void run_cells(const ObstacleArguments& a) {
  const FrameRules& rules = a.now->rules;
  const auto ground_at = [&](int x, int y) {
    return a.classes[y * a.classes_pitch + x] == kGround ? a.depth[cuda::sample_at(a, x, y)] : 0;
  };
  for (int index = 0; index < rules.cells(); ++index) {
    CellState state = state_of(a.cells[index], a.ground[index] != 0, rules.cell_samples);
    a.ground[index] = 0;
    const bool inside = a.now->inside == nullptr || a.now->inside[index] != 0;
    if (state == kUnseen && a.cells[index].count == 0 && inside &&
        is_seen_free(index, a.now->view, rules, ground_at)) {
      state = kFree;
    }
    a.result.states[index] = state;
  }
  for (int k = 0; k < rules.bins; ++k) a.result.ranges[k] = range_of(a.rings, k, rules);
  std::fill_n(a.rings, std::ptrdiff_t{kRings} * rules.bins, RingSum());
}

void run_lists(const ObstacleArguments& a) {
  const FrameRules& rules = a.now->rules;
  std::int32_t occupied = 0;
  for (int index = 0; index < rules.cells(); ++index) {
    a.places[index] = 0;
    if (a.result.states[index] == kOccupied) {
      a.result.occupied[occupied++] = {index, a.cells[index]};
      a.places[index] = static_cast<std::uint32_t>(occupied);
    }
    a.cells[index] = CellSum();
  }
  for (int k = 0; k < rules.bins; ++k) {
    a.result.free[k] = free_of(a.result.ranges[k], a.result.states, rules, [&](std::int32_t i) {
      return cell_on_bearing((i + 1) * free_step(rules), a.middles[k], rules);
    });
  }
  *a.result.found = a.now->found;
  a.result.found->occupied = occupied;
}

void run_objects(const ObstacleArguments& a) {
  const std::int32_t bin_height = a.rules.max_height / ObjectSamples::kBins + 1;
  for (int y = 0; y < a.rules.height; ++y) {
    for (int x = 0; x < a.rules.width; ++x) {
      if (a.classes[y * a.classes_pitch + x] != kObstacle) continue;
      const cuda::ObstaclePixel& pixel = a.pixels[std::ptrdiff_t{y} * a.rules.width + x];
      const std::uint32_t place = a.places[pixel.cell];
      if (place == 0 || a.numbers[place - 1] == 0) continue;
      ObjectSamples& object = a.objects[a.numbers[place - 1] - 1];
      object.add_height(pixel.h, pixel.h / bin_height);
      object.first_column = std::max(object.first_column, INT32_MAX - x);
      object.end_column = std::max(object.end_column, x + 1);
      object.first_row = std::max(object.first_row, INT32_MAX - y);
      object.end_row = std::max(object.end_row, y + 1);
    }
  }
}

template <void (*kRun)(const ObstacleArguments&)>
void run(const void* arguments) {
  kRun(*static_cast<const ObstacleArguments*>(arguments));
}

}  // namespace

HostKernel find_obstacle_kernel(std::string_view name) {
  constexpr std::pair<std::string_view, HostKernel> kKernels[] = {
      {"rdp_obstacles_ground", run<run_ground>},   {"rdp_obstacles_place", run<run_place>},
      {"rdp_obstacles_cells", run<run_cells>},     {"rdp_obstacles_lists", run<run_lists>},
      {"rdp_obstacles_objects", run<run_objects>},
  };
  for (const auto& [of_name, kernel] : kKernels) {
    if (of_name == name) return kernel;
  }
  return nullptr;
}
