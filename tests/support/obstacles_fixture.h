// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_OBSTACLES_FIXTURE_H_
#define RDP_TESTS_SUPPORT_OBSTACLES_FIXTURE_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <cmath>
#include <vector>

// Obstacles made by hand, for tests that need some without running depthobstacles.

struct ObstaclesContent {
  GstRdpObstaclesInfo info;
  std::vector<GstRdpObstacle> objects;
  std::vector<guint32> lost, hidden;
  std::vector<gfloat> ranges, free;
  std::vector<guint8> states;
  std::vector<guint16> tops;
};

// (transfer full), or null with a critical warning.
inline GstRdpObstacles* new_obstacles(const ObstaclesContent& c) {
  return gst_rdp_obstacles_new(&c.info, c.objects.data(), c.objects.size(), c.lost.data(),
                               c.lost.size(), c.hidden.data(), c.hidden.size(), c.ranges.data(),
                               c.free.data(), c.ranges.size(), c.states.data(), c.tops.data(),
                               c.states.size());
}

// Nothing is known: no ground, no grid, no bearings.
inline ObstaclesContent no_obstacles() {
  ObstaclesContent c;
  gst_rdp_obstacles_info_init(&c.info);
  c.info.width = c.info.height = 1;
  return c;
}

// The obstacles of a tilted camera: one object with a speed, one without, and all states of
// bearings and cells.
inline ObstaclesContent two_obstacles() {
  ObstaclesContent c;
  gst_rdp_obstacles_info_init(&c.info);
  c.info.frame = 7;
  c.info.width = 3;
  c.info.height = 10;
  c.info.ground = GST_RDP_GROUND_PLANES;
  c.info.refined = TRUE;
  c.info.camera_height = 1.5;
  c.info.pitch = 0.25;
  c.info.roll = -0.125;
  for (int i = 0; i < 9; ++i) c.info.axes[i] = 0.0625 * i;
  c.info.grid_columns = 3;
  c.info.grid_rows = 1;
  c.info.grid_y = -0.5;
  c.info.cell_size = 0.05;
  c.info.angle_min = -0.5;
  c.info.angle_increment = 0.5;
  c.info.range_max = 10;
  GstRdpObstacle one = {};
  one.id = 4;
  one.age = 9;
  one.x = 1.25F;
  one.y = -0.5F;
  one.length = 0.75F;
  one.width = 0.5F;
  one.height = 0.375F;
  one.yaw = -1.5F;
  one.distance = 1.125F;
  one.vx = 0.25F;
  one.vy = -0.125F;
  one.samples = 40;
  one.cells = 3;
  one.flags = GST_RDP_OBSTACLE_CUT | GST_RDP_OBSTACLE_SPEED | GST_RDP_OBSTACLE_OVER_GROUND;
  one.column = 1;
  one.row = 2;
  one.columns = 2;
  one.rows = 8;
  GstRdpObstacle other = one;
  other.id = 5;
  other.age = other.flags = 0;
  other.vx = other.vy = std::nanf("");
  c.objects = {one, other};
  c.lost = {1, 3};
  c.hidden = {2};
  c.ranges = {1.125F, INFINITY, std::nanf("")};
  c.free = {1.0F, 10.0F, 0.5F};
  c.states = {GST_RDP_CELL_OCCUPIED, GST_RDP_CELL_FREE, GST_RDP_CELL_DROP};
  c.tops = {375, 0, 0};
  return c;
}

#endif  // RDP_TESTS_SUPPORT_OBSTACLES_FIXTURE_H_
