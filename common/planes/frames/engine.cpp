// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/frames/engine.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "common/image/grow_buffer.h"
#include "common/image/same_camera.h"
#include "common/image/thread_pool.h"
#include "common/image/threaded_engine-inl.h"
#include "common/planes/frames/cell_labels.h"
#include "common/planes/frames/cell_planes.h"
#include "common/planes/frames/cell_sums.h"
#include "common/planes/frames/geometry.h"
#include "common/planes/frames/label_parts.h"
#include "common/planes/frames/node_rules.h"
#include "common/planes/ground.h"
#include "common/planes/hull.h"
#include "common/planes/labelled_plane.h"

namespace rdp::planes {
namespace {

// Less than this is done before another thread has woken up.
constexpr std::int64_t kPixelsPerThread = 40000;

constexpr int kSlack = 64;  // numbers beyond a row that SIMD code may read or write

// The inputs of the tables.
struct Kind {
  int width, height;
  SampleType type;
  MetricCamera camera;
  Parameters parameters;
};

// Rows of labels, surrounded by kOutside on all sides.
struct LabelRows {
  GrowBuffer<std::uint16_t> memory;
  std::uint16_t* data = nullptr;  // the first pixel
  std::ptrdiff_t stride = 0;

  void prepare(int width, int padded_width, int height) {
    stride = padded_width + kSlack;
    std::uint16_t* const start = memory.ensure(static_cast<std::size_t>(stride) * (height + 2));
    data = start + stride + kSlack / 2;
    std::fill_n(start, stride, kOutside);
    std::fill_n(start + static_cast<std::ptrdiff_t>(height + 1) * stride, stride, kOutside);
    for (int y = 0; y < height; ++y) bound(y, width);
  }
  std::uint16_t* row(int y) const { return data + y * stride; }
  void bound(int y, int width) const {
    row(y)[-1] = kOutside;
    row(y)[width] = kOutside;
  }
};

// The owners of cells, rows with kNoPlane around them.
struct OwnerRows {
  std::vector<std::uint16_t> memory;
  std::ptrdiff_t stride = 0;

  void prepare(int columns, int rows) {
    stride = columns + kSlack;
    memory.assign(static_cast<std::size_t>(stride) * (rows + 2 * kAround), kNoPlane);
  }
  void take(const std::vector<std::int32_t>& owner, int columns, int rows) {
    for (int row = 0; row < rows; ++row) {
      const std::int32_t* const from = owner.data() + std::ptrdiff_t{row} * columns;
      std::uint16_t* const to = memory.data() + (row + kAround) * stride + kAround;
      for (int column = 0; column < columns; ++column) {
        to[column] = static_cast<std::uint16_t>(from[column]);  // kNoPlane of -1
      }
    }
  }
  const std::uint16_t* row(int y) const { return memory.data() + (y + kAround) * stride + kAround; }
};

// A worker's candidate planes for a row of cells.
struct RowPlanes {
  std::vector<std::uint16_t> planes;
  std::vector<std::int32_t> ends;
  std::vector<Candidate> candidates;
};

}  // namespace

struct FrameEngineImpl {
  ThreadPool pool;
  std::vector<RowPlanes> workers;  // of each worker
  std::optional<Kind> kind;
  Geometry geometry;
  std::vector<std::int32_t> ray_x, ray_y;  // whole cells of them, and one more column of cells
  GrowBuffer<std::int32_t> depth_memory;
  DepthRows depth;
  NodePyramid pyramid;
  NodePyramid rest;
  VoteSpace space;
  CellPlaneFinder cells;
  CellMap map;
  CellMap rest_map;
  std::vector<PixelPlane> pixel_planes;
  OwnerRows owners;
  OwnerRows rest_owners;
  LabelRows labels;
  LabelRows smoothed;
  LabelParts parts;
  std::vector<CellMean> means;
  PlaneSet set;

  // Calls body(row of cells, worker) for all of them.
  template <typename Body>
  void spread(const Body& body) {
    const FrameRules& rules = geometry.rules;
    const std::int64_t pixels = static_cast<std::int64_t>(rules.width) * rules.height;
    const auto threads =
        static_cast<unsigned>(std::min<std::int64_t>(pool.size(), 1 + pixels / kPixelsPerThread));
    pool.run(static_cast<unsigned>(rules.rows), threads,
             [&](unsigned row, unsigned, unsigned worker) { body(static_cast<int>(row), worker); });
  }

  void prepare(const DepthView& frame, const MetricCamera& camera, const Parameters& parameters);
  void sum_up(const DepthView& frame);
  // Labels all pixels. `left` (nullable) gets the sums of those without a label. `again`: cells
  // keep their labels if the planes around them are the same as in the first call.
  void label(bool again, Moments* left);
  void finish(const MetricCamera& camera, const Parameters& parameters,
              const MutableDepthView& out);
};

void FrameEngineImpl::prepare(const DepthView& frame, const MetricCamera& camera,
                              const Parameters& parameters) {
  const FrameRules& rules = geometry.rules;
  if (!kind || kind->width != frame.width || kind->height != frame.height ||
      kind->type != frame.type || !same_camera(kind->camera, camera) ||
      kind->parameters != parameters) {
    kind.reset();
    make_geometry(frame.width, frame.height, frame.type, camera, parameters, &geometry);
    ray_x.assign(static_cast<std::size_t>(rules.columns + 1) * kCell, 0);
    std::copy(geometry.ray_x.begin(), geometry.ray_x.end(), ray_x.begin());
    ray_y.assign(static_cast<std::size_t>(rules.rows) * kCell, 0);
    std::copy(geometry.ray_y.begin(), geometry.ray_y.end(), ray_y.begin());
    depth.stride = std::ptrdiff_t{rules.columns} * kCell;
    const std::size_t count = static_cast<std::size_t>(depth.stride) * rules.rows * kCell;
    depth.data = depth_memory.ensure(count + kSlack);
    std::fill_n(depth.data, count + kSlack, 0);
    space.prepare(static_cast<int>(std::floor(kPi / rules.angle_step + 0.5)), rules.distance_step);
    labels.prepare(rules.width, rules.columns * kCell, rules.height);
    smoothed.prepare(rules.width, rules.columns * kCell, rules.height);
    owners.prepare(rules.columns, rules.rows);
    rest_owners.prepare(rules.columns, rules.rows);
    kind = Kind{frame.width, frame.height, frame.type, camera, parameters};
  }
  // For all threads, including those that start late.
  workers.resize(pool.size());
  for (RowPlanes& of_worker : workers) {
    of_worker.planes.resize(static_cast<std::size_t>(rules.columns) * kMaxAround);
    of_worker.ends.resize(static_cast<std::size_t>(rules.columns));
    of_worker.candidates.reserve(kMaxAround);
  }
}

void FrameEngineImpl::sum_up(const DepthView& frame) {
  const FrameRules& rules = geometry.rules;
  Moments* const moments = pyramid.start(rules);
  spread([&](int row, unsigned) {
    const int end = std::min(rules.height, (row + 1) * kCell);
    for (int y = row * kCell; y < end; ++y) {
      look_up_row(frame.row(y), frame.type, rules.width, geometry.depth.data(), depth.row(y));
    }
    add_cells(depth.row(row * kCell), depth.stride, rules.columns, ray_x.data(),
              ray_y.data() + row * kCell, moments + std::ptrdiff_t{row} * rules.columns);
  });
}

void FrameEngineImpl::label(bool again, Moments* left) {
  const FrameRules& rules = geometry.rules;
  const double slope = pyramid.noise() * rules.noise_scale;
  const std::vector<CellPlane>& planes = map.planes;
  pixel_planes.resize(planes.size());
  for (std::size_t i = 0; i < planes.size(); ++i) {
    pixel_planes[i] = pixel_plane(planes[i].fit, rules.focal_x, rules.focal_y, rules.principal_x,
                                  rules.principal_y);
  }
  owners.take(map.owner, rules.columns, rules.rows);
  const bool two_maps = !rest_map.planes.empty();
  if (two_maps) rest_owners.take(rest_map.owner, rules.columns, rules.rows);
  spread([&](int row, unsigned worker) {
    const int first = row * kCell;
    const int rows = std::min(kCell, rules.height - first);
    RowPlanes& around = workers[worker];
    find_planes_around(owners.row(row), two_maps ? rest_owners.row(row) : nullptr, owners.stride,
                       rules.columns, around.planes.data(), around.ends.data());
    std::vector<Candidate>& list = around.candidates;
    for (int column = 0; column < rules.columns; ++column) {
      const std::uint16_t* const begin =
          around.planes.data() + (column > 0 ? around.ends[column - 1] : 0);
      const std::uint16_t* const end = around.planes.data() + around.ends[column];
      if (again && std::none_of(begin, end, [&](std::uint16_t p) { return planes[p].changed; })) {
        continue;
      }
      const std::size_t cell = static_cast<std::size_t>(row) * rules.columns + column;
      const int x = column * kCell;
      std::uint16_t* const to = labels.row(first) + x;
      if (pyramid.cells()[cell].n == 0) {
        for (int y = 0; y < rows; ++y) std::fill_n(to + y * labels.stride, kCell, 0);
        continue;
      }
      list.clear();
      for (const std::uint16_t* p = begin; p != end; ++p) {
        list.push_back({pixel_planes[*p],
                        pixel_limit(rules, slope, pyramid.cell(cell), planes[*p].fit),
                        static_cast<std::uint16_t>(*p + 1)});
      }
      std::int32_t unlabelled[kCell * kCell] = {};
      const bool any = label_cell(depth.row(first) + x, depth.stride, x, first, rows, list.data(),
                                  static_cast<int>(list.size()), to, labels.stride, unlabelled);
      if (left == nullptr || !any) continue;
      if (list.empty()) {
        left[cell] = pyramid.cells()[cell];
      } else {
        add_cells(unlabelled, kCell, 1, ray_x.data() + x, ray_y.data() + first, left + cell);
      }
    }
    for (int y = 0; y < rows; ++y) labels.bound(first + y, rules.width);
  });
}

void FrameEngineImpl::finish(const MetricCamera& camera, const Parameters& parameters,
                             const MutableDepthView& out) {
  const FrameRules& rules = geometry.rules;
  spread([&](int row, unsigned) {
    for (int y = row * kCell; y < std::min(rules.height, (row + 1) * kCell); ++y) {
      smooth_row(labels.row(y), labels.stride, depth.row(y), rules.width, smoothed.row(y));
      smoothed.bound(y, rules.width);
    }
  });
  parts.find(smoothed.data, smoothed.stride, rules.width, rules.height, rules.connected);
  parts.sum_up(depth, ray_x.data(), ray_y.data(), pyramid.cells());

  std::vector<PlanePart>& planes = parts.planes();
  keep_planes(rules, &planes, &set.counts);
  for (const PlanePart& plane : planes) {
    set.planes.push_back(plane_in_metres(plane.moments, plane.fit, rules.unit));
    set.planes.back().votes = static_cast<std::int64_t>(map.planes[plane.label - 1].votes / 16);
  }
  parts.write(out);
  add_hulls(parts.extents(), camera, rules.hull, &set);

  means.clear();
  for (const Moments& cell : pyramid.cells()) means.push_back(cell_mean(cell, rules.unit));
  set.ground = find_ground(set.planes, means, ground_rules_of_frame(parameters, pyramid.noise()));
}

const PlaneSet& FrameEngine::find(const DepthView& frame, const MetricCamera& camera,
                                  const Parameters& parameters, const MutableDepthView& labels,
                                  std::vector<NodeSquare>* nodes) {
  FrameEngineImpl& impl = *impl_;
  PlaneSet& set = impl.set;
  set.planes.clear();
  set.corners.clear();
  set.counts = Counts();
  impl.prepare(frame, camera, parameters);
  const FrameRules& rules = impl.geometry.rules;
  impl.sum_up(frame);
  impl.pyramid.look(rules, -1.0, rules.fill);
  if (nodes != nullptr) impl.pyramid.list(rules, nodes);
  Counts& counts = set.counts;
  for (const Moments& cell : impl.pyramid.cells())
    counts.known += static_cast<std::int64_t>(cell.n);
  counts.nodes = impl.pyramid.nodes();
  counts.planar_nodes = static_cast<std::int64_t>(impl.pyramid.planar().size());
  counts.noise = impl.pyramid.noise();
  counts.resolution = rules.unit;
  counts.coarser = rules.unit > 1.0 / 16000.0;

  const int rest_rounds = rules.rounds > 1 ? 1 : 0;
  impl.cells.find(impl.pyramid, rules, rules.rounds - rest_rounds, &impl.space, &impl.map, &counts);
  impl.rest_map.owner.assign(impl.map.owner.size(), -1);
  impl.rest_map.planes.clear();
  Moments* const left = impl.rest.start(rules);
  if (rest_rounds > 0) {
    impl.label(false, left);
    impl.rest.look(rules, impl.pyramid.noise(), kRestFill * rules.fill);
    impl.cells.find(impl.rest, rules, rest_rounds, &impl.space, &impl.rest_map, &counts);
  }
  impl.cells.merge(impl.pyramid, impl.rest, rules, &impl.map, &impl.rest_map, &counts);
  impl.label(rest_rounds > 0, nullptr);
  impl.finish(camera, parameters, labels);
  return set;
}

}  // namespace rdp::planes

template class rdp::ThreadedEngine<rdp::planes::FrameEngineImpl>;
