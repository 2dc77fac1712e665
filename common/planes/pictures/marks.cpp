// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/pictures/marks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "common/rdp/painted_texts.h"

namespace rdp::planes {
namespace {

void put(const RgbaView& picture, int column, int row, Pixel pixel) {
  std::memcpy(picture.data + row * picture.stride + 4 * static_cast<std::ptrdiff_t>(column), &pixel,
              sizeof pixel);
}

}  // namespace

void PlaneMarks::look(const PlaneSet& planes, const MetricCamera& camera, const DepthView& labels) {
  const Parameters parameters;
  OverlayScene scene;
  scene.camera = &camera;
  scene.parameters = &parameters;
  scene.planes = &planes;
  build_picture(labels.width, labels.height, scene, {}, &look_);
  labels_ = labels;
}

void PlaneMarks::paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order, int first_row,
                       int end_row) const {
  const int bare = 255 - alpha;
  const auto twice = static_cast<std::uint8_t>(255 - (bare * bare + 127) / 255);
  std::array<Pixel, 256> colours{};
  const std::size_t planes = std::min(look_.planes.size(), colours.size() - 1);
  for (std::size_t i = 0; i < planes; ++i) {
    colours[i + 1] = ordered_pixel(look_.planes[i].colour, alpha, order);
  }
  const Pixel outline = ordered_pixel(kOutlinePixel, twice, order);
  const auto* labels = reinterpret_cast<const unsigned char*>(labels_.data);
  for (int row = first_row; row < end_row; ++row) {
    const std::byte* of = labels_.row(row);
    for (int column = 0; column < picture.width; ++column) {
      const bool edge = is_outline(labels, labels_.stride, column, row, look_.rules);
      put(picture, column, row, edge ? outline : colours[std::to_integer<std::size_t>(of[column])]);
    }
  }
  const Pixel ink = ordered_pixel(kLegendInk, twice, order);
  const Pixel paper = ordered_pixel(kLegendPaper, twice, order);
  for (const PaintedText& number : look_.numbers) {
    paint_text(number, {0, first_row, picture.width, end_row}, picture, ink, paper);
  }
}

}  // namespace rdp::planes
