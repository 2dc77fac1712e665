// SPDX-License-Identifier: LGPL-2.1-or-later
// The cost of depthalign beyond its kernels: depth in CUDA memory through the element, and the same
// memory through the aligner alone, in turns.
#include <glib/gstdio.h>

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "gst/cuda/cuda_context.h"
#include "gst/memory/cuda_memory.h"
#include "kernels/align/engine.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/gpu_overhead.h"
#include "tests/bench/joined_stream.h"
#include "tests/depthplanes/planes_expected.h"
#include "tests/support/cuda_rows.h"

namespace {

using rdp::bench::JoinedStream;
using rdp::cuda::DeviceDepthView;

constexpr char kCudaMemory[] = "memory:CUDAMemory";
constexpr double kFocal = 525;  // px, of frames 640 wide
constexpr double kShift = -0.015;

// The target camera, in a file.
class TargetFile {
 public:
  TargetFile(int width, int height, double focal) {
    gchar* name = nullptr;
    const int file = g_file_open_tmp("align-XXXXXX.json", &name, nullptr);
    if (file < 0) throw std::runtime_error("there is no temporary file");
    g_close(file, nullptr);
    path = name;
    g_free(name);
    const std::string text = "{\"size\":[" + std::to_string(width) + "," + std::to_string(height) +
                             "],\"focal-length\":" + std::to_string(focal) +
                             ",\"principal-x\":" + std::to_string((width - 1) / 2.0) +
                             ",\"principal-y\":" + std::to_string((height - 1) / 2.0) + "}";
    g_file_set_contents(path.c_str(), text.data(), -1, nullptr);
  }
  ~TargetFile() { g_remove(path.c_str()); }
  std::string path;
};

// The element's work on the GPU, without the element. In a context that is current.
class Kernels {
 public:
  Kernels(const DeviceDepthView& depth, int width, int height, double focal) : depth_(depth) {
    static_cast<rdp::CameraLens&>(parameters_.source) = lens(depth.width, depth.height, kFocal);
    parameters_.source.depth = {false, 0.0, 0.001, 0.0};
    parameters_.target = lens(width, height, focal);
    parameters_.movement.m[3] = kShift;
    const std::size_t pitch = (2 * static_cast<std::size_t>(width) + 511) / 512 * 512;
    aligned_ = {memory_.ensure(pitch * static_cast<std::size_t>(height)),
                static_cast<std::int64_t>(pitch), width, height, rdp::SampleType::kU16};
  }

  void enqueue() { aligner_.align(depth_, parameters_, aligned_, stream_.get()); }
  void wait() const { stream_.synchronize(); }
  void take_results() { aligner_.take_counts(); }

 private:
  static rdp::CameraLens lens(int width, int height, double focal) {
    return {focal, focal, (width - 1) / 2.0, (height - 1) / 2.0, {}};
  }

  DeviceDepthView depth_;
  DeviceDepthView aligned_;
  rdp::align::Parameters parameters_;
  rdp::cuda::DeviceBuffer memory_;
  rdp::cuda::Stream stream_;
  rdp::cuda::DepthAligner aligner_;
};

using Repeats = rdp::bench::OverheadRepeats;

void measure(const Repeats& repeats) {
  const rdp::bench::BenchContext context;
  const int width = 2 * repeats.width;
  const int height = 3 * repeats.height / 2;
  const double focal = 920.0 / 1280 * width;
  const TargetFile target(width, height, focal);
  const planes_rig::Drawn drawn({GST_VIDEO_FORMAT_GRAY16_LE, repeats.width, repeats.height});
  std::string reason;
  GstBuffer* frame = rdp::test::new_cuda_buffer(context.context, drawn.content, &reason);
  if (frame == nullptr) throw std::runtime_error(reason);
  rdp::gst::CudaFrame mapped;
  if (!mapped.map(frame, frames::video_info(drawn.content.shape), rdp::gst::Access::kRead,
                  &reason)) {
    throw std::runtime_error("a frame in CUDA memory: " + reason);
  }
  const DeviceDepthView view = mapped.view();
  mapped.unmap();
  JoinedStream stream({"depthalign",
                       [&](GstElement* element) {
                         g_object_set(element, "depth-unit", 0.001, "focal-length", kFocal,
                                      "target-calibration", target.path.c_str(), nullptr);
                         gst_util_set_object_arg(G_OBJECT(element), "backend", "cuda");
                         gst_util_set_object_arg(G_OBJECT(element), "extrinsics",
                                                 "<1.,0.,0.,-0.015, 0.,1.,0.,0., 0.,0.,1.,0.>");
                       },
                       {{"depth", drawn.content.shape, frame}},
                       kCudaMemory,
                       kCudaMemory,
                       {}});
  const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(context.context));
  Kernels kernels(view, width, height, focal);
  if (rdp::bench::measured_energy(
          "depthalign", [&] { kernels.enqueue(); }, [&] { kernels.wait(); },
          [&] { stream.push(); })) {
    return;
  }
  const auto batch = rdp::bench::time_steps(
      2, repeats.batches, [&] { kernels.wait(); },
      [&] {
        for (int i = 0; i < repeats.batch_size; ++i) kernels.enqueue();
        kernels.wait();
      });
  const double alone = batch.median / repeats.batch_size;
  std::vector<double> waited;
  const auto times = stream.time(repeats.warm_ups, repeats.frames, [&] {
    const auto start = std::chrono::steady_clock::now();
    kernels.enqueue();
    kernels.wait();
    kernels.take_results();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    waited.push_back(time.count());
  });
  waited.erase(waited.begin(), waited.begin() + repeats.warm_ups);
  const double with_wait = rdp::bench::summarize(waited).median;
  std::printf(
      "%s; %dx%d to %dx%d in CUDA memory; us, medians of %d frames after %d to warm up\n\n"
      "| kernels | kernels + wait | element | of it, from its thread having the frame | element - "
      "(kernels + wait) | the same from its thread |\n|---|---|---|---|---|---|\n"
      "| %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n\nThe goal for the last column is 15 us or "
      "less.\n",
      context.name, repeats.width, repeats.height, width, height, repeats.frames, repeats.warm_ups,
      alone, with_wait, times.pushed.median, times.taken.median, times.pushed.median - with_wait,
      times.taken.median - with_wait);
}

}  // namespace

int main(int argc, char** argv) {
  return rdp::bench::run_overhead(argc, argv, "gpu_align_overhead", "depthalign", [](bool quick) {
    measure(quick ? Repeats{160, 96, 4, 8, 1, 2} : Repeats{});
  });
}
