// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_LABEL_ENERGY_H_
#define RDP_COMMON_HEIGHTMAP_LABEL_ENERGY_H_

#include <cstdint>

#include "common/heightmap/parameters.h"
#include "common/image/depth_view.h"

namespace rdp::heightmap {

// Table of reference::edge_cost() for all pairs of neighbouring labels.
class EdgeTable {
 public:
  void prepare(const Parameters& parameters);

  // The sum over the edges to the right and down from rows [first, end) of a picture.
  std::int64_t sum_rows(const std::uint8_t* labels, const std::int32_t* potential,
                        const DepthView& picture, int first, int end) const;

 private:
  static constexpr int kMaxRise = 2;
  static constexpr int kLabels = kMaxHeights + 1;

  int max_slope_ = 1;
  int edge_contrast_ = 0;
  // By image edge (0 or 1), rise, and the two labels.
  std::uint8_t costs_[2][2 * kMaxRise + 1][kLabels][kLabels] = {};
};

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_LABEL_ENERGY_H_
