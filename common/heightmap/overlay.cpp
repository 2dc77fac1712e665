// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/overlay.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "common/heightmap/geometry.h"
#include "common/heightmap/ground.h"
#include "common/heightmap/ground_map.h"
#include "common/heightmap/overlay_legend.h"
#include "common/heightmap/seen_ground.h"
#include "common/image/float_environment.h"
#include "common/rdp/legend.h"
#include "common/rdp/overlay.h"
#include "common/rdp/painted_lines.h"
#include "common/rdp/painted_texts.h"
#include "common/rdp/round_numbers.h"

namespace rdp::heightmap {
namespace {

constexpr Colours make_greys_between(const int (&ends)[2]) {
  Colours greys{};
  for (int i = 0; i < 256; ++i) {
    const int grey = ends[0] + i * (ends[1] - ends[0]) / 255;
    greys.entry[i] = pixel(grey, grey, grey);
  }
  return greys;
}
constexpr Colours kDarkGreys = make_greys_between(kHeightsGreys);
constexpr Colours kBrightGreys = make_greys_between(kHeadsGreys);

void put(Pixel p, std::byte* row, int column) {
  std::memcpy(row + 4 * static_cast<std::ptrdiff_t>(column), &p, sizeof p);
}

void paint_greys(const DepthView& from, const Colours& greys, const RgbaView& picture, int first,
                 int end) {
  for (int row = first; row < end; ++row) {
    const std::byte* samples = from.row(row);
    std::byte* to = picture.data + row * picture.stride;
    for (int column = 0; column < from.width; ++column) {
      put(greys.entry[std::to_integer<std::size_t>(samples[column])], to, column);
    }
  }
}

// A text of kMostPaintedText characters at most.
struct Text {
  char text[kMostPaintedText];
  int length = 0;

  void add(std::int64_t count, const RoundNumber& number) {
    length += write_number(count, number, text + length);
  }
  void add(std::string_view more) {
    length += static_cast<int>(more.copy(text + length, more.size()));
  }
  std::string_view view() const { return {text, static_cast<std::size_t>(length)}; }
};

}  // namespace

struct OverlayPainter::Impl {
  // What is painted over the picture, in this order.
  PaintedLines lines;
  PaintedTexts texts;
  int zoom = 1;

  // From above.
  Rig rig;  // whose seen ground it is
  Parameters parameters;
  Area seen;
  GroundMap map;
  std::vector<std::uint16_t> ground;
  std::vector<std::int32_t> cells;    // of each column of the picture
  std::vector<std::uint8_t> is_line;  // likewise

  void begin(const OverlayScene& scene, const OverlayOptions& options, const Legend& legend);
  void say_count(std::size_t heads, int width);
  void outline_on_picture(const OverlayScene& scene);
  void outline_on_map(const Area& area);
  void cross(Spot at, int reach, Pixel ink, Pixel edge);
  void look_at_heads(const OverlayScene& scene);
  void look_from_above(const OverlayScene& scene);
  void number_map(int width);
  void paint_map(const Parameters& parameters, const RgbaView& picture, int first, int end) const;
};

void OverlayPainter::Impl::begin(const OverlayScene& scene, const OverlayOptions& options,
                                 const Legend& legend) {
  const int width = scene.picture.width;
  const int height = scene.picture.height;
  zoom = text_zoom(width, height);
  lines.clear();
  texts.begin(width, height, zoom);
  texts.keep_free(legend_box(legend));
  if (options.style != OverlayStyle::kHeights || options.legend) {
    say_count(scene.heads.size(), width);
  }
}

// In the upper right corner.
void OverlayPainter::Impl::say_count(std::size_t heads, int width) {
  Text text;
  text.add(static_cast<std::int64_t>(heads), {1, 0});
  text.add(heads == 1 ? " head" : " heads");
  const int margin = kLegendMargin * zoom;
  texts.put_at({width - margin - label_columns(text.length) * zoom, margin}, text.view());
}

// Each edge in pieces, so that those behind the camera and far outside of the picture can be left
// out.
void OverlayPainter::Impl::outline_on_picture(const OverlayScene& scene) {
  constexpr int kPieces = 64;
  const Area& area = *scene.area;
  Geometry geometry;
  orient(scene.rig->seen(), geometry.projection);
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
      if (was_placed && is_placed) lines.add(before, spot, kAreaPixel, zoom);
      before = spot;
      was_placed = is_placed;
    }
  }
}

void OverlayPainter::Impl::outline_on_map(const Area& area) {
  for (std::size_t i = 0; i < area.size(); ++i) {
    const GroundPoint& a = area[i];
    const GroundPoint& b = area[(i + 1) % area.size()];
    lines.add(map.spot_of(a.x, a.y), map.spot_of(b.x, b.y), kAreaPixel, zoom);
  }
}

void OverlayPainter::Impl::cross(Spot at, int reach, Pixel ink, Pixel edge) {
  for (const bool is_edge : {true, false}) {
    const int thick = is_edge ? 3 * zoom : zoom;
    const int before = is_edge ? zoom : 0;
    const Pixel colour = is_edge ? edge : ink;
    lines.add({at.x - reach, at.y}, {at.x + reach, at.y}, colour, thick, before);
    lines.add({at.x, at.y - reach}, {at.x, at.y + reach}, colour, thick, before);
  }
}

void OverlayPainter::Impl::look_at_heads(const OverlayScene& scene) {
  const int reach = 5 * zoom;
  for (const Head& head : scene.heads) {
    cross({head.column, head.row}, 4 * zoom, height_colour(*scene.parameters, head.height),
          kHeadPixel);
    texts.keep_free({head.column - reach, head.row - reach, head.column + reach, head.row + reach});
  }
  for (const Head& head : scene.heads) {
    Text text;
    text.add((head.height + 5) / 10, {1, -2});
    text.add(" m");
    texts.put_beside({head.column, head.row}, {head.column, head.row}, text.view());
  }
}

void OverlayPainter::Impl::look_from_above(const OverlayScene& scene) {
  const int width = scene.picture.width;
  const int height = scene.picture.height;
  const bool has_area = scene.area != nullptr && !scene.area->empty();
  if (!has_area && !(rig == *scene.rig && parameters == *scene.parameters)) {
    rig = {};  // were memory to run out, it would be none that is known
    seen = seen_ground(*scene.rig, *scene.parameters);
    parameters = *scene.parameters;
    rig = *scene.rig;
  }
  const bool has_numbers = std::min(width, height) >= 3 * kGridSpacing;
  map =
      ground_map(has_area ? *scene.area : seen, scene.cell, width, height, has_numbers ? zoom : 0);
  const auto columns = static_cast<int>(map.grid.columns);
  const auto rows = static_cast<int>(map.grid.rows);
  if (columns == 0) return;
  ground.resize(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  draw_ground(*scene.rig, *scene.parameters, scene.labels, map.grid,
              {reinterpret_cast<std::byte*>(ground.data()), 2 * std::ptrdiff_t{columns}, columns,
               rows, SampleType::kU16});
  cells.resize(static_cast<std::size_t>(width));
  is_line.resize(static_cast<std::size_t>(width));
  for (int column = 0; column < width; ++column) {
    const auto c = static_cast<std::size_t>(column);
    cells[c] = map.cell_column(column);
    is_line[c] = map.is_line(map.x_of(column)) ? 1 : 0;
  }
  if (has_area) outline_on_map(*scene.area);
  for (const Head& head : scene.heads) {
    const Spot spot = map.spot_of(head.x, head.y);
    if (map.contains(spot)) cross(spot, 2 * zoom, kHeadPixel, kLegendPaper);
  }
  number_map(width);
}

// Metres along X below the lines, in the lowest rows; along Y above the right ends of theirs.
void OverlayPainter::Impl::number_map(int width) {
  if (map.step_mm == 0) return;
  const int high = kLabelRows * zoom;
  const auto first = [&](std::int64_t least) { return -floor_div(-least, map.step_mm); };
  for (std::int64_t line = first(map.grid.x);; ++line) {
    const Spot at = map.spot_of(line * map.step_mm, map.grid.y);
    if (at.x >= map.left + map.columns) break;
    Text text;
    text.add(line, map.step);
    const int wide = label_columns(text.length) * zoom;
    texts.put_at({at.x - wide / 2, map.top + map.rows - high}, text.view());
  }
  for (std::int64_t line = first(map.grid.y);; ++line) {
    const Spot at = map.spot_of(map.grid.x, line * map.step_mm);
    if (at.y < map.top) break;
    Text text;
    text.add(line, map.step);
    text.add(" m");
    const int wide = label_columns(text.length) * zoom;
    texts.put_at({std::min(map.left + map.columns, width) - wide, at.y - high}, text.view());
  }
}

void OverlayPainter::Impl::paint_map(const Parameters& shown, const RgbaView& picture, int first,
                                     int end) const {
  for (int row = first; row < end; ++row) {
    std::byte* to = picture.data + row * picture.stride;
    const int cell_row = map.grid.columns == 0 ? -1 : map.cell_row(row);
    if (cell_row < 0) {
      std::memset(to, 0, 4 * static_cast<std::size_t>(picture.width));
      continue;
    }
    const bool is_row_of_grid = map.is_line(map.y_of(row));
    const std::uint16_t* heights = ground.data() + cell_row * map.grid.columns;
    for (int column = 0; column < picture.width; ++column) {
      const auto c = static_cast<std::size_t>(column);
      if (cells[c] < 0) {
        put(kUnknownPixel, to, column);
        continue;
      }
      const int height = heights[cells[c]];
      put(height > 0                          ? height_colour(shown, height)
          : is_row_of_grid || is_line[c] != 0 ? kGridPixel
                                              : kNothingPixel,
          to, column);
    }
  }
}

OverlayPainter::OverlayPainter(unsigned threads)
    : BandPainter(threads), impl_(std::make_unique<Impl>()) {}

OverlayPainter::~OverlayPainter() = default;

void OverlayPainter::paint(const OverlayScene& scene, const OverlayOptions& options,
                           const RgbaView& picture) {
  Impl& impl = *impl_;
  const Parameters& parameters = *scene.parameters;
  const bool has_area = scene.area != nullptr && !scene.area->empty();
  Legend legend;
  std::array<Pixel, kMostHeights + 1> colours{};
  with_standard_floats([&] {
    legend = heights_legend(picture.width, picture.height, options, has_area);
    impl.begin(scene, options, legend);
    if (options.style == OverlayStyle::kBirdsEye) {
      impl.look_from_above(scene);
      return;
    }
    if (has_area) impl.outline_on_picture(scene);
    if (options.style == OverlayStyle::kHeads) impl.look_at_heads(scene);
  });
  for (int label = 0; label < parameters.heights(); ++label) {
    colours[static_cast<std::size_t>(label)] =
        height_colour(parameters, parameters.height_of(label));
  }
  const auto paint_known = [&](int first, int end) {
    const int unknown = parameters.heights();
    for (int row = first; row < end; ++row) {
      const auto width = static_cast<std::size_t>(picture.width);
      const std::uint8_t* labels = scene.labels.data() + static_cast<std::size_t>(row) * width;
      std::byte* to = picture.data + row * picture.stride;
      for (int column = 0; column < picture.width; ++column) {
        if (labels[column] < unknown) put(colours[labels[column]], to, column);
      }
    }
  };
  paint_bands(picture.height, [&](int first, int end) {
    switch (options.style) {
      case OverlayStyle::kHeights:
        paint_greys(scene.picture, kDarkGreys, picture, first, end);
        paint_known(first, end);
        break;
      case OverlayStyle::kHeads:
        paint_greys(scene.picture, kBrightGreys, picture, first, end);
        break;
      case OverlayStyle::kBirdsEye:
        impl.paint_map(parameters, picture, first, end);
        break;
    }
    impl.lines.paint(picture, 255, PixelOrder::kRgba, first, end);
    impl.texts.paint(picture, 255, PixelOrder::kRgba, first, end);
  });
  with_standard_floats([&] { paint_heights_legend(legend, parameters, picture); });
}

}  // namespace rdp::heightmap
