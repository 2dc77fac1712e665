// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/obstacles/engine.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/image/float_environment.h"
#include "common/image/grow_buffer.h"
#include "common/image/row_bands.h"
#include "common/image/same_camera.h"
#include "common/image/thread_pool.h"
#include "common/image/threaded_engine-inl.h"
#include "common/obstacles/geometry.h"
#include "common/obstacles/objects.h"
#include "common/obstacles/refinement.h"
#include "common/obstacles/rows.h"

namespace rdp::obstacles {
namespace {

constexpr int kBandRows = 16;      // of a frame
constexpr int kBandCells = 32768;  // of the grid
constexpr int kGuessesOfBin = 16;

std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

// The non-zero entries of an array, as a bit set.
class Touched {
 public:
  void resize(std::size_t count) { words_.assign((count + 63) / 64, 0); }
  void add(std::int32_t place) { words_[size(place >> 6)] |= std::uint64_t{1} << (place & 63); }
  // Calls body(place) in ascending order.
  template <typename Body>
  void for_each(const Body& body) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1) {
        body(64 * w + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
  }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }

 private:
  std::vector<std::uint64_t> words_;
};

// A sparse array of sums.
template <typename Entry>
struct Sums {
  std::vector<Entry> entries;
  Touched touched;

  void resize(std::size_t count) {
    if (entries.size() == count) return;
    // If an allocation throws, the next call tries again.
    entries.clear();
    touched.resize(count);
    entries.assign(count, Entry());
  }
  Entry& at(std::int32_t place) {
    Entry& entry = entries[size(place)];
    if (entry.count == 0) touched.add(place);
    return entry;
  }
  // Calls body(place, entry) in ascending order, and clears all.
  template <typename Body>
  void take(const Body& body) {
    touched.for_each([&](std::size_t place) {
      body(static_cast<std::int32_t>(place), entries[place]);
      entries[place] = {};
    });
    touched.clear();
  }
};

void add(const CellSum& more, CellSum* sum) {
  sum->parts |= more.parts;
  sum->count += more.count;
  sum->top = std::max(sum->top, more.top);
}
void add(const RingSum& more, RingSum* sum) {
  sum->count += more.count;
  sum->sum += more.sum;
}

template <typename Entry>
void move_sums(Sums<Entry>* from, Sums<Entry>* to) {
  from->take([&](std::int32_t place, const Entry& entry) { add(entry, &to->at(place)); });
}

// The counters of a thread, and the rows it works in.
struct Worker {
  Sums<CellSum> cells;
  Sums<RingSum> rings;
  std::vector<ObjectSamples> objects;
  GrowBuffer<std::int32_t> line;  // z, and the obstacles of a row
  GrowBuffer<std::uint8_t> classes;
  GrowBuffer<double> depths;

  void prepare(const FrameRules& rules, int most_objects) {
    objects.reserve(size(most_objects));
    cells.resize(size(rules.cells()));
    rings.resize(size(rules.bins) * kRings);
    const std::size_t most = row_size(std::max(rules.width, rules.columns));
    line.ensure(8 * most);
    classes.ensure(most);
    depths.ensure(most);
  }
  static std::size_t row_size(int count) { return size(count) + kRowPadding; }
  std::int32_t* row(int number, int count) { return line.data() + size(number) * row_size(count); }
};

template <typename Sample>
void look_up(const std::byte* from, int first, int end, const std::int32_t* table,
             std::int32_t* to) {
  for (int x = first; x < end; ++x) {
    Sample sample;
    std::memcpy(&sample, from + sizeof sample * size(x), sizeof sample);
    to[x] = table[sample];
  }
}

}  // namespace

struct EngineImpl {
  void prepare(const DepthView& in, const MetricCamera& its_camera, const Parameters& p);
  void prepare_grid(const Axes& axes);
  void make_guesses();
  void place_rows(const DepthView& in, int first, int end, Worker& worker);
  void count_row(int row, int count, Worker& worker);
  int bearing_from(int k, std::int32_t x, std::int32_t y) const;
  void clear_counters();
  void find_ranges();
  void set_states();
  void see_cells(const DepthView& in, int first, int end, Worker& worker);
  void find_objects();
  void count_objects(int row, std::vector<ObjectSamples>* objects);
  bool has_area() const { return !parameters.area.empty(); }

  ThreadPool pool;
  std::vector<Worker> workers = std::vector<Worker>(1);
  Refinement refinement;
  ObjectFinder finder{
      [](const SidePoints& points, const Sides& sides) { return row_steps().cost(points, sides); }};

  // Tables of the camera and the parameters.
  bool has_tables = false;
  MetricCamera camera;
  SampleType type = SampleType::kU16;
  Parameters parameters;
  CameraTables tables;
  BearingGuess guess{};
  std::vector<std::int16_t> guesses;

  // Tables of the grid.
  bool has_grid = false;
  FrameRules rules;
  CellView view{};
  std::vector<std::uint8_t> inside;  // empty: all cells are inside
  std::vector<std::uint8_t> start_states;
  std::vector<std::int32_t> bearing_cells;  // by bearing and step

  // The current frame.
  Obstacles* result = nullptr;
  bool has_counted = false;  // counters are not all 0
  const RowSteps* steps = nullptr;
  std::vector<std::uint8_t> states;
  std::vector<std::int32_t> columns[3];  // contributions to coordinates
  std::vector<std::uint8_t> has_range;   // of each bearing; 1: its range is decided
  std::vector<OccupiedCell> occupied;
  // Obstacle samples, row by row: their cells, and height << 16 | column.
  GrowBuffer<std::int32_t> sample_cells;
  GrowBuffer<std::uint32_t> sample_marks;
  std::vector<std::int32_t> row_samples;
};

void EngineImpl::prepare(const DepthView& in, const MetricCamera& its_camera, const Parameters& p) {
  const bool same = has_tables && in.width == tables.rules.width &&
                    in.height == tables.rules.height && in.type == type &&
                    same_camera(camera, its_camera) && parameters == p;
  if (!same) {
    has_tables = has_grid = false;
    camera = its_camera;
    type = in.type;
    parameters = p;
    make_tables(in.width, in.height, in.type, camera, parameters, &tables);
    make_guesses();
    has_tables = true;
  }
  const std::size_t pixels = size(in.width) * size(in.height);
  sample_cells.ensure(pixels);
  sample_marks.ensure(pixels);
  row_samples.resize(size(in.height));
  steps = &row_steps();
}

// Rebuilds everything that depends on the grid's place, if that has changed.
void EngineImpl::prepare_grid(const Axes& axes) {
  const FrameRules now = rules_of(tables, axes);
  const bool same = has_grid && grid_of(now) == grid_of(rules);
  has_grid = same;
  rules = now;
  view = view_of(axes, tables.lens);
  for (Worker& worker : workers) worker.prepare(rules, parameters.max_objects);
  if (same) return;
  const auto cells = size(rules.cells());
  inside.clear();
  start_states.assign(cells + kRowPadding, kUnseen);
  if (has_area()) {
    mark_area(parameters.area, rules, &inside);
    for (std::size_t i = 0; i < cells; ++i)
      start_states[i] = inside[i] != 0 ? std::uint8_t{kUnseen} : kNoView;
    inside.push_back(0);
  }
  states.resize(cells + kRowPadding);
  bearing_cells.clear();
  for (int k = 0; k < rules.bins; ++k) {
    for (int r = free_step(rules); r < rules.range; r += free_step(rules)) {
      bearing_cells.push_back(cell_on_bearing(r, tables.middles[size(k)], rules));
    }
  }
  has_grid = true;
}

// Entries that no edge crosses hold their bearing. The others, and those at both ends, hold ~
// (bitwise not) a nearby bearing. The margin exceeds the entries' rounding error.
void EngineImpl::make_guesses() {
  const int bins = tables.rules.bins;
  const auto share = [&](int k) {
    const Direction& edge = tables.edges[size(k)];
    const double y = edge.sine;
    return y / (edge.cosine + std::abs(y));
  };
  guess.size = kGuessesOfBin * bins;
  const double first = share(0);
  const double scale = guess.size / std::max(share(bins) - first, 1e-6);
  guess.first = static_cast<float>(first);
  guess.scale = static_cast<float>(scale);
  const double margin = 0.02 + 2e-6 * scale;
  guesses.clear();
  int k = 0;
  for (int i = 0; i < guess.size; ++i) {
    const auto place = [&](int edge) { return (share(edge) - first) * scale; };
    while (k + 1 < bins && place(k + 1) <= i) ++k;
    const bool certain =
        i > 0 && i + 1 < guess.size && place(k) < i - margin && place(k + 1) > i + 1 + margin;
    guesses.push_back(static_cast<std::int16_t>(certain ? k : ~k));
  }
}

// The bearing of a point, searched from a nearby one; -1 or `bins`: outside of all.
int EngineImpl::bearing_from(int k, std::int32_t x, std::int32_t y) const {
  const Direction* const edges = tables.edges.data();
  while (k < rules.bins && is_left_of(x, y, edges[k + 1])) ++k;
  while (k >= 0 && !is_left_of(x, y, edges[k])) --k;
  return k;
}

void EngineImpl::place_rows(const DepthView& in, int first, int end, Worker& worker) {
  const int width = rules.width;
  std::int32_t* const z = worker.row(0, width);
  std::fill_n(z, Worker::row_size(width), 0);
  const ObstacleRow out{worker.row(1, width), worker.row(2, width), worker.row(3, width),
                        worker.row(4, width), worker.row(5, width), worker.row(6, width)};
  DepthRow depths{z, {columns[0].data(), columns[1].data(), columns[2].data()}, {}};
  for (int row = first; row < end; ++row) {
    std::uint8_t* const classes = result->classes.data() + size(row) * size(width);
    row_samples[size(row)] = 0;
    if (row < rules.first_row || row >= rules.end_row) {
      std::fill_n(classes, width, std::uint8_t{kUnknown});
      continue;
    }
    if (in.type == SampleType::kU8) {
      look_up<std::uint8_t>(in.row(row), rules.first_column, rules.end_column, tables.depth.data(),
                            z);
    } else {
      look_up<std::uint16_t>(in.row(row), rules.first_column, rules.end_column, tables.depth.data(),
                             z);
    }
    for (int k = 0; k < 3; ++k) {
      depths.row[k] = row_ray(result->axes.r[k], tables.ray_y[size(row)]);
    }
    const int count = steps->place(depths, rules, inside.empty() ? nullptr : inside.data(),
                                   states.data(), worker.classes.data(), out);
    std::copy_n(worker.classes.data(), width, classes);
    count_row(row, count, worker);
  }
}

// Counts the obstacle and drop samples of a row in their cells and rings.
void EngineImpl::count_row(int row, int count, Worker& worker) {
  const int width = rules.width;
  const std::int32_t* const cells = worker.row(1, width);
  const std::int32_t* const xs = worker.row(2, width);
  const std::int32_t* const ys = worker.row(3, width);
  const std::int32_t* const rhos = worker.row(4, width);
  const std::int32_t* const hs = worker.row(5, width);
  const std::int32_t* const marks = worker.row(6, width);
  std::int32_t* const entries = worker.row(7, width);
  const std::size_t start = size(row) * size(width);
  std::int32_t* const out_cells = sample_cells.data() + start;
  std::uint32_t* const out_marks = sample_marks.data() + start;
  int obstacles = 0;
  for (int i = 0; i < count; ++i) {
    CellSum& cell = worker.cells.at(cells[i]);
    ++cell.count;
    if (hs[i] == 0) continue;
    cell.top = std::max(cell.top, hs[i]);
    cell.parts |= std::uint64_t{1} << (marks[i] >> 16);
    out_cells[obstacles] = cells[i];
    out_marks[obstacles++] =
        static_cast<std::uint32_t>(hs[i]) << 16 | static_cast<std::uint16_t>(marks[i]);
  }
  row_samples[size(row)] = obstacles;
  steps->guess(xs, ys, count, guess, entries);
  const std::int16_t* const table = guesses.data();
  for (int i = 0; i < count; ++i) {
    if (entries[i] < 0) continue;
    int k = table[entries[i]];
    if (k < 0) {
      k = bearing_from(~k, xs[i], ys[i]);
      if (k < 0 || k == rules.bins) continue;
    }
    RingSum& ring = worker.rings.at(ring_place(ring_of(rhos[i]), k, rules.bins));
    ++ring.count;
    ring.sum += static_cast<std::uint64_t>(rhos[i]);
  }
}

// Clears counters left by a frame that ended with std::bad_alloc.
void EngineImpl::clear_counters() {
  if (has_counted) {
    for (Worker& worker : workers) {
      worker.cells.take([](std::int32_t, const CellSum&) {});
      worker.rings.take([](std::int32_t, const RingSum&) {});
    }
  }
  has_counted = true;
}

void EngineImpl::find_ranges() {
  const RingSum* const rings = workers[0].rings.entries.data();
  has_range.assign(size(rules.bins), 0);
  std::fill(result->ranges.begin(), result->ranges.end(), 0U);
  // Rings come in ascending order of distance.
  workers[0].rings.touched.for_each([&](std::size_t place) {
    const std::size_t bin = place % size(rules.bins);
    if (has_range[bin] != 0) return;
    has_range[bin] = 1;
    const int ring = static_cast<int>(place / size(rules.bins));
    result->ranges[bin] = range_of(rings, static_cast<int>(bin), rules, std::max(ring - 1, 0));
  });
  workers[0].rings.take([](std::int32_t, const RingSum&) {});
}

// Sets the states of cells with samples, the tops, and the list of occupied cells.
void EngineImpl::set_states() {
  occupied.clear();
  std::fill(result->tops.begin(), result->tops.end(), std::uint16_t{0});
  workers[0].cells.take([&](std::int32_t index, const CellSum& sum) {
    std::uint8_t& state = states[size(index)];
    state = state_of(sum, state == kFree, rules.cell_samples);
    if (state == kUnseen) state = kNoView;
    if (state != kOccupied) return;
    occupied.push_back({index, sum});
    result->tops[size(index)] = static_cast<std::uint16_t>(sum.top);
  });
}

// Sets the states of cells without samples from the pixels that show them.
void EngineImpl::see_cells(const DepthView& in, int first, int end, Worker& worker) {
  const int width = rules.columns;
  const SeenCells seen{worker.row(0, width), worker.row(1, width), worker.row(2, width),
                       worker.depths.data()};
  for (int j = first; j < end; ++j) {
    const std::uint8_t* const from = states.data() + size(j) * size(width);
    std::uint8_t* const to = result->states.data() + size(j) * size(width);
    for (int i = 0; i < width; ++i) to[i] = from[i] == kNoView ? std::uint8_t{kUnseen} : from[i];
    const int count = steps->see({from, rules.x0, j}, view, rules, seen);
    for (int i = 0; i < count; ++i) {
      const std::size_t pixel = size(seen.row[i]) * size(rules.width) + size(seen.column[i]);
      if (result->classes[pixel] != kGround) continue;
      const std::int32_t z = tables.depth[in.at(seen.row[i], seen.column[i])];
      if (8.0 * z >= 7.0 * seen.depth[i]) to[seen.cell_column[i]] = kFree;
    }
  }
}

// Counts the obstacle samples of a row in their objects.
void EngineImpl::count_objects(int row, std::vector<ObjectSamples>* objects) {
  const float inverse = ObjectSamples::inverse_bin(rules.max_height);
  const std::uint8_t* const numbers = finder.numbers();
  const std::size_t start = size(row) * size(rules.width);
  const std::int32_t* const cells = sample_cells.data() + start;
  const std::uint32_t* const marks = sample_marks.data() + start;
  const int count = row_samples[size(row)];
  for (int i = 0; i < count;) {
    const std::uint8_t number = numbers[cells[i]];
    const int first = i;
    if (number == 0) {
      ++i;
      continue;
    }
    ObjectSamples& object = (*objects)[number - 1U];
    for (; i < count && numbers[cells[i]] == number; ++i) {
      const auto h = static_cast<std::int32_t>(marks[i] >> 16);
      object.add_height(h, ObjectSamples::bin_of(h, inverse));
    }
    object.add_pixels(row, static_cast<std::int32_t>(marks[first] & 0xFFFF),
                      static_cast<std::int32_t>(marks[i - 1] & 0xFFFF) + 1);
  }
}

void EngineImpl::find_objects() {
  finder.find(occupied, rules, tables.object_rules);
  for (Worker& worker : workers) worker.objects.assign(finder.count(), {});
  const int height = finder.count() > 0 ? rules.height : 0;
  for_bands(&pool, height, kBandRows, [&](int first, int end, unsigned w) {
    for (int row = first; row < end; ++row) count_objects(row, &workers[w].objects);
  });
  for (std::size_t w = 1; w < workers.size(); ++w) {
    for (std::size_t i = 0; i < finder.count(); ++i) {
      workers[0].objects[i].add(workers[w].objects[i]);
    }
  }
  finder.finish(workers[0].objects, rules, &result->objects);
}

void Engine::find(const DepthView& frame, const MetricCamera& camera, const Ground* start,
                  const Parameters& parameters, Obstacles* result) {
  with_standard_floats([&] {
    EngineImpl& impl = *impl_;
    impl.result = result;
    impl.prepare(frame, camera, parameters);
    Refined refined;
    if (start != nullptr) refined.ground = *start;
    if (start != nullptr && parameters.refine) {
      refined = impl.refinement.refine(frame, impl.tables, *start);
    }
    result->has_ground = start != nullptr;
    result->refined = refined.refined;
    result->inliers = refined.inliers;
    result->ground = refined.ground;
    result->axes = start != nullptr ? axes_of(refined.ground) : Axes();
    impl.prepare_grid(result->axes);
    const FrameRules& rules = impl.rules;
    result->grid = grid_of(rules);
    result->classes.resize(size(frame.width) * size(frame.height));
    result->states.resize(size(rules.cells()));
    result->tops.resize(size(rules.cells()));
    result->ranges.resize(size(rules.bins));
    result->free.resize(size(rules.bins));
    result->objects.clear();
    if (start == nullptr) {
      std::fill(result->classes.begin(), result->classes.end(), std::uint8_t{kUnknown});
      std::fill(result->states.begin(), result->states.end(), std::uint8_t{kUnseen});
      std::fill(result->tops.begin(), result->tops.end(), std::uint16_t{0});
      std::fill(result->ranges.begin(), result->ranges.end(), 0U);
      std::fill(result->free.begin(), result->free.end(), 0U);
      return;
    }
    for (int k = 0; k < 3; ++k) {
      impl.columns[k].resize(Worker::row_size(frame.width));
      for (std::size_t x = 0; x < size(frame.width); ++x) {
        impl.columns[k][x] = column_ray(result->axes.r[k], impl.tables.ray_x[x]);
      }
    }
    std::copy(impl.start_states.begin(), impl.start_states.end(), impl.states.begin());
    impl.clear_counters();
    const auto spread = [&](int height, int rows, const auto& body) {
      for_bands(&impl.pool, height, rows, [&](int first, int end, unsigned worker) {
        body(first, end, impl.workers[worker]);
      });
    };
    spread(frame.height, kBandRows,
           [&](int first, int end, Worker& worker) { impl.place_rows(frame, first, end, worker); });
    for (std::size_t w = 1; w < impl.workers.size(); ++w) {
      Worker& from = impl.workers[w];
      Worker& to = impl.workers[0];
      move_sums(&from.cells, &to.cells);
      move_sums(&from.rings, &to.rings);
    }
    impl.find_ranges();
    impl.set_states();
    impl.has_counted = false;
    spread(rules.rows, std::max(kBandCells / rules.columns, 1),
           [&](int first, int end, Worker& worker) { impl.see_cells(frame, first, end, worker); });
    const std::int32_t* bearing = impl.bearing_cells.data();
    const std::size_t bearing_steps = impl.bearing_cells.size() / size(rules.bins);
    for (int k = 0; k < rules.bins; ++k, bearing += bearing_steps) {
      result->free[size(k)] = free_of(result->ranges[size(k)], result->states.data(), rules,
                                      [&](std::int32_t i) { return bearing[i]; });
    }
    impl.find_objects();
  });
}

}  // namespace rdp::obstacles

template class rdp::ThreadedEngine<rdp::obstacles::EngineImpl>;
