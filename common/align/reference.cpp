// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/align/reference.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "common/align/rules.h"

namespace rdp::align::reference {
namespace {

constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

// The point at depth z of a source position, not only a pixel's centre, in the target's axes.
bool find_point(double column, double row, double z, const Parameters& p, Point* point) {
  double x, y;
  if (!ray_of_pixel(column, row, p.source, &x, &y)) return false;
  *point = moved(p.movement, turned(p.movement, x, y), z);
  return true;
}

// The centre of a pixel, and its sample in the target; 0: it is left out.
int find_centre(int column, int row, double z, const Parameters& p, Point* centre) {
  if (!(z > 0.0) || !find_point(column, row, z, p, centre)) return 0;
  return sample_of_depth(centre->z, p.unit);
}

// The target's pixels that a pixel covers.
bool find_cover(int column, int row, double z, const Parameters& p, Span* columns, Span* rows) {
  Place least{}, most{};
  for (const int corner : {0, 3, 1, 2}) {
    Point point;
    Place place;
    if (corner == 1 && !has_roll(p.movement)) break;
    if (!find_point(column + corner % 2 - 0.5, row + corner / 2 - 0.5, z, p, &point)) return false;
    if (!find_place(point, p.target, &place)) return false;
    least = corner == 0 ? place : Place{std::min(least.u, place.u), std::min(least.v, place.v)};
    most = corner == 0 ? place : Place{std::max(most.u, place.u), std::max(most.v, place.v)};
  }
  *columns = span_of(least.u, most.u);
  *rows = span_of(least.v, most.v);
  return columns->end - columns->first <= kMaxSpan && rows->end - rows->first <= kMaxSpan;
}

// Calls body(column, row, z) for each pixel of the source.
template <typename Body>
void for_pixels(const DepthView& depth, const Parameters& p, const Body& body) {
  for (int row = 0; row < depth.height; ++row) {
    for (int column = 0; column < depth.width; ++column) {
      body(column, row, depth_of_value(depth.at(row, column), p.source.depth));
    }
  }
}

void fill_cracks(const std::vector<std::uint32_t>& in, const filter::Tolerance& tolerance,
                 const MutableDepthView& out) {
  const auto at = [&](int row, int column) {
    if (row < 0 || row >= out.height || column < 0 || column >= out.width) return 0;
    const std::uint32_t sample = in[static_cast<std::size_t>(row) * out.width + column];
    return sample == kUnknown ? 0 : static_cast<int>(sample);
  };
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      out.set(y, x,
              static_cast<std::uint16_t>(without_crack(at(y, x), at(y, x - 1), at(y, x + 1),
                                                       at(y - 1, x), at(y + 1, x), tolerance)));
    }
  }
}

}  // namespace

Counts align(const DepthView& depth, const Parameters& p, const MutableDepthView& aligned) {
  std::vector<std::uint32_t> nearest(static_cast<std::size_t>(aligned.width) * aligned.height,
                                     kUnknown);
  Counts counts;
  for_pixels(depth, p, [&](int column, int row, double z) {
    counts.known += z > 0.0;
    Point centre;
    Span columns, rows;
    const int sample = find_centre(column, row, z, p, &centre);
    if (sample == 0 || !find_cover(column, row, z, p, &columns, &rows)) return;
    bool landed = false;
    for (int y = std::max(rows.first, 0); y < std::min(rows.end, aligned.height); ++y) {
      for (int x = std::max(columns.first, 0); x < std::min(columns.end, aligned.width); ++x) {
        std::uint32_t& pixel = nearest[static_cast<std::size_t>(y) * aligned.width + x];
        pixel = std::min(pixel, static_cast<std::uint32_t>(sample));
        landed = true;
      }
    }
    counts.landed += landed;
  });
  if (p.fill_cracks) {
    fill_cracks(nearest, p.steps(), aligned);
    return counts;
  }
  for (int y = 0; y < aligned.height; ++y) {
    for (int x = 0; x < aligned.width; ++x) {
      const std::uint32_t sample = nearest[static_cast<std::size_t>(y) * aligned.width + x];
      aligned.set(y, x, static_cast<std::uint16_t>(sample == kUnknown ? 0 : sample));
    }
  }
  return counts;
}

std::vector<std::int32_t> find_pixels(const DepthView& depth, const Parameters& p,
                                      const DepthView& aligned) {
  std::vector<std::int32_t> pixels;
  const filter::Tolerance tolerance = p.steps();
  for_pixels(depth, p, [&](int column, int row, double z) {
    Point centre;
    Place place;
    pixels.push_back(kNowhere);
    const int sample = find_centre(column, row, z, p, &centre);
    if (sample == 0 || !find_place(centre, p.target, &place)) return;
    const int x = nearest_pixel(place.u);
    const int y = nearest_pixel(place.v);
    if (x < 0 || x >= aligned.width || y < 0 || y >= aligned.height) return;
    const int seen = aligned.at(y, x);
    const bool hidden = seen != 0 && is_behind(sample, seen, tolerance);
    pixels.back() = hidden ? kHidden : y * aligned.width + x;
  });
  return pixels;
}

void colour(const DepthView& depth, const Parameters& p, const DepthView& aligned,
            const Picture& picture, const RgbaView& out) {
  const std::vector<std::int32_t> pixels = find_pixels(depth, p, aligned);
  std::size_t i = 0;
  for (int row = 0; row < depth.height; ++row) {
    for (int column = 0; column < depth.width; ++column, ++i) {
      const int pixel = pixels[i];
      const std::uint32_t word =
          pixel < 0 ? 0 : colour_at(picture, pixel % picture.width, pixel / picture.width);
      std::memcpy(out.data + row * out.stride + std::ptrdiff_t{4} * column, &word, sizeof word);
    }
  }
}

}  // namespace rdp::align::reference
