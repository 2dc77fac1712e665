// SPDX-License-Identifier: LGPL-2.1-or-later
// Ids of heads over time: the number of id changes, and errors of velocities. Crowds walk at 1.4
// m/s, with three cameras and 10 sets per second for 10 s. A hundred head-seconds are 1000 heads.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/heightmap/engine.h"
#include "tests/bench/accuracy/heightmap_score.h"
#include "tests/bench/accuracy/recorded_table.h"
#include "tests/bench/crowd_sets.h"
#include "tests/bench/median.h"
#include "tests/support/command_line.h"

namespace rdp::bench {
namespace {

constexpr std::uint64_t kMaxTable = std::uint64_t{1} << 30;
constexpr std::int64_t kStep = 100000000;  // ns
constexpr int kSets = 100;

double part_below(std::vector<double> values, double part) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

void add_crowd(const std::string& name, DrawnCrowd crowd, RecordedTable* table) {
  heightmap::Engine engine;
  heightmap::HeadTracks tracks;
  IdScore score;
  CrowdSet set = draw_crowd(crowd);
  for (int i = 0; i < kSets; ++i) {
    crowd.moment += kStep;
    CrowdSet next = draw_crowd(crowd);
    engine.prepare(set.rig, {}, {}, kMaxTable);
    const std::vector<DepthView> pictures = set.pictures();
    const heightmap::Result result = engine.run(pictures);
    tracks.update(result.heads, kStep, heightmap::kHeadTracks);
    score.add(result.heads, tracks, set.people, next.people, static_cast<double>(kStep) / 1e9);
    set = std::move(next);
  }
  table->line(formatted("%-28s %6d %6d %7d  %9.2f    %6.3f  %5.2f", name.c_str(), score.found,
                        score.missed, score.changes, 1000.0 * score.changes / score.found,
                        median_of(score.off), part_below(score.off, 0.9)));
}

int run(int argc, char** argv) {
  std::string expected;
  int seeds = 4;
  test::CommandLine line("How long heads keep their ids, and how exact their velocities are.",
                         "All crowds are drawn.");
  line.file("expected", &expected, "compare with this file");
  line.number("seeds", &seeds, {1, 100}, "crowds of 40 people (4)");
  line.read(argc, argv);
  RecordedTable table;
  table.line("                              heads missed changes  in 100 s      m/s   90 %");
  DrawnCrowd crowd;
  for (int seed = 1; seed <= seeds; ++seed) {
    crowd.seed = static_cast<unsigned>(seed);
    add_crowd(formatted("crowd %d", seed), crowd, &table);
  }
  crowd.seed = 1;
  crowd.noise = 8.0;
  add_crowd("crowd 1, noise 8", crowd, &table);
  crowd = {.seed = 11, .people = 60};
  add_crowd("crowd 11, 60 people", crowd, &table);
  return table.compare(expected);
}

}  // namespace
}  // namespace rdp::bench

int main(int argc, char** argv) { return rdp::bench::run(argc, argv); }
