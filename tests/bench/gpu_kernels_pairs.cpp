// SPDX-License-Identifier: LGPL-2.1-or-later
// Stereo matching and tracking of picture pairs.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "common/klt/engine.h"
#include "common/stereo/reference.h"
#include "kernels/klt/engine.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "kernels/stereo/engine.h"
#include "tests/bench/gpu_kernels.h"
#include "tests/bench/gray_png.h"
#include "tests/bench/klt_pictures.h"
#include "tests/klt/klt_frames.h"
#include "tests/stereo/stereo_patterns.h"

namespace rdp::bench {
namespace {

// Both views, 8 bits, without padding.
struct Pair {
  int width = 0;
  int height = 0;
  std::vector<std::byte> left, right;

  MutableDepthView view(std::vector<std::byte>& bytes, int rows) {
    return {bytes.data(), width, width, rows, SampleType::kU8};
  }
};

Pair pair_of(const KernelOptions& options) {
  if (options.left.empty()) {
    const auto pixels =
        static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height);
    Pair pair{options.width, options.height, std::vector<std::byte>(pixels),
              std::vector<std::byte>(pixels)};
    draw_pair(test::PairKind::kTextured,
              {pair.view(pair.left, pair.height), pair.view(pair.right, pair.height), {}, {}},
              options.stereo, 1);
    return pair;
  }
  const reference::Frame left = read_gray_png(options.left);
  const reference::Frame right = read_gray_png(options.right);
  require(left.width != 0 && left.width == right.width && left.height == right.height,
          options.left + " and " + options.right + " are no gray PNGs of one size");
  Pair pair{left.width, left.height, {}, {}};
  for (const std::uint16_t sample : left.samples) pair.left.push_back(std::byte(sample));
  for (const std::uint16_t sample : right.samples) pair.right.push_back(std::byte(sample));
  return pair;
}

// The first rows of a pair, with memory for the result.
struct DevicePair {
  DevicePair(Pair* pair, int rows, bool wanted)
      : left(pair->view(pair->left, rows)),
        right(pair->view(pair->right, rows)),
        disparity(pair->width, rows, SampleType::kU16, 256),
        confidence(pair->width, rows, SampleType::kU8),
        with_confidence(wanted) {}

  void match(cuda::StereoEngine* matcher, const stereo::Parameters& parameters, CUstream stream) {
    matcher->match(
        {left.view(), right.view(), {}, {}}, parameters,
        {disparity.view(), with_confidence ? confidence.view() : cuda::DeviceDepthView{}}, stream);
  }

  DeviceImage left, right, disparity, confidence;
  bool with_confidence;
};

// Compares a pair of the first rows, because paths cross the whole picture.
void compare_rows(Pair* pair, const KernelOptions& options, cuda::StereoEngine* matcher) {
  const int rows = std::min(options.check_rows, pair->height);
  if (rows == 0) return;
  DevicePair device(pair, rows, options.confidence);
  const cuda::Stream stream;
  device.match(matcher, options.stereo, stream.get());
  std::vector<std::byte> expected(2 * static_cast<std::size_t>(pair->width) *
                                  static_cast<std::size_t>(rows));
  const stereo::Counts counts = stereo::reference::match(
      {pair->view(pair->left, rows), pair->view(pair->right, rows), {}, {}}, options.stereo,
      {{expected.data(), 2 * pair->width, pair->width, rows, SampleType::kU16}, {}});
  stream.synchronize();
  require(device.disparity.bytes() == expected && matcher->counts().known == counts.known,
          "the GPU's disparities are not those of the reference");
  std::printf("%d rows have the bits of the reference, %.1f %% of their pixels are known\n", rows,
              200.0 * static_cast<double>(counts.known) / static_cast<double>(expected.size()));
}

}  // namespace

void measure_stereo(const KernelOptions& options) {
  Pair pair = pair_of(options);
  const stereo::Parameters& p = options.stereo;
  const int replays = options.replays_or(101);
  cuda::StereoEngine matcher;
  compare_rows(&pair, options, &matcher);
  if (options.check) return;
  std::printf("%dx%d, %d disparities, %d paths, %zu MB on the device\n", pair.width, pair.height,
              p.disparities, p.paths,
              cuda::StereoEngine::memory_for(pair.width, pair.height, p) >> 20);
  DevicePair device(&pair, pair.height, options.confidence);
  matcher.prepare(pair.width, pair.height, p);
  const LaunchTimer timer;
  const auto match = [&] { device.match(&matcher, p, timer.stream()); };
  const std::vector<std::string> names = launches_of(match, timer.stream());
  std::printf("%-22s %10s %10s\n", "us", "median", "least");
  print("match", timer.time_graph(match, replays));
  print("single", timer.time(match, replays));
  // The minimal memory traffic: each pixel once per write and read.
  std::printf("%-22s %10.1f MB\n", "paths, written and read",
              2.0 * pair.width * pair.height * p.disparities * p.paths * 1e-6);
  // Several times, because a launch overlaps with the previous one.
  constexpr int kTimes = 16;
  Launches& launches = Launches::get();
  for (std::size_t i = 0; i < names.size(); ++i) {
    launches.look_at(static_cast<int>(i), kTimes);
    const auto one = [&] {
      launches.begin();
      match();
    };
    print(names[i].c_str(), timer.time_graph(one, replays, kTimes));
  }
  launches.look_at(-1, 1);
}

namespace {

struct Scenario {
  const char* name;
  bool check;
  int cell;  // cell size of the detector; 0: no detection
  klt::Warp warp = klt::Warp::kTranslation;
};

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
  if (wrong.empty() &&
      !std::ranges::equal(std::as_bytes(std::span(warps)), std::as_bytes(expected.warps))) {
    wrong = "their warps differ";
  }
  require(wrong.empty(), "the GPU's tracks are not those of the CPU: " + wrong);
}

// Times tracking from a picture with a pyramid to a new one without, as in a stream.
void measure(const KltPair& pair, const Scenario& scenario, const KernelOptions& options) {
  const std::vector<klt::Point> points =
      grid_of(pair.first.width, pair.first.height, options.columns, options.rows);
  // Accepts nearly all points, so that each pair has as much to track.
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

  const DeviceImage first(pair.first.view(), 1);
  const DeviceImage second(pair.second.view(), 1);
  const LaunchTimer timer;
  cuda::KltEngine engine;
  cuda::KltState state;
  cuda::DeviceTrackList list;
  const cuda::KltInput before{first.view(), &state, points};
  engine.track({&before, 1}, {}, born, &list, timer.stream());
  wait_for(timer.stream());
  state.commit();
  if (scenario.warp == klt::Warp::kAffine) {
    // Each track takes a template, as most have in a stream.
    const cuda::KltInput again{first.view(), &state, {}};
    engine.track({&again, 1}, {}, tracked, &list, timer.stream());
    wait_for(timer.stream());
    state.commit();
  }
  // Never committed, so that all times are of the same work.
  const cuda::KltInput input{second.view(), &state, {}};
  const auto track = [&] { engine.track({&input, 1}, {}, tracked, &list, timer.stream()); };
  const std::vector<std::string> names = launches_of(track, timer.stream());
  compare(pair, points, born, tracked, list, timer.stream());
  if (options.check) return;
  const double features = static_cast<double>(state.tracks());
  const std::size_t tracks = list.track_count();
  const double iterations = static_cast<double>(list.iterations()) / std::max(features, 1.0);
  // The replays' result is compared, too, so the list is overwritten first.
  const cuda::TrackListView view = list.view();
  cuda::check(cuda::driver().cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(view.tracks), 0xCD,
                                             view.track_room * sizeof(klt::Track), timer.stream()),
              "clearing the list");
  const int replays = options.replays_or(101);
  const Times times = timer.time_graph(track, replays);
  compare(pair, points, born, tracked, list, timer.stream());
  std::printf("| %s | %s | %.1f | %.1f | %.0f | %zu | %.1f | %zu |\n", pair.name.c_str(),
              scenario.name, times.median, times.least, features, tracks, iterations, names.size());
  if (!options.kernels) return;
  for (std::size_t i = 0; i < names.size(); ++i) {
    print(names[i].c_str(), timer.time_launch(track, static_cast<int>(i), replays));
  }
}

}  // namespace

void measure_tracks(const KernelOptions& options) {
  std::printf(
      "window %d, %d levels, step %d, 10 iterations, light bias; us of a graph's replay\n\n"
      "| pair | what | median | least | features | tracks | iterations of each | launches |\n"
      "|---|---|---|---|---|---|---|---|\n",
      options.window, options.levels, options.pyramid_step);
  // Displacements that need ten iterations per feature.
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

}  // namespace rdp::bench
