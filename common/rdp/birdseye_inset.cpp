// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/birdseye_inset.h"

#include <algorithm>
#include <cstring>

#include "common/image/float_environment.h"
#include "common/rdp/overlay.h"

namespace rdp {

InsetPlace place_inset(const MetricCamera& camera, int frame_width, int picture_width,
                       int picture_height, double part, bool right, bool bottom) {
  InsetPlace place;
  with_standard_floats([&] {
    const int margin = std::min(picture_width, picture_height) / 50;
    const int most_width = std::max(picture_width - 2 * margin, 1);
    const int most_height = std::max(picture_height - 2 * margin, 1);
    const int most_zoom = text_zoom(picture_width, picture_height);
    const int panel_width = std::clamp(static_cast<int>(picture_width * part), 1, most_width);
    place.pad = std::min({2 * most_zoom, panel_width / 16, most_height / 16});
    // The ratio of width to height.
    const double aside = std::max(camera.principal_x + 0.5, frame_width - 0.5 - camera.principal_x);
    const double wider = std::max(1.0, 2.0 * aside / camera.focal_x);
    BirdseyeSize& view = place.view;
    view.width = panel_width - 2 * place.pad;
    view.height = std::max(static_cast<int>(view.width / wider), 1);
    const int most_rows = most_height - 2 * place.pad;
    if (view.height > most_rows) {
      view.height = most_rows;
      view.width = std::clamp(static_cast<int>(view.height * wider), 1, view.width);
    }
    const int side = std::min(view.width, view.height);
    view.zoom = side < 3 * kGridSpacing ? 0 : std::clamp(side / (4 * kGridSpacing), 1, most_zoom);
    const int width = view.width + 2 * place.pad;
    const int height = view.height + 2 * place.pad;
    const int left = right ? picture_width - margin - width : margin;
    const int top = bottom ? picture_height - margin - height : margin;
    place.panel = {left, top, left + width, top + height};
  });
  return place;
}

void BirdseyeInset::look(const SegmentArrays& segments, const Parameters& parameters, int width,
                         int height, const MetricCamera& camera, double range,
                         const BirdseyeSize& size) {
  with_standard_floats([&] {
    size_ = size;
    pixels_.resize(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height));
    seen_.resize(birdseye_words(static_cast<std::size_t>(segments.columns()), size.height));
    OverlayOptions options;
    options.style = OverlayStyle::kBirdsEye;
    options.camera = &camera;
    OverlayLook look;
    look.style = options.style;
    look.birdseye = birdseye_of(width, height, parameters, options);
    look.birdseye.zoom = size.zoom;
    if (!(range > 0.0)) {
      range = range_of_frame(palette_range_of_ends(segments, &ends_), look.birdseye.camera.depth);
    }
    scale_ = birdseye_scale(range, size.height, size.zoom);
    look.birdseye.scale = scale_;
    look.rules = birdseye_rules(parameters, look.birdseye.camera);
    look.ground = find_ground(segments, height, look.rules);
    see_columns(segments, look, size.height, 0, segments.columns(), seen_.data());
    paint_birdseye(look.birdseye, seen_.data(), 0, size.width, picture());
  });
}

RgbaView BirdseyeInset::picture() {
  return {reinterpret_cast<std::byte*>(pixels_.data()), std::ptrdiff_t{4} * size_.width,
          size_.width, size_.height};
}

void BirdseyeInset::paint(const RgbaView& picture, const InsetPlace& place, std::uint8_t alpha,
                          PixelOrder order, int first_row, int end_row) const {
  const Box& panel = place.panel;
  const Pixel paper = ordered_pixel(kLegendPaper, alpha, order);
  for (int row = std::max(first_row, panel.top); row < std::min(end_row, panel.bottom); ++row) {
    std::byte* const to = picture.data + row * picture.stride;
    const auto put = [&](int column, Pixel pixel) {
      std::memcpy(to + 4 * static_cast<std::ptrdiff_t>(column), &pixel, sizeof pixel);
    };
    for (int column = panel.left; column < panel.right; ++column) put(column, paper);
    const int y = row - panel.top - place.pad;
    if (y < 0 || y >= size_.height) continue;
    const Pixel* from = pixels_.data() + static_cast<std::ptrdiff_t>(y) * size_.width;
    for (int x = 0; x < size_.width; ++x) {
      if (from[x] == kUnknownPixel) continue;
      put(panel.left + place.pad + x, ordered_pixel(from[x], alpha, order));
    }
  }
}

}  // namespace rdp
