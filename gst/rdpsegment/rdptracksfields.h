/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_TRACKS_FIELDS_H__
#define __GST_RDP_TRACKS_FIELDS_H__

#include <gst/rdpsegment/rdptracks.h>

#include "common/image/depth_view.h"
#include "gst/rdpsegment/private/info_fields.h"

/* Private: the info of tracks, member by member. docs/internals/metadata-formats.md describes the
 * header. */
namespace rdp::meta {

inline constexpr auto kTracksFields = [] {
  using Info = GstRdpTracksInfo;
  constexpr InfoRule kSide = {InfoRule::kWithin, 1, kMaxSide};
  constexpr const char* kSize = "width and height must be 1 to 16384";
  return std::to_array<InfoField<Info>>({
      info_number<&Info::frame>("frame", {8}),
      info_number<&Info::width>("width", {16}, kSide, kSize),
      info_number<&Info::height>("height", {20}, kSide, kSize),
      info_number<&Info::template_pts>("template_pts", {24}),
  });
}();

}  // namespace rdp::meta

#endif /* __GST_RDP_TRACKS_FIELDS_H__ */
