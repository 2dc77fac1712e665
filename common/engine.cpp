// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/engine.h"

#include <algorithm>

#include "common/expand_segments.h"
#include "common/reference.h"
#include "common/simd.h"
#include "common/split_columns.h"
#include "common/thread_pool.h"
#include "common/transpose.h"

namespace rdp {
namespace {

// Fewer samples than this are done before another thread has woken up.
constexpr std::size_t kSamplesPerThread = 16384;
// The same for segments that are written to their final place.
constexpr std::size_t kSegmentsPerThread = 8192;

// How a frame is cut into pieces of work: neighbouring columns, as many as share a cache line of
// each row, so that every line is read by one thread, once.
struct Strips {
  Strips(const DepthView& frame, int column_width)
      : width(std::max(1, 64 / bytes_per_sample(frame.type) / column_width)),
        columns((frame.width + column_width - 1) / column_width),
        count(static_cast<unsigned>((columns + width - 1) / width)) {}

  int first(unsigned strip) const { return static_cast<int>(strip) * width; }
  int size(unsigned strip) const { return std::min(width, columns - first(strip)); }

  int width;    // in segmented columns
  int columns;  // of the whole frame
  unsigned count;
};

// What one thread works in.
struct Worker {
  GrowBuffer<std::uint16_t> columns;
  SplitScratch split;
};

}  // namespace

struct Engine::Impl {
  ThreadPool pool;
  std::vector<Worker> workers;
  GrowBuffer<PackedSample> vertices;  // each strip has a place for as many as it can have
  GrowBuffer<std::uint32_t> vertex_counts;
  reference::Frame filtered;

  unsigned threads_for(std::size_t work, std::size_t work_per_thread) const {
    return static_cast<unsigned>(std::min<std::size_t>(pool.size(), 1 + work / work_per_thread));
  }

  void split(const DepthView& frame, const Parameters& parameters, SegmentList* result);
};

void Engine::Impl::split(const DepthView& frame, const Parameters& parameters,
                         SegmentList* result) {
  const KnownRange known = segmented_known_range(parameters, frame.type);
  const std::int64_t eps256 = epsilon256(parameters);
  const Strips strips(frame, 1);
  const std::ptrdiff_t stride = column_stride(frame.height);
  const std::size_t strip_vertices =
      static_cast<std::size_t>(strips.width) * static_cast<std::size_t>(frame.height) +
      kPackedSlack;
  vertices.ensure(strips.count * strip_vertices);
  vertex_counts.ensure(static_cast<std::size_t>(strips.columns));
  for (Worker& worker : workers) {
    worker.columns.ensure(static_cast<std::size_t>(strips.width * stride));
    worker.split.prepare(frame.height);
  }

  auto split_strip = [&](unsigned strip, unsigned next, unsigned worker) {
    Worker& mine = workers[worker];
    const ColumnBlock block{mine.columns.data(), stride};
    const int first = strips.first(strip);
    const int count = strips.size(strip);
    transpose_columns(frame, first, count, next < strips.count ? strips.first(next) : -1, block);
    split_columns(block, count, frame.height, known, eps256, &mine.split,
                  vertices.data() + strip * strip_vertices, vertex_counts.data() + first);
  };
  const std::size_t samples =
      static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(frame.height);
  pool.run(strips.count, threads_for(samples, kSamplesPerThread), split_strip);

  std::uint32_t* offsets = result->resize_columns(strips.columns);
  offsets[0] = 0;
  for (int c = 0; c < strips.columns; ++c) {
    offsets[c + 1] = offsets[c] + segments_of_vertices(vertex_counts.data()[c]);
  }
  Segment* segments = result->resize_segments();
  auto expand_strip = [&](unsigned strip, unsigned, unsigned) {
    const PackedSample* vertex = vertices.data() + strip * strip_vertices;
    const int first = strips.first(strip);
    for (int c = first; c < first + strips.size(strip); ++c) {
      expand_segments(vertex, vertex_counts.data()[c], segments + offsets[c]);
      vertex += vertex_counts.data()[c];
    }
  };
  pool.run(strips.count, threads_for(result->segment_count(), kSegmentsPerThread), expand_strip);
}

Engine::Engine(unsigned threads) : impl_(std::make_unique<Impl>()) {
  apply_simd_environment();
  set_threads(threads);
}

Engine::~Engine() = default;

void Engine::set_threads(unsigned threads) {
  impl_->workers.resize(0);
  impl_->pool.resize(threads == 0 ? usable_processors() : threads);
  impl_->workers.resize(impl_->pool.size());
}

unsigned Engine::threads() const { return impl_->pool.size(); }

void Engine::segment(const DepthView& frame, const Parameters& parameters, SegmentList* result) {
  if (parameters.domain == Domain::kLinear && parameters.median == Median::kNone &&
      parameters.column_width == 1) {
    impl_->split(frame, parameters, result);
    return;
  }
  impl_->filtered = reference::filter(frame, parameters);
  reference::segment(impl_->filtered.view(), segmented_known_range(parameters, frame.type),
                     epsilon256(parameters), result);
}

void Engine::reconstruct(const MutableDepthView& frame, const Parameters& parameters,
                         const SegmentList& segments) {
  reference::reconstruct(reference::filter(frame, parameters), segments, parameters, frame);
}

void Engine::paint(const DepthView& frame, const SegmentList& segments,
                   const Parameters& parameters, const OverlayOptions& options,
                   const RgbaView& picture) {
  paint_overlay(frame, segments, parameters, options.style,
                palette_range(frame, parameters, options), 0, frame.width, picture);
}

}  // namespace rdp
