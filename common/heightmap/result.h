// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_RESULT_H_
#define RDP_COMMON_HEIGHTMAP_RESULT_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/image/depth_view.h"

namespace rdp::heightmap {

// A place where somebody stands: a maximum of the votes on the ground.
struct Head {
  int column, row;  // of the reference picture: the first pixel with its height
  int x, y;         // millimetres on the ground
  int height;       // millimetres
  int votes;

  bool operator==(const Head&) const = default;
};

// A place on the ground, in millimetres.
struct GroundPoint {
  int x, y;

  bool operator==(const GroundPoint&) const = default;
};
// A polygon on the ground; empty: everywhere. The even-odd rule defines its inside; points on an
// edge that faces +X or +Y are outside.
using Area = std::vector<GroundPoint>;

// The results of a set of pictures. The spans are in the engine's memory, valid until its next set.
struct Result {
  std::span<const std::uint8_t> labels;  // of the reference picture, row by row, after speckles
  std::span<const Head> heads;           // by y, then x
  std::int64_t energy = 0;               // of the labels before speckles
  int iterations = 0;                    // half-iterations that were done
  std::int64_t known = 0;                // pixels
};

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_RESULT_H_
