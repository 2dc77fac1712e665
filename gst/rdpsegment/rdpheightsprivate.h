/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_HEIGHTS_PRIVATE_H__
#define __GST_RDP_HEIGHTS_PRIVATE_H__

#include <gst/rdpsegment/rdpheights.h>
#include <gst/rdpsegment/rdpheightsarrays.h>

#include <string>

#include "common/heightmap/parameters.h"
#include "common/image/depth_view.h"
#include "gst/rdpsegment/private/info_fields.h"
#include "gst/rdpsegment/private/owned_object.h"

/* Private to the library. */

struct _GstRdpHeights : rdp::meta::OwnedObject<GstRdpHeightsInfo, GstRdpHeightsArrays> {};

namespace rdp::meta {

using HeightsRows = ArrayRows<
    ArrayRow<&GstRdpHeightsArrays::heads, &GstRdpHeightsArrays::n_heads, 60>,
    ArrayRow<&GstRdpHeightsArrays::head_tracks, &GstRdpHeightsArrays::n_head_tracks, 96, 2>,
    ArrayRow<&GstRdpHeightsArrays::lost_heads, &GstRdpHeightsArrays::n_lost_heads, 100, 2>>;

/* The fault of heights, as a message with the expected and the found value; empty: none. Throws
 * std::bad_alloc. */
std::string heights_error(const GstRdpHeightsInfo& info, const GstRdpHeightsArrays& arrays);

/* The info of heights, member by member. docs/internals/metadata-formats.md describes the
 * header. */
inline constexpr auto kHeightsFields = [] {
  using Info = GstRdpHeightsInfo;
  constexpr InfoRule kCells = {InfoRule::kWithin, 0, kMaxSide};
  constexpr const char* kGround =
      "ground_columns and ground_rows must be 1 to 16384, or 0, both of them, where there is no "
      "ground";
  constexpr auto kBothOrNone = [](const Info& info) {
    return (info.ground_columns == 0) == (info.ground_rows == 0);
  };
  constexpr InfoRule kFinite = {InfoRule::kFinite};
  constexpr const char* kCorner =
      "ground_x and ground_y must be numbers, and 0 where there is no ground";
  return std::to_array<InfoField<Info>>({
      info_number<&Info::frame>("frame", {8}),
      info_number<&Info::width>("width", {16}, kSide, kSize),
      info_number<&Info::height>("height", {20}, kSide, kSize),
      info_number<&Info::views>("views", {24},
                                {InfoRule::kWithin, heightmap::kLeastViews, heightmap::kMaxViews},
                                "views must be 2 to 16"),
      info_number<&Info::reference>("reference", {28}, {},
                                    "reference must be the number of a view, from 0",
                                    [](const Info& info) { return info.reference < info.views; }),
      info_number<&Info::energy>("energy", {32}, {InfoRule::kNotNegative},
                                 "energy must be 0 or more"),
      info_number<&Info::known_pixels>(
          "known_pixels", {40}, {}, "known_pixels must be at most width * height",
          [](const Info& info) { return info.known_pixels <= guint64{info.width} * info.height; }),
      info_number<&Info::spread>(
          "spread", {48}, {}, "spread must be a time in ns",
          [](const Info& info) { return GST_CLOCK_TIME_IS_VALID(info.spread) != FALSE; }),
      info_number<&Info::iterations>("iterations", {56}),
      info_number<&Info::ground_columns>("ground_columns", {64}, kCells, kGround, kBothOrNone),
      info_number<&Info::ground_rows>("ground_rows", {68}, kCells, kGround, kBothOrNone),
      info_number<&Info::ground_x>(
          "ground_x", {72}, kFinite, kCorner,
          [](const Info& info) { return info.ground_columns > 0 || info.ground_x == 0; }),
      info_number<&Info::ground_y>(
          "ground_y", {80}, kFinite, kCorner,
          [](const Info& info) { return info.ground_columns > 0 || info.ground_y == 0; }),
      info_number<&Info::ground_cell>(
          "ground_cell", {88}, {InfoRule::kNotNegative},
          "ground_cell must be above 0, and 0 where there is no ground",
          [](const Info& info) { return (info.ground_columns > 0) == (info.ground_cell > 0); }),
  });
}();

}  // namespace rdp::meta

#endif /* __GST_RDP_HEIGHTS_PRIVATE_H__ */
