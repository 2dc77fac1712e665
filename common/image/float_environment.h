// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_FLOAT_ENVIRONMENT_H_
#define RDP_COMMON_IMAGE_FLOAT_ENVIRONMENT_H_

#include <cfenv>

#if defined(__SSE__)
#include <xmmintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#endif

// All results are defined in the IEEE 754 environment of a new process: round to nearest, no
// flushing of subnormals to zero, no traps. Each thread has its own environment, inherited from the
// thread that starts it. An application may have changed it: another rounding mode, FTZ and DAZ (FZ
// on Arm), feenableexcept().
//
// So code that computes with floating-point numbers sets the standard environment, and afterwards
// restores the caller's control bits and exception flags. Entry points set it: contain()
// (common/boundary.h), FrameWork::run(), the functions of GObject and GStreamer that elements
// implement, the C functions of the library, and the functions of common/ and kernels/ that decide
// on results. The threads of a ThreadPool set it once, when they start. It is not set around calls
// into other code: no buffer is pushed within it, so that downstream elements work in the
// application's environment.
namespace rdp {

// Sets the standard environment in this thread while the object lives. If it is standard already,
// as nearly always, this costs some register reads; fenv.h would cost ten times that.
//
// The compiler orders it only with respect to calls of functions that it cannot see into, not to
// arithmetic in the same function. Use with_standard_floats() around arithmetic.
class StandardFloats {
 public:
  StandardFloats() noexcept : flags_(read_flags()), was_standard_(is_standard()) {
    if (was_standard_) return;
    std::fegetenv(&inherited_);
    // Nearest, no traps, and FTZ, DAZ and FZ are off, too.
    std::fesetenv(FE_DFL_ENV);
  }
  ~StandardFloats() {
    if (was_standard_) {
      if (read_flags() != flags_) write_flags(flags_);
    } else {
      // Restores flags and traps in one step: one of our flags would trigger the caller's trap.
      std::fesetenv(&inherited_);
    }
  }
  StandardFloats(const StandardFloats&) = delete;
  StandardFloats& operator=(const StandardFloats&) = delete;

 private:
#if defined(__SSE__)
  // MXCSR controls SSE and its successors; the x87 control word controls long double and the C
  // library's number conversions. x87 flags need no saving: no code here raises them.
  using Flags = unsigned;  // the whole register
  static constexpr unsigned kFlagBits = 0x3F;
  static constexpr unsigned kStandardMxcsr = 0x1F80;
  static constexpr unsigned kStandardControl = 0x37F;

  static Flags read_flags() noexcept { return _mm_getcsr(); }
  static void write_flags(Flags flags) noexcept { _mm_setcsr(flags); }
  bool is_standard() const noexcept {
    unsigned short control;
    __asm__ __volatile__("fnstcw %0" : "=m"(control));
    return (flags_ & ~kFlagBits) == kStandardMxcsr && control == kStandardControl;
  }
#elif defined(__aarch64__)
  using Flags = std::uint64_t;

  static Flags read_flags() noexcept {
    Flags flags;
    __asm__ __volatile__("mrs %0, fpsr" : "=r"(flags));
    return flags;
  }
  static void write_flags(Flags flags) noexcept {
    __asm__ __volatile__("msr fpsr, %0" : : "r"(flags));
  }
  bool is_standard() const noexcept {
    std::uint64_t control;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(control));
    return control == 0;
  }
#else
  // Set and restored in any case.
  using Flags = int;

  static Flags read_flags() noexcept { return 0; }
  static void write_flags(Flags) noexcept {}
  bool is_standard() const noexcept { return false; }
#endif

  Flags flags_;
  bool was_standard_;
  std::fenv_t inherited_;  // set if !was_standard_
};

// Calls body() in a separate function that has side effects as far as the compiler knows. So the
// compiler moves no part of body() out of it, nor the call past another one.
template <typename Body>
#if defined(__GNUC__)
[[gnu::noinline]]
#endif
auto call_apart(const Body& body) {
#if defined(__GNUC__)
  __asm__ __volatile__("" ::: "memory");
#endif
  return body();
}

// Calls body() in the standard environment and returns its result. body must capture by reference:
// captured copies could be computed outside of it.
//
// Without -frounding-math, compilers assume rounding to nearest, which is true within body(), and
// may move arithmetic past a call that changes the mode. Hence the separate function. The option
// would not help (GCC does not order arithmetic and fesetround() with it either), and would prevent
// constant folding everywhere else.
template <typename Body>
auto with_standard_floats(const Body& body) {
  const StandardFloats scope;
  return call_apart(body);
}

template <auto kFunction>
struct StandardFloatsCall;

template <typename Result, typename... Arguments, Result (*kFunction)(Arguments...)>
struct StandardFloatsCall<kFunction> {
  static Result call(Arguments... arguments) {
    return with_standard_floats([&]() -> Result { return kFunction(arguments...); });
  }
};

// Wraps a callback, so that it runs in the standard environment:
//   klass->get_property = rdp::in_standard_floats<get_property>;
template <auto kFunction>
inline constexpr auto in_standard_floats = &StandardFloatsCall<kFunction>::call;

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_FLOAT_ENVIRONMENT_H_
