// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_PICTURE_ROWS_H_
#define RDP_COMMON_KLT_PICTURE_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "common/image/depth_view.h"
#include "common/klt/picture.h"

// Rows of pyramids and of gradients, with SIMD.
namespace rdp::klt {

// The size, in numbers, of the functions' scratch memory for rows of this width.
inline std::size_t row_scratch(int width) {
  return 2 * static_cast<std::size_t>(width + 2 * kExtension + kRowSlack);
}

// Makes rows of level 0, mirrored at the left and right.
void frame_rows(const DepthView& frame, int first, int end, const LevelView& level);
// Makes rows of a level from the next finer one, which must be complete.
void shrunk_rows(const LevelView& fine, int first, int end, const LevelView& coarse,
                 std::int16_t* scratch);
// Adds the mirror image above and below a level, once all of its rows are there.
void complete_level(const LevelView& level);
// Makes rows of gradients of a complete level, within -kExtension to height + kExtension.
void gradient_rows(const LevelView& level, int first, int end, std::int16_t* scratch);

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_PICTURE_ROWS_H_
