// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_ROUNDING_H_
#define RDP_COMMON_IMAGE_ROUNDING_H_

#include <cfenv>

// Every result is defined in IEEE 754 arithmetic that rounds to nearest. The rounding mode belongs
// to a thread: a new thread inherits that of the thread that starts it, and an application may have
// set another one. So the entry points that work with floating-point numbers set the mode that they
// need and restore the one that they found: Engine, GpuEngine, the overlay's painter, the ground
// and the classes, the test patterns. The threads of a ThreadPool set it once, when they start.
namespace rdp {

// Rounds to nearest in this thread for as long as the object lives. It changes the rounding mode
// alone: which floating-point exceptions are trapped, and which were raised, stays as it is.
//
// It orders itself only with respect to calls of functions that the compiler does not see into, not
// to arithmetic in the same function: rounded_to_nearest() is what to use around arithmetic.
class NearestRounding {
 public:
  NearestRounding() noexcept : inherited_(std::fegetround()) {
    // Asking is cheaper than setting, and nearly always enough.
    if (inherited_ != FE_TONEAREST) std::fesetround(FE_TONEAREST);
  }
  ~NearestRounding() {
    if (inherited_ != FE_TONEAREST) std::fesetround(inherited_);
  }
  NearestRounding(const NearestRounding&) = delete;
  NearestRounding& operator=(const NearestRounding&) = delete;

 private:
  int inherited_;
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

// Calls body() while this thread rounds to nearest, and returns what it does. body must not hold
// values that still have to be computed: it captures by reference.
//
// Compilers that are not told -frounding-math take the mode to be nearest, as it is within body(),
// and may move arithmetic past a call that changes it. Hence the function of its own; the option
// would add nothing to it (GCC does not order arithmetic and fesetround() with it either) and would
// keep constants from being folded in all the code that never meets another mode.
template <typename Body>
auto rounded_to_nearest(const Body& body) {
  const NearestRounding scope;
  return call_apart(body);
}

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_ROUNDING_H_
