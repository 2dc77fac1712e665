/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpheightskind.h>
#include <gst/rdpsegment/rdpheightsprivate.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "common/boundary.h"
#include "common/image/float_environment.h"

/**
 * SECTION:rdpheights
 * @title: GstRdpHeights
 * @short_description: The heads on the ground that several cameras see
 *
 * A #GstRdpHeights holds the density and quality of one picture's heights, and an array of
 * heads: their places on the ground and their heights. With heightmap's track-heads each head has a
 * track with an id that stays the same. Another array holds the ids of lost heads. The heights of
 * pixels are the samples of the frame. The method follows A. Rezaei, N. Pellicanò and E. Aldea,
 * "GPU-accelerated height map estimation with local geometry priors in large scenes".
 *
 * Since: 0.2
 */

/* Other languages read these structures as bytes. */
static_assert(sizeof(GstRdpHead) == 32);
static_assert(sizeof(GstRdpHeadTrack) == 16);

using rdp::meta::copy_plain;

G_DEFINE_BOXED_TYPE(GstRdpHead, gst_rdp_head, copy_plain<GstRdpHead>, g_free)

G_DEFINE_BOXED_TYPE(GstRdpHeadTrack, gst_rdp_head_track, copy_plain<GstRdpHeadTrack>, g_free)

namespace rdp::meta {
namespace {

std::string expected(const char* what, double got) {
  g_autofree gchar* text = g_strdup_printf("expected %s, got %.17g", what, got);
  return text;
}

std::string head_error(const GstRdpHeightsInfo& info, const GstRdpHead& head) {
  if (head.column >= info.width || head.row >= info.height) {
    return "expected a pixel of the " + std::to_string(info.width) + "x" +
           std::to_string(info.height) + " picture, got column " + std::to_string(head.column) +
           " and row " + std::to_string(head.row);
  }
  if (!std::isfinite(head.x)) return "x: " + expected("a finite number", head.x);
  if (!std::isfinite(head.y)) return "y: " + expected("a finite number", head.y);
  if (!std::isfinite(head.height) || head.height < 0) {
    return "height: " + expected("a finite number, 0 or more", head.height);
  }
  if (head.votes < 1 || head.votes > info.known_pixels) {
    return "votes: expected 1 to known_pixels, " + std::to_string(info.known_pixels) + ", got " +
           std::to_string(head.votes);
  }
  return {};
}

std::string track_error(const GstRdpHeadTrack& track) {
  if (track.id == 0) return "id: expected 1 or more, got 0";
  if (std::isfinite(track.vx) && std::isfinite(track.vy)) return {};
  if (std::isnan(track.vx) && std::isnan(track.vy)) return {};
  return "vx, vy: expected two finite numbers, or NaN for both, got " + std::to_string(track.vx) +
         " and " + std::to_string(track.vy);
}

}  // namespace

std::string heights_error(const GstRdpHeightsInfo& info, const GstRdpHeightsArrays& arrays) {
  if (const char* error = fields_error(kHeightsFields, info)) return error;
  if (std::max(arrays.n_heads, arrays.n_lost_heads) > G_MAXUINT32) return "too many heads";
  for (gsize i = 0; i < arrays.n_heads; ++i) {
    const std::string error = head_error(info, arrays.heads[i]);
    if (!error.empty()) return "head " + std::to_string(i) + ", " + error;
  }
  if (arrays.n_head_tracks > 0 && arrays.n_head_tracks != arrays.n_heads) {
    return "expected a track for each of " + std::to_string(arrays.n_heads) +
           " heads, or none, got " + std::to_string(arrays.n_head_tracks);
  }
  for (gsize i = 0; i < arrays.n_head_tracks; ++i) {
    const std::string error = track_error(arrays.head_tracks[i]);
    if (!error.empty()) return "track of head " + std::to_string(i) + ", " + error;
  }
  return {};
}

}  // namespace rdp::meta

/**
 * gst_rdp_heights_info_init:
 * @info: the info to fill
 *
 * Fills @info for a picture of 0x0 pixels without ground, seen by two cameras, the first of them
 * the reference. Set the size before you use it.
 *
 * Since: 0.2
 */
void gst_rdp_heights_info_init(GstRdpHeightsInfo* info) {
  g_return_if_fail(info != nullptr);

  std::memset(info, 0, sizeof *info);
  info->views = rdp::heightmap::kLeastViews;
}

/**
 * gst_rdp_heights_new:
 * @info: the frame that heights were found in, and the outcome
 * @heads: (array length=n_heads) (nullable): the heads on the ground
 * @n_heads: number of @heads
 *
 * Makes heights from a copy of the array, for heights that come from elsewhere.
 *
 * Returns: (transfer full) (nullable): new heights. %NULL after a critical warning if the arguments
 *   do not describe the heights of one frame, and %NULL if there is no memory
 *
 * Since: 0.2
 */
GstRdpHeights* gst_rdp_heights_new(const GstRdpHeightsInfo* info, const GstRdpHead* heads,
                                   gsize n_heads) {
  return gst_rdp_heights_new_with_tracks(info, heads, nullptr, n_heads, nullptr, 0);
}

/**
 * gst_rdp_heights_new_with_tracks:
 * @info: the frame that heights were found in, and the outcome
 * @heads: (array length=n_heads) (nullable): the heads on the ground
 * @head_tracks: (array length=n_heads) (nullable): the track of each of @heads; %NULL: they have
 * none
 * @n_heads: number of @heads, and of @head_tracks
 * @lost_heads: (array length=n_lost_heads) (nullable): ids of heads whose tracks end with this
 * frame
 * @n_lost_heads: number of @lost_heads
 *
 * Makes heights as gst_rdp_heights_new() does, with tracks.
 *
 * Returns: (transfer full) (nullable): new heights. %NULL after a critical warning if the arguments
 *   do not describe the heights of one frame, and %NULL if there is no memory
 *
 * Since: 0.3
 */
GstRdpHeights* gst_rdp_heights_new_with_tracks(const GstRdpHeightsInfo* info,
                                               const GstRdpHead* heads,
                                               const GstRdpHeadTrack* head_tracks, gsize n_heads,
                                               const guint32* lost_heads, gsize n_lost_heads) {
  g_return_val_if_fail(info != nullptr, nullptr);
  g_return_val_if_fail(heads != nullptr || n_heads == 0, nullptr);
  g_return_val_if_fail(lost_heads != nullptr || n_lost_heads == 0, nullptr);

  const GstRdpHeightsArrays arrays = {
      heads, n_heads, head_tracks, head_tracks != nullptr ? n_heads : 0, lost_heads, n_lost_heads};
  std::string error;
  GstRdpHeights* self = rdp::contain(
      [&] {
        error = rdp::meta::heights_error(*info, arrays);
        return error.empty() ? rdp::meta::new_copy<rdp::meta::HeightsKind, rdp::meta::HeightsRows>(
                                   *info, arrays)
                             : nullptr;
      },
      [&](const char* reason) -> GstRdpHeights* {
        GST_ERROR("no heights with %" G_GSIZE_FORMAT " heads: %s", n_heads, reason);
        return nullptr;
      });
  if (!error.empty()) g_critical("%s: %s", G_STRFUNC, error.c_str());
  return self;
}

/**
 * gst_rdp_heights_get_known:
 * @self: a #GstRdpHeights
 *
 * The density of the heights in the reference picture.
 *
 * Returns: the share of the reference picture's pixels that have a height, 0 to 1: the info's
 *   known_pixels / (width * height)
 *
 * Since: 0.2
 */
gdouble gst_rdp_heights_get_known(GstRdpHeights* self) {
  g_return_val_if_fail(GST_IS_RDP_HEIGHTS(self), 0);

  const GstRdpHeightsInfo& info = self->info;
  return rdp::with_standard_floats([&] {
    return static_cast<gdouble>(info.known_pixels) /
           static_cast<gdouble>(guint64{info.width} * info.height);
  });
}
