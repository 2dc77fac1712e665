// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/energy.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <thread>

namespace rdp::bench {
namespace {

// NVML, declared without its header.
struct Nvml {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*device_by_bus)(const char* bus, void** device) = nullptr;
  int (*millijoules)(void* device, unsigned long long* count) = nullptr;
  const char* (*words)(int status) = nullptr;
};

class GpuCounter : public EnergyCounter {
 public:
  GpuCounter(const std::string& bus, const char* name) {
    library_.reset(dlopen(name, RTLD_NOW | RTLD_LOCAL));
    if (library_ == nullptr) {
      const char* const why = dlerror();
      throw std::runtime_error(std::string("expected NVML, got: ") + (why == nullptr ? name : why) +
                               "; install the NVIDIA driver's libraries");
    }
    load("nvmlInit_v2", &nvml_.init);
    load("nvmlShutdown", &nvml_.shutdown);
    load("nvmlDeviceGetHandleByPciBusId_v2", &nvml_.device_by_bus);
    load("nvmlDeviceGetTotalEnergyConsumption", &nvml_.millijoules);
    load("nvmlErrorString", &nvml_.words);
    check(nvml_.init(), "starting NVML", "load the NVIDIA driver");
    started_ = true;
    check(nvml_.device_by_bus(bus.c_str(), &device_), "looking for GPU " + bus,
          "let the process see it");
    joules();
  }
  ~GpuCounter() override {
    if (started_) nvml_.shutdown();
  }

  double joules() override {
    unsigned long long count = 0;
    check(nvml_.millijoules(device_, &count), "reading the counter",
          "take a GPU of compute capability 7.0 or newer, without MIG");
    return 1e-3 * static_cast<double>(count);
  }

 private:
  struct Close {
    void operator()(void* library) const { dlclose(library); }
  };

  template <typename Function>
  void load(const char* name, Function* function) {
    *function = reinterpret_cast<Function>(dlsym(library_.get(), name));
    if (*function != nullptr) return;
    throw std::runtime_error(std::string("expected NVML with ") + name +
                             ", got none; update the NVIDIA driver");
  }
  void check(int status, const std::string& what, const std::string& remedy) const {
    if (status == 0) return;
    throw std::runtime_error(what + ": expected success, got: " + nvml_.words(status) + "; " +
                             remedy);
  }

  std::unique_ptr<void, Close> library_;
  Nvml nvml_;
  bool started_ = false;
  void* device_ = nullptr;
};

// Sums packages only, which include their cores and memory.
class CpuCounter : public EnergyCounter {
 public:
  explicit CpuCounter(const std::filesystem::path& powercap) {
    const std::string wanted = "expected " + powercap.string() + "/*-rapl:N with energy_uj, got ";
    std::error_code error;
    for (const auto& zone : std::filesystem::directory_iterator(powercap, error)) {
      std::string name;
      std::ifstream(zone.path() / "name") >> name;
      if (name.starts_with("package-")) zones_.push_back({zone.path(), 0, 0});
    }
    if (error) throw std::runtime_error(wanted + error.message() + "; " + kRemedy);
    if (zones_.empty()) throw std::runtime_error(wanted + "none of a package; " + kRemedy);
    for (Zone& zone : zones_) {
      zone.range = read(zone.folder / "max_energy_range_uj");
      zone.last = read(zone.folder / "energy_uj");
    }
  }

  // Counters wrap to 0.
  double joules() override {
    for (Zone& zone : zones_) {
      const std::uint64_t count = read(zone.folder / "energy_uj");
      microjoules_ += count >= zone.last ? count - zone.last : zone.range - zone.last + count;
      zone.last = count;
    }
    return 1e-6 * static_cast<double>(microjoules_);
  }

 private:
  static constexpr const char* kRemedy = "take a machine that is not virtual";
  struct Zone {
    std::filesystem::path folder;
    std::uint64_t range, last;
  };

  static std::uint64_t read(const std::filesystem::path& file) {
    std::uint64_t count = 0;
    if (std::ifstream(file) >> count) return count;
    throw std::runtime_error(file.string() +
                             ": expected a number, got none; read it as root, or allow it to all");
  }

  std::vector<Zone> zones_;
  std::uint64_t microjoules_ = 0;
};

template <typename Counter, typename... Arguments>
FoundCounter found(const Arguments&... arguments) {
  try {
    return {std::make_unique<Counter>(arguments...), ""};
  } catch (const std::runtime_error& error) {
    return {nullptr, error.what()};
  }
}

// Works until the counter steps; the time and value of the step.
struct Step {
  double seconds, joules, frames;
};
Step next_step(EnergyCounter* counter, const EnergySide& side, const SecondsClock& now) {
  constexpr double kPatience = 3;
  const double start = now();
  const double before = counter->joules();
  for (double frames = 0;;) {
    frames += static_cast<double>(side.work());
    const double joules = counter->joules();
    const double seconds = now();
    if (joules != before) return {seconds, joules, frames};
    if (seconds - start < kPatience) continue;
    throw std::runtime_error("the energy counter of " + side.name +
                             ": expected one that counts, got one that stands still for 3 s; "
                             "take another device");
  }
}

EnergySide::Turn measured_turn(EnergyCounter* counter, const EnergySide& side, double seconds,
                               double settle, const SecondsClock& now) {
  for (const double start = now(); now() - start < settle;) side.work();
  const Step first = next_step(counter, side, now);
  double frames = 0;
  while (now() - first.seconds < seconds) frames += static_cast<double>(side.work());
  const Step last = next_step(counter, side, now);
  return {frames + last.frames, last.seconds - first.seconds, last.joules - first.joules};
}

}  // namespace

FoundCounter gpu_energy(const std::string& bus, const char* library) {
  return found<GpuCounter>(bus, library);
}

FoundCounter cpu_energy(const std::filesystem::path& powercap) {
  return found<CpuCounter>(powercap);
}

EnergySide::Turn EnergySide::all() const {
  Turn sum;
  for (const Turn& turn : turns) {
    sum.frames += turn.frames;
    sum.seconds += turn.seconds;
    sum.joules += turn.joules;
  }
  return sum;
}

double EnergySide::millijoules_above(double idle_watts) const {
  const Turn sum = all();
  return 1e3 * (sum.joules - idle_watts * sum.seconds) / sum.frames;
}

EnergySide idle_side() {
  return {"idle", [] {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            return 0L;
          }};
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void measure_energy(EnergyCounter* counter, const EnergyPlan& plan, std::vector<EnergySide>* sides,
                    const SecondsClock& now) {
  for (int turn = 0; turn < plan.turns; ++turn) {
    for (EnergySide& side : *sides) {
      side.start();
      side.turns.push_back(
          measured_turn(counter, side, plan.seconds / plan.turns, plan.settle, now));
      side.stop();
    }
  }
}

void print_energy(const std::string& what, const std::vector<EnergySide>& sides) {
  const double idle = sides.front().watts();
  std::printf("| %s | us a frame | W | mJ a frame | above idle (mJ) | least turn | most |\n",
              what.c_str());
  std::puts("|---|---|---|---|---|---|---|");
  std::printf("| idle |  | %.1f |  |  |  |  |\n", idle);
  for (std::size_t i = 1; i < sides.size(); ++i) {
    const EnergySide& side = sides[i];
    std::vector<double> above;
    for (const EnergySide::Turn& turn : side.turns) {
      above.push_back(1e3 * (turn.joules - idle * turn.seconds) / turn.frames);
    }
    const auto [least, most] = std::ranges::minmax(above);
    std::printf("| %s | %.2f | %.1f | %.4g | %.4g | %.4g | %.4g |\n", side.name.c_str(),
                1e6 * side.all().seconds / side.all().frames, side.watts(), side.millijoules(),
                side.millijoules_above(idle), least, most);
  }
  std::fflush(stdout);
}

void run_energy(const FoundCounter& found, double seconds, const std::string& what,
                std::vector<EnergySide>* sides) {
  if (found.counter == nullptr) {
    std::printf("\nno energy of %s: %s\n", what.c_str(), found.absent.c_str());
    return;
  }
  EnergyPlan plan;
  plan.seconds = seconds;
  sides->insert(sides->begin(), idle_side());
  measure_energy(found.counter.get(), plan, sides);
  std::printf("\nEnergy, %g s a side in %d turns\n\n", plan.seconds, plan.turns);
  print_energy(what, *sides);
}

}  // namespace rdp::bench
