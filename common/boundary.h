// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_BOUNDARY_H_
#define RDP_COMMON_BOUNDARY_H_

#include <exception>
#include <string>
#include <utility>

#include "common/image/float_environment.h"

// The boundary from C to C++: callbacks of GLib and GStreamer, the functions of the metadata
// library. An exception must not leave them: C cannot free what it holds, and the process would
// end.
//
// The rule: a function that C calls either does nothing that throws, or does it within contain().
// The caller's floating-point environment stays outside, too: see common/image/float_environment.h.
// Predicates that many such functions ask (is there a driver?) contain their exceptions themselves
// and are noexcept. GLib's own allocations abort the process when memory runs out; an instance's
// initial members are allocated that way.
namespace rdp {

// Calls body() in the standard floating-point environment and returns its result. If it throws,
// calls failed(reason), with the exception's text, and returns that result. failed() must not
// throw.
template <typename Body, typename Failed>
auto contain(Body&& body, Failed&& failed) noexcept -> decltype(body()) {
  return with_standard_floats([&]() -> decltype(body()) {
    try {
      return std::forward<Body>(body)();
    } catch (const std::exception& error) {
      return std::forward<Failed>(failed)(error.what());
    } catch (...) {
      return std::forward<Failed>(failed)("an unknown exception");
    }
  });
}

// Sets *reason (nullable) to `text`, or to "no memory" if the copy cannot be allocated.
inline void give_reason(std::string* reason, const char* text) noexcept {
  if (reason == nullptr) return;
  try {
    *reason = text;
  } catch (const std::exception&) {
    *reason = "no memory";  // fits into the object itself
  }
}

}  // namespace rdp

#endif  // RDP_COMMON_BOUNDARY_H_
