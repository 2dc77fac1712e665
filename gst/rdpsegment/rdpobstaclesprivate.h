/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef __GST_RDP_OBSTACLES_PRIVATE_H__
#define __GST_RDP_OBSTACLES_PRIVATE_H__

#include <gst/rdpsegment/rdpobstacles.h>
#include <gst/rdpsegment/rdpobstaclesarrays.h>

#include <string>

#include "common/obstacles/parameters.h"
#include "gst/rdpsegment/private/info_fields.h"
#include "gst/rdpsegment/private/owned_object.h"

/* Private to the library. */

struct _GstRdpObstacles : rdp::meta::OwnedObject<GstRdpObstaclesInfo, GstRdpObstaclesArrays> {};

namespace rdp::meta {

using ObstaclesRows =
    ArrayRows<ArrayRow<&GstRdpObstaclesArrays::objects, &GstRdpObstaclesArrays::n_objects, 184>,
              ArrayRow<&GstRdpObstaclesArrays::lost, &GstRdpObstaclesArrays::n_lost, 188>,
              ArrayRow<&GstRdpObstaclesArrays::hidden, &GstRdpObstaclesArrays::n_hidden, 192>,
              ArrayRow<&GstRdpObstaclesArrays::ranges, &GstRdpObstaclesArrays::n_bins, 196>,
              ArrayRow<&GstRdpObstaclesArrays::free, &GstRdpObstaclesArrays::n_bins>,
              ArrayRow<&GstRdpObstaclesArrays::states, &GstRdpObstaclesArrays::n_cells>,
              ArrayRow<&GstRdpObstaclesArrays::tops, &GstRdpObstaclesArrays::n_cells>>;

/* The fault of obstacles, as a message with the expected and the found value; empty: none. Throws
 * std::bad_alloc. */
std::string obstacles_error(const GstRdpObstaclesInfo& info, const GstRdpObstaclesArrays& arrays);

/* The info of obstacles, member by member. docs/internals/metadata-formats.md describes
 * the header. */
inline constexpr auto kObstaclesFields = [] {
  using Info = GstRdpObstaclesInfo;
  constexpr InfoRule kNotNegative = {InfoRule::kNotNegative};
  constexpr InfoRule kFinite = {InfoRule::kFinite};
  constexpr const char* kGround =
      "camera_height must be 0 or more, pitch and roll numbers, all of them 0 and refined false "
      "where there is no ground";
  constexpr InfoRule kCells = {InfoRule::kWithin, 0, 2 * obstacles::kMaxGridSide};
  constexpr const char* kGrid =
      "grid_columns and grid_rows must be 1 to 2048, or 0, both of them, where there is no grid";
  constexpr const char* kCorner = "grid_x and grid_y must be numbers";
  constexpr const char* kAngles = "angle_min must be a number, angle_increment 0 or more";
  return std::to_array<InfoField<Info>>({
      info_number<&Info::frame>("frame", {8}),
      info_number<&Info::width>("width", {16}, kSide, kSize),
      info_number<&Info::height>("height", {20}, kSide, kSize),
      info_flag<&Info::refined>("refined", {.at = 24, .bit = 1}),
      info_number<&Info::ground>("ground", {28},
                                 {InfoRule::kWithin, GST_RDP_GROUND_NONE, GST_RDP_GROUND_HELD},
                                 "ground must be a GstRdpGroundSource"),
      info_number<&Info::camera_height>("camera_height", {32}, kNotNegative, kGround,
                                        [](const Info& info) {
                                          return member_number<&Info::ground>(info) !=
                                                     GST_RDP_GROUND_NONE ||
                                                 (info.camera_height == 0 && info.pitch == 0 &&
                                                  info.roll == 0 && info.refined == FALSE);
                                        }),
      info_number<&Info::pitch>("pitch", {40}, kFinite, kGround),
      info_number<&Info::roll>("roll", {48}, kFinite, kGround),
      info_number<&Info::grid_x>("grid_x", {56}, kFinite, kCorner),
      info_number<&Info::grid_y>("grid_y", {64}, kFinite, kCorner),
      info_number<&Info::cell_size>(
          "cell_size", {72}, kNotNegative,
          "cell_size must be above 0, and 0 where there is no grid",
          [](const Info& info) { return (info.grid_columns > 0) == (info.cell_size > 0); }),
      info_number<&Info::grid_columns>(
          "grid_columns", {80}, kCells, kGrid,
          [](const Info& info) { return (info.grid_columns == 0) == (info.grid_rows == 0); }),
      info_number<&Info::grid_rows>("grid_rows", {84}, kCells, kGrid),
      info_number<&Info::angle_min>("angle_min", {88}, kFinite, kAngles),
      info_number<&Info::angle_increment>("angle_increment", {96}, kNotNegative, kAngles),
      info_number<&Info::range_max>("range_max", {104}, kNotNegative,
                                    "range_max must be 0 or more"),
  });
}();

}  // namespace rdp::meta

#endif /* __GST_RDP_OBSTACLES_PRIVATE_H__ */
