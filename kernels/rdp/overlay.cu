// SPDX-License-Identifier: LGPL-2.1-or-later
// The overlay's pictures: see common/rdp/overlay.cpp. Each thread walks down a few rows of one
// column, and a warp along 32 neighbouring columns, so that rows are read and written together.
#include <cstdint>

#include "common/rdp/overlay_pixels.h"
#include "kernels/primitives/rank.cuh"
#include "kernels/rdp/birdseye.cuh"
#include "kernels/rdp/find_ground.cuh"
#include "kernels/rdp/overlay_arguments.h"
#include "kernels/rdp/segment_cursor.cuh"

namespace rdp::cuda {
namespace {

__device__ constexpr PaleColours kColours = make_pale_colours();
__device__ constexpr Colours kGreys = make_greys();
__device__ constexpr ClassColours kClassColours = make_class_colours();

__device__ std::uint32_t load_sample(const unsigned char* row, int x, std::uint32_t sample_bytes) {
  return sample_bytes == 1 ? __ldg(row + x)
                           : __ldg(reinterpret_cast<const std::uint16_t*>(row) + x);
}

// The number of rows that a thread loads at a time, while it paints those before.
constexpr int kBatch = 4;

template <typename Sample>
__device__ void load_batch(const PaintArguments& a, int x, int y, std::uint32_t* samples) {
#pragma unroll
  for (int i = 0; i < kBatch; ++i) {
    // Beyond the last row, repeats that row.
    const unsigned char* row = a.frame + min(y + i, a.height - 1) * a.pitch;
    samples[i] = __ldg(reinterpret_cast<const Sample*>(row) + x);
  }
}

// The part of a picture for a thread of the painters.
struct Strip {
  int x, y, rows;
  PaletteRange range;

  __device__ explicit Strip(const PaintArguments& a)
      : x(static_cast<int>(blockIdx.x) * kPaintColumns + static_cast<int>(threadIdx.x % 32)),
        y(static_cast<int>(blockIdx.y) * kPaintRows +
          static_cast<int>(threadIdx.x / 32) * kPaintRowsOfThread),
        // is_truncated() needs all threads of the warp.
        rows(!is_truncated(a.list) && x < a.width ? min(kPaintRowsOfThread, a.height - y) : 0),
        range(a.range.get()) {}
};

// Calls paint(row, sample, known) for each row of the strip and writes what it returns.
template <typename Paint>
__device__ void paint_rows(const PaintArguments& a, const Strip& strip, Paint paint) {
  const auto load = [&](int y, std::uint32_t* samples) {
    if (a.sample_bytes == 1) {
      load_batch<std::uint8_t>(a, strip.x, y, samples);
    } else {
      load_batch<std::uint16_t>(a, strip.x, y, samples);
    }
  };
  const int end = strip.y + strip.rows;
  std::uint32_t next[kBatch];
  load(strip.y, next);
#pragma unroll 1
  for (int y = strip.y; y < end; y += kBatch) {
    std::uint32_t samples[kBatch];
#pragma unroll
    for (int i = 0; i < kBatch; ++i) samples[i] = next[i];
    load(y + kBatch, next);
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
      const int row = y + i;
      if (row >= end) break;
      const bool known = samples[i] >= a.known_first && samples[i] <= a.known_last;
      const Pixel pixel = paint(row, samples[i], known);
      reinterpret_cast<Pixel*>(a.picture + row * a.picture_pitch)[strip.x] = pixel;
    }
  }
}

// The colour of a sample from a table.
__device__ Pixel sample_colour(const PaintArguments& a, const PaletteRange& range,
                               const Colours& colours, std::uint32_t sample, bool known) {
  const float value =
      a.inverse != 0 ? painted_inverse(sample, a.inverse_scale) : static_cast<float>(sample);
  const float position = palette_position(value, range);
  return known ? colours.entry[palette_entry(position)] : kUnknownPixel;
}

// Paints the segments of the strip's column; colours_of(segment) says in which colours.
template <typename ColoursOf>
__device__ void paint_lines(const PaintArguments& a, const Strip& strip, ColoursOf colours_of) {
  SegmentCursor segment(a.list.of_frame(a.slice), strip.x / a.column_width, strip.y);
  const auto line_of = [&] {
    return PaletteLine(segment.length(), segment.first_value, segment.last_value, strip.range);
  };
  PaletteLine line = line_of();
  const Colours* colours = colours_of(segment);
  paint_rows(a, strip, [&](int row, std::uint32_t, bool known) {
    if (segment.advance(row)) {
      line = line_of();
      colours = colours_of(segment);
    }
    if (!segment.has(row)) return kUnknownPixel;
    Pixel pixel = colours->entry[line.entry(row - segment.first_row)];
    if (row == segment.first_row || row == segment.last_row) pixel = darkened(pixel);
    return known ? pixel : bridged(pixel);
  });
}

// inverse_of_depth() of a known depth: see common/image/inverse_depth.h.
__device__ double inverse_of_depth(int z, double inverse_scale) {
  if (z == 0) return 65535.0;
  const double u = inverse_scale / z;
  const double whole = floor(u);
  const double rounded = u - whole >= 0.5 ? whole + 1.0 : whole;
  return rounded < 1.0 ? 1.0 : rounded > 65535.0 ? 65535.0 : rounded;
}

// From the 1st to the 99th percentile of a grid of samples, found by their upper and then their
// lower bytes.
__device__ void find_palette_range(const PaletteRangeArguments& a) {
  constexpr int kGrid = 64;
  constexpr int kOfThread = kGrid * kGrid / kPaletteRangeThreads;
  __shared__ int counts[3][256];  // of upper bytes; of lower ones below either upper byte
  __shared__ int known;
  __shared__ Ranked upper[2];
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < 3 * 256; i += kPaletteRangeThreads) counts[i / 256][i % 256] = 0;
  if (thread == 0) known = 0;
  __syncthreads();
  const int row_step = (a.height + kGrid - 1) / kGrid;
  const int column_step = (a.width + kGrid - 1) / kGrid;
  int samples[kOfThread];
#pragma unroll
  for (int i = 0; i < kOfThread; ++i) {
    const int place = i * kPaletteRangeThreads + thread;
    const int row = row_step / 2 + place / kGrid * row_step;
    const int column = column_step / 2 + place % kGrid * column_step;
    samples[i] = -1;
    if (row >= a.height || column >= a.width) continue;
    const std::uint32_t sample = load_sample(a.frame + row * a.pitch, column, a.sample_bytes);
    if (sample < a.known_first || sample > a.known_last) continue;
    samples[i] = static_cast<int>(sample);
    atomicAdd(&counts[0][sample >> 8], 1);
    atomicAdd(&known, 1);
  }
  __syncthreads();
  if (known == 0) {
    if (thread == 0) *a.range = PaletteRange{};
    return;
  }
  const int ranks[2] = {known / 100, known - 1 - known / 100};
  if (thread < 32) {
    for (int end = 0; end < 2; ++end) {
      const Ranked found = find_rank(counts[0], ranks[end]);
      if (thread == 0) upper[end] = found;
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kOfThread; ++i) {
    if (samples[i] < 0) continue;
    for (int end = 0; end < 2; ++end) {
      if (samples[i] >> 8 == upper[end].number) atomicAdd(&counts[1 + end][samples[i] & 255], 1);
    }
  }
  __syncthreads();
  if (thread >= 32) return;
  int ends[2];
  for (int end = 0; end < 2; ++end) {
    const Ranked found = find_rank(counts[1 + end], ranks[end] - upper[end].before);
    ends[end] = upper[end].number << 8 | found.number;
  }
  if (thread > 0) return;
  *a.range = a.inverse != 0 ? palette_range_between(inverse_of_depth(ends[1], a.inverse_scale),
                                                    inverse_of_depth(ends[0], a.inverse_scale))
                            : palette_range_between(ends[0], ends[1]);
}

}  // namespace
}  // namespace rdp::cuda

extern "C" __global__ void __launch_bounds__(1)
    rdp_birdseye_scale(const rdp::cuda::BirdseyeArguments a) {
  *a.scale_of_frame =
      rdp::birdseye_scale(rdp::range_of_frame(*a.range_of_frame, a.camera.depth), a.height, a.zoom);
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kBirdseyeThreads, 4)
    rdp_birdseye_columns(const rdp::cuda::BirdseyeArguments a) {
  rdp::cuda::see_column(a);
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kBirdseyeThreads)
    rdp_birdseye_picture(const rdp::cuda::BirdseyeArguments a) {
  rdp::cuda::paint_from_above(a);
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kPaletteRangeThreads)
    rdp_palette_range(const rdp::cuda::PaletteRangeArguments a) {
  rdp::cuda::find_palette_range(a);
}

// The number of blocks of a multiprocessor is given where ptxas would rather spill to have more of
// them.
extern "C" __global__ void __launch_bounds__(rdp::cuda::kFindGroundThreads, 1)
    rdp_find_ground(const rdp::cuda::FindGroundArguments a) {
  rdp::cuda::find_ground(a);
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kPaintThreads)
    rdp_paint_segments(const rdp::cuda::PaintArguments a) {
  using namespace rdp;
  using namespace rdp::cuda;
  const Strip strip(a);
  if (strip.rows <= 0) return;
  paint_lines(a, strip, [&](const SegmentCursor& segment) {
    return &rdp::cuda::kColours.level[pale_level(segment.length(), segment.first_value,
                                                 segment.last_value, strip.range, a.height)];
  });
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kPaintThreads)
    rdp_paint_classes(const rdp::cuda::PaintArguments a) {
  using namespace rdp;
  using namespace rdp::cuda;
  const Strip strip(a);
  if (strip.rows <= 0) return;
  const Ground ground = *a.ground;
  paint_lines(a, strip, [&](const SegmentCursor& segment) {
    const SegmentClass c = class_of(segment.first_row, segment.last_row, segment.first_value,
                                    segment.last_value, ground, a.rules);
    return &rdp::cuda::kClassColours.of[static_cast<int>(c)];
  });
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kPaintThreads)
    rdp_paint_classes_on_plane(const rdp::cuda::PaintArguments a) {
  using namespace rdp;
  using namespace rdp::cuda;
  const Strip strip(a);
  if (strip.rows <= 0) return;
  const int twice_column = twice_middle(strip.x / a.column_width, a.column_width, a.width);
  paint_lines(a, strip, [&](const SegmentCursor& segment) {
    const SegmentClass c = class_on_plane(segment.first_row, segment.last_row, segment.first_value,
                                          segment.last_value, twice_column, a.plane, a.rules);
    return &rdp::cuda::kClassColours.of[static_cast<int>(c)];
  });
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kPaintThreads)
    rdp_paint_depth(const rdp::cuda::PaintArguments a) {
  using namespace rdp;
  using namespace rdp::cuda;
  const Strip strip(a);
  if (strip.rows <= 0) return;
  paint_rows(a, strip, [&](int, std::uint32_t sample, bool known) {
    return sample_colour(a, strip.range, rdp::cuda::kColours.level[0], sample, known);
  });
}

extern "C" __global__ void __launch_bounds__(rdp::cuda::kPaintThreads)
    rdp_paint_edges(const rdp::cuda::PaintArguments a) {
  using namespace rdp;
  using namespace rdp::cuda;
  const Strip strip(a);
  if (strip.rows <= 0) return;
  SegmentCursor segment(a.list.of_frame(a.slice), strip.x / a.column_width, strip.y);
  paint_rows(a, strip, [&](int row, std::uint32_t sample, bool known) {
    segment.advance(row);
    const bool is_end = row == segment.first_row || row == segment.last_row;
    return segment.has(row) && is_end
               ? kEdgePixel
               : sample_colour(a, strip.range, rdp::cuda::kGreys, sample, known);
  });
}
