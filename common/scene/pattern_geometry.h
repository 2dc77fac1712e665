// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SCENE_PATTERN_GEOMETRY_H_
#define RDP_COMMON_SCENE_PATTERN_GEOMETRY_H_

#include <cstdint>

#include "common/scene/span_canvas.h"
#include "common/scene/street_scene.h"
#include "common/scene/test_pattern.h"

namespace rdp {

// The camera that frames of this pattern and size are seen by.
TestCamera camera_of_pattern(TestPattern pattern, int width, int height);

// Draws the surfaces of frame `number` of a pattern with distances (kStreet, kRamp, kSteps,
// kTraffic) onto a canvas after begin(). In the options, `seed` determines the objects of the
// street, `drive` moves the traffic's camera and `turn` turns it.
void draw_pattern(std::uint64_t number, const TestPatternOptions& options, const Viewpoint& from,
                  SpanCanvas* canvas);

}  // namespace rdp

#endif  // RDP_COMMON_SCENE_PATTERN_GEOMETRY_H_
