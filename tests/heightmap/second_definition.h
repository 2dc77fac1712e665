// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_HEIGHTMAP_SECOND_DEFINITION_H_
#define RDP_TESTS_HEIGHTMAP_SECOND_DEFINITION_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "common/heightmap/rig.h"

// A second implementation of height maps, from the written definition alone, to compare the
// reference with. It shares no code with the reference and follows the definition literally. Each
// message minimises over all pairs of labels, and each value is computed on demand.
namespace rdp::test {

struct SlowHeights {
  std::vector<int> potential;          // by row and column
  std::vector<int> costs;              // by row, column and label
  std::vector<int> labels;             // before the speckle filter
  std::vector<int> without_specks;     // after the filter
  std::vector<heightmap::Head> heads;  // not limited to an area
  std::int64_t energy = 0;
  int iterations = 0;
};

SlowHeights slow_heights(const heightmap::Rig& rig, const heightmap::Parameters& parameters,
                         std::span<const DepthView> pictures);

// Message from a pixel to a neighbour, minimised over all pairs of labels. `known`: the sender's
// belief for each label. `rise`: expected rise towards the neighbour, in labels. `jump`: cost if
// exactly one of the two is unknown.
std::vector<int> slow_message(const std::vector<int>& known, int rise, int jump,
                              const heightmap::Parameters& parameters);

// Speckle size in pixels.
int slow_speckle(const heightmap::Rig& rig, const heightmap::Parameters& parameters);

}  // namespace rdp::test

#endif  // RDP_TESTS_HEIGHTMAP_SECOND_DEFINITION_H_
