// SPDX-License-Identifier: LGPL-2.1-or-later
// StandardFloats: inside its scope the floating-point environment is standard; afterwards the
// application's settings are restored.
#include "common/image/float_environment.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <limits>
#include <stdexcept>
#include <vector>

#include "common/boundary.h"
#include "common/image/thread_pool.h"
#include "common/scene/tree_crown.h"
#include "tests/support/float_environments.h"

namespace rdp {
namespace {

using test::float_environments;
using test::FloatEnvironment;
using test::InFloatEnvironment;

constexpr int kAll = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT;

// Results that depend on the rounding mode, FTZ, DAZ and traps, in double and in x87 long double.
struct Numbers {
  double third, negative_third, half_of_least, least, infinite, none, overflow;
  long double long_third, long_infinite;

  bool operator==(const Numbers& o) const {
    return third == o.third && negative_third == o.negative_third &&
           half_of_least == o.half_of_least && least == o.least && infinite == o.infinite &&
           none != none && o.none != o.none && overflow == o.overflow &&
           long_third == o.long_third && long_infinite == o.long_infinite;
  }
};

Numbers numbers() {
  volatile double zero = 0.0, one = 1.0, two = 2.0, three = 3.0;
  volatile double smallest = DBL_MIN, denormal = 4 * DBL_TRUE_MIN, largest = DBL_MAX;
  volatile long double long_zero = 0.0L, long_one = 1.0L, long_three = 3.0L;
  return {one / three, -one / three,  smallest / two,        denormal * one,      one / zero,
          zero / zero, largest * two, long_one / long_three, long_one / long_zero};
}

const Numbers& expected() {
  static const Numbers those = numbers();
  return those;
}

TEST(FloatEnvironments, AreNotAllTheSame) {
  expected();
  std::size_t others = 0;
  for (const FloatEnvironment& e : float_environments()) {
    if (e.traps) continue;  // the numbers would end the process
    const InFloatEnvironment here(e);
    ASSERT_TRUE(is_set(e)) << e.name;
    const Numbers found = numbers();
    std::fesetenv(FE_DFL_ENV);
    others += found == expected() ? 0 : 1;
  }
#if defined(__SSE__) || defined(__aarch64__)
  EXPECT_EQ(others, 4U) << "this test sees nothing";
#endif
}

TEST(StandardFloats, AreTheSameInAllEnvironments) {
  expected();
  for (const FloatEnvironment& e : float_environments()) {
    Numbers found;
    bool is_intact;
    {
      const InFloatEnvironment here(e);
      found = with_standard_floats([] { return numbers(); });
      is_intact = is_set(e);
      // Leftover exception flags of the scope would trap here.
      volatile double one = 1.0, three = 3.0;
      volatile long double long_one = 1.0L;
      volatile double sum = one + three;
      volatile long double long_sum = long_one + long_one;
      static_cast<void>(sum + static_cast<double>(long_sum));
    }
    EXPECT_TRUE(found == expected()) << e.name;
    EXPECT_TRUE(is_intact) << e.name;
  }
}

TEST(StandardFloats, LeaveTheFlagsAsTheyWere) {
  for (const FloatEnvironment& e : float_environments()) {
    for (const int before : {0, FE_INEXACT, FE_UNDERFLOW | FE_INEXACT, kAll}) {
      if (e.traps && (before & test::kTrappedErrors) != 0) continue;
      const InFloatEnvironment here(e);
      std::feclearexcept(FE_ALL_EXCEPT);
      if (before != 0) std::feraiseexcept(before);
      with_standard_floats([] {
        volatile double zero = 0.0, three = 3.0, largest = DBL_MAX, smallest = DBL_MIN;
        volatile double results[] = {zero / zero, three / zero, largest * three, 1.0 / three,
                                     smallest / three};
        static_cast<void>(results[0]);
      });
      const int after = std::fetestexcept(FE_ALL_EXCEPT);
      EXPECT_EQ(after, before) << e.name;
    }
  }
}

TEST(StandardFloats, AreAroundAllOfTheBody) {
  volatile double one = 1.0, three = 3.0;
  for (const FloatEnvironment& e : float_environments()) {
    const InFloatEnvironment here(e);
    const double a = one, b = three;
    const double quotient = with_standard_floats([&] { return a / b; });
    EXPECT_EQ(quotient, 1.0 / 3.0) << e.name;
  }
}

TEST(StandardFloats, EndWithAnException) {
  for (const FloatEnvironment& e : float_environments()) {
    const InFloatEnvironment here(e);
    bool caught = false;
    try {
      with_standard_floats([] { throw std::runtime_error("none"); });
    } catch (const std::runtime_error&) {
      caught = true;
    }
    EXPECT_TRUE(caught && is_set(e)) << e.name;
  }
}

TEST(StandardFloats, AreWithinEachOther) {
  for (const FloatEnvironment& e : float_environments()) {
    const InFloatEnvironment here(e);
    const bool same = with_standard_floats([] {
      const Numbers inner = with_standard_floats([] { return numbers(); });
      return inner == expected() && numbers() == expected();
    });
    EXPECT_TRUE(same && is_set(e)) << e.name;
  }
}

double third_of(double one) {
  volatile double three = 3.0;
  return one / three;
}

TEST(StandardFloats, AreAroundFunctionsThatAreCalledBack) {
  double (*const call)(double) = in_standard_floats<third_of>;
  for (const FloatEnvironment& e : float_environments()) {
    const InFloatEnvironment here(e);
    EXPECT_EQ(call(1.0), 1.0 / 3.0) << e.name;
  }
}

TEST(StandardFloats, AreWithinContain) {
  expected();
  for (const FloatEnvironment& e : float_environments()) {
    const InFloatEnvironment here(e);
    const bool same =
        contain([] { return numbers() == expected(); }, [](const char*) { return false; });
    const bool after_throw = contain([]() -> bool { throw std::runtime_error("none"); },
                                     [](const char*) { return numbers() == expected(); });
    EXPECT_TRUE(same && after_throw && is_set(e)) << e.name;
  }
}

// Threads inherit the environment of the thread that starts them.
TEST(StandardFloats, AreThoseOfAThreadPool) {
  expected();
  for (const FloatEnvironment& e : float_environments()) {
    const InFloatEnvironment here(e);
    ThreadPool pool;
    pool.resize(4);
    std::vector<int> same(64, 0);
    const StandardFloats of_this_thread;
    pool.run(64, 4, [&](unsigned item, unsigned, unsigned) {
      same[item] = numbers() == expected() ? 1 : 0;
    });
    EXPECT_EQ(same, std::vector<int>(64, 1)) << e.name;
  }
}

// At a crown's edge, the right camera's ray may miss the surface: no square root of a negative
// number is computed.
TEST(TreeCrown, HasADistanceOrNone) {
  const TreeCrown crown{50.0, 40.0, 20.0, 12.0, 0.15};
  std::feclearexcept(FE_ALL_EXCEPT);
  for (int row = 18; row <= 62; ++row) {
    for (int column = 0; column <= 80; ++column) crown.seen_from_right(column, row);
  }
  EXPECT_EQ(std::fetestexcept(FE_INVALID | FE_DIVBYZERO), 0);
}

}  // namespace
}  // namespace rdp
