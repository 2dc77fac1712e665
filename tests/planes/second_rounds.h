// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_PLANES_SECOND_ROUNDS_H_
#define RDP_TESTS_PLANES_SECOND_ROUNDS_H_

#include <cstdint>
#include <vector>

#include "common/planes/planes.h"
#include "tests/planes/second_frame.h"

// The sections "Rounds" to "Labels of pixels" of docs/internals/planes-definition.md.
namespace rdp::test::second {

struct FoundPlane {
  Sums sums;
  Fit fit;
  std::int64_t votes = 0;
};

inline constexpr int kNone = -1;

// Planes, and the owner of each cell, for the frame and for the remaining pixels.
struct Found {
  std::vector<FoundPlane> planes;
  std::vector<int> owners;
  std::vector<int> owners_of_rest;
};

// Runs `rounds` rounds on the nodes of `look`. Planes are numbered from 0.
void go_rounds(const Frame& frame, const Look& look, const Rules& rules, int rounds,
               std::vector<FoundPlane>* planes, std::vector<int>* owners, planes::Counts* counts);

void merge(const Frame& frame, const Look& look, const Look& rest, const Rules& rules, Found* found,
           planes::Counts* counts);

// The plane number of each pixel, or none, before smoothing. `look`: nodes of the whole frame.
std::vector<int> label_pixels(const Frame& frame, const MetricCamera& camera, const Look& look,
                              const Rules& rules, const Found& found);
std::vector<int> smoothed(const Frame& frame, const std::vector<int>& labels);

}  // namespace rdp::test::second

#endif  // RDP_TESTS_PLANES_SECOND_ROUNDS_H_
