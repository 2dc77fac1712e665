// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_GROUNDS_H_
#define RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_GROUNDS_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <optional>

#include "common/obstacles/ground.h"
#include "gst/elements/base/method.h"
#include "gst/elements/depthobstacles/obstacle_settings.h"

namespace rdp::gst {

// The ground that the refinement of a frame starts from.
struct StartGround {
  std::optional<obstacles::Ground> ground;
  GstRdpGroundSource source = GST_RDP_GROUND_NONE;
  // The reason that there is none, with the remedy, for the user. Has static storage.
  const char* problem = nullptr;
};

// Finds it for a frame of the buffer, whose camera gives metres. `held`: that of the previous
// frames; null: there is none.
StartGround find_start(GstBuffer* buffer, guint input, const Task& task,
                       const GroundSettings& settings, const obstacles::Ground* held);

// The rule from a value of segments to metres; false: there is none.
bool depth_of_segments(const GstRdpSegmentationInfo& info, const Task& task, DepthOfValue* rule);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_GROUNDS_H_
