// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ENERGY_H_
#define RDP_TESTS_BENCH_ENERGY_H_

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// Energy per frame, from the counters of GPUs (NVML) and CPUs (RAPL).
namespace rdp::bench {

// A counter with an arbitrary start.
class EnergyCounter {
 public:
  virtual ~EnergyCounter() = default;
  // Throws std::runtime_error if the counter is unreadable.
  virtual double joules() = 0;
};

struct FoundCounter {
  std::unique_ptr<EnergyCounter> counter;
  std::string absent;  // the reason if there is no counter
};

// The counter of the GPU with this PCI bus id, such as 00000000:1b:00.0. Loads NVML at run time.
FoundCounter gpu_energy(const std::string& bus, const char* library = "libnvidia-ml.so.1");
// The sum over the CPU's packages.
FoundCounter cpu_energy(const std::filesystem::path& powercap = "/sys/class/powercap");

// One of the compared alternatives.
struct EnergySide {
  std::string name;
  // Processes frames for at most 20 ms, and returns their number. Back to back, so that the device
  // never waits for the next call.
  std::function<long()> work;
  std::function<void()> start = [] {};  // before and after the calls of a turn
  std::function<void()> stop = [] {};

  struct Turn {
    double frames = 0, seconds = 0, joules = 0;
  };
  std::vector<Turn> turns = {};

  Turn all() const;
  double watts() const { return all().joules / all().seconds; }
  double millijoules() const { return 1e3 * all().joules / all().frames; }  // per frame
  // The same without the idle power.
  double millijoules_above(double idle_watts) const;
};

// An idle side, which comes first.
EnergySide idle_side();

struct EnergyPlan {
  double seconds = 20;  // per side, over all its turns
  int turns = 4;
  double settle = 0.5;  // seconds of a turn that do not count
};

using SecondsClock = std::function<double()>;
double steady_seconds();

// Runs the sides in turns. A turn begins and ends at a step of the counter. Throws
// std::runtime_error if the counter does not advance.
void measure_energy(EnergyCounter* counter, const EnergyPlan& plan, std::vector<EnergySide>* sides,
                    const SecondsClock& now = steady_seconds);

// Prints a Markdown table; `what` is the head of its first column.
void print_energy(const std::string& what, const std::vector<EnergySide>& sides);

// Measures all sides and an idle one for `seconds` each, and prints the table. Prints the reason if
// there is no counter.
void run_energy(const FoundCounter& found, double seconds, const std::string& what,
                std::vector<EnergySide>* sides);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ENERGY_H_
