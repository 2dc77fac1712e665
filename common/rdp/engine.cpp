// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/engine.h"

#include <algorithm>
#include <utility>

#include "common/image/float_environment.h"
#include "common/image/inverse_depth.h"
#include "common/image/join_columns.h"
#include "common/image/median.h"
#include "common/image/thread_pool.h"
#include "common/image/threaded_engine-inl.h"
#include "common/image/transpose.h"
#include "common/rdp/merge.h"
#include "common/rdp/reconstruct.h"
#include "common/rdp/split_columns.h"

namespace rdp {
namespace {

// The number of segments between `vertices` vertices: a single vertex is a segment of one row.
std::uint32_t segments_of_vertices(std::uint32_t vertices) {
  return vertices > 1 ? vertices - 1 : vertices;
}

// Writes the segments between the `count` vertices of one column to `out`.
void expand_segments(const PackedSample* vertices, std::uint32_t count, Segment* out) {
  if (count == 0) return;
  auto row = static_cast<std::uint16_t>(packed_row(vertices[0]));
  auto value = static_cast<float>(packed_value(vertices[0]));
  if (count == 1) {
    *out = {row, row, value, value};
    return;
  }
  for (std::uint32_t i = 1; i < count; ++i) {
    const auto last_row = static_cast<std::uint16_t>(packed_row(vertices[i]));
    const auto last_value = static_cast<float>(packed_value(vertices[i]));
    *out++ = {row, last_row, value, last_value};
    row = last_row;
    value = last_value;
  }
}

// Work on fewer samples than this ends before another thread has woken up.
constexpr std::size_t kSamplesPerThread = 16384;
// The same for segments that are written to their final place.
constexpr std::size_t kSegmentsPerThread = 8192;

// Cuts a frame into pieces of work: neighbouring columns, as many as share a cache line of each row
// of 16-bit samples, so that every line is read by one thread, once.
struct Strips {
  static constexpr int kFrameColumns = 32;

  Strips(const DepthView& frame, int column_width)
      : width(std::max(1, kFrameColumns / column_width)),
        columns((frame.width + column_width - 1) / column_width),
        count(static_cast<unsigned>((columns + width - 1) / width)) {}

  int first(unsigned strip) const { return static_cast<int>(strip) * width; }
  int size(unsigned strip) const { return std::min(width, columns - first(strip)); }

  int width;    // in segmented columns
  int columns;  // of the whole frame
  unsigned count;
};

// One thread's scratch memory.
struct Worker {
  GrowBuffer<std::uint16_t> columns;
  ColumnSplitter splitter;
  ColumnMerger merger;
  GrowBuffer<PackedSample> vertices;  // of a strip that goes on to the merger
  MedianScratch median;
  ReconstructScratch reconstruct;
};

// A frame of the engine's own, which a filter writes.
struct FilteredFrame {
  GrowBuffer<std::byte> memory;

  MutableDepthView like(const DepthView& frame, SampleType type) {
    constexpr std::ptrdiff_t kLine = GrowBuffer<std::byte>::kAlignment;
    const std::ptrdiff_t stride =
        (static_cast<std::ptrdiff_t>(frame.width) * bytes_per_sample(type) + kLine - 1) / kLine *
        kLine;
    return {memory.ensure(static_cast<std::size_t>(stride * frame.height)), stride, frame.width,
            frame.height, type};
  }
};

std::size_t sample_count(const DepthView& frame) {
  return static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(frame.height);
}

}  // namespace

struct EngineImpl {
  ThreadPool pool;
  std::vector<Worker> workers;
  InverseDepthTable inverse_table;
  FilteredFrame inverse;
  FilteredFrame median;
  // The frame that the last segment() call segmented if a filter was on.
  DepthView filtered;
  // The vertices of all columns: each strip has room for its maximum, but uses little of it. The
  // rest of this memory is never touched.
  GrowBuffer<PackedSample> vertices;
  // The same for the segments, where they are not the lines between the vertices.
  GrowBuffer<Segment> fitted;
  // The columns' content for a picture from above.
  GrowBuffer<std::uint32_t> seen;
  // For each column: the number of vertices, or that of `fitted`.
  GrowBuffer<std::uint32_t> counts;

  // Calls body(item, next, worker) for all items (see ThreadPool::run), in as many threads as the
  // whole work is worth.
  template <typename Body>
  void spread(unsigned items, std::size_t work, std::size_t work_per_thread, Body body) {
    const std::size_t threads = std::min<std::size_t>(pool.size(), 1 + work / work_per_thread);
    pool.run(items, static_cast<unsigned>(threads), body);
  }

  // Calls body(first_row, end_row, worker) for all rows of a frame.
  template <typename Body>
  void spread_rows(const DepthView& frame, Body body) {
    constexpr int kRows = 16;
    spread(static_cast<unsigned>((frame.height + kRows - 1) / kRows), sample_count(frame),
           kSamplesPerThread, [&](unsigned band, unsigned, unsigned worker) {
             const int first = static_cast<int>(band) * kRows;
             body(first, std::min(first + kRows, frame.height), worker);
           });
  }

  DepthView filter(const DepthView& frame, const Parameters& parameters);
  void split(const DepthView& frame, const KnownRange& known, const Parameters& parameters,
             SegmentList* result);
};

DepthView EngineImpl::filter(const DepthView& frame, const Parameters& parameters) {
  DepthView current = frame;
  if (parameters.domain == Domain::kInverse) {
    inverse_table.update(inverse_depth_of(parameters), frame.type);
    const MutableDepthView out = inverse.like(frame, SampleType::kU16);
    spread_rows(frame, [&](int first, int end, unsigned) {
      inverse_depth_rows(current, inverse_table, first, end, out);
    });
    current = out;
  }
  if (parameters.median != Median::kNone) {
    const int side = static_cast<int>(parameters.median);
    const MutableDepthView out = median.like(current, current.type);
    // No rows: only allocates the scratch memory of all workers, so that it does not depend on
    // which of them take part.
    for (Worker& worker : workers) median_rows(current, side, 0, 0, out, &worker.median);
    spread_rows(frame, [&](int first, int end, unsigned worker) {
      median_rows(current, side, first, end, out, &workers[worker].median);
    });
    current = out;
  }
  return current;
}

void EngineImpl::split(const DepthView& frame, const KnownRange& known,
                       const Parameters& parameters, SegmentList* result) {
  const SegmentRules rules = segment_rules(parameters);
  const int group = parameters.column_width;
  const Strips strips(frame, group);
  const std::size_t strip_vertices =
      static_cast<std::size_t>(strips.width) * static_cast<std::size_t>(frame.height) +
      kPackedSlack;
  if (rules.plain()) {
    vertices.ensure(strips.count * strip_vertices);
  } else {
    fitted.ensure(strips.count * strip_vertices);
  }
  counts.ensure(static_cast<std::size_t>(strips.columns));
  // Rows are taken in pieces that stay in the first-level cache between the steps.
  constexpr int kRows = 128;
  const std::ptrdiff_t stride = column_stride(kRows);
  for (Worker& worker : workers) {
    worker.columns.ensure(static_cast<std::size_t>(Strips::kFrameColumns * stride));
    worker.splitter.prepare(strips.width, frame.height);
    if (rules.plain()) continue;
    worker.merger.prepare(frame.height);
    worker.vertices.ensure(strip_vertices);
  }

  const auto split_strip = [&](unsigned strip, unsigned next, unsigned worker) {
    Worker& mine = workers[worker];
    const int first = strips.first(strip);
    const int first_source = first * group;
    const int end_source = std::min((first + strips.size(strip)) * group, frame.width);
    const ColumnBlock source{mine.columns.data(), stride};
    const ColumnBlock block{source.data, stride * group};
    mine.splitter.clear();
    for (int row = 0; row < frame.height; row += kRows) {
      const DepthView piece{frame.row(row), frame.stride, frame.width,
                            std::min(kRows, frame.height - row), frame.type};
      transpose_columns(piece, first_source, end_source - first_source,
                        next < strips.count ? strips.first(next) * group : -1, source);
      for (int c = 0; group > 1 && c < strips.size(strip); ++c) {
        const std::uint16_t* sources[kMaxColumnWidth];
        const int count = std::min(group, end_source - (first + c) * group);
        for (int i = 0; i < count; ++i) sources[i] = source.data + (c * group + i) * stride;
        join_columns(sources, count, piece.height, known, block.data + c * block.stride);
      }
      mine.splitter.pack(block, strips.size(strip), row, piece.height, known);
    }
    std::uint32_t* const count = counts.data() + first;
    if (rules.plain()) {
      mine.splitter.split(strips.size(strip), rules.epsilon256, 0,
                          vertices.data() + strip * strip_vertices, count);
      return;
    }
    mine.splitter.split(strips.size(strip), rules.epsilon256, rules.max_gap, mine.vertices.data(),
                        count);
    const PackedSample* vertex = mine.vertices.data();
    Segment* out = fitted.data() + strip * strip_vertices;
    for (int c = 0; c < strips.size(strip); ++c) {
      const std::uint32_t vertex_count = count[c];
      count[c] = mine.merger.fit(mine.splitter.samples(c), vertex, vertex_count, rules, out);
      vertex += vertex_count;
      out += count[c];
    }
  };
  spread(strips.count, sample_count(frame), kSamplesPerThread, split_strip);

  std::uint32_t* offsets = result->resize_columns(strips.columns);
  offsets[0] = 0;
  for (int c = 0; c < strips.columns; ++c) {
    const std::uint32_t count = counts.data()[c];
    offsets[c + 1] = offsets[c] + (rules.plain() ? segments_of_vertices(count) : count);
  }
  Segment* segments = result->resize_segments();
  const auto expand_strip = [&](unsigned strip, unsigned, unsigned) {
    const int first = strips.first(strip);
    const int end = first + strips.size(strip);
    if (!rules.plain()) {
      const Segment* from = fitted.data() + strip * strip_vertices;
      std::copy(from, from + (offsets[end] - offsets[first]), segments + offsets[first]);
      return;
    }
    const PackedSample* vertex = vertices.data() + strip * strip_vertices;
    for (int c = first; c < end; ++c) {
      expand_segments(vertex, counts.data()[c], segments + offsets[c]);
      vertex += counts.data()[c];
    }
  };
  spread(strips.count, result->segment_count(), kSegmentsPerThread, expand_strip);
}

static_assert(kMaxThreads == ThreadPool::kMaxThreads);

void Engine::segment(const DepthView& frame, const Parameters& parameters, SegmentList* result) {
  with_standard_floats([&] {
    impl_->filtered = impl_->filter(frame, parameters);
    impl_->split(impl_->filtered, segmented_known_range(parameters, frame.type), parameters,
                 result);
  });
}

void Engine::reconstruct(const MutableDepthView& frame, const Parameters& parameters,
                         const SegmentList& segments) {
  const bool was_filtered =
      parameters.domain == Domain::kInverse || parameters.median != Median::kNone;
  const DepthView source = was_filtered ? impl_->filtered : DepthView(frame);
  const Strips strips(frame, parameters.column_width);
  for (Worker& worker : impl_->workers) {
    reconstruct_columns(source, segments, parameters, 0, 0, frame, &worker.reconstruct);
  }
  with_standard_floats([&] {
    impl_->spread(strips.count, sample_count(frame), kSamplesPerThread,
                  [&](unsigned strip, unsigned, unsigned worker) {
                    const int first = strips.first(strip);
                    reconstruct_columns(source, segments, parameters, first,
                                        first + strips.size(strip), frame,
                                        &impl_->workers[worker].reconstruct);
                  });
  });
}

void Engine::paint(const DepthView& frame, const SegmentList& segments,
                   const Parameters& parameters, const OverlayOptions& options,
                   const RgbaView& picture) {
  OverlayLook look = overlay_look(frame, segments, parameters, options);
  const Strips strips(frame, parameters.column_width);
  if (look.style == OverlayStyle::kBirdsEye) {
    std::uint32_t* const seen = impl_->seen.ensure(
        birdseye_words(static_cast<std::size_t>(segments.columns()), frame.height));
    impl_->spread(strips.count, segments.segment_count(), kSegmentsPerThread,
                  [&](unsigned strip, unsigned, unsigned) {
                    const int first = strips.first(strip);
                    see_columns(segments, look, frame.height, first, first + strips.size(strip),
                                seen);
                  });
    look.seen = seen;
  }
  impl_->spread(strips.count, sample_count(frame), kSamplesPerThread,
                [&](unsigned strip, unsigned, unsigned) {
                  const int first = strips.first(strip) * parameters.column_width;
                  const int size = strips.size(strip) * parameters.column_width;
                  paint_overlay(frame, segments, parameters, look, first,
                                std::min(first + size, frame.width), picture);
                });
}

}  // namespace rdp

template class rdp::ThreadedEngine<rdp::EngineImpl>;
