// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_HEIGHT_FIELD_H_
#define RDP_TESTS_BENCH_HEIGHT_FIELD_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/heightmap/parameters.h"
#include "common/heightmap/rig.h"
#include "common/image/depth_view.h"

// The input of belief propagation outside of the engines.
namespace rdp::bench {

struct HeightField {
  int width = 0;
  int height = 0;
  std::vector<std::int32_t> potential;  // per pixel
  std::vector<std::uint8_t> costs;      // per pixel and label
};

// The field of reference::costs(), at the speed of the CPU engine.
HeightField height_field(const heightmap::Rig& rig, const heightmap::Parameters& parameters,
                         std::span<const DepthView> pictures);

// The rise in labels from each pixel to its left, right, upper and lower neighbour, as in the
// engines: whole labels of the potential.
std::vector<float> whole_rises(const HeightField& field, const heightmap::Parameters& parameters);
// The rise as in the paper: the slope at the pixel, a fraction of a label, and its negative.
std::vector<float> sloped_rises(const heightmap::Rig& rig, const heightmap::Parameters& parameters);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_HEIGHT_FIELD_H_
