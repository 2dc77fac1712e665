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
  // Reason for a missing ground, with the remedy, for the user. Has static storage.
  const char* problem = nullptr;
};

// Finds the start ground of a frame of the buffer; its camera must give metres. `held` (nullable):
// the ground of the previous frames.
StartGround find_start(GstBuffer* buffer, guint input, const Task& task,
                       const GroundSettings& settings, const obstacles::Ground* held);

// Finds the conversion from segment values to metres. False if there is none.
bool depth_of_segments(const GstRdpSegmentationInfo& info, const Task& task, DepthOfValue* rule);

}  // namespace rdp::gst

#endif  // RDP_GST_ELEMENTS_DEPTHOBSTACLES_OBSTACLE_GROUNDS_H_
