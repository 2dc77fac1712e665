// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BITS_OPERATION_H_
#define RDP_TESTS_BITS_OPERATION_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/bits/case.h"

// The harness for operations that have a scalar reference and a faster, bit-identical version.
//
// An operation is a type with these members, and is registered once:
//
//   static constexpr const char* kName;
//   static constexpr Counts kCounts;                numbers of cases, see below
//   using Spec = …;                                 describes a case without its samples
//   using Case = bits::Case;                        or a type derived from it
//   static std::vector<Spec> hard(Random*, bool all);   difficult cases; `all`: with large ones
//   static Spec any(Random*, bool all);             a random case
//   static Spec usual();                            the case of --bench
//   static std::string text(const Spec&);
//   static Case draw(const Spec&, Random*);         makes the input
//   static void reference(const Spec&, Case*);      computes the expected output
//   struct Host {                                   the CPU engine
//     explicit Host(unsigned threads);              or bands of rows
//     std::string run(const Spec&, const Case&, HostImages&);
//   };
//   struct Device {                                 the GPU engine, in builds with CUDA
//     void start(const Spec&, const Case&, const DeviceJob&, CUstream);
//   };
//
// run() returns the fault of results that are no images; empty: none. A Device may have
// std::string wrong (const Spec&, const Case&) for the same purpose. It may have void prepare
// (const Spec&, const Case&), which allocates all that start() needs. It may also have bool
// again (): true if there was too little room, so that start() must be called once more.
namespace rdp::bits {

// The cases in which engines allocate nothing: none, repeated ones, or all that they have seen.
enum class Steady { kNever, kRepeated, kAlways };

struct Counts {
  int host;           // random cases on the CPU,
  int device;         // and on a GPU
  int few;            // number of all cases with the stand-in driver or emulated kernels
  int always = 0;     // number of hard cases, the first ones, that always run
  bool graph = true;  // launches can be captured
  Steady steady = Steady::kAlways;
  bool in_place = false;  // the output overwrites the input
};

// The seed of all cases: SEED, or a random number, which is printed.
std::uint32_t seed();
// The only case to run: CASE; -1: all.
int only_case();
// The seed of a single case, which reproduces it without the earlier ones.
std::uint32_t seed_of(const char* name, int number);
// True with --bench: operations are measured instead of tested.
bool benchmarks();
// With --draw=N, the number of cases that are only drawn: see draw.h.
int draws();

// The fraction of the cases to run, RDP_GPU_TEST_SCALE, from 0 to 1 (all).
double scale();

template <typename Operation>
struct NumberedSpec {
  int number;
  typename Operation::Spec spec;
};

// The cases of a run: all hard ones and `by_lot` random ones, or a fraction of both.
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

// Describes a failed case, and how to repeat it.
template <typename Operation>
std::string words(const NumberedSpec<Operation>& chosen) {
  return Operation::text(chosen.spec) + " (SEED=" + std::to_string(seed()) +
         " CASE=" + std::to_string(chosen.number) + ")";
}

// Random cases that one engine runs in sequence, or several engines concurrently.
template <typename Operation>
std::vector<NumberedSpec<Operation>> a_few(int count) {
  std::vector<NumberedSpec<Operation>> chosen;
  for (int i = 0; i < count; ++i) {
    Random random(seed_of(Operation::kName, 1000000 + i) ^ 1);
    chosen.push_back({1000000 + i, Operation::any(&random, scale() >= 1)});
  }
  return chosen;
}

// A case that is large enough for several threads.
template <typename Operation>
NumberedSpec<Operation> a_large_one(int number) {
  Random random(seed_of(Operation::kName, 2000000 + number) ^ 1);
  NumberedSpec<Operation> chosen{2000000 + number, Operation::any(&random, true)};
  if constexpr (requires { chosen.spec.parameters.disparities; }) {
    // A smaller one: here threads wait for each other, which is slow on a busy machine.
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

// Prints a row of --bench.
void print_time(const char* name, const std::string& target, double seconds, double reference);

// The shortest time of several calls, in seconds. Each follows a prepare(), which is not timed.
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
