// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/launch_timer.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <utility>

#include "kernels/runtime/context.h"
#include "kernels/runtime/cuda_error.h"
#include "tests/gpu/extra_driver.h"

namespace rdp::bench {
namespace {

using cuda::check;
using cuda::driver;
using test::extra_driver;

Times times_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front()};
}

double elapsed(CUevent start, CUevent stop) {
  float milliseconds = 0;
  check(extra_driver()->cuEventElapsedTime(&milliseconds, start, stop), "reading the time");
  return 1000.0 * static_cast<double>(milliseconds);
}

}  // namespace

Graph::Graph(CUstream stream, const std::function<void()>& work) {
  CUgraph recorded = nullptr;
  check(extra_driver()->cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
        "recording a graph");
  work();
  check(extra_driver()->cuStreamEndCapture(stream, &recorded), "recording a graph");
  const CUresult result = extra_driver()->cuGraphInstantiateWithFlags(&graph_, recorded, 0);
  extra_driver()->cuGraphDestroy(recorded);
  check(result, "making a graph ready");
}

Graph::~Graph() {
  if (graph_ != nullptr) extra_driver()->cuGraphExecDestroy(graph_);
}

Graph::Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}

void Graph::launch(CUstream stream) const {
  check(extra_driver()->cuGraphLaunch(graph_, stream), "starting a graph");
}

Launches& Launches::get() {
  static Launches launches;
  return launches;
}

void Launches::install() {
  // Valid cast: the referenced table is not const.
  auto& table = const_cast<cuda::Driver&>(driver());
  real_ = table;
  table.cuModuleGetFunction = [](CUfunction* function, CUmodule module, const char* name) {
    const CUresult result = get().real_.cuModuleGetFunction(function, module, name);
    if (result == CUDA_SUCCESS) get().functions_[*function] = name;
    return result;
  };
  table.cuLaunchKernel = [](CUfunction function, unsigned blocks_x, unsigned blocks_y,
                            unsigned blocks_z, unsigned threads_x, unsigned threads_y,
                            unsigned threads_z, unsigned shared, CUstream stream, void** arguments,
                            void** extra) {
    Launches& all = get();
    all.names_.push_back(all.functions_[function]);
    return all.launch(
        [&] {
          return all.real_.cuLaunchKernel(function, blocks_x, blocks_y, blocks_z, threads_x,
                                          threads_y, threads_z, shared, stream, arguments, extra);
        },
        stream);
  };
#if CUDA_VERSION >= 12030
  if (real_.cuLaunchKernelEx == nullptr) return;
  table.cuLaunchKernelEx = [](const CUlaunchConfig* config, CUfunction function, void** arguments,
                              void** extra) {
    Launches& all = get();
    all.names_.push_back(all.functions_[function]);
    return all.launch(
        [&] { return all.real_.cuLaunchKernelEx(config, function, arguments, extra); },
        config->hStream);
  };
#endif
}

CUresult Launches::launch(const std::function<CUresult()>& start, CUstream stream) {
  const int number = next_++;
  const auto record = [&](CUevent event) {
    check(extra_driver()->cuEventRecordWithFlags(event, stream, event_flags_),
          "recording an event");
  };
  if (number == first_surrounded_) record(before_);
  const int times = only_ < 0 ? 1 : number == only_ ? times_ : 0;
  CUresult result = CUDA_SUCCESS;
  for (int i = 0; i < times && result == CUDA_SUCCESS; ++i) result = start();
  if (number == last_surrounded_) record(after_);
  return result;
}

void Launches::look_at(int only, int times) {
  only_ = only;
  times_ = times;
  begin();
}

void Launches::surround(int first, int last, CUevent before, CUevent after, bool in_graph) {
  first_surrounded_ = first;
  last_surrounded_ = last;
  before_ = before;
  after_ = after;
  event_flags_ = in_graph ? CU_EVENT_RECORD_EXTERNAL : CU_EVENT_RECORD_DEFAULT;
  begin();
}

void Launches::begin() {
  next_ = 0;
  names_.clear();
}

void print(const char* what, const Times& times) {
  std::printf("%-22s %10.1f %10.1f\n", what, times.median, times.least);
}

LaunchTimer::LaunchTimer() {
  check(driver().cuEventCreate(&start_, CU_EVENT_DEFAULT), "creating an event");
  check(driver().cuEventCreate(&stop_, CU_EVENT_DEFAULT), "creating an event");
}

LaunchTimer::~LaunchTimer() {
  driver().cuEventDestroy_v2(start_);
  driver().cuEventDestroy_v2(stop_);
}

Times LaunchTimer::time(const std::function<void()>& work, int replays, int parts) const {
  std::vector<double> times;
  for (int i = -3; i < replays; ++i) {
    check(driver().cuEventRecord(start_, stream()), "recording an event");
    work();
    check(driver().cuEventRecord(stop_, stream()), "recording an event");
    check(driver().cuEventSynchronize(stop_), "waiting for the GPU");
    if (i >= 0) times.push_back(elapsed(start_, stop_) / parts);
  }
  return times_of(std::move(times));
}

Times LaunchTimer::time_graph(const std::function<void()>& work, int replays, int parts) const {
  const Graph graph(stream(), work);
  return time([&] { graph.launch(stream()); }, replays, parts);
}

Times LaunchTimer::time_launch(const std::function<void()>& work, int number, int replays) const {
  return time_launches(work, number, number, replays);
}

Times LaunchTimer::time_launches(const std::function<void()>& work, int first, int last,
                                 int replays) const {
  Launches& launches = Launches::get();
  launches.surround(first, last, start_, stop_);
  const Graph graph(stream(), work);
  launches.surround(-1, -1, nullptr, nullptr);
  std::vector<double> times;
  for (int i = -3; i < replays; ++i) {
    graph.launch(stream());
    check(driver().cuStreamSynchronize(stream()), "waiting for the GPU");
    if (i >= 0) times.push_back(elapsed(start_, stop_));
  }
  return times_of(std::move(times));
}

Times LaunchTimer::time_started(const std::function<void()>& work, int first, int last,
                                int replays) const {
  Launches& launches = Launches::get();
  std::vector<double> times;
  for (int i = -3; i < replays; ++i) {
    launches.surround(first, last, start_, stop_, false);
    work();
    check(driver().cuStreamSynchronize(stream()), "waiting for the GPU");
    if (i >= 0) times.push_back(elapsed(start_, stop_));
  }
  launches.surround(-1, -1, nullptr, nullptr);
  return times_of(std::move(times));
}

void print_work(const LaunchTimer& timer, const std::function<void()>& work,
                const char* on_host_name, const std::function<void()>& on_host,
                const std::vector<std::string>& names, int replays) {
  std::printf("%-22s %10s %10s\n", "us", "median", "least");
  print("find", timer.time_graph(work, replays));
  print("single", timer.time(work, replays));
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < replays; ++i) on_host();
  const std::chrono::duration<double, std::micro> host = std::chrono::steady_clock::now() - start;
  print(on_host_name, {host.count() / replays, host.count() / replays});
  struct OfKernel {
    double alone = 0, in_graph = 0, started = 0;
    int launches = 0;
  };
  std::map<std::string, OfKernel> of_kernel;
  double in_graph_before = 0, started_before = 0;
  std::printf("%-22s %8s | %8s %8s | %8s %8s\n", "launch, us", "alone", "graph to", "adds",
              "start to", "adds");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const int number = static_cast<int>(i);
    const double alone = timer.time_launch(work, number, replays).median;
    const double in_graph = timer.time_launches(work, 0, number, replays).median;
    const double started = timer.time_started(work, 0, number, replays).median;
    OfKernel& all = of_kernel[names[i]];
    all.alone += alone;
    all.in_graph += in_graph - in_graph_before;
    all.started += started - started_before;
    ++all.launches;
    std::printf("%-22s %8.1f | %8.1f %8.1f | %8.1f %8.1f\n", names[i].c_str(), alone, in_graph,
                in_graph - in_graph_before, started, started - started_before);
    in_graph_before = in_graph;
    started_before = started;
  }
  std::printf("%-22s %8s | %8s %8s | %8s %8s\n", "all launches of", "alone", "number", "adds", "",
              "adds");
  for (const auto& [name, all] : of_kernel) {
    std::printf("%-22s %8.1f | %8d %8.1f | %8s %8.1f\n", name.c_str(), all.alone, all.launches,
                all.in_graph, "", all.started);
  }
}

int run_on_device(int device, const std::function<void()>& run, bool times_launches) {
  std::string reason;
  if (cuda::load_driver(&reason) == nullptr || cuda::device_count() == 0) {
    std::printf("SKIP: %s\n", reason.empty() ? "there is no CUDA device" : reason.c_str());
    return 77;
  }
  if (times_launches && extra_driver() == nullptr) {
    std::printf("SKIP: this driver has no graphs\n");
    return 77;
  }
  try {
    const cuda::PrimaryContext context(device);
    const cuda::ContextScope scope(context.get());
    if (times_launches) Launches::get().install();
    run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace rdp::bench
