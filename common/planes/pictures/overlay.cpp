// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/pictures/overlay.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "common/image/float_environment.h"
#include "common/planes/pictures/overlay_look.h"
#include "common/planes/pictures/overlay_pixels.h"
#include "common/rdp/overlay.h"
#include "common/rdp/painted_texts.h"

namespace rdp::planes {
namespace {

constexpr PaleColours kColours = make_pale_colours();
constexpr Colours kGreys = make_greys();

// Precomputes laid_over() of the greys under each plane's colour, because a lookup is faster. The
// first entry has no colour.
void lay_colours(const OverlayLook& look, std::vector<Colours>* laid) {
  laid->resize(look.planes.size() + 1);
  laid->front() = kGreys;
  for (std::size_t i = 0; i < look.planes.size(); ++i) {
    for (std::size_t entry = 0; entry < 256; ++entry) {
      (*laid)[i + 1].entry[entry] = laid_over(look.planes[i].colour, kGreys.entry[entry]);
    }
  }
}

// Rows of a picture that one thread paints, layer by layer.
class Band {
 public:
  // `laid` of lay_colours() where the style shows planes' colours.
  Band(const DepthView& frame, const DepthView& labels, const OverlayLook& look,
       std::span<const Colours> laid, const RgbaView& picture, int first_row, int end_row)
      : frame_(frame),
        labels_(labels),
        look_(look),
        laid_(laid),
        picture_(picture),
        first_row_(first_row),
        end_row_(end_row) {}

  void paint(std::span<const NodeSquare> nodes) const {
    paint_pixels();
    for (const NodeSquare& square : nodes) paint_square(square);
    for (const PaintedText& number : look_.numbers) {
      paint_text(number, {0, first_row_, picture_.width, end_row_}, picture_);
    }
  }

 private:
  void put(int column, int row, Pixel pixel) const {
    std::memcpy(picture_.data + row * picture_.stride + 4 * static_cast<std::ptrdiff_t>(column),
                &pixel, sizeof pixel);
  }
  Pixel below(int column, int row) const {
    return picture_pixel(column, row, frame_.at(row, column), labels_.at(row, column), look_.rules,
                         look_.planes.data(), kColours.level[0], kGreys);
  }

  template <typename Sample>
  void paint_colours() const {
    const PixelRules& rules = look_.rules;
    const auto* labels = reinterpret_cast<const unsigned char*>(labels_.data);
    for (int row = first_row_; row < end_row_; ++row) {
      const std::byte* from = frame_.row(row);
      const std::byte* of = labels_.row(row);
      for (int column = 0; column < frame_.width; ++column, from += sizeof(Sample)) {
        Sample sample;
        std::memcpy(&sample, from, sizeof sample);
        const auto label = std::to_integer<std::size_t>(of[column]);
        const Colours& colours = laid_[label < laid_.size() ? label : 0];
        const int entry = palette_entry(palette_position(static_cast<float>(sample), rules.range));
        const Pixel pixel = is_known(sample, rules) ? colours.entry[entry] : kUnknownPixel;
        put(column, row,
            is_outline(labels, labels_.stride, column, row, rules) ? kOutlinePixel : pixel);
      }
    }
  }

  void paint_pixels() const {
    if (!laid_.empty()) {
      if (frame_.type == SampleType::kU8) {
        paint_colours<std::uint8_t>();
      } else {
        paint_colours<std::uint16_t>();
      }
      return;
    }
    for (int row = first_row_; row < end_row_; ++row) {
      for (int column = 0; column < frame_.width; ++column) put(column, row, below(column, row));
    }
  }

  void paint_square(const NodeSquare& square) const {
    const int left = std::max(square.x, 0);
    const int right = std::min(square.x + square.size, picture_.width);
    const int top = std::max(square.y, first_row_);
    const int bottom = std::min(square.y + square.size, end_row_);
    for (int row = top; row < bottom; ++row) {
      // Squares that are not planar have painted edges only.
      const int end = square.planar != 0 || row == square.y ? right : std::min(left + 1, right);
      for (int column = left; column < end; ++column) {
        Pixel pixel;
        if (square_pixel(square, column - square.x, row - square.y, below(column, row), &pixel)) {
          put(column, row, pixel);
        }
      }
    }
  }

  const DepthView& frame_;
  const DepthView& labels_;
  const OverlayLook& look_;
  std::span<const Colours> laid_;
  const RgbaView& picture_;
  int first_row_;
  int end_row_;
};

// The sample range of the palette.
PaletteRange range_of(const DepthView& frame, const OverlayScene& scene, const OverlayLook& look) {
  if (!look.range_of_frame) return look.rules.range;
  const PaletteRange range = palette_range(frame, samples_of(scene), rdp::OverlayOptions());
  return look.backwards ? backwards(range) : range;
}

}  // namespace

struct OverlayPainter::Impl {
  OverlayLook look;
  std::vector<Colours> laid;
};

OverlayPainter::OverlayPainter(unsigned threads)
    : BandPainter(threads), impl_(std::make_unique<Impl>()) {}

OverlayPainter::~OverlayPainter() = default;

void OverlayPainter::paint(const DepthView& frame, const DepthView& labels,
                           const OverlayScene& scene, const OverlayOptions& options,
                           const RgbaView& picture) {
  OverlayLook& look = impl_->look;
  build_picture(frame.width, frame.height, scene, options, &look);
  with_standard_floats([&] {
    look.rules.range = range_of(frame, scene, look);
    std::span<const Colours> laid;
    if (shows_planes(options.style)) {
      lay_colours(look, &impl_->laid);
      laid = impl_->laid;
    }
    const std::span<const NodeSquare> nodes =
        options.style == OverlayStyle::kNodes ? scene.nodes : std::span<const NodeSquare>();
    paint_bands(frame.height, [&](int first, int end) {
      Band(frame, labels, look, laid, picture, first, end).paint(nodes);
    });
    if (look.legend.zoom == 0) return;
    Ticks ticks{};
    find_ticks(look.legend_of_samples ? look.rules.range : look.legend_range, look.legend.scale,
               &ticks);
    paint_legend(look.legend, ticks, palettes_of(look.legend.palettes), 0, picture.width, picture);
  });
}

}  // namespace rdp::planes
