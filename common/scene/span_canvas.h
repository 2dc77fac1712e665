// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_SPAN_CANVAS_H_
#define RDP_COMMON_SCENE_SPAN_CANVAS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/image/grow_buffer.h"

namespace rdp {

// A disparity that is linear in the row, in 2^-24 px: at(row) = at_row0 + step * row, modulo 2^32.
// The caller keeps drawn disparities within [0, 256) px.
struct DisparityLine {
  std::uint32_t at_row0 = 0;
  std::uint32_t step = 0;

  std::uint32_t at(int row) const { return at_row0 + step * static_cast<std::uint32_t>(row); }
};

// The line that has `disparity` (px) in row `row` and grows by `slope` px a row.
DisparityLine disparity_line(double disparity, double row, double slope);
inline DisparityLine constant_disparity(double disparity) {
  return disparity_line(disparity, 0.0, 0.0);
}

// An image of vertical spans, each a DisparityLine. Drawing is from front to back: covered pixels
// stay. Reading is row by row, from the top, once. So drawing costs little for each span and
// reading one addition for each sample, without walking down the columns of a large frame.
class SpanCanvas {
 public:
  // Starts an empty picture. Allocates only when it is larger than any before.
  void begin(int width, int height);

  // Draws `line` into the uncovered pixels of rows [top, bottom) of `column`, clipped to the image.
  // A column has room for kMaxSpans foreground spans, kMaxBackgrounds background calls, and
  // kMaxGaps uncovered pieces; anything beyond is left out. The background must cover all rows in
  // the end; drawn from the bottom up, it needs no further pieces.
  enum class Layer : std::uint8_t { kForeground, kBackground };
  // `surface`: a number stored for the pixels, see surfaces().
  void cover(int column, int top, int bottom, const DisparityLine& line,
             Layer layer = Layer::kForeground, int surface = 0);

  // The disparities of the next row in 2^-24 px, valid until the next call.
  std::span<const std::uint32_t> next_row();
  // For each pixel of the last row read: the visible surface, and the growth of its disparity to
  // the next row.
  std::span<const std::int32_t> surfaces() const { return {surfaces_.data(), columns_read()}; }
  std::span<const std::uint32_t> steps() const { return {steps_.data(), columns_read()}; }

  int width() const { return width_; }
  int height() const { return height_; }

  static constexpr int kMaxSpans = 40;
  static constexpr int kMaxGaps = 6;
  static constexpr int kMaxBackgrounds = 6;

 private:
  struct Gap {
    std::int32_t top, bottom;
  };
  struct Column {
    int gap_count;
    int span_count;  // of the foreground
    Gap gaps[kMaxGaps];
  };
  struct Start {  // start of a span; spans that start in one row form a list
    std::int32_t next;
    std::int32_t column;
    std::uint32_t value;
    std::uint32_t step;
    std::int32_t surface;
  };

  std::size_t columns_read() const { return static_cast<std::size_t>(width_); }

  int width_ = 0;
  int height_ = 0;
  int row_ = 0;
  std::int32_t start_count_ = 0;
  GrowBuffer<Column> columns_;
  GrowBuffer<std::int32_t> first_start_;  // for each row
  GrowBuffer<Start> starts_;
  GrowBuffer<std::uint32_t> values_;
  GrowBuffer<std::uint32_t> steps_;
  GrowBuffer<std::int32_t> surfaces_;
};

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_SPAN_CANVAS_H_
