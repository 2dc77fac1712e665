// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/engine.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>
#include <vector>

#include "common/heightmap/belief_field.h"
#include "common/heightmap/census_rows.h"
#include "common/heightmap/cost_tiles.h"
#include "common/heightmap/geometry.h"
#include "common/heightmap/head_votes.h"
#include "common/heightmap/label_energy.h"
#include "common/heightmap/message_layout.h"
#include "common/heightmap/place_rows.h"
#include "common/heightmap/plain_costs.h"
#include "common/heightmap/potential.h"
#include "common/image/float_environment.h"
#include "common/image/grow_buffer.h"
#include "common/image/progress.h"
#include "common/image/row_bands.h"
#include "common/image/speckles.h"
#include "common/image/thread_pool.h"
#include "common/image/threaded_engine-inl.h"

namespace rdp::heightmap {
namespace {

// Rows of a band, where rows are all alike.
constexpr int kBandRows = 16;
// Minimum rows of a band of costs: its first row also reads the rows before the band.
constexpr int kCostRows = 48;
constexpr int kTilesPerThread = 4;
// Maximum half-iterations per group: that many rows, of about 100 bytes a pixel, fit the L2 cache.
constexpr int kMaxSteps = 4;
// Half-iterations between two checks of the energy.
constexpr int kEnergySteps = 10;

std::size_t size_of(int count) { return static_cast<std::size_t>(count); }
std::size_t pixels_of(const View& view) { return size_of(view.width) * size_of(view.height); }

std::uint64_t table_bytes(const Rig& rig, const Parameters& parameters) {
  const auto blocks = static_cast<std::uint64_t>(place_blocks(rig.seen().width));
  return blocks * kPlaceBlock * size_of(rig.seen().height) * (rig.views.size() - 1) *
         size_of(parameters.heights() + parameters.low_heights()) * sizeof(std::int32_t);
}

// One thread's scratch memory.
struct Worker {
  GrowBuffer<std::uint16_t> census;
  GrowBuffer<std::byte> tile;
  GrowBuffer<std::byte> plain;
};

// Half-iterations per group if `threads` threads take turns: as many as keep all threads busy.
int steps_together(int steps, int threads) {
  int best = 1;
  int best_time = steps + 1;
  for (int together = std::min(kMaxSteps, std::max(steps, 1)); together >= 1; --together) {
    const int passes = (steps + together - 1) / together;
    const int time = (passes + threads - 1) / threads * together;
    if (time < best_time) {
      best = together;
      best_time = time;
    }
  }
  return best;
}

// The labels of a picture, for speckles.
struct LabelRow {
  int operator()(int column) const { return labels[column]; }
  const std::uint8_t* labels;
};
struct LabelPicture {
  LabelRow row(int number) const { return {labels + std::ptrdiff_t{number} * width}; }
  bool is_known(int label) const { return label != unknown; }
  void erase(int number, int first, int end) const {
    std::memset(labels + std::ptrdiff_t{number} * width + first, unknown, size_of(end - first));
  }
  std::uint8_t* labels;
  int width;
  int unknown;
};

}  // namespace

struct EngineImpl {
  ThreadPool pool;
  std::vector<Worker> workers;

  // The prepared state.
  bool ready = false;
  Rig rig;
  Parameters parameters;
  Area area;
  std::uint64_t most_table = 0;
  Geometry geometry;
  std::vector<Plane> planes;  // of the heights, then the low ones
  std::vector<std::int32_t> potential;
  int speckle = 0;
  int spread = 0;
  bool has_table = false;

  BeliefField field;
  GrowBuffer<std::uint8_t> labels;                // row by row
  std::vector<GrowBuffer<std::uint32_t>> census;  // of each view, after kCensusBefore numbers
  std::vector<const std::uint32_t*> others;
  GrowBuffer<std::int32_t> table;
  SpeckleScratch speckles;
  HeadFinder heads;
  EdgeTable edges;
  GrowBuffer<std::int32_t> progress;  // of groups of half-iterations

  // Elements before the first pixel, which aligns it, and after the last: the overrun of vectors.
  static constexpr std::size_t kCensusBefore = 16;
  static constexpr std::size_t kCensusAfter = 16;

  void prepare(const Rig& new_rig, const Parameters& new_parameters, std::uint64_t new_most_table);
  void prepare_memory();
  void prepare_workers();
  void make_table();

  void transform(std::span<const DepthView> pictures);
  void find_costs();
  void fix_textureless_costs(const DepthView& picture);
  void propagate(int first, int end);
  std::int64_t decide(int done, const DepthView& picture);
  Result run(std::span<const DepthView> pictures);
};

// All the memory that a set of pictures needs.
void EngineImpl::prepare_memory() {
  const std::size_t pixels = pixels_of(rig.seen());
  field.prepare(geometry.width, geometry.height, parameters, potential.data());
  labels.ensure(pixels);
  census.resize(rig.views.size());
  others.clear();
  for (std::size_t i = 0; i < rig.views.size(); ++i) {
    std::uint32_t* const numbers =
        census[i].ensure(kCensusBefore + pixels_of(rig.views[i]) + kCensusAfter);
    numbers[kCensusBefore - 1] = kOutsideCensus;
    if (static_cast<int>(i) != rig.reference) others.push_back(numbers + kCensusBefore);
  }
  if (speckle > 0) speckles.prepare(rig.seen().width, rig.seen().height);
  heads.prepare(pixels, std::max(1, speckle));
  progress.ensure(static_cast<std::size_t>(kProgressStride) * size_of(parameters.iterations));
  prepare_workers();
}

void EngineImpl::prepare_workers() {
  int widest = 0;
  for (const View& view : rig.views) widest = std::max(widest, view.width);
  for (Worker& worker : workers) {
    worker.census.ensure(census_scratch(widest));
    worker.tile.ensure(tile_scratch(parameters, static_cast<int>(rig.views.size()) - 1, spread));
    worker.plain.ensure(plain_scratch(geometry.width));
  }
}

void EngineImpl::make_table() {
  const auto count = static_cast<int>(planes.size());
  const std::ptrdiff_t block = std::ptrdiff_t{count} * kPlaceBlock;
  const std::ptrdiff_t row_size =
      place_blocks(geometry.width) * static_cast<std::ptrdiff_t>(geometry.others.size()) * block;
  for_bands(&pool, geometry.height, kBandRows, [&](int first, int end) {
    std::int32_t* out = table.data() + first * row_size;
    for (int row = first; row < end; ++row) {
      for (int x = 0; x < geometry.width; x += kPlaceBlock) {
        for (const Sight& sight : geometry.others) {
          place_rows(geometry, sight, planes.data(), count, row, x, x + kPlaceBlock, out,
                     kPlaceBlock);
          out += block;
        }
      }
    }
  });
}

void EngineImpl::transform(std::span<const DepthView> pictures) {
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    for_bands(&pool, pictures[i].height, kBandRows, [&](int first, int end, unsigned worker) {
      census_rows(pictures[i], first, end, workers[worker].census.data(),
                  census[i].data() + kCensusBefore);
    });
  }
}

void EngineImpl::find_costs() {
  CostField cost_field;
  cost_field.geometry = &geometry;
  cost_field.parameters = parameters;
  cost_field.planes = planes.data();
  cost_field.potential = potential.data();
  cost_field.of = census[size_of(rig.reference)].data() + kCensusBefore;
  cost_field.in = others.data();
  cost_field.table = has_table ? table.data() : nullptr;
  cost_field.layout = field.layout();
  cost_field.costs = field.costs();

  const int width = geometry.width;
  const int height = geometry.height;
  const int columns = (width + kTileColumns - 1) / kTileColumns;
  const int tile_width =
      ((width + columns - 1) / columns + kPlaceBlock - 1) / kPlaceBlock * kPlaceBlock;
  const auto threads = static_cast<int>(pool.size());
  const int wanted = threads == 1 ? 1 : (kTilesPerThread * threads + columns - 1) / columns;
  const int bands = std::clamp(height / kCostRows, 1, wanted);
  pool.run(static_cast<unsigned>(bands * columns), pool.size(),
           [&](unsigned item, unsigned, unsigned worker) {
             const int band = static_cast<int>(item) / columns;
             const int left = static_cast<int>(item) % columns * tile_width;
             const Tile tile{left, std::min(left + tile_width, width), height * band / bands,
                             height * (band + 1) / bands};
             if (tile.left >= tile.right) return;
             tile_costs(cost_field, tile, spread, workers[worker].tile.data());
           });
}

// picture: the reference's.
void EngineImpl::fix_textureless_costs(const DepthView& picture) {
  for_bands(&pool, geometry.height, kCostRows, [&](int first, int end, unsigned worker) {
    rdp::heightmap::fix_textureless_costs(picture, parameters, first, end, field.layout(),
                                          workers[worker].plain.data(), field.costs());
  });
}

// Runs half-iterations [first, end). A row of one half-iteration is complete after its next row. So
// several run as a group, each one row behind the previous one, while rows are in the cache.
// Threads take groups in turn; each waits only for the thread of the previous group, which is
// always running. The order of the work does not affect the result.
void EngineImpl::propagate(int first, int end) {
  const int height = geometry.height;
  const int together = steps_together(end - first, static_cast<int>(pool.size()));
  const int groups = (end - first + together - 1) / together;
  const unsigned threads = std::min(pool.size(), static_cast<unsigned>(groups));
  // The number of complete rows of each group: the thread of the next group waits for it.
  std::int32_t* const rows = progress.data();
  for (int i = 0; i < groups; ++i) rows[i * kProgressStride] = 0;
  std::atomic<int> next{0};
  pool.run(threads, threads, [&](unsigned, unsigned, unsigned) {
    for (;;) {
      const int group = next.fetch_add(1, std::memory_order_relaxed);
      if (group >= groups) return;
      const int k = first + group * together;
      const int steps = std::min(together, end - k);
      std::int32_t* const done = rows + group * kProgressStride;
      for (int time = 0; time < height + steps - 1; ++time) {
        if (group > 0 && threads > 1 && time < height) {
          wait_for_progress(done - kProgressStride, std::min(time + 2, height));
        }
        for (int i = 0; i < steps; ++i) {
          const int row = time - i;
          if (row >= 0 && row < height) field.half_iteration(k + i, row);
        }
        if (threads > 1) publish_progress(done, time - (steps - 1) + 1);
      }
    }
  });
}

// Decides the labels after `done` half-iterations; returns their energy. `picture`: the
// reference's.
std::int64_t EngineImpl::decide(int done, const DepthView& picture) {
  std::atomic<std::int64_t> energy{0};
  for_bands(&pool, geometry.height, kBandRows, [&](int first, int end) {
    std::int64_t sum = 0;
    for (int row = first; row < end; ++row) {
      sum += field.decide(done, row, labels.data() + size_of(row) * size_of(geometry.width));
    }
    energy.fetch_add(sum, std::memory_order_relaxed);
  });
  for_bands(&pool, geometry.height, kBandRows, [&](int first, int end) {
    energy.fetch_add(edges.sum_rows(labels.data(), potential.data(), picture, first, end),
                     std::memory_order_relaxed);
  });
  return energy.load(std::memory_order_relaxed);
}

void Engine::set_threads(unsigned threads) {
  ThreadedEngine::set_threads(threads);
  if (impl_->ready) impl_->prepare_workers();
}

int Engine::speckle() const { return impl_->speckle; }

Memory Engine::memory_of(const Rig& rig, const Parameters& parameters, std::uint64_t most_table) {
  const View& seen = rig.seen();
  const std::size_t pixels = pixels_of(seen);
  const MessageLayout layout(seen.width, seen.height, parameters.heights());
  const int speckle = speckle_of(rig, parameters);
  Memory memory;
  memory.work = BeliefField::memory_of(layout) +
                pixels * (sizeof(std::uint8_t) + sizeof(std::int32_t)) +
                HeadFinder::memory_of(pixels, std::max(1, speckle)) +
                tile_scratch(parameters, static_cast<int>(rig.views.size()) - 1, 0);
  if (speckle > 0) {
    memory.work += SpeckleScratch::most_runs(seen.width, seen.height) * sizeof(SpeckleRun);
  }
  for (const View& view : rig.views) memory.work += pixels_of(view) * sizeof(std::uint32_t);
  const std::uint64_t table = table_bytes(rig, parameters);
  if (table <= most_table) memory.table = table;
  return memory;
}

void Engine::prepare(const Rig& rig, const Parameters& parameters, const Area& area,
                     std::uint64_t most_table) {
  EngineImpl& impl = *impl_;
  if (impl.area != area) impl.area = area;
  if (impl.ready && impl.rig == rig && impl.parameters == parameters &&
      impl.most_table == most_table) {
    return;
  }
  with_standard_floats([&] { impl.prepare(rig, parameters, most_table); });
}

void EngineImpl::prepare(const Rig& new_rig, const Parameters& new_parameters,
                         std::uint64_t new_most_table) {
  ready = false;
  rig = new_rig;
  parameters = new_parameters;
  most_table = new_most_table;
  geometry = geometry_of(rig);
  planes.clear();
  for (int l = 0; l < parameters.heights(); ++l) {
    planes.push_back(geometry.plane(metres(parameters.height_of(l))));
  }
  for (int l = 0; l < parameters.low_heights(); ++l) {
    planes.push_back(geometry.plane(metres(l * parameters.low_step)));
  }
  potential = potential_of(geometry, parameters);
  speckle = speckle_of(rig, parameters);
  spread = most_spread(potential.data(), geometry.width, geometry.height, parameters.window);
  prepare_memory();
  edges.prepare(parameters);
  const std::uint64_t bytes = table_bytes(rig, parameters);
  has_table = bytes <= most_table;
  if (has_table) {
    table.ensure(bytes / sizeof(std::int32_t));
    make_table();
  } else {
    table = {};
  }
  ready = true;
}

Result Engine::run(std::span<const DepthView> pictures) {
  return with_standard_floats([&] { return impl_->run(pictures); });
}

Result EngineImpl::run(std::span<const DepthView> pictures) {
  // Allocates where set_threads() could not.
  prepare_workers();
  transform(pictures);
  find_costs();
  const DepthView& seen = pictures[size_of(rig.reference)];
  fix_textureless_costs(seen);
  if (parameters.edge_contrast > 0) {
    for_bands(&pool, geometry.height, kBandRows,
              [&](int first, int end) { field.find_jumps(seen, first, end); });
  }

  Result result;
  std::int64_t before = -1;
  const int most = parameters.iterations;
  while (result.iterations < most) {
    const int end =
        parameters.tolerance == 0 ? most : std::min(result.iterations + kEnergySteps, most);
    propagate(result.iterations, end);
    result.iterations = end;
    if (parameters.tolerance == 0 || end % kEnergySteps != 0) continue;
    result.energy = decide(end, seen);
    if (before >= 0 && (before - result.energy) * 1000000 <= parameters.tolerance * before) {
      break;
    }
    before = result.energy;
  }
  result.energy = decide(result.iterations, seen);

  const std::size_t pixels = pixels_of(rig.seen());
  const int unknown = parameters.heights();
  // No component has more pixels than the picture.
  const int kept = std::min(speckle, static_cast<int>(pixels)) + 1;
  remove_small_components(LabelPicture{labels.data(), geometry.width, unknown}, geometry.width,
                          geometry.height, kept, WithinRange{1}, &speckles);
  result.labels = {labels.data(), pixels};
  result.known =
      static_cast<std::int64_t>(pixels - static_cast<std::size_t>(std::count(
                                             labels.data(), labels.data() + pixels, unknown)));
  result.heads = heads.find(geometry, planes.data(), parameters, area, labels.data());
  return result;
}

}  // namespace rdp::heightmap

template class rdp::ThreadedEngine<rdp::heightmap::EngineImpl>;
