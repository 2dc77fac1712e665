// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/planes/clouds/hulls.h"

#include <algorithm>
#include <limits>

namespace rdp::planes {
namespace {

// Sums of three products below 2^36, rounded to 24 bits, have an error below a quarter of this.
constexpr float kMargin = 65536.0f;

// The corner's coordinates along all axes.
inline void bases_of(const float axes[3][kHullAxes], const CellCorner& cell,
                     float bases[kHullAxes]) {
  const auto x = static_cast<float>(cell.at[0]);
  const auto y = static_cast<float>(cell.at[1]);
  const auto z = static_cast<float>(cell.at[2]);
  for (int i = 0; i < kHullAxes; ++i) {
    bases[i] = axes[0][i] * x + axes[1][i] * y + axes[2][i] * z;
  }
}

}  // namespace

HullBounds::HullBounds(const CloudRules& rules, const HullAxes& axes) {
  const auto side = static_cast<float>(1 << rules.cell_bits());
  for (int i = 0; i < kHullAxes; ++i) {
    below_[i] = 0.0f;
    above_[i] = 0.0f;
    for (int k = 0; k < 3; ++k) {
      const auto a = static_cast<float>(axes.axis[i][k]);
      axes_[k][i] = a;
      below_[i] += std::min(0.0f, a) * side;
      above_[i] += std::max(0.0f, a) * side;
    }
    below_[i] -= kMargin;
    above_[i] += kMargin;
  }
  std::fill_n(least_, kHullDirections, -std::numeric_limits<float>::infinity());
}

void HullBounds::add(const CellCorner& cell) {
  float bases[kHullAxes];
  bases_of(axes_, cell, bases);
  for (int i = 0; i < kHullAxes; ++i) least_[i] = std::max(least_[i], bases[i] + below_[i]);
  for (int i = 0; i < kHullAxes; ++i) {
    least_[kHullAxes + i] = std::max(least_[kHullAxes + i], -(bases[i] + above_[i]));
  }
}

void HullBounds::add(const HullBounds& other) {
  for (int i = 0; i < kHullDirections; ++i) least_[i] = std::max(least_[i], other.least_[i]);
}

std::uint32_t HullBounds::open(const CellCorner& cell) const {
  float bases[kHullAxes];
  bases_of(axes_, cell, bases);
  std::uint32_t open = 0;
  for (int i = 0; i < kHullAxes; ++i) {
    open |= std::uint32_t{bases[i] + above_[i] >= least_[i]} << i;
    open |= std::uint32_t{-(bases[i] + below_[i]) >= least_[kHullAxes + i]} << (kHullAxes + i);
  }
  return open;
}

}  // namespace rdp::planes
