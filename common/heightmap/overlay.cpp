// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/overlay.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/heightmap/ground.h"
#include "common/heightmap/overlay_legend.h"
#include "common/heightmap/overlay_look.h"
#include "common/heightmap/overlay_pixels.h"
#include "common/image/float_environment.h"

namespace rdp::heightmap {
namespace {

constexpr Colours kPaletteColours = make_pale_colours().level[0];

constexpr Colours make_greys_of(const GreyRange& range) {
  Colours greys{};
  for (int i = 0; i < 256; ++i) greys.entry[i] = grey_pixel(i, range);
  return greys;
}
constexpr Colours kDarkGreys = make_greys_of(kHeightsGreys);
constexpr Colours kBrightGreys = make_greys_of(kHeadsGreys);

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

}  // namespace

struct OverlayPainter::Impl {
  OverlayLook look;
  std::vector<std::uint16_t> ground;  // seen from above, mm

  void find_ground(const OverlayScene& scene);
  void paint_known(std::span<const std::uint8_t> labels, const RgbaView& picture, int first,
                   int end) const;
  void paint_map(const RgbaView& picture, int first, int end) const;
};

void OverlayPainter::Impl::find_ground(const OverlayScene& scene) {
  const GroundGrid& grid = look.ground();
  if (grid.columns == 0) return;
  ground.resize(static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows));
  draw_ground(*scene.rig, *scene.parameters, scene.labels, grid,
              {reinterpret_cast<std::byte*>(ground.data()), 2 * std::ptrdiff_t{grid.columns},
               static_cast<int>(grid.columns), static_cast<int>(grid.rows), SampleType::kU16});
}

// Over the greys.
void OverlayPainter::Impl::paint_known(std::span<const std::uint8_t> all_labels,
                                       const RgbaView& picture, int first, int end) const {
  const PixelRules& rules = look.rules();
  std::array<Pixel, kMaxHeights> colours{};
  for (int label = 0; label < rules.labels; ++label) {
    colours[static_cast<std::size_t>(label)] = picture_pixel(0, label, rules, kPaletteColours);
  }
  const auto width = static_cast<std::size_t>(picture.width);
  for (int row = first; row < end; ++row) {
    const std::uint8_t* labels = all_labels.data() + static_cast<std::size_t>(row) * width;
    std::byte* to = picture.data + row * picture.stride;
    for (int column = 0; column < picture.width; ++column) {
      if (labels[column] < rules.labels) put(colours[labels[column]], to, column);
    }
  }
}

void OverlayPainter::Impl::paint_map(const RgbaView& picture, int first, int end) const {
  const auto ground_columns = static_cast<int>(look.ground().columns);
  for (int row = first; row < end; ++row) {
    const MapPlace& shown = look.rows()[static_cast<std::size_t>(row)];
    std::byte* to = picture.data + row * picture.stride;
    for (int column = 0; column < picture.width; ++column) {
      put(map_pixel(look.columns()[static_cast<std::size_t>(column)], shown, ground.data(),
                    ground_columns, look.rules(), kPaletteColours),
          to, column);
    }
  }
}

PixelRules pixel_rules(const Parameters& parameters, OverlayStyle style) {
  PixelRules rules{};
  const int labels = parameters.heights();
  rules.labels = style == OverlayStyle::kHeights ? labels : 0;
  rules.greys = style == OverlayStyle::kHeights ? kHeightsGreys : kHeadsGreys;
  rules.low = parameters.min_height;
  rules.step = parameters.height_step;
  rules.span = parameters.height_of(labels - 1) - parameters.min_height;
  return rules;
}

Pixel height_colour(const Parameters& parameters, int height) {
  const PixelRules rules = pixel_rules(parameters, OverlayStyle::kHeights);
  return kPaletteColours.entry[height_entry(height, rules)];
}

OverlayPainter::OverlayPainter(unsigned threads)
    : BandPainter(threads), impl_(std::make_unique<Impl>()) {}

OverlayPainter::~OverlayPainter() = default;

void OverlayPainter::paint(const OverlayScene& scene, const OverlayOptions& options,
                           const RgbaView& picture) {
  Impl& impl = *impl_;
  OverlayLook& look = impl.look;
  look.look(picture.width, picture.height, scene, options);
  if (options.style == OverlayStyle::kBirdsEye) impl.find_ground(scene);
  paint_bands(picture.height, [&](int first, int end) {
    switch (options.style) {
      case OverlayStyle::kHeights:
        paint_greys(scene.picture, kDarkGreys, picture, first, end);
        impl.paint_known(scene.labels, picture, first, end);
        break;
      case OverlayStyle::kHeads:
        paint_greys(scene.picture, kBrightGreys, picture, first, end);
        break;
      case OverlayStyle::kBirdsEye:
        impl.paint_map(picture, first, end);
        break;
    }
    look.lines().paint(picture, 255, PixelOrder::kRgba, first, end);
    look.texts().paint(picture, 255, PixelOrder::kRgba, first, end);
  });
  with_standard_floats([&] { paint_heights_legend(look.legend(), look.legend_range(), picture); });
}

}  // namespace rdp::heightmap
