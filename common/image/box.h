// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_BOX_H_
#define RDP_COMMON_IMAGE_BOX_H_

#include "common/host_device.h"

namespace rdp {

// A part of a picture, in pixels: columns [left, right), rows [top, bottom). It may reach beyond
// it.
struct Box {
  int left;
  int top;
  int right;
  int bottom;
};

// True if they have a pixel in common.
RDP_HOST_DEVICE inline bool overlap(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_BOX_H_
