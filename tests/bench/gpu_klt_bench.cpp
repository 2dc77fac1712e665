// SPDX-License-Identifier: LGPL-2.1-or-later
// How long tracking the features of a frame takes on a GPU, from the frame in device memory to the
// list of tracks there, by CUDA events: the median and the least of --replays of a CUDA graph of
// one frame. The frame before has its pyramid already, the new one's is made within the time, as in
// a stream. First the result is compared with that of the engine of the CPU. --help has the
// options.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/klt/engine.h"
#include "kernels/klt/engine.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/klt_pictures.h"
#include "tests/bench/launch_timer.h"
#include "tests/klt/klt_frames.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

using cuda::check;
using cuda::driver;

struct Options {
  int window = 16;
  int levels = 3;
  int pyramid_step = 2;
  int replays = 101;
  int device = 0;
  int columns = 66;
  int rows = 50;
  bool kernels = false;
  bool quick = false;
};

Options read_options(int argc, char** argv) {
  Options o;
  test::CommandLine line("How long tracking features takes on a GPU.",
                         "Made pairs, and motion/tum of the folder of RDPSEGMENT_TEST_DATA where "
                         "it is there.");
  line.number("window", &o.window, {klt::kMinWindow, klt::kMaxWindow}, "default 16");
  line.number("levels", &o.levels, {1, 6}, "default 3");
  line.number("pyramid-step", &o.pyramid_step, {2, 4}, "2 or 4 (2)");
  line.number("columns", &o.columns, {1, 640}, "of features (66)");
  line.number("rows", &o.rows, {1, 480}, "of features (50)");
  line.number("replays", &o.replays, {1, 100000}, "each time is their median (101)");
  line.flag("kernels", &o.kernels, "the time of each kernel, too");
  line.number("device", &o.device, {}, "which GPU (0)");
  line.flag("quick", &o.quick, "small frames, 5 replays");
  line.read(argc, argv);
  if (o.pyramid_step == 3) test::wrong_usage("--pyramid-step is 2 or 4");
  if (o.quick) {
    o.replays = 5;
    o.columns = 12;
    o.rows = 9;
  }
  return o;
}

// A picture in device memory.
class DevicePicture {
 public:
  explicit DevicePicture(const GrayPicture& picture)
      : width_(picture.width), height_(picture.height) {
    check(driver().cuMemcpyHtoDAsync_v2(memory_.ensure(picture.pixels.size()),
                                        picture.pixels.data(), picture.pixels.size(), nullptr),
          "copying a picture");
    check(driver().cuStreamSynchronize(nullptr), "copying a picture");
  }
  cuda::DeviceDepthView view() const {
    return {memory_.get(), width_, width_, height_, SampleType::kU8};
  }

 private:
  int width_;
  int height_;
  cuda::DeviceBuffer memory_;
};

struct Scenario {
  const char* name;
  bool check;
  int cell;  // of what is detected; 0: nothing
  klt::Warp warp = klt::Warp::kTranslation;
};

// Ends the program where the GPU's result differs from the CPU's.
void compare(const KltPair& pair, const std::vector<klt::Point>& points,
             const klt::Parameters& first, const klt::Parameters& second,
             const cuda::DeviceTrackList& list, CUstream stream) {
  klt::Engine engine;
  klt::State state;
  engine.track({pair.first.view(), {}, points}, first, &state);
  state.commit();
  if (second.warp == klt::Warp::kAffine) {
    engine.track({pair.first.view(), {}, {}}, second, &state);
    state.commit();
  }
  const klt::Result expected = engine.track({pair.second.view(), {}, {}}, second, &state);
  std::vector<klt::Track> tracks(list.track_count());
  std::vector<klt::Lost> lost(list.lost_count());
  std::vector<klt::TrackWarp> warps(list.has_warps() ? tracks.size() : 0);
  list.copy_to(tracks.data(), lost.data(), stream, 0, warps.data());
  std::string wrong = test::first_difference({{expected.tracks.begin(), expected.tracks.end()},
                                              {expected.lost.begin(), expected.lost.end()}},
                                             tracks, lost);
  const auto bytes = std::as_bytes(std::span(warps));
  if (wrong.empty() && !std::ranges::equal(bytes, std::as_bytes(expected.warps))) {
    wrong = "their warps differ";
  }
  if (wrong.empty()) return;
  std::fprintf(stderr, "the GPU's tracks are not those of the CPU: %s\n", wrong.c_str());
  std::exit(1);
}

void measure(const KltPair& pair, const Scenario& scenario, const Options& options) {
  const std::vector<klt::Point> points =
      grid_of(pair.first.width, pair.first.height, options.columns, options.rows);
  // Nearly all points are born, so that each has as much to track.
  klt::Parameters born;
  born.window = options.window;
  born.levels = options.levels;
  born.pyramid_step = options.pyramid_step;
  born.detector = klt::Detector::kNone;
  born.min_eigenvalue = 0.0;
  klt::Parameters tracked = born;
  tracked.min_eigenvalue = 0.1;
  tracked.max_residual = 0.0;
  tracked.check = scenario.check ? 0.5 : 0.0;
  if (scenario.cell > 0) {
    tracked.detector = klt::Detector::kShiTomasi;
    tracked.cell = scenario.cell;
  }
  tracked.warp = scenario.warp;

  const DevicePicture first(pair.first);
  const DevicePicture second(pair.second);
  const LaunchTimer timer;
  cuda::KltEngine engine;
  cuda::KltState state;
  cuda::DeviceTrackList list;
  const auto wait = [&] {
    check(driver().cuStreamSynchronize(timer.stream()), "waiting for the GPU");
  };
  const cuda::KltInput before{first.view(), &state, points};
  engine.track({&before, 1}, {}, born, &list, timer.stream());
  wait();
  state.commit();
  if (scenario.warp == klt::Warp::kAffine) {
    // Each track takes its template, as nearly all have in a stream.
    const cuda::KltInput again{first.view(), &state, {}};
    engine.track({&again, 1}, {}, tracked, &list, timer.stream());
    wait();
    state.commit();
  }
  // Not committed again: each time is the same.
  const cuda::KltInput input{second.view(), &state, {}};
  const auto track = [&] { engine.track({&input, 1}, {}, tracked, &list, timer.stream()); };
  Launches& launches = Launches::get();
  launches.begin();
  track();
  wait();
  const std::vector<std::string> names = launches.names();
  compare(pair, points, born, tracked, list, timer.stream());
  const double features = static_cast<double>(state.tracks());
  const std::size_t tracks = list.track_count();
  const double iterations = static_cast<double>(list.iterations()) / std::max(features, 1.0);
  // What the replays leave is compared as well.
  const cuda::TrackListView view = list.view();
  check(driver().cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(view.tracks), 0xCD,
                                 view.track_room * sizeof(klt::Track), timer.stream()),
        "clearing the list");
  const Times times = timer.time_graph(track, options.replays);
  compare(pair, points, born, tracked, list, timer.stream());
  std::printf("| %s | %s | %.1f | %.1f | %.0f | %zu | %.1f | %zu |\n", pair.name.c_str(),
              scenario.name, times.median, times.least, features, tracks, iterations, names.size());
  if (!options.kernels) return;
  for (std::size_t i = 0; i < names.size(); ++i) {
    print(names[i].c_str(), timer.time_launch(track, static_cast<int>(i), options.replays));
  }
}

void run(const Options& options) {
  std::printf(
      "window %d, %d levels, step %d, 10 iterations, light bias; us of a graph's replay\n\n",
      options.window, options.levels, options.pyramid_step);
  std::puts(
      "| pair | what | median | least | features | tracks | iterations of each | launches |\n"
      "|---|---|---|---|---|---|---|---|");
  // Ten iterations for each feature.
  constexpr int kRight = 4;
  constexpr int kDown = -2;
  std::vector<KltPair> pairs;
  if (options.quick) {
    pairs = {made_pair(160, 120), made_pair(320, 180)};
  } else {
    pairs.push_back(made_pair(640, 480, kRight, kDown));
    if (std::optional<KltPair> recorded = recorded_pair()) pairs.push_back(std::move(*recorded));
    pairs.push_back(made_pair(1920, 1080, kRight, kDown));
  }
  for (const KltPair& pair : pairs) {
    for (const Scenario& scenario :
         {Scenario{"set-up and tracks", false, 0}, Scenario{"and check", true, 0},
          Scenario{"and affine warps", true, 0, klt::Warp::kAffine},
          Scenario{"and detection, cell 16", true, 16},
          Scenario{"and detection, cell 16, affine warps", true, 16, klt::Warp::kAffine},
          Scenario{"and detection, cell 8", true, 8}}) {
      measure(pair, scenario, options);
    }
  }
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) {
  const rdp::bench::Options options = rdp::bench::read_options(argc, argv);
  return rdp::bench::run_on_device(options.device, [&] { rdp::bench::run(options); });
}
