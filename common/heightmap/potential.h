// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_HEIGHTMAP_POTENTIAL_H_
#define RDP_COMMON_HEIGHTMAP_POTENTIAL_H_

#include <cstdint>
#include <vector>

#include "common/heightmap/geometry.h"
#include "common/heightmap/parameters.h"

// The rise of an upright surface's labels over the reference picture.
namespace rdp::heightmap {

// Rise of an upright surface in labels per pixel, to the right and down: the image of the vertical
// direction at the middle height. Within +-4; 0 at and above the horizon.
//
// People seen from above show more level and less upright surface. If a ray falls by more than 45
// degrees, the slope is scaled by twice the squared cosine of that angle. Right below the camera it
// is 0; there the image of the vertical would grow without bounds.
struct Slope {
  double x, y;
};
Slope slope_at(const Plane& middle, const Geometry& geometry, const Parameters& parameters,
               int column, int row);

// Slopes summed along the middle row to a pixel's column, then along the column, in whole labels,
// row by row; all 0 without parameters.slope. Depends on the calibration alone: computed once, on
// the host.
std::vector<std::int32_t> potential_of(const Geometry& geometry, const Parameters& parameters);

}  // namespace rdp::heightmap

#endif  // RDP_COMMON_HEIGHTMAP_POTENTIAL_H_
