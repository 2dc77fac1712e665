// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_PLANES_FRAMES_GEOMETRY_H_
#define RDP_COMMON_PLANES_FRAMES_GEOMETRY_H_

#include <cstdint>
#include <vector>

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/planes/frame_rules.h"
#include "common/planes/parameters.h"

namespace rdp::planes {

struct Geometry {
  FrameRules rules;
  std::vector<std::int32_t> ray_x;  // of each column, in 2^-18
  std::vector<std::int32_t> ray_y;  // of each row
  std::vector<std::int32_t> depth;  // of each sample, in units; 0: unknown
};

// True if the rays of a frame are straight and at most 64 degrees off the axis, as find() requires.
bool rays_fit(int width, int height, const MetricCamera& camera);

// Allocates where `geometry` had less room.
void make_geometry(int width, int height, SampleType type, const MetricCamera& camera,
                   const Parameters& parameters, Geometry* geometry);

}  // namespace rdp::planes

#endif  // RDP_COMMON_PLANES_FRAMES_GEOMETRY_H_
