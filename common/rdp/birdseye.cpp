// SPDX-License-Identifier: LGPL-2.1-or-later
// The frame from above, on the host: see birdseye.h.
#include "common/rdp/birdseye.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "common/image/float_environment.h"
#include "common/rdp/overlay.h"
#include "common/rdp/painted_texts.h"

namespace rdp {

ClassRules birdseye_rules(const Parameters& parameters, const MetricCamera& camera) {
  if (camera.depth.reciprocal) return class_rules(parameters);
  ClassRules rules;
  constexpr double kPerKilometre = 1000.0;  // an integer of 1/km, as inverse-scale has for mm
  if (camera.depth.factor > 0.0) rules.over_depth = kPerKilometre / camera.depth.factor;
  return rules;
}

int birdseye_zoom(int width, int height) {
  return std::min(width, height) < 3 * kGridSpacing ? 0 : text_zoom(width, height);
}

Birdseye birdseye_of(int width, int height, const Parameters& parameters,
                     const OverlayOptions& options) {
  Birdseye birdseye;
  if (options.camera != nullptr) birdseye.camera = *options.camera;
  birdseye.zoom = birdseye_zoom(width, height);
  birdseye.column_width = parameters.column_width;
  birdseye.frame_width = width;
  return birdseye;
}

void see_columns(const SegmentArrays& segments, const OverlayLook& look, int height,
                 int first_column, int end_column, std::uint32_t* seen) {
  with_standard_floats([&] {
    const auto columns = static_cast<std::size_t>(segments.columns());
    const int words = words_of_column(height);
    for (int c = first_column; c < end_column; ++c) {
      std::uint32_t* const column = seen + c;
      for (int i = 0; i < kSeenKinds * words; ++i)
        column[static_cast<std::size_t>(i) * columns] = 0;
      for (const Segment& segment : segments.column(c)) {
        const SeenCells cells = seen_cells(segment, look.birdseye.camera.depth, look.ground,
                                           look.rules, look.birdseye.scale.cells_of_metre, height);
        if (cells.last < cells.first) continue;
        const int kind = static_cast<int>(cells.kind) * words;
        for (int word = cells.first / 32; word <= cells.last / 32; ++word) {
          column[static_cast<std::size_t>(kind + word) * columns] |=
              cells_in_word(cells.first, cells.last, word);
        }
      }
    }
  });
}

namespace {

// True if this bit is set in one of the words of columns [first, last].
bool any_set(const std::uint32_t* words, int bit, int first, int last) {
  std::uint32_t all = 0;
  for (int c = first; c <= last; ++c) all |= words[c];
  return (all >> bit & 1) != 0;
}

void paint_labels(const Birdseye& birdseye, int first_column, int end_column,
                  const RgbaView& picture) {
  for (int i = 0; i < most_labels(picture.width, picture.height, birdseye.zoom); ++i) {
    PaintedText label;
    find_label(birdseye.scale, picture.width, picture.height, birdseye.zoom, i, &label);
    paint_text(label, {first_column, 0, end_column, picture.height}, picture);
  }
}

}  // namespace

void paint_birdseye(const Birdseye& birdseye, const std::uint32_t* seen, int first_column,
                    int end_column, const RgbaView& picture) {
  const int width = picture.width;
  const int height = picture.height;
  const int frame_width = birdseye.frame_width;
  const int columns = (frame_width + birdseye.column_width - 1) / birdseye.column_width;
  const int words = words_of_column(height);
  const BirdseyeScale& scale = birdseye.scale;
  std::array<bool, kMaxSide> is_column_of_grid;
  for (int c = first_column; c < end_column; ++c) {
    is_column_of_grid[static_cast<std::size_t>(c)] = is_line_aside(scale, c, width);
  }
  for (int row = 0; row < height; ++row) {
    const int cell = height - 1 - row;
    const bool is_row_of_grid = is_line_ahead(scale, cell);
    const auto words_of = [&](SeenKind kind) {
      return seen + (static_cast<std::ptrdiff_t>(kind) * words + cell / 32) * columns;
    };
    const std::uint32_t* const ground = words_of(SeenKind::kGround);
    const std::uint32_t* const obstacles = words_of(SeenKind::kObstacle);
    const double slope = birdseye.camera.focal_x / (2 * cell + 1);
    const auto at = [&](int c) {
      return column_at(2 * c - width, slope, birdseye.camera.principal_x, frame_width);
    };
    std::byte* to =
        picture.data + row * picture.stride + 4 * static_cast<std::ptrdiff_t>(first_column);
    int left = at(first_column);
    for (int c = first_column; c < end_column; ++c, to += 4) {
      const int right = at(c + 1);
      Pixel pixel = kUnknownPixel;
      if (right >= 0 && left < frame_width) {
        const int first = std::max(left, 0) / birdseye.column_width;
        const int last = std::min(right, frame_width - 1) / birdseye.column_width;
        pixel = any_set(obstacles, cell % 32, first, last) ? kObstaclePixel
                : any_set(ground, cell % 32, first, last)  ? kGroundPixel
                                                           : kUnseenPixel;
      }
      const bool is_grid = is_row_of_grid || is_column_of_grid[static_cast<std::size_t>(c)];
      if (is_grid && pixel != kObstaclePixel) pixel = kGridPixel;
      std::memcpy(to, &pixel, sizeof pixel);
      left = right;
    }
  }
  paint_labels(birdseye, first_column, end_column, picture);
}

}  // namespace rdp
