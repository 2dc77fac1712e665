// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/clouds/engine.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <span>
#include <vector>

#include "common/image/float_environment.h"
#include "common/image/grow_buffer.h"
#include "common/image/thread_pool.h"
#include "common/image/threaded_engine-inl.h"
#include "common/planes/clouds/bounds.h"
#include "common/planes/clouds/hulls.h"
#include "common/planes/clouds/neighbours.h"
#include "common/planes/clouds/octree.h"
#include "common/planes/clouds/planes.h"
#include "common/planes/clouds/points.h"
#include "common/planes/clouds/runs.h"
#include "common/planes/clouds/sort.h"
#include "common/planes/labelled_plane.h"
#include "common/planes/vote_space.h"

namespace rdp::planes {
namespace {

constexpr std::size_t kPointsAtOnce = 1 << 15;  // for a thread
constexpr std::size_t kCellsAtOnce = 256;
constexpr std::uint16_t kMixed = 0xffff;  // the number of a cell whose points differ

// Sums of the points labelled with a plane.
struct PlanePoints {
  Moments moments;
  std::uint32_t first = UINT32_MAX;  // point

  void add(const PlanePoints& other) {
    moments.add(other.moments);
    first = std::min(first, other.first);
  }
};

// A plane that stays.
struct KeptPlane : PlanePoints {
  Fit fit;
  std::uint64_t votes = 0;
  std::uint16_t number = 0;
  HullAxes axes;
};

using HullEntries = std::array<std::uint64_t, kHullDirections>;

struct Worker {
  std::vector<PlanePoints> planes;
  std::vector<HullBounds> bounds;
  std::vector<HullEntries> entries;
};

}  // namespace

struct CloudEngineImpl {
  ThreadPool pool;
  std::vector<Worker> workers;
  CloudBoundsFinder bounds;
  CloudSort sort;
  CloudOctree octree;
  VoteSpace space;
  CloudPlaneFinder planes;
  CloudNeighbours neighbours;
  std::vector<std::int32_t> owners;    // of each cell
  std::vector<std::uint16_t> of_cell;  // the number of its points, or kMixed
  std::vector<PlanePoints> points;     // of each plane
  std::vector<KeptPlane> kept;
  std::vector<std::uint8_t> label_of;  // of each number
  std::vector<std::array<CloudPoint, kHullDirections>> corners;
  std::vector<CellMean> means;
  CloudRules rules;
  RunFunctions run;
  PlaneSet set;
  CloudTimes times;

  // Calls body(first, end, worker) for ranges of cells.
  template <typename Body>
  void spread_cells(const Body& body) {
    const std::size_t cells = sort.runs().size();
    pool.run(static_cast<unsigned>((cells + kCellsAtOnce - 1) / kCellsAtOnce),
             sort.used() < kPointsAtOnce ? 1 : pool.size(),
             [&](unsigned item, unsigned, unsigned worker) {
               const std::size_t first = item * kCellsAtOnce;
               body(first, std::min(cells, first + kCellsAtOnce), worker);
             });
  }

  void sum_up();
  int candidates(std::size_t cell, CellCandidate list[27]) const;
  void label_points();
  void label_cells(std::size_t first, std::size_t end, Worker* worker);
  void choose_planes();
  void find_corners(const CloudView& cloud);
  void write_labels(std::size_t count, std::uint8_t* labels);
  void find(const CloudView& cloud, const Parameters& parameters, std::uint8_t* labels);
};

void CloudEngineImpl::sum_up() {
  const std::span<const PointRun> runs = sort.runs();
  const PointPacking packing(rules);
  Moments* const cells = octree.start(runs.size());
  spread_cells([&](std::size_t first, std::size_t end, unsigned) {
    for (std::size_t i = first; i < end; ++i) {
      Moments moments;
      run.sum(sort.packed() + runs[i].first, runs[i].end - runs[i].first, packing.part, &moments);
      cells[i] = translated(moments, CellCorner(rules, runs[i].key));
    }
  });
}

// The planes that the points of a cell may belong to, lowest number first.
int CloudEngineImpl::candidates(std::size_t cell, CellCandidate list[27]) const {
  int count = 0;
  for (const std::uint16_t plane : neighbours.around(cell)) {
    const auto number = static_cast<std::uint16_t>(planes.root()[plane] + 1);
    int at = count;
    while (at > 0 && list[at - 1].number > number) --at;
    if (at > 0 && list[at - 1].number == number) continue;
    for (int i = count; i > at; --i) list[i].number = list[i - 1].number;
    list[at].number = number;
    ++count;
  }
  const CellCorner corner(rules, sort.runs()[cell].key);
  for (int i = 0; i < count; ++i) {
    list[i].plane = view_plane(rules, planes.planes()[list[i].number - 1].fit, corner.at);
  }
  return count;
}

void CloudEngineImpl::label_cells(std::size_t first, std::size_t end, Worker* worker) {
  const PointPacking packing(rules);
  for (std::size_t i = first; i < end; ++i) {
    const PointRun& cell = sort.runs()[i];
    of_cell[i] = 0;
    if (neighbours.around(i).empty()) continue;
    CellCandidate list[27];
    const int count = candidates(i, list);
    const std::uint64_t* const packed = sort.packed() + cell.first;
    const std::size_t n = cell.end - cell.first;
    std::uint16_t* const numbers = sort.numbers() + cell.first;
    if (run.label(packed, n, packing.part, list, count, numbers)) {
      of_cell[i] = numbers[0];
      if (numbers[0] == 0) continue;
      PlanePoints& plane = worker->planes[numbers[0] - 1];
      plane.moments.add(octree.cells()[i]);
      plane.first = std::min(plane.first, sort.indices()[cell.first]);
      continue;
    }
    of_cell[i] = kMixed;
    for (int c = 0; c < count; ++c) {
      Moments moments;
      run.sum_numbered(packed, numbers, n, packing.part, list[c].number, &moments);
      if (moments.n == 0) continue;
      PlanePoints& plane = worker->planes[list[c].number - 1];
      plane.moments.add(translated(moments, CellCorner(rules, cell.key)));
      const std::uint16_t* const own = std::find(numbers, numbers + n, list[c].number);
      plane.first = std::min(plane.first, sort.indices()[cell.first + (own - numbers)]);
    }
  }
}

void CloudEngineImpl::label_points() {
  of_cell.resize(sort.runs().size());
  for (Worker& worker : workers) worker.planes.assign(planes.planes().size(), PlanePoints());
  spread_cells([&](std::size_t first, std::size_t end, unsigned worker) {
    label_cells(first, end, &workers[worker]);
  });
  points.assign(planes.planes().size(), PlanePoints());
  for (const Worker& worker : workers) {
    for (std::size_t p = 0; p < points.size(); ++p) points[p].add(worker.planes[p]);
  }
}

void CloudEngineImpl::choose_planes() {
  kept.clear();
  for (std::size_t p = 0; p < points.size(); ++p) {
    const CloudPlane& plane = planes.planes()[p];
    if (plane.moments.n == 0) continue;  // part of another one
    kept.push_back({points[p], {}, plane.votes, static_cast<std::uint16_t>(p + 1), {}});
  }
  keep_planes(rules, &kept, &set.counts);
  label_of.assign(points.size() + 1, 0);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    label_of[kept[k].number] = static_cast<std::uint8_t>(k + 1);
  }
}

// Cells whose points are all of one plane give bounds first; then only points of cells that may
// contain the farthest ones are examined.
void CloudEngineImpl::find_corners(const CloudView& cloud) {
  const std::span<const PointRun> runs = sort.runs();
  const PointPacking packing(rules);
  corners.resize(kept.size());
  for (KeptPlane& plane : kept) plane.axes = hull_axes(plane.fit.normal, kHullCosines);
  for (Worker& worker : workers) {
    worker.bounds.clear();
    for (const KeptPlane& plane : kept) worker.bounds.emplace_back(rules, plane.axes);
    worker.entries.assign(kept.size(), HullEntries());
  }
  spread_cells([&](std::size_t first, std::size_t end, unsigned worker) {
    for (std::size_t i = first; i < end; ++i) {
      if (of_cell[i] == 0 || of_cell[i] == kMixed) continue;
      const int label = label_of[of_cell[i]];
      if (label > 0) workers[worker].bounds[label - 1].add(CellCorner(rules, runs[i].key));
    }
  });
  std::vector<HullBounds>& bounds_of = workers[0].bounds;
  for (std::size_t w = 1; w < workers.size(); ++w) {
    for (std::size_t k = 0; k < kept.size(); ++k) bounds_of[k].add(workers[w].bounds[k]);
  }
  spread_cells([&](std::size_t first, std::size_t end, unsigned worker) {
    for (std::size_t i = first; i < end; ++i) {
      if (of_cell[i] == 0) continue;
      const CellCorner corner(rules, runs[i].key);
      const auto look = [&](std::uint16_t number) {
        const int label = label_of[number];
        if (label == 0) return;
        const std::uint32_t open = bounds_of[label - 1].open(corner);
        if (open == 0) return;
        const HullAxes& axes = kept[label - 1].axes;
        HullEntries& entries = workers[worker].entries[label - 1];
        for (std::uint32_t p = runs[i].first; p < runs[i].end; ++p) {
          if (sort.numbers()[p] != number) continue;
          CloudPoint point;
          for (int k = 0; k < 3; ++k) {
            point.at[k] = corner.at[k] + packing.coordinate(sort.packed()[p], k);
          }
          for (std::uint32_t left = open; left != 0; left &= left - 1) {
            const int d = std::countr_zero(left);
            const std::int64_t along = along_axis(axes.axis[d % kHullAxes], point);
            const std::uint64_t entry =
                hull_entry(d < kHullAxes ? along : -along, sort.indices()[p]);
            entries[d] = std::max(entries[d], entry);
          }
        }
      };
      if (of_cell[i] != kMixed) {
        look(of_cell[i]);
        continue;
      }
      // The surrounding planes, each once after merging.
      const std::span<const std::uint16_t> around = neighbours.around(i);
      for (std::size_t a = 0; a < around.size(); ++a) {
        const int root = planes.root()[around[a]];
        const bool seen = std::any_of(around.begin(), around.begin() + a,
                                      [&](std::uint16_t b) { return planes.root()[b] == root; });
        if (!seen) look(static_cast<std::uint16_t>(root + 1));
      }
    }
  });
  for (std::size_t k = 0; k < kept.size(); ++k) {
    HullEntries farthest{};
    for (const Worker& worker : workers) {
      for (int d = 0; d < kHullDirections; ++d) {
        farthest[d] = std::max(farthest[d], worker.entries[k][d]);
      }
    }
    for (int d = 0; d < kHullDirections; ++d) {
      float v[3];
      read_point(cloud, hull_point(farthest[d]), v);
      place_point(rules, v, &corners[k][d]);
    }
  }
}

void CloudEngineImpl::write_labels(std::size_t count, std::uint8_t* labels) {
  pool.run(static_cast<unsigned>((count + kPointsAtOnce - 1) / kPointsAtOnce), pool.size(),
           [&](unsigned item, unsigned, unsigned) {
             const std::size_t first = item * kPointsAtOnce;
             std::fill(labels + first, labels + std::min(count, first + kPointsAtOnce),
                       std::uint8_t{0});
           });
  spread_cells([&](std::size_t first, std::size_t end, unsigned) {
    for (std::size_t i = first; i < end; ++i) {
      if (of_cell[i] == 0) continue;
      const PointRun& cell = sort.runs()[i];
      if (of_cell[i] != kMixed) {
        const std::uint8_t label = label_of[of_cell[i]];
        if (label == 0) continue;
        for (std::uint32_t p = cell.first; p < cell.end; ++p) labels[sort.indices()[p]] = label;
        continue;
      }
      for (std::uint32_t p = cell.first; p < cell.end; ++p) {
        labels[sort.indices()[p]] = label_of[sort.numbers()[p]];
      }
    }
  });
}

void CloudEngineImpl::find(const CloudView& cloud, const Parameters& parameters,
                           std::uint8_t* labels) {
  using Clock = std::chrono::steady_clock;
  auto last = Clock::now();
  const auto lap = [&](double* stage) {
    const auto now = Clock::now();
    *stage = std::chrono::duration<double>(now - last).count();
    last = now;
  };
  times = CloudTimes();
  set.planes.clear();
  set.corners.clear();
  set.ground = Ground();
  set.counts = Counts();
  const CloudSettings settings = cloud_settings(cloud, parameters);
  const CloudBounds box = bounds.find(cloud, settings, &pool);
  lap(&times.bounds);
  if (box.finite == 0) {
    std::fill_n(labels, cloud.points, std::uint8_t{0});
    return;
  }
  rules = cloud_rules(settings, box);
  run = run_functions();
  std::uint64_t* const packed = sort.start(cloud.points);
  pool.run(static_cast<unsigned>((cloud.points + kPointsAtOnce - 1) / kPointsAtOnce), pool.size(),
           [&](unsigned item, unsigned, unsigned) {
             const std::size_t first = item * kPointsAtOnce;
             pack_points(cloud, first, std::min(cloud.points, first + kPointsAtOnce), rules,
                         packed + first);
           });
  lap(&times.points);
  sort.sort(cloud.points, PointPacking(rules), &pool);
  set.counts.known = static_cast<std::int64_t>(sort.used());
  set.counts.outside = box.finite - set.counts.known;
  set.counts.resolution = rules.unit;
  set.counts.coarser = rules.coarser;
  lap(&times.sort);
  sum_up();
  lap(&times.cells);
  octree.look(sort.runs(), rules, &set.counts);
  lap(&times.nodes);
  space.prepare(rules.directions, rules.distance_step);
  space.start_with(rules.distances);
  planes.find(rules, &space, &octree.planar(), &set.counts);
  owners.assign(sort.runs().size(), -1);
  for (const CloudOctree::Node& node : octree.planar()) {
    std::fill(owners.begin() + node.first, owners.begin() + node.end, node.owner);
  }
  lap(&times.planes);
  neighbours.find(sort.runs(), octree.cells(), owners, planes.planes(), rules);
  planes.merge(rules, neighbours.borders(), &set.counts);
  lap(&times.borders);
  label_points();
  choose_planes();
  write_labels(cloud.points, labels);
  lap(&times.labels);
  if (rules.hull) find_corners(cloud);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    set.planes.push_back(cloud_plane_in_metres(rules, cloud, kept[k].moments, kept[k].fit));
    set.planes.back().votes = static_cast<std::int64_t>(kept[k].votes / 16);
    if (rules.hull) add_cloud_hull(rules, cloud, corners[k].data(), &set);
  }
  lap(&times.hulls);
  means.clear();
  for (const Moments& cell : octree.cells()) means.push_back(cloud_cell_mean(rules, cloud, cell));
  set.ground = find_ground(set.planes, means, ground_rules_of(cloud, parameters), ground_of(cloud));
  lap(&times.ground);
}

const CloudTimes& CloudEngine::times() const { return impl_->times; }

const PlaneSet& CloudEngine::find(const CloudView& cloud, const Parameters& parameters,
                                  std::uint8_t* labels) {
  with_standard_floats([&] { impl_->find(cloud, parameters, labels); });
  return impl_->set;
}

}  // namespace rdp::planes

template class rdp::ThreadedEngine<rdp::planes::CloudEngineImpl>;
