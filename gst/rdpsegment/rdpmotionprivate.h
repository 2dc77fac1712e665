/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_MOTION_PRIVATE_H__
#define __GST_RDP_MOTION_PRIVATE_H__

#include <gst/rdpsegment/rdpmotion.h>
#include <gst/rdpsegment/rdpmotionarrays.h>

#include <span>
#include <string>

#include "gst/rdpsegment/private/info_fields.h"
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

/* The fault of motion, as a message with the expected and the found value; empty: none. Throws
 * std::bad_alloc. */
std::string motion_error(const GstRdpMotionInfo& info, const GstRdpMotionArrays& arrays);

/* The info of motion, member by member, except the twelve numbers of ego.
 * docs/internals/metadata-formats.md describes the header. */
inline constexpr auto kMotionFields = [] {
  using Info = GstRdpMotionInfo;
  return std::to_array<InfoField<Info>>({
      info_number<&Info::frame>("frame", {8}),
      info_number<&Info::width>("width", {16}, kSide, kSize),
      info_number<&Info::height>("height", {20}, kSide, kSize),
      info_number<&Info::dt>("dt", {24}, {InfoRule::kNotNegative},
                             "dt must be 0 or more seconds, 0 where there is no frame before"),
      info_flag<&Info::ego_known>("ego_known", {136, 1, 1}),
  });
}();

}  // namespace rdp::meta

#endif /* __GST_RDP_MOTION_PRIVATE_H__ */
