// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/heightmap/label_energy.h"

#include <cstddef>

#include "common/heightmap/reference.h"
#include "common/heightmap/rules.h"

namespace rdp::heightmap {

void EdgeTable::prepare(const Parameters& parameters) {
  max_slope_ = parameters.max_slope;
  for (int rise = -kMostRise; rise <= kMostRise; ++rise) {
    for (int a = 0; a <= parameters.heights(); ++a) {
      for (int b = 0; b <= parameters.heights(); ++b) {
        costs_[rise + kMostRise][a][b] =
            static_cast<std::uint8_t>(reference::edge_cost(a, b, rise, parameters));
      }
    }
  }
}

std::int64_t EdgeTable::sum_rows(const std::uint8_t* labels, const std::int32_t* potential,
                                 int width, int height, int first, int end) const {
  std::int64_t sum = 0;
  const auto edge = [&](std::ptrdiff_t p, std::ptrdiff_t q) {
    const int up = rise(potential[p], potential[q], max_slope_);
    return costs_[up + kMostRise][labels[p]][labels[q]];
  };
  for (int row = first; row < end; ++row) {
    const std::ptrdiff_t begin = std::ptrdiff_t{row} * width;
    std::int64_t of_row = 0;
    for (std::ptrdiff_t p = begin; p < begin + width - 1; ++p) of_row += edge(p, p + 1);
    if (row + 1 < height) {
      for (std::ptrdiff_t p = begin; p < begin + width; ++p) of_row += edge(p, p + width);
    }
    sum += of_row;
  }
  return sum;
}

}  // namespace rdp::heightmap
