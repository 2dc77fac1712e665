// SPDX-License-Identifier: LGPL-2.1-or-later
// How long the planes of a depth frame take on a GPU, from the frame in device memory to labels and
// planes, by CUDA events. First the result is compared with the reference. --help has the options.
//
//   find    a replay of a CUDA graph of one frame: what a stream of frames takes for each
//   single  one frame, started without a graph
//   planes  what the host makes of the result afterwards
//   rdp_... each launch: alone, between two events within such a graph, which is more than it adds;
//           from the first launch to the end of this one, and what it adds, by graph and as the
//           element starts them
//
// Times are the median and the least of --replays.
//
// With --streams: frames a second of so many streams on one GPU, each with an engine and a host
// thread of its own, started as the element does, and the planes of each frame are waited for.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "common/planes/frames/reference.h"
#include "kernels/planes/frame_engine.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/gray_png.h"
#include "tests/bench/launch_timer.h"
#include "tests/bench/many_threads.h"
#include "tests/planes/plane_patterns.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

using cuda::check;
using cuda::driver;

struct Options {
  int replays = 101;
  int device = 0;
  bool quick = false;
  bool check = true;
  std::string frame;
  double unit = 0.001;
  double focal = 0.0;
  std::vector<int> streams;
  double seconds = 1.0;
  planes::Parameters parameters;
};

Options read_options(int argc, char** argv) {
  Options o;
  bool unchecked = false;
  std::string streams;
  test::CommandLine line("How long the planes of a depth frame take on a GPU.");
  line.file("frame", &o.frame, "a gray PNG instead of made frames");
  line.number("unit", &o.unit, "metres a sample of it (0.001)", "M");
  line.number("focal", &o.focal, "its focal length, px (0.9 of the width)", "PX");
  line.number("rounds", &o.parameters.rounds, {0, 16}, "0: the default");
  line.number("replays", &o.replays, {1, 100000}, "each time is their median (101)");
  line.word("streams", &streams, "the throughput of so many streams, e.g. 1,8,32", "N,N...");
  line.number("seconds", &o.seconds, "for each number of streams (1)", "S");
  line.flag("unchecked", &unchecked, "compare nothing");
  line.number("device", &o.device, {}, "which GPU (0)");
  line.flag("quick", &o.quick, "a small frame, 5 replays");
  line.read(argc, argv);
  o.check = !unchecked;
  if (o.quick) o.replays = 5;
  if (!streams.empty()) o.streams = thread_counts("streams", streams);
  return o;
}

// A frame on the host, without padding, and its camera.
struct Picture {
  std::string name;
  reference::Frame frame;
  MetricCamera camera;

  DepthView view() const {
    return {reinterpret_cast<const std::byte*>(frame.samples.data()),
            2 * std::ptrdiff_t{frame.width}, frame.width, frame.height, SampleType::kU16};
  }
};

Picture made_picture(int width, int height) {
  Picture picture;
  picture.name = "room";
  picture.frame.width = width;
  picture.frame.height = height;
  picture.frame.samples.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const MutableDepthView view{reinterpret_cast<std::byte*>(picture.frame.samples.data()),
                              2 * std::ptrdiff_t{width}, width, height, SampleType::kU16};
  test::draw_planes(view, test::PlaneKind::kRoom, 1);
  picture.camera = test::plane_camera(width, height, SampleType::kU16);
  return picture;
}

Picture read_picture(const Options& options) {
  Picture picture;
  picture.name = options.frame;
  picture.frame = read_gray_png(options.frame);
  if (picture.frame.width == 0) {
    std::fprintf(stderr, "%s is no gray PNG\n", options.frame.c_str());
    std::exit(2);
  }
  MetricCamera& camera = picture.camera;
  camera.focal_x = camera.focal_y = options.focal > 0.0 ? options.focal : 0.9 * picture.frame.width;
  camera.principal_x = 0.5 * (picture.frame.width - 1);
  camera.principal_y = 0.5 * (picture.frame.height - 1);
  camera.depth.factor = options.unit;
  return picture;
}

// A frame and its labels in device memory.
class DevicePicture {
 public:
  explicit DevicePicture(const Picture& picture)
      : width_(picture.frame.width), height_(picture.frame.height) {
    const std::size_t pixels = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
    labels_.ensure(pixels);
    check(driver().cuMemcpyHtoDAsync_v2(frame_.ensure(2 * pixels), picture.frame.samples.data(),
                                        2 * pixels, nullptr),
          "copying a frame");
    check(driver().cuStreamSynchronize(nullptr), "copying a frame");
  }

  cuda::DeviceDepthView frame() const {
    return {frame_.get(), 2 * std::int64_t{width_}, width_, height_, SampleType::kU16};
  }
  cuda::DeviceDepthView labels() const {
    return {labels_.get(), width_, width_, height_, SampleType::kU8};
  }
  std::vector<std::byte> downloaded_labels() const {
    std::vector<std::byte> all(static_cast<std::size_t>(width_) *
                               static_cast<std::size_t>(height_));
    check(driver().cuMemcpyDtoHAsync_v2(all.data(), labels_.get(), all.size(), nullptr),
          "copying labels");
    check(driver().cuStreamSynchronize(nullptr), "copying labels");
    return all;
  }

 private:
  int width_, height_;
  cuda::DeviceBuffer frame_, labels_;
};

// Ends the program where the GPU's result differs from the reference's.
void compare(const Picture& picture, const DevicePicture& device, const Options& options,
             const planes::PlaneSet& set) {
  std::vector<std::byte> labels(picture.frame.samples.size());
  const planes::PlaneSet expected =
      planes::reference::find(picture.view(), picture.camera, options.parameters,
                              {labels.data(), picture.frame.width, picture.frame.width,
                               picture.frame.height, SampleType::kU8});
  if (labels != device.downloaded_labels() || set.planes != expected.planes ||
      set.corners != expected.corners || set.counts != expected.counts) {
    std::fprintf(stderr, "%s: the GPU's planes are not those of the reference\n",
                 picture.name.c_str());
    std::exit(1);
  }
  std::printf("the bits of the reference\n");
}

void measure(const Picture& picture, const Options& options) {
  Launches& launches = Launches::get();
  cuda::FramePlanesEngine finder;
  const DevicePicture device(picture);
  const LaunchTimer timer;
  finder.prepare(picture.frame.width, picture.frame.height, SampleType::kU16, picture.camera,
                 options.parameters);
  const auto find = [&] {
    finder.find(device.frame(), picture.camera, options.parameters, device.labels(),
                timer.stream());
  };
  launches.begin();
  find();
  check(driver().cuStreamSynchronize(timer.stream()), "waiting for the GPU");
  const std::vector<std::string> names = launches.names();
  const planes::PlaneSet& set = finder.planes();
  std::printf("%s, %dx%d: %zu planes, %lld voters, %lld peaks, %zu launches\n",
              picture.name.c_str(), picture.frame.width, picture.frame.height, set.planes.size(),
              static_cast<long long>(set.counts.voters), static_cast<long long>(set.counts.peaks),
              names.size());
  if (options.check) compare(picture, device, options, set);
  print_work(
      timer, find, "planes", [&] { finder.planes(); }, names, options.replays);
}

// One of many streams.
class PlanesStream {
 public:
  PlanesStream(const Picture& picture, const Options& options)
      : picture_(picture), options_(options), device_(picture) {
    finder_.prepare(picture.frame.width, picture.frame.height, SampleType::kU16, picture.camera,
                    options.parameters);
  }

  void run(const std::atomic<bool>& stop, std::atomic<long>* frames) {
    while (!stop) {
      finder_.find(device_.frame(), picture_.camera, options_.parameters, device_.labels(),
                   stream_.get());
      stream_.synchronize();
      finder_.planes();
      frames->fetch_add(1, std::memory_order_relaxed);
    }
  }

 private:
  const Picture& picture_;
  const Options& options_;
  const DevicePicture device_;
  cuda::Stream stream_;
  cuda::FramePlanesEngine finder_;
};

void measure_streams(const Picture& picture, const Options& options) {
  CUcontext context = nullptr;
  check(driver().cuCtxGetCurrent(&context), "asking for the context");
  for (const int count : options.streams) {
    std::vector<std::unique_ptr<PlanesStream>> streams;
    for (int i = 0; i < count; ++i) {
      streams.push_back(std::make_unique<PlanesStream>(picture, options));
    }
    const Rate rate =
        measure_threads(count, options.seconds,
                        [&](int i, const std::atomic<bool>& stop, std::atomic<long>* frames) {
                          const cuda::ContextScope scope(context);
                          streams[static_cast<std::size_t>(i)]->run(stop, frames);
                        });
    std::printf("%s, %dx%d, %d streams: %.0f frames/s, %.1f us a frame, CPU %.1f us a frame\n",
                picture.name.c_str(), picture.frame.width, picture.frame.height, count, rate.frames,
                1e6 / rate.frames, rate.busy_us);
    std::fflush(stdout);
  }
}

void run(const Options& options) {
  const auto one = [&](const Picture& picture) {
    if (options.streams.empty()) {
      measure(picture, options);
    } else {
      measure_streams(picture, options);
    }
  };
  if (!options.frame.empty()) {
    one(read_picture(options));
    return;
  }
  if (options.quick) {
    one(made_picture(160, 120));
    return;
  }
  one(made_picture(640, 480));
  one(made_picture(1280, 720));
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) {
  const rdp::bench::Options options = rdp::bench::read_options(argc, argv);
  return rdp::bench::run_on_device(
      options.device, [&] { rdp::bench::run(options); }, options.streams.empty());
}
