// SPDX-License-Identifier: LGPL-2.1-or-later
// Planes of frames and clouds, and obstacles.
//
// --streams: frame rates of several streams on one GPU. Each has its own engine and host thread,
// which starts a frame as the element does and waits for its planes.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>

#include "common/obstacles/reference.h"
#include "common/obstacles/rules.h"
#include "common/planes/clouds/reference.h"
#include "common/planes/frames/reference.h"
#include "kernels/obstacles/engine.h"
#include "kernels/planes/cloud_engine.h"
#include "kernels/planes/frame_engine.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/bench_clouds.h"
#include "tests/bench/gpu_kernels.h"
#include "tests/bench/gray_png.h"
#include "tests/bench/many_threads.h"
#include "tests/bench/obstacle_scenes.h"
#include "tests/planes/cloud_cases.h"
#include "tests/planes/plane_patterns.h"

namespace rdp::bench {
namespace {

planes::Parameters parameters_of(const KernelOptions& options) {
  planes::Parameters parameters;
  if (options.rounds <= 16) parameters.rounds = options.rounds;
  return parameters;
}

bool same(const std::vector<std::byte>& labels, const std::vector<std::byte>& expected_labels,
          const planes::PlaneSet& set, const planes::PlaneSet& expected) {
  return labels == expected_labels && set.planes == expected.planes &&
         set.corners == expected.corners && set.counts == expected.counts;
}

// A frame on the host, without padding, with its camera.
struct Picture {
  std::string name;
  reference::Frame frame;
  MetricCamera camera;

  MutableDepthView view() {
    return {reinterpret_cast<std::byte*>(frame.samples.data()), 2 * std::ptrdiff_t{frame.width},
            frame.width, frame.height, SampleType::kU16};
  }
};

Picture made_picture(int width, int height) {
  Picture picture{"room", {}, test::plane_camera(width, height, SampleType::kU16)};
  picture.frame.width = width;
  picture.frame.height = height;
  picture.frame.samples.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  test::draw_planes(picture.view(), test::PlaneKind::kRoom, 1);
  return picture;
}

Picture read_picture(const KernelOptions& options) {
  Picture picture{options.frame, read_gray_png(options.frame), {}};
  require(picture.frame.width != 0, options.frame + " is no gray PNG");
  MetricCamera& camera = picture.camera;
  camera.focal_x = camera.focal_y = options.focal > 0.0 ? options.focal : 0.9 * picture.frame.width;
  camera.principal_x = 0.5 * (picture.frame.width - 1);
  camera.principal_y = 0.5 * (picture.frame.height - 1);
  camera.depth.factor = options.unit;
  return picture;
}

// A plane detector with a frame and labels in device memory.
class PlanesOfFrame {
 public:
  PlanesOfFrame(Picture* picture, const planes::Parameters& parameters)
      : camera_(picture->camera),
        parameters_(parameters),
        frame_(picture->view(), 1),
        labels_(picture->frame.width, picture->frame.height, SampleType::kU8, 1) {
    finder_.prepare(picture->frame.width, picture->frame.height, SampleType::kU16, camera_,
                    parameters);
  }
  void find(CUstream stream) {
    finder_.find(frame_.view(), camera_, parameters_, labels_.view(), stream);
  }
  const planes::PlaneSet& planes() { return finder_.planes(); }
  std::vector<std::byte> labels() const { return labels_.bytes(); }

  // Runs as one of several streams.
  void run(const std::atomic<bool>& stop, std::atomic<long>* frames) {
    while (!stop) {
      find(stream_.get());
      stream_.synchronize();
      planes();
      frames->fetch_add(1, std::memory_order_relaxed);
    }
  }

 private:
  const MetricCamera camera_;
  const planes::Parameters parameters_;
  const DeviceImage frame_, labels_;
  cuda::Stream stream_;
  cuda::FramePlanesEngine finder_;
};

void measure_frame(Picture picture, const KernelOptions& options) {
  PlanesOfFrame device(&picture, parameters_of(options));
  const LaunchTimer timer;
  const auto find = [&] { device.find(timer.stream()); };
  const std::vector<std::string> names = launches_of(find, timer.stream());
  const planes::PlaneSet& set = device.planes();
  std::printf("%s, %dx%d: %zu planes, %lld voters, %lld peaks, %zu launches\n",
              picture.name.c_str(), picture.frame.width, picture.frame.height, set.planes.size(),
              static_cast<long long>(set.counts.voters), static_cast<long long>(set.counts.peaks),
              names.size());
  if (!options.unchecked) {
    std::vector<std::byte> labels(picture.frame.samples.size());
    const planes::PlaneSet expected =
        planes::reference::find(picture.view(), picture.camera, parameters_of(options),
                                {labels.data(), picture.frame.width, picture.frame.width,
                                 picture.frame.height, SampleType::kU8});
    require(same(device.labels(), labels, set, expected),
            picture.name + ": the GPU's planes are not those of the reference");
    std::printf("the bits of the reference\n");
  }
  if (options.check) return;
  print_work(
      timer, find, "planes", [&] { device.planes(); }, names, options.replays_or(101));
}

void measure_streams(Picture picture, const KernelOptions& options) {
  CUcontext context = nullptr;
  cuda::check(cuda::driver().cuCtxGetCurrent(&context), "asking for the context");
  for (const int count : options.streams) {
    std::vector<std::unique_ptr<PlanesOfFrame>> streams;
    for (int i = 0; i < count; ++i) {
      streams.push_back(std::make_unique<PlanesOfFrame>(&picture, parameters_of(options)));
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

}  // namespace

void measure_planes(const KernelOptions& options) {
  const auto measure = options.streams.empty() ? measure_frame : measure_streams;
  if (!options.frame.empty()) return measure(read_picture(options), options);
  if (options.quick) return measure(made_picture(160, 120), options);
  measure(made_picture(640, 480), options);
  measure(made_picture(1280, 720), options);
}

void measure_clouds(const KernelOptions& options) {
  const planes::Parameters parameters = parameters_of(options);
  const auto points = static_cast<std::size_t>(options.points);
  Cloud cloud;
  if (options.cloud.empty()) {
    cloud = {test::draw_cloud(test::CloudKind::kRoom, points > 0 ? points : 112586, 1)};
  } else {
    cloud = read_cloud(options.cloud);
    if (points > 0) cloud = resampled(cloud, points, options.noise, 1);
  }
  const auto bytes = cloud.values.size() * sizeof(float);
  const DeviceImage values(
      DepthView{reinterpret_cast<const std::byte*>(cloud.values.data()),
                static_cast<std::ptrdiff_t>(bytes), static_cast<int>(bytes), 1, SampleType::kU8},
      1);
  cuda::DeviceBuffer labels;
  labels.ensure(cloud.points());
  planes::CloudView view;
  view.data = reinterpret_cast<const std::byte*>(values.view().data);
  view.points = cloud.points();
  cuda::CloudPlanesEngine finder;
  finder.prepare(cloud.points(), parameters);
  const LaunchTimer timer;
  const auto find = [&] { finder.find(view, parameters, labels.get(), timer.stream()); };
  const std::vector<std::string> names = launches_of(find, timer.stream());
  const planes::PlaneSet& set = finder.planes();
  std::printf("%s, %zu points: %zu planes, %lld nodes, %lld planar, %lld peaks, %zu launches\n",
              options.cloud.empty() ? "room" : options.cloud.c_str(), cloud.points(),
              set.planes.size(), static_cast<long long>(set.counts.nodes),
              static_cast<long long>(set.counts.planar_nodes),
              static_cast<long long>(set.counts.peaks), names.size());
  if (!options.unchecked) {
    std::vector<std::byte> expected_labels(cloud.points());
    const planes::PlaneSet expected = planes::reference::find_in_cloud(
        cloud.view(), parameters, reinterpret_cast<std::uint8_t*>(expected_labels.data()));
    require(same(bytes_on_device(labels.get(), cloud.points()), expected_labels, set, expected),
            "the GPU's planes are not those of the reference");
    std::printf("the bits of the reference\n");
  }
  if (options.check) return;
  print_work(
      timer, find, "planes", [&] { finder.planes(); }, names, options.replays_or(51));
}

void measure_obstacles(const KernelOptions& options) {
  for (const ObstacleScene& scene : obstacle_scenes()) {
    SceneFrames frames = draw_frames(scene, 1);
    const DeviceImage frame(view_of(scene, &frames[0]), 1);
    const DeviceImage classes(scene.width, scene.height, SampleType::kU8, 1);
    cuda::ObstacleEngine engine;
    const LaunchTimer timer;
    engine.prepare(scene.width, scene.height, SampleType::kU16, scene.camera, scene.parameters);
    const auto find = [&] {
      engine.start(frame.view(), scene.camera, &scene.ground, scene.parameters, classes.view(),
                   timer.stream());
    };
    const std::vector<std::string> names = launches_of(find, timer.stream());
    obstacles::Obstacles found;
    // Includes the samples of objects, which the device counts.
    const auto finish = [&] { engine.finish(timer.stream(), &found); };
    finish();
    const obstacles::Obstacles expected = obstacles::reference::find(
        view_of(scene, &frames[0]), scene.camera, &scene.ground, scene.parameters);
    const std::vector<std::byte> got = classes.bytes();
    require(std::equal(got.begin(), got.end(),
                       reinterpret_cast<const std::byte*>(expected.classes.data()),
                       reinterpret_cast<const std::byte*>(expected.classes.data() +
                                                          expected.classes.size())) &&
                found.states == expected.states && found.tops == expected.tops &&
                found.ranges == expected.ranges && found.free == expected.free &&
                found.objects == expected.objects,
            std::string(scene.name) + ": the GPU's obstacles are not those of the reference");
    std::printf("%s, %dx%d: %zu objects, %td occupied cells, the bits of the reference\n",
                scene.name, scene.width, scene.height, found.objects.size(),
                std::count(found.states.begin(), found.states.end(), obstacles::kOccupied));
    if (!options.check) {
      print_work(timer, find, "finish", finish, names, options.replays_or(101));
    }
  }
}

}  // namespace rdp::bench
