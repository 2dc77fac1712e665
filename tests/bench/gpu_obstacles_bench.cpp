// SPDX-License-Identifier: LGPL-2.1-or-later
// Times of the obstacles of a depth frame on a GPU, from the frame in device memory to the
// lists that the host makes objects of, by CUDA events. First the result is compared with the
// reference. --help has the options.
//
//   find    a replay of a CUDA graph of one frame: what a stream of frames takes for each
//   single  one frame, started without a graph
//   finish  what follows on the host, with the samples of objects, which the device counts
//   rdp_... each launch: alone, between two events within such a graph, which is more than it adds;
//           from the first launch to the end of this one, and what it adds, by graph and as the
//           element starts them
//
// Times are the median and the least of --replays.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/obstacles/reference.h"
#include "common/obstacles/rules.h"
#include "kernels/obstacles/engine.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/launch_timer.h"
#include "tests/bench/obstacle_scenes.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

using cuda::check;
using cuda::driver;

// Ends the program where the GPU's result differs from the reference's.
void compare(const ObstacleScene& scene, std::vector<std::uint16_t>* frame,
             const cuda::DeviceDepthView& classes, obstacles::Obstacles found) {
  const obstacles::Obstacles expected = obstacles::reference::find(
      view_of(scene, frame), scene.camera, &scene.ground, scene.parameters);
  found.classes.resize(expected.classes.size());
  check(driver().cuMemcpyDtoHAsync_v2(found.classes.data(), classes.data, found.classes.size(),
                                      nullptr),
        "copying classes");
  check(driver().cuStreamSynchronize(nullptr), "copying classes");
  if (found.classes != expected.classes || found.states != expected.states ||
      found.tops != expected.tops || found.ranges != expected.ranges ||
      found.free != expected.free || found.objects != expected.objects) {
    std::fprintf(stderr, "%s: the GPU's obstacles are not those of the reference\n", scene.name);
    std::exit(1);
  }
}

void measure(const ObstacleScene& scene, int replays) {
  SceneFrames frames = draw_frames(scene, 1);
  const auto pixels = frames[0].size();
  cuda::DeviceBuffer frame_memory, class_memory;
  check(driver().cuMemcpyHtoDAsync_v2(frame_memory.ensure(2 * pixels), frames[0].data(), 2 * pixels,
                                      nullptr),
        "copying a frame");
  check(driver().cuStreamSynchronize(nullptr), "copying a frame");
  const cuda::DeviceDepthView frame{frame_memory.get(), 2 * std::int64_t{scene.width}, scene.width,
                                    scene.height, SampleType::kU16};
  const cuda::DeviceDepthView classes{class_memory.ensure(pixels), scene.width, scene.width,
                                      scene.height, SampleType::kU8};
  cuda::ObstacleEngine engine;
  const LaunchTimer timer;
  engine.prepare(scene.width, scene.height, SampleType::kU16, scene.camera, scene.parameters);
  const auto find = [&] {
    engine.start(frame, scene.camera, &scene.ground, scene.parameters, classes, timer.stream());
  };
  Launches& launches = Launches::get();
  launches.begin();
  find();
  const std::vector<std::string> names = launches.names();
  obstacles::Obstacles found;
  const auto finish = [&] { engine.finish(timer.stream(), &found); };
  finish();
  compare(scene, &frames[0], classes, found);
  std::printf("%s, %dx%d: %zu objects, %td occupied cells, the bits of the reference\n", scene.name,
              scene.width, scene.height, found.objects.size(),
              std::count(found.states.begin(), found.states.end(), obstacles::kOccupied));
  print_work(timer, find, "finish", finish, names, replays);
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) {
  int replays = 101, device = 0;
  bool quick = false;
  rdp::test::CommandLine line("How long the obstacles of a depth frame take on a GPU.");
  line.number("replays", &replays, {1, 100000}, "each time is their median (101)");
  line.number("device", &device, {}, "which GPU (0)");
  line.flag("quick", &quick, "5 replays");
  line.read(argc, argv);
  return rdp::bench::run_on_device(device, [&] {
    for (const rdp::bench::ObstacleScene& scene : rdp::bench::obstacle_scenes()) {
      rdp::bench::measure(scene, quick ? 5 : replays);
    }
  });
}
