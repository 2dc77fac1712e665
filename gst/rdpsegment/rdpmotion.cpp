/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpmotionkind.h>
#include <gst/rdpsegment/rdpmotionprivate.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "common/boundary.h"

/**
 * SECTION:rdpmotion
 * @title: GstRdpMotion
 * @short_description: The motion of the segments and the tracks of a depth frame
 *
 * A #GstRdpMotion holds two arrays. One has the motion of each segment of the frame, in the order
 * of the #GstRdpSegmentation on the same buffer. The other has the place and motion in space of
 * each feature track. Unknown values are NaN.
 *
 * Since: 0.2
 */

/* Other languages read these structures as bytes. */
static_assert(sizeof(GstRdpSegmentMotion) == 32);
static_assert(sizeof(GstRdpTrackMotion) == 32);

using rdp::meta::copy_plain;

G_DEFINE_BOXED_TYPE(GstRdpSegmentMotion, gst_rdp_segment_motion, copy_plain<GstRdpSegmentMotion>,
                    g_free)

G_DEFINE_BOXED_TYPE(GstRdpTrackMotion, gst_rdp_track_motion, copy_plain<GstRdpTrackMotion>, g_free)

GType gst_rdp_motion_flags_get_type(void) {
  static const GFlagsValue kValues[] = {
      {GST_RDP_MOTION_MOVING, "GST_RDP_MOTION_MOVING", "moving"},
      {GST_RDP_MOTION_ABSOLUTE, "GST_RDP_MOTION_ABSOLUTE", "absolute"},
      {GST_RDP_MOTION_KNOWN, "GST_RDP_MOTION_KNOWN", "known"},
      {0, nullptr, nullptr}};
  static gsize type = 0;
  if (g_once_init_enter(&type)) {
    g_once_init_leave(&type, g_flags_register_static("GstRdpMotionFlags", kValues));
  }
  return type;
}

namespace rdp::meta {
namespace {

constexpr guint kAllFlags = GST_RDP_MOTION_MOVING | GST_RDP_MOTION_ABSOLUTE | GST_RDP_MOTION_KNOWN;
/* The rows of (R t). */
constexpr std::array<gdouble, 12> kNoMotion = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/* Numbers that are all known or all unknown. */
template <std::size_t N>
struct Group {
  const char* names;
  std::array<gfloat, N> numbers;
  bool deviates = true; /* the last number is a standard deviation */

  bool known() const {
    const auto finite = [](gfloat number) { return std::isfinite(number); };
    return std::ranges::all_of(numbers, finite) && (!deviates || numbers.back() >= 0);
  }
  bool unknown() const {
    return std::ranges::all_of(numbers, [](gfloat number) { return std::isnan(number); });
  }
  std::string error(std::string_view expected) const {
    std::string text(names);
    text.append(": expected ").append(expected).append(", got");
    char separator = ' ';
    for (const gfloat number : numbers) {
      g_autofree gchar* one = g_strdup_printf("%c%.9g", separator, static_cast<gdouble>(number));
      text += one;
      separator = ',';
    }
    return text;
  }
};

constexpr const char* kFinite = "finite numbers, the last of them 0 or more";
constexpr const char* kUnknown = "NaN";
constexpr const char* kEither = "NaN, or finite numbers, the last of them 0 or more";

std::string segment_error(const GstRdpSegmentMotion& segment) {
  const Group<3> displacement = {"dx, dy, spread", {segment.dx, segment.dy, segment.spread}};
  const Group<4> velocity = {"vx, vy, vz, sigma",
                             {segment.vx, segment.vy, segment.vz, segment.sigma}};
  const auto flags = [&](const char* expected) {
    return std::string("flags: expected ") + expected + ", got " + std::to_string(segment.flags);
  };
  if ((segment.flags & ~kAllFlags) != 0) return flags("a sum of 1, 2 and 4");
  const bool known = (segment.flags & GST_RDP_MOTION_KNOWN) != 0;
  if (!known && segment.flags != 0) return flags("4 among them where they are not 0");
  if (known ? !velocity.known() : !velocity.unknown()) {
    return velocity.error(known ? kFinite : kUnknown) + " with the flags " +
           std::to_string(segment.flags);
  }
  if (!displacement.known() && !displacement.unknown()) return displacement.error(kEither);
  if (segment.tracks > 0) return {};
  if (known) return flags("0 without tracks");
  return displacement.unknown() ? std::string() : displacement.error("NaN without tracks");
}

std::string track_error(const GstRdpTrackMotion& track) {
  const Group<3> place = {"x, y, z", {track.x, track.y, track.z}, false};
  const Group<4> velocity = {"vx, vy, vz, sigma", {track.vx, track.vy, track.vz, track.sigma}};
  if (!place.known() && !place.unknown()) return place.error("finite numbers, or NaN");
  if (!velocity.known() && !velocity.unknown()) return velocity.error(kEither);
  return place.known() || velocity.unknown() ? std::string()
                                             : velocity.error("NaN without x, y and z");
}

std::string info_error(const GstRdpMotionInfo& info) {
  if (const char* error = fields_error(kMotionFields, info)) return error;
  for (std::size_t i = 0; i < kNoMotion.size(); ++i) {
    const bool good =
        info.ego_known != FALSE ? std::isfinite(info.ego[i]) : info.ego[i] == kNoMotion[i];
    if (good) continue;
    g_autofree gchar* error = g_strdup_printf(
        "number %zu of ego: expected %s, got %.17g", i,
        info.ego_known != FALSE ? "a finite one" : "the identity's, since ego_known is false",
        info.ego[i]);
    return error;
  }
  return {};
}

template <typename List, typename Error>
std::string list_error(const char* name, const List& list, Error error_of) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string error = error_of(list[i]);
    if (!error.empty()) return name + (" " + std::to_string(i)) + ", " + error;
  }
  return {};
}

}  // namespace

std::string motion_error(const GstRdpMotionInfo& info, const GstRdpMotionArrays& arrays) {
  std::string error = info_error(info);
  if (!error.empty()) return error;
  const guint64 most = guint64{info.width} * info.height;
  if (arrays.n_segments > most) {
    return "expected at most " + std::to_string(most) + " segments, one for each sample, got " +
           std::to_string(arrays.n_segments);
  }
  if (arrays.n_tracks > G_MAXUINT32) return "too many tracks";
  error = list_error("segment", std::span(arrays.segments, arrays.n_segments), segment_error);
  if (!error.empty()) return error;
  return list_error("track", std::span(arrays.tracks, arrays.n_tracks), track_error);
}

}  // namespace rdp::meta

/**
 * gst_rdp_motion_info_init:
 * @info: the info to fill
 *
 * Fills @info for a frame of 0x0 pixels without a previous frame, with unknown camera motion: set
 * the size before you use it.
 *
 * Since: 0.2
 */
void gst_rdp_motion_info_init(GstRdpMotionInfo* info) {
  g_return_if_fail(info != nullptr);

  std::memset(info, 0, sizeof *info);
  std::ranges::copy(rdp::meta::kNoMotion, info->ego);
}

/**
 * gst_rdp_motion_new:
 * @info: the frame that motion was found in
 * @segments: (array length=n_segments) (nullable): the motion of each segment, in the order of the
 *   #GstRdpSegmentation of the same frame
 * @n_segments: number of @segments
 * @tracks: (array length=n_tracks) (nullable): the places and motion of tracks in space
 * @n_tracks: number of @tracks
 *
 * Makes motion from copies of the arrays, for motion from other sources. Put it on the buffer with
 * the segments: readers expect one element for each segment.
 *
 * Returns: (transfer full) (nullable): new motion. %NULL after a critical warning if the arguments
 *   do not describe the motion of one frame, and %NULL if there is no memory
 *
 * Since: 0.2
 */
GstRdpMotion* gst_rdp_motion_new(const GstRdpMotionInfo* info, const GstRdpSegmentMotion* segments,
                                 gsize n_segments, const GstRdpTrackMotion* tracks,
                                 gsize n_tracks) {
  g_return_val_if_fail(info != nullptr, nullptr);
  g_return_val_if_fail(segments != nullptr || n_segments == 0, nullptr);
  g_return_val_if_fail(tracks != nullptr || n_tracks == 0, nullptr);

  const GstRdpMotionArrays arrays = {segments, n_segments, tracks, n_tracks};
  std::string error;
  GstRdpMotion* self = rdp::contain(
      [&] {
        error = rdp::meta::motion_error(*info, arrays);
        return error.empty() ? rdp::meta::new_copy<rdp::meta::MotionKind, rdp::meta::MotionRows>(
                                   *info, arrays)
                             : nullptr;
      },
      [&](const char* reason) -> GstRdpMotion* {
        GST_ERROR("no motion of %" G_GSIZE_FORMAT " segments: %s", n_segments, reason);
        return nullptr;
      });
  if (!error.empty()) g_critical("%s: %s", G_STRFUNC, error.c_str());
  return self;
}
