// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_KLT_INPUT_H_
#define RDP_COMMON_KLT_INPUT_H_

#include <span>

#include "common/image/depth_view.h"
#include "common/klt/track.h"

namespace rdp::klt {

// A frame of 8 bits, 1 to kMaxSide rows and columns.
struct Input {
  DepthView frame;
  DepthView mask;                 // of the same size, 0 = no new features; without data: anywhere
  std::span<const Point> points;  // the caller's features, added before detection
};

}  // namespace rdp::klt

#endif  // RDP_COMMON_KLT_INPUT_H_
