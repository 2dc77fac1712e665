// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_RULES_H_
#define RDP_COMMON_HEIGHTMAP_RULES_H_

#include <cstdint>

#include "common/host_device.h"

// Integer rules shared by the reference, the engine and the kernels.
namespace rdp::heightmap {

inline constexpr int kCensusBits = 24;
inline constexpr int kOutsideBits = kCensusBits / 2;  // for places not seen by another view
inline constexpr int kMaxCost = 127;

RDP_HOST_DEVICE inline int clamp_to(int value, int low, int high) {
  return value < low ? low : value > high ? high : value;
}

// The cost of a height, 124 if all census bits differ: 3/4 mean of the views + 1/4 best view.
// `sum`: differing bits in all views' windows; `least`: in the best view's.
RDP_HOST_DEVICE inline int window_cost(int sum, int least, int views, int pixels) {
  const int bits = kCensusBits * views * pixels;
  return clamp_to((31 * (3 * sum + views * least) + bits / 2) / bits, 0, kMaxCost);
}

// `low`: the least cost of the low heights; where there are none, anything above kMaxCost.
RDP_HOST_DEVICE inline int unknown_cost(int low, int constant, int bias) {
  const int biased = low > kMaxCost ? constant : low + bias;
  return clamp_to(biased < constant ? biased : constant, 0, kMaxCost);
}

// If the reference picture has one grey level as far as a window, its census and the smoothing
// reach, all heights fit equally. There heights get a cost, and `unknown` a smaller one. The cost
// is minimal, so that a textureless part of a head is still filled from its surroundings.
inline constexpr std::uint8_t kPlainCost = 1;  // minimum cost of heights there
RDP_HOST_DEVICE inline int plain_reach(int window) { return window / 2 + 3; }
// `least`: smallest cost of the heights, at least kPlainCost.
RDP_HOST_DEVICE inline int plain_unknown_cost(int unknown, int least) {
  return unknown < least ? unknown : least - 1;
}

// Expected rise of heights from p to q, in labels.
RDP_HOST_DEVICE inline int rise(std::int32_t potential_p, std::int32_t potential_q, int max_slope) {
  return clamp_to(potential_q - potential_p, -max_slope, max_slope);
}

// Edges of the reference picture between a pixel and the next one: bits.
inline constexpr std::uint8_t kEdgeRight = 1;
inline constexpr std::uint8_t kEdgeBelow = 2;

// True for the grey levels of two neighbours with an edge between them.
RDP_HOST_DEVICE inline bool is_edge(int a, int b, int contrast) {
  const int difference = a < b ? b - a : a - b;
  return contrast > 0 && difference >= contrast;
}

// Cells of the ground that heads are counted in.
inline constexpr int kHeadCell = 50;        // mm
inline constexpr int kHeadReach = 5;        // squared distance, in cells, of votes that count
inline constexpr int kHeadApart = 25;       // squared distance, in cells, of compared scores
inline constexpr int kHeadHeightPart = 32;  // see head_rank()

// Division that rounds down.
RDP_HOST_DEVICE inline std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_RULES_H_
