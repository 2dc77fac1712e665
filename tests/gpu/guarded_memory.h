// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_GPU_GUARDED_MEMORY_H_
#define RDP_TESTS_GPU_GUARDED_MEMORY_H_

#include <cstdint>
#include <string>

// Wrappers around the driver's cuMemAlloc and cuMemFree. They fill every allocation with a pattern,
// so that no memory is zero by accident, and add guard bytes directly before and after it.
namespace rdp::test {

// Installs the wrappers. Call once, after loading the driver and before the first allocation. With
// RDP_GPU_TEST_GUARDS=0 allocations are only counted: guards hide errors from compute-sanitizer.
void guard_device_memory();

// Describes writes outside of allocations; empty if there were none. Call while the device is idle.
// Freed allocations were checked when they were freed.
std::string guard_damage();

// The number of device allocations so far.
std::uint64_t device_allocations();

}  // namespace rdp::test

#endif  // RDP_TESTS_GPU_GUARDED_MEMORY_H_
