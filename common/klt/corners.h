// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_CORNERS_H_
#define RDP_COMMON_KLT_CORNERS_H_

#include <cstddef>
#include <cstdint>

#include "common/image/depth_view.h"
#include "common/klt/picture.h"

// The places where features may be born, with SIMD.
namespace rdp::klt {

// The best pixel of a cell: one that no pixel around it exceeds.
struct Corner {
  float score;  // 0: there is none
  int row;
  int column;
};

inline std::size_t corner_scratch(int width) {
  return 6 * static_cast<std::size_t>(width + 2 * kExtension + kRowSlack);
}

// The best corner of each cell that begins in these rows; `cells` are those of the first row of
// cells among them. Returns the highest score of all pixels of these rows.
float corners_of_rows(const LevelView& level, const DepthView& mask, int cell, int first, int end,
                      std::int32_t* scratch, Corner* cells);

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_CORNERS_H_
