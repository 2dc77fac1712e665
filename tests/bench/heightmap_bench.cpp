// SPDX-License-Identifier: LGPL-2.1-or-later
// Times of a height map and of a half-iteration of belief propagation: the engine, bit-identical
// plain C++ in linear time, and all pairs of labels in float, as in the method's paper (see
// common/heightmap/reference.h).
//
// Each contestant runs once per round, so that changes of clock or load affect all of them. Only
// ratios are meaningful.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/heightmap/belief_field.h"
#include "common/heightmap/engine.h"
#include "common/heightmap/geometry.h"
#include "common/heightmap/potential.h"
#include "common/heightmap/rules.h"
#include "common/image/simd.h"
#include "tests/bench/crowd_sets.h"
#include "tests/bench/plain_beliefs.h"
#include "tests/bench/race.h"
#include "tests/heightmap/heightmap_cases.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

using heightmap::Parameters;

struct Options {
  int rounds = 9;
  int threads = 2;
  int slow_rounds = 2;
  bool all_targets = false;
  bool quick = false;

  Options(int count, char** words);
};

Options::Options(int count, char** words) {
  test::CommandLine line("How long height maps take, and belief propagation by other code.",
                         "The pictures are stereo/crowd-synthetic of the folder of "
                         "RDPSEGMENT_TEST_DATA, else made ones of their size.");
  line.number("rounds", &rounds, {1, 10000}, "each has so many turns (default 9)");
  line.number("slow-rounds", &slow_rounds, {1, 10000},
              "what is not the engine's has so many (default 2)");
  line.number("threads", &threads, {1, 256}, "beside one thread, also so many (default 2)");
  line.flag("all-targets", &all_targets, "not only the machine's best and AVX2");
  line.flag("quick", &quick, "twice each on small pictures: the times mean nothing");
  line.read(count, words);
  if (quick) rounds = slow_rounds = 2;
}

struct Row {
  std::string name;
  std::function<void()> work;
  Turns turns = {};
  int rounds = 1;
};

CrowdSet made_set(int width, int height) {
  CrowdSet set;
  set.rig = test::crowd_rig(3, width, height, 2.24 * width);
  std::mt19937 random(1);
  for (int view = 0; view < 3; ++view) {
    auto& pixels = set.pixels.emplace_back();
    for (int i = 0; i < width * height; ++i) {
      pixels.push_back(static_cast<std::uint8_t>(random() >> 24));
    }
  }
  return set;
}

class Race {
 public:
  Race(const CrowdSet& set, const Options& options)
      : set_(set), options_(options), pictures_(set.pictures()) {
    const heightmap::Geometry geometry = heightmap::geometry_of(set.rig);
    potential_ = heightmap::potential_of(geometry, parameters_);
    std::mt19937 random(1);
    const auto labels = static_cast<std::size_t>(parameters_.heights() + 1);
    costs_.resize(potential_.size() * labels);
    for (std::uint8_t& cost : costs_) cost = static_cast<std::uint8_t>(random() >> 25);
    plain_ = std::make_unique<PlainBeliefs>(geometry.width, geometry.height, parameters_,
                                            potential_, costs_);
    plain_row_ = add({"plain C++, linear time: half-iteration",
                      [this] { plain_->half_iteration(plain_steps_++); },
                      {clock_of(1)},
                      options.slow_rounds});
    pairs_row_ = add({"all pairs of labels, float: half-iteration",
                      [this] { plain_->half_iteration_over_pairs(pair_steps_++); },
                      {clock_of(1)},
                      options.slow_rounds});
    const std::string best = current_simd_target();
    for (const std::string& target : simd_targets()) {
      if (!options.all_targets && target != best && target != "AVX2") continue;
      for (const bool table : {true, false}) {
        add_engine(target, table, 1);
        if (options.threads > 1) add_engine(target, table, static_cast<unsigned>(options.threads));
      }
    }
  }

  void run() {
    for (int round = 0; round < options_.rounds; ++round) {
      for (Row& row : rows_) {
        if (round >= row.rounds) continue;
        row.turns.take(row.work);
      }
    }
  }

  void print() const {
    const heightmap::View& seen = set_.rig.seen();
    const heightmap::Memory memory =
        heightmap::Engine::memory_of(set_.rig, parameters_, UINT64_MAX);
    std::printf(
        "%dx%d, %d heights and unknown, %zu views, window %d, %d half-iterations; ms, by the "
        "thread's time where there is one, median and least of %d rounds\n"
        "memory: %.1f MB, and %.1f MB of the table of places\n\n",
        seen.width, seen.height, parameters_.heights(), set_.rig.views.size(), parameters_.window,
        parameters_.iterations, options_.rounds, static_cast<double>(memory.work) * 1e-6,
        static_cast<double>(memory.table) * 1e-6);
    std::puts("| | median | least |\n|---|---|---|");
    for (const Row& row : rows_) {
      std::printf("| %s | %.2f | %.2f |\n", row.name.c_str(), row.turns.median(),
                  row.turns.least());
    }
    std::puts(
        "\n| engine | a set | without half-iterations | half-iteration | plain over it | all pairs "
        "over it |\n|---|---|---|---|---|---|");
    for (const Engine& engine : engines_) {
      const double whole = rows_[engine.whole].turns.median();
      const double without = rows_[engine.without].turns.median();
      const double half = (whole - without) / parameters_.iterations;
      std::printf("| %s | %.1f | %.1f | %.2f | %.1f | %.1f |\n", engine.name.c_str(), whole,
                  without, half, rows_[plain_row_].turns.median() / half,
                  rows_[pairs_row_].turns.median() / half);
    }
  }

  // True if the plain code and the engine give equal labels.
  bool same_labels() const {
    const heightmap::View& seen = set_.rig.seen();
    PlainBeliefs plain(seen.width, seen.height, parameters_, potential_, costs_);
    heightmap::BeliefField field;
    field.prepare(seen.width, seen.height, parameters_, potential_.data());
    const heightmap::MessageLayout& layout = field.layout();
    const int labels = parameters_.heights() + 1;
    for (int y = 0; y < seen.height; ++y) {
      for (int x = 0; x < seen.width; ++x) {
        for (int l = 0; l < labels; ++l) {
          field.costs()[layout.costs(y, (x + y) & 1) + l * layout.stride + x / 2] =
              costs_[static_cast<std::size_t>((y * seen.width + x) * labels + l)];
        }
      }
    }
    constexpr int kSteps = 3;
    std::vector<std::uint8_t> decided(potential_.size());
    for (int k = 0; k < kSteps; ++k) {
      plain.half_iteration(k);
      for (int y = 0; y < seen.height; ++y) field.half_iteration(k, y);
    }
    for (int y = 0; y < seen.height; ++y) {
      field.decide(kSteps, y, decided.data() + std::ptrdiff_t{y} * seen.width);
    }
    return decided == plain.decide();
  }

 private:
  struct Engine {
    std::string name;
    std::size_t whole;
    std::size_t without;
  };

  std::size_t add(Row row) {
    rows_.push_back(std::move(row));
    return rows_.size() - 1;
  }

  void add_engine(const std::string& target, bool table, unsigned threads) {
    const std::string name = target + (table ? ", table, " : ", no table, ") +
                             std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    const auto row = [&](bool whole) {
      Parameters parameters = parameters_;
      if (!whole) parameters.iterations = 0;
      const auto engine = std::make_shared<heightmap::Engine>(threads);
      use_simd_target(target);
      engine->prepare(set_.rig, parameters, {}, table ? UINT64_MAX : 0);
      engine->run(pictures_);  // touches its memory for the first time
      use_simd_target("");
      return add({name + (whole ? ": a set" : ": without half-iterations"),
                  [this, engine, target] {
                    use_simd_target(target);
                    engine->run(pictures_);
                    use_simd_target("");
                  },
                  {clock_of(static_cast<int>(threads))},
                  options_.rounds});
    };
    const std::size_t whole = row(true);
    engines_.push_back({name, whole, row(false)});
  }

  const CrowdSet& set_;
  const Options& options_;
  Parameters parameters_;
  std::vector<DepthView> pictures_;
  std::vector<std::int32_t> potential_;
  std::vector<std::uint8_t> costs_;
  std::unique_ptr<PlainBeliefs> plain_;
  int plain_steps_ = 0;
  int pair_steps_ = 0;
  std::vector<Row> rows_;
  std::size_t plain_row_ = 0;
  std::size_t pairs_row_ = 0;
  std::vector<Engine> engines_;
};

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) {
  using rdp::bench::CrowdSet;
  const rdp::bench::Options options(argc, argv);
  const CrowdSet set = options.quick
                           ? rdp::bench::made_set(150, 120)
                           : rdp::bench::recorded_crowd().value_or(rdp::bench::made_set(781, 621));
  rdp::bench::Race race(set, options);
  if (!race.same_labels()) {
    std::fputs("heightmap_bench: plain C++ and the engine have other labels\n", stderr);
    return 1;
  }
  race.run();
  race.print();
  return 0;
}
