// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/span_canvas.h"

#include <algorithm>
#include <cmath>

namespace rdp {
namespace {

constexpr std::int32_t kNone = -1;

std::uint32_t to_fixed(double px) {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(std::floor(px * 0x1p24 + 0.5)));
}

}  // namespace

DisparityLine disparity_line(double disparity, double row, double slope) {
  return {to_fixed(disparity - slope * row), to_fixed(slope)};
}

void SpanCanvas::begin(int width, int height) {
  constexpr std::size_t kStartsPerColumn = kMaxSpans + kMaxGaps * kMaxBackgrounds;
  const auto w = static_cast<std::size_t>(width);
  Column* columns = columns_.ensure(w);
  std::fill_n(columns, w, Column{1, 0, {{0, height}}});
  std::fill_n(first_start_.ensure(static_cast<std::size_t>(height)), height, kNone);
  starts_.ensure(w * kStartsPerColumn);
  std::fill_n(values_.ensure(w), w, 0U);
  std::fill_n(steps_.ensure(w), w, 0U);
  std::fill_n(surfaces_.ensure(w), w, 0);
  width_ = width;
  height_ = height;
  row_ = 0;
  start_count_ = 0;
}

void SpanCanvas::cover(int column, int top, int bottom, const DisparityLine& line, Layer layer,
                       int surface) {
  Column* c = columns_.data() + column;
  // Backwards, because the last gap replaces a gap that vanishes.
  for (int i = c->gap_count - 1; i >= 0; --i) {
    Gap& gap = c->gaps[i];
    const int from = std::max(top, gap.top);
    const int to = std::min(bottom, gap.bottom);
    if (from >= to) continue;
    const bool splits = from > gap.top && to < gap.bottom;
    if (splits && c->gap_count == kMaxGaps) continue;
    if (layer == Layer::kForeground && c->span_count++ >= kMaxSpans) continue;
    if (splits) {
      c->gaps[c->gap_count++] = {to, gap.bottom};
      gap.bottom = from;
    } else if (from > gap.top) {
      gap.bottom = from;
    } else if (to < gap.bottom) {
      gap.top = to;
    } else {
      gap = c->gaps[--c->gap_count];
    }
    std::int32_t& first = first_start_.data()[from];
    starts_.data()[start_count_] = {first, column, line.at(from), line.step, surface};
    first = start_count_++;
  }
}

std::span<const std::uint32_t> SpanCanvas::next_row() {
  std::uint32_t* values = values_.data();
  std::uint32_t* steps = steps_.data();
  std::int32_t* surfaces = surfaces_.data();
  for (int i = 0; i < width_; ++i) values[i] += steps[i];
  for (std::int32_t i = first_start_.data()[row_]; i != kNone;) {
    const Start& start = starts_.data()[i];
    values[start.column] = start.value;
    steps[start.column] = start.step;
    surfaces[start.column] = start.surface;
    i = start.next;
  }
  ++row_;
  return {values, static_cast<std::size_t>(width_)};
}

}  // namespace rdp
