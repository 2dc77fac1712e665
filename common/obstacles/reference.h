// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_OBSTACLES_REFERENCE_H_
#define RDP_COMMON_OBSTACLES_REFERENCE_H_

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/obstacles/parameters.h"

// The definition of depthobstacles' results: plain scalar code that is meant to be read. Everything
// faster gives these bits. Nothing here is used while streaming.
namespace rdp::obstacles::reference {

// The obstacles of a frame over a ground, whose lens does not distort:
//
// 1. The ground is refined: refinement.h.
// 2. Each known sample is placed on the ground's axes, gets a class by its height, and is counted
//    in its cell and, with a bearing in front of the camera, in a ring of the bearing.
// 3. A cell is occupied, dropped, free or unseen. A cell without samples is free if the pixel that
//    shows its middle is ground and not much nearer.
// 4. A bearing's range is the nearest ring with enough samples, and not much fewer than the rings
//    behind it; before that it is free as far as its cells are.
// 5. Occupied cells near each other are an object: a rectangle to whose sides its samples are
//    nearest, and the height that few of its samples exceed.
//
// `start` (nullable): without it there is no ground, and all is unknown.
Obstacles find(const DepthView& frame, const MetricCamera& camera, const Ground* start,
               const Parameters& parameters);

}  // namespace rdp::obstacles::reference

#endif  // RDP_COMMON_OBSTACLES_REFERENCE_H_
