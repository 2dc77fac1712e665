// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PLANES_SECOND_DEFINITION_H_
#define RDP_TESTS_PLANES_SECOND_DEFINITION_H_

#include <cstdint>
#include <vector>

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/planes/parameters.h"
#include "common/planes/planes.h"

// A second implementation of plane detection in frames, to compare the reference with. It is
// written from docs/internals/planes-definition.md alone, follows the page word by word, shares no
// code with the reference, and caches nothing.
//
//   second_numbers   Numbers; Sums, statistics and fits
//   second_frame     Camera, samples and points; Nodes
//   second_ball      Rounds: The ball, Votes, Peaks, the first steps of Planes of the peaks
//   second_rounds    Rounds: the other steps, Split, Growth
//   second_labels    Merging; Labels of pixels
//   second_output    The planes that are given out; The ground
namespace rdp::test {

planes::PlaneSet second_planes(const DepthView& samples, const MetricCamera& camera,
                               const planes::Parameters& parameters,
                               std::vector<std::uint8_t>* labels);

}  // namespace rdp::test

#endif  // RDP_TESTS_PLANES_SECOND_DEFINITION_H_
