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

using ObstaclesRows =
    ArrayRows<ArrayRow<&GstRdpObstaclesArrays::objects, &GstRdpObstaclesArrays::n_objects, 184>,
              ArrayRow<&GstRdpObstaclesArrays::lost, &GstRdpObstaclesArrays::n_lost, 188>,
              ArrayRow<&GstRdpObstaclesArrays::hidden, &GstRdpObstaclesArrays::n_hidden, 192>,
              ArrayRow<&GstRdpObstaclesArrays::ranges, &GstRdpObstaclesArrays::n_bins, 196>,
              ArrayRow<&GstRdpObstaclesArrays::free, &GstRdpObstaclesArrays::n_bins>,
              ArrayRow<&GstRdpObstaclesArrays::states, &GstRdpObstaclesArrays::n_cells>,
              ArrayRow<&GstRdpObstaclesArrays::tops, &GstRdpObstaclesArrays::n_cells>>;

/* Empty when they describe the obstacles of one frame; otherwise what was expected and what came,
 * for a person to read. Throws std::bad_alloc. */
std::string obstacles_error(const GstRdpObstaclesInfo& info, const GstRdpObstaclesArrays& arrays);

}  // namespace rdp::meta

#endif /* __GST_RDP_OBSTACLES_PRIVATE_H__ */
