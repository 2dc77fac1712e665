// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/rdp/painted_texts.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace rdp {
namespace {

constexpr Font kFont = make_font();

void put(Pixel p, int column, int row, const RgbaView& picture) {
  std::memcpy(picture.data + row * picture.stride + 4 * static_cast<std::ptrdiff_t>(column), &p,
              sizeof p);
}

}  // namespace

void PaintedTexts::begin(int width, int height, int zoom) {
  width_ = width;
  height_ = height;
  zoom_ = zoom;
  texts_.clear();
  taken_.clear();
}

bool PaintedTexts::is_free(const Box& box) const {
  if (box.left < 0 || box.top < 0 || box.right > width_ || box.bottom > height_) return false;
  return std::none_of(taken_.begin(), taken_.end(),
                      [&](const Box& other) { return overlap(box, other); });
}

PaintedText PaintedTexts::text_at(Spot corner, std::string_view text) const {
  PaintedText at{{}, zoom_, kLabelPad, 0, {}};
  at.length = static_cast<std::int16_t>(text.copy(at.text, kMaxPaintedText));
  at.box = rdp::box_at(corner.x, corner.y, at);
  return at;
}

bool PaintedTexts::put_lines(Spot corner, std::span<const std::string_view> lines) {
  const auto place = [&](std::size_t i) {
    return Spot{corner.x, corner.y + static_cast<int>(i) * kLabelRows * zoom_};
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!is_free(text_at(place(i), lines[i]).box)) return false;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) put_at(place(i), lines[i]);
  return true;
}

bool PaintedTexts::put_at(Spot corner, std::string_view text) {
  const PaintedText put = text_at(corner, text);
  if (!is_free(put.box)) return false;
  texts_.push_back(put);
  taken_.push_back(put.box);
  return true;
}

bool PaintedTexts::put_beside(Spot from, Spot to, std::string_view text) {
  const auto length = static_cast<int>(std::min<std::size_t>(text.size(), kMaxPaintedText));
  const int wide = label_columns(length) * zoom_;
  const int high = kLabelRows * zoom_;
  const int apart = 5 * zoom_;
  const auto is_within = [&](Spot spot) {
    return spot.x >= 0 && spot.x < width_ && spot.y >= 0 && spot.y < height_;
  };
  if (!is_within(from) && !is_within(to)) return false;
  // The part of the line beyond the picture needs no text.
  const auto within = [&](Spot spot) {
    return Spot{std::clamp(spot.x, 0, width_ - 1), std::clamp(spot.y, 0, height_ - 1)};
  };
  from = within(from);
  to = within(to);
  const auto [left, right] = std::minmax(from.x, to.x);
  const auto [top, bottom] = std::minmax(from.y, to.y);
  const int column = (from.x + to.x - wide) / 2;
  const int row = (from.y + to.y - high) / 2;
  const Spot corners[] = {{right + apart, row},
                          {left - apart - wide, row},
                          {column, top - apart - high},
                          {column, bottom + apart}};
  return std::any_of(std::begin(corners), std::end(corners),
                     [&](const Spot& corner) { return put_at(corner, text); });
}

void PaintedTexts::paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order,
                         int first_row, int end_row) const {
  const Pixel ink = ordered_pixel(kLegendInk, alpha, order);
  const Pixel paper = ordered_pixel(kLegendPaper, alpha, order);
  for (const PaintedText& text : texts_) {
    paint_text(text, {0, first_row, picture.width, end_row}, picture, ink, paper);
  }
}

void paint_text(const PaintedText& text, const Box& within, const RgbaView& picture, Pixel ink,
                Pixel paper) {
  const Box& box = text.box;
  for (int y = std::max(box.top, within.top); y < std::min(box.bottom, within.bottom); ++y) {
    for (int x = std::max(box.left, within.left); x < std::min(box.right, within.right); ++x) {
      put(is_ink(text, kFont, x - box.left, y - box.top) ? ink : paper, x, y, picture);
    }
  }
}

void paint_box(const Box& box, Pixel colour, const RgbaView& picture) {
  for (int y = box.top; y < box.bottom; ++y) {
    for (int x = box.left; x < box.right; ++x) put(colour, x, y, picture);
  }
}

void paint_text(std::string_view text, int left, int top, int zoom, Pixel ink,
                const RgbaView& picture) {
  const auto length = static_cast<int>(text.size());
  for (int y = 0; y < kGlyphRows * zoom; ++y) {
    for (int x = 0; x < text_columns(length) * zoom; ++x) {
      if (text_bit(kFont, text.data(), length, x / zoom, y / zoom)) {
        put(ink, left + x, top + y, picture);
      }
    }
  }
}

}  // namespace rdp
