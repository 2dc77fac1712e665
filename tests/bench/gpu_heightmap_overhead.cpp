// SPDX-License-Identifier: LGPL-2.1-or-later
// What heightmap costs beyond its kernels: sets of pictures in CUDA memory through the element, and
// the same memory through the engine alone, in turns.
#include <glib/gstdio.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/heightmap/engine.h"
#include "common/heightmap/ground.h"
#include "gst/cuda/cuda_context.h"
#include "gst/memory/cuda_memory.h"
#include "kernels/heightmap/engine.h"
#include "kernels/runtime/context.h"
#include "kernels/runtime/device_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/crowd_sets.h"
#include "tests/bench/gpu_overhead.h"
#include "tests/bench/joined_stream.h"
#include "tests/heightmap/calibration_text.h"
#include "tests/support/cuda_rows.h"

namespace {

using rdp::bench::CrowdSet;
using rdp::bench::JoinedStream;
using rdp::bench::summarize;
using rdp::cuda::DeviceDepthView;
using rdp::heightmap::Parameters;

constexpr char kCudaMemory[] = "memory:CUDAMemory";

struct Repeats {
  int width = 781;
  int height = 621;
  int warm_ups = 50;
  int sets = 400;
  int batches = 15;     // of the kernels alone
  int batch_size = 20;  // sets enqueued back to back
};

// The calibration of a set, in a file as long as this lives.
class CalibrationFile {
 public:
  explicit CalibrationFile(const CrowdSet& set) {
    g_autofree gchar* path = nullptr;
    g_autoptr(GError) error = nullptr;
    const int file = g_file_open_tmp("heightmap-XXXXXX.json", &path, &error);
    if (file < 0) throw std::runtime_error(error->message);
    g_close(file, nullptr);
    path_ = path;
    const std::string text = rdp::test::calibration_text(set.rig.views);
    if (g_file_set_contents(path, text.data(), static_cast<gssize>(text.size()), &error) == FALSE) {
      throw std::runtime_error(error->message);
    }
  }
  ~CalibrationFile() { g_remove(path_.c_str()); }
  CalibrationFile(const CalibrationFile&) = delete;
  CalibrationFile& operator=(const CalibrationFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// What the element does on the GPU, without the element: what the host is told, too. In a context
// that is current.
class Kernels {
 public:
  Kernels(const CrowdSet& set, const Parameters& parameters, std::vector<DeviceDepthView> pictures)
      : pictures_(std::move(pictures)) {
    engine_.prepare(set.rig, parameters);
    const rdp::heightmap::View& seen = set.rig.seen();
    const std::size_t pitch = (2 * static_cast<std::size_t>(seen.width) + 511) / 512 * 512;
    heights_ = {memory_.ensure(pitch * static_cast<std::size_t>(seen.height)),
                static_cast<std::int64_t>(pitch), seen.width, seen.height, rdp::SampleType::kU16};
  }

  void enqueue() {
    engine_.run(pictures_, stream_.get());
    engine_.write_heights(heights_, stream_.get());
  }
  void wait() const { stream_.synchronize(); }
  void finish() { engine_.finish({}); }

  // Of a set, in microseconds, without what the host adds.
  double time_batches(const Repeats& repeats) {
    const auto batch = rdp::bench::time_steps(
        2, repeats.batches, [&] { wait(); },
        [&] {
          for (int i = 0; i < repeats.batch_size; ++i) enqueue();
          wait();
        });
    return batch.median / repeats.batch_size;
  }

 private:
  std::vector<DeviceDepthView> pictures_;
  rdp::cuda::Stream stream_;
  rdp::cuda::HeightEngine engine_;
  rdp::cuda::DeviceBuffer memory_;
  DeviceDepthView heights_;
};

std::vector<std::uint16_t> heights_by_cpu(const CrowdSet& set, const Parameters& parameters) {
  rdp::heightmap::Engine engine;
  engine.prepare(set.rig, parameters, {}, UINT64_MAX);
  const rdp::heightmap::Result result = engine.run(set.pictures());
  const rdp::heightmap::View& seen = set.rig.seen();
  std::vector<std::uint16_t> samples(result.labels.size());
  rdp::heightmap::write_heights(parameters, result.labels,
                                {reinterpret_cast<std::byte*>(samples.data()), 2 * seen.width,
                                 seen.width, seen.height, rdp::SampleType::kU16});
  return samples;
}

rdp::bench::JoinedSetup setup_of(GstCudaContext* context, const CrowdSet& set,
                                 const Parameters& parameters, const std::string& calibration) {
  rdp::bench::JoinedSetup setup;
  setup.element = "heightmap";
  setup.set_up = [&parameters, &calibration](GstElement* element) {
    gst_util_set_object_arg(G_OBJECT(element), "backend", "cuda");
    g_object_set(element, "calibration", calibration.c_str(), "iterations",
                 static_cast<guint>(parameters.iterations), nullptr);
  };
  setup.feature = setup.output_feature = kCudaMemory;
  for (std::size_t i = 0; i < set.pixels.size(); ++i) {
    const rdp::heightmap::View& view = set.rig.views[i];
    frames::Content content({GST_VIDEO_FORMAT_GRAY8, view.width, view.height});
    std::memcpy(content.samples.data(), set.pixels[i].data(), set.pixels[i].size());
    std::string reason;
    GstBuffer* buffer = rdp::test::new_cuda_buffer(context, content, &reason);
    if (buffer == nullptr) throw std::runtime_error(reason);
    setup.inputs.push_back({"sink_" + std::to_string(i), content.shape, buffer});
  }
  return setup;
}

void measure_row(GstCudaContext* context, const CrowdSet& set, int iterations,
                 const Repeats& repeats) {
  using Microseconds = std::chrono::duration<double, std::micro>;
  Parameters parameters;
  parameters.iterations = iterations;
  const CalibrationFile calibration(set);
  JoinedStream stream(setup_of(context, set, parameters, calibration.path()));
  stream.push();
  if (stream.backend() != "cuda") {
    throw std::runtime_error("heightmap works with backend=" + stream.backend());
  }
  if (stream.samples() != heights_by_cpu(set, parameters)) {
    throw std::runtime_error("the GPU and the CPU disagree: nothing is timed");
  }

  std::vector<rdp::gst::CudaFrame> mapped(set.pixels.size());
  std::vector<DeviceDepthView> pictures;
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    const rdp::heightmap::View& view = set.rig.views[i];
    std::string reason;
    if (!mapped[i].map(stream.input(i),
                       frames::video_info({GST_VIDEO_FORMAT_GRAY8, view.width, view.height}),
                       rdp::gst::Access::kRead, &reason)) {
      throw std::runtime_error("a view in CUDA memory: " + reason);
    }
    pictures.push_back(mapped[i].view());
  }
  const rdp::cuda::ContextScope scope(rdp::gst::cuda_handle(context));
  Kernels kernels(set, parameters, pictures);
  if (rdp::bench::measured_energy(
          "heightmap", [&] { kernels.enqueue(); }, [&] { kernels.wait(); },
          [&] { stream.push(); })) {
    return;
  }
  const double alone = kernels.time_batches(repeats);
  std::vector<double> waited;
  std::vector<double> finished;
  const auto times = stream.time(repeats.warm_ups, repeats.sets, [&] {
    const auto start = std::chrono::steady_clock::now();
    kernels.enqueue();
    kernels.wait();
    waited.push_back(Microseconds(std::chrono::steady_clock::now() - start).count());
    kernels.finish();
    finished.push_back(Microseconds(std::chrono::steady_clock::now() - start).count());
  });
  for (auto* all : {&waited, &finished}) all->erase(all->begin(), all->begin() + repeats.warm_ups);
  const double with_wait = summarize(waited).median;
  const double whole = summarize(finished).median;
  std::printf("| %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", iterations, alone,
              with_wait, whole, times.pushed.median, times.taken.median,
              times.pushed.median - alone, times.pushed.median - whole, times.taken.median - whole);
  std::fflush(stdout);
}

void measure(const Repeats& repeats) {
  rdp::bench::DrawnCrowd crowd;
  crowd.width = repeats.width;
  crowd.height = repeats.height;
  const CrowdSet set = rdp::bench::draw_crowd(crowd);
  const rdp::bench::BenchContext context;
  std::printf(
      "%s; %dx%d, %zu views; us, medians of %d sets in CUDA memory after %d to warm up\n\n"
      "| half-iterations | kernels | kernels + wait | and finish() | element, set complete to src "
      "| "
      "of it, from its thread having the set | element - kernels | element - (kernels, wait, "
      "finish()) | the same from its thread |\n|---|---|---|---|---|---|---|---|---|\n",
      context.name, repeats.width, repeats.height, set.rig.views.size(), repeats.sets,
      repeats.warm_ups);
  for (const int iterations : {4, 40}) {
    measure_row(context.context, set, iterations, repeats);
  }
  std::printf("\nThe goal for the element - (kernels, wait, finish()) is 30 us or less.\n");
}

}  // namespace

int main(int argc, char** argv) {
  return rdp::bench::run_overhead(argc, argv, "gpu_heightmap_overhead", "heightmap",
                                  [](bool quick) {
                                    measure(quick ? Repeats{160, 128, 2, 4, 1, 2} : Repeats{});
                                  });
}
