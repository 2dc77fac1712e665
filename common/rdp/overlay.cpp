// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/overlay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "common/image/float_environment.h"
#include "common/rdp/overlay_pixels.h"

namespace rdp {
namespace {

constexpr PaleColours kColours = make_pale_colours();
constexpr Colours kGreys = make_greys();
constexpr ClassColours kClassColours = make_class_colours();

// The address of a pixel as bytes: pixels need not be aligned.
std::byte* pixels(const RgbaView& picture, int row, int column) {
  return picture.data + row * picture.stride + 4 * static_cast<std::ptrdiff_t>(column);
}
void put(Pixel p, std::byte* to) { std::memcpy(to, &p, sizeof p); }

template <typename Sample>
Sample load(const std::byte* from) {
  Sample sample;
  std::memcpy(&sample, from, sizeof sample);
  return sample;
}

int palette_index(float value, const PaletteRange& range) {
  return palette_entry(palette_position(value, range));
}

// Paints samples through a table of colours; unknown is transparent.
template <typename Sample>
void paint_samples(const DepthView& frame, const Parameters& parameters, const PaletteRange& range,
                   const Colours& colours, int first_column, int end_column,
                   const RgbaView& picture) {
  const KnownRange known = input_known_range(parameters);
  const bool inverse = parameters.domain == Domain::kInverse;
  const float scale = painted_inverse_scale(parameters);
  for (int row = 0; row < frame.height; ++row) {
    const std::byte* from = frame.row(row) + first_column * static_cast<int>(sizeof(Sample));
    std::byte* to = pixels(picture, row, first_column);
    for (int c = 0; c < end_column - first_column; ++c) {
      const std::uint32_t sample = load<Sample>(from + c * sizeof(Sample));
      const float value = inverse ? painted_inverse(sample, scale) : static_cast<float>(sample);
      const int index = palette_index(value, range);
      put(known.contains(sample) ? colours.entry[index] : kUnknownPixel, to + 4 * c);
    }
  }
}

void paint_all_samples(const DepthView& frame, const Parameters& parameters,
                       const PaletteRange& range, const Colours& colours, int first_column,
                       int end_column, const RgbaView& picture) {
  const auto paint =
      frame.type == SampleType::kU8 ? paint_samples<std::uint8_t> : paint_samples<std::uint16_t>;
  paint(frame, parameters, range, colours, first_column, end_column, picture);
}

void paint_ends(const SegmentList& segments, int column_width, int first_column, int end_column,
                const RgbaView& picture) {
  for (int c = first_column; c < end_column; ++c) {
    for (const Segment& segment : segments.column(c / column_width)) {
      put(kEdgePixel, pixels(picture, segment.first_row, c));
      put(kEdgePixel, pixels(picture, segment.last_row, c));
    }
  }
}

// Segments are painted down the columns, but memory lies along the rows. So a few columns, as many
// as share a cache line, are painted in a tile that stays in the cache and then written out by
// rows.
constexpr int kTileColumns = 16;
constexpr int kTileRows = 256;
using Tile = std::array<Pixel, static_cast<std::size_t>(kTileColumns* kTileRows)>;

// Chooses the colours of a segment's line.
class SegmentColours {
 public:
  SegmentColours(const OverlayLook& look, const DepthView& frame, int column_width)
      : look_(look), width_(frame.width), height_(frame.height), column_width_(column_width) {}

  // The colours of a segment of segmented column `column`.
  const Colours& of(const Segment& s, int column) const {
    if (look_.style == OverlayStyle::kClasses) {
      const SegmentClass c =
          has_ground(look_.plane)
              ? class_on_plane(s.first_row, s.last_row, s.first_value, s.last_value,
                               twice_middle(column, column_width_, width_), look_.plane,
                               look_.rules)
              : class_of(s.first_row, s.last_row, s.first_value, s.last_value, look_.ground,
                         look_.rules);
      return kClassColours.of[static_cast<std::size_t>(c)];
    }
    return kColours.level[pale_level(s.last_row - s.first_row, s.first_value, s.last_value,
                                     look_.range, height_)];
  }

 private:
  const OverlayLook& look_;
  int width_;
  int height_;
  int column_width_;
};

// Paints rows [top, bottom), all of them the segment's, at `to` and below.
void paint_line(const Segment& segment, const Colours& colours, const PaletteRange& range, int top,
                int bottom, Pixel* to) {
  const int length = segment.last_row - segment.first_row;
  const PaletteLine line(length, segment.first_value, segment.last_value, range);
  if (line.inside) {
    std::int32_t position = line.begin + line.step * (top - segment.first_row);
    for (int row = top; row < bottom; ++row, position += line.step, to += kTileColumns) {
      *to = colours.entry[position >> 16];
    }
    return;
  }
  for (int row = top; row < bottom; ++row, to += kTileColumns) {
    *to = colours.entry[line.entry(row - segment.first_row)];
  }
}

// Writes the tile to the picture, its pixels at unknown samples darker.
template <typename Sample>
void write_tile(const Tile& tile, const DepthView& frame, const KnownRange& known, int column,
                int columns, int top, int bottom, const RgbaView& picture) {
  for (int row = top; row < bottom; ++row) {
    const std::byte* from = frame.row(row) + column * static_cast<int>(sizeof(Sample));
    const Pixel* painted = tile.data() + (row - top) * kTileColumns;
    std::array<Pixel, kTileColumns> out;
    for (int i = 0; i < columns; ++i) {
      const std::uint32_t sample = load<Sample>(from + i * sizeof(Sample));
      out[static_cast<std::size_t>(i)] = known.contains(sample) ? painted[i] : bridged(painted[i]);
    }
    std::memcpy(pixels(picture, row, column), out.data(), static_cast<std::size_t>(columns) * 4);
  }
}

void paint_segments(const DepthView& frame, const SegmentList& segments,
                    const Parameters& parameters, const OverlayLook& look, int first_column,
                    int end_column, const RgbaView& picture) {
  const SegmentColours colours(look, frame, parameters.column_width);
  const auto write =
      frame.type == SampleType::kU8 ? write_tile<std::uint8_t> : write_tile<std::uint16_t>;
  const KnownRange known = input_known_range(parameters);
  Tile tile;
  for (int column = first_column; column < end_column; column += kTileColumns) {
    const int columns = std::min(kTileColumns, end_column - column);
    std::array<std::span<const Segment>, kTileColumns> left;
    for (int i = 0; i < columns; ++i) {
      left[static_cast<std::size_t>(i)] = segments.column((column + i) / parameters.column_width);
    }
    for (int top = 0; top < frame.height; top += kTileRows) {
      const int bottom = std::min(top + kTileRows, frame.height);
      tile.fill(kUnknownPixel);
      for (int i = 0; i < columns; ++i) {
        Pixel* pixel_column = tile.data() + i;
        const auto at = [&](int row) { return pixel_column + (row - top) * kTileColumns; };
        auto& rest = left[static_cast<std::size_t>(i)];
        while (!rest.empty() && rest[0].first_row < bottom) {
          const Segment& segment = rest[0];
          const int from = std::max<int>(segment.first_row, top);
          const int to = std::min<int>(segment.last_row + 1, bottom);
          paint_line(segment, colours.of(segment, (column + i) / parameters.column_width),
                     look.range, from, to, at(from));
          if (segment.first_row >= top) *at(segment.first_row) = darkened(*at(segment.first_row));
          if (segment.last_row >= bottom) break;  // goes on in the next tile
          if (segment.last_row != segment.first_row) {
            *at(segment.last_row) = darkened(*at(segment.last_row));
          }
          rest = rest.subspan(1);
        }
      }
      write(tile, frame, known, column, columns, top, bottom, picture);
    }
  }
}

}  // namespace

PaletteRange chosen_palette_range(const OverlayOptions& options) {
  // No sample lies beyond this; within it, float is precise enough.
  constexpr double kFarOff = 1e6;
  const auto limit = [&](double end) {
    return std::clamp(std::isfinite(end) ? end : 0.0, -kFarOff, kFarOff);
  };
  return palette_range_between(limit(options.palette_min), limit(options.palette_max));
}

PaletteRange palette_range(const DepthView& frame, const Parameters& parameters,
                           const OverlayOptions& options) {
  if (!is_palette_of_frame(options)) return chosen_palette_range(options);
  constexpr int kGrid = 64;
  std::array<std::uint16_t, static_cast<std::size_t>(kGrid * kGrid)> samples;
  std::size_t count = 0;
  const KnownRange known = input_known_range(parameters);
  const int row_step = (frame.height + kGrid - 1) / kGrid;
  const int column_step = (frame.width + kGrid - 1) / kGrid;
  for (int row = row_step / 2; row < frame.height; row += row_step) {
    for (int column = column_step / 2; column < frame.width; column += column_step) {
      const std::uint16_t sample = frame.at(row, column);
      if (known.contains(sample)) samples[count++] = sample;
    }
  }
  if (count == 0) return {};
  const auto begin = samples.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(count);
  const auto tail = static_cast<std::ptrdiff_t>(count / 100);
  std::nth_element(begin, begin + tail, end);
  const std::uint16_t low = begin[tail];
  std::nth_element(begin + tail, end - 1 - tail, end);
  const std::uint16_t high = *(end - 1 - tail);
  if (parameters.domain == Domain::kInverse) {
    return palette_range_between(inverse_of_depth(high, inverse_depth_of(parameters)),
                                 inverse_of_depth(low, inverse_depth_of(parameters)));
  }
  return palette_range_between(low, high);
}

OverlayLook overlay_look(const DepthView& frame, const SegmentList& segments,
                         const Parameters& parameters, const OverlayOptions& options) {
  return with_standard_floats([&] {
    OverlayLook look;
    look.style = options.style;
    look.range = palette_range(frame, parameters, options);
    if (options.style == OverlayStyle::kClasses) look.rules = class_rules(parameters);
    if (options.style == OverlayStyle::kBirdsEye) {
      Birdseye& birdseye = look.birdseye;
      birdseye = birdseye_of(frame.width, frame.height, parameters, options);
      const double range = options.birdseye_range > 0.0
                               ? options.birdseye_range
                               : range_of_frame(palette_range(frame, parameters, OverlayOptions()),
                                                birdseye.camera.depth);
      birdseye.scale = birdseye_scale(range, frame.height, birdseye.zoom);
      look.rules = birdseye_rules(parameters, birdseye.camera);
    }
    if (options.style == OverlayStyle::kClasses) look.plane = options.ground;
    if (options.style == OverlayStyle::kBirdsEye ||
        (options.style == OverlayStyle::kClasses && !has_ground(look.plane))) {
      look.ground = find_ground(segments, frame.height, look.rules);
    }
    look.legend = legend_of(frame.width, frame.height, parameters, options);
    if (look.legend.zoom > 0) find_ticks(look.range, look.legend.scale, &look.ticks);
    return look;
  });
}

float painted_inverse_scale(const Parameters& parameters) {
  return static_cast<float>(
      std::clamp(parameters.inverse_scale, kLeastPaintedScale, kLargestPaintedScale));
}

void paint_overlay(const DepthView& frame, const SegmentList& segments,
                   const Parameters& parameters, const OverlayLook& look, int first_column,
                   int end_column, const RgbaView& picture) {
  with_standard_floats([&] {
    switch (look.style) {
      case OverlayStyle::kSegments:
      case OverlayStyle::kClasses:
        paint_segments(frame, segments, parameters, look, first_column, end_column, picture);
        break;
      case OverlayStyle::kDepth:
        paint_all_samples(frame, parameters, look.range, kColours.level[0], first_column,
                          end_column, picture);
        break;
      case OverlayStyle::kEdges:
        paint_all_samples(frame, parameters, look.range, kGreys, first_column, end_column, picture);
        paint_ends(segments, parameters.column_width, first_column, end_column, picture);
        break;
      case OverlayStyle::kBirdsEye:
        paint_birdseye(look.birdseye, look.seen, first_column, end_column, picture);
        break;
    }
    paint_legend(look.legend, look.ticks, palettes_of(look.legend.palettes), first_column,
                 end_column, picture);
  });
}

}  // namespace rdp
