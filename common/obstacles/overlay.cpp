// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/obstacles/overlay.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "common/image/float_environment.h"
#include "common/image/index_colour.h"
#include "common/motion/arrows.h"
#include "common/obstacles/geometry.h"
#include "common/obstacles/overlay_pixels.h"
#include "common/rdp/overlay.h"

namespace rdp::obstacles {
namespace {

constexpr ShownColours kColours = make_shown_colours();

// Prediction time of the arrows in bird's-eye views.
constexpr float kArrowSeconds = 1.0F;

Pixel colour_of(const ShownObject& object) {
  const Rgb c = index_colour(static_cast<int>(object.id % 256));
  return pixel(c.r, c.g, c.b);
}

// Adds a number with one decimal, or two if `small`.
void add_number(float number, bool small, ShortText* text) {
  if (!(number >= 0.0F && number < 1e6F)) return text->add("-");
  const double parts = double{number} * (small ? 100.0 : 10.0);
  text->add(static_cast<std::int64_t>(std::floor(parts + 0.5)), {1, small ? -2 : -1});
}

ShortText text_of_id(const ShownObject& object) {
  ShortText text;
  text.add("id ");
  text.add(object.id, {1, 0});
  return text;
}

// Appends a number and its unit.
void add_measure(float number, bool small, std::string_view unit, ShortText* text) {
  text->add(" ");
  add_number(number, small, text);
  text->add(unit);
}

ShortText text_of_size(const ShownObject& object) {
  constexpr std::string_view kUnit = " m";
  const bool small = object.length < 1.0F;
  ShortText text;
  for (const float side : {object.length, object.width, object.height}) {
    if (text.length() > 0) text.add("x");
    add_number(side, small, &text);
  }
  if (text.view().size() + kUnit.size() <= kMaxPaintedText) text.add(kUnit);
  return text;
}

// Bright lines with dark edges are visible on any background.
void add_outline(const Spot (&corners)[4], Pixel colour, int zoom, PaintedLines* lines) {
  for (const bool is_edge : {true, false}) {
    for (int i = 0; i < 4; ++i) {
      lines->add(corners[i], corners[(i + 1) % 4], is_edge ? kLegendPaper : colour,
                 is_edge ? 3 * zoom : zoom, is_edge ? zoom : 0);
    }
  }
}

// The object's pixel box in the picture; returns false if it has none.
bool place_box(const ShownObject& object, const FramePlacement& placement, Box* box) {
  Spot a, b;
  if (object.columns == 0 || object.rows == 0 ||
      !place_spot(object.column - 0.5, object.row - 0.5, placement, &a) ||
      !place_spot(object.column + object.columns - 0.5, object.row + object.rows - 0.5, placement,
                  &b)) {
    return false;
  }
  const auto [left, right] = std::minmax(a.x, b.x);
  const auto [top, bottom] = std::minmax(a.y, b.y);
  *box = {left, top, std::max(right, left + 1), std::max(bottom, top + 1)};
  return true;
}

// Puts the label above the box, below it, or inside if it fits; with the size, else without.
void put_label(const ShownObject& object, const Box& box, int width, int zoom,
               PaintedTexts* texts) {
  ShortText place = text_of_id(object);
  add_measure(object.distance, object.distance < 10.0F, " m", &place);
  const ShortText size = text_of_size(object);
  const std::string_view lines[] = {place.view(), size.view()};
  for (std::size_t count = 2; count > 0; --count) {
    const int wide = zoom * label_columns(std::max(place.length(), count == 2 ? size.length() : 0));
    const int high = zoom * kLabelRows * static_cast<int>(count);
    const int column = std::clamp(box.left, 0, std::max(width - wide, 0));
    const std::span shown(lines, count);
    if (texts->put_lines({column, box.top - zoom - high}, shown) ||
        texts->put_lines({column, box.bottom + zoom}, shown)) {
      return;
    }
    const Spot within = {box.left + 2 * zoom, box.top + 2 * zoom};
    const bool fits = within.x + wide <= box.right && within.y + high <= box.bottom;
    if (fits && texts->put_lines(within, shown)) return;
  }
}

// The visible part of the ground in a bird's-eye view, in metres.
struct Reach {
  double ahead = 0.0;
  double back = 0.0;
};

// The reach of known cells. A camera that looks down sees to all sides, so the picture's aspect
// ratio counts, too.
Reach reach_of_cells(const Obstacles& found, double rows_of_column) {
  const GridPlace& grid = found.grid;
  double ahead = 0.0;
  double back = 0.0;
  double aside = 0.0;
  const auto is_known = [](std::uint8_t state) { return state != kUnseen; };
  for (std::int32_t j = 0; j < grid.rows; ++j) {
    const std::span row(found.states.data() + std::ptrdiff_t{j} * grid.columns,
                        static_cast<std::size_t>(grid.columns));
    const auto first = std::ranges::find_if(row, is_known);
    if (first == row.end()) continue;
    const auto end = std::find_if(row.rbegin(), row.rend(), is_known).base();
    const auto metres = [&](auto cells) {
      return (grid.x + static_cast<double>(cells) * grid.cell) / 1000.0;
    };
    ahead = std::max(ahead, metres(end - row.begin()));
    back = std::max(back, -metres(first - row.begin()));
    const double y = (grid.y + (j + 0.5) * grid.cell) / 1000.0;
    aside = std::max(aside, y < 0.0 ? -y : y);
  }
  if (!found.axes.steep) return {ahead, 0.0};
  back = back > 0.0 ? rounded_range(back) : 0.0;
  return {std::max(ahead, 2.0 * rows_of_column * aside - back), back};
}

Reach reach_of_scan(const Obstacles& found) {
  std::uint32_t farthest = 0;
  for (const auto* lengths : {&found.ranges, &found.free}) {
    for (const std::uint32_t length : *lengths) farthest = std::max(farthest, length);
  }
  return {farthest / 1000.0, 0.0};
}

// A bird's-eye view: forward is up, and the camera is in the middle column.
struct GroundView {
  BirdseyeScale scale;
  int zoom = 0;         // of text; 0: there is no grid
  double middle = 0.0;  // pixels from the left
  double origin = 0.0;  // pixels from the top

  bool place(double x, double y, Spot* spot) const {
    return place_spot(middle - y * scale.cells_of_metre - 0.5,
                      origin - x * scale.cells_of_metre - 0.5, {}, spot);
  }
};

GroundView view_of_ground(const OverlayScene& scene, const OverlayOptions& options, int width,
                          int height) {
  const double range = scene.parameters->range;
  Reach reach;
  if (options.birdseye_range > 0.0) {
    const bool around = options.style == OverlayStyle::kBirdsEye && scene.found->axes.steep;
    reach = {options.birdseye_range, around ? options.birdseye_range : 0.0};
  } else {
    reach = options.style == OverlayStyle::kScan
                ? reach_of_scan(*scene.found)
                : reach_of_cells(*scene.found, static_cast<double>(height) / width);
    reach.ahead = reach.ahead > 0.0 ? std::min(rounded_range(reach.ahead), range) : range;
    reach.back = std::min(reach.back, range);
  }
  const double whole = reach.ahead + reach.back;
  GroundView view;
  view.zoom = birdseye_zoom(width, height);
  view.scale = birdseye_scale(whole, height, view.zoom);
  view.middle = 0.5 * width;
  view.origin = height * (reach.ahead / whole);
  return view;
}

// The cells that a row or a column of a picture from above shows: none where last < first.
struct ShownCells {
  std::int32_t first;
  std::int32_t last;
  bool is_line;
};

// A pixel reaches from `at` to at + 1 ahead, or to the left. Each small cell is in one pixel.
ShownCells shown_cells(double at, const GroundView& view, std::int32_t start, std::int32_t cell,
                       std::int32_t count) {
  const double cells_of_pixel = 1000.0 / view.scale.cells_of_metre / cell;
  const double before = static_cast<double>(start) / cell;
  const auto cell_at = [&](double pixels) {
    const double place = std::floor(pixels * cells_of_pixel - before);
    return static_cast<std::int32_t>(std::clamp(place, -1e6, 1e6));
  };
  const std::int32_t first = cell_at(at);
  const std::int32_t last = std::max(first, cell_at(at + 1.0) - 1);
  return {std::max(first, 0), std::min(last, count - 1),
          view.zoom > 0 && is_line(at, view.scale.step_cells)};
}

void put(Pixel p, std::byte* row, int column) {
  std::memcpy(row + 4 * static_cast<std::ptrdiff_t>(column), &p, sizeof p);
}

void paint_samples(const DepthView& frame, const std::vector<std::uint8_t>& classes,
                   const SampleRules& rules, const RgbaView& picture, int first, int end) {
  for (int row = first; row < end; ++row) {
    const std::uint8_t* of = classes.data() + std::ptrdiff_t{row} * frame.width;
    std::byte* const to = picture.data + row * picture.stride;
    for (int column = 0; column < frame.width; ++column) {
      put(sample_pixel(frame.at(row, column), of[column], rules, kColours), to, column);
    }
  }
}

SampleRules rules_of_samples(const DepthView& frame, const OverlayScene& scene) {
  rdp::Parameters samples;
  samples.min_value = std::max(scene.parameters->known.first, 1U);
  samples.max_value = scene.parameters->known.last;
  const PaletteRange range = palette_range(frame, samples, {});
  const bool is_depth = scene.camera != nullptr && !scene.camera->depth.reciprocal;
  return {samples.min_value, samples.max_value, is_depth ? backwards(range) : range};
}

Legend legend_of(int width, int height, const OverlayScene& scene, const OverlayOptions& options) {
  Legend legend;
  if (!options.legend) return legend;
  const bool drops = scene.parameters->drop_depth > 0.0;
  if (options.style == OverlayStyle::kBoxes) {
    constexpr std::string_view kNames[] = {"other", "ground", "obstacle", "drop"};
    const int kinds = drops ? kShownKinds : kShownDrop;
    for (int i = 0; i < kinds; ++i) {
      add_legend_name(kNames[i], kColours.of[i].entry[i == kShownOther ? 255 : 224], &legend);
    }
    if (scene.camera != nullptr) {
      legend.stripes = kinds;
      legend.scale = scene.camera->depth;
      set_legend_unit("m", &legend);
    }
  } else {
    add_legend_name("free", kGroundPixel, &legend);
    add_legend_name("obstacle", kObstaclePixel, &legend);
    add_legend_name("unknown", kUnseenPixel, &legend);
    if (drops && options.style == OverlayStyle::kBirdsEye) {
      add_legend_name("drop", kDropPixel, &legend);
    }
  }
  fit_legend(width, height, &legend);
  return legend;
}

}  // namespace

// --- objects ------------------------------------------------------------------------------------

void ObjectMarks::look(std::span<const ShownObject> objects, const FramePlacement& placement,
                       int width, int height, const Box& free) {
  with_standard_floats([&] {
    const int zoom = text_zoom(width, height);
    lines_.clear();
    texts_.begin(width, height, zoom);
    texts_.keep_free(free);
    Box box;
    for (auto object = objects.rbegin(); object != objects.rend(); ++object) {
      if (!place_box(*object, placement, &box)) continue;  // near ones over far ones
      const int right = box.right - 1;
      const int bottom = box.bottom - 1;
      add_outline({{box.left, box.top}, {right, box.top}, {right, bottom}, {box.left, bottom}},
                  colour_of(*object), zoom, &lines_);
    }
    for (const ShownObject& object : objects) {
      if (place_box(object, placement, &box) && overlap(box, {0, 0, width, height})) {
        put_label(object, box, width, zoom, &texts_);
      }
    }
  });
}

void ObjectMarks::paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order,
                        int first_row, int end_row) const {
  lines_.paint(picture, alpha, order, first_row, end_row);
  texts_.paint(picture, alpha, order, first_row, end_row);
}

// --- pictures of frames -------------------------------------------------------------------------

namespace {

// A text to be put beside the area spanned by two spots.
struct Label {
  Spot first;
  Spot last;
  ShortText text;
};

}  // namespace

struct OverlayPainter::Impl {
  ObjectMarks marks;
  PaintedLines lines;
  PaintedTexts texts;
  // For bird's-eye views.
  GroundView view;
  std::vector<Label> labels;
  std::vector<ShownCells> columns;
  std::vector<ShownCells> rows;
  std::vector<Direction> edges;  // of bearings

  void look_from_above(const OverlayScene& scene, const OverlayOptions& options, int width,
                       int height);
  void look_at_cells(const GridPlace& grid, int width, int height);
  void look_at_objects(std::span<const ShownObject> objects);
  void look_at_scan(const OverlayScene& scene);
  void paint_cells(const Obstacles& found, const RgbaView& picture, int first, int end) const;
  void paint_bearings(const OverlayScene& scene, const RgbaView& picture, int first, int end) const;
};

void OverlayPainter::Impl::look_from_above(const OverlayScene& scene, const OverlayOptions& options,
                                           int width, int height) {
  view = view_of_ground(scene, options, width, height);
  const auto end_row = static_cast<int>(view.origin);
  for (int i = 0; i < most_labels(width, end_row, view.zoom); ++i) {
    PaintedText label;
    find_label(view.scale, width, end_row, view.zoom, i, &label);
    if (label.length == 0) continue;
    texts.put_at({label.box.left, label.box.top},
                 {label.text, static_cast<std::size_t>(label.length)});
  }
  if (options.style == OverlayStyle::kScan) {
    look_at_scan(scene);
  } else {
    look_at_cells(scene.found->grid, width, height);
    look_at_objects(scene.objects);
  }
}

void OverlayPainter::Impl::look_at_cells(const GridPlace& grid, int width, int height) {
  columns.clear();
  rows.clear();
  for (int i = 0; i < width; ++i) {
    columns.push_back(shown_cells(view.middle - i - 1, view, grid.y, grid.cell, grid.rows));
  }
  for (int i = 0; i < height; ++i) {
    rows.push_back(shown_cells(view.origin - i - 1, view, grid.x, grid.cell, grid.columns));
  }
}

// Paints near objects over far ones. Texts lie beside their rectangle and arrow, and cover no other
// object.
void OverlayPainter::Impl::look_at_objects(std::span<const ShownObject> objects) {
  const int zoom = std::max(view.zoom, 1);
  labels.clear();
  for (auto at = objects.rbegin(); at != objects.rend(); ++at) {
    const ShownObject& object = *at;
    constexpr double kPi = 3.14159265358979323846;
    const double part = std::floor(object.yaw * (512.0 / kPi) + 0.5);
    if (!(part >= -512.0 && part <= 512.0)) continue;
    const Direction along = direction_of(static_cast<int>(part) + 1024, 512);
    const double c = along.cosine / 32768.0;  // of half a side
    const double s = along.sine / 32768.0;
    Spot corners[4];
    bool placed = true;
    for (int i = 0; i < 4; ++i) {
      const double l = i == 0 || i == 3 ? object.length : -object.length;
      const double w = i < 2 ? object.width : -object.width;
      placed =
          placed && view.place(object.x + (c * l - s * w), object.y + (s * l + c * w), &corners[i]);
    }
    if (!placed) continue;
    add_outline(corners, colour_of(object), zoom, &lines);
    Label label{corners[0], corners[0], text_of_id(object)};
    const auto cover = [&](const Spot& spot) {
      label.first = {std::min(label.first.x, spot.x), std::min(label.first.y, spot.y)};
      label.last = {std::max(label.last.x, spot.x), std::max(label.last.y, spot.y)};
    };
    std::ranges::for_each(corners, cover);
    Spot from, to;
    if (view.place(object.x, object.y, &from) &&
        view.place(object.x + kArrowSeconds * object.vx, object.y + kArrowSeconds * object.vy,
                   &to) &&
        std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)) >= 4 * zoom) {
      motion::add_arrow(from, to, zoom, &lines);
      cover(to);
      const float speed = std::sqrt(object.vx * object.vx + object.vy * object.vy);
      add_measure(speed, speed < 1.0F, " m/s", &label.text);
    }
    texts.keep_free({label.first.x, label.first.y, label.last.x + 1, label.last.y + 1});
    labels.push_back(label);
  }
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    texts.put_beside(label->first, label->last, label->text.view());
  }
}

// The nearest obstacle gets a label with its distance.
void OverlayPainter::Impl::look_at_scan(const OverlayScene& scene) {
  const std::vector<std::uint32_t>& ranges = scene.found->ranges;
  const auto bins = static_cast<int>(ranges.size());
  const int fov = scene.parameters->scan_fov;
  edges.clear();
  for (int k = 0; k <= bins; ++k) {
    edges.push_back(direction_of(fov * (2 * k - bins) + 720 * bins, 360 * bins));
  }
  const int zoom = std::max(view.zoom, 1);
  std::uint32_t nearest = 0;
  Spot nearest_ends[2];
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    if (ranges[k] == 0) continue;
    const double metres = ranges[k] / 16384000.0;
    Spot from, to;
    if (!view.place(metres * edges[k].cosine, metres * edges[k].sine, &from) ||
        !view.place(metres * edges[k + 1].cosine, metres * edges[k + 1].sine, &to)) {
      continue;
    }
    lines.add(from, to, kObstaclePixel, kObstacleCells * zoom, zoom);
    if (nearest > 0 && ranges[k] >= nearest) continue;
    nearest = ranges[k];
    nearest_ends[0] = from;
    nearest_ends[1] = to;
  }
  if (nearest == 0) return;
  ShortText text;
  const float metres = static_cast<float>(nearest) / 1000.0F;
  add_number(metres, metres < 10.0F, &text);
  text.add(" m");
  texts.put_beside(nearest_ends[0], nearest_ends[1], text.view());
}

// If several cells share a pixel, obstacles win, then drops, then ground.
void OverlayPainter::Impl::paint_cells(const Obstacles& found, const RgbaView& picture, int first,
                                       int end) const {
  for (int row = first; row < end; ++row) {
    const ShownCells& ahead = rows[static_cast<std::size_t>(row)];
    std::byte* const to = picture.data + row * picture.stride;
    for (int column = 0; column < picture.width; ++column) {
      const ShownCells& aside = columns[static_cast<std::size_t>(column)];
      unsigned seen = 0;
      for (std::int32_t j = aside.first; j <= aside.last; ++j) {
        const std::uint8_t* states = found.states.data() + std::ptrdiff_t{j} * found.grid.columns;
        for (std::int32_t i = ahead.first; i <= ahead.last; ++i) seen |= 1U << states[i];
      }
      Pixel pixel = (seen & 1U << kOccupied) != 0  ? kObstaclePixel
                    : (seen & 1U << kDropped) != 0 ? kDropPixel
                    : (seen & 1U << kFree) != 0    ? kGroundPixel
                    : seen != 0                    ? kUnseenPixel
                                                   : kUnknownPixel;
      const bool is_bare = pixel == kGroundPixel || pixel == kUnseenPixel;
      if (is_bare && (ahead.is_line || aside.is_line)) pixel = kGridPixel;
      put(pixel, to, column);
    }
  }
}

// Places are in half pixels from the camera, which looks up from below the picture.
void OverlayPainter::Impl::paint_bearings(const OverlayScene& scene, const RgbaView& picture,
                                          int first, int end) const {
  const Obstacles& found = *scene.found;
  const double mm_of_half = 500.0 / view.scale.cells_of_metre;
  const double range = 1000.0 * scene.parameters->range;
  const auto bins = found.free.size();
  for (int row = first; row < end; ++row) {
    std::byte* const to = picture.data + row * picture.stride;
    const std::int64_t x = 2 * (std::int64_t{picture.height} - row) - 1;
    std::size_t passed = 0;  // edges that are right of the pixel
    for (int column = picture.width - 1; column >= 0; --column) {
      const std::int64_t y = std::int64_t{picture.width} - 2 * column - 1;
      while (passed <= bins && y * edges[passed].cosine - x * edges[passed].sine >= 0) ++passed;
      const double distance = std::sqrt(static_cast<double>(x * x + y * y));
      Pixel pixel = kUnknownPixel;
      if (passed > 0 && passed <= bins && distance * mm_of_half < range) {
        const bool is_ring = view.zoom > 0 && is_line(0.5 * distance - 0.5, view.scale.step_cells);
        pixel = is_ring                                          ? kGridPixel
                : distance * mm_of_half < found.free[passed - 1] ? kGroundPixel
                                                                 : kUnseenPixel;
      }
      put(pixel, to, column);
    }
  }
}

OverlayPainter::OverlayPainter(unsigned threads)
    : BandPainter(threads), impl_(std::make_unique<Impl>()) {}

OverlayPainter::~OverlayPainter() = default;

void OverlayPainter::paint(const DepthView& frame, const OverlayScene& scene,
                           const OverlayOptions& options, const RgbaView& picture) {
  with_standard_floats([&] {
    Impl& impl = *impl_;
    const Legend legend = legend_of(frame.width, frame.height, scene, options);
    const bool from_above = options.style != OverlayStyle::kBoxes;
    SampleRules rules{};
    impl.lines.clear();
    impl.texts.begin(frame.width, frame.height, text_zoom(frame.width, frame.height));
    impl.texts.keep_free(legend_box(legend));
    if (from_above) {
      impl.look_from_above(scene, options, frame.width, frame.height);
    } else {
      rules = rules_of_samples(frame, scene);
      impl.marks.look(scene.objects, {}, frame.width, frame.height, legend_box(legend));
    }
    if (!scene.found->has_ground) {
      const Spot middle = {frame.width / 2, frame.height / 2};
      impl.texts.put_beside(middle, middle, "no ground");
    }
    paint_bands(frame.height, [&](int first, int end) {
      if (!from_above) {
        paint_samples(frame, scene.found->classes, rules, picture, first, end);
        impl.marks.paint(picture, 255, PixelOrder::kRgba, first, end);
      } else if (options.style == OverlayStyle::kScan) {
        impl.paint_bearings(scene, picture, first, end);
      } else {
        impl.paint_cells(*scene.found, picture, first, end);
      }
      impl.lines.paint(picture, 255, PixelOrder::kRgba, first, end);
      impl.texts.paint(picture, 255, PixelOrder::kRgba, first, end);
    });
    Ticks ticks{};
    find_ticks(rules.range, legend.scale, &ticks);
    paint_legend(legend, ticks, kColours.of, 0, picture.width, picture);
  });
}

}  // namespace rdp::obstacles
