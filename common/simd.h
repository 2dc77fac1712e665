// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_COMMON_SIMD_H_
#define RDP_COMMON_SIMD_H_

#include <string>

namespace rdp {

// Limits the process to the SIMD target that the environment variable RDPSEGMENT_SIMD names, the
// first time it is called. Returns what is wrong with the variable and what it could be, or "".
const std::string& apply_simd_environment();

}  // namespace rdp

#endif  // RDP_COMMON_SIMD_H_
