// SPDX-License-Identifier: LGPL-2.1-or-later
// What depthstereo costs beyond its kernels: pairs in CUDA memory through the element, and the same
// memory through the matcher alone, in turns. Then pairs in system memory from end to end, where
// the difference is what transfers cost.
#include <cstdio>
#include <stdexcept>

#include "gst/cuda/cuda_context.h"
#include "gst/memory/cuda_memory.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/copy_rows.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "kernels/stereo/engine.h"
#include "tests/bench/gpu_overhead.h"
#include "tests/bench/stereo_stream.h"
#include "tests/support/cuda_rows.h"

namespace {

using rdp::bench::StereoSetup;
using rdp::bench::StereoStream;
using rdp::bench::StereoViews;
using rdp::cuda::DeviceDepthView;

constexpr char kCudaMemory[] = "memory:CUDAMemory";

struct Repeats {
  int width = 1242;
  int height = 375;
  int warm_ups = 100;
  int pairs = 1000;
  int batches = 25;     // of the kernels alone
  int batch_size = 50;  // pairs enqueued back to back
};

// What the element does on the GPU, without the element. In a context that is current.
class Kernels {
 public:
  Kernels(const DeviceDepthView& left, const DeviceDepthView& right,
          const rdp::stereo::Parameters& parameters, bool data_pads)
      : left_(left), right_(right), parameters_(parameters) {
    disparity_ = output(&disparity_memory_, rdp::SampleType::kU16);
    if (!data_pads) return;
    confidence_ = output(&confidence_memory_, rdp::SampleType::kU8);
    rectified_ = output(&rectified_memory_, rdp::SampleType::kU8);
  }

  void enqueue() {
    if (rectified_.data != 0)
      rdp::cuda::copy_rows(left_, rectified_, stream_.get(), "copying a view");
    matcher_.match({left_, right_, {}, {}}, parameters_, {disparity_, confidence_}, stream_.get());
  }
  void wait() const { stream_.synchronize(); }

  // Of a pair, in microseconds, without what the host adds.
  double time_batches(const Repeats& repeats) {
    const auto batch = rdp::bench::time_steps(
        2, repeats.batches, [&] { wait(); },
        [&] {
          for (int i = 0; i < repeats.batch_size; ++i) {
            enqueue();
          }
          wait();
        });
    return batch.median / repeats.batch_size;
  }

 private:
  DeviceDepthView output(rdp::cuda::DeviceBuffer* memory, rdp::SampleType type) const {
    const std::size_t row_bytes = static_cast<std::size_t>(left_.width) *
                                  static_cast<std::size_t>(rdp::bytes_per_sample(type));
    const std::size_t pitch = (row_bytes + 511) / 512 * 512;
    return {memory->ensure(pitch * static_cast<std::size_t>(left_.height)),
            static_cast<std::int64_t>(pitch), left_.width, left_.height, type};
  }

  DeviceDepthView left_;
  DeviceDepthView right_;
  rdp::stereo::Parameters parameters_;
  rdp::cuda::Stream stream_;
  rdp::cuda::StereoEngine matcher_;
  rdp::cuda::DeviceBuffer disparity_memory_;
  rdp::cuda::DeviceBuffer confidence_memory_;
  rdp::cuda::DeviceBuffer rectified_memory_;
  DeviceDepthView disparity_;
  DeviceDepthView confidence_;
  DeviceDepthView rectified_;
};

GstBuffer* device_buffer(GstCudaContext* context, const frames::Content& content) {
  std::string reason;
  GstBuffer* buffer = rdp::test::new_cuda_buffer(context, content, &reason);
  if (buffer == nullptr) throw std::runtime_error(reason);
  return buffer;
}

void check(const StereoStream& stream, const StereoViews& views,
           const rdp::stereo::Parameters& parameters) {
  if (stream.backend() != "cuda") {
    throw std::runtime_error("depthstereo works with backend=" + stream.backend());
  }
  if (stream.samples() != rdp::bench::match_views(views, parameters)) {
    throw std::runtime_error("the GPU and the CPU disagree: nothing is timed");
  }
}

void cuda_memory_row(GstCudaContext* context, const StereoViews& views,
                     const rdp::stereo::Parameters& parameters, bool data_pads,
                     const Repeats& repeats) {
  StereoSetup setup;
  setup.backend = "cuda";
  setup.feature = setup.output_feature = kCudaMemory;
  setup.data_pads = data_pads;
  StereoStream stream(views, parameters, setup, [&](const frames::Content& content) {
    return device_buffer(context, content);
  });
  stream.push();
  check(stream, views, parameters);

  const GstVideoInfo info = frames::video_info(views.left.shape);
  rdp::gst::CudaFrame left;
  rdp::gst::CudaFrame right;
  std::string reason;
  if (!left.map(stream.left(), info, rdp::gst::Access::kRead, &reason) ||
      !right.map(stream.right(), info, rdp::gst::Access::kRead, &reason)) {
    throw std::runtime_error("a view in CUDA memory: " + reason);
  }
  const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(context));
  Kernels kernels(left.view(), right.view(), parameters, data_pads);
  if (rdp::bench::measured_energy(
          "depthstereo", [&] { kernels.enqueue(); }, [&] { kernels.wait(); },
          [&] { stream.push(); })) {
    return;
  }
  const double alone = kernels.time_batches(repeats);
  std::vector<double> waited;
  const auto times = stream.time(repeats.warm_ups, repeats.pairs, [&] {
    const auto start = std::chrono::steady_clock::now();
    kernels.enqueue();
    kernels.wait();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    waited.push_back(time.count());
  });
  waited.erase(waited.begin(), waited.begin() + repeats.warm_ups);
  const double with_wait = rdp::bench::summarize(waited).median;
  std::printf("| %s, %d paths | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n",
              data_pads ? "src, rectified, confidence" : "src", parameters.paths, alone, with_wait,
              times.pushed.median, times.taken.median, times.pushed.median - alone,
              times.pushed.median - with_wait, times.taken.median - with_wait);
  std::fflush(stdout);
}

void system_memory_row(const char* name, const char* backend, unsigned threads,
                       const StereoViews& views, const rdp::stereo::Parameters& parameters,
                       const Repeats& repeats) {
  StereoSetup setup;
  setup.backend = backend;
  setup.threads = threads;
  StereoStream stream(views, parameters, setup, frames::new_buffer);
  stream.push();
  if (g_str_equal(backend, "cuda")) check(stream, views, parameters);
  const auto times = stream.time(repeats.warm_ups / 4, repeats.pairs / 4);
  std::printf("| %s, %d paths | %.1f | %.1f |\n", name, parameters.paths, times.pushed.median,
              times.pushed.mean);
  std::fflush(stdout);
}

void measure(const Repeats& repeats) {
  rdp::stereo::Parameters parameters;
  if (repeats.width < 1000) parameters.disparities = 32;
  const StereoViews views(repeats.width, repeats.height, parameters);
  const rdp::bench::BenchContext context;
  std::printf(
      "%s; %dx%d, %d disparities; us, medians of %d pairs after %d to warm up\n\n"
      "| in CUDA memory | kernels | kernels + wait | element, pair complete to src | of it, from "
      "its thread having the pair | element - kernels | element - (kernels + wait) | the same from "
      "its thread |\n|---|---|---|---|---|---|---|---|\n",
      context.name, repeats.width, repeats.height, parameters.disparities, repeats.pairs,
      repeats.warm_ups);
  for (const int paths : {4, 8}) {
    parameters.paths = paths;
    for (const bool data_pads : {false, true}) {
      cuda_memory_row(context.context, views, parameters, data_pads, repeats);
    }
  }
  if (rdp::bench::energy_seconds > 0) return;
  std::printf(
      "\nThe goal for element - kernels of the first row is 25 us or less.\n\n"
      "| in system memory, from end to end | median | mean |\n|---|---|---|\n");
  for (const int paths : {4, 8}) {
    parameters.paths = paths;
    system_memory_row("backend=cuda", "cuda", 1, views, parameters, repeats);
    system_memory_row("backend=cpu", "cpu", 0, views, parameters, repeats);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return rdp::bench::run_overhead(argc, argv, "gpu_stereo_overhead", "depthstereo", [](bool quick) {
    measure(quick ? Repeats{160, 96, 4, 8, 1, 2} : Repeats{});
  });
}
