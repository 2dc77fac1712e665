// SPDX-License-Identifier: LGPL-2.1-or-later
// What rdpsegment costs beyond its kernels: street frames in CUDA memory go round through the
// element without a pause, and the same frames through the engine alone. Then the same frames in
// system memory, from end to end: the difference is what transfers cost.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gst/cuda/cuda_context.h"
#include "gst/memory/cuda_memory.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/cuda_memory_overhead.h"
#include "tests/bench/element_stream.h"
#include "tests/bench/gpu_overhead.h"
#include "tests/support/depth_patterns.h"

using rdp::bench::ElementStream;
using rdp::bench::FrameTimes;
using rdp::bench::Repeats;
using rdp::bench::StreamSetup;

namespace {

constexpr int kWidth = 1242;
constexpr int kHeight = 1024;

struct Frame {
  Frame() : samples(static_cast<std::size_t>(kWidth) * kHeight) {
    rdp::test::draw_scene({reinterpret_cast<std::byte*>(samples.data()), std::ptrdiff_t{2} * kWidth,
                           kWidth, kHeight, rdp::SampleType::kU16},
                          rdp::test::Scene::kStreet, 0);
  }
  rdp::DepthView view() const {
    return {reinterpret_cast<const std::byte*>(samples.data()), std::ptrdiff_t{2} * kWidth, kWidth,
            kHeight, rdp::SampleType::kU16};
  }
  std::vector<std::uint16_t> samples;
};

std::string device_name() {
  char name[256] = "";
  CUdevice device = 0;
  rdp::cuda::driver().cuDeviceGet(&device, 0);
  rdp::cuda::driver().cuDeviceGetName(name, sizeof(name), device);
  return name;
}

void cuda_memory_rows(const Frame& frame, const rdp::Parameters& parameters,
                      const Repeats& repeats) {
  std::printf(
      "| in CUDA memory | kernels | enqueueing them | kernels + wait | element, median | "
      "element, mean | element - kernels |\n|---|---|---|---|---|---|---|\n");
  struct Row {
    const char* name;
    bool reconstruct;
    const char* overlay;
  };
  constexpr const char* kPictures = "video/x-raw(memory:CUDAMemory)";
  for (const Row& row : {Row{"segment", false, nullptr}, Row{"segment, reconstruct", true, nullptr},
                         Row{"segment, overlay", false, kPictures},
                         Row{"segment, overlay, reconstruct", true, kPictures}}) {
    StreamSetup setup;
    setup.cuda_memory = true;
    setup.reconstruct = row.reconstruct;
    setup.overlay_caps = row.overlay;
    const auto times = rdp::bench::measure_cuda_memory(frame.view(), parameters, setup, repeats);
    std::printf("| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", row.name, times.kernels,
                times.enqueueing, times.waited.median, times.element.median, times.element.mean,
                times.element.median - times.kernels);
    std::fflush(stdout);
  }
  std::printf(
      "\nThe goal for element - kernels of the first row is 15 us or less. Where enqueueing "
      "takes as long as the kernels,\nthey wait for the host: gpu_bench has their time "
      "alone.\n\n");
}

void end_to_end_rows(const Frame& frame, const rdp::Parameters& parameters,
                     const Repeats& repeats) {
  std::printf("| from end to end, segments read by the CPU | median | mean |\n|---|---|---|\n");
  struct Row {
    const char* name;
    const char* backend;
    bool cuda_memory;
    bool page_locked;
  };
  for (const Row& row : {Row{"CUDA memory", "cuda", true, false},
                         Row{"page-locked memory, backend=cuda", "cuda", false, true},
                         Row{"system memory, backend=cuda", "cuda", false, false},
                         Row{"system memory, backend=cpu", "cpu", false, false}}) {
    StreamSetup setup;
    setup.backend = row.backend;
    setup.cuda_memory = row.cuda_memory;
    setup.page_locked = row.page_locked;
    setup.read_segments = true;
    ElementStream stream(frame.view(), parameters, setup);
    const FrameTimes times = stream.time(repeats.warm_ups, repeats.frames);
    if (stream.backend() != row.backend) {
      throw std::runtime_error(std::string(row.name) +
                               ": rdpsegment works with backend=" + stream.backend());
    }
    std::printf("| %s | %.1f | %.1f |\n", row.name, times.median, times.mean);
    std::fflush(stdout);
  }
}

void measure(const Repeats& repeats) {
  const Frame frame;
  rdp::Parameters parameters;
  parameters.sample_scale = 1.0 / 256;
  {
    StreamSetup setup;
    setup.backend = "cpu";
    ElementStream stream(frame.view(), parameters, setup);
    std::printf(
        "%s, %u CPU threads; street %dx%d GRAY16_LE, epsilon %g px, %.1f segments a "
        "column.\nus a frame; %d frames after %d to warm up, %d buffers\n\n",
        device_name().c_str(), std::thread::hardware_concurrency(), kWidth, kHeight,
        parameters.epsilon, static_cast<double>(stream.count_segments()) / kWidth, repeats.frames,
        repeats.warm_ups, ElementStream::kBuffers);
  }
  if (rdp::bench::energy_seconds > 0) {
    StreamSetup setup;
    setup.cuda_memory = true;
    rdp::bench::measure_cuda_memory(frame.view(), parameters, setup, repeats);
    return;
  }
  cuda_memory_rows(frame, parameters, repeats);
  end_to_end_rows(frame, parameters, repeats);
}

}  // namespace

int main(int argc, char** argv) {
  return rdp::bench::run_overhead(argc, argv, "gpu_element_overhead", "rdpsegment", [](bool quick) {
    measure(quick ? Repeats{1, 3, 1, 2} : Repeats{});
  });
}
