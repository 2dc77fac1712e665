// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/klt/engine.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <tuple>
#include <vector>

#include "common/image/float_environment.h"
#include "common/image/row_bands.h"
#include "common/image/thread_pool.h"
#include "common/image/threaded_engine-inl.h"
#include "common/klt/corners.h"
#include "common/klt/picture_rows.h"
#include "common/klt/window.h"

namespace rdp::klt {
namespace {

// The work that a thread takes at once: some ten microseconds.
constexpr int kBandPixels = 16384;
constexpr std::size_t kFeatures = 16;

std::size_t size_of(std::int64_t count) { return static_cast<std::size_t>(count); }

std::size_t parts_of_frame(int width, int height, int part) {
  return size_of(parts_of(width, part)) * size_of(parts_of(height, part));
}

// The index, row by row, of the part of the frame that contains a place, for parts of this side.
std::size_t part_of(Place place, int width, int side) {
  return size_of(pixel_of(place.y) / side) * size_of(parts_of(width, side)) +
         size_of(pixel_of(place.x) / side);
}

Place place_of(const Track& track) { return {exact_fixed(track.x), exact_fixed(track.y)}; }

Track new_track(std::uint32_t id, Place place, double eigenvalue) {
  return {id,
          0,
          to_pixels(place.x),
          to_pixels(place.y),
          0.0F,
          0.0F,
          0.0F,
          static_cast<float>(eigenvalue)};
}

// One thread's scratch memory.
struct Worker {
  GrowBuffer<std::int16_t> rows;
  GrowBuffer<std::int32_t> corners;
  long iterations = 0;
};

// A cell's corner, and whether a feature is born there.
struct Birth {
  Corner corner;
  double eigenvalue;
  bool born;
};

}  // namespace

void State::commit() {
  if (!pending_) return;
  current_ ^= 1;
  pending_ = false;
}

void State::end_prediction() {
  Moment& now = moments_[current_];
  std::fill_n(now.starts.data(), now.count, Place{});
}

void State::end_tracks() {
  moments_[current_].count = 0;
  moments_[current_].is_template = false;
  pending_ = false;
}

void State::restart() { begin_at(1); }

void State::begin_at(std::uint32_t next_id) {
  end_tracks();
  moments_[current_].next_id = next_id;
}

struct EngineImpl {
  ThreadPool pool;
  std::vector<Worker> workers;
  GrowBuffer<Found> found;
  GrowBuffer<Corner> corners;
  GrowBuffer<float> highest;  // of each band
  GrowBuffer<Birth> births;
  GrowBuffer<const Birth*> best;
  GrowBuffer<std::uint8_t> squares;  // whether there is a track
  GrowBuffer<std::uint8_t> cells;
  // With Warp::kAffine.
  bool had_shapes = false;     // the frame before
  bool keeps_patches = false;  // of the frame before
  PatchGrid grid;
  GrowBuffer<Registered> registered;
  GrowBuffer<TrackShape> shapes;
  GrowBuffer<std::uint32_t> freed;  // slots

  // Calls body(first_row, end_row, worker) for all rows, in bands of whole cells. Returns how many
  // there are.
  template <typename Body>
  unsigned spread_rows(int height, int width, int cell, const Body& body) {
    const int rows = std::max(kBandPixels / width / cell, 1) * cell;
    for_bands(&pool, height, rows,
              [&](int first, int end, unsigned worker) { body(first, end, &workers[worker]); });
    return static_cast<unsigned>(parts_of(height, rows));
  }
  // Calls body(index, worker) for all features.
  template <typename Body>
  void spread_features(std::size_t count, const Body& body) {
    const auto items = static_cast<unsigned>((count + kFeatures - 1) / kFeatures);
    pool.run(items, pool.size(), [&](unsigned item, unsigned, unsigned worker) {
      const std::size_t first = item * kFeatures;
      const std::size_t end = std::min(count, first + kFeatures);
      for (std::size_t i = first; i < end; ++i) body(i, &workers[worker]);
    });
  }

  void prepare(const Input& input, const Parameters& parameters, State* state);
  void make_levels(int count, Picture* picture);
  void add_gradients(const LevelView& level);
  void prepare_shapes(const Input& input, const Parameters& parameters, State* state);
  void register_found(std::size_t i, const Parameters& parameters, const PatchSearch& search,
                      State* state);
  std::size_t list_shapes(std::size_t live, State* state);
  void find_corners(const Input& input, const Parameters& parameters, const Picture& picture);
};

// Allocates all memory that a frame of this size can need, so that later ones have it whatever they
// show.
void EngineImpl::prepare(const Input& input, const Parameters& parameters, State* state) {
  const int width = input.frame.width;
  const int height = input.frame.height;
  const std::size_t most = parts_of_frame(width, height, kSquare);  // tracks
  const std::size_t cell_count = parts_of_frame(width, height, parameters.cell);
  for (State::Moment& moment : state->moments_) {
    const bool next = &moment != &state->moments_[state->current_];
    if (!next && moment.is_template) continue;  // it is still needed as it is
    if (next) moment.is_template = false;
    moment.picture.prepare(width, height);
    moment.tracks.ensure(most);
    moment.starts.ensure(most);
  }
  state->lost_.ensure(most + input.points.size());
  found.ensure(most);
  squares.ensure(most);
  cells.ensure(cell_count);
  corners.ensure(cell_count);
  births.ensure(cell_count);
  best.ensure(cell_count);
  highest.ensure(size_of(height));
  for (Worker& worker : workers) {
    worker.rows.ensure(row_scratch(width));
    worker.corners.ensure(corner_scratch(width));
    worker.iterations = 0;
  }
  State::Moment& after = state->moments_[state->current_ ^ 1];
  after.has_shapes = parameters.warp == Warp::kAffine;
  if (after.has_shapes) prepare_shapes(input, parameters, state);
}

// The memory of shapes and patches.
void EngineImpl::prepare_shapes(const Input& input, const Parameters& parameters, State* state) {
  const int width = input.frame.width;
  const int height = input.frame.height;
  const std::size_t most = parts_of_frame(width, height, kSquare);
  const State::Moment& before = state->moments_[state->current_];
  State::Moment& after = state->moments_[state->current_ ^ 1];
  had_shapes = before.is_template && before.has_shapes;
  keeps_patches = had_shapes && before.window == parameters.window &&
                  (before.light == Light::kNone) == (parameters.light == Light::kNone);
  after.window = parameters.window;
  after.light = parameters.light;
  after.store = !had_shapes ? 0 : keeps_patches ? before.store : before.store ^ 1;
  PatchStore& store = state->stores_[after.store];
  store.reserve(std::min(most, size_of(most_patches(width, height, parameters.cell))),
                parameters.window);
  after.slot_count = store.patches();
  for (State::Moment& moment : state->moments_) {
    if (&moment == &before && had_shapes) continue;  // it is still needed as it is
    moment.shapes.ensure(most);
    moment.slots.ensure(after.slot_count);
  }
  registered.ensure(most);
  shapes.ensure(most);
  freed.ensure(after.slot_count);
  state->warps_.ensure(most);
  grid.prepare(parameters.window);
  const std::size_t known = keeps_patches ? before.slot_count : 0;
  std::copy_n(before.slots.data(), known, after.slots.data());
  std::iota(after.slots.data() + known, after.slots.data() + after.slot_count,
            static_cast<std::uint32_t>(known));
}

// Registers a track that was found to its patch.
void EngineImpl::register_found(std::size_t i, const Parameters& parameters,
                                const PatchSearch& search, State* state) {
  State::Moment& before = state->moments_[state->current_];
  State::Moment& after = state->moments_[state->current_ ^ 1];
  TrackShape& shape = shapes.data()[i];
  shape = had_shapes ? before.shapes.data()[i] : TrackShape{};
  if (!keeps_patches) shape = without_patch(shape);
  Found& result = found.data()[i];
  Registered& outcome = registered.data()[i];
  outcome = {};
  if (result.reason != Reason::kTracked) return;
  const bool may_take =
      i < size_of(most_patches(search.to->width, search.to->height, parameters.cell));
  const PatchMemory patch = i < after.slot_count
                                ? state->stores_[after.store].patch(after.slots.data()[i])
                                : PatchMemory{};
  const Place place = place_of(before.tracks.data()[i]);
  const Place d = result.displacement;
  outcome = register_track(search, place, {place.x + d.x, place.y + d.y}, may_take, &shape, patch);
  result.reason = outcome.reason;
  result.displacement = {outcome.place.x - place.x, outcome.place.y - place.y};
}

// Lists the shapes of the tracks, those of `live` ones first, and gives the slots of lost ones to
// the places after these. Returns the number of patches that were taken.
std::size_t EngineImpl::list_shapes(std::size_t live, State* state) {
  State::Moment& after = state->moments_[state->current_ ^ 1];
  std::uint32_t* const slots = after.slots.data();
  std::size_t stayed = 0, patches = 0, with_slot = 0, without_track = 0;
  for (std::size_t i = 0; i < live; ++i) {
    const Registered& outcome = registered.data()[i];
    patches += outcome.took ? 1 : 0;
    const bool stays = found.data()[i].reason == Reason::kTracked;
    if (i < after.slot_count && stays) slots[with_slot++] = slots[i];
    if (i < after.slot_count && !stays) freed.data()[without_track++] = slots[i];
    if (!stays) continue;
    const TrackShape& shape = shapes.data()[i];
    after.shapes.data()[stayed] = shape;
    state->warps_.data()[stayed] = track_warp(whole_warp(shape), outcome.residual, outcome.age);
    ++stayed;
  }
  std::copy_n(freed.data(), without_track, slots + with_slot);
  std::fill(after.shapes.data() + stayed, after.shapes.data() + after.count, TrackShape{});
  std::fill(state->warps_.data() + stayed, state->warps_.data() + after.count,
            track_warp({}, 0.0, 0));
  return patches;
}

void EngineImpl::add_gradients(const LevelView& level) {
  spread_rows(level.height + 2 * kExtension, level.width, 1,
              [&](int first, int end, Worker* worker) {
                gradient_rows(level, first - kExtension, end - kExtension, worker->rows.data());
              });
}

// Makes the missing levels of a pyramid, up to `count`.
void EngineImpl::make_levels(int count, Picture* picture) {
  for (int i = picture->made; i < count; ++i) {
    const LevelView& level = picture->level(i);
    const LevelView& fine = picture->level(i - 1);
    spread_rows(level.height, level.width, 1, [&](int first, int end, Worker* worker) {
      shrunk_rows(fine, first, end, level, worker->rows.data());
    });
    complete_level(level);
    add_gradients(level);
    picture->made = i + 1;
  }
}

// Fills `births` with the corners, in cells without a track, that qualify as features.
void EngineImpl::find_corners(const Input& input, const Parameters& parameters,
                              const Picture& picture) {
  const LevelView& level = picture.level(0);
  const int cell = parameters.cell;
  const int columns = parts_of(level.width, cell);
  const int band_rows = std::max(kBandPixels / level.width / cell, 1) * cell;
  const unsigned bands =
      spread_rows(level.height, level.width, cell, [&](int first, int end, Worker* worker) {
        highest.data()[first / band_rows] =
            corners_of_rows(level, input.mask, cell, first, end, worker->corners.data(),
                            corners.data() + size_of(first / cell) * size_of(columns));
      });
  const float limit = static_cast<float>(parameters.quality) *
                      *std::max_element(highest.data(), highest.data() + bands);
  const StepRules rules = step_rules(parameters);
  spread_features(parts_of_frame(level.width, level.height, cell), [&](std::size_t i, Worker*) {
    Birth& birth = births.data()[i];
    birth = {corners.data()[i], 0.0, false};
    if (cells.data()[i] != 0 || !(birth.corner.score > limit)) return;
    const Equations equations =
        equations_at(level, {birth.corner.column * kPixel, birth.corner.row * kPixel}, rules);
    birth.eigenvalue = equations.eigenvalue;
    birth.born = has_texture(equations, rules.min_eigenvalue, true);
  });
}

long Engine::iterations() const {
  long sum = 0;
  for (const Worker& worker : impl_->workers) sum += worker.iterations;
  return sum;
}

Result Engine::track(const Input& input, const Parameters& parameters, State* state) {
  return with_standard_floats([&]() -> Result {
    EngineImpl& impl = *impl_;
    const int width = input.frame.width;
    const int height = input.frame.height;
    const StepRules rules = step_rules(parameters);
    const bool windows = has_windows(width, height, rules.window);
    const bool affine = rules.warp == Warp::kAffine;
    state->pending_ = false;
    impl.prepare(input, parameters, state);
    State::Moment& before = state->moments_[state->current_];
    State::Moment& after = state->moments_[state->current_ ^ 1];
    Lost* lost = state->lost_.data();
    after.count = 0;
    after.next_id = before.next_id;

    const int coarsest = coarsest_level(width, height, parameters);
    const LevelView& frame = after.picture.level(0);
    impl.spread_rows(height, width, 1, [&](int first, int end, Worker*) {
      frame_rows(input.frame, first, end, frame);
    });
    complete_level(frame);
    impl.add_gradients(frame);
    after.picture.made = 1;
    impl.make_levels(coarsest + 1, &after.picture);
    after.is_template = true;

    std::uint8_t* const squares = impl.squares.data();
    std::memset(squares, 0, parts_of_frame(width, height, kSquare));
    const auto add_square = [&](Place place) {
      std::uint8_t& taken = squares[part_of(place, width, kSquare)];
      const bool free = taken == 0;
      taken = 1;
      return free;
    };
    const auto add = [&](const Track& track, Place start) {
      after.tracks.data()[after.count] = track;
      after.starts.data()[after.count] = start;
      ++after.count;
    };

    // Existing tracks.
    const bool same_size =
        before.is_template && before.picture.width() == width && before.picture.height() == height;
    const std::size_t live = same_size ? before.count : 0;
    if (live > 0 && windows) {
      impl.make_levels(coarsest + 1, &before.picture);
      const Search search{&before.picture, &after.picture, rules, coarsest,
                          level_stride(parameters)};
      const PatchSearch patches{&before.picture.level(0), &frame, &impl.grid, rules};
      impl.spread_features(live, [&](std::size_t i, Worker* worker) {
        const Track& track = before.tracks.data()[i];
        const bool started = parameters.predict || track.age == 0;
        impl.found.data()[i] =
            find_and_check(search, place_of(track), started ? before.starts.data()[i] : Place{},
                           &worker->iterations);
        if (affine) impl.register_found(i, parameters, patches, state);
      });
    }
    if (affine && !windows) std::fill_n(impl.registered.data(), live, Registered{});
    for (std::size_t i = 0; i < live; ++i) {
      const Track& track = before.tracks.data()[i];
      Found& found = impl.found.data()[i];
      const Place place = place_of(track);
      const Place d = found.displacement;
      const Place now{place.x + d.x, place.y + d.y};
      Reason reason = windows ? found.reason : Reason::kTexture;
      if (reason == Reason::kTracked && !add_square(now)) reason = Reason::kCrowded;
      found.reason = reason;
      if (reason != Reason::kTracked) {
        *lost++ = {track.id, reason, track.x, track.y};
        continue;
      }
      add({track.id, track.age + 1, to_pixels(now.x), to_pixels(now.y), to_pixels(d.x),
           to_pixels(d.y), static_cast<float>(found.residual),
           static_cast<float>(found.eigenvalue)},
          d);
    }

    // The caller's points.
    for (const Point& point : input.points) {
      const std::uint32_t id = after.next_id;
      after.next_id = id_after(id);
      if (!is_usable(point.x, point.y, point.dx, point.dy, width, height)) {
        *lost++ = {id, Reason::kOutside, finite_or_zero(point.x), finite_or_zero(point.y)};
        continue;
      }
      const Place place{to_fixed(point.x), to_fixed(point.y)};
      Equations equations{};
      Reason reason = Reason::kTexture;
      if (windows) {
        equations = equations_at(frame, place, rules);
        if (has_texture(equations, rules.min_eigenvalue, true)) {
          reason = add_square(place) ? Reason::kTracked : Reason::kCrowded;
        }
      }
      if (reason != Reason::kTracked) {
        *lost++ = {id, reason, point.x, point.y};
        continue;
      }
      add(new_track(id, place, equations.eigenvalue), {start_of(point.dx), start_of(point.dy)});
    }

    // New features.
    if (parameters.detector == Detector::kShiTomasi && windows) {
      const std::size_t count = parts_of_frame(width, height, parameters.cell);
      std::memset(impl.cells.data(), 0, count);
      for (std::size_t i = 0; i < after.count; ++i) {
        impl.cells.data()[part_of(place_of(after.tracks.data()[i]), width, parameters.cell)] = 1;
      }
      impl.find_corners(input, parameters, after.picture);
      Birth* const births = impl.births.data();
      if (parameters.max_features > 0) {
        const std::size_t most = size_of(parameters.max_features);
        const std::size_t room = most - std::min(most, after.count);
        const Birth** const best = impl.best.data();
        std::size_t born = 0;
        for (std::size_t i = 0; i < count; ++i) {
          if (births[i].born) best[born++] = &births[i];
        }
        if (born > room) {
          const auto better = [](const Birth* a, const Birth* b) {
            return std::tuple(-a->corner.score, a->corner.row, a->corner.column) <
                   std::tuple(-b->corner.score, b->corner.row, b->corner.column);
          };
          std::nth_element(best, best + room, best + born, better);
          for (std::size_t i = room; i < born; ++i) births[best[i] - births].born = false;
        }
      }
      for (std::size_t i = 0; i < count; ++i) {
        if (!births[i].born) continue;
        const Corner& corner = births[i].corner;
        add(new_track(after.next_id, {corner.column * kPixel, corner.row * kPixel},
                      births[i].eigenvalue),
            {});
        after.next_id = id_after(after.next_id);
      }
    }
    Result result{{after.tracks.data(), after.count}, {state->lost_.data(), lost}, {}};
    if (affine) {
      result.templates = impl.list_shapes(live, state);
      result.warps = {state->warps_.data(), after.count};
    }
    state->pending_ = true;
    return result;
  });
}

}  // namespace rdp::klt

template class rdp::ThreadedEngine<rdp::klt::EngineImpl>;
