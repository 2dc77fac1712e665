// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_RGBA_VIEW_H_
#define RDP_COMMON_IMAGE_RGBA_VIEW_H_

#include <cstddef>

namespace rdp {

// Eight-bit R, G, B, A in this order in memory. Row r starts at data + r * stride (bytes).
struct RgbaView {
  std::byte* data = nullptr;
  std::ptrdiff_t stride = 0;
  int width = 0;
  int height = 0;
};

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_RGBA_VIEW_H_
