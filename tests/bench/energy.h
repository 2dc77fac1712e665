// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_ENERGY_H_
#define RDP_TESTS_BENCH_ENERGY_H_

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// Joules of a frame, by the counters of a GPU (NVML) and of a CPU (RAPL).
namespace rdp::bench {

// Counts from an unknown beginning.
class EnergyCounter {
 public:
  virtual ~EnergyCounter() = default;
  // Throws std::runtime_error where the counter cannot be read.
  virtual double joules() = 0;
};

struct FoundCounter {
  std::unique_ptr<EnergyCounter> counter;
  std::string absent;  // why there is none
};

// The counter of the GPU with this PCI bus, as in 00000000:1b:00.0. NVML is loaded at run time.
FoundCounter gpu_energy(const std::string& bus, const char* library = "libnvidia-ml.so.1");
// The sum over the packages of a CPU.
FoundCounter cpu_energy(const std::filesystem::path& powercap = "/sys/class/powercap");

// One of the things that are compared.
struct EnergySide {
  std::string name;
  // Does some frames, for 20 ms at most, and gives their number. Back to back: the device never
  // waits for the next call.
  std::function<long()> work;
  std::function<void()> start = [] {};  // before the calls of a turn, and after them
  std::function<void()> stop = [] {};

  struct Turn {
    double frames = 0, seconds = 0, joules = 0;
  };
  std::vector<Turn> turns = {};

  Turn all() const;
  double watts() const { return all().joules / all().seconds; }
  double millijoules() const { return 1e3 * all().joules / all().frames; }  // of a frame
  // The same without what the machine draws when it idles.
  double millijoules_above(double idle_watts) const;
};

// Nothing to do: the first of the sides.
EnergySide idle_side();

struct EnergyPlan {
  double seconds = 20;  // of each side, in all its turns
  int turns = 4;
  double settle = 0.5;  // seconds of a turn before it counts
};

using SecondsClock = std::function<double()>;
double steady_seconds();

// Gives the sides their turns. A turn begins and ends where the counter steps. Throws
// std::runtime_error where it stands still.
void measure_energy(EnergyCounter* counter, const EnergyPlan& plan, std::vector<EnergySide>* sides,
                    const SecondsClock& now = steady_seconds);

// A table in Markdown with this head of its first column.
void print_energy(const std::string& what, const std::vector<EnergySide>& sides);

// Measures the sides and an idle one, so many seconds each, and prints the table. Says why where
// there is no counter.
void run_energy(const FoundCounter& found, double seconds, const std::string& what,
                std::vector<EnergySide>* sides);

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_ENERGY_H_
