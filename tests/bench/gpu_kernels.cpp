// SPDX-License-Identifier: LGPL-2.1-or-later
// Kernel times on a GPU, from images in device memory to results there, by CUDA events. The results
// are compared with the CPU's first.
//
//   find, match  a replay of a CUDA graph of one frame: its time in a stream of frames
//   single       one frame, launched without a graph
//   planes, finish  the host's processing of the result
//   rdp_...      each launch: alone, between two events in such a graph (more than its real cost);
//                from the first launch to its end, and the increase, both by graph and as the
//                element launches them. For stereo: a graph with that kernel many times
//
// Times are the median and the least of --replays.
#include "tests/bench/gpu_kernels.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "common/heightmap/parameters.h"
#include "common/klt/rules.h"
#include "kernels/runtime/cuda_error.h"
#include "tests/bench/many_threads.h"
#include "tests/support/command_line.h"

namespace rdp::bench {

using cuda::check;
using cuda::driver;

void require(bool right, const std::string& wrong) {
  if (!right) throw std::runtime_error(wrong);
}

void wait_for(CUstream stream) {
  check(driver().cuStreamSynchronize(stream), "waiting for the GPU");
}

DeviceImage::DeviceImage(int width, int height, SampleType type, std::size_t align) {
  const auto row = static_cast<std::size_t>(width * bytes_per_sample(type));
  const std::size_t pitch = (row + align - 1) / align * align;
  view_ = {memory_.ensure(pitch * static_cast<std::size_t>(height)),
           static_cast<std::int64_t>(pitch), width, height, type};
}

DeviceImage::DeviceImage(const DepthView& from, std::size_t align)
    : DeviceImage(from.width, from.height, from.type, align) {
  copy(from.data, nullptr, from.stride);
}

std::vector<std::byte> DeviceImage::bytes() const {
  const auto row = static_cast<std::size_t>(view_.width * bytes_per_sample(view_.type));
  std::vector<std::byte> all(row * static_cast<std::size_t>(view_.height));
  copy(nullptr, all.data(), static_cast<std::ptrdiff_t>(row));
  return all;
}

void DeviceImage::copy(const std::byte* from, std::byte* to, std::ptrdiff_t stride) const {
  CUDA_MEMCPY2D rows{};
  rows.srcMemoryType = from != nullptr ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  rows.dstMemoryType = from != nullptr ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
  rows.srcHost = from;
  rows.dstHost = to;
  rows.srcDevice = rows.dstDevice = view_.data;
  rows.srcPitch =
      from != nullptr ? static_cast<std::size_t>(stride) : static_cast<std::size_t>(view_.pitch);
  rows.dstPitch =
      from != nullptr ? static_cast<std::size_t>(view_.pitch) : static_cast<std::size_t>(stride);
  rows.WidthInBytes = static_cast<std::size_t>(view_.width * bytes_per_sample(view_.type));
  rows.Height = static_cast<std::size_t>(view_.height);
  check(driver().cuMemcpy2DAsync_v2(&rows, nullptr), "copying an image");
  wait_for(nullptr);
}

std::vector<std::byte> bytes_on_device(CUdeviceptr data, std::size_t size) {
  std::vector<std::byte> all(size);
  check(driver().cuMemcpyDtoHAsync_v2(all.data(), data, size, nullptr), "copying a result");
  wait_for(nullptr);
  return all;
}

Times time_on_host(int warm_ups, int calls, const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = -warm_ups; i < calls; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    if (i >= 0) times.push_back(took.count());
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front()};
}

std::vector<std::string> launches_of(const std::function<void()>& call, CUstream stream) {
  Launches& launches = Launches::get();
  launches.look_at(-1, 1);
  call();
  wait_for(stream);
  return launches.names();
}

namespace {

struct Row {
  const char* name;
  void (*measure)(const KernelOptions&);
  bool times_launches = true;
};
constexpr Row kRows[] = {{"stereo", measure_stereo},         {"tracks", measure_tracks},
                         {"planes", measure_planes},         {"clouds", measure_clouds},
                         {"obstacles", measure_obstacles},   {"heights", measure_heights},
                         {"drawing", measure_drawing, false}};

int read_and_run(int argc, char** argv) {
  KernelOptions o;
  stereo::Parameters& p = o.stereo;
  int device = 0;
  std::string streams;
  test::CommandLine line(
      "How long kernels take on a GPU.",
      "ROW: stereo, tracks, planes, clouds, obstacles, heights or drawing; without any, all.\n"
      "Recorded pairs and crowds are those of the folder of RDPSEGMENT_TEST_DATA, where they are.");
  line.number("replays", &o.replays, {0, 100000},
              "each time is their median (101; clouds 51, drawing 201)");
  line.number("device", &device, {}, "which GPU (0)");
  line.flag("quick", &o.quick, "small images, 5 replays");
  line.flag("check", &o.check, "compare results alone, time nothing");
  line.flag("unchecked", &o.unchecked, "planes, clouds: compare nothing");
  line.flag("kernels", &o.kernels, "tracks, heights: the time of each launch, too");
  line.number("rounds", &o.rounds, {0, 1000},
              "planes, clouds: the parameter, up to 16; heights: in which each has its turn (5)");
  line.file("left", &o.left, "stereo: an 8-bit gray PNG instead of a made pair");
  line.file("right", &o.right, "the right view of it");
  line.number("width", &o.width, {1, kMaxSide}, "of the made pair (1242)");
  line.number("height", &o.height, {1, kMaxSide}, "of the made pair (375)");
  line.number("disparities", &p.disparities, {16, stereo::kMaxDisparities}, "16 to 256 (128)");
  line.number("min-disparity", &p.min_disparity, {}, "the first of them (0)");
  line.number("paths", &p.paths, {}, "4 or 8 (4)");
  line.number("median", &p.median, {}, "0, 3 or 5 (3)");
  line.number("speckle-size", &p.speckle_size, {0, 65535}, "pixels, 0: off (100)");
  line.flag("confidence", &o.confidence, "the confidence, too");
  line.number("check-rows", &o.check_rows, {0, kMaxSide}, "that are compared first (40)");
  line.number("window", &o.window, {klt::kMinWindow, klt::kMaxWindow}, "tracks: default 16");
  line.number("levels", &o.levels, {1, 6}, "default 3");
  line.number("pyramid-step", &o.pyramid_step, {2, 4}, "2 or 4 (2)");
  line.number("columns", &o.columns, {1, 640}, "of features (66)");
  line.number("rows", &o.rows, {1, 480}, "of features (50)");
  line.file("frame", &o.frame, "planes: a gray PNG instead of made frames");
  line.number("unit", &o.unit, "metres a sample of it (0.001)", "M");
  line.number("focal", &o.focal, "its focal length, px (0.9 of the width)", "PX");
  line.word("streams", &streams, "planes: the throughput of so many streams, e.g. 1,8,32",
            "N,N...");
  line.number("seconds", &o.seconds, "for each number of streams (1)", "S");
  line.file("cloud", &o.cloud, "clouds: a PCD or PLY file instead of a made room");
  line.number("points", &o.points, {0, 1 << 25},
              "draw so many of its points, with noise (0: as it is)");
  line.number("noise", &o.noise, "of drawn points, m (0.008)", "M");
  line.flag("drawn", &o.drawn, "heights: the drawn crowd, even if there is a recorded one");
  line.number("views", &o.views, {heightmap::kLeastViews, heightmap::kMaxViews},
              "of the drawn crowd (3)");
  line.number("threads", &o.threads, {1, 256}, "drawing: that paint on the CPU (1)");
  const std::vector<std::string> words = line.read(argc, argv, "[ROW...]");
  if (o.left.empty() != o.right.empty()) test::wrong_usage("--left and --right need each other");
  if (o.quick) {
    o.width = 160;
    o.height = 40;
    o.check_rows = 10;
    p.disparities = 32;
    o.columns = 12;
    o.rows = 9;
    o.points = 20000;
  }
  test::check_range("--min-disparity", p.min_disparity, -stereo::kMaxMinDisparity,
                    std::min(stereo::kMaxMinDisparity, stereo::kMaxDisparities - p.disparities));
  if (p.disparities % stereo::kDisparityStep != 0) {
    test::wrong_usage("--disparities is a multiple of 16");
  }
  if (p.paths != 4 && p.paths != 8) test::wrong_usage("--paths is 4 or 8");
  if (p.median != 0 && p.median != 3 && p.median != 5) test::wrong_usage("--median is 0, 3 or 5");
  if (o.pyramid_step == 3) test::wrong_usage("--pyramid-step is 2 or 4");
  if (!streams.empty()) o.streams = thread_counts("streams", streams);
  std::vector<Row> rows;
  for (const std::string& word : words) {
    const auto* const row = std::find_if(std::begin(kRows), std::end(kRows),
                                         [&](const Row& r) { return word == r.name; });
    if (row == std::end(kRows)) test::wrong_usage("there is no row " + word);
    rows.push_back(*row);
  }
  if (rows.empty()) rows.assign(std::begin(kRows), std::end(kRows));
  const bool times_launches =
      !o.check && o.streams.empty() &&
      std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.times_launches; });
  return run_on_device(
      device,
      [&] {
        for (const Row& row : rows) row.measure(o);
      },
      times_launches);
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::read_and_run(argc, argv); }
