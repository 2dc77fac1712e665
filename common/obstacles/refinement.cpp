// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/obstacles/refinement.h"

#include <algorithm>
#include <cstddef>

#include "common/obstacles/rows.h"

namespace rdp::obstacles {

Refined Refinement::refine(const DepthView& frame, const CameraTables& tables,
                           const Ground& start) {
  const FrameRules& rules = tables.rules;
  step_ = refinement_step(frame.width);
  width_ = (frame.width + step_ - 1) / step_;
  height_ = (frame.height + step_ - 1) / step_;
  const std::size_t row_size = static_cast<std::size_t>(width_) + kRowPadding;
  z_.resize(row_size * static_cast<std::size_t>(height_));
  u_.resize(z_.size());
  columns_.resize(row_size);
  for (int j = 0; j < height_; ++j) {
    std::int32_t* const z = z_.data() + row_size * static_cast<std::size_t>(j);
    std::int32_t* const u = u_.data() + row_size * static_cast<std::size_t>(j);
    std::fill_n(z, row_size, 0);
    std::fill_n(u, row_size, 0);
    const int row = j * step_;
    if (row < rules.first_row || row >= rules.end_row) continue;
    for (int i = 0; i < width_; ++i) {
      const int column = i * step_;
      if (column < rules.first_column || column >= rules.end_column) continue;
      const std::uint16_t sample = frame.at(row, column);
      const std::int32_t depth = tables.depth[sample];
      if (depth == 0 || depth > rules.range) continue;
      z[i] = depth;
      u[i] = tables.inverse[sample];
    }
  }
  return refine_ground(start, tables, [&](const Ground& ground, const GroundBand& band) {
    return sum(tables, ground, band);
  });
}

GroundSums Refinement::sum(const CameraTables& tables, const Ground& ground,
                           const GroundBand& band) {
  const Axes axes = axes_of(ground);
  const RowSteps& steps = row_steps();
  for (int i = 0; i < width_; ++i) {
    columns_[static_cast<std::size_t>(i)] =
        column_ray(axes.r[2], tables.ray_x[static_cast<std::size_t>(i * step_)]);
  }
  GroundSums sums;
  for (int j = 0; j < height_; ++j) {
    const std::size_t start = columns_.size() * static_cast<std::size_t>(j);
    GroundSums row;
    steps.sum_ground({z_.data() + start, u_.data() + start, columns_.data(),
                      row_ray(axes.r[2], tables.ray_y[static_cast<std::size_t>(j * step_)]), width_,
                      -tables.lens.middle_x, step_},
                     axes.height, band, &row);
    const std::int64_t y = j * step_ - tables.lens.middle_y;
    sums.n += row.n;
    sums.x += row.x;
    sums.y += y * row.n;
    sums.u += row.u;
    sums.xx += row.xx;
    sums.xy += y * row.x;
    sums.yy += y * y * row.n;
    sums.xu += row.xu;
    sums.yu += y * row.u;
    sums.below += row.below;
  }
  return sums;
}

}  // namespace rdp::obstacles
