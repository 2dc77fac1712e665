/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_OBSTACLES_PRIVATE_H__
#define __GST_RDP_OBSTACLES_PRIVATE_H__

#include <gst/rdpsegment/rdpobstacles.h>
#include <gst/rdpsegment/rdpobstaclesarrays.h>

#include <string>

#include "gst/rdpsegment/private/owned_object.h"

/* Private to the library. */

struct _GstRdpObstacles : rdp::meta::OwnedObject<GstRdpObstaclesInfo, GstRdpObstaclesArrays> {};

namespace rdp::meta {

inline const GstRdpObstaclesArrays& obstacles_arrays(GstRdpObstacles& self) noexcept {
  return self.arrays.get([](GstRdpObstaclesArrays*, const char**) { return true; },
                         [](const GstRdpObstaclesArrays& arrays) { return arrays; });
}

/* Empty when they describe the obstacles of one frame; otherwise what was expected and what came,
 * for a person to read. Throws std::bad_alloc. */
std::string obstacles_error(const GstRdpObstaclesInfo& info, const GstRdpObstaclesArrays& arrays);

/* Obstacles with copies of the arrays, which need not be aligned. Throws std::bad_alloc. */
GstRdpObstacles* new_obstacles(const GstRdpObstaclesInfo& info, GstRdpObstaclesArrays arrays);

}  // namespace rdp::meta

#endif /* __GST_RDP_OBSTACLES_PRIVATE_H__ */
