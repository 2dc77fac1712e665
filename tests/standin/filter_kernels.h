// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef RDP_TESTS_STANDIN_FILTER_KERNELS_H_
#define RDP_TESTS_STANDIN_FILTER_KERNELS_H_

#include <string_view>

#include "tests/standin/host_kernels.h"

// The stand-in for a kernel of depthfilter; null for any other name.
HostKernel find_filter_kernel(std::string_view name);

#endif  // RDP_TESTS_STANDIN_FILTER_KERNELS_H_
