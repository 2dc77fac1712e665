// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BITS_OPERATION_H_
#define RDP_TESTS_BITS_OPERATION_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/bits/case.h"

// The harness for operations that have a scalar reference and something faster with its bits.
//
// An operation is a type with these members, and is registered once:
//
//   static constexpr const char* kName;
//   static constexpr Counts kCounts;                how many cases, see below
//   using Spec = …;                                 what a case is, without its samples
//   using Case = bits::Case;                        or a type derived from it
//   static std::vector<Spec> hard(Random*, bool all);   known to be hard; `all`: with large ones
//   static Spec any(Random*, bool all);             anything else, by lot
//   static Spec usual();                            for --bench
//   static std::string text(const Spec&);
//   static Case draw(const Spec&, Random*);         what goes in
//   static void reference(const Spec&, Case*);      what comes out
//   struct Host {                                   the engine of the CPU
//     explicit Host(unsigned threads);              or bands of rows
//     std::string run(const Spec&, const Case&, HostImages&);
//   };
//   struct Device {                                 the engine of the GPU, in builds with CUDA
//     void start(const Spec&, const Case&, const DeviceJob&, CUstream);
//   };
//
// run() returns what is wrong with results that are no images; empty: nothing. A Device may have
// std::string wrong (const Spec&, const Case&) for that, void prepare (const Spec&, const Case&)
// where that allocates all that start() needs, and bool again () that says whether it found too
// little room and has to be started once more.
namespace rdp::bits {

// When engines allocate nothing: never, where a case is repeated, or as soon as they have seen it.
enum class Steady { kNever, kRepeated, kAlways };

struct Counts {
  int host;           // cases by lot on the CPU,
  int device;         // on a GPU,
  int few;            // and of all cases together over the stand-in driver and emulated kernels
  int always = 0;     // of the hard ones, the first so many are never left out
  bool graph = true;  // launches can be captured
  Steady steady = Steady::kAlways;
  bool in_place = false;  // what is written was read
};

// What decides about all cases: SEED, or another number in each run, which is printed.
std::uint32_t seed();
// CASE, to run one case alone; -1: all.
int only_case();
// Of a case of an operation, so that it can be made again without those before it.
std::uint32_t seed_of(const char* name, int number);
// With --bench, each operation is measured instead of tested.
bool benchmarks();
// With --draw=N, the cases of each operation are drawn and nothing else: see draw.h.
int draws();

// The part of the cases that RDP_GPU_TEST_SCALE asks for, from 0 to 1 (all).
double scale();

template <typename Operation>
struct NumberedSpec {
  int number;
  typename Operation::Spec spec;
};

// The cases of one run: all that are hard and `by_lot` more, or a part of both.
template <typename Operation>
std::vector<NumberedSpec<Operation>> choose(int by_lot) {
  const bool all = scale() >= 1;
  Random table(seed_of(Operation::kName, -1));
  const std::vector<typename Operation::Spec> hard = Operation::hard(&table, all);
  const int hard_count = static_cast<int>(hard.size());
  const double part =
      all ? 1 : scale() + (1 - scale()) * Operation::kCounts.few / (hard_count + by_lot);
  std::vector<NumberedSpec<Operation>> chosen;
  for (int number = 0; number < hard_count + by_lot; ++number) {
    Random random(seed_of(Operation::kName, number) ^ 1);
    const bool taken =
        number < Operation::kCounts.always || random.below(1 << 20) < part * (1 << 20);
    if (only_case() >= 0 ? only_case() != number : !taken) continue;
    chosen.push_back({number, number < hard_count ? hard[static_cast<std::size_t>(number)]
                                                  : Operation::any(&random, all)});
  }
  return chosen;
}

template <typename Operation>
typename Operation::Case make(const NumberedSpec<Operation>& chosen) {
  Random random(seed_of(Operation::kName, chosen.number));
  typename Operation::Case made = Operation::draw(chosen.spec, &random);
  Operation::reference(chosen.spec, &made);
  return made;
}

// What to say of a case that went wrong.
template <typename Operation>
std::string words(const NumberedSpec<Operation>& chosen) {
  return Operation::text(chosen.spec) + " (SEED=" + std::to_string(seed()) +
         " CASE=" + std::to_string(chosen.number) + ")";
}

// Cases of which an engine sees one after the other, or several at a time.
template <typename Operation>
std::vector<NumberedSpec<Operation>> a_few(int count) {
  std::vector<NumberedSpec<Operation>> chosen;
  for (int i = 0; i < count; ++i) {
    Random random(seed_of(Operation::kName, 1000000 + i) ^ 1);
    chosen.push_back({1000000 + i, Operation::any(&random, scale() >= 1)});
  }
  return chosen;
}

// The same, so large that several threads take part.
template <typename Operation>
NumberedSpec<Operation> a_large_one(int number) {
  Random random(seed_of(Operation::kName, 2000000 + number) ^ 1);
  NumberedSpec<Operation> chosen{2000000 + number, Operation::any(&random, true)};
  if constexpr (requires { chosen.spec.parameters.disparities; }) {
    // Threads that follow each other, which takes long on a busy machine.
    chosen.spec.width = 64;
    chosen.spec.height = 160;
    chosen.spec.parameters.disparities = 256;
    chosen.spec.parameters.median = 5;
  } else if constexpr (requires { chosen.spec.width; }) {
    chosen.spec.width = 360;
    chosen.spec.height = 240;
  } else {
    chosen.spec.points = 60000;
  }
  if constexpr (requires { chosen.spec.count; }) chosen.spec.count = 1;
  return chosen;
}

// A row of what --bench prints.
void print_time(const char* name, const std::string& target, double seconds, double reference);

// Seconds of a call, the least of several; each has prepare() before it, which does not count.
double time_of(
    const std::function<void()>& call, const std::function<void()>& prepare = [] {});

template <typename Check>
void add_test(const char* operation, const char* name, Check check) {
  struct Test : public ::testing::Test {
    explicit Test(Check its) : check(its) {}
    void TestBody() override { check(); }
    Check check;
  };
  ::testing::RegisterTest(operation, name, nullptr, nullptr, __FILE__, __LINE__,
                          [check]() -> ::testing::Test* { return new Test(check); });
}

// True if there is a GPU, or a stand-in for its driver. Set by main().
inline bool& has_device() {
  static bool value = false;
  return value;
}

}  // namespace rdp::bits

#endif  // RDP_TESTS_BITS_OPERATION_H_
