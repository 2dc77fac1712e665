// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_PICTURES_OVERLAY_STYLE_H_
#define RDP_COMMON_PLANES_PICTURES_OVERLAY_STYLE_H_

#include <cstdint>

#include "common/host_device.h"

// The content of pictures of planes, for the painters and the kernels.
namespace rdp::planes {

enum class OverlayStyle : std::uint8_t {
  kPlanes,    // the samples in grey; over them each plane in a colour of its own, its outline and
              // its index, at the ground's also its name
  kNormals,   // the same, but colours say which way planes face
  kNodes,     // the samples in grey; over them the squares of the quadtree, planar ones filled
  kResidual,  // the palette on the distance of each pixel from its plane
  kDepth,     // the palette on the samples
};

// True if planes have colours of their own, outlines and numbers.
RDP_HOST_DEVICE inline bool shows_planes(OverlayStyle style) {
  return style == OverlayStyle::kPlanes || style == OverlayStyle::kNormals;
}

// An examined square of the quadtree, in pixels. It may reach beyond the frame. Planar squares do
// not overlap.
struct NodeSquare {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t size = 0;
  std::int32_t planar = 0;  // 1: it is
};

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_PICTURES_OVERLAY_STYLE_H_
