// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_STREET_SCENE_H_
#define RDP_COMMON_SCENE_STREET_SCENE_H_

#include <cstdint>

#include "common/scene/span_canvas.h"
#include "common/scene/viewpoint.h"

namespace rdp {

// Draws the street as it is seen at frame number `frame` of the drive with this seed: a flat road
// between kerbs, pavements with trees, poles and people, rows of houses with gaps between them,
// parked cars, oncoming cars, two vehicles ahead, and the houses at the far end. The camera moves
// on by 0.4 m a frame (43 km/h at 30 frames/s), without end. The sky is unknown (0).
//
// Both cameras see the same surfaces. Of the crowns of trees, which are no planes, the canvas has
// the outline for the right camera, and TreeCrown the disparities.
void draw_street(std::uint32_t seed, std::uint64_t frame, const Viewpoint& from,
                 SpanCanvas* canvas);

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_STREET_SCENE_H_
