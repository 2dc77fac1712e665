// SPDX-License-Identifier: LGPL-2.1-or-later
// Times of finding obstacles on one thread of the CPU: the scalar reference and the engine in
// turns, in frames of depthtestsrc's room and street.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/image/simd.h"
#include "common/obstacles/engine.h"
#include "common/obstacles/ground.h"
#include "common/obstacles/reference.h"
#include "common/scene/pattern_geometry.h"
#include "common/scene/room_scene.h"
#include "common/scene/test_pattern.h"
#include "tests/bench/race.h"

namespace {

using rdp::obstacles::Ground;
using rdp::obstacles::Parameters;

constexpr std::uint64_t kFrames = 4;

struct Scene {
  const char* name;
  rdp::TestPattern pattern;
  int width;
  int height;
  double noise;  // px
  std::uint32_t seed;
  rdp::MetricCamera camera;
  Ground ground;
  Parameters parameters;
};

rdp::MetricCamera camera_of(const rdp::TestCamera& from, bool disparity) {
  rdp::MetricCamera camera;
  camera.focal_x = camera.focal_y = from.focal;
  camera.principal_x = from.centre_column;
  camera.principal_y = from.centre_row;
  camera.depth.factor = 0.001;
  if (disparity) camera.depth = {true, from.focal * from.baseline, 1.0 / 256, 0.0};
  return camera;
}

// `seed` decides what stands in the room; its remainder by 3 is the kind.
Scene room(const char* name, std::uint32_t seed) {
  Scene scene{name, rdp::TestPattern::kRoom, 640, 480, 0.045, seed, {}, {}, {}};
  scene.camera = camera_of(rdp::RoomScene::camera(640, 480), false);
  const rdp::RoomPose pose = rdp::RoomScene(seed).pose(0);
  scene.ground = {{-pose.right.y, -pose.down.y, -pose.ahead.y}, pose.eye.y};
  return scene;
}

Scene street(int width, int height) {
  Scene scene{"street", rdp::TestPattern::kStreet, width, height, 0.25, 0, {}, {}, {}};
  scene.camera = camera_of(rdp::TestCamera::of_size(width, height), true);
  scene.ground = {{0, 1, 0}, rdp::TestCamera::kHeight};
  scene.parameters.min_height = 0.3;
  scene.parameters.max_height = 2.5;
  scene.parameters.range = 50;
  scene.parameters.cell_size = 0.2;
  return scene;
}

// Small cells, as for parcels.
Scene table() {
  Scene scene = room("table, cells of 10 mm", 2);
  Parameters& p = scene.parameters;
  p.min_height = 0.015;
  p.max_height = 1.5;
  p.ground_tolerance = 0;
  p.range = 3;
  p.cell_size = 0.01;
  p.split_height = 0.02;
  p.object_samples = 50;
  return scene;
}

void measure(const Scene& scene, int rounds) {
  const std::size_t pixels =
      static_cast<std::size_t>(scene.width) * static_cast<std::size_t>(scene.height);
  std::vector<std::vector<std::uint16_t>> frames(kFrames, std::vector<std::uint16_t>(pixels));
  const auto view = [&](std::uint64_t i) {
    return rdp::MutableDepthView{reinterpret_cast<std::byte*>(frames[i % kFrames].data()),
                                 2 * scene.width, scene.width, scene.height, rdp::SampleType::kU16};
  };
  rdp::TestPatternOptions options;
  options.pattern = scene.pattern;
  options.domain =
      scene.camera.depth.reciprocal ? rdp::TestDomain::kDisparity : rdp::TestDomain::kDepth;
  options.noise = scene.noise;
  options.seed = scene.seed;
  rdp::TestPatternRenderer renderer;
  for (std::uint64_t i = 0; i < kFrames; ++i) renderer.draw(i, options, view(i));

  rdp::obstacles::Engine engine;
  rdp::obstacles::Obstacles found;
  std::uint64_t reference_frame = 0;
  std::uint64_t engine_frame = 0;
  std::vector<rdp::bench::Rival> rivals;
  rivals.push_back({"reference", [&] {
                      rdp::obstacles::reference::find(view(reference_frame++), scene.camera,
                                                      &scene.ground, scene.parameters);
                    }});
  rivals.push_back({"engine", [&] {
                      engine.find(view(engine_frame++), scene.camera, &scene.ground,
                                  scene.parameters, &found);
                    }});
  rdp::bench::race(rounds, &rivals);
  const double reference = rivals[0].turns.median();
  const double fast = rivals[1].turns.median();
  std::printf("| %s, %dx%d | %.2f | %.2f | %.1f | %zu |\n", scene.name, scene.width, scene.height,
              reference, fast, reference / fast, found.objects.size());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = rdp::bench::read_rounds(
      argc, argv, "Times of finding obstacles on one thread of the CPU.", 21);
  std::printf(
      "SIMD %s, medians of %d rounds\n\n"
      "| frames | reference, ms | engine, ms | times as fast | objects |\n|---|---|---|---|---|\n",
      rdp::current_simd_target(), rounds);
  for (const Scene& scene :
       {room("room", 0), room("room, stairs", 1), table(), street(640, 480), street(1242, 376)}) {
    measure(scene, rounds);
  }
  return 0;
}
