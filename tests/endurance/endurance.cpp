// SPDX-License-Identifier: LGPL-2.1-or-later
// Long runs of elements: see options.cpp.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>

#include "tests/endurance/device.h"
#include "tests/endurance/live_objects.h"
#include "tests/endurance/resources.h"
#include "tests/endurance/run.h"

namespace rdp::endurance {

std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

GstObject* shared_device_context(const Setup& setup) {
  GstObject* of_frames = setup.memory.context();
  return of_frames == nullptr ? new_device_context()
                              : static_cast<GstObject*>(gst_object_ref(of_frames));
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kSamples = 200;
constexpr int kSkipped = 77;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::unique_ptr<Run> make_run(const Setup& setup) {
  if (setup.options.run == "many") return make_many(setup);
  if (setup.options.run == "restart") return make_restart(setup);
  return make_stream(setup);
}

// Objects and resources between runs, when only the prepared frames exist.
struct Remains {
  explicit Remains(const DeviceProbe* probe)
      : objects(live_objects()),
        resources(measure_resources(probe)),
        device_objects(probe == nullptr ? -1 : probe->objects()) {}

  LiveObjects objects;
  Resources resources;
  int device_objects;
};

void compare(const Remains& before, const Remains& after, Failures* failures) {
  const std::string objects = more_objects(before.objects, after.objects);
  if (!objects.empty()) failures->add("objects were left behind: " + objects);
  const auto number = [&](const char* what, std::int64_t a, std::int64_t b, std::int64_t allowed) {
    if (b > a + allowed) {
      failures->add(std::string(what) + ": " + std::to_string(a) + " before the run, " +
                    std::to_string(b) + " after it");
    }
  };
  number("threads", before.resources.threads, after.resources.threads, 0);
  number("file descriptors", before.resources.descriptors, after.resources.descriptors, 0);
  number("bytes of GPU memory", before.resources.device, after.resources.device, 4 << 20);
  number("objects of the driver", before.device_objects, after.device_objects, 0);
}

// Progress of the run, from 0 to 1.
double progress_of(const Options& options, std::uint64_t done, double seconds) {
  const double by_frames =
      options.frames == 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(options.frames);
  const double by_time = options.seconds == 0 ? 0.0 : seconds / options.seconds;
  return std::min(1.0, std::max(by_frames, by_time));
}

// Batch size that gives about two hundred batches.
std::uint64_t batch_size(const Options& options) {
  if (options.run == "restart") {
    const auto at_once = static_cast<std::uint64_t>(options.pipelines);
    return std::max(at_once, options.frames / kSamples);
  }
  constexpr std::uint64_t kUnknown = 1000;
  return std::max<std::uint64_t>(options.frames == 0 ? kUnknown : options.frames / kSamples, 1);
}

// A first, uncounted run with fresh frames. It creates what lives as long as the process
// (allocators, types, a thread pool), so that the counted run leaves nothing behind.
void warm_up(const Setup& setup) {
  Latency unused;
  const std::unique_ptr<Run> run = make_run(setup);
  const bool rounds = setup.options.run == "restart";
  run->batch(rounds ? static_cast<std::uint64_t>(4 * setup.options.pipelines) : 400, &unused);
}

ResourceLog::Allowance allowance_for(const Options& options) {
  ResourceLog::Allowance allowance;
  allowance.resident_counts = !options.is_short;
  allowance.each_tenth = !options.is_short;
  // Drivers keep an unknown part of their memory.
  if (options.run != "stream" || options.backend != "cpu") allowance.heap = 512 << 10;
  // Each pipeline that was just disposed of had up to four threads. The last one releases the bus
  // and its two descriptors.
  if (options.run == "restart") {
    allowance.threads = std::int64_t{4} * options.pipelines;
    allowance.descriptors = std::int64_t{2} * options.pipelines;
  }
  return allowance;
}

void print_row(const Options& options, const std::string& done, const ResourceLog& log,
               const Latency& latency, std::uint64_t wrong, double seconds) {
  std::string what = options.run + ", backend=" + options.backend +
                     (options.memory == Memory::kCuda   ? ", CUDA memory"
                      : options.memory == Memory::kNvmm ? ", NVMM memory"
                                                        : "") +
                     (options.share_context ? ", one context" : "") +
                     (options.threads == 1 ? "" : ", threads=" + std::to_string(options.threads));
  std::printf("| %s | %s | %s | %s | %s | %.0f s |\n", what.c_str(), done.c_str(),
              wrong == 0 ? "nothing" : grouped(wrong).c_str(), log.summary().c_str(),
              latency.summary().c_str(), seconds);
}

bool endure(const Options& options, const FrameMemory& memory, const DeviceProbe* probe) {
  CaseTable cases;
  if (options.run == "stream") {
    cases = make_stream_cases(options.small, memory);
  } else {
    cases = make_side_by_side_cases(options.run == "many", memory);
  }
  Failures failures;
  const Setup setup{options, memory, cases, failures};
  warm_up(setup);
  settle_threads();
  const Remains before(probe);

  auto latency = std::make_unique<Latency>();
  ResourceLog log(probe, allowance_for(options));
  const Clock::time_point start = Clock::now();
  std::unique_ptr<Run> run = make_run(setup);
  double progress = 0;
  bool goes_on = true;
  while (progress < 1 && goes_on) {
    std::uint64_t amount = batch_size(options);
    if (options.frames != 0) amount = std::min(amount, options.frames - run->done());
    latency->set_progress(progress);
    goes_on = run->batch(amount, latency.get());
    progress = progress_of(options, run->done(), seconds_since(start));
    log.sample(progress);
  }
  const double seconds = seconds_since(start);
  const std::string done = run->report();
  const std::string resources = log.report(&failures);
  // In run "many", frames mostly wait for other elements on the same processors.
  const double growth = options.run == "stream" ? 2 : 4;
  const std::string times = latency->report(options.is_short ? 0 : growth, &failures);
  const std::string summary = run->summary();
  // Leftovers of the run are visible only after its end.
  run.reset();
  settle_threads();
  compare(before, Remains(probe), &failures);

  std::printf("%s%s  time: %s\n  objects: %s\n", done.c_str(), resources.c_str(), times.c_str(),
              leaks_tracer_runs() ? "counted before and after" : "not counted, no leaks tracer");
  print_row(options, summary, log, *latency, failures.count(), seconds);
  return failures.count() == 0;
}

int run_all(const Options& options) {
  std::unique_ptr<DeviceProbe> probe;
  std::string reason;
  const bool usable = device_usable(&reason);
  if (options.backend == "cuda" || options.memory == Memory::kCuda) {
    if (!usable) {
      std::printf("skipped: %s\n", reason.c_str());
      return kSkipped;
    }
  }
  if (usable && options.backend != "cpu") {
    probe = std::make_unique<DeviceProbe>();
    std::printf("%s\n", probe->name().c_str());
  }
  const FrameMemory memory(options.memory, options.backend != "cpu" && usable);
  return endure(options, memory, probe.get()) ? 0 : 1;
}

// malloc()'s per-thread caches and arenas fill up slowly and at random, to megabytes with a hundred
// threads. That growth is no leak, but would hide one. The C library reads the variable at program
// start, so the program starts again.
void restart_with_a_plain_malloc(char** argv) {
  constexpr char kVariable[] = "GLIBC_TUNABLES";
  if (g_getenv(kVariable) != nullptr) return;
  g_setenv(kVariable, "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1", TRUE);
  execv("/proc/self/exe", argv);
  // If exec fails, the program continues unchanged.
}

}  // namespace
}  // namespace rdp::endurance

int main(int argc, char** argv) {
  const rdp::endurance::Options options = rdp::endurance::parse_options(argc, argv);
  rdp::endurance::restart_with_a_plain_malloc(argv);
  if (options.trace_objects) rdp::endurance::enable_leaks_tracer();
  gst_init(nullptr, nullptr);
  GstElementFactory* factory = gst_element_factory_find("rdpsegment");
  if (factory == nullptr) {
    std::fprintf(stderr,
                 "endurance: there is no element rdpsegment: GST_PLUGIN_PATH must name the folder "
                 "of libgstrdpsegment.so\n");
    return 1;
  }
  gst_object_unref(factory);
  try {
    return rdp::endurance::run_all(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "endurance: %s\n", error.what());
    return 1;
  }
}
