/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpheightskind.h>
#include <gst/rdpsegment/rdpheightsprivate.h>

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
 * A #GstRdpHeights says how well the heights of one picture are known, and has an array of heads:
 * their places on the ground, and their heights. The heights of pixels are the samples of the
 * frame. The method follows A. Rezaei, N. Pellicanò and E. Aldea, "GPU-accelerated height map
 * estimation with local geometry priors in large scenes".
 *
 * Since: 0.2
 */

/* Other languages read them as bytes. */
static_assert(sizeof(GstRdpHead) == 32);

using rdp::meta::copy_plain;

G_DEFINE_BOXED_TYPE(GstRdpHead, gst_rdp_head, copy_plain<GstRdpHead>, g_free)

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

}  // namespace

std::string heights_error(const GstRdpHeightsInfo& info, std::span<const GstRdpHead> heads) {
  if (const char* error = fields_error(kHeightsFields, info)) return error;
  if (heads.size() > G_MAXUINT32) return "too many heads";
  for (gsize i = 0; i < heads.size(); ++i) {
    const std::string error = head_error(info, heads[i]);
    if (!error.empty()) return "head " + std::to_string(i) + ", " + error;
  }
  return {};
}

}  // namespace rdp::meta

/**
 * gst_rdp_heights_info_init:
 * @info: the info to fill
 *
 * Fills @info for a picture of 0x0 pixels that two cameras saw, the first of them the reference,
 * without ground: set the size before you use it.
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
  g_return_val_if_fail(info != nullptr, nullptr);
  g_return_val_if_fail(heads != nullptr || n_heads == 0, nullptr);

  std::string error;
  GstRdpHeights* self = rdp::contain(
      [&] {
        error = rdp::meta::heights_error(*info, {heads, n_heads});
        return error.empty() ? rdp::meta::new_copy<rdp::meta::HeightsKind, rdp::meta::HeightsRows>(
                                   *info, {heads, n_heads})
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
