// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_ALIGN_KERNELS_H_
#define RDP_TESTS_STANDIN_ALIGN_KERNELS_H_

#include <string_view>

#include "tests/standin/host_kernels.h"

// The stand-in of a kernel of alignment; null for any other name.
HostKernel find_align_kernel(std::string_view name);

#endif  // RDP_TESTS_STANDIN_ALIGN_KERNELS_H_
