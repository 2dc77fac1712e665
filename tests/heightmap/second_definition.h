// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_HEIGHTMAP_SECOND_DEFINITION_H_
#define RDP_TESTS_HEIGHTMAP_SECOND_DEFINITION_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/heightmap/parameters.h"
#include "common/heightmap/result.h"
#include "common/heightmap/rig.h"

// A second implementation of height maps, from the written definition alone: what the reference is
// compared with. It shares no code with the reference, and takes the definition word by word:
// messages are the least over all pairs of labels, and each value is worked out where it is asked
// for.
namespace rdp::test {

struct SlowHeights {
  std::vector<int> potential;          // by row and column
  std::vector<int> costs;              // by row, column and label
  std::vector<int> labels;             // before speckles
  std::vector<int> without_specks;     // after them
  std::vector<heightmap::Head> heads;  // everywhere
  std::int64_t energy = 0;
  int iterations = 0;
};

SlowHeights slow_heights(const heightmap::Rig& rig, const heightmap::Parameters& parameters,
                         std::span<const DepthView> pictures);

// What a pixel tells a neighbour, over all pairs of labels. `known`: what it knows of each label;
// `rise`: by how many labels heights are expected to rise to the neighbour; `jump`: what it costs
// where one of the two is unknown.
std::vector<int> slow_message(const std::vector<int>& known, int rise, int jump,
                              const heightmap::Parameters& parameters);

// The number of pixels of a speckle.
int slow_speckle(const heightmap::Rig& rig, const heightmap::Parameters& parameters);

}  // namespace rdp::test

#endif  // RDP_TESTS_HEIGHTMAP_SECOND_DEFINITION_H_
