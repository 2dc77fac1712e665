// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_POTENTIAL_H_
#define RDP_COMMON_HEIGHTMAP_POTENTIAL_H_

#include <cstdint>
#include <vector>

#include "common/heightmap/geometry.h"
#include "common/heightmap/parameters.h"

// The rise of an upright surface's labels over the reference picture.
namespace rdp::heightmap {

// By how many labels what stands upright rises from a pixel to the next one, to the right and down.
// The image of the vertical direction, for the middle of the heights. Within +-4; 0 at and above
// the horizon.
//
// Who is seen from above shows less of what is upright, and more of what is level: where a ray
// falls by more than 45 degrees, it is less, by twice the squared cosine, and nothing below the
// camera. The image of the vertical would grow there without bounds.
struct Slope {
  double x, y;
};
Slope slope_at(const Plane& middle, const Geometry& geometry, const Parameters& parameters,
               int column, int row);

// The sum of the slopes along the middle row to a pixel's column, and along the column to it, in
// whole labels, row by row; all 0 without parameters.slope. It depends on the calibration alone, so
// it is worked out once, on the host.
std::vector<std::int32_t> potential_of(const Geometry& geometry, const Parameters& parameters);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_POTENTIAL_H_
