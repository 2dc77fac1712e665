// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/scene/plane_parts.h"

#include <cstring>
#include <utility>

namespace rdp {

void PlaneParts::begin(int width, int height) {
  width_ = width;
  least_ = least_pixels(width, height);
  runs_.clear();
  row_starts_.clear();
}

std::int32_t PlaneParts::top_of(std::int32_t run) {
  const auto parent = [this](std::int32_t r) -> std::int32_t& {
    return runs_[static_cast<std::size_t>(r)].parent;
  };
  while (parent(run) != run) {
    parent(run) = parent(parent(run));
    run = parent(run);
  }
  return run;
}

void PlaneParts::add_row(std::span<const std::int16_t> planes) {
  const auto begin = static_cast<std::int32_t>(runs_.size());
  std::int32_t above = row_starts_.empty() ? begin : row_starts_.back();
  row_starts_.push_back(begin);
  for (std::int32_t first = 0; first < width_;) {
    const std::int16_t plane = planes[static_cast<std::size_t>(first)];
    std::int32_t end = first + 1;
    while (end < width_ && planes[static_cast<std::size_t>(end)] == plane) ++end;
    if (plane >= 0) {
      const auto number = static_cast<std::int32_t>(runs_.size());
      runs_.push_back({first, end, number, plane});
      while (above < begin && runs_[static_cast<std::size_t>(above)].end <= first) ++above;
      for (std::int32_t a = above; a < begin; ++a) {
        const Run& upper = runs_[static_cast<std::size_t>(a)];
        if (upper.first >= end) break;
        if (upper.plane != plane) continue;
        // The earlier run stays on top, so that a part begins where its first pixel is.
        std::int32_t one = top_of(a);
        std::int32_t two = top_of(number);
        if (two < one) std::swap(one, two);
        runs_[static_cast<std::size_t>(two)].parent = one;
      }
    }
    first = end;
  }
}

void PlaneParts::write(const MutableDepthView& labels) {
  const auto count = static_cast<std::int32_t>(runs_.size());
  pixels_.assign(runs_.size(), 0);
  labels_.assign(runs_.size(), 0);
  planes_.clear();
  for (std::int32_t r = 0; r < count; ++r) {
    const Run& run = runs_[static_cast<std::size_t>(r)];
    pixels_[static_cast<std::size_t>(top_of(r))] += run.end - run.first;
  }
  for (std::int32_t r = 0; r < count; ++r) {
    const auto i = static_cast<std::size_t>(r);
    if (runs_[i].parent == r && pixels_[i] >= least_ && planes_.size() < 255) {
      planes_.push_back(runs_[i].plane);
      labels_[i] = static_cast<std::uint8_t>(planes_.size());
    }
  }
  for (int y = 0; y < labels.height; ++y) {
    std::byte* row = labels.row(y);
    std::memset(row, 0, static_cast<std::size_t>(width_));
    const auto last = static_cast<std::size_t>(y) + 1;
    const std::int32_t end = last < row_starts_.size() ? row_starts_[last] : count;
    for (std::int32_t r = row_starts_[static_cast<std::size_t>(y)]; r < end; ++r) {
      const Run& run = runs_[static_cast<std::size_t>(r)];
      std::memset(row + run.first, labels_[static_cast<std::size_t>(top_of(r))],
                  static_cast<std::size_t>(run.end - run.first));
    }
  }
}

}  // namespace rdp
