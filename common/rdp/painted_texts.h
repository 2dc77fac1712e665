// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_RDP_PAINTED_TEXTS_H_
#define RDP_COMMON_RDP_PAINTED_TEXTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/image/rgba_view.h"
#include "common/rdp/painted_marks.h"
#include "common/rdp/placed_segments.h"

// Short texts beside things in pictures, each on paper of its own: kLabelRows cells high and
// label_columns() wide.
namespace rdp {

// A text put together from parts, truncated to kMaxPaintedText characters.
class ShortText {
 public:
  void add(std::string_view more) {
    length_ += more.copy(text_ + length_, kMaxPaintedText - length_);
  }
  void add(std::int64_t count, const RoundNumber& number) {
    char digits[kNumberText];
    add({digits, static_cast<std::size_t>(write_number(count, number, digits))});
  }
  int length() const { return static_cast<int>(length_); }
  std::string_view view() const { return {text_, length_}; }

 private:
  char text_[kMaxPaintedText] = {};
  std::size_t length_ = 0;
};

// The texts of a picture. Keeps its memory between pictures. Throws std::bad_alloc.
class PaintedTexts {
 public:
  // For a picture of this size; a cell of the text is `zoom` pixels wide and high.
  void begin(int width, int height, int zoom);
  // Keeps this box free of texts.
  void keep_free(const Box& box) { taken_.push_back(box); }
  // Puts a text of at most kMaxPaintedText characters beside the line between two spots. Tries
  // right, left, above and below, and takes the first free place within the picture. False: no
  // room, or neither spot is in the picture.
  bool put_beside(Spot from, Spot to, std::string_view text);
  // Puts a text whose paper has its upper left corner at a spot. False: no room.
  bool put_at(Spot corner, std::string_view text);
  // Puts several texts, one below the other. False: no room for all of them, and none is put.
  bool put_lines(Spot corner, std::span<const std::string_view> lines);
  // Paints the texts in rows [first_row, end_row); all other pixels stay as they are.
  void paint(const RgbaView& picture, std::uint8_t alpha, PixelOrder order, int first_row,
             int end_row) const;

  std::size_t size() const { return texts_.size(); }
  // No two of them share a pixel.
  std::span<const PaintedText> texts() const { return texts_; }

 private:
  PaintedText text_at(Spot corner, std::string_view text) const;
  bool is_free(const Box& box) const;

  int width_ = 0;
  int height_ = 0;
  int zoom_ = 1;
  std::vector<PaintedText> texts_;
  std::vector<Box> taken_;
};

// Paints the part of a text inside `within`; that part lies in the picture.
void paint_text(const PaintedText& text, const Box& within, const RgbaView& picture,
                Pixel ink = kLegendInk, Pixel paper = kLegendPaper);
// Paint a box in one colour, and a text without paper, all within the picture.
void paint_box(const Box& box, Pixel colour, const RgbaView& picture);
void paint_text(std::string_view text, int left, int top, int zoom, Pixel ink,
                const RgbaView& picture);

}  // namespace rdp

#endif  // RDP_COMMON_RDP_PAINTED_TEXTS_H_
