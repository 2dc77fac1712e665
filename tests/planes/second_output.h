// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PLANES_SECOND_OUTPUT_H_
#define RDP_TESTS_PLANES_SECOND_OUTPUT_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "common/planes/planes.h"
#include "tests/planes/second_frame.h"

// The sections "The planes that are given out" and "The ground" of
// docs/internals/planes-definition.md.
namespace rdp::test::second {

// The known points of a cell, with their mean in metres.
struct CellPoints {
  Vector mean;
  std::int64_t known;
};

// Rules for the ground among the output planes. For point clouds, noise_floor is the tolerance,
// noise 0, bend 0.08 and reach 5 m; for frames, reach is 0, meaning unlimited.
struct GroundRules {
  Vector up;
  double tilt;
  double noise_floor, noise, bend, reach;
  bool forward_left_up;
};
planes::Ground ground_of(const std::vector<planes::Plane>& planes,
                         const std::vector<CellPoints>& cells, const GroundRules& rules);

// The corners of the hull of pixels, (column, row), in their order.
using Pixel = std::pair<int, int>;
std::vector<Pixel> hull_of(const std::vector<Pixel>& pixels);

// The area of the polygon, as a triangle fan.
double area_of(const std::vector<planes::Corner>& corners);

// `numbers`: the plane of each pixel, or kNone; `votes`: one number per plane. Labels are bytes.
planes::PlaneSet give_out(const Frame& frame, const MetricCamera& camera, const Rules& rules,
                          const planes::Parameters& parameters, const std::vector<int>& numbers,
                          const std::vector<std::int64_t>& votes, planes::Counts counts,
                          std::vector<std::uint8_t>* labels);

}  // namespace rdp::test::second

#endif  // RDP_TESTS_PLANES_SECOND_OUTPUT_H_
