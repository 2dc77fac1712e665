// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_GROUND_H_
#define RDP_COMMON_PLANES_GROUND_H_

#include <cstdint>
#include <span>

#include "common/planes/ground_rules.h"
#include "common/planes/parameters.h"
#include "common/planes/planes.h"

// Chooses the ground plane: the candidate with the most inliers. Candidates lie below the camera,
// have normals within `ground_tilt` of `up`, and few points under them. Few means
//   1. at most a twelfth of the plane's inliers; or
//   2. at most 2 % of the known points. Then all lower grounds by 1 together may have at most a
//      twelfth of its inliers. Lower is by more than an eighth of the camera's height above the
//      plane.
// A point lies under a plane if it is lower by more than twice the deviation allowed there.
//
// Clouds reach farther than frames, and streets bend, have a crown, kerbs, and banks beside them.
// So clouds allow 0.08 m more deviation for each metre from the middle of the plane; the floor
// around a table is lower than that. A field beside a road may have more points than the road,
// so inliers count less the farther the middle of their plane is from the place below the sensor.
// Beyond 10 m small pieces are no evidence of the ground: a candidate needs 1 % of all points.
//
// So a table is no ground while visible floor pixels amount to a tenth of the table's. Reflections
// in a floor, and things that a camera sees far below it, may be more than 2 % of all points. They
// are a small part of the floor's own, but a large part of the pieces beside it. Wild points may be
// more than a twelfth of a small floor. So may be its rest, if a poor camera bends it: hence 2.
//
// lies_under(), shared with the kernels, classifies points cell by cell; the counts are integers,
// so their order does not matter. Everything is in metres, IEEE 754 double, only + - * / and sqrt
// in the order written here, compiled without contraction. Only pitch and roll, which decide
// nothing, use the system's atan2().
namespace rdp::planes {

// The origin of the planes: a frame, or a cloud with the axes of a camera or with x forward,
// y left and z up.
enum class GroundOf { kFrame, kCloud, kForwardLeftUpCloud };

// m: at this distance from the place below the sensor, inliers of a cloud's plane count half.
inline constexpr double kCloudGroundReach = 5.0;

// The rules for frames: `noise` was measured or given, in 1/m.
GroundRules ground_rules_of_frame(const Parameters& parameters, double noise);
// The rule of clouds: `tolerance` is what points may deviate in the middle of the plane.
GroundRules ground_rules_of_cloud(const Parameters& parameters, double tolerance);

// True if a plane lies below the camera and faces up. Planes' normals point away from the camera.
bool may_be_ground(const Plane& plane, const GroundRules& rules);
GroundCandidate ground_candidate(const Plane& plane);

// The choice in one call, on the host.
Ground find_ground(std::span<const Plane> planes, std::span<const CellMean> cells,
                   const GroundRules& rules, GroundOf what = GroundOf::kFrame);

// The same choice with given counts: under[i] of the `known` points lie under planes[i]. Planes
// that fail may_be_ground() need no count.
Ground choose_ground(std::span<const Plane> planes, std::span<const std::int64_t> under,
                     std::int64_t known, const GroundRules& rules,
                     GroundOf what = GroundOf::kFrame);

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_GROUND_H_
