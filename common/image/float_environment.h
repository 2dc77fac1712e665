// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_FLOAT_ENVIRONMENT_H_
#define RDP_COMMON_IMAGE_FLOAT_ENVIRONMENT_H_

#include <cfenv>

#if defined(__SSE__)
#include <xmmintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#endif

// Every result is defined in IEEE 754 arithmetic as a process finds it when it starts: numbers are
// rounded to nearest, the smallest ones are not flushed to zero, and nothing is trapped. All of
// that is a thread's own, a new thread inherits it of the thread that starts it, and an application
// may have changed it: another rounding mode, FTZ and DAZ (FZ on Arm), feenableexcept().
//
// So whatever computes with floating-point numbers sets the environment that it needs, and restores
// what it found: the control bits, and the exception flags, so that nobody sees that there was
// work. It is set where others call in: in contain() (common/boundary.h), in FrameWork::run(), in
// the functions of GObject and GStreamer that elements implement, in the C functions of the
// library, and in the entry points of common/ and kernels/ that decide on results. The threads of a
// ThreadPool set it once, when they start. It is not set around what others do: no buffer is pushed
// within it, so that the elements downstream work in the application's environment.
namespace rdp {

// The standard environment in this thread for as long as the object lives. Where it is standard
// anyway, as nearly always, that costs some reads of registers: fenv.h would cost ten times that.
//
// It orders itself only with respect to calls of functions that the compiler does not see into, not
// to arithmetic in the same function: with_standard_floats() is what to use around arithmetic.
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
      // Flags and traps in one step: a flag of ours that met a trap of theirs would raise it.
      std::fesetenv(&inherited_);
    }
  }
  StandardFloats(const StandardFloats&) = delete;
  StandardFloats& operator=(const StandardFloats&) = delete;

 private:
#if defined(__SSE__)
  // MXCSR is where SSE and all after it look; x87 is where the C library looks when it reads and
  // writes numbers, and long double is worked out. That raises no flag here: there is none of it.
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
  std::fenv_t inherited_;  // where it was not
};

// Calls body() in a function of its own, which has effects as far as the compiler knows: no part of
// it is moved out of it, nor the call itself past another one.
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

// Calls body() in the standard environment, and returns what it does. body must not hold values
// that still have to be computed: it captures by reference.
//
// Compilers that are not told -frounding-math take the mode to be nearest, as it is within body(),
// and may move arithmetic past a call that changes it. Hence the function of its own; the option
// would add nothing to it (GCC does not order arithmetic and fesetround() with it either) and would
// keep constants from being folded in all the code that never meets another mode.
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

// A function as it is to be given to those that call it back: it runs in the standard environment.
//   klass->get_property = rdp::in_standard_floats<get_property>;
template <auto kFunction>
inline constexpr auto in_standard_floats = &StandardFloatsCall<kFunction>::call;

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_FLOAT_ENVIRONMENT_H_
