// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/obstacle_scenes.h"

#include <cstddef>

#include "common/scene/pattern_geometry.h"
#include "common/scene/room_scene.h"

namespace rdp::bench {
namespace {

MetricCamera camera_of(const TestCamera& from, bool disparity) {
  MetricCamera camera;
  camera.focal_x = camera.focal_y = from.focal;
  camera.principal_x = from.centre_column;
  camera.principal_y = from.centre_row;
  camera.depth.factor = 0.001;
  if (disparity) camera.depth = {true, from.focal * from.baseline, 1.0 / 256, 0.0};
  return camera;
}

// `seed` determines the room's contents; its remainder modulo 3 is the kind.
ObstacleScene room(const char* name, std::uint32_t seed) {
  ObstacleScene scene{name, TestPattern::kRoom, 640, 480, 0.045, seed, {}, {}, {}};
  scene.camera = camera_of(RoomScene::camera(640, 480), false);
  const RoomPose pose = RoomScene(seed).pose(0);
  scene.ground = {{-pose.right.y, -pose.down.y, -pose.ahead.y}, pose.eye.y};
  return scene;
}

ObstacleScene street(int width, int height) {
  ObstacleScene scene{"street", TestPattern::kStreet, width, height, 0.25, 0, {}, {}, {}};
  scene.camera = camera_of(TestCamera::of_size(width, height), true);
  scene.ground = {{0, 1, 0}, TestCamera::kHeight};
  scene.parameters.min_height = 0.3;
  scene.parameters.max_height = 2.5;
  scene.parameters.range = 50;
  scene.parameters.cell_size = 0.2;
  return scene;
}

// Small cells, as for parcels.
ObstacleScene table() {
  ObstacleScene scene = room("table, cells of 10 mm", 2);
  obstacles::Parameters& p = scene.parameters;
  p.min_height = 0.015;
  p.max_height = 1.5;
  p.ground_tolerance = 0;
  p.range = 3;
  p.cell_size = 0.01;
  p.split_height = 0.02;
  p.object_samples = 50;
  return scene;
}

}  // namespace

std::vector<ObstacleScene> obstacle_scenes() {
  return {room("room", 0), room("room, stairs", 1), table(), street(640, 480), street(1242, 376)};
}

MutableDepthView view_of(const ObstacleScene& scene, std::vector<std::uint16_t>* frame) {
  return {reinterpret_cast<std::byte*>(frame->data()), 2 * scene.width, scene.width, scene.height,
          SampleType::kU16};
}

SceneFrames draw_frames(const ObstacleScene& scene, std::uint64_t count) {
  TestPatternOptions options;
  options.pattern = scene.pattern;
  options.domain = scene.camera.depth.reciprocal ? TestDomain::kDisparity : TestDomain::kDepth;
  options.noise = scene.noise;
  options.seed = scene.seed;
  TestPatternRenderer renderer;
  SceneFrames frames(count, std::vector<std::uint16_t>(static_cast<std::size_t>(scene.width) *
                                                       static_cast<std::size_t>(scene.height)));
  for (std::uint64_t i = 0; i < count; ++i) renderer.draw(i, options, view_of(scene, &frames[i]));
  return frames;
}

}  // namespace rdp::bench
