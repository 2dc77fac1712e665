// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_NODE_RULES_H_
#define RDP_COMMON_PLANES_NODE_RULES_H_

#include <cmath>
#include <cstdint>

#include "common/host_device.h"
#include "common/planes/eigen.h"
#include "common/planes/geometry.h"

// What decides which nodes of a quadtree are planar, for the engines and the kernels.
namespace rdp::planes {

constexpr int kNoiseNodes = 20;       // fewer do not tell the noise
constexpr int kNoisePixels = 250;     // known ones of the 256 of such a node
constexpr double kUsualNoise = 1e-3;  // 1/m
constexpr double kMostNoise = 4e-3;
constexpr double kRestFill = 0.5;  // share of `fill` that nodes of the rest need
constexpr int kLeastKnown = 16;    // pixels of a planar node

// How much a node of 16 pixels a side deviates, over the square of its depth: what is not the
// rounding of its samples.
RDP_HOST_DEVICE inline double noise_deviation(const Fit& fit, const FrameRules& rules) {
  double variance = fit.variance[0] - rules.rounding;
  if (variance < 0.0) variance = 0.0;
  return sqrt(variance) / (fit.mean[2] * fit.mean[2]);
}

// Of the node's pixels, those inside of the frame.
RDP_HOST_DEVICE inline bool enough_known(const FrameRules& rules, int level, int column, int row,
                                         std::uint64_t known, double fill) {
  const int side = kCell << level;
  int width = rules.width - column * side;
  if (width > side) width = side;
  int height = rules.height - row * side;
  if (height > side) height = side;
  const auto n = static_cast<double>(known);
  return n >= kLeastKnown && n >= fill * (static_cast<double>(width) * height);
}

// Of a node that is not thicker_than() its tolerance.
RDP_HOST_DEVICE inline bool flat_enough(const Fit& fit) {
  return fit.variance[1] > 4.0 * fit.variance[0];
}

// From the second round on cells vote, too, where the noise is low.
RDP_HOST_DEVICE inline bool cell_may_vote(const Fit& fit, double tolerance2) {
  return tolerance2 < 0.09 * fit.variance[1];
}

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_NODE_RULES_H_
