// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_FREE_PLACE_H_
#define RDP_COMMON_IMAGE_FREE_PLACE_H_

#include <span>

#include "common/image/box.h"

namespace rdp {

// Moves `box`, which lies in a picture of `width` columns and `height` rows, to the nearest place
// there that overlaps none of `taken`. Among equally near places it takes the uppermost, then the
// leftmost. False: there is no such place.
bool move_to_free_place(int width, int height, std::span<const Box> taken, Box* box);

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_FREE_PLACE_H_
