// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_PAINTED_EDGE_H_
#define RDP_COMMON_IMAGE_PAINTED_EDGE_H_

#include <cstdint>

#include "common/host_device.h"

// Lines in pictures, for the painters on the CPU and on the GPU, whose pictures are the same bits.
namespace rdp {

// A line, from pixel to pixel.
struct PaintedEdge {
  std::int32_t x0, y0, x1, y1;
};

// Pixels [0, edge_steps()] of an edge, both ends included.
RDP_HOST_DEVICE inline int edge_steps(const PaintedEdge& edge) {
  const int dx = edge.x1 < edge.x0 ? edge.x0 - edge.x1 : edge.x1 - edge.x0;
  const int dy = edge.y1 < edge.y0 ? edge.y0 - edge.y1 : edge.y1 - edge.y0;
  return dx > dy ? dx : dy;
}
// The coordinate of step `i` of `steps` from a to b, rounded to nearest, halves up.
RDP_HOST_DEVICE inline int along_edge(int a, int b, int i, int steps) {
  if (steps == 0) return a;
  // Ends are at most 2^14 + 2^13 pixels apart: the products stay below 2^31.
  const int twice = 2 * i * (b - a) + steps;
  const int divisor = 2 * steps;
  return a + (twice >= 0 ? twice / divisor : -((-twice + divisor - 1) / divisor));
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_PAINTED_EDGE_H_
