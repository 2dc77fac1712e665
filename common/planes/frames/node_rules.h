// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_FRAMES_NODE_RULES_H_
#define RDP_COMMON_PLANES_FRAMES_NODE_RULES_H_

#include <cstdint>

#include "common/host_device.h"
#include "common/planes/eigen.h"
#include "common/planes/frame_rules.h"
#include "common/planes/moments.h"

// Rules for the noise of a frame and for planar nodes, for the engines and the kernels.
namespace rdp::planes {

constexpr int kNoiseLevel = 1;        // nodes of 16 pixels a side tell the noise
constexpr int kNoiseNodes = 20;       // minimum number of such nodes
constexpr int kNoisePixels = 250;     // minimum known pixels, of the 256 of such a node
constexpr double kUsualNoise = 1e-3;  // 1/m
constexpr double kMaxNoise = 4e-3;
constexpr double kRestFill = 0.5;      // share of `fill` required of nodes of the rest
constexpr double kFewestKnown = 16.0;  // pixels of a planar node

// The rank of the noise among the deviations of so many nodes.
RDP_HOST_DEVICE inline std::int64_t noise_rank(std::int64_t nodes) { return 3 * nodes / 10; }

// The deviation of a node over the square of its depth, in 1/unit, without the rounding of its
// samples; not below 0.
RDP_HOST_DEVICE inline double fit_deviation(const Fit& fit, const FrameRules& rules) {
  const double variance = fit.variance[0] - rules.rounding;
  return sqrt(variance > 0.0 ? variance : 0.0) / (fit.mean[2] * fit.mean[2]);
}

// The same of a node that has enough known pixels.
RDP_HOST_DEVICE inline double node_deviation(const Moments& moments, const FrameRules& rules) {
  return fit_deviation(fit_of(statistics_of(moments)), rules);
}

// Noise in 1/m, from the deviation of rank noise_rank().
RDP_HOST_DEVICE inline double frame_noise(double deviation, const FrameRules& rules) {
  const double noise = deviation / rules.unit;
  return noise < kMaxNoise ? noise : kMaxNoise;
}

// True if so many of a node's pixels are known that it may be planar.
RDP_HOST_DEVICE inline bool enough_known(std::uint64_t known, int level, int column, int row,
                                         const FrameRules& rules, double fill) {
  const int side = kCell << level;
  const int right = rules.width - column * side;
  const int below = rules.height - row * side;
  const double area =
      static_cast<double>(right < side ? right : side) * (below < side ? below : side);
  const auto pixels = static_cast<double>(known);
  return pixels >= kFewestKnown && pixels >= fill * area;
}

// T^2 of a node with these statistics.
RDP_HOST_DEVICE inline double node_tolerance2(const Statistics& s, const FrameRules& rules,
                                              double slope) {
  return squared_tolerance(rules, slope, s.mean[2], trace_of(s));
}

// Tests the shape of a node; the caller has tested thicker_than().
RDP_HOST_DEVICE inline bool flat_enough(const Fit& fit) {
  return fit.variance[1] > 4.0 * fit.variance[0];
}

// True if a node with these statistics is planar; then `fit` is its plane. tolerance2: T^2.
RDP_HOST_DEVICE inline bool is_planar(const Statistics& s, const FrameRules& rules, double slope,
                                      double* tolerance2, Fit* fit) {
  *tolerance2 = node_tolerance2(s, rules, slope);
  if (thicker_than(s.covariance, *tolerance2)) return false;
  *fit = fit_of(s);
  return flat_enough(*fit);
}

// True if planar nodes of this level vote in a round: at first those of 16 pixels a side and more,
// later also cells where the noise is low.
RDP_HOST_DEVICE inline bool level_votes(int level, int round, double tolerance2, const Fit& fit) {
  return level > 0 || (round > 0 && tolerance2 < 0.09 * fit.variance[1]);
}

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_FRAMES_NODE_RULES_H_
