/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_MOTION_FIELDS_H__
#define __GST_RDP_MOTION_FIELDS_H__

#include <gst/rdpsegment/rdpmotion.h>

#include "common/image/depth_view.h"
#include "gst/rdpsegment/private/info_fields.h"

/* Private: the info of motion, member by member, all but the twelve numbers of ego.
 * docs/internals/metadata-formats.md describes the header. */
namespace rdp::meta {

inline constexpr auto kMotionFields = [] {
  using Info = GstRdpMotionInfo;
  constexpr InfoRule kSide = {InfoRule::kWithin, 1, kMaxSide};
  constexpr const char* kSize = "width and height must be 1 to 16384";
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

#endif /* __GST_RDP_MOTION_FIELDS_H__ */
