// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_PLANES_FIXTURE_H_
#define RDP_TESTS_SUPPORT_PLANES_FIXTURE_H_

#include <gst/rdpsegment/rdpsegment.h>

#include <cstddef>
#include <vector>

// Planes made by hand, for tests that need some without running depthplanes.

struct PlanesContent {
  GstRdpPlanesInfo info;
  std::vector<GstRdpPlane> planes;
  std::vector<GstRdpPlaneCorner> corners;
  std::vector<guint8> labels;
};

// (transfer full), or null with a critical warning.
inline GstRdpPlanes* new_planes(const PlanesContent& content) {
  return gst_rdp_planes_new(&content.info, content.planes.data(), content.planes.size(),
                            content.corners.data(), content.corners.size(), content.labels.data(),
                            content.labels.size());
}

// An 8x6 frame: a wall 2 m away in the upper four rows, a floor without a hull in the lowest row.
inline PlanesContent wall_and_floor() {
  PlanesContent content;
  gst_rdp_planes_info_init(&content.info);
  content.info.frame = 7;
  content.info.width = 8;
  content.info.height = 6;
  content.info.n_points = 48;
  content.info.calibrated = TRUE;
  content.info.focal_length = content.info.focal_length_y = 4;
  content.info.principal_x = 3.5;
  content.info.principal_y = 2.5;
  content.info.noise = 0.001;
  content.info.tolerance = 0.005;
  content.info.min_inliers = 8;
  content.info.ground = 1;
  content.info.camera_height = 1.25;
  content.info.pitch = 0.5;
  content.info.roll = -0.25;
  GstRdpPlane wall = {};
  wall.normal_z = 1;
  wall.distance = 2;
  wall.centroid_y = -0.5F;
  wall.centroid_z = 2;
  wall.rms = 0.0004F;
  wall.area = 5.25F;
  wall.inliers = 32;
  wall.votes = 40;
  wall.box_width = 8;
  wall.box_height = 4;
  wall.n_corners = 4;
  GstRdpPlane floor = {};
  floor.normal_y = 1;
  floor.distance = 1.25F;
  floor.centroid_y = 1.25F;
  floor.centroid_z = 2;
  floor.inliers = 8;
  floor.box_y = 5;
  floor.box_width = 8;
  floor.box_height = 1;
  floor.first_corner = 4;
  content.planes = {wall, floor};
  content.corners = {{0, 0, -1.75F, -1.25F, 2},
                     {7, 0, 1.75F, -1.25F, 2},
                     {7, 3, 1.75F, 0.25F, 2},
                     {0, 3, -1.75F, 0.25F, 2}};
  content.labels.assign(48, 0);
  for (std::size_t i = 0; i < 32; ++i) content.labels[i] = 1;
  for (std::size_t i = 40; i < 48; ++i) content.labels[i] = 2;
  return content;
}

// A cloud of five points without rows, with one triangle.
inline PlanesContent triangle_in_cloud() {
  PlanesContent content;
  gst_rdp_planes_info_init(&content.info);
  content.info.n_points = 5;
  content.info.cloud = content.info.calibrated = TRUE;
  content.info.tolerance = 0.02;
  content.info.min_inliers = 3;
  GstRdpPlane plane = {};
  plane.normal_x = -1;
  plane.distance = 0.5F;
  plane.centroid_x = -0.5F;
  plane.area = 0.125F;
  plane.inliers = 4;
  plane.n_corners = 3;
  content.planes = {plane};
  content.corners = {{-1, -1, -0.5F, 0, 0}, {-1, -1, -0.5F, 0.5F, 0}, {-1, -1, -0.5F, 0, 0.5F}};
  content.labels = {1, 1, 0, 1, 1};
  return content;
}

#endif  // RDP_TESTS_SUPPORT_PLANES_FIXTURE_H_
