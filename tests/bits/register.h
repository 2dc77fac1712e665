// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BITS_REGISTER_H_
#define RDP_TESTS_BITS_REGISTER_H_

#include <functional>
#include <vector>

#include "tests/bits/draw.h"
#include "tests/bits/host.h"
#ifdef RDP_BITS_DEVICE
#include "tests/bits/device.h"
#endif

namespace rdp::bits {

// Functions that main() calls once it knows its arguments and the device.
std::vector<std::function<void()>>& registrations();

// Registers the tests of an operation: const bool kAdded = add<Median>();
template <typename Operation>
bool add() {
  registrations().push_back([] {
    if (draws() > 0) return add_draws<Operation>();
    if constexpr (requires { typename Operation::Host; }) add_host<Operation>();
#ifdef RDP_BITS_DEVICE
    if constexpr (requires { typename Operation::Device; }) {
      if (has_device()) add_device<Operation>();
    }
#endif
  });
  return true;
}

#ifdef RDP_BITS_DEVICE
// Registers an additional test of an operation.
inline bool add_on_device(const char* operation, const char* name, void (*test)()) {
  registrations().push_back([=] {
    if (has_device() && !benchmarks() && draws() == 0) add_test(operation, name, test);
  });
  return true;
}
#endif

}  // namespace rdp::bits

#endif  // RDP_TESTS_BITS_REGISTER_H_
