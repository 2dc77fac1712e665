// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_OBSTACLE_SCENES_H_
#define RDP_TESTS_BENCH_OBSTACLE_SCENES_H_

#include <cstdint>
#include <vector>

#include "common/image/camera.h"
#include "common/image/depth_view.h"
#include "common/obstacles/parameters.h"
#include "common/scene/test_pattern.h"

// Scenes of depthtestsrc for the benchmarks of obstacle detection, with their grounds.
namespace rdp::bench {

struct ObstacleScene {
  const char* name;
  TestPattern pattern;
  int width;
  int height;
  double noise;  // px
  std::uint32_t seed;
  MetricCamera camera;
  obstacles::Ground ground;
  obstacles::Parameters parameters;
};

// A room, one with stairs, a table with small cells, and streets.
std::vector<ObstacleScene> obstacle_scenes();

// The first frames of a scene, 16-bit samples without padding.
using SceneFrames = std::vector<std::vector<std::uint16_t>>;
SceneFrames draw_frames(const ObstacleScene& scene, std::uint64_t count);
MutableDepthView view_of(const ObstacleScene& scene, std::vector<std::uint16_t>* frame);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_OBSTACLE_SCENES_H_
