// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_SCENE_CAMERA_H_
#define RDP_TESTS_BENCH_SCENE_CAMERA_H_

#include "common/image/camera.h"
#include "common/obstacles/ground_rules.h"
#include "common/obstacles/parameters.h"
#include "common/scene/true_scan.h"
#include "common/scene/viewpoint.h"

// Cameras and grounds of test scenes, as parameters of obstacle detection.
namespace rdp::bench {

// For disparity in 1/256 px, or depth in mm.
inline MetricCamera camera_of(const TestCamera& from, bool disparity) {
  MetricCamera camera;
  camera.focal_x = camera.focal_y = from.focal;
  camera.principal_x = from.centre_column;
  camera.principal_y = from.centre_row;
  camera.depth.factor = 0.001;
  if (disparity) camera.depth = {true, from.focal * from.baseline, 1.0 / 256, 0.0};
  return camera;
}

inline obstacles::Ground ground_of(const SceneGround& ground) {
  return {{ground.down.x, ground.down.y, ground.down.z}, ground.height};
}

// The settings for streets.
inline obstacles::Parameters street_parameters() {
  obstacles::Parameters p;
  p.min_height = 0.3;
  p.max_height = 2.5;
  p.range = 50;
  p.cell_size = 0.2;
  return p;
}

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_SCENE_CAMERA_H_
