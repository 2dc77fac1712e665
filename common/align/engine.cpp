// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/align/engine.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/align/rows.h"
#include "common/filter/sample_plane.h"
#include "common/image/grow_buffer.h"
#include "common/image/row_bands.h"
#include "common/image/thread_pool.h"
#include "common/image/threaded_engine-inl.h"
#include "common/points/ray_tables.h"

namespace rdp::align {
namespace {

static_assert(points::RayTables::kPadding > kRowPadding);

struct Worker {
  GrowBuffer<std::uint16_t> samples;  // of a row of the source
  GrowBuffer<std::int16_t> cover;     // of a row of the source, if there is one thread
  GrowBuffer<std::uint16_t> line;     // of the target
  Counts counts;
};

std::size_t padded(int width) { return static_cast<std::size_t>(width + kRowPadding); }

// The row of memory with kCoverArrays arrays.
CoverRow cover_at(std::int16_t* memory, int width) {
  const std::size_t length = padded(width);
  return {memory, memory + length, memory + 2 * length, memory + 3 * length,
          reinterpret_cast<std::uint16_t*>(memory + 4 * length)};
}

// Samples of a row, with zeros behind.
const std::uint16_t* read_row(const DepthView& depth, int row, std::uint16_t* to) {
  const std::byte* const from = depth.row(row);
  if (depth.type == SampleType::kU16) {
    std::memcpy(to, from, 2 * static_cast<std::size_t>(depth.width));
  } else {
    for (int x = 0; x < depth.width; ++x) to[x] = std::to_integer<std::uint16_t>(from[x]);
  }
  std::fill_n(to + depth.width, kRowPadding, std::uint16_t{0});
  return to;
}

RayRow rays_of(const points::RayTables& tables, int row) {
  return {tables.x_of_row(row), tables.y_of_row(row), tables.each_pixel()};
}

}  // namespace

struct EngineImpl {
  void prepare(const DepthView& depth, const Parameters& p);
  SourceRow source_row(const DepthView& depth, int row, Worker* worker) const;
  void cover(const DepthView& depth, const Parameters& p, const MutableDepthView& aligned);
  void cover_alone(const DepthView& depth, const Parameters& p, const MutableDepthView& aligned);
  void finish(const Parameters& p, const MutableDepthView& aligned);
  // Calls body(first_row, end_row, worker) for bands of rows.
  template <typename Body>
  void spread(int height, const Body& body) {
    const int rows = std::max(8, height / (4 * static_cast<int>(pool.size())) + 1);
    for_bands(&pool, height, rows,
              [&](int first, int end, unsigned worker) { body(first, end, &workers[worker]); });
  }
  // A row of the target; -1 and `height` are valid, too.
  std::uint16_t* row(int number) { return nearest.row(number + 1); }
  void forget(int first, int end) {
    std::fill(row(first) - filter::kBlock, row(end) - filter::kBlock, kUnknownLessOne);
  }

  ThreadPool pool;
  std::vector<Worker> workers;
  points::RayTables centres;
  points::RayTables corners;
  filter::BorderedRows<std::uint16_t> nearest;  // the target's samples less 1
  std::ptrdiff_t stride = 0;
  GrowBuffer<std::int16_t> covers;  // of all rows of the source
  GrowBuffer<Span> covered_rows;    // by them
};

// All memory, so that nothing fails later.
void EngineImpl::prepare(const DepthView& depth, const Parameters& p) {
  centres.update(p.source, depth.width, depth.height, 0.0, &pool);
  for (Worker& worker : workers) {
    worker.samples.ensure(padded(depth.width));
    worker.cover.ensure(kCoverArrays * padded(depth.width));
    worker.counts = {};
  }
}

SourceRow EngineImpl::source_row(const DepthView& depth, int row, Worker* worker) const {
  return {read_row(depth, row, worker->samples.data()), depth.width, rays_of(centres, row),
          rays_of(corners, row), rays_of(corners, row + 1)};
}

void EngineImpl::cover_alone(const DepthView& depth, const Parameters& p,
                             const MutableDepthView& aligned) {
  const RowSteps& steps = row_steps();
  Worker& worker = workers[0];
  const CoverRow cover = cover_at(worker.cover.data(), depth.width);
  forget(0, aligned.height);
  for (int y = 0; y < depth.height; ++y) {
    const Span rows = steps.cover(source_row(depth, y, &worker), p, aligned.width, aligned.height,
                                  cover, &worker.counts);
    steps.paint(cover, depth.width, rows, row(0), stride);
  }
}

// Threads share the source's rows first, then the target's rows.
void EngineImpl::cover(const DepthView& depth, const Parameters& p,
                       const MutableDepthView& aligned) {
  const RowSteps& steps = row_steps();
  const auto cover_of = [&](int y) {
    return cover_at(
        covers.data() + static_cast<std::size_t>(y) * kCoverArrays * padded(depth.width),
        depth.width);
  };
  spread(depth.height, [&](int first, int end, Worker* worker) {
    for (int y = first; y < end; ++y) {
      covered_rows.data()[y] = steps.cover(source_row(depth, y, worker), p, aligned.width,
                                           aligned.height, cover_of(y), &worker->counts);
    }
  });
  spread(aligned.height, [&](int first, int end, Worker*) {
    forget(first, end);
    for (int y = 0; y < depth.height; ++y) {
      const Span& covered = covered_rows.data()[y];
      const Span rows{std::max(covered.first, first), std::min(covered.end, end)};
      if (rows.first < rows.end) steps.paint(cover_of(y), depth.width, rows, row(0), stride);
    }
  });
}

void EngineImpl::finish(const Parameters& p, const MutableDepthView& aligned) {
  const RowSteps& steps = row_steps();
  const filter::Tolerance tolerance = p.steps();
  spread(aligned.height, [&](int first, int end, Worker* worker) {
    std::uint16_t* const line = worker->line.data();
    for (int y = first; y < end; ++y) {
      if (p.fill_cracks) {
        steps.fill_cracks(row(y - 1), row(y), row(y + 1), aligned.width, tolerance, line);
      } else {
        std::transform(row(y), row(y) + aligned.width, line,
                       [](std::uint16_t sample) { return static_cast<std::uint16_t>(sample + 1); });
      }
      std::memcpy(aligned.row(y), line, 2 * static_cast<std::size_t>(aligned.width));
    }
  });
}

Counts Engine::align(const DepthView& depth, const Parameters& parameters,
                     const MutableDepthView& aligned) {
  EngineImpl& impl = *impl_;
  impl.prepare(depth, parameters);
  impl.corners.update(parameters.source, depth.width + 1, depth.height + 1, -0.5, &impl.pool);
  impl.nearest.resize(aligned.width, aligned.height + 2);
  impl.stride = static_cast<std::ptrdiff_t>(filter::with_borders(aligned.width));
  for (Worker& worker : impl.workers) worker.line.ensure(filter::in_blocks(aligned.width));
  const bool alone = impl.pool.size() == 1;
  if (!alone) {
    const auto height = static_cast<std::size_t>(depth.height);
    impl.covers.ensure(height * kCoverArrays * padded(depth.width));
    impl.covered_rows.ensure(height);
  }

  impl.forget(-1, 0);
  impl.forget(aligned.height, aligned.height + 1);
  if (alone) {
    impl.cover_alone(depth, parameters, aligned);
  } else {
    impl.cover(depth, parameters, aligned);
  }
  impl.finish(parameters, aligned);
  Counts counts;
  for (const Worker& worker : impl.workers) {
    counts.known += worker.counts.known;
    counts.landed += worker.counts.landed;
  }
  return counts;
}

void Engine::colour(const DepthView& depth, const Parameters& parameters, const DepthView& aligned,
                    const Picture& picture, const RgbaView& out) {
  EngineImpl& impl = *impl_;
  impl.prepare(depth, parameters);
  const filter::Tolerance tolerance = parameters.steps();
  const RowSteps& steps = row_steps();
  impl.spread(depth.height, [&](int first, int end, Worker* worker) {
    const CoverRow memory = cover_at(worker->cover.data(), depth.width);
    const PlaceRow places{memory.first_column, memory.first_row, memory.sample};
    for (int y = first; y < end; ++y) {
      const SourceRow row{read_row(depth, y, worker->samples.data()),
                          depth.width,
                          rays_of(impl.centres, y),
                          {},
                          {}};
      steps.place(row, parameters, aligned.width, aligned.height, places);
      std::byte* to = out.data + y * out.stride;
      for (int x = 0; x < depth.width; ++x, to += 4) {
        std::uint32_t word = 0;
        if (places.row[x] >= 0) {
          const int seen = aligned.at(places.row[x], places.column[x]);
          if (seen == 0 || !is_behind(places.sample[x], seen, tolerance)) {
            word = colour_at(picture, places.column[x], places.row[x]);
          }
        }
        std::memcpy(to, &word, sizeof word);
      }
    }
  });
}

}  // namespace rdp::align

template class rdp::ThreadedEngine<rdp::align::EngineImpl>;
