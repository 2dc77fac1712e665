// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_DEPTHOBSTACLES_OBSTACLES_EXPECTED_H_
#define RDP_TESTS_DEPTHOBSTACLES_OBSTACLES_EXPECTED_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "common/obstacles/geometry.h"
#include "common/obstacles/ground.h"
#include "common/obstacles/reference.h"
#include "tests/support/gst_frames.h"

// Frames for depthobstacles and the expected results. Needs no test framework.
namespace obstacles_rig {

using frames::Content;
using frames::Shape;
using rdp::MetricCamera;
using rdp::obstacles::Ground;
using rdp::obstacles::Obstacles;
using rdp::obstacles::Parameters;

// A board standing on the ground, across the view; in metres.
struct Board {
  double x;            // forward
  double left, right;  // left is above 0
  double height;
};

// A camera of this focal length (px) whose samples are millimetres.
inline MetricCamera camera_of(const Shape& shape, double focal) {
  MetricCamera camera;
  camera.focal_x = camera.focal_y = focal;
  camera.principal_x = (shape.width - 1) / 2.0;
  camera.principal_y = (shape.height - 1) / 2.0;
  camera.depth.factor = 0.001;
  return camera;
}

inline Ground ground_at(double height, double pitch = 0.0, double roll = 0.0) {
  return rdp::obstacles::ground_of_mount(height, pitch, roll).value_or(Ground());
}

inline Content draw(const Shape& shape, const MetricCamera& camera, const Ground& ground,
                    std::span<const Board> boards) {
  Content content(shape);
  const rdp::obstacles::Axes axes = rdp::obstacles::axes_of(ground);
  const double most = frames::sample_type(shape) == rdp::SampleType::kU8 ? 255.0 : 65535.0;
  for (int row = 0; row < shape.height; ++row) {
    for (int column = 0; column < shape.width; ++column) {
      const double ray[3] = {(column - camera.principal_x) / camera.focal_x,
                             (row - camera.principal_y) / camera.focal_y, 1.0};
      double r[3];
      for (int i = 0; i < 3; ++i) r[i] = rdp::obstacles::product_of(axes.r[i], ray);
      double z = r[2] < 0.0 ? -ground.distance / r[2] : HUGE_VAL;
      for (const Board& board : boards) {
        const double t = board.x / r[0];
        const double height = ground.distance + t * r[2];
        const double y = t * r[1];
        const bool hit = t > 0.0 && t < z && height >= 0.0 && height <= board.height &&
                         y <= board.left && y >= board.right;
        if (hit) z = t;
      }
      const double sample = std::round(z / camera.depth.factor);
      content.view().set(row, column, static_cast<std::uint16_t>(sample <= most ? sample : 0.0));
    }
  }
  return content;
}

inline Obstacles expect(const rdp::DepthView& frame, const MetricCamera& camera,
                        const Ground* start, const Parameters& parameters) {
  return rdp::obstacles::reference::find(frame, camera, start, parameters);
}

inline float metres(std::int64_t mm) {
  return static_cast<float>(static_cast<double>(mm) / 1000.0);
}

inline std::string difference(const GstRdpObstacle& a, const rdp::obstacles::Object& b) {
  const bool same = a.x == metres(b.x) && a.y == metres(b.y) && a.length == metres(b.length) &&
                    a.width == metres(b.width) && a.height == metres(b.height) &&
                    a.distance == metres(b.distance) &&
                    a.yaw == static_cast<float>(b.yaw * std::numbers::pi / 512.0) &&
                    a.samples == static_cast<guint32>(b.samples) &&
                    a.cells == static_cast<guint32>(b.cells) && a.column == b.column &&
                    a.row == b.row && a.columns == b.columns && a.rows == b.rows &&
                    (a.flags & GST_RDP_OBSTACLE_CUT) == static_cast<guint32>(b.cut);
  return same ? ""
              : "at " + std::to_string(a.x) + ", " + std::to_string(a.y) + ", not " +
                    std::to_string(b.x) + ", " + std::to_string(b.y) + " mm, or another size";
}

// The first difference from the expected obstacles, tracks excluded; empty if equal.
inline std::string difference(GstRdpObstacles* got, const Obstacles& expected,
                              const Parameters& parameters, GstRdpGroundSource source) {
  if (got == nullptr) return "there are no obstacles";
  const GstRdpObstaclesInfo& info = *gst_rdp_obstacles_get_info(got);
  if (info.ground != source) return "the ground's source is " + std::to_string(info.ground);
  const double height = expected.has_ground ? expected.ground.distance : 0.0;
  if (info.camera_height != height || (info.refined != FALSE) != expected.refined) {
    return "the ground is " + std::to_string(info.camera_height) + " m below, not " +
           std::to_string(height);
  }
  for (int i = 0; i < 9; ++i) {
    if (info.axes[i] != expected.axes.r[i / 3][i % 3]) return "the axes";
  }
  gsize count = 0;
  const GstRdpObstacle* objects = gst_rdp_obstacles_peek_objects(got, &count);
  if (count != expected.objects.size()) {
    return std::to_string(count) + " objects, not " + std::to_string(expected.objects.size());
  }
  for (gsize i = 0; i < count; ++i) {
    const std::string wrong = difference(objects[i], expected.objects[i]);
    if (!wrong.empty()) return "object " + std::to_string(i) + ": " + wrong;
  }
  gsize n_bins = 0;
  gsize n_cells = 0;
  const gfloat* ranges = gst_rdp_obstacles_peek_ranges(got, &n_bins);
  const gfloat* free = gst_rdp_obstacles_peek_free(got, &n_bins);
  if (n_bins != expected.ranges.size()) return "the number of bearings";
  const std::int64_t enough = rdp::obstacles::millimetres(parameters.range) -
                              rdp::obstacles::millimetres(parameters.free_gap);
  for (gsize i = 0; i < n_bins; ++i) {
    const bool known = expected.ranges[i] > 0;
    const bool open = expected.has_ground && expected.free[i] >= enough;
    const bool same = known  ? ranges[i] == metres(expected.ranges[i])
                      : open ? std::isinf(ranges[i])
                             : std::isnan(ranges[i]);
    if (!same || free[i] != metres(expected.free[i])) return "bearing " + std::to_string(i);
  }
  const guint8* states = gst_rdp_obstacles_peek_states(got, &n_cells);
  const guint16* tops = gst_rdp_obstacles_peek_tops(got, &n_cells);
  if (n_cells != expected.states.size()) return "the number of cells";
  if (std::memcmp(states, expected.states.data(), n_cells) != 0) return "states";
  return std::memcmp(tops, expected.tops.data(), n_cells * sizeof *tops) != 0 ? "tops" : "";
}

inline GstRdpObstacles* obstacles_of(GstBuffer* buffer, guint input = 0) {
  const GstRdpObstaclesMeta* meta = gst_buffer_get_rdp_obstacles_meta_of_batch(buffer, input);
  return meta == nullptr ? nullptr : meta->obstacles;
}

}  // namespace obstacles_rig

#endif  // RDP_TESTS_DEPTHOBSTACLES_OBSTACLES_EXPECTED_H_
