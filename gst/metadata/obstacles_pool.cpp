// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/metadata/obstacles_pool.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "common/obstacles/geometry.h"

namespace rdp::gst {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
constexpr float kFree = std::numeric_limits<float>::infinity();

// Converts whole millimetres to metres.
float metres(std::int64_t mm) { return static_cast<float>(static_cast<double>(mm) / 1000.0); }

GstRdpObstacle to_object(const obstacles::Object& from, const obstacles::TrackOfBox& track,
                         bool over_ground) {
  const bool fast = track.fits >= obstacles::kFitsOfSpeed;
  GstRdpObstacle to;
  to.id = track.id;
  to.age = static_cast<guint32>(track.age);
  to.x = metres(from.x);
  to.y = metres(from.y);
  to.length = metres(from.length);
  to.width = metres(from.width);
  to.height = metres(from.height);
  to.yaw = static_cast<float>(from.yaw * kPi / 512.0);
  to.distance = metres(from.distance);
  to.vx = speed_of(track, &obstacles::TrackOfBox::vx);
  to.vy = speed_of(track, &obstacles::TrackOfBox::vy);
  to.samples = static_cast<guint32>(from.samples);
  to.cells = static_cast<guint32>(from.cells);
  to.flags = 0;
  if (from.cut != 0) to.flags |= GST_RDP_OBSTACLE_CUT;
  if (fast) to.flags |= GST_RDP_OBSTACLE_SPEED;
  if (fast && over_ground) to.flags |= GST_RDP_OBSTACLE_OVER_GROUND;
  to.column = static_cast<guint16>(from.column);
  to.row = static_cast<guint16>(from.row);
  to.columns = static_cast<guint16>(from.columns);
  to.rows = static_cast<guint16>(from.rows);
  return to;
}

}  // namespace

GstRdpObstaclesInfo obstacles_info(const obstacles::Obstacles& found,
                                   const obstacles::Parameters& parameters,
                                   GstRdpGroundSource source) {
  GstRdpObstaclesInfo info;
  gst_rdp_obstacles_info_init(&info);
  if (found.has_ground) {
    const double* n = found.ground.normal;
    info.ground = source;
    info.refined = found.refined ? TRUE : FALSE;
    info.camera_height = found.ground.distance;
    info.pitch = std::atan2(n[2], std::sqrt(n[0] * n[0] + n[1] * n[1]));
    info.roll = std::atan2(n[0], n[1]);
    for (int i = 0; i < 9; ++i) info.axes[i] = found.axes.r[i / 3][i % 3];
  }
  info.grid_columns = static_cast<guint>(found.grid.columns);
  info.grid_rows = static_cast<guint>(found.grid.rows);
  info.grid_x = found.grid.x / 1000.0;
  info.grid_y = found.grid.y / 1000.0;
  info.cell_size = found.grid.cell / 1000.0;
  const double fov = parameters.scan_fov * kPi / 180.0;
  const int bins = parameters.scan_bins;
  info.angle_min = fov * (1 - bins) / (2 * bins);
  info.angle_increment = fov / bins;
  info.range_max = obstacles::millimetres(parameters.range) / 1000.0;
  return info;
}

void ObstaclesContent::set(const obstacles::Parameters& parameters, const obstacles::Tracks& tracks,
                           bool over_ground) {
  clear();
  for (std::size_t i = 0; i < found_.objects.size(); ++i) {
    objects_.push_back(to_object(found_.objects[i], tracks.boxes()[i], over_ground));
  }
  lost_.assign(tracks.lost().begin(), tracks.lost().end());
  hidden_.assign(tracks.hidden().begin(), tracks.hidden().end());
  const std::int64_t range = obstacles::millimetres(parameters.range);
  const std::int64_t gap = obstacles::millimetres(parameters.free_gap);
  for (std::size_t i = 0; i < found_.ranges.size(); ++i) {
    const bool open = std::int64_t{found_.free[i]} + gap >= range && found_.has_ground;
    ranges_.push_back(found_.ranges[i] > 0 ? metres(found_.ranges[i]) : open ? kFree : kUnknown);
    free_.push_back(metres(found_.free[i]));
  }
  n_cells_ = found_.states.size();
}

void ObstaclesContent::clear() {
  objects_.clear();
  lost_.clear();
  hidden_.clear();
  ranges_.clear();
  free_.clear();
  n_cells_ = 0;
}

GstRdpObstaclesArrays ObstaclesContent::arrays() const {
  return {objects_.data(), objects_.size(),      lost_.data(),       lost_.size(),
          hidden_.data(),  hidden_.size(),       ranges_.data(),     free_.data(),
          ranges_.size(),  found_.states.data(), found_.tops.data(), n_cells_};
}

}  // namespace rdp::gst
