// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_SUPPORT_FLOAT_ENVIRONMENTS_H_
#define RDP_TESTS_SUPPORT_FLOAT_ENVIRONMENTS_H_

#include <cfenv>
#include <cstdint>
#include <vector>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

// Floating-point environments that an application may set in its threads. Independent of the test
// framework.
namespace rdp::test {

struct FloatEnvironment {
  const char* name;
  int rounding;
  bool flushes;  // FTZ and DAZ, FZ on Arm
  bool traps;    // invalid operations, divisions by zero, overflows
};

// Queries and sets flush-to-zero in this thread. The setter returns false if it is unsupported.
#if defined(__SSE__)
inline constexpr unsigned kFlushBits = 0x8040;
inline bool flushes_to_zero() { return (_mm_getcsr() & kFlushBits) != 0; }
inline bool flush_to_zero() {
  _mm_setcsr(_mm_getcsr() | kFlushBits);
  return true;
}
#elif defined(__aarch64__)
inline constexpr std::uint64_t kFlushBits = std::uint64_t{1} << 24;
inline std::uint64_t float_control() {
  std::uint64_t control;
  __asm__ __volatile__("mrs %0, fpcr" : "=r"(control));
  return control;
}
inline bool flushes_to_zero() { return (float_control() & kFlushBits) != 0; }
inline bool flush_to_zero() {
  __asm__ __volatile__("msr fpcr, %0" : : "r"(float_control() | kFlushBits));
  return flushes_to_zero();
}
#else
inline bool flushes_to_zero() { return false; }
inline bool flush_to_zero() { return false; }
#endif

inline constexpr int kTrappedErrors = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;

// Queries and sets floating-point traps, which few Arm processors have.
#if defined(__GLIBC__)
inline bool traps_errors() { return (fegetexcept() & kTrappedErrors) == kTrappedErrors; }
inline bool traps_nothing() { return fegetexcept() == 0; }
inline bool trap_errors() {
  std::feclearexcept(FE_ALL_EXCEPT);
  return feenableexcept(kTrappedErrors) != -1 && traps_errors();
}
#else
inline bool traps_errors() { return false; }
inline bool traps_nothing() { return true; }
inline bool trap_errors() { return false; }
#endif

// True if this environment is set in this thread. Exception flags are not compared.
inline bool is_set(const FloatEnvironment& e) {
  return std::fegetround() == e.rounding && flushes_to_zero() == e.flushes &&
         (e.traps ? traps_errors() : traps_nothing());
}

// Sets the environment in this thread and clears all exception flags. False: unsupported here.
inline bool set(const FloatEnvironment& e) {
  std::fesetenv(FE_DFL_ENV);
  std::fesetround(e.rounding);
  return (!e.flushes || flush_to_zero()) && (!e.traps || trap_errors());
}

// Sets an environment in this thread for its lifetime.
class InFloatEnvironment {
 public:
  explicit InFloatEnvironment(const FloatEnvironment& e) { set(e); }
  ~InFloatEnvironment() { std::fesetenv(FE_DFL_ENV); }
  InFloatEnvironment(const InFloatEnvironment&) = delete;
  InFloatEnvironment& operator=(const InFloatEnvironment&) = delete;
};

// The environments that this machine supports. The first one is the standard.
inline const std::vector<FloatEnvironment>& float_environments() {
  static const std::vector<FloatEnvironment> those = [] {
    std::vector<FloatEnvironment> result;
    for (const FloatEnvironment& e : {
             FloatEnvironment{"standard", FE_TONEAREST, false, false},
#ifdef FE_UPWARD
             FloatEnvironment{"upward", FE_UPWARD, false, false},
#endif
#ifdef FE_DOWNWARD
             FloatEnvironment{"downward", FE_DOWNWARD, false, false},
#endif
#ifdef FE_TOWARDZERO
             FloatEnvironment{"toward zero", FE_TOWARDZERO, false, false},
#endif
             FloatEnvironment{"flushed to zero", FE_TONEAREST, true, false},
             FloatEnvironment{"trapped", FE_TONEAREST, false, true},
#ifdef FE_UPWARD
             FloatEnvironment{"all at once", FE_UPWARD, true, true},
#endif
         }) {
      if (set(e)) result.push_back(e);
    }
    std::fesetenv(FE_DFL_ENV);
    return result;
  }();
  return those;
}

}  // namespace rdp::test

#endif  // RDP_TESTS_SUPPORT_FLOAT_ENVIRONMENTS_H_
