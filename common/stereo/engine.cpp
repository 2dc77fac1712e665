// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/stereo/engine.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "common/image/carver.h"
#include "common/image/grow_buffer.h"
#include "common/image/median.h"
#include "common/image/progress.h"
#include "common/image/row_bands.h"
#include "common/image/speckles.h"
#include "common/image/thread_pool.h"
#include "common/image/threaded_engine-inl.h"
#include "common/stereo/census_row.h"
#include "common/stereo/disparity_row.h"
#include "common/stereo/path_rows.h"

namespace rdp::stereo {
namespace {

// Minimum work per thread, in pixels times disparities: less is done before a thread wakes up.
constexpr std::size_t kCellsPerThread = 200000;

std::size_t size_of(int count) { return static_cast<std::size_t>(count); }

// The properties of a pair, and the layout of its data in memory.
struct PairLayout {
  PairLayout(int width_, int height_, const Parameters& parameters)
      : width(width_),
        height(height_),
        stripes(stripe_layout(parameters.disparities)),
        left(CensusLayout::of_left(width)),
        right(CensusLayout::of_right(stripes, width, parameters.min_disparity)),
        wide(2 * (kMaxCost + parameters.p2) > 255),
        paths(parameters.paths),
        cell(sum_bytes(stripes, parameters.paths, wide)) {}

  std::size_t pixels() const { return size_of(width) * size_of(height); }
  std::size_t cells() const { return pixels() * size_of(stripes.bytes()); }

  int width;
  int height;
  StripeLayout stripes;
  CensusLayout left;
  CensusLayout right;
  bool wide;
  int paths;
  std::size_t cell;
};

// Shared by all threads. The paths' costs stand together: they start with 0.
struct Shared {
  std::uint8_t* left = nullptr;
  std::uint8_t* right = nullptr;
  std::uint8_t* sums = nullptr;
  std::uint8_t* padding = nullptr;
  std::int16_t* disparity_numbers = nullptr;
  std::uint8_t* vertical = nullptr;
  std::uint8_t* falling = nullptr;
  std::uint8_t* rising = nullptr;
  std::int32_t* progress = nullptr;
  std::byte* checked = nullptr;
  std::ptrdiff_t checked_stride = 0;

  std::size_t carve(const PairLayout& layout, std::byte* memory) {
    Carver carver(memory);
    const std::size_t width = size_of(layout.width);
    const std::size_t height = size_of(layout.height);
    const std::size_t bytes = size_of(layout.stripes.bytes());
    left = carver.take<std::uint8_t>(layout.left.row_bytes() * height);
    right = carver.take<std::uint8_t>(layout.right.row_bytes() * height);
    sums = carver.take<std::uint8_t>(layout.cell * width * height);
    padding = carver.take<std::uint8_t>(bytes);
    disparity_numbers = carver.take<std::int16_t>(bytes);
    vertical = carver.take<std::uint8_t>(width * bytes);
    const std::size_t diagonals = layout.paths == 8 ? width + height : 0;
    falling = carver.take<std::uint8_t>(diagonals * bytes);
    rising = carver.take<std::uint8_t>(diagonals * bytes);
    progress = carver.take<std::int32_t>(kProgressStride * height);
    checked_stride = (2 * static_cast<std::ptrdiff_t>(width) + 63) / 64 * 64;
    checked = carver.take<std::byte>(static_cast<std::size_t>(checked_stride) * height);
    return carver.used();
  }
};

// One thread's scratch memory.
struct Worker {
  GrowBuffer<std::byte> memory;
  MedianScratch median;

  std::uint8_t* census = nullptr;
  std::uint8_t* horizontal = nullptr;
  PathRow found;  // its arrays of what the second pass finds
  std::uint16_t* disparity = nullptr;
  std::uint8_t* confidence = nullptr;

  std::size_t carve(const PairLayout& layout, std::byte* start) {
    Carver carver(start);
    const std::size_t bytes = size_of(layout.stripes.bytes());
    const std::size_t ring = 2 * bytes + size_of(layout.stripes.lanes);
    const std::size_t columns = size_of(layout.width + kDisparityRowSlack);
    census = carver.take<std::uint8_t>(std::max(census_scratch_bytes(layout.width, layout.left),
                                                census_scratch_bytes(layout.width, layout.right)));
    horizontal = carver.take<std::uint8_t>(bytes);
    found.scratch = carver.take<std::int16_t>(kPathColumns * bytes);
    found.right_sums = carver.take<std::int16_t>(ring);
    found.right_best = carver.take<std::int16_t>(ring);
    found.best = carver.take<std::int16_t>(columns);
    found.best_sum = carver.take<std::int16_t>(columns);
    found.sum_before = carver.take<std::int16_t>(columns);
    found.sum_after = carver.take<std::int16_t>(columns);
    found.second_sum = carver.take<std::int16_t>(columns);
    found.right_disparity = carver.take<std::int32_t>(columns);
    disparity = carver.take<std::uint16_t>(columns);
    confidence = carver.take<std::uint8_t>(columns);
    return carver.used();
  }
  void prepare(const PairLayout& layout) { carve(layout, memory.ensure(carve(layout, nullptr))); }
};

// Null where there is no mask.
const std::byte* mask_row(const DepthView& mask, int row) {
  return mask.data == nullptr ? nullptr : mask.row(row);
}

}  // namespace

struct EngineImpl {
  ThreadPool pool;
  std::vector<Worker> workers;
  GrowBuffer<std::byte> memory;
  Shared shared;
  SpeckleScratch speckles;

  void prepare(const PairLayout& layout, const Parameters& parameters);
  void transform(const Pair& pair, const PairLayout& layout, unsigned threads);
  void follow_paths(const Pair& pair, const PairLayout& layout, const Parameters& parameters,
                    bool second, unsigned threads, const MutableDepthView& checked,
                    const Result& result);
};

void EngineImpl::prepare(const PairLayout& layout, const Parameters& parameters) {
  shared.carve(layout, memory.ensure(shared.carve(layout, nullptr)));
  for (Worker& worker : workers) worker.prepare(layout);
  const int stripes = layout.stripes.stripes;
  for (int i = 0; i < layout.stripes.bytes(); ++i) {
    const int d = i % layout.stripes.lanes * stripes + i / layout.stripes.lanes;
    shared.padding[i] = d < parameters.disparities ? 0 : 255;
    const int word_lanes = layout.stripes.lanes / 2;
    shared.disparity_numbers[i] =
        static_cast<std::int16_t>(i % word_lanes * 2 * stripes + i / word_lanes);
  }
}

// The census of both views.
void EngineImpl::transform(const Pair& pair, const PairLayout& layout, unsigned threads) {
  for_bands(&pool, layout.height, kCensusBand, threads, [&](int first, int end, unsigned worker) {
    std::uint8_t* const scratch = workers[worker].census;
    census_rows(pair.left, {}, layout.left, first, end, scratch,
                shared.left + size_of(first) * layout.left.row_bytes());
    census_rows(pair.right, pair.right_mask, layout.right, first, end, scratch,
                shared.right + size_of(first) * layout.right.row_bytes());
  });
}

// Runs one of the passes. A row's paths need the previous row, one column ahead. So threads take
// rows in turn; each waits only for the thread of the previous row, which is always running. The
// order of the work does not affect the result.
void EngineImpl::follow_paths(const Pair& pair, const PairLayout& layout,
                              const Parameters& parameters, bool second, unsigned threads,
                              const MutableDepthView& checked, const Result& result) {
  const int width = layout.width;
  const int height = layout.height;
  const std::size_t bytes = size_of(layout.stripes.bytes());
  std::memset(shared.vertical, 0, size_of(width) * bytes);
  if (layout.paths == 8) {
    std::memset(shared.falling, 0, size_of(width + height) * bytes);
    std::memset(shared.rising, 0, size_of(width + height) * bytes);
  }
  for (int i = 0; i < height; ++i) shared.progress[i * kProgressStride] = 0;

  std::atomic<int> next_row{0};
  const auto work = [&](unsigned, unsigned, unsigned index) {
    Worker& worker = workers[index];
    PathRow row = worker.found;
    row.layout = layout.stripes;
    row.width = width;
    row.disparities = parameters.disparities;
    row.min_disparity = parameters.min_disparity;
    row.paths = layout.paths;
    row.p1 = static_cast<std::uint8_t>(parameters.p1);
    row.p2 = static_cast<std::uint8_t>(parameters.p2);
    row.wide = layout.wide;
    row.second = second;
    row.masked = pair.right_mask.data != nullptr;
    row.left_part = layout.left.part();
    row.right_phase = layout.right.phase;
    row.right_ahead = layout.right.ahead;
    row.padding = shared.padding;
    row.disparity_numbers = shared.disparity_numbers;
    row.horizontal = worker.horizontal;
    row.vertical = shared.vertical;
    for (;;) {
      const int number = next_row.fetch_add(1, std::memory_order_relaxed);
      if (number >= height) return;
      const int y = second ? height - 1 - number : number;
      row.left = shared.left + size_of(y) * layout.left.row_bytes();
      row.right = shared.right + size_of(y) * layout.right.row_bytes();
      row.sums = shared.sums + size_of(y) * size_of(width) * layout.cell;
      if (layout.paths == 8) {
        // A diagonal keeps its slot: its column in the last row, or in the first.
        row.falling = shared.falling + size_of(height - 1 - number) * bytes;
        row.rising = shared.rising + size_of(number) * bytes;
      }
      std::memset(row.horizontal, 0, bytes);
      if (second) {
        std::fill_n(row.right_sums, 2 * bytes + size_of(layout.stripes.lanes), INT16_MAX);
        std::fill_n(row.right_best, 2 * bytes, 0);
      }
      std::int32_t* const progress = shared.progress + number * kProgressStride;
      for (int first = 0; first < width; first += kPathColumns) {
        const int end = std::min(first + kPathColumns, width);
        if (threads > 1 && number > 0) {
          wait_for_progress(progress - kProgressStride, std::min(end + 1, width));
        }
        path_columns(row, first, end);
        if (threads > 1) {
          publish_progress(progress, end);
        }
      }
      if (!second) continue;
      disparity_row(row, parameters, mask_row(pair.left_mask, y), mask_row(pair.right_mask, y),
                    worker.disparity, worker.confidence);
      std::memcpy(checked.row(y), worker.disparity, 2 * size_of(width));
      if (result.confidence.data == nullptr) continue;
      std::memcpy(result.confidence.row(y), worker.confidence, size_of(width));
    }
  };
  pool.run(threads, threads, work);
}

Counts Engine::match(const Pair& pair, const Parameters& parameters, const Result& result) {
  const int width = pair.left.width;
  const int height = pair.left.height;
  const PairLayout layout(width, height, parameters);
  EngineImpl& impl = *impl_;
  impl.prepare(layout, parameters);
  if (parameters.speckle_size > 1) impl.speckles.prepare(width, height);
  const auto threads = static_cast<unsigned>(
      std::min<std::size_t>(impl.pool.size(), 1 + layout.cells() / kCellsPerThread));

  MutableDepthView checked = result.disparity;
  if (parameters.median != 0) {
    checked = {impl.shared.checked, impl.shared.checked_stride, width, height, SampleType::kU16};
    // Zero rows: only allocates, so that allocation does not depend on the timing of threads.
    for (Worker& worker : impl.workers) {
      median_rows(checked, parameters.median, 0, 0, result.disparity, &worker.median);
    }
  }
  impl.transform(pair, layout, threads);
  impl.follow_paths(pair, layout, parameters, false, threads, checked, result);
  impl.follow_paths(pair, layout, parameters, true, threads, checked, result);
  if (parameters.median != 0) {
    for_bands(&impl.pool, height, kCensusBand, threads, [&](int first, int end, unsigned worker) {
      median_rows(checked, parameters.median, first, end, result.disparity,
                  &impl.workers[worker].median);
      if (pair.left_mask.data == nullptr) return;
      // The median has filled some unseen pixels.
      for (int row = first; row < end; ++row) {
        hide_row(pair.left_mask.row(row), width, result.disparity.row(row));
      }
    });
  }
  remove_speckles(result.disparity, parameters.speckle_size, WithinRange{parameters.speckle_range},
                  &impl.speckles);

  Counts counts;
  const int largest = parameters.largest_sample();
  for (int row = 0; row < height; ++row) {
    const std::byte* const disparities = result.disparity.row(row);
    std::byte* const confidence =
        result.confidence.data == nullptr ? nullptr : result.confidence.row(row);
    for (int column = 0; column < width; ++column) {
      std::uint16_t disparity;
      std::memcpy(&disparity, disparities + 2 * static_cast<std::ptrdiff_t>(column),
                  sizeof disparity);
      counts.known += disparity != 0;
      counts.saturated += disparity >= largest;
      if (confidence != nullptr && disparity == 0) confidence[column] = std::byte{0};
    }
  }
  return counts;
}

std::size_t Engine::memory_for(int width, int height, const Parameters& parameters) {
  const PairLayout layout(width, height, parameters);
  return Shared().carve(layout, nullptr) + Worker().carve(layout, nullptr) +
         (parameters.speckle_size > 1
              ? SpeckleScratch::most_runs(width, height) * sizeof(SpeckleRun)
              : 0);
}

}  // namespace rdp::stereo

template class rdp::ThreadedEngine<rdp::stereo::EngineImpl>;
