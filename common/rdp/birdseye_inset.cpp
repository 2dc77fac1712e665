// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/birdseye_inset.h"

#include <algorithm>
#include <cstring>

#include "common/image/float_environment.h"
#include "common/rdp/overlay.h"

namespace rdp {

InsetPlace place_inset(int frame_width, int frame_height, int picture_width, int picture_height,
                       double part, bool right, bool bottom) {
  const int margin = std::min(picture_width, picture_height) / 50;
  const int most_width = std::max(picture_width - 2 * margin, 1);
  const int most_height = std::max(picture_height - 2 * margin, 1);
  InsetPlace place;
  place.width = std::clamp(static_cast<int>(picture_width * part), 1, most_width);
  const auto height_of = [&](std::int64_t width) { return width * frame_height / frame_width; };
  if (height_of(place.width) > most_height) {
    place.width = static_cast<int>(
        std::max<std::int64_t>(std::int64_t{most_height} * frame_width / frame_height, 1));
  }
  place.height = static_cast<int>(std::clamp<std::int64_t>(height_of(place.width), 1, most_height));
  place.left = right ? picture_width - margin - place.width : margin;
  place.top = bottom ? picture_height - margin - place.height : margin;
  return place;
}

void BirdseyeInset::look(const SegmentArrays& segments, const Parameters& parameters, int width,
                         int height, const MetricCamera& camera, double range) {
  with_standard_floats([&] {
    width_ = width;
    height_ = height;
    pixels_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    seen_.resize(birdseye_words(static_cast<std::size_t>(segments.columns()), height));
    OverlayOptions options;
    options.style = OverlayStyle::kBirdsEye;
    options.camera = &camera;
    OverlayLook look;
    look.style = options.style;
    look.birdseye = birdseye_of(width, height, parameters, options);
    if (!(range > 0.0)) {
      range = range_of_frame(palette_range_of_ends(segments, &ends_), look.birdseye.camera.depth);
    }
    scale_ = birdseye_scale(range, height, look.birdseye.zoom);
    look.birdseye.scale = scale_;
    look.rules = birdseye_rules(parameters, look.birdseye.camera);
    look.ground = find_ground(segments, height, look.rules);
    see_columns(segments, look, height, 0, segments.columns(), seen_.data());
    paint_birdseye(look.birdseye, seen_.data(), 0, width, picture());
  });
}

RgbaView BirdseyeInset::picture() {
  return {reinterpret_cast<std::byte*>(pixels_.data()), std::ptrdiff_t{4} * width_, width_,
          height_};
}

void BirdseyeInset::paint(const RgbaView& picture, const InsetPlace& place, std::uint8_t alpha,
                          PixelOrder order, int first_row, int end_row) const {
  // The pixels of the frame that pixel i of `count` covers, at least one.
  const auto first_of = [](int i, int count, int size) {
    return static_cast<int>(std::int64_t{i} * size / count);
  };
  const auto end_of = [&](int i, int count, int size) {
    return std::max(first_of(i + 1, count, size), first_of(i, count, size) + 1);
  };
  for (int row = std::max(first_row, place.top); row < std::min(end_row, place.top + place.height);
       ++row) {
    const int top = first_of(row - place.top, place.height, height_);
    const int bottom = end_of(row - place.top, place.height, height_);
    for (int x = 0; x < place.width; ++x) {
      const int left = first_of(x, place.width, width_);
      const int right = end_of(x, place.width, width_);
      std::uint64_t sums[3] = {};
      std::uint64_t alphas = 0;
      for (int y = top; y < bottom; ++y) {
        const std::uint32_t* pixels = pixels_.data() + static_cast<std::ptrdiff_t>(y) * width_;
        for (int c = left; c < right; ++c) {
          const std::uint64_t a = pixels[c] >> 24;
          for (int i = 0; i < 3; ++i) sums[i] += (pixels[c] >> 8 * i & 255U) * a;
          alphas += a;
        }
      }
      std::uint32_t pixel = 0;
      if (alphas > 0) {
        const auto count = static_cast<std::uint64_t>((bottom - top) * (right - left)) * 255;
        for (int i = 0; i < 3; ++i) {
          const int at = order == PixelOrder::kBgra ? 2 - i : i;
          pixel |= static_cast<std::uint32_t>((sums[i] + alphas / 2) / alphas) << 8 * at;
        }
        pixel |= static_cast<std::uint32_t>((alphas * alpha + count / 2) / count) << 24;
      }
      std::memcpy(picture.data + row * picture.stride + 4 * (place.left + std::ptrdiff_t{x}),
                  &pixel, sizeof pixel);
    }
  }
}

}  // namespace rdp
