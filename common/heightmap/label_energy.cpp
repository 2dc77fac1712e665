// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/label_energy.h"

#include <cstddef>

#include "common/heightmap/reference.h"
#include "common/heightmap/rules.h"

namespace rdp::heightmap {

void EdgeTable::prepare(const Parameters& parameters) {
  max_slope_ = parameters.max_slope;
  edge_contrast_ = parameters.edge_contrast;
  for (const bool edge : {false, true}) {
    const int jump = edge ? parameters.edge_jump : parameters.unknown_jump;
    for (int rise = -kMaxRise; rise <= kMaxRise; ++rise) {
      for (int a = 0; a <= parameters.heights(); ++a) {
        for (int b = 0; b <= parameters.heights(); ++b) {
          costs_[edge ? 1 : 0][rise + kMaxRise][a][b] =
              static_cast<std::uint8_t>(reference::edge_cost(a, b, rise, jump, parameters));
        }
      }
    }
  }
}

std::int64_t EdgeTable::sum_rows(const std::uint8_t* labels, const std::int32_t* potential,
                                 const DepthView& picture, int first, int end) const {
  const int width = picture.width;
  std::int64_t sum = 0;
  for (int row = first; row < end; ++row) {
    const std::ptrdiff_t begin = std::ptrdiff_t{row} * width;
    const auto* const here = reinterpret_cast<const std::uint8_t*>(picture.row(row));
    // Cost between a column's pixel and the one `step` after it, whose grey level is `next`.
    const auto edge = [&](int column, std::ptrdiff_t step, std::uint8_t next) {
      const std::ptrdiff_t p = begin + column;
      const std::ptrdiff_t q = p + step;
      const int up = rise(potential[p], potential[q], max_slope_);
      const int kind = is_edge(here[column], next, edge_contrast_) ? 1 : 0;
      return costs_[kind][up + kMaxRise][labels[p]][labels[q]];
    };
    std::int64_t of_row = 0;
    for (int x = 0; x < width - 1; ++x) of_row += edge(x, 1, here[x + 1]);
    if (row + 1 < picture.height) {
      const auto* const below = reinterpret_cast<const std::uint8_t*>(picture.row(row + 1));
      for (int x = 0; x < width; ++x) of_row += edge(x, width, below[x]);
    }
    sum += of_row;
  }
  return sum;
}

}  // namespace rdp::heightmap
