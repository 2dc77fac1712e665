// SPDX-License-Identifier: LGPL-2.1-or-later
// How long the planes of a point cloud take on a GPU, from points in device memory to labels and
// planes, by CUDA events. First the result is compared with the reference. --help has the options.
//
//   find    a replay of a CUDA graph of one cloud: what a stream of clouds takes for each
//   single  one cloud, started without a graph
//   planes  what the host makes of the result afterwards
//   rdp_... each launch: alone, between two events within such a graph, which is more than it adds;
//           from the first launch to the end of this one, and what it adds, by graph and as the
//           element starts them
//
// Times are the median and the least of --replays.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/planes/clouds/reference.h"
#include "kernels/planes/cloud_engine.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/bench_clouds.h"
#include "tests/bench/launch_timer.h"
#include "tests/planes/cloud_cases.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

using cuda::check;
using cuda::driver;

struct Options {
  int replays = 51;
  int device = 0;
  int points = 0;
  double noise = 0.008;
  bool check = true;
  std::string cloud;
  planes::Parameters parameters;
};

Options read_options(int argc, char** argv) {
  Options o;
  bool quick = false;
  bool unchecked = false;
  test::CommandLine line("How long the planes of a point cloud take on a GPU.");
  line.file("cloud", &o.cloud, "a PCD or PLY file instead of a made room");
  line.number("points", &o.points, {0, 1 << 25},
              "draw so many of its points, with noise (0: as it is)");
  line.number("noise", &o.noise, "of drawn points, m (0.008)", "M");
  line.number("rounds", &o.parameters.rounds, {0, 16}, "0: the default");
  line.number("replays", &o.replays, {1, 100000}, "each time is their median (51)");
  line.flag("unchecked", &unchecked, "compare nothing");
  line.number("device", &o.device, {}, "which GPU (0)");
  line.flag("quick", &quick, "a small room, 5 replays");
  line.read(argc, argv);
  o.check = !unchecked;
  if (quick) {
    o.replays = 5;
    o.points = 20000;
  }
  return o;
}

// A cloud and its labels in device memory.
class DeviceCloud {
 public:
  explicit DeviceCloud(const Cloud& cloud) : points_(cloud.points()) {
    const std::size_t bytes = cloud.values.size() * sizeof(float);
    check(driver().cuMemcpyHtoDAsync_v2(memory_.ensure(bytes), cloud.values.data(), bytes, nullptr),
          "copying a cloud");
    check(driver().cuStreamSynchronize(nullptr), "copying a cloud");
    labels_.ensure(points_);
  }

  planes::CloudView view() const {
    planes::CloudView cloud;
    cloud.data = memory_.as<std::byte>();
    cloud.points = points_;
    return cloud;
  }
  CUdeviceptr labels() const { return labels_.get(); }
  std::vector<std::uint8_t> downloaded_labels() const {
    std::vector<std::uint8_t> all(points_);
    check(driver().cuMemcpyDtoHAsync_v2(all.data(), labels_.get(), all.size(), nullptr),
          "copying labels");
    check(driver().cuStreamSynchronize(nullptr), "copying labels");
    return all;
  }

 private:
  std::size_t points_;
  cuda::DeviceBuffer memory_, labels_;
};

// Ends the program where the GPU's result differs from the reference's.
void compare(const Cloud& cloud, const DeviceCloud& device, const Options& options,
             const planes::PlaneSet& set) {
  std::vector<std::uint8_t> labels(cloud.points());
  const planes::PlaneSet expected =
      planes::reference::find_in_cloud(cloud.view(), options.parameters, labels.data());
  if (labels != device.downloaded_labels() || set.planes != expected.planes ||
      set.corners != expected.corners || set.counts != expected.counts) {
    std::fprintf(stderr, "the GPU's planes are not those of the reference\n");
    std::exit(1);
  }
  std::printf("the bits of the reference\n");
}

void measure(const char* name, const Cloud& cloud, const Options& options) {
  Launches& launches = Launches::get();
  cuda::CloudPlanesEngine finder;
  const DeviceCloud device(cloud);
  const LaunchTimer timer;
  finder.prepare(cloud.points(), options.parameters);
  const auto find = [&] {
    finder.find(device.view(), options.parameters, device.labels(), timer.stream());
  };
  launches.begin();
  find();
  check(driver().cuStreamSynchronize(timer.stream()), "waiting for the GPU");
  const std::vector<std::string> names = launches.names();
  const planes::PlaneSet& set = finder.planes();
  std::printf("%s, %zu points: %zu planes, %lld nodes, %lld planar, %lld peaks, %zu launches\n",
              name, cloud.points(), set.planes.size(), static_cast<long long>(set.counts.nodes),
              static_cast<long long>(set.counts.planar_nodes),
              static_cast<long long>(set.counts.peaks), names.size());
  if (options.check) compare(cloud, device, options, set);
  print_work(
      timer, find, "planes", [&] { finder.planes(); }, names, options.replays);
}

void run(const Options& options) {
  if (!options.cloud.empty()) {
    Cloud cloud = read_cloud(options.cloud);
    if (options.points > 0) {
      cloud = resampled(cloud, static_cast<std::size_t>(options.points), options.noise, 1);
    }
    measure(options.cloud.c_str(), cloud, options);
    return;
  }
  const std::size_t points = options.points > 0 ? static_cast<std::size_t>(options.points) : 112586;
  measure("room", {test::draw_cloud(test::CloudKind::kRoom, points, 1)}, options);
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) {
  const rdp::bench::Options options = rdp::bench::read_options(argc, argv);
  return rdp::bench::run_on_device(options.device, [&] { rdp::bench::run(options); });
}
