// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_CORNERS_H_
#define RDP_COMMON_KLT_CORNERS_H_

#include <cstddef>
#include <cstdint>

#include "common/image/depth_view.h"
#include "common/klt/picture.h"

// Corner detection, with SIMD.
namespace rdp::klt {

// The best local maximum of the score in a cell.
struct Corner {
  float score;  // 0: there is none
  int row;
  int column;
};

inline std::size_t corner_scratch(int width) {
  return 6 * static_cast<std::size_t>(width + 2 * kExtension + kRowSlack);
}

// Finds the best corner of each cell that begins in rows [first, end); `cells` points to their
// first row of cells. Returns the highest score of all pixels in these rows.
float corners_of_rows(const LevelView& level, const DepthView& mask, int cell, int first, int end,
                      std::int32_t* scratch, Corner* cells);

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_CORNERS_H_
