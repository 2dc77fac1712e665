// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_GEOMETRY_H_
#define RDP_COMMON_OBSTACLES_GEOMETRY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/obstacles/parameters.h"
#include "common/obstacles/rules.h"

namespace rdp::obstacles {

// Converts a property from metres to millimetres.
std::int32_t millimetres(double metres);

// Rules of the object steps, in millimetres.
struct ObjectRules {
  std::int32_t link = 1;
  std::int32_t split_height = 0;  // 0: off
  std::int32_t least_samples = 0;
  std::int32_t most_objects = 0;
  std::int32_t max_height = 0;
};

// Tables of a camera, a frame's size and parameters, which stay from frame to frame.
struct CameraTables {
  std::vector<std::int32_t> depth;    // of each sample value, mm; 0: unknown
  std::vector<std::int32_t> inverse;  // of each sample value, 2^28 / mm; 0: unknown
  std::vector<double> ray_x, ray_y;   // of columns and rows, at distance 1
  std::vector<Direction> edges;       // edges of the bearings: one more than bearings
  std::vector<Direction> middles;
  FrameRules rules;  // all rules that do not depend on the ground
  ObjectRules object_rules;
  GroundLens lens;
};

// The camera's lens does not distort. Throws std::bad_alloc.
void make_tables(int width, int height, SampleType type, const MetricCamera& camera,
                 const Parameters& parameters, CameraTables* tables);

// The rules of a frame with this ground.
inline FrameRules rules_of(const CameraTables& tables, const Axes& axes) {
  return rules_over(tables.rules, axes);
}
GridPlace grid_of(const FrameRules& rules);

// A byte for each cell, 1 where its middle is inside of the area.
void mark_area(const std::vector<AreaCorner>& area, const FrameRules& rules,
               std::vector<std::uint8_t>* inside);

// The unit vector at the angle pi * part / parts, in 1/16384.
Direction direction_of(int part, int parts);

}  // namespace rdp::obstacles

#endif  // RDP_COMMON_OBSTACLES_GEOMETRY_H_
