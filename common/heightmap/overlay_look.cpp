// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/overlay_look.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/heightmap/geometry.h"
#include "common/heightmap/overlay_legend.h"
#include "common/heightmap/rules.h"
#include "common/heightmap/seen_ground.h"
#include "common/image/float_environment.h"
#include "common/rdp/overlay.h"
#include "common/rdp/round_numbers.h"

namespace rdp::heightmap {
namespace {

bool has_area(const OverlaySubject& subject) {
  return subject.area != nullptr && !subject.area->empty();
}

}  // namespace

void OverlayLook::look(int width, int height, const OverlaySubject& subject,
                       const OverlayOptions& options) {
  const bool has_outline = has_area(subject);
  with_standard_floats([&] {
    rules_ = pixel_rules(*subject.parameters, options.style);
    legend_ = heights_legend(width, height, options, has_outline);
    legend_range_ = heights_range(*subject.parameters);
    begin(width, height, subject, options);
    if (options.style == OverlayStyle::kBirdsEye) {
      look_from_above(width, height, subject);
      return;
    }
    if (has_outline) outline_on_picture(subject);
    if (options.style == OverlayStyle::kHeads) look_at_heads(subject);
  });
}

void OverlayLook::begin(int width, int height, const OverlaySubject& subject,
                        const OverlayOptions& options) {
  zoom_ = text_zoom(width, height);
  lines_.clear();
  texts_.begin(width, height, zoom_);
  texts_.keep_free(legend_box(legend_));
  if (options.style != OverlayStyle::kHeights || options.legend) {
    say_count(subject.heads.size(), width);
  }
}

// In the upper right corner.
void OverlayLook::say_count(std::size_t heads, int width) {
  ShortText text;
  text.add(static_cast<std::int64_t>(heads), {1, 0});
  text.add(heads == 1 ? " head" : " heads");
  const int margin = kLegendMargin * zoom_;
  texts_.put_at({width - margin - label_columns(text.length()) * zoom_, margin}, text.view());
}

// Splits each edge, so that pieces behind the camera or far outside the picture can be skipped.
void OverlayLook::outline_on_picture(const OverlaySubject& subject) {
  constexpr int kPieces = 64;
  const Area& area = *subject.area;
  Geometry geometry;
  orient(subject.rig->seen(), geometry.projection);
  const Plane plane = geometry.plane(0.0);
  const auto place = [&](double x, double y, Spot* spot) {
    const Vector3 at = times(plane.to_pixel, x, y);
    return at.z > 0.0 && place_spot(at.x / at.z, at.y / at.z, {}, spot);
  };
  for (std::size_t i = 0; i < area.size(); ++i) {
    const GroundPoint& a = area[i];
    const GroundPoint& b = area[(i + 1) % area.size()];
    Spot before{};
    bool was_placed = false;
    for (int piece = 0; piece <= kPieces; ++piece) {
      const auto between = [&](int from, int to) {
        return (from + (static_cast<double>(to) - from) * piece / kPieces) / 1000.0;
      };
      Spot spot{};
      const bool is_placed = place(between(a.x, b.x), between(a.y, b.y), &spot);
      if (was_placed && is_placed) lines_.add(before, spot, kAreaPixel, zoom_);
      before = spot;
      was_placed = is_placed;
    }
  }
}

void OverlayLook::outline_on_map(const Area& area) {
  for (std::size_t i = 0; i < area.size(); ++i) {
    const GroundPoint& a = area[i];
    const GroundPoint& b = area[(i + 1) % area.size()];
    lines_.add(map_.spot_of(a.x, a.y), map_.spot_of(b.x, b.y), kAreaPixel, zoom_);
  }
}

void OverlayLook::cross(Spot at, int reach, Pixel ink, Pixel edge) {
  for (const bool is_edge : {true, false}) {
    const int thick = is_edge ? 3 * zoom_ : zoom_;
    const int before = is_edge ? zoom_ : 0;
    const Pixel colour = is_edge ? edge : ink;
    lines_.add({at.x - reach, at.y}, {at.x + reach, at.y}, colour, thick, before);
    lines_.add({at.x, at.y - reach}, {at.x, at.y + reach}, colour, thick, before);
  }
}

void OverlayLook::look_at_heads(const OverlaySubject& subject) {
  const int reach = 5 * zoom_;
  for (const Head& head : subject.heads) {
    cross({head.column, head.row}, 4 * zoom_, height_colour(*subject.parameters, head.height),
          kHeadPixel);
    texts_.keep_free(
        {head.column - reach, head.row - reach, head.column + reach, head.row + reach});
  }
  for (const Head& head : subject.heads) {
    ShortText text;
    text.add((head.height + 5) / 10, {1, -2});
    text.add(" m");
    texts_.put_beside({head.column, head.row}, {head.column, head.row}, text.view());
  }
}

void OverlayLook::look_from_above(int width, int height, const OverlaySubject& subject) {
  const bool has_outline = has_area(subject);
  if (!has_outline && !(rig_ == *subject.rig && parameters_ == *subject.parameters)) {
    rig_ = {};  // matches no rig if seen_ground() throws
    seen_ = seen_ground(*subject.rig, *subject.parameters);
    parameters_ = *subject.parameters;
    rig_ = *subject.rig;
  }
  const bool has_numbers = std::min(width, height) >= 3 * kGridSpacing;
  map_ = ground_map(has_outline ? *subject.area : seen_, subject.cell, width, height,
                    has_numbers ? zoom_ : 0);
  columns_.assign(static_cast<std::size_t>(width), {-1, 0});
  rows_.assign(static_cast<std::size_t>(height), {-1, 0});
  if (map_.grid.columns == 0) return;
  for (int column = 0; column < width; ++column) {
    columns_[static_cast<std::size_t>(column)] = {map_.cell_column(column),
                                                  map_.is_line(map_.x_of(column)) ? 1U : 0U};
  }
  for (int row = 0; row < height; ++row) {
    rows_[static_cast<std::size_t>(row)] = {map_.cell_row(row),
                                            map_.is_line(map_.y_of(row)) ? 1U : 0U};
  }
  if (has_outline) outline_on_map(*subject.area);
  for (const Head& head : subject.heads) {
    const Spot spot = map_.spot_of(head.x, head.y);
    if (map_.contains(spot)) cross(spot, 2 * zoom_, kHeadPixel, kLegendPaper);
  }
  number_map(width);
}

// Writes metres: along X below the grid lines, in the lowest rows; along Y above their right ends.
void OverlayLook::number_map(int width) {
  if (map_.step_mm == 0) return;
  const int high = kLabelRows * zoom_;
  const auto first = [&](std::int64_t least) { return -floor_div(-least, map_.step_mm); };
  for (std::int64_t line = first(map_.grid.x);; ++line) {
    const Spot at = map_.spot_of(line * map_.step_mm, map_.grid.y);
    if (at.x >= map_.left + map_.columns) break;
    ShortText text;
    text.add(line, map_.step);
    const int wide = label_columns(text.length()) * zoom_;
    texts_.put_at({at.x - wide / 2, map_.top + map_.rows - high}, text.view());
  }
  for (std::int64_t line = first(map_.grid.y);; ++line) {
    const Spot at = map_.spot_of(map_.grid.x, line * map_.step_mm);
    if (at.y < map_.top) break;
    ShortText text;
    text.add(line, map_.step);
    text.add(" m");
    const int wide = label_columns(text.length()) * zoom_;
    texts_.put_at({std::min(map_.left + map_.columns, width) - wide, at.y - high}, text.view());
  }
}

}  // namespace rdp::heightmap
