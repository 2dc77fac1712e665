// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_SPAN_CANVAS_H_
#define RDP_COMMON_SCENE_SPAN_CANVAS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/image/grow_buffer.h"

namespace rdp {

// A disparity that is linear in the row, in 2^-24 px: at(row) = at_row0 + step * row, modulo 2^32.
// Whoever makes one sees to it that the disparities that are drawn lie within [0, 256) px.
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

// A picture of vertical spans, each a DisparityLine. It is drawn from front to back: what is
// already covered stays. It is read row by row, from the top, once, so that drawing costs a little
// for each span and reading one addition for each sample, without a walk down the columns of a
// large frame.
class SpanCanvas {
 public:
  // Starts an empty picture. Allocates only when it is larger than any before.
  void begin(int width, int height);

  // Puts `line` in rows [top, bottom) of `column` wherever nothing is yet; rows outside of the
  // picture are cut off. A column takes kMaxSpans foreground spans and kMaxBackgrounds calls for
  // the background, and falls into kMaxGaps uncovered pieces; what comes on top of that is left
  // out. The background has to cover all rows in the end, so draw it from the bottom up: then it
  // needs no further pieces.
  enum class Layer : std::uint8_t { kForeground, kBackground };
  // `surface` is a number that the pixels keep: see surfaces().
  void cover(int column, int top, int bottom, const DisparityLine& line,
             Layer layer = Layer::kForeground, int surface = 0);

  // The disparities of the next row in 2^-24 px, valid until the next call.
  std::span<const std::uint32_t> next_row();
  // The last row that was read: for each pixel the surface that it shows, and the growth of that
  // surface's disparity in the next row.
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
  struct Start {  // where a span starts; those of one row are a list
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
