/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_TRACKS_PRIVATE_H__
#define __GST_RDP_TRACKS_PRIVATE_H__

#include <gst/rdpsegment/rdptracks.h>
#include <gst/rdpsegment/rdptracksarrays.h>

#include <span>

#include "gst/rdpsegment/private/info_fields.h"
#include "gst/rdpsegment/private/owned_object.h"

/* Private to the library. */

struct _GstRdpTracks : rdp::meta::OwnedObject<GstRdpTracksInfo, GstRdpTracksArrays> {};

namespace rdp::meta {

using TracksRows =
    ArrayRows<ArrayRow<&GstRdpTracksArrays::tracks, &GstRdpTracksArrays::n_tracks, 32>,
              ArrayRow<&GstRdpTracksArrays::lost, &GstRdpTracksArrays::n_lost, 36>,
              ArrayRow<&GstRdpTracksArrays::warps, &GstRdpTracksArrays::n_warps, 40, 2>>;

/* The arrays on the host; empty if they are lost. All reads in the library go through here, the
 * only place that fetches them. */
const GstRdpTracksArrays& host_tracks(GstRdpTracks* self) noexcept;

/* The fault of the tracks, as a message for the user; null: none. */
const char* tracks_error(const GstRdpTracksInfo& info, const GstRdpTracksArrays& arrays);

/* The info of tracks, member by member. docs/internals/metadata-formats.md describes the
 * header. */
inline constexpr auto kTracksFields = [] {
  using Info = GstRdpTracksInfo;
  return std::to_array<InfoField<Info>>({
      info_number<&Info::frame>("frame", {8}),
      info_number<&Info::width>("width", {16}, kSide, kSize),
      info_number<&Info::height>("height", {20}, kSide, kSize),
      info_number<&Info::template_pts>("template_pts", {24}),
  });
}();

}  // namespace rdp::meta

#endif /* __GST_RDP_TRACKS_PRIVATE_H__ */
