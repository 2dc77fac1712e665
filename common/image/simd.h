// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_IMAGE_SIMD_H_
#define RDP_COMMON_IMAGE_SIMD_H_

#include <string>
#include <vector>

namespace rdp {

// The SIMD targets that this build has and this machine can run, best first, by Highway's names
// ("AVX3", "AVX2", "SSE4", "NEON", …).
std::vector<std::string> simd_targets();

// Limits the engines of this process to one of simd_targets(); "" gives the choice back to the
// machine. For tests and for comparing; call it while no engine works. False: no such target. The
// environment variable RDPSEGMENT_SIMD does the same when the first engine is made.
bool use_simd_target(const std::string& name);

// The target in use.
const char* current_simd_target() noexcept;

// Limits the process to the SIMD target that the environment variable RDPSEGMENT_SIMD names, the
// first time it is called. Returns what is wrong with the variable and what it could be, or "".
const std::string& apply_simd_environment();

}  // namespace rdp

#endif  // RDP_COMMON_IMAGE_SIMD_H_
