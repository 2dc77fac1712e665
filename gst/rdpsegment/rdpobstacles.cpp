/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rdpsegment/rdpobstacleskind.h>
#include <gst/rdpsegment/rdpobstaclesprivate.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

#include "common/boundary.h"

/**
 * SECTION:rdpobstacles
 * @title: GstRdpObstacles
 * @short_description: The obstacles and the free space around a camera
 *
 * A #GstRdpObstacles says where the ground of a depth frame is, and holds seven arrays: the objects
 * that stand on it; the ids of objects that were lost, and of those that are hidden; for each
 * bearing the range to the nearest obstacle and the free distance; for each cell of a grid on the
 * ground its state and the top of what is in it. Ranges are those of ROS's LaserScan. Cells lie as
 * in its OccupancyGrid.
 *
 * Since: 0.2
 */

/* Other languages read these structures as bytes. */
static_assert(sizeof(GstRdpObstacle) == 64);

using rdp::meta::copy_plain;
using Arrays = GstRdpObstaclesArrays;

G_DEFINE_BOXED_TYPE(GstRdpObstacle, gst_rdp_obstacle, copy_plain<GstRdpObstacle>, g_free)

namespace rdp::meta {
namespace {

constexpr std::array<gdouble, 9> kNoAxes = {1, 0, 0, 0, 1, 0, 0, 0, 1};
constexpr guint kOfSpeed = GST_RDP_OBSTACLE_OVER_GROUND | GST_RDP_OBSTACLE_MOTION;
constexpr guint kAllFlags = GST_RDP_OBSTACLE_CUT | GST_RDP_OBSTACLE_SPEED | kOfSpeed;

bool finite(gfloat number) { return std::isfinite(number); }
bool not_negative(gfloat number) { return finite(number) && number >= 0; }

std::string expected(const char* what, gdouble got) {
  g_autofree gchar* text = g_strdup_printf("expected %s, got %.9g", what, got);
  return text;
}

std::string object_error(const GstRdpObstaclesInfo& info, const GstRdpObstacle& object) {
  for (const gfloat number : {object.x, object.y, object.yaw}) {
    if (!finite(number)) return "x, y, yaw: " + expected("finite numbers", number);
  }
  for (const gfloat number : {object.length, object.width, object.height, object.distance}) {
    if (not_negative(number)) continue;
    return "length, width, height, distance: " + expected("finite numbers, 0 or more", number);
  }
  const bool speed = (object.flags & GST_RDP_OBSTACLE_SPEED) != 0;
  if ((object.flags & ~kAllFlags) != 0 || (!speed && (object.flags & kOfSpeed) != 0)) {
    return "flags: " + expected("a sum of 1, 2, 4, 8, with 2 where 4 or 8 are", object.flags);
  }
  for (const gfloat number : {object.vx, object.vy}) {
    if (speed ? finite(number) : std::isnan(number)) continue;
    return "vx, vy: " +
           expected(speed ? "finite numbers with the flag 2" : "NaN without the flag 2", number);
  }
  if (object.column + guint{object.columns} > info.width ||
      object.row + guint{object.rows} > info.height) {
    return "column, row, columns, rows: expected a box in the " + std::to_string(info.width) + "x" +
           std::to_string(info.height) + " frame, got " + std::to_string(object.column) + ", " +
           std::to_string(object.row) + ", " + std::to_string(object.columns) + ", " +
           std::to_string(object.rows);
  }
  return {};
}

std::string info_error(const GstRdpObstaclesInfo& info) {
  if (const char* error = fields_error(kObstaclesFields, info)) return error;
  const bool ground = member_number<&GstRdpObstaclesInfo::ground>(info) != GST_RDP_GROUND_NONE;
  for (std::size_t i = 0; i < kNoAxes.size(); ++i) {
    if (ground ? std::isfinite(info.axes[i]) : info.axes[i] == kNoAxes[i]) continue;
    return "number " + std::to_string(i) + " of axes: " +
           expected(ground ? "a finite one" : "the identity's, since there is no ground",
                    info.axes[i]);
  }
  return {};
}

/* The fault of a list's first bad element; empty: none. */
template <typename T, typename IsGood>
std::string list_error(const char* name, std::span<const T> list, const char* what,
                       IsGood is_good) {
  const auto bad = std::ranges::find_if_not(list, is_good);
  if (bad == list.end()) return {};
  return name + (" " + std::to_string(bad - list.begin())) + ": " +
         expected(what, static_cast<gdouble>(*bad));
}

std::string cells_error(const GstRdpObstaclesInfo& info, const Arrays& arrays) {
  const guint64 cells = guint64{info.grid_columns} * info.grid_rows;
  if (arrays.n_cells != cells) {
    return "expected a state and a top for each of " + std::to_string(cells) + " cells, got " +
           std::to_string(arrays.n_cells);
  }
  std::string error =
      list_error("state", std::span(arrays.states, arrays.n_cells), "a GstRdpCellState, 0 to 3",
                 [](guint8 state) { return state <= GST_RDP_CELL_DROP; });
  if (!error.empty()) return error;
  const guint8* state = arrays.states;
  return list_error(
      "top", std::span(arrays.tops, arrays.n_cells), "0 where a cell is not occupied",
      [&state](guint16 top) { return *state++ == GST_RDP_CELL_OCCUPIED || top == 0; });
}

}  // namespace

std::string obstacles_error(const GstRdpObstaclesInfo& info, const Arrays& arrays) {
  std::string error = info_error(info);
  if (!error.empty()) return error;
  if (std::max({arrays.n_objects, arrays.n_lost, arrays.n_hidden, arrays.n_bins}) > G_MAXUINT32) {
    return "too many objects, ids or bearings";
  }
  for (gsize i = 0; i < arrays.n_objects; ++i) {
    error = object_error(info, arrays.objects[i]);
    if (!error.empty()) return "object " + std::to_string(i) + ", " + error;
  }
  error =
      list_error("range", std::span(arrays.ranges, arrays.n_bins), "0 or more, infinity, or NaN",
                 [](gfloat range) { return std::isnan(range) || range >= 0; });
  if (!error.empty()) return error;
  error = list_error("free distance", std::span(arrays.free, arrays.n_bins),
                     "a finite number, 0 or more", not_negative);
  return error.empty() ? cells_error(info, arrays) : error;
}

}  // namespace rdp::meta

/**
 * gst_rdp_ground_source_get_name:
 * @source: a #GstRdpGroundSource
 *
 * The name of a source, for texts and logs.
 *
 * Returns: (nullable): the source in one word, as lines of JSON have it: "segments", "planes",
 *   "pose", "given" or "held"; %NULL for %GST_RDP_GROUND_NONE and any other number
 *
 * Since: 0.2
 */
const gchar* gst_rdp_ground_source_get_name(GstRdpGroundSource source) {
  static const gchar* const kNames[] = {nullptr, "segments", "planes", "pose", "given", "held"};
  const auto number = static_cast<guint32>(source);
  return number < std::size(kNames) ? kNames[number] : nullptr;
}

/**
 * gst_rdp_obstacles_info_init:
 * @info: the info to fill
 *
 * Fills @info for a frame of 0x0 pixels without ground, grid and bearings: set the size before you
 * use it.
 *
 * Since: 0.2
 */
void gst_rdp_obstacles_info_init(GstRdpObstaclesInfo* info) {
  g_return_if_fail(info != nullptr);

  std::memset(info, 0, sizeof *info);
  std::ranges::copy(rdp::meta::kNoAxes, info->axes);
}

/**
 * gst_rdp_obstacles_new:
 * @info: the frame that obstacles were found in
 * @objects: (array length=n_objects) (nullable): the objects
 * @n_objects: number of @objects
 * @lost: (array length=n_lost) (nullable): ids of objects whose tracks end with this frame
 * @n_lost: number of @lost
 * @hidden: (array length=n_hidden) (nullable): ids of objects that this frame does not show
 * @n_hidden: number of @hidden
 * @ranges: (array length=n_bins) (nullable): the range of each bearing
 * @free: (array length=n_bins) (nullable): the free distance of each
 * @n_bins: number of bearings
 * @states: (array length=n_cells) (nullable): the state of each cell
 * @tops: (array length=n_cells) (nullable): the top of each, in mm
 * @n_cells: number of cells: the info's grid_columns * grid_rows
 *
 * Makes obstacles from copies of the arrays, for obstacles from other sources.
 *
 * Returns: (transfer full) (nullable): new obstacles. %NULL after a critical warning if the
 *   arguments do not describe the obstacles of one frame, and %NULL if there is no memory
 *
 * Since: 0.2
 */
GstRdpObstacles* gst_rdp_obstacles_new(const GstRdpObstaclesInfo* info,
                                       const GstRdpObstacle* objects, gsize n_objects,
                                       const guint32* lost, gsize n_lost, const guint32* hidden,
                                       gsize n_hidden, const gfloat* ranges, const gfloat* free,
                                       gsize n_bins, const guint8* states, const guint16* tops,
                                       gsize n_cells) {
  g_return_val_if_fail(info != nullptr, nullptr);
  g_return_val_if_fail(objects != nullptr || n_objects == 0, nullptr);
  g_return_val_if_fail(lost != nullptr || n_lost == 0, nullptr);
  g_return_val_if_fail(hidden != nullptr || n_hidden == 0, nullptr);
  g_return_val_if_fail((ranges != nullptr && free != nullptr) || n_bins == 0, nullptr);
  g_return_val_if_fail((states != nullptr && tops != nullptr) || n_cells == 0, nullptr);

  const Arrays arrays = {objects, n_objects, lost,   n_lost, hidden, n_hidden,
                         ranges,  free,      n_bins, states, tops,   n_cells};
  std::string error;
  GstRdpObstacles* self = rdp::contain(
      [&] {
        error = rdp::meta::obstacles_error(*info, arrays);
        return error.empty()
                   ? rdp::meta::new_copy<rdp::meta::ObstaclesKind, rdp::meta::ObstaclesRows>(*info,
                                                                                             arrays)
                   : nullptr;
      },
      [&](const char* reason) -> GstRdpObstacles* {
        GST_ERROR("no obstacles of %" G_GSIZE_FORMAT " objects: %s", n_objects, reason);
        return nullptr;
      });
  if (!error.empty()) g_critical("%s: %s", G_STRFUNC, error.c_str());
  return self;
}
