// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BENCH_RACE_H_
#define RDP_TESTS_BENCH_RACE_H_

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/image/simd.h"
#include "tests/bench/median.h"
#include "tests/support/command_line.h"

// Comparisons on the CPU, run in turns.
namespace rdp::bench {

// The thread's CPU time, to exclude the machine's other work. Work of several threads needs
// wall-clock time.
inline clockid_t clock_of(int threads) {
  return threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
}

// Times of turns, in milliseconds.
struct Turns {
  clockid_t clock = clock_of(1);
  std::vector<double> times = {};

  template <typename Work>
  void take(const Work& work) {
    const double start = now();
    work();
    times.push_back(now() - start);
  }
  double median() const { return median_of(times); }
  double least() const { return *std::min_element(times.begin(), times.end()); }

 private:
  double now() const {
    timespec time;
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  }
};

struct Rival {
  std::string name;
  std::function<void()> work;
  Turns turns = {};
};

// Each contestant runs once per round, so that changes of clock or load affect all of them. An
// uncounted first turn allocates memory.
template <typename SomeRival>
void race(int rounds, std::vector<SomeRival>* rivals) {
  for (SomeRival& rival : *rivals) rival.work();
  for (int round = 0; round < rounds; ++round) {
    for (SomeRival& rival : *rivals) rival.turns.take(rival.work);
  }
}

// Times an engine against its reference: returns the cells with both times and their ratio.
inline std::string beside_reference(int rounds, std::function<void()> reference,
                                    std::function<void()> engine) {
  std::vector<Rival> rivals;
  rivals.push_back({"reference", std::move(reference)});
  rivals.push_back({"engine", std::move(engine)});
  race(rounds, &rivals);
  const double slow = rivals[0].turns.median();
  const double fast = rivals[1].turns.median();
  char cells[80];
  std::snprintf(cells, sizeof cells, "%.2f | %.2f | %.1f", slow, fast, slow / fast);
  return cells;
}

// The number of rounds from the command line, by default `usual`. RDPSEGMENT_SIMD=AVX2 chooses a
// target.
inline int read_rounds(int argc, char** argv, const char* summary, int usual) {
  bool quick = false;
  int rounds = usual;
  test::CommandLine line(summary);
  line.flag("quick", &quick, "one round, whose times mean nothing");
  line.number("rounds", &rounds, {1, 100000}, "turns that each has");
  line.read(argc, argv);
  const std::string& problem = apply_simd_environment();
  if (!problem.empty()) std::fprintf(stderr, "%s\n", problem.c_str());
  return quick ? 1 : rounds;
}

}  // namespace rdp::bench

#endif  // RDP_TESTS_BENCH_RACE_H_
