// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_KERNELS_ALIGN_ALIGN_PIXEL_H_
#define RDP_KERNELS_ALIGN_ALIGN_PIXEL_H_

#include <cstddef>
#include <cstdint>

#include "common/align/picture.h"
#include "common/align/rules.h"
#include "common/host_device.h"
#include "common/points/rays.h"
#include "kernels/align/align_arguments.h"

// Work of a thread of the kernels rdp_align_*, for one pixel.
namespace rdp::cuda {

constexpr std::uint32_t kAlignUnknown = 0xFFFFFFFF;

// The depth of a pixel; NaN: none.
RDP_HOST_DEVICE inline double align_depth(const AlignArguments& a, int x, int y) {
  const unsigned char* const row = a.depth + y * a.pitch;
  return a.depths[a.sample_bytes == 1 ? row[x] : reinterpret_cast<const std::uint16_t*>(row)[x]];
}

// The point at depth z on the ray of pixel (x, y). `columns`: of the ray table.
RDP_HOST_DEVICE inline Point align_point(const AlignArguments& a, const AlignRays& rays,
                                         int columns, int x, int y, double z) {
  const points::RayLayout layout(columns, 0, a.each_pixel);
  const double ray_x = rays.x[layout.x_of_row(y) + static_cast<std::size_t>(x)];
  const double ray_y = rays.y[layout.y_of_row(y) + static_cast<std::size_t>(a.each_pixel ? x : 0)];
  return align::moved(a.movement, align::turned(a.movement, ray_x, ray_y), z);
}

// Clips a span to a frame.
RDP_HOST_DEVICE inline align::Span align_cut(const align::Span& span, int side) {
  return {span.first < 0 ? 0 : span.first, span.end > side ? side : span.end};
}

// Returns a pixel's sample in the target view, or 0 if it covers no pixel there. *columns and
// *rows: the covered target pixels, at least one.
RDP_HOST_DEVICE inline int align_cover(const AlignArguments& a, int x, int y, double z,
                                       align::Span* columns, align::Span* rows) {
  const int sample = align::sample_of_depth(align_point(a, a.centres, a.width, x, y, z).z, a.unit);
  if (sample == 0) return 0;
  const int corners = align::has_roll(a.movement) ? 4 : 2;
  align::Place least{}, most{};
  for (int i = 0; i < corners; ++i) {
    // Order: upper left, lower right, upper right, lower left.
    const int right = i == 1 || i == 2 ? 1 : 0;
    align::Place place;
    if (!align::find_place(align_point(a, a.corners, a.width + 1, x + right, y + i % 2, z),
                           a.target, &place)) {
      return 0;
    }
    if (i == 0) least = most = place;
    least = {place.u < least.u ? place.u : least.u, place.v < least.v ? place.v : least.v};
    most = {place.u > most.u ? place.u : most.u, place.v > most.v ? place.v : most.v};
  }
  *columns = align::span_of(least.u, most.u);
  *rows = align::span_of(least.v, most.v);
  if (columns->end - columns->first > align::kMaxSpan ||
      rows->end - rows->first > align::kMaxSpan) {
    return 0;
  }
  *columns = align_cut(*columns, a.target_width);
  *rows = align_cut(*rows, a.target_height);
  return columns->first < columns->end && rows->first < rows->end ? sample : 0;
}

// A sample of the target before its cracks are filled; 0: unknown, or outside of the frame.
RDP_HOST_DEVICE inline int align_nearest(const AlignArguments& a, int x, int y) {
  if (x < 0 || x >= a.target_width || y < 0 || y >= a.target_height) return 0;
  const std::uint32_t sample = a.nearest[static_cast<std::int64_t>(y) * a.target_width + x];
  return sample == kAlignUnknown ? 0 : static_cast<int>(sample);
}

RDP_HOST_DEVICE inline std::uint16_t* aligned_row(const AlignArguments& a, int y) {
  return reinterpret_cast<std::uint16_t*>(a.aligned + y * a.aligned_pitch);
}

// The sample of the result.
RDP_HOST_DEVICE inline std::uint16_t align_finished(const AlignArguments& a, int x, int y) {
  int sample = align_nearest(a, x, y);
  if (a.fill_cracks) {
    sample =
        align::without_crack(sample, align_nearest(a, x - 1, y), align_nearest(a, x + 1, y),
                             align_nearest(a, x, y - 1), align_nearest(a, x, y + 1), a.tolerance);
  }
  return static_cast<std::uint16_t>(sample);
}

// The colour of a pixel as a word; 0: the target does not see it.
RDP_HOST_DEVICE inline std::uint32_t align_colour(const AlignArguments& a, int x, int y) {
  const double z = align_depth(a, x, y);
  if (!(z > 0.0)) return 0;
  const Point centre = align_point(a, a.centres, a.width, x, y, z);
  const int sample = align::sample_of_depth(centre.z, a.unit);
  align::Place place;
  if (sample == 0 || !align::find_place(centre, a.target, &place)) return 0;
  const int column = align::nearest_pixel(place.u);
  const int row = align::nearest_pixel(place.v);
  if (column < 0 || column >= a.target_width || row < 0 || row >= a.target_height) return 0;
  const int seen = aligned_row(a, row)[column];
  if (seen != 0 && align::is_behind(sample, seen, a.tolerance)) return 0;
  return align::colour_at(a.picture, column, row);
}

}  // namespace rdp::cuda

#endif  // RDP_KERNELS_ALIGN_ALIGN_PIXEL_H_
