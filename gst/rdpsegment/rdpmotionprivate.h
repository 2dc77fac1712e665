/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_MOTION_PRIVATE_H__
#define __GST_RDP_MOTION_PRIVATE_H__

#include <gst/rdpsegment/rdpmotion.h>
#include <gst/rdpsegment/rdpmotionarrays.h>

#include <span>
#include <string>

#include "gst/rdpsegment/private/owned_object.h"

/* Private to the library. */

struct _GstRdpMotion : rdp::meta::OwnedObject<GstRdpMotionInfo, GstRdpMotionArrays> {};

namespace rdp::meta {

using MotionRows =
    ArrayRows<ArrayRow<&GstRdpMotionArrays::segments, &GstRdpMotionArrays::n_segments, 32>,
              ArrayRow<&GstRdpMotionArrays::tracks, &GstRdpMotionArrays::n_tracks, 36>>;

inline std::span<const GstRdpSegmentMotion> segments_of(const GstRdpMotion& self) {
  return known_array(self, &GstRdpMotionArrays::segments, &GstRdpMotionArrays::n_segments);
}

inline std::span<const GstRdpTrackMotion> tracks_of(const GstRdpMotion& self) {
  return known_array(self, &GstRdpMotionArrays::tracks, &GstRdpMotionArrays::n_tracks);
}

/* Empty when they describe the motion of one frame; otherwise what was expected and what came, for
 * a person to read. Throws std::bad_alloc. */
std::string motion_error(const GstRdpMotionInfo& info, const GstRdpMotionArrays& arrays);

}  // namespace rdp::meta

#endif /* __GST_RDP_MOTION_PRIVATE_H__ */
