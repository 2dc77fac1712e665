/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdptrackskind.h>
#include <gst/rdpsegment/rdptracksprivate.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "common/boundary.h"
#include "common/image/float_environment.h"

/**
 * SECTION:rdptracks
 * @title: GstRdpTracks
 * @short_description: The feature tracks of a video frame
 *
 * A #GstRdpTracks holds three arrays. The tracks are the features in the frame, in the order of
 * their birth. The lost features have a reason and their last place. The warps, one for each track
 * in the same order, come from klttrack's warp=affine; otherwise there are none. The tracker is the
 * one of B. Lucas and T. Kanade, IJCAI 1981, on a pyramid.
 *
 * Features tracked on a GPU leave the arrays there until the first read, by any function, copies
 * them to the host. If the GPU fails before that, they are lost: gst_rdp_tracks_fetch() reports
 * why.
 *
 * Since: 0.2
 */

/* Other languages read these structures as bytes. */
static_assert(sizeof(GstRdpTrack) == 32);
static_assert(sizeof(GstRdpLostTrack) == 16);
static_assert(sizeof(GstRdpTrackWarp) == 24);

using rdp::meta::copy_plain;
using rdp::meta::host_tracks;

G_DEFINE_BOXED_TYPE(GstRdpTrack, gst_rdp_track, copy_plain<GstRdpTrack>, g_free)

G_DEFINE_BOXED_TYPE(GstRdpLostTrack, gst_rdp_lost_track, copy_plain<GstRdpLostTrack>, g_free)

G_DEFINE_BOXED_TYPE(GstRdpTrackWarp, gst_rdp_track_warp, copy_plain<GstRdpTrackWarp>, g_free)

namespace rdp::meta {
namespace {

bool not_negative(float number) { return std::isfinite(number) && number >= 0.0F; }

bool is_reason(guint32 reason) {
  return reason >= GST_RDP_LOST_TEXTURE && reason <= GST_RDP_LOST_TEMPLATE;
}

}  // namespace

const GstRdpTracksArrays& host_tracks(GstRdpTracks* self) noexcept {
  return host_arrays(self, "the tracks", [](GstRdpTracksArrays) { return GstRdpTracksArrays{}; });
}

/* Positions may have any value: klttrack lists given points outside of the frame as lost. */
const char* tracks_error(const GstRdpTracksInfo& info, const GstRdpTracksArrays& arrays) {
  if (const char* error = fields_error(kTracksFields, info)) return error;
  if (arrays.n_tracks > G_MAXUINT32 || arrays.n_lost > G_MAXUINT32) return "too many tracks";
  for (const GstRdpTrack& track : std::span(arrays.tracks, arrays.n_tracks)) {
    if (!not_negative(track.residual)) return "a track's residual must be 0 or more";
    if (!not_negative(track.quality)) return "a track's quality must be 0 or more";
  }
  for (const GstRdpLostTrack& lost : std::span(arrays.lost, arrays.n_lost)) {
    if (!is_reason(lost.reason)) return "a lost track's reason must be a GstRdpLostReason";
  }
  if (arrays.n_warps > 0 && arrays.n_warps != arrays.n_tracks) {
    return "there must be a warp for each track, or none";
  }
  for (const GstRdpTrackWarp& warp : std::span(arrays.warps, arrays.n_warps)) {
    for (const float number : {warp.a, warp.b, warp.c, warp.d}) {
      if (!std::isfinite(number)) return "a warp's a, b, c and d must be finite numbers";
    }
    if (!not_negative(warp.residual)) return "a warp's residual must be 0 or more";
  }
  return nullptr;
}

}  // namespace rdp::meta

/**
 * gst_rdp_lost_reason_get_name:
 * @reason: a #GstRdpLostReason
 *
 * The name of a reason, for texts and logs.
 *
 * Returns: the reason in one word, as lines of JSON have it: "texture", "outside", "residual",
 *   "check", "crowded" or "template"; "unknown" for any other number
 *
 * Since: 0.2
 */
const gchar* gst_rdp_lost_reason_get_name(GstRdpLostReason reason) {
  static const gchar* const kNames[] = {"texture", "outside", "residual",
                                        "check",   "crowded", "template"};
  const auto number = static_cast<guint32>(reason);
  return rdp::meta::is_reason(number) ? kNames[number - GST_RDP_LOST_TEXTURE] : "unknown";
}

/**
 * gst_rdp_tracks_info_init:
 * @info: the info to fill
 *
 * Fills @info for a frame of 0x0 pixels without a template: set the size before you use it.
 *
 * Since: 0.2
 */
void gst_rdp_tracks_info_init(GstRdpTracksInfo* info) {
  g_return_if_fail(info != nullptr);

  std::memset(info, 0, sizeof *info);
  info->template_pts = GST_CLOCK_TIME_NONE;
}

/**
 * gst_rdp_tracks_new:
 * @info: the frame that features were tracked in
 * @tracks: (array length=n_tracks) (nullable): the features that are in the frame
 * @n_tracks: number of @tracks
 * @lost: (array length=n_lost) (nullable): the features that were lost with it
 * @n_lost: number of @lost
 *
 * Makes tracks from copies of the arrays: for tracks that come from elsewhere, and for points that
 * klttrack is to track. Such points are tracks of age 0, with x and y, and with dx and dy if the
 * search is to begin at a displacement. Put them on a frame that klttrack receives. Their ids do
 * not matter. klttrack lists points that are not finite or not in the frame as lost.
 *
 * Returns: (transfer full) (nullable): new tracks. %NULL after a critical warning if the arguments
 *   do not describe the tracks of one frame, and %NULL if there is no memory
 *
 * Since: 0.2
 */
GstRdpTracks* gst_rdp_tracks_new(const GstRdpTracksInfo* info, const GstRdpTrack* tracks,
                                 gsize n_tracks, const GstRdpLostTrack* lost, gsize n_lost) {
  return gst_rdp_tracks_new_with_warps(info, tracks, n_tracks, lost, n_lost, nullptr, 0);
}

/**
 * gst_rdp_tracks_new_with_warps:
 * @info: the frame that features were tracked in
 * @tracks: (array length=n_tracks) (nullable): the features that are in the frame
 * @n_tracks: number of @tracks
 * @lost: (array length=n_lost) (nullable): the features that were lost with it
 * @n_lost: number of @lost
 * @warps: (array length=n_warps) (nullable): the warp of each of @tracks, in their order; or none
 * @n_warps: number of @warps: @n_tracks, or 0
 *
 * Makes tracks as gst_rdp_tracks_new() does, with warps. klttrack ignores the warps of given points
 * and begins with the identity.
 *
 * Returns: (transfer full) (nullable): new tracks. %NULL after a critical warning if the arguments
 *   do not describe the tracks of one frame, and %NULL if there is no memory
 *
 * Since: 0.3
 */
GstRdpTracks* gst_rdp_tracks_new_with_warps(const GstRdpTracksInfo* info, const GstRdpTrack* tracks,
                                            gsize n_tracks, const GstRdpLostTrack* lost,
                                            gsize n_lost, const GstRdpTrackWarp* warps,
                                            gsize n_warps) {
  g_return_val_if_fail(info != nullptr, nullptr);
  g_return_val_if_fail(tracks != nullptr || n_tracks == 0, nullptr);
  g_return_val_if_fail(lost != nullptr || n_lost == 0, nullptr);
  g_return_val_if_fail(warps != nullptr || n_warps == 0, nullptr);

  const GstRdpTracksArrays arrays = {tracks, n_tracks, lost, n_lost, warps, n_warps};
  const char* error =
      rdp::with_standard_floats([&] { return rdp::meta::tracks_error(*info, arrays); });
  if (error != nullptr) {
    g_critical("%s: %s", G_STRFUNC, error);
    return nullptr;
  }
  return rdp::contain(
      [&] {
        return rdp::meta::new_copy<rdp::meta::TracksKind, rdp::meta::TracksRows>(*info, arrays);
      },
      [&](const char* reason) -> GstRdpTracks* {
        GST_ERROR("no %" G_GSIZE_FORMAT " tracks: %s", n_tracks, reason);
        return nullptr;
      });
}

/**
 * gst_rdp_tracks_fetch:
 * @self: a #GstRdpTracks
 * @error: return location for a #GError
 *
 * Copies the arrays to the host, as their first read would, and reports if they are lost. They are
 * lost if the GPU fails first. It may be called at any time, any number of times, with the same
 * result.
 *
 * Returns: %TRUE if the arrays are there, and for those that were never on a GPU; %FALSE, with
 *   #GST_RESOURCE_ERROR_READ, if they are lost
 *
 * Since: 0.2
 */
gboolean gst_rdp_tracks_fetch(GstRdpTracks* self, GError** error) {
  g_return_val_if_fail(GST_IS_RDP_TRACKS(self), FALSE);
  g_return_val_if_fail(error == nullptr || *error == nullptr, FALSE);

  host_tracks(self);
  return rdp::meta::tell_lost(self, "tracks", error);
}
