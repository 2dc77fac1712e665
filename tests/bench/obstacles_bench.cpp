// SPDX-License-Identifier: LGPL-2.1-or-later
// Times of finding obstacles on one thread of the CPU: the scalar reference and the engine in
// turns, in frames of depthtestsrc's room and street.
#include <cstdint>
#include <cstdio>
#include <string>

#include "common/image/simd.h"
#include "common/obstacles/engine.h"
#include "common/obstacles/reference.h"
#include "tests/bench/obstacle_scenes.h"
#include "tests/bench/race.h"

namespace {

using rdp::bench::ObstacleScene;

constexpr std::uint64_t kFrames = 4;

void measure(const ObstacleScene& scene, int rounds) {
  rdp::bench::SceneFrames frames = rdp::bench::draw_frames(scene, kFrames);
  const auto view = [&](std::uint64_t i) {
    return rdp::bench::view_of(scene, &frames[i % kFrames]);
  };
  rdp::obstacles::Engine engine;
  rdp::obstacles::Obstacles found;
  std::uint64_t reference_frame = 0;
  std::uint64_t engine_frame = 0;
  const std::string cells = rdp::bench::beside_reference(
      rounds,
      [&] {
        rdp::obstacles::reference::find(view(reference_frame++), scene.camera, &scene.ground,
                                        scene.parameters);
      },
      [&] {
        engine.find(view(engine_frame++), scene.camera, &scene.ground, scene.parameters, &found);
      });
  std::printf("| %s, %dx%d | %s | %zu |\n", scene.name, scene.width, scene.height, cells.c_str(),
              found.objects.size());
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
  for (const ObstacleScene& scene : rdp::bench::obstacle_scenes()) measure(scene, rounds);
  return 0;
}
