// SPDX-License-Identifier: LGPL-2.1-or-later
// Kernel times by CUDA events over replays of CUDA graphs. Every result is compared with the scalar
// reference (the medians: with OpenCV) before anything is timed. --help lists the options.
//
// A time is the median of N replays (51), divided by the number of frames. A replay is one graph of
// at least 24 frames in sequence. The frames are separate copies of more than 128 MB in total, so
// that no cache holds them; "alone" is a graph of a single frame. The experiments:
//   frames  the segmentation with compacted segments, against the kernel with queues, the paper's
//           Algorithm 3 (column-major input, one output byte per sample instead of compacted
//           segments), a floor that reads the frame and writes as many bytes as the result has, an
//           empty launch, and the CPU engine on all threads
//   growth  the same content at heights from 256 to 4096
//   batch   several frames per launch, against the kernel with queues
//   change  the first frames after the content of a stream has changed
//   hard    frames designed to be hard; the worst of them at other heights
//   merge   the segmentation with merge=true against the one without
//   fit     merge=true with fit=absolute, and with merge-bounded=true, against merge=true alone
//   median  the median filters against a copy of the frame and simpler kernels
// --energy: energy per frame instead of times, for all methods and Algorithm 3: see gpu_energy.cpp.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/gpu_experiments.h"
#include "tests/gpu/extra_driver.h"

namespace rdp::bench {

Experiments::Experiments(const GpuOptions& options, const std::vector<std::string>& remarks)
    : options_(options),
      csv_(options.csv, remarks),
      timer_(&rivals_),
      measure_(&rivals_, &timer_, options.replays),
      engine_(0) {
  for (BenchFrame& frame : recorded_frames()) frames_.push_back(filtered(std::move(frame)));
  recorded_ = frames_.size();
  for (BenchFrame& frame : made_frames()) frames_.push_back(std::move(frame));
}

void Experiments::run() {
  if (options_.energy > 0) {
    energy();
    return;
  }
  copy_bandwidth_ = measure_.copy_bytes_a_second();
  const double empty = measure_.empty().microseconds;
  std::printf(
      "copy within the device %.0f GB/s (read and written); an empty launch %.2f us, "
      "alone %.2f us; %u threads of the CPU\n",
      copy_bandwidth_ * 1e-9, empty, measure_.empty_alone().microseconds, engine_.threads());
  record("device", "", nullptr, "copy GB/s", {copy_bandwidth_ * 1e-9, options_.replays});
  record("device", "", nullptr, "empty", {empty, options_.replays});
  if (wanted("frames")) frames();
  if (wanted("growth")) growth();
  if (wanted("batch")) batches();
  if (wanted("change")) changes();
  if (wanted("hard")) hard();
  if (wanted("merge")) merges();
  if (wanted("fit")) fits();
  if (wanted("median")) medians();
  goals();
}

bool Experiments::chosen(const BenchFrame& frame) const {
  const bool named = frame.name.find(options_.frames) != std::string::npos;
  if (!options_.quick) return named;
  // One easy and one hard frame of the paper's size.
  return named && frame.height == 1024 && (frame.name == "street" || frame.name == "noise");
}

void Experiments::record(const char* experiment, const std::string& name, const Question* q,
                         const std::string& rival, Result result, double value) {
  Record r;
  r.experiment = experiment;
  r.frame = name;
  if (q != nullptr) {
    r.width = q->frame.width;
    r.height = q->frame.height;
    r.epsilon = q->epsilon;
    r.segments_a_column = q->segments_a_column();
  }
  r.rival = rival;
  r.microseconds = result.microseconds;
  r.replays = result.replays;
  r.value = value;
  csv_.write(r);
}

void Experiments::goals() {
  const std::vector<Goal> goals = goals_.all();
  if (goals.empty()) return;
  std::printf("\nAgainst the goals, epsilon 4\n");
  const Table table({"what", "goal", "measured", ""});
  for (const Goal& goal : goals) {
    const std::string limit = (goal.at_least ? ">= " : "<= ") + text(goal.limit, 2);
    const char* const verdict = goal.is_reached() ? "reached" : "missed";
    record("goals", goal.text, nullptr, limit + ", " + verdict, {0, 1}, goal.measured);
    table.row({goal.text, limit, text(goal.measured, 2), verdict});
  }
}

namespace {

// Machine, date and command line.
std::vector<std::string> remarks_of(const std::vector<std::string>& command) {
  char name[256] = "";
  CUdevice device = 0;
  int version = 0;
  cuda::check(cuda::driver().cuCtxGetDevice(&device), "asking for the device");
  cuda::check(cuda::driver().cuDeviceGetName(name, sizeof name, device), "asking for its name");
  cuda::check(cuda::driver().cuDriverGetVersion(&version), "asking for the driver's version");
  const int clock = cuda::current_device_attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  const int units = cuda::current_device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  const int cache = cuda::current_device_attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  char day[32] = "";
  const std::time_t now = std::time(nullptr);
  std::strftime(day, sizeof day, "%Y-%m-%d", std::gmtime(&now));
  std::string line;
  for (const std::string& word : command) {
    line += (line.empty() ? "" : " ") + word.substr(line.empty() ? word.rfind('/') + 1 : 0);
  }
  return {std::string(name) + ", " + std::to_string(units) + " multiprocessors, up to " +
              std::to_string(clock / 1000) + " MHz, " + std::to_string(cache >> 20) +
              " MB of second-level cache, driver for CUDA " + std::to_string(version / 1000) + "." +
              std::to_string(version % 1000 / 10),
          std::string(day) + ", " + line};
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) {
  using namespace rdp;
  const std::vector<std::string> command(argv, argv + argc);
  const bench::GpuOptions options = bench::read_gpu_options(argc, argv);
  std::string reason;
  if (cuda::load_driver(&reason) == nullptr || cuda::device_count() == 0) {
    std::printf("skipped: %s\n", reason.empty() ? "no CUDA device" : reason.c_str());
    return 77;
  }
  if (test::extra_driver() == nullptr) {
    std::printf("skipped: the NVIDIA driver has no CUDA graphs (CUDA 11.4)\n");
    return 77;
  }
  try {
    const cuda::PrimaryContext context(options.device);
    const cuda::ContextScope scope(context.get());
    const std::vector<std::string> remarks = bench::remarks_of(command);
    for (const std::string& remark : remarks) std::printf("%s\n", remark.c_str());
    bench::Experiments(options, remarks).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
