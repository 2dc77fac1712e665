// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/motion/arrows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "common/rdp/legend.h"
#include "common/rdp/round_numbers.h"

namespace rdp::motion {
namespace {

// The sides of the head, in pixels from its point: 30 degrees to each side of the shaft.
struct Head {
  Spot left;
  Spot right;
};

Head head_of(Spot from, Spot to, double length, double size) {
  constexpr double kCosine = 0.8660254037844386;
  constexpr double kSine = 0.5;
  const double x = (from.x - to.x) / length * size;
  const double y = (from.y - to.y) / length * size;
  const auto at = [&](double dx, double dy) {
    return Spot{to.x + static_cast<int>(std::floor(dx + 0.5)),
                to.y + static_cast<int>(std::floor(dy + 0.5))};
  };
  return {at(kCosine * x - kSine * y, kSine * x + kCosine * y),
          at(kCosine * x + kSine * y, kCosine * y - kSine * x)};
}

}  // namespace

void add_arrow(Spot from, Spot to, int zoom, PaintedLines* lines) {
  const double dx = to.x - from.x;
  const double dy = to.y - from.y;
  const double length = std::sqrt(dx * dx + dy * dy);
  const auto in = [&](Pixel colour, int thickness, int before) {
    if (length < 4 * zoom) {
      lines->add({to.x - zoom, to.y}, {to.x + zoom, to.y}, colour, thickness, before);
      lines->add({to.x, to.y - zoom}, {to.x, to.y + zoom}, colour, thickness, before);
      return;
    }
    const Head head = head_of(from, to, length, std::clamp(length / 3, 4.0 * zoom, 8.0 * zoom));
    lines->add(from, to, colour, thickness, before);
    lines->add(to, head.left, colour, thickness, before);
    lines->add(to, head.right, colour, thickness, before);
  };
  in(kLegendPaper, 3 * zoom, zoom);
  in(kArrowPixel, zoom, 0);
}

void Arrows::begin(int width, int height, int zoom) {
  zoom_ = zoom;
  ways_.clear();
  lines_.clear();
  texts_.begin(width, height, zoom);
}

void Arrows::add(Spot from, Spot to, double speed) {
  add_arrow(from, to, zoom_, &lines_);
  ways_.push_back({from, to, speed});
  const int reach = 4 * zoom_;
  texts_.keep_free({to.x - reach, to.y - reach, to.x + reach, to.y + reach});
}

void Arrows::put_texts() {
  for (const Way& way : ways_) {
    if (!(way.speed >= 0.0 && way.speed < 1e6)) continue;
    char text[kMaxPaintedText];
    const int length =
        write_number(static_cast<std::int64_t>(std::floor(way.speed * 10.0 + 0.5)), {1, -1}, text);
    constexpr std::string_view kUnit = " m/s";
    std::copy(kUnit.begin(), kUnit.end(), text + length);
    texts_.put_beside(way.from, way.to, {text, static_cast<std::size_t>(length) + kUnit.size()});
  }
}

void Arrows::paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order, int first_row,
                   int end_row) const {
  lines_.paint(picture, alpha, order, first_row, end_row);
  texts_.paint(picture, alpha, order, first_row, end_row);
}

}  // namespace rdp::motion
