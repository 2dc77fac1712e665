// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_GPU_GUARDED_MEMORY_H_
#define RDP_TESTS_GPU_GUARDED_MEMORY_H_

#include <cstdint>
#include <string>

// Wrappers in front of the driver's cuMemAlloc and cuMemFree: all device memory is filled with a
// pattern when it is allocated, so that nothing happens to be zero, and has guard bytes directly
// before and after it, whoever owns it.
namespace rdp::test {

// Once, before the first allocation; the driver must be loaded. With RDP_GPU_TEST_GUARDS=0 the
// allocations are only counted: guards hide from compute-sanitizer what it looks for.
void guard_device_memory();

// What was written outside of an allocation since it was made, in words; empty where nothing was.
// For when the device is idle. Allocations that were freed have been checked then.
std::string guard_damage();

// How often device memory was allocated so far.
std::uint64_t device_allocations();

}  // namespace rdp::test

#endif  // RDP_TESTS_GPU_GUARDED_MEMORY_H_
