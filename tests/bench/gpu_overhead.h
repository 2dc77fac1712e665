// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_GPU_OVERHEAD_H_
#define RDP_TESTS_BENCH_GPU_OVERHEAD_H_

#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "gst/cuda/cuda_context.h"
#include "gst/memory/cuda_memory.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/element_stream.h"
#include "tests/bench/gpu_energy.h"
#include "tests/support/command_line.h"

// What the programs have in common that tell what an element costs beyond its kernels.
namespace rdp::bench {

// A context on device 0, and the device's name.
struct BenchContext {
  GstCudaContext* context = gst_cuda_context_new(0);
  char name[256] = "";

  BenchContext() {
    if (context == nullptr) throw std::runtime_error("there is no context on device 0");
    CUdevice device = 0;
    cuda::driver().cuDeviceGet(&device, 0);
    cuda::driver().cuDeviceGetName(name, sizeof(name), device);
  }
  ~BenchContext() { gst_clear_object(&context); }
  BenchContext(const BenchContext&) = delete;
  BenchContext& operator=(const BenchContext&) = delete;
};

struct OverheadRepeats {
  int width = 640;
  int height = 480;
  int warm_ups = 100;
  int frames = 1000;
  int batches = 25;     // of the kernels alone
  int batch_size = 50;  // frames enqueued back to back
};

// Seconds that --energy gives each side; 0: times are measured.
inline double energy_seconds = 0;

// Measures, with --energy, joules of a frame's kernels, back to back until `wait`, and of the
// element, in turns. True where there is nothing more to measure.
inline bool measured_energy(const char* element, const std::function<void()>& enqueue,
                            const std::function<void()>& wait, const std::function<void()>& push) {
  if (energy_seconds <= 0) return false;
  constexpr int kFrames = 16;
  std::vector<EnergySide> sides(2);
  sides[0].name = "kernels";
  sides[0].work = [&] {
    for (int i = 0; i < kFrames; ++i) enqueue();
    wait();
    return long{kFrames};
  };
  sides[1].name = element;
  sides[1].work = [&] {
    for (int i = 0; i < kFrames; ++i) push();
    return long{kFrames};
  };
  run_energy(current_gpu_energy(), energy_seconds, element, &sides);
  return true;
}

// Prints the head of a table whose rows print_turns() makes.
inline void print_turns_head(const BenchContext& context, const OverheadRepeats& repeats,
                             const char* results) {
  std::printf(
      "%s; us, medians of %d frames in CUDA memory after %d to warm up\n\n"
      "| frames | kernels | kernels, wait, %s on the host | element | element - kernels | "
      "element - all of that |\n|---|---|---|---|---|---|\n",
      context.name, repeats.frames, repeats.warm_ups, results);
}

// Times a frame's kernels back to back, then kernels with their results and the element, in turns.
// Kernels has enqueue(), wait() and take_results(). Microseconds.
template <typename Kernels>
void print_turns(const OverheadRepeats& repeats, int width, int height, Kernels& kernels,
                 const std::function<void()>& push) {
  if (measured_energy(
          "element", [&] { kernels.enqueue(); }, [&] { kernels.wait(); }, push)) {
    return;
  }
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  };
  const auto batch = time_steps(
      2, repeats.batches, [&] { kernels.wait(); },
      [&] {
        for (int i = 0; i < repeats.batch_size; ++i) kernels.enqueue();
        kernels.wait();
      });
  const double alone = batch.median / repeats.batch_size;
  std::vector<double> bare;
  std::vector<double> element;
  for (int i = 0; i < repeats.warm_ups + repeats.frames; ++i) {
    Clock::time_point start = Clock::now();
    kernels.enqueue();
    kernels.wait();
    kernels.take_results();
    const double without = since(start);
    start = Clock::now();
    push();
    const double with = since(start);
    if (i < repeats.warm_ups) continue;
    bare.push_back(without);
    element.push_back(with);
  }
  const double without = summarize(bare).median;
  const double with = summarize(element).median;
  std::printf("| %dx%d | %.1f | %.1f | %.1f | %.1f | %.1f |\n", width, height, alone, without, with,
              with - alone, with - without);
  std::fflush(stdout);
}

// Reads the options and measures. Gives the exit status: 77 where there is no device to run on, and
// 1 where measuring throws.
inline int run_overhead(int argc, char** argv, const char* program, const char* element,
                        const std::function<void(bool quick)>& measure) {
  bool quick = false;
  const std::string summary = std::string("What ") + element + " costs beyond its kernels.";
  test::CommandLine line(summary.c_str());
  line.flag("quick", &quick, "a few frames, whose times mean nothing");
  line.number("energy", &energy_seconds,
              "joules a frame instead of times: for so long each side, 20 or more", "SECONDS");
  line.group(gst_init_get_option_group());
  line.read(argc, argv);
  std::string reason;
  if (!gst::cuda_memory_usable(&reason)) {
    std::printf("skipped: %s\n", reason.c_str());
    return 77;
  }
  if (cuda::load_driver(&reason) == nullptr || cuda::device_count() == 0) {
    std::printf("skipped: no CUDA device: %s\n", reason.c_str());
    return 77;
  }
  try {
    measure(quick);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return 1;
  }
}

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_GPU_OVERHEAD_H_
