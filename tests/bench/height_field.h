// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_HEIGHT_FIELD_H_
#define RDP_TESTS_BENCH_HEIGHT_FIELD_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/heightmap/parameters.h"
#include "common/heightmap/rig.h"
#include "common/image/depth_view.h"

// What belief propagation by other code than the engines' starts from.
namespace rdp::bench {

struct HeightField {
  int width = 0;
  int height = 0;
  std::vector<std::int32_t> potential;  // by pixel
  std::vector<std::uint8_t> costs;      // by pixel and label
};

// That of reference::costs(), in the time of the CPU's engine.
HeightField height_field(const heightmap::Rig& rig, const heightmap::Parameters& parameters,
                         std::span<const DepthView> pictures);

// By how many labels heights rise from each pixel to those on the left, on the right, above and
// below: as the engines have it, whole labels of the potential.
std::vector<float> whole_rises(const HeightField& field, const heightmap::Parameters& parameters);
// As the paper has it: the slope at the pixel, a fraction of a label, and its negative.
std::vector<float> sloped_rises(const heightmap::Rig& rig, const heightmap::Parameters& parameters);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_HEIGHT_FIELD_H_
