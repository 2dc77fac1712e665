// SPDX-License-Identifier: LGPL-2.1-or-later
// Height maps: graphs of a set with 40 and with 100 half-iterations, each of their steps, and a
// half-iteration, from the difference of 60. The same rounds time a half-iteration of the method's
// paper (paper_messages.cuh) on the same costs. The CPU's times follow.
//
// The result must first equal the CPU engine's, and the paper's messages, with whole labels as
// rises, those of the definition. Also printed: the effect on labels of the paper's own rises,
// fractions of a label.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/heightmap/engine.h"
#include "common/heightmap/reference.h"
#include "common/image/simd.h"
#include "kernels/heightmap/engine.h"
#include "kernels/runtime/cuda_error.h"
#include "kernels/runtime/driver.h"
#include "tests/bench/crowd_sets.h"
#include "tests/bench/gpu_kernels.h"
#include "tests/bench/height_field.h"
#include "tests/bench/paper_heights.h"
#include "tests/bench/plain_beliefs.h"

namespace rdp::bench {
namespace {

using cuda::driver;
using heightmap::Parameters;

constexpr int kUsual = 40;  // half-iterations
constexpr int kPaper = 100;

CrowdSet crowd_of(const KernelOptions& options) {
  DrawnCrowd crowd;
  crowd.late.assign(static_cast<std::size_t>(options.views), 0);
  if (options.quick) {
    crowd.width = 64;
    crowd.height = 48;
    return draw_crowd(crowd);
  }
  if (!options.drawn && options.views == 3) {
    if (std::optional<CrowdSet> recorded = recorded_crowd()) return std::move(*recorded);
  }
  return draw_crowd(crowd);
}

// The pictures of a set and its heights, in device memory.
struct DeviceSet {
  explicit DeviceSet(const CrowdSet& set)
      : heights(set.rig.seen().width, set.rig.seen().height, SampleType::kU16, 512) {
    for (const DepthView& picture : set.pictures()) {
      images.push_back(std::make_unique<DeviceImage>(picture, 512));
      pictures.push_back(images.back()->view());
    }
  }

  std::vector<std::unique_ptr<DeviceImage>> images;
  std::vector<cuda::DeviceDepthView> pictures;
  DeviceImage heights;
};

// An engine prepared for this number of half-iterations.
class Maps {
 public:
  Maps(const CrowdSet& set, const DeviceSet& device, int iterations, CUstream stream)
      : set_(set), device_(device), stream_(stream) {
    parameters_.iterations = iterations;
    engine_.prepare(set.rig, parameters_);
  }

  // Runs all steps from the census to the output.
  void start() {
    engine_.run(device_.pictures, stream_);
    engine_.write_heights(device_.heights.view(), stream_);
  }
  heightmap::Result finish() {
    wait_for(stream_);
    return engine_.finish({});
  }
  void compare(heightmap::Engine* cpu) {
    cpu->prepare(set_.rig, parameters_, {}, UINT64_MAX);
    const heightmap::Result expected = cpu->run(set_.pictures());
    start();
    const heightmap::Result found = finish();
    const std::vector<std::byte> labels = bytes_on_device(engine_.labels(), expected.labels.size());
    require(std::equal(labels.begin(), labels.end(),
                       reinterpret_cast<const std::byte*>(expected.labels.data())) &&
                std::equal(found.heads.begin(), found.heads.end(), expected.heads.begin(),
                           expected.heads.end()) &&
                found.energy == expected.energy && found.known == expected.known &&
                found.iterations == expected.iterations,
            "heights: the GPU and the CPU disagree: nothing is timed");
    std::printf("%d half-iterations: labels, %zu heads and the energy have the bits of the CPU\n",
                expected.iterations, expected.heads.size());
  }

 private:
  const CrowdSet& set_;
  const DeviceSet& device_;
  CUstream stream_;
  Parameters parameters_;
  cuda::HeightEngine engine_;
};

// The step of a launch, by the beginning of the kernel's name. Unknown kernels are steps of their
// own.
struct Step {
  const char* first;
  const char* name;
  const char* goal;
};
constexpr Step kSteps[] = {
    {"rdp_height_census", "census", ""},
    {"rdp_height_differences", "data cost", "600"},
    {"rdp_height_costs", "data cost", "600"},
    {"rdp_height_links", "rises and edges", ""},
    {"rdp_height_send", "half-iterations, all", ""},
    {"rdp_height_exchange", "half-iterations, all", ""},
    {"rdp_height_labels", "labels and energy", ""},
    {"rdp_height_energy", "labels and energy", ""},
    {"rdp_speckles", "speckles, heads and output", "200"},
    {"rdp_heads", "speckles, heads and output", "200"},
    {"rdp_ground", "speckles, heads and output", "200"},
};
Step step_of(const std::string& kernel) {
  for (const Step& step : kSteps) {
    if (kernel.starts_with(step.first)) return step;
  }
  return {"", kernel.c_str(), ""};
}

double percent(std::size_t part, std::size_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::size_t equal_pixels(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] == b[i] ? 1 : 0;
  return count;
}

class Bench {
 public:
  Bench(const CrowdSet& set, const KernelOptions& options)
      : set_(set),
        options_(options),
        device_(set),
        usual_(set, device_, kUsual, timer_.stream()),
        longer_(set, device_, kPaper, timer_.stream()),
        field_(height_field(set.rig, parameters_, set.pictures())),
        paper_(field_, parameters_, sloped_rises(set.rig, parameters_)) {}

  void compare() {
    usual_.compare(&cpu_);
    longer_.compare(&cpu_);
    compare_paper();
  }

  void run() {
    const heightmap::View& seen = set_.rig.seen();
    std::printf(
        "\n%dx%d, %d heights and unknown, %zu views; %.1f MB on the device, %.1f MB of the "
        "paper's\n",
        seen.width, seen.height, parameters_.heights(), set_.rig.views.size(),
        static_cast<double>(cuda::HeightEngine::memory_of(set_.rig, parameters_)) * 1e-6,
        static_cast<double>(paper_.bytes()) * 1e-6);
    char name[256] = "";
    CUdevice device = 0;
    driver().cuCtxGetDevice(&device);
    driver().cuDeviceGetName(name, sizeof(name), device);
    std::printf(
        "%s; us, by CUDA events, %d rounds of %d replays of graphs: median of the rounds' "
        "medians, and the least\n\n"
        "| height map | median | least | goal |\n|---|---|---|---|\n",
        name, rounds_, replays_);
    find_launches();
    for (int round = 0; round < rounds_; ++round) measure();
    print();
    if (options_.kernels) print_launches();
  }

 private:
  // Times of several rounds.
  struct Row {
    std::vector<double> medians = {};
    double least = 1e30;

    void add(const Times& times) {
      medians.push_back(times.median);
      least = std::min(least, times.least);
    }
    double median() const {
      std::vector<double> sorted = medians;
      std::sort(sorted.begin(), sorted.end());
      return sorted[sorted.size() / 2];
    }
  };

  // The launches of a step, first to last.
  struct Part {
    std::string step;
    const char* goal;
    int first;
    int last;
  };

  void compare_paper() {
    Parameters plain = parameters_;
    plain.edge_contrast = 0;
    plain.speckle = 0;
    plain.iterations = options_.quick ? 4 : kUsual;
    cpu_.prepare(set_.rig, plain, {}, UINT64_MAX);
    const heightmap::Result result = cpu_.run(set_.pictures());
    const std::vector<std::uint8_t> ours(result.labels.begin(), result.labels.end());
    const std::size_t pixels = ours.size();
    PaperHeights whole(field_, plain, whole_rises(field_, plain));
    require(whole.labels_after(plain.iterations, timer_.stream()) == ours,
            "heights: the paper's messages with whole labels as rises give other labels than the "
            "definition: nothing is timed");
    const std::vector<std::uint8_t> labels = paper_.labels_after(plain.iterations, timer_.stream());
    const heightmap::reference::Field field{
        field_.width, field_.height, field_.potential, field_.costs, {}};
    const auto energy = static_cast<double>(heightmap::reference::energy(field, plain, labels));
    std::printf(
        "the paper's messages without edges, %d half-iterations: with whole labels as rises %.2f "
        "%% of the labels are the engine's, with the paper's %.2f %%; their energy is %.2f %% "
        "above the engine's\n",
        plain.iterations, 100.0, percent(equal_pixels(labels, ours), pixels),
        100.0 * (energy / static_cast<double>(result.energy) - 1.0));
  }

  void find_launches() {
    names_ = launches_of([&] { usual_.start(); }, timer_.stream());
    usual_.finish();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const Step step = step_of(names_[i]);
      const auto number = static_cast<int>(i);
      if (parts_.empty() || parts_.back().step != step.name) {
        parts_.push_back({step.name, step.goal, number, number});
      }
      parts_.back().last = number;
    }
  }

  void measure() {
    const int replays = replays_;
    const Times forty = timer_.time_graph([&] { usual_.start(); }, replays);
    const Times hundred = timer_.time_graph([&] { longer_.start(); }, replays);
    rows_["40"].add(forty);
    rows_["100"].add(hundred);
    constexpr double kMore = kPaper - kUsual;
    rows_["half"].add(
        {(hundred.median - forty.median) / kMore, (hundred.least - forty.least) / kMore});
    rows_["paper"].add(timer_.time_graph(
        [&] {
          for (int step = 0; step < kPaperSteps; ++step) {
            paper_.half_iteration(step, timer_.stream());
          }
        },
        std::max(replays / 5, 1), kPaperSteps));
    rows_["paper labels"].add(
        timer_.time_graph([&] { paper_.find_labels(timer_.stream()); }, replays));
    std::map<std::string, Times> steps;
    for (const Part& part : parts_) {
      const Times times =
          timer_.time_launches([&] { usual_.start(); }, part.first, part.last, replays);
      steps[part.step].median += times.median;
      steps[part.step].least += times.least;
    }
    for (const auto& [step, times] : steps) rows_[step].add(times);
    rows_["single"].add(timer_.time([&] { usual_.start(); }, replays));
    rows_["host"].add(time_on_host(0, replays, [&] {
      usual_.start();
      usual_.finish();
    }));
  }

  void print_row(const std::string& what, const std::string& row, const char* goal) const {
    const auto found = rows_.find(row);
    if (found == rows_.end()) return;
    std::printf("| %s | %.1f | %.1f | %s |\n", what.c_str(), found->second.median(),
                found->second.least, goal);
  }

  void print() {
    print_row("a set, census to output, 40 half-iterations", "40", "2200");
    print_row("the same, 100 half-iterations", "100", "4000");
    print_row("half-iteration: a 60th of what 60 more take", "half", "30");
    std::set<std::string> printed;
    for (const Part& part : parts_) {
      if (printed.insert(part.step).second) print_row(part.step, part.step, part.goal);
    }
    print_row("a set without a graph, 40 half-iterations", "single", "");
    print_row("the same, by the host's clock, with its wait and finish()", "host", "");
    print_row("the paper's scheme: half-iteration", "paper", "");
    print_row("the paper's scheme: labels", "paper labels", "");
    const Row& half = rows_["half"];
    const Row& paper = rows_["paper"];
    std::printf(
        "\nA half-iteration of the paper's scheme takes %.1f times ours (least over least: "
        "%.1f). The goal is 10.\n",
        paper.median() / half.median(), paper.least / half.least);
    // The minimum of bytes that a half-iteration reads and writes: see the method's reference.
    const double pixels = static_cast<double>(field_.potential.size());
    const double bytes = pixels / 2 * ((parameters_.heights() + 1) * 9.0 + 2);
    std::printf("Ours moves %.1f MB, at %.2f TB/s.\n", bytes * 1e-6, bytes / half.median() * 1e-6);
    std::fflush(stdout);
    print_host();
  }

  void print_host() {
    cpu_.prepare(set_.rig, parameters_, {}, UINT64_MAX);
    const std::vector<DepthView> pictures = set_.pictures();
    const Times set = time_on_host(0, options_.quick ? 1 : 5, [&] { cpu_.run(pictures); });
    PlainBeliefs plain(field_.width, field_.height, parameters_, field_.potential, field_.costs);
    int step = 0;
    const Times pairs = time_on_host(0, 2, [&] { plain.half_iteration_over_pairs(step++); });
    std::printf(
        "On the CPU: a set takes %.1f ms on %u threads with %s, a half-iteration over all pairs of "
        "labels in float %.0f ms on one.\n",
        set.least * 1e-3, cpu_.threads(), current_simd_target(), pairs.least * 1e-3);
  }

  void print_launches() {
    std::printf("\n%-32s %10s %10s\n", "launches of a set", "median", "least");
    for (std::size_t i = 0; i < names_.size(); ++i) {
      // Half-iterations are all alike, so only the first two are timed.
      if (i > 1 && names_[i] == names_[i - 1] && names_[i] == names_[i - 2]) continue;
      rdp::bench::print(names_[i].c_str(),
                        timer_.time_launch([&] { usual_.start(); }, static_cast<int>(i), replays_));
    }
  }

  static constexpr int kPaperSteps = 10;

  const CrowdSet& set_;
  const KernelOptions& options_;
  const int replays_ = options_.quick ? 3 : options_.replays_or(101);
  const int rounds_ = options_.quick ? 1 : options_.rounds > 0 ? options_.rounds : 5;
  const Parameters parameters_;
  const LaunchTimer timer_;
  const DeviceSet device_;
  heightmap::Engine cpu_;
  Maps usual_;
  Maps longer_;
  const HeightField field_;
  PaperHeights paper_;
  std::vector<std::string> names_;
  std::vector<Part> parts_;
  std::map<std::string, Row> rows_;
};

}  // namespace

void measure_heights(const KernelOptions& options) {
  const CrowdSet set = crowd_of(options);
  Bench bench(set, options);
  bench.compare();
  if (!options.check) bench.run();
}

}  // namespace rdp::bench
