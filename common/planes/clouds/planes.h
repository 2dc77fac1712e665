// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_CLOUDS_PLANES_H_
#define RDP_COMMON_PLANES_CLOUDS_PLANES_H_

#include <cstddef>
#include <cstdint>

#include "common/planes/clouds/cloud.h"
#include "common/planes/clouds/hull.h"
#include "common/planes/clouds/rules.h"
#include "common/planes/ground.h"
#include "common/planes/parameters.h"
#include "common/planes/planes.h"

// The first and last steps on the host: from parameters to rules, and from integers to metres.
namespace rdp::planes {

CloudSettings cloud_settings(const CloudView& cloud, const Parameters& parameters);

// x, y and z of a point.
void read_point(const CloudView& cloud, std::size_t point, float v[3]);

// A plane in metres and the cloud's axes, from points in units; without votes and hull.
Plane cloud_plane_in_metres(const CloudRules& rules, const CloudView& cloud, const Moments& moments,
                            const Fit& fit);

// Gives the last plane of the set its hull: corners around the normal of its fit. `corners` are the
// points that lie farthest in each direction.
void add_cloud_hull(const CloudRules& rules, const CloudView& cloud,
                    const CloudPoint corners[kHullDirections], PlaneSet* set);

// The mean of a cell that has points, in metres and the cloud's axes.
CellMean cloud_cell_mean(const CloudRules& rules, const CloudView& cloud, const Moments& cell);

GroundRules ground_rules_of(const CloudView& cloud, const Parameters& parameters);
inline GroundOf ground_of(const CloudView& cloud) {
  return cloud.forward_left_up ? GroundOf::kForwardLeftUpCloud : GroundOf::kCloud;
}

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_CLOUDS_PLANES_H_
