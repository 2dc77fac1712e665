// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_BITS_REGISTER_H_
#define RDP_TESTS_BITS_REGISTER_H_

#include <vector>

#include "tests/bits/host.h"
#ifdef RDP_BITS_DEVICE
#include "tests/bits/device.h"
#endif

namespace rdp::bits {

// What main() does once it knows its arguments and the device.
std::vector<void (*)()>& registrations();
// Set by main().
inline bool& has_device() {
  static bool value = false;
  return value;
}

// Makes the tests of an operation: const bool kAdded = add<Median>();
template <typename Operation>
bool add() {
  registrations().push_back([] {
    if constexpr (requires { typename Operation::Host; }) add_host<Operation>();
#ifdef RDP_BITS_DEVICE
    if constexpr (requires { typename Operation::Device; }) {
      if (has_device()) add_device<Operation>();
    }
#endif
  });
  return true;
}

}  // namespace rdp::bits

#endif  // RDP_TESTS_BITS_REGISTER_H_
