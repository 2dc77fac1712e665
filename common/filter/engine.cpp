// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/filter/engine.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "common/filter/rows.h"
#include "common/filter/sample_plane.h"
#include "common/image/grow_buffer.h"
#include "common/image/median.h"
#include "common/image/row_bands.h"
#include "common/image/speckles.h"
#include "common/image/thread_pool.h"
#include "common/image/threaded_engine-inl.h"

namespace rdp::filter {
namespace {

// Steps whose results are compared with their input.
enum Step { kMedian, kFlying, kSpatial, kTemporal, kHoles, kSteps };

// Rows that a worker works in: the result's, and those of the spatial step.
constexpr int kLines = 2 + 2 * kMaxRadius + 1;
// Motion rows that a worker keeps; kMotionRows of them are looked at at a time.
constexpr int kRing = 8;
static_assert(kRing >= kMotionRows);

struct Worker {
  MedianScratch median;
  GrowBuffer<std::uint16_t> lines;
  GrowBuffer<std::uint16_t> blocks;        // of the decimation
  GrowBuffer<std::uint16_t> below;         // distances from the next known pixel below
  BorderedRows<std::int32_t> differences;  // the motion rows', and their sums
  BorderedRows<std::uint16_t> flags;       // the same
  Changes changes[kSteps];
  std::int64_t range_removed = 0;

  MotionRow motion(int row) {
    const int slot = (row + kRing) % kRing;
    return {differences.row(slot), flags.row(slot), flags.row(kRing + slot)};
  }
  MotionRow motion_sums() { return {differences.row(kRing), flags.row(2 * kRing), nullptr}; }
};

void write_row(const std::uint16_t* from, const MutableDepthView& out, int row) {
  std::byte* const to = out.row(row);
  if (out.type == SampleType::kU16) {
    std::memcpy(to, from, 2 * static_cast<std::size_t>(out.width));
  } else {
    for (int x = 0; x < out.width; ++x) to[x] = static_cast<std::byte>(from[x]);
  }
}

}  // namespace

struct EngineImpl {
  // A single thread takes all rows at once: most steps repeat the rows beside a band.
  int rows_of_band(int height) const {
    constexpr int kLeast = 32;
    const int threads = static_cast<int>(pool.size());
    return threads == 1 ? height : std::max(kLeast, height / (4 * threads) + 1);
  }

  // Calls body(first_row, end_row, worker) for bands of rows.
  template <typename Body>
  void spread(int height, const Body& body) {
    for_bands(&pool, height, rows_of_band(height),
              [&](int first, int end, unsigned worker) { body(first, end, workers[worker]); });
  }

  // Rows of a step that a thread makes.
  struct Band {
    // The buffer for a row to make; complete() hands the row on.
    std::uint16_t* begin(int row) const { return last ? worker.lines.data() : impl.next->row(row); }
    void complete(int row) const {
      const MutableDepthView& to = impl.out;
      std::uint16_t* const made = begin(row);
      if (last) std::fill(made + to.width, made + in_blocks(to.width), std::uint16_t{0});
      worker.changes[step].add(impl.steps->compare(impl.now->row(row), made, impl.now->width()));
      if (last) write_row(made, to, row);
    }

    EngineImpl& impl;
    Step step;
    bool last;  // the rows go to the output
    int first;
    int end;
    Worker& worker;
  };

  // Makes the next plane of `now`, or the output with the last step, by body(band).
  template <typename Body>
  void run_step(Step step, const Body& body) {
    spread(now->height(), [&](int first, int end, Worker& worker) {
      body(Band{*this, step, step == last_step, first, end, worker});
    });
    std::swap(now, next);
  }

  // One of the worker's lines behind the result's.
  std::uint16_t* line(Worker& worker, int number) const {
    return worker.lines.data() +
           in_blocks(planes[0].width()) * static_cast<std::size_t>(number + 1);
  }

  void prepare(const DepthView& in);
  void read(const DepthView& in);
  void median();
  void flying();
  void speckles();
  void decimate();
  void smooth();
  void temporal();
  void fill();
  void fill_row(int row, const std::uint16_t* above, const std::uint16_t* below, std::uint16_t* to);
  Counts counts() const;

  ThreadPool pool;
  std::vector<Worker> workers = std::vector<Worker>(1);
  SamplePlane planes[2];
  SpeckleScratch speckle_scratch;

  BorderedRows<std::uint32_t> states[2];
  int state = 0;      // index of the previous frame's state
  bool fresh = true;  // none is
  Parameters previous;
  int previous_width = 0;
  int previous_height = 0;

  // The current frame.
  Parameters p;
  MutableDepthView out;
  const RowSteps* steps = nullptr;
  SamplePlane* now = nullptr;
  SamplePlane* next = nullptr;
  Step last_step = kSteps;
  std::int64_t speckle_removed = 0;
};

// All memory, so that nothing fails later.
void EngineImpl::prepare(const DepthView& in) {
  const bool same = previous == p && previous_width == in.width && previous_height == in.height;
  fresh = fresh || !same || p.temporal_frames == 1;
  previous = p;
  previous_width = in.width;
  previous_height = in.height;
  for (SamplePlane& plane : planes) plane.resize(in.width, in.height);
  if (p.speckle_size > 1) speckle_scratch.prepare(in.width, in.height);
  if (p.temporal_frames > 1) {
    for (auto& rows : states) rows.resize(out.width, out.height);
    if (fresh) states[state].clear();
  }
  const std::size_t samples_of_line = in_blocks(in.width);
  const std::size_t samples_out = in_blocks(out.width);
  for (Worker& worker : workers) {
    worker.lines.ensure(kLines * samples_of_line);
    if (p.median != 0) {
      median_rows(planes[0].view(), p.median, 0, 0, planes[1].view(), &worker.median);
    }
    if (p.decimation > 1) {
      worker.blocks.ensure(static_cast<std::size_t>(p.decimation * p.decimation) * samples_out);
    }
    if (p.temporal_frames > 1 && p.motion_check) {
      worker.differences.resize(out.width, kRing + 1);
      worker.flags.resize(out.width, 2 * kRing + 1);
    }
    if (p.hole_filling != HoleFilling::kNone) {
      worker.below.ensure(static_cast<std::size_t>(rows_of_band(out.height)) * samples_out);
    }
    worker.range_removed = 0;
    std::fill(worker.changes, worker.changes + kSteps, Changes{});
  }
  steps = &row_steps();
  speckle_removed = 0;
  now = &planes[0];
  next = &planes[1];
  last_step = p.hole_filling != HoleFilling::kNone     ? kHoles
              : p.temporal_frames > 1                  ? kTemporal
              : p.spatial_radius > 0                   ? kSpatial
              : p.speckle_size > 1 || p.decimation > 1 ? kSteps
              : p.flying                               ? kFlying
                                                       : kSteps;
}

void EngineImpl::read(const DepthView& in) {
  spread(in.height, [&](int first, int end, Worker& worker) {
    for (int row = first; row < end; ++row) {
      worker.range_removed += steps->read(in.row(row), in.type, p.known, in.width, now->row(row));
    }
  });
}

void EngineImpl::median() {
  run_step(kMedian, [&](const Band& band) {
    median_rows(now->view(), p.median, band.first, band.end, next->view(), &band.worker.median);
    for (int row = band.first; row < band.end; ++row) band.complete(row);
  });
}

void EngineImpl::flying() {
  run_step(kFlying, [&](const Band& band) {
    const std::uint16_t* rows[2 * kFlyingReach + 1];
    for (int row = band.first; row < band.end; ++row) {
      for (int i = -kFlyingReach; i <= kFlyingReach; ++i)
        rows[kFlyingReach + i] = now->row(row + i);
      steps->flying(rows, p.tolerance, now->width(), line(band.worker, 0), band.begin(row));
      band.complete(row);
    }
  });
}

// One thread alone: a component may reach anywhere.
void EngineImpl::speckles() {
  const auto alike = [&](int a, int b) { return are_alike(a, b, p.tolerance); };
  speckle_removed = remove_speckles(now->view(), p.speckle_size, alike, &speckle_scratch);
}

void EngineImpl::decimate() {
  next->resize(out.width, out.height);
  spread(out.height, [&](int first, int end, Worker& worker) {
    const std::uint16_t* rows[kMaxDecimation];
    for (int row = first; row < end; ++row) {
      for (int i = 0; i < p.decimation; ++i) rows[i] = now->row(row * p.decimation + i);
      steps->decimate(rows, p.decimation, out.width, worker.blocks.data(), next->row(row));
    }
  });
  std::swap(now, next);
  next->resize(out.width, out.height);
}

void EngineImpl::smooth() {
  run_step(kSpatial, [&](const Band& band) {
    const std::uint16_t* before[kMaxRadius];
    const std::uint16_t* behind[kMaxRadius];
    const int radius = p.spatial_radius;
    const int rows = 2 * radius + 1;
    const auto smoothed = [&](int row) { return line(band.worker, 1 + (row + rows) % rows); };
    std::uint16_t* const scratch = line(band.worker, 0);
    const auto smooth_along = [&](int row) {
      // Beside the frame, all is 0.
      const std::uint16_t* const from = now->row(row);
      for (int d = 1; d <= radius; ++d) {
        before[d - 1] = from - d;
        behind[d - 1] = from + d;
      }
      steps->smooth(from, before, behind, radius, p.tolerance, now->width(), scratch,
                    smoothed(row));
    };
    for (int row = band.first - radius; row < band.first + radius; ++row) smooth_along(row);
    for (int row = band.first; row < band.end; ++row) {
      smooth_along(row + radius);
      for (int d = 1; d <= radius; ++d) {
        before[d - 1] = smoothed(row - d);
        behind[d - 1] = smoothed(row + d);
      }
      steps->smooth(smoothed(row), before, behind, radius, p.tolerance, now->width(), scratch,
                    band.begin(row));
      band.complete(row);
    }
  });
}

void EngineImpl::temporal() {
  BorderedRows<std::uint32_t>& old_state = states[state];
  BorderedRows<std::uint32_t>& new_state = states[1 - state];
  run_step(kTemporal, [&](const Band& band) {
    Worker& worker = band.worker;
    MotionRow motion[kMotionRows];
    const MotionRow sums = p.motion_check ? worker.motion_sums() : MotionRow{};
    const auto find_motion = [&](int row) {
      // Rows outside the frame have no state. Any will do: they have no known sample.
      const int state_row = std::clamp(row, 0, now->height() - 1);
      steps->find_motion(now->row(row), old_state.row(state_row), p.tolerance, now->width(),
                         worker.motion(row));
    };
    for (int i = -kMotionReach; i < kMotionReach && p.motion_check; ++i)
      find_motion(band.first + i);
    for (int row = band.first; row < band.end; ++row) {
      if (p.motion_check) {
        find_motion(row + kMotionReach);
        for (int i = 0; i < kMotionRows; ++i) motion[i] = worker.motion(row + i - kMotionReach);
      }
      steps->temporal(
          {now->row(row - 1), now->row(row), now->row(row + 1), old_state.row(row),
           new_state.row(row), p.motion_check ? motion : nullptr, sums, band.begin(row)},
          p, now->width());
      band.complete(row);
    }
  });
  state = 1 - state;
  fresh = false;
}

// Fills the unknown pixels of a row in `to`, a copy of the row.
void EngineImpl::fill_row(int row, const std::uint16_t* above, const std::uint16_t* below,
                          std::uint16_t* to) {
  const int width = now->width();
  const HoleRule rule = p.hole_rule();
  const std::uint16_t* const from = now->row(row);
  const auto side = [&](int value, int distance) {
    return distance <= p.hole_size ? Side{value, distance} : Side{};
  };
  for (int x = 0; x < width; ++x) {
    if (from[x] != 0) continue;
    const int first = x;
    int end = x + 1;
    while (end < width && from[end] == 0) ++end;
    for (; x < end; ++x) {
      Hole hole;
      // Beyond the border lie zeros.
      hole.left = side(from[first - 1], x - first + 1);
      hole.right = side(from[end], end - x);
      if (above[x] <= p.hole_size) hole.above = {now->row(row - above[x])[x], above[x]};
      if (below[x] <= p.hole_size) hole.below = {now->row(row + below[x])[x], below[x]};
      to[x] = static_cast<std::uint16_t>(filled(hole, rule));
    }
  }
}

void EngineImpl::fill() {
  const std::size_t stride = in_blocks(now->width());
  const int none = p.hole_size + 1;
  run_step(kHoles, [&](const Band& band) {
    std::uint16_t* const above = line(band.worker, 0);
    std::uint16_t* below = line(band.worker, 1);
    const auto below_of = [&](int row) {
      return band.worker.below.data() + stride * static_cast<std::size_t>(row - band.first);
    };
    std::fill_n(above, stride, static_cast<std::uint16_t>(none));
    std::fill_n(below, stride, static_cast<std::uint16_t>(none));
    for (int row = std::min(band.end + p.hole_size, now->height()) - 1; row >= band.first; --row) {
      std::uint16_t* const to = row < band.end ? below_of(row) : below;
      steps->distance(now->row(row), below, none, now->width(), to);
      below = to;
    }
    for (int row = std::max(band.first - p.hole_size, 0); row < band.end; ++row) {
      steps->distance(now->row(row), above, none, now->width(), above);
      if (row < band.first) continue;
      std::copy_n(now->row(row), stride, band.begin(row));
      fill_row(row, above, below_of(row), band.begin(row));
      band.complete(row);
    }
  });
}

Counts EngineImpl::counts() const {
  Changes changes[kSteps];
  Counts counts;
  for (const Worker& worker : workers) {
    for (int i = 0; i < kSteps; ++i) changes[i].add(worker.changes[i]);
    counts.range_removed += worker.range_removed;
  }
  const Changes& median = changes[kMedian];
  counts.median_changed = median.changed + median.removed + median.filled;
  counts.flying_removed = changes[kFlying].removed;
  counts.speckle_removed = speckle_removed;
  counts.spatial_changed = changes[kSpatial].changed;
  counts.temporal_changed = changes[kTemporal].changed;
  counts.temporal_filled = changes[kTemporal].filled;
  counts.hole_filled = changes[kHoles].filled;
  return counts;
}

void Engine::clear() { impl_->fresh = true; }

Counts Engine::filter(const DepthView& in, const Parameters& parameters,
                      const MutableDepthView& out) {
  EngineImpl& impl = *impl_;
  impl.p = parameters;
  impl.out = out;
  impl.prepare(in);
  impl.read(in);
  if (parameters.median != 0) impl.median();
  if (parameters.flying) impl.flying();
  if (parameters.speckle_size > 1) impl.speckles();
  if (parameters.decimation > 1) impl.decimate();
  if (parameters.spatial_radius > 0) impl.smooth();
  if (parameters.temporal_frames > 1) impl.temporal();
  if (parameters.hole_filling != HoleFilling::kNone) impl.fill();
  if (impl.last_step == kSteps) {
    impl.spread(out.height, [&](int first, int end, Worker&) {
      for (int row = first; row < end; ++row) write_row(impl.now->row(row), out, row);
    });
  }
  return impl.counts();
}

}  // namespace rdp::filter

template class rdp::ThreadedEngine<rdp::filter::EngineImpl>;
