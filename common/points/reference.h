// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_POINTS_REFERENCE_H_
#define RDP_COMMON_POINTS_REFERENCE_H_

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/points/parameters.h"

namespace rdp::points::reference {

// The point cloud of a frame. Every other implementation is bit-identical.
//
// A sample within `known` becomes point_of_value() of its column and row, in double; each
// coordinate is rounded once to the nearest float. A missing point is three times the quiet NaN
// 0x7FC00000. A point is missing if its sample or ray is unknown, the sample gives no distance,
// a coordinate has no finite float, or `camera` is null. `to` has room for 3 * width * height
// floats, row by row without gaps.
void make_points(const DepthView& frame, const MetricCamera* camera, const Parameters& parameters,
                 float* to);

}  // namespace rdp::points::reference

#endif  // RDP_COMMON_POINTS_REFERENCE_H_
