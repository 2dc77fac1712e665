// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/frames/label_parts.h"

#include <algorithm>
#include <cstring>

#include "common/planes/frames/cell_labels.h"

namespace rdp::planes {

std::int32_t LabelParts::root_of(std::int32_t run) {
  while (runs_[run].root != run) {
    runs_[run].root = runs_[runs_[run].root].root;
    run = runs_[run].root;
  }
  return run;
}

void LabelParts::find(const std::uint16_t* labels, std::ptrdiff_t stride, int width, int height,
                      bool connected) {
  labels_ = labels;
  stride_ = stride;
  width_ = width;
  ends_.resize(static_cast<std::size_t>(width) + 16);
  runs_.clear();
  rows_.clear();
  for (int y = 0; y < height; ++y) {
    const std::uint16_t* const row = labels + y * stride;
    const std::int32_t above_end = static_cast<std::int32_t>(runs_.size());
    std::int32_t above = y > 0 ? rows_.back() : above_end;
    rows_.push_back(above_end);
    const int ends = find_ends(row, width, ends_.data());
    int x = 0;
    for (int i = 0; i < ends; ++i) {
      const std::uint16_t label = row[x];
      const int end = ends_[i];
      if (label != 0) {
        const auto number = static_cast<std::int32_t>(runs_.size());
        runs_.push_back({x, end, number, label});
        while (above < above_end && runs_[above].end <= x) ++above;
        for (std::int32_t a = above; a < above_end && runs_[a].first < end; ++a) {
          if (runs_[a].label != label) continue;
          const std::int32_t one = root_of(a);
          const std::int32_t two = root_of(number);
          // The lower run is the root, so that it has the first pixel.
          runs_[std::max(one, two)].root = std::min(one, two);
        }
      }
      x = end;
    }
  }
  rows_.push_back(static_cast<std::int32_t>(runs_.size()));

  planes_.clear();
  of_label_.assign(connected ? 0 : 65536, -1);
  for (int y = 0; y < height; ++y) {
    for (std::int32_t r = rows_[y]; r < rows_[y + 1]; ++r) {
      Run& run = runs_[r];
      // Roots come before the runs that point to them, so their part is already set.
      if (connected) {
        if (run.root != r) {
          run.root = runs_[run.root].root;
          continue;
        }
      } else if (of_label_[run.label] >= 0) {
        run.root = of_label_[run.label];
        continue;
      }
      run.root = static_cast<std::int32_t>(planes_.size());
      if (!connected) of_label_[run.label] = run.root;
      planes_.push_back({static_cast<std::int64_t>(y) * width + run.first, run.label, {}, {}});
    }
  }
}

void LabelParts::sum_up(const DepthRows& depth, const std::int32_t* ray_x,
                        const std::int32_t* ray_y, const std::vector<Moments>& cells) {
  const int height = static_cast<int>(rows_.size()) - 1;
  const int columns = (width_ + kCell - 1) / kCell;
  whole_.assign(static_cast<std::size_t>(columns) + 1, 0);
  stretch_.assign(static_cast<std::size_t>(columns) + 1, columns);
  for (int top = 0; top < height; top += kCell) {
    const int bottom = std::min(height, top + kCell);
    if (bottom == top + kCell) {
      find_whole_cells(labels_ + top * stride_, stride_, width_ / kCell, whole_.data());
    } else {
      std::fill(whole_.begin(), whole_.end(), 0);
    }
    // The start of the next cell that differs from this one in being whole.
    for (int c = columns - 2; c >= 0; --c) {
      stretch_[c] = whole_[c] == whole_[c + 1] ? stretch_[c + 1] : c + 1;
    }
    const Moments* const sums = cells.data() + std::ptrdiff_t{top / kCell} * columns;
    for (int y = top; y < bottom; ++y) {
      for (std::int32_t r = rows_[y]; r < rows_[y + 1]; ++r) {
        const Run& run = runs_[r];
        Moments* const moments = &planes_[run.root].moments;
        for (int x = run.first; x < run.end;) {
          const int cell = x / kCell;
          const int end = std::min(run.end, stretch_[cell] * kCell);
          if (whole_[cell] == 0) {
            add_run(depth.row(y), x, end, ray_x, ray_y[y], moments);
          } else if (y == top) {
            // A run has all of a whole cell's pixels in its row.
            for (int c = cell; c < end / kCell; ++c) moments->add(sums[c]);
          }
          x = end;
        }
      }
    }
  }
}

void LabelParts::write(const MutableDepthView& out) {
  // Numbers the remaining parts. A part is identified by its first pixel, which begins a run.
  number_.assign(runs_.size(), 0);
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    const auto y = static_cast<std::size_t>(planes_[i].first / width_);
    const auto x = static_cast<std::int32_t>(planes_[i].first % width_);
    std::int32_t r = rows_[y];
    while (runs_[r].first != x) ++r;
    number_[runs_[r].root] = static_cast<std::uint8_t>(i + 1);
  }
  extents_.start(planes_.size(), out.height);
  for (int y = 0; y < out.height; ++y) {
    std::byte* const row = out.row(y);
    std::memset(row, 0, static_cast<std::size_t>(out.width));
    for (std::int32_t r = rows_[y]; r < rows_[y + 1]; ++r) {
      const std::uint8_t label = number_[runs_[r].root];
      if (label == 0) continue;
      std::memset(row + runs_[r].first, label,
                  static_cast<std::size_t>(runs_[r].end - runs_[r].first));
      extents_.add(label - 1u, runs_[r].first, y);
      extents_.add(label - 1u, runs_[r].end - 1, y);
    }
  }
}

}  // namespace rdp::planes
